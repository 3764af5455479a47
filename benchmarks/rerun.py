"""A warm re-run of a saved check on 10,000 rows, against the same pandas by hand plus one round trip to ipykernel.

The limit is 3 times. Both sides alternate in one run; medians of wall time.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from jupyter_client.manager import start_new_kernel

from pandas_magic.cli.demo_shop import make_tables, write_tables
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.registry.checks_list import read_checks
from pandas_magic.workspace import Workspace

ROUNDS = 15
LIMIT = 3.0
LISTED = Path(__file__).parent.parent / "pandas_magic" / "cli" / "demo_checks.json"
COMPARED = ("CHK-005", "CHK-006", "CHK-011", "CHK-012")


def silent(_: object) -> None:
    pass


def timed(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def main() -> int:
    listed = {check.id: check for check in read_checks(LISTED)}
    manager, client = start_new_kernel(kernel_name="python3")
    with tempfile.TemporaryDirectory() as folder:
        write_tables(Path(folder) / "data")
        workspace = Workspace.open(folder)
        tables = make_tables()
        try:
            worst = 0.0
            for check_id in COMPARED:
                check = listed[check_id]
                code = workspace.check(CheckRequest(check.rule, id=check_id, tables=check.tables)).run.code
                by_hand = compile(code, check_id, "exec")
                ours, theirs = [], []
                for _ in range(ROUNDS):
                    theirs.append(
                        timed(lambda: exec(by_hand, {**tables, "np": np, "pd": pd}))  # noqa: B023 - called at once
                        + timed(lambda: client.execute_interactive("1", timeout=60, output_hook=silent))
                    )
                    ours.append(timed(lambda: workspace.run_saved(check_id)))  # noqa: B023 - called at once
                ratio = statistics.median(ours) / statistics.median(theirs)
                worst = max(worst, ratio)
                print(
                    f"{check_id}: ours {statistics.median(ours) * 1000:.1f} ms, "
                    f"by hand + ipykernel {statistics.median(theirs) * 1000:.1f} ms, ratio {ratio:.2f}"
                )
        finally:
            workspace.close()
            client.stop_channels()
            manager.shutdown_kernel(now=True)
    print(f"worst ratio {worst:.2f}, limit {LIMIT}")
    return int(worst > LIMIT)


if __name__ == "__main__":
    sys.exit(main())

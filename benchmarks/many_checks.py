"""3,000 checks on 40 small tables, from opening the workspace to closing it: at most 30 s; and the same code by hand.

Five kinds of rules on tables of 500 rows, three fifths of them failing, all with journal and failing rows. The other
side executes the same code on the same frames and counts. Both run in one process, one after the other; wall and CPU.
Run: python benchmarks/many_checks.py [checks]
"""

import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from pandas_magic.record import digest
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace

TABLES, ROWS, LIMIT_SECONDS = 40, 500, 30.0
RULES = (
    "table_00.amount must be at least 0",
    "table_00.status must be one of 'paid', 'open'",
    "table_00.id must be unique",
    "table_00.note must be present",
    "table_00.owner must be between 1 and 98",
)


def make_table(number: int) -> pd.DataFrame:
    r = np.random.default_rng(number)
    frame = pd.DataFrame({"id": range(ROWS), "amount": r.normal(50, 20, ROWS).round(2)})
    frame["status"], frame["owner"] = r.choice(["paid", "open"], ROWS), r.integers(1, 100, ROWS)
    frame["note"] = r.choice(["a", "b", None], ROWS)
    return frame


def write_tables(folder: Path) -> dict[str, pd.DataFrame]:
    folder.mkdir()
    frames = {f"table_{number:02}": make_table(number) for number in range(TABLES)}
    for name, frame in frames.items():
        frame.to_csv(folder / f"{name}.csv", index=False)
    return frames


def write_checks(base: Path, count: int) -> None:
    """The rules compiled once, and copied for every table until there are so many."""
    workspace = Workspace.open(base)
    for number, rule in enumerate(RULES):
        workspace.check(CheckRequest(rule, id=f"BASE-{number}"))
    workspace.close()
    folder = base / "checks" / "registry"
    made = [(path.stem, path.read_text()) for path in sorted(folder.glob("BASE*.json"))]
    for name, _ in made:
        (folder / f"{name}.json").unlink()
    for number in range(count):
        name, text = made[number % len(made)]
        table = f"table_{number // len(made) % TABLES:02}"
        content = json.loads(text.replace("table_00", table).replace(name, f"C{number:05}"))
        content["code_digest"] = content["proof"]["of_code"] = digest("\n".join(content["code"]))
        (folder / f"C{number:05}.json").write_text(json.dumps(content))


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        frames = write_tables(base / "data")
        write_checks(base, count)
        started, began = time.perf_counter(), time.process_time()
        workspace = Workspace.open(base)
        results = workspace.run()
        workspace.close()
        ours, cpu = time.perf_counter() - started, time.process_time() - began
        started = time.perf_counter()
        for result in results:
            names = {**frames, "pd": pd, "np": np}
            exec(result.run.code, names)
            assert len(names["violations"]) == result.run.violation_count
        theirs = time.perf_counter() - started
    print(f"{len(results):,} checks: {ours:.1f} s, of them {cpu:.1f} CPU-s of our own process; ", end="")
    print(f"the same code by hand {theirs:.1f} s, ratio {ours / theirs:.1f}; limit {LIMIT_SECONDS:g} s")
    return int(ours > LIMIT_SECONDS * count / 3_000)


if __name__ == "__main__":
    sys.exit(main())

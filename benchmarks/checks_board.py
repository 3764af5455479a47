"""The dashboard over 3,000 checks of five runs each: what it costs to open, a page, one check, and the page to share.

Peer, in the same run: reading the same files with `json.loads` and a `DataFrame.to_html` of as many lines. Wall seconds
beside those of the processor, which hold still on a busy machine. Run: python benchmarks/checks_board.py [checks]
"""

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import many_checks
import pandas as pd

from pandas_magic.history.run import Run, Verdict
from pandas_magic.notebook.checks_board import ChecksBoard
from pandas_magic.reporters.dashboard.shared_page import shared_page
from pandas_magic.workspace import Workspace

RUNS, ROUNDS = 5, 5
OPEN_SECONDS = 1.0


def seconds(action: Callable[[], object], *, rounds: int = ROUNDS) -> tuple[float, float]:
    """The median of wall and of processor seconds."""
    taken = []
    for _ in range(rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        action()
        taken.append((time.perf_counter() - wall, time.process_time() - cpu))
    walls, cpus = zip(*taken, strict=True)
    return statistics.median(walls), statistics.median(cpus)


def write_runs(workspace: Workspace) -> None:
    for number in range(RUNS):
        for check_id in workspace.registry.load().ids:
            verdict = Verdict.FAIL if number % 2 else Verdict.PASS
            fields = {"run_id": f"{check_id}-{number}", "check_id": check_id, "verdict": verdict, "code": ""}
            facts = {"violation_count": 7 * (number % 2), "rows": 500, "summary": f"{verdict}: of 500 rows"}
            started = f"2026-11-{number + 1:02}T03:00:00Z"
            workspace.journal.record(Run.model_validate({**fields, **facts, "started_at": started, "seconds": 0.1}))


def by_hand(base: Path) -> None:
    entries = [json.loads(path.read_text()) for path in sorted((base / "checks" / "registry").glob("*.json"))]
    last: dict[str, Any] = {}
    for line in (base / ".pandas_magic" / "runs_log.jsonl").read_text().splitlines():
        run = json.loads(line)
        last[run.get("check_id", "")] = run.get("verdict")
    lines = pd.DataFrame([{**entry["check"], "verdict": last.get(entry["check"]["id"])} for entry in entries])
    lines.head(50).to_html()


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        many_checks.write_tables(base / "data")
        many_checks.write_checks(base, count)
        write_runs(Workspace.open(base))
        session: Any = SimpleNamespace(
            workspace_beside=lambda: Workspace.open(base),
            edited={},
            results={},
            offer_rows=lambda *_: None,
            has_left=lambda _: False,
        )

        def opened() -> ChecksBoard:
            board = ChecksBoard(cast("Any", session))
            board.bundle()
            board.answer({"ask": "open"})
            return board

        peer, _ = seconds(lambda: by_hand(base))
        took = {"opened": seconds(opened)}
        board = opened()
        choice = {"words": "table_0", "by": "failing", "descending": True}
        took["filtered and sorted"] = seconds(lambda: board.answer({"ask": "list", "choice": choice}))
        took["one check in depth"] = seconds(lambda: board.answer({"ask": "detail", "check": "C00007"}))
        took["the page to share"] = seconds(lambda: shared_page(Workspace.open(base)), rounds=1)
    for what, (wall, cpu) in took.items():
        print(
            f"{what}: {wall * 1000:,.0f} ms, {cpu * 1000:,.0f} of the processor, {wall / peer:.2f} of doing it by hand"
        )
    return int(took["opened"][1] > OPEN_SECONDS * count / 3_000)


if __name__ == "__main__":
    sys.exit(main())

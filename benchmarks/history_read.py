"""The journal with 100,000 runs: what adding a run and reading all of them cost.

Parsing the same lines with `json.loads` is the peer: no journal of JSON lines can be read in less by Python alone.
"""

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pandas_magic.history.history import History
from pandas_magic.history.journal import Journal
from pandas_magic.history.log import LOG_NAME
from pandas_magic.history.run import Run

RUNS, CHECKS = 100_000, 400
ROUNDS = 5
READ_SECONDS = 1.0  # of processor time
ADD_SECONDS = 0.001


def seconds(action: Callable[[], object]) -> float:
    taken = []
    for _ in range(ROUNDS):
        started = time.process_time()
        action()
        taken.append(time.process_time() - started)
    return statistics.median(taken)


def a_run() -> Run:
    return Run(
        run_id="20261121T080000-abcdef",
        check_id="CHK-001",
        verdict="FAIL",
        violation_count=3,
        rows=1000,
        summary="FAIL: 3 of 1,000 rows of orders break the rule",
        code="",
        started_at="2026-11-21T08:00:00Z",
        seconds=0.25,
        artifact=".pandas_magic/artifacts/20261121T080000-abcdef/violations.parquet",
        rule_digest="0" * 16,
        code_digest="1" * 16,
        fingerprints={"orders": "3f-18a2b3c4d5e6f708-2a-5"},
        reason="an order with a negative total",
        key=("order_id",),
        session="20261121T080000-fedcba",
    )


def adding(journal: Journal) -> float:
    run, taken = a_run(), []
    for _ in range(2_000):
        started = time.perf_counter()
        journal.record(run)
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        added = adding(Journal(folder))
        line = (folder / LOG_NAME).read_bytes().partition(b"\n")[0] + b"\n"
        lines = [line.replace(b"CHK-001", b"CHK-%03d" % (number % CHECKS)) for number in range(RUNS)]
        (folder / LOG_NAME).write_bytes(b"".join(lines))
        read = seconds(lambda: History(folder).runs("CHK-007"))
        peer = seconds(lambda: [json.loads(each) for each in lines])
    print(f"adding a run: {added * 1000:.3f} ms")
    print(f"reading {RUNS:,} runs: {read:.2f} s of processor time, {read / peer:.2f} of json.loads ({peer:.2f} s)")
    return int(read > READ_SECONDS or added > ADD_SECONDS)


if __name__ == "__main__":
    sys.exit(main())

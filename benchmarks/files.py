"""The twenty rules of `batch.py` on files, whole processes: `pandas-magic run` against plain DuckDB that only counts.

Our side imports, confines, judges, counts what it cannot judge, and keeps journal and failing rows; the other side
imports DuckDB, reads the same files and counts. Both alternate in one run; medians of wall time, and of the processor
time of all processes, which other work on the machine moves less. The limits: from Parquet 1.6 times, from CSV that is
read for the first time 1.3 times, and 2.0 s for CSV that did not change.
Run: python benchmarks/files.py [orders]
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from batch import NOW, ORDERS, RULES, counted_in_duckdb, make_tables

from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace

ROUNDS = 5
LIMITS = {"parquet": 1.6, "csv, first run": 1.3}
AGAIN_SECONDS = 2.0
Seconds = tuple[float, float]  # wall and processor


def write_workspace(folder: Path, form: str, orders: int) -> None:
    """The tables as files of this form, and the rules compiled."""
    (folder / "data").mkdir(parents=True)
    tables = make_tables(orders)
    # With a leading zero it stays text in a CSV file.
    tables["orders"]["zip"] = "0" + tables["orders"]["zip"].str[1:]
    for name, frame in tables.items():
        path = folder / "data" / f"{name}.{form}"
        frame.to_parquet(path, index=False) if form == "parquet" else frame.to_csv(path, index=False)
    workspace = Workspace.open(folder, settings={"now": str(NOW)})
    for number, (table, rule, _) in enumerate(RULES):
        workspace.check(CheckRequest(rule, id=f"R{number:02}", target=table))
    workspace.close()


def count_in_duckdb(folder: Path, form: str) -> None:
    """The other side, in a process of its own: print the counts."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("set threads to 2")
        for name in ("users", "orders", "events"):
            path = folder / "data" / f"{name}.{form}"
            types = ", types = {'zip': 'VARCHAR'}" if name == "orders" else ""
            read = f"'{path}'" if form == "parquet" else f"read_csv('{path}'{types})"
            connection.execute(f"create {'view' if form == 'parquet' else 'table'} {name} as from {read}")
        print(json.dumps(counted_in_duckdb(connection)))


def timed_process(command: list[str]) -> tuple[Seconds, str]:
    """Wall and processor seconds of a process and its children, and what it printed."""
    # Modules are compiled once, as in an installed package.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, began = os.times(), time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=kept)
    wall, after = time.perf_counter() - began, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return (wall, used), done.stdout


def ours(folder: Path) -> tuple[Seconds, list[int]]:
    command = [sys.executable, "-m", "pandas_magic", "run", "-C", str(folder), "-p", f"now={NOW}"]
    seconds, printed = timed_process([*command, "--allow-proposed", "--json"])
    return seconds, [run["violation_count"] for run in json.loads(printed)["runs"]]


def theirs(folder: Path, form: str) -> tuple[Seconds, list[int]]:
    seconds, printed = timed_process([sys.executable, __file__, "duckdb", str(folder), form])
    return seconds, json.loads(printed)


def medians(rounds: list[Seconds]) -> Seconds:
    wall, used = zip(*rounds, strict=True)
    return statistics.median(wall), statistics.median(used)


def measure(folder: Path, form: str) -> dict[str, list[Seconds]]:
    """The seconds of every round, by side; a round of CSV begins without its columns in the cache."""
    found: dict[str, list[Seconds]] = {"duckdb": [], "first": [], "again": []}
    for _ in range(ROUNDS):
        seconds, wanted = theirs(folder, form)
        found["duckdb"].append(seconds)
        for which in ("first", "again"):
            if which == "first":
                shutil.rmtree(folder / ".pandas_magic" / "staged", ignore_errors=True)
            seconds, counts = ours(folder)
            found[which].append(seconds)
            assert counts == wanted, (form, list(zip(counts, wanted, strict=True)))
    return found


def main() -> int:
    if sys.argv[1:2] == ["duckdb"]:
        count_in_duckdb(Path(sys.argv[2]), sys.argv[3])
        return 0
    orders = int(sys.argv[1]) if len(sys.argv) > 1 else ORDERS
    is_slow = False
    with tempfile.TemporaryDirectory() as name:
        for form in ("parquet", "csv"):
            folder = Path(name) / form
            write_workspace(folder, form, orders)
            found = {side: medians(rounds) for side, rounds in measure(folder, form).items()}
            for side, (wall, used) in found.items():
                print(f"{form}, {side}: {wall:.2f} s, processor {used:.2f} s")
            against = "first" if form == "csv" else "again"
            ratio, of_processor = (mine / base for mine, base in zip(found[against], found["duckdb"], strict=True))
            limit = LIMITS["parquet" if form == "parquet" else "csv, first run"]
            print(f"{form}, {against}: {ratio:.2f} of DuckDB, of its processor time {of_processor:.2f}; limit {limit}")
            is_slow |= ratio > limit or (form == "csv" and found["again"][0] > AGAIN_SECONDS)
    print(f"limit of an unchanged CSV: {AGAIN_SECONDS} s")
    return int(is_slow)


if __name__ == "__main__":
    sys.exit(main())

"""The twenty rules of `batch.py` on loaded frames, in DuckDB: a batch, against plain DuckDB that only counts.

Our side confines, stages, judges, counts what it cannot judge, and keeps journal and failing rows; the other side only
counts, over the same frames. Both alternate in one run; medians of wall time. The limit is 1.5 times. Pandas by hand,
which only counts, too, and our pandas stand beside them. The first round, in which the kernel starts, is told apart.
"""

import os
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from batch import NOW, ORDERS, ROUNDS, RULES, Frames, counted_in_duckdb, make_tables, timed

from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace

LIMIT = 1.5
SIDES = ("duckdb", "pandas")


def plain(tables: Frames) -> list[int]:
    """The counts by DuckDB over the frames, from their registration on."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("set threads to 2")
        for name, frame in tables.items():
            connection.register(name, frame)
        return counted_in_duckdb(connection)


def compiled(folder: str, tables: Frames, engine: str) -> Workspace:
    workspace = Workspace.open(folder, tables=tables, settings={"now": str(NOW), "engine": engine})
    for number, (table, rule, _) in enumerate(RULES):
        workspace.check(CheckRequest(rule, id=f"R{number:02}", target=table))
    workspace.bench.close()
    return workspace


def main() -> int:
    orders = int(sys.argv[1]) if len(sys.argv) > 1 else ORDERS
    tables = make_tables(orders)
    frames = [tables[name] for name in ("users", "orders", "events")]
    seconds: dict[str, list[float]] = {name: [] for name in (*SIDES, "plain DuckDB", "pandas by hand")}
    counts: dict[str, list[int | None]] = {}
    with tempfile.TemporaryDirectory() as folder:
        workspaces = {engine: compiled(f"{folder}", tables, engine) for engine in SIDES}
        for _ in range(ROUNDS + 1):
            for engine, workspace in workspaces.items():
                took, results = timed(workspace.run)
                seconds[engine].append(took)
                counts[engine] = [result.run.violation_count for result in results]
                assert engine == "pandas" or all(result.run.engine for result in results)
            took, counts["plain DuckDB"] = timed(lambda: plain(tables))
            seconds["plain DuckDB"].append(took)
            took, counts["by hand"] = timed(lambda: [int(by_hand(*frames)) for _, _, by_hand in RULES])
            seconds["pandas by hand"].append(took)
        for workspace in workspaces.values():
            workspace.close()
    assert counts["duckdb"] == counts["pandas"] == counts["by hand"] == counts["plain DuckDB"], counts
    medians = {name: statistics.median(taken[1:]) for name, taken in seconds.items()}
    for name, taken in seconds.items():
        print(f"{name}: {medians[name]:.2f} s (first {taken[0]:.2f}, fastest {min(taken):.2f})")
    ratio = medians["duckdb"] / medians["plain DuckDB"]
    print(f"{len(RULES)} rules, ours in DuckDB against plain DuckDB: {ratio:.2f}, limit {LIMIT}", end="")
    print(f" (load {os.getloadavg()[0]:.1f})")
    return int(ratio > LIMIT)


if __name__ == "__main__":
    sys.exit(main())

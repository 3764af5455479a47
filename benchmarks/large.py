"""Nine rules on 100 million rows of five columns in one Parquet file, in 4 GB: a run as a whole process.

With the setting `engine` at "auto" DuckDB reads the file itself, in the confined kernel. Wall time, processor time of
all processes, the largest memory of one of them, and what found the rows of each check. The limit is 120 s on two
processors that nobody else uses; beside other work the processor time says more, of which two processors have 240 s.
Run: python benchmarks/large.py [rows] [folder, which is kept]
"""

import json
import resource
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

from files import timed_process

from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace

ROWS, LIMIT_SECONDS, MEMORY_BYTES = 100_000_000, 120.0, 4 * 1000**3
FEW_ROWS = 1_000_000  # on which the rules are compiled
NOW = "2026-11-21"
RULES = (
    "orders.total must be present",
    "orders.status must be one of 'paid', 'pending', 'cancelled', 'refunded'",
    "orders.total must be between 0 and 1000",
    "the average total must be between 400 and 600",
    "orders as a whole: the 0.95 quantile of total in orders must be between 900 and 990",
    "orders: user_id must be among users.user_id",
    "orders.order_id must be unique",
    "orders: the number of rows per (user_id, the date of created_at) must be at most 3",
    "orders: no two rows may be identical",
)
ORDERS = """
select case when i % 1000003 = 7 then i - 1 else i end as order_id,
  case when i % 5000011 = 3 then -1 else (i * 7919) % {users} + 1 end as user_id,
  case when i % 3000017 = 5 then 'unknwon' else (['paid', 'pending', 'cancelled', 'refunded'])[(i % 4 + 1)::int] end
    as status,
  case when i % 2000003 = 11 then null else round(((i * 104729) % 100000) / 100.0, 2) end as total,
  timestamp '2025-11-21' + to_seconds((i * 86028121) % 31536000) as created_at
from range({rows}) t(i)
"""


def write_tables(folder: Path, rows: int) -> None:
    """The orders, with a few that break most of the rules, and a user for twenty of them."""
    import duckdb

    folder.mkdir(parents=True, exist_ok=True)
    users = max(rows // 20, 1)
    with duckdb.connect(config={"threads": 1, "memory_limit": "2GB"}) as connection:
        orders, people = ORDERS.format(rows=rows, users=users), f"select i + 1 as user_id from range({users}) t(i)"
        connection.execute(f"copy ({orders}) to '{folder}/orders.parquet' (format parquet)")
        connection.execute(f"copy ({people}) to '{folder}/users.parquet' (format parquet)")


def compile_rules(folder: Path) -> None:
    """The rules, compiled on few rows of the same columns."""
    write_tables(folder / "data", FEW_ROWS)
    workspace = Workspace.open(folder, settings={"now": NOW})
    for number, rule in enumerate(RULES):
        workspace.check(CheckRequest(rule, id=f"R{number}", target="orders"))
    workspace.close()


def main() -> int:
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else ROWS
    kept = len(sys.argv) > 2
    with nullcontext(sys.argv[2]) if kept else tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if not (folder / "checks").exists():
            compile_rules(folder)
            write_tables(folder / "data", rows)
        settings = [f"now={NOW}", f"memory_bytes={MEMORY_BYTES}", "wall_seconds=600"]
        command = [sys.executable, "-m", "pandas_magic", "run", "-C", str(folder), "--allow-proposed", "--json"]
        began = time.strftime("%H:%M:%S")
        (wall, used), printed = timed_process([*command, *(part for each in settings for part in ("-p", each))])
    for run in json.loads(printed)["runs"]:
        found = run.get("violation_count"), run.get("engine") or "pandas"
        print(f"{run['check_id']}: {run['verdict']} {found[0]} by {found[1]}, {run['seconds']:.1f} s {run['notes']}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024**2
    print(
        f"{rows:,} rows, begun {began}: {wall:.0f} s, processor {used:.0f} s, at most {peak:.2f} GiB in one process; "
    )
    print(f"limit {LIMIT_SECONDS:.0f} s on two processors of its own")
    return int(wall > LIMIT_SECONDS)


if __name__ == "__main__":
    sys.exit(main())

"""One new file of 365: a run that looks at it alone (the setting `only_new`) against a run of the whole table.

Four rules about single rows, one that looks into another table and two about rows that share a key, on a folder of
Parquet files, with journal and failing rows. Both sides run in one process, each in a workspace opened anew once the
file has come; the first also describes the table, for which it reads the new file. Wall and processor time of our
process, each once, and the wall seconds of each check. Starting the confined kernel takes the same time whatever there
is to look at; it is told apart. The limit, 3 % of the full run, is for the last of the sizes.
Run: python benchmarks/only_new.py [rows of a file ...]
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from kernel_sandbox import Sandbox
from pandas_magic.history.run import Run
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace

FILES, ROWS, LIMIT = 365, (20_000, 200_000), 0.03
SHOPS = 100_000
SETTLING_SECONDS = 3  # files written a moment ago are looked at again
RULES = (
    "sales.note must be present",
    "sales.amount must be between 0 and 200",
    "sales where status is 'paid': paid_at must be present",
    "sales: paid_at must be >= sold_at",
    "every sales must have a shop in shops",
    "sales.id must be unique",
    "sales: (shop_id, sold_at, amount) must be unique",
)


def write_day(folder: Path, number: int, rows: int) -> None:
    r = np.random.default_rng(number)
    frame = pd.DataFrame({"id": np.arange(rows) + number * rows, "amount": r.gamma(4, 15, rows).round(2)})
    frame["status"] = r.choice(["paid", "open"], rows, p=[0.7, 0.3])
    frame["note"] = pd.Series(r.choice(["a", "b"], rows)).mask(r.random(rows) < 1e-5)
    frame["sold_at"] = pd.Timestamp("2026-01-01") + pd.to_timedelta(number * 24 * 60 + r.integers(0, 1440, rows), "min")
    frame["paid_at"] = (frame["sold_at"] + pd.Timedelta(hours=2)).where(frame["status"] == "paid")
    frame["shop_id"] = r.integers(0, SHOPS + 1, rows)
    path = folder / f"day={number:03}" / "rows.parquet"
    path.parent.mkdir(parents=True)
    frame.to_parquet(path, index=False)


def run(folder: Path, *, only_new: bool) -> tuple[tuple[float, float], list[Run]]:
    """Seconds of the run and of our processor time in it; and what came of it."""
    workspace = Workspace.open(folder, settings={"only_new": only_new})
    began, used = time.perf_counter(), time.process_time()
    runs = [result.run for result in workspace.run()]
    took = time.perf_counter() - began, time.process_time() - used
    workspace.close()
    return took, runs


def starting_seconds() -> float:
    """How long it takes until a confined kernel can be asked."""
    began = time.perf_counter()
    with Sandbox(warm=False):
        return time.perf_counter() - began


def measure(folder: Path, rows: int) -> float:
    """Print the times of both sides, and give back the share of one."""
    for number in range(FILES - 1):
        write_day(folder / "data" / "sales", number, rows)
    pd.DataFrame({"shop_id": range(SHOPS), "city": "Berlin"}).to_parquet(folder / "data" / "shops.parquet")
    time.sleep(SETTLING_SECONDS)
    workspace = Workspace.open(folder)
    for number, rule in enumerate(RULES):
        workspace.check(CheckRequest(rule, id=f"R{number}"))
    workspace.close()
    run(folder, only_new=True)
    write_day(folder / "data" / "sales", FILES - 1, rows)
    (wall, used), new = run(folder, only_new=True)
    (full_wall, full_used), full = run(folder, only_new=False)
    assert [each.positions for each in new] == [each.positions for each in full]
    assert [each.rows_digest for each in new] == [each.rows_digest for each in full]
    print(
        f"{FILES * rows:,} rows: in full {full_wall:.2f} s, one new file {wall:.2f} s: {wall / full_wall:.1%}, ", end=""
    )
    print(f"of our processor time {used / full_used:.1%}; a kernel starts in {starting_seconds():.2f} s")
    for rule, one, whole in zip(RULES, new, full, strict=True):
        print(f"  {whole.seconds:6.2f} s, {one.seconds:5.2f} s: {rule}: {one.notes[0]}")
    return wall / full_wall


def main() -> int:
    share = 0.0
    for rows in [int(word) for word in sys.argv[1:]] or ROWS:
        with tempfile.TemporaryDirectory() as name:
            share = measure(Path(name), rows)
    print(f"limit {LIMIT:.0%}")
    return int(share > LIMIT)


if __name__ == "__main__":
    sys.exit(main())

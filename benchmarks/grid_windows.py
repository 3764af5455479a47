"""A grid over ten million rows: what a window costs, as they came, sorted, filtered, and of a file with one row group.

Peers, in the same run: `DataFrame.to_html` of as many rows for a window, `DataFrame.sort_values` for an order.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from pandas_magic.explore.study import Study
from pandas_magic.notebook.page.rows_view import LABEL, RowsView
from pandas_magic.notebook.page.unpacking_rows import rows_of_files
from pandas_magic.workspace import Workspace

ROWS = 10_000_000
WINDOW = 74  # rows, as the page asks: 14 in view and 30 on either side
ROUNDS = 15
WINDOW_SECONDS = 0.05
OPEN_SECONDS = 0.3


def seconds(action: Callable[[int], object], *, rounds: int = ROUNDS) -> float:
    taken = []
    for number in range(rounds):
        started = time.perf_counter()
        action(number)
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def large_frame() -> pd.DataFrame:
    """Numbers, texts of a thousand kinds and times, drawn with a seed."""
    random = np.random.default_rng(0)
    names = np.array([f"name {number}" for number in range(1000)])
    moments = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 10**7, ROWS), unit="s")
    return pd.DataFrame(
        {
            "id": np.arange(ROWS),
            "amount": random.normal(size=ROWS),
            "name": pd.array(names[random.integers(0, 1000, ROWS)], dtype="str"),
            "at": moments,
        }
    )


def of_one_row_group(frame: pd.DataFrame) -> dict[str, float]:
    """Seconds of a grid over a Parquet file of one row group that has no room in memory; unpacking is printed."""
    with tempfile.TemporaryDirectory() as folder:
        frame.to_parquet(Path(folder) / "table.parquet", row_group_size=ROWS)
        study = Study(Workspace.open(folder, settings={"memory_bytes": 1 << 30}))
        took = {"opened": seconds(lambda _: study.preview("table"), rounds=1)}
        rows = rows_of_files(study.files_of("table"), partial(study.filter_where, "table"))
        began = time.perf_counter()
        took["opened"] += seconds(lambda _: rows.answer({"ask": "open"}), rounds=1)
        asked = {"ask": "window", "count": WINDOW, "columns": [LABEL, *range(frame.shape[1])]}
        while rows.answer({**asked, "start": 0})[0].get("looked", 1) < 1:
            pass
        print(f"a row group unpacked in {time.perf_counter() - began:.1f} s")
        starts = [(number + 1) * ROWS // (2 * ROUNDS) for number in range(ROUNDS)]
        took["a row group"] = seconds(lambda number: rows.answer({**asked, "start": starts[number]}))
    return took


def main() -> int:
    frame = large_frame()
    view = RowsView(frame, first={"amount"})
    places = [LABEL, *range(frame.shape[1])]

    def window(number: int, **chosen: object) -> None:
        start = (number + 1) * ROWS // (4 * ROUNDS)
        view.answer({"ask": "window", "start": start, "count": WINDOW, "columns": places, **chosen})

    peer = seconds(lambda number: frame.iloc[number * 1000 : number * 1000 + WINDOW].to_html())
    opened = seconds(lambda _: RowsView(frame, first={"amount"}).answer({"ask": "open"}), rounds=5)
    print(f"opened in {opened * 1000:.0f} ms (at most {OPEN_SECONDS * 1000:.0f})")
    took = {"as they came": seconds(window)}
    for name, place in (("amount", 1), ("name", 2), ("at", 3)):
        order = seconds(lambda number, place=place: window(number, sort=[(place, False)]), rounds=1)
        sorting = seconds(lambda _, name=name: frame.sort_values(name, kind="stable"), rounds=1)
        print(f"sorted by {name} in {order:.1f} s, {order / sorting:.2f} of DataFrame.sort_values")
        took[f"sorted by {name}"] = seconds(lambda number, place=place: window(number, sort=[(place, False)]))
    window(0, filters={"1": "> 0"})
    took["filtered"] = seconds(lambda number: window(number, filters={"1": "> 0"}))
    of_file = of_one_row_group(frame)
    opened = max(opened, of_file.pop("opened"))
    print(f"opened, with that of a file, in {opened * 1000:.0f} ms")
    took |= of_file
    for what, one in took.items():
        print(f"a window {what}: {one * 1000:.1f} ms, {one / peer:.2f} of DataFrame.to_html of as many rows")
    return int(opened > OPEN_SECONDS or max(took.values()) > WINDOW_SECONDS)


if __name__ == "__main__":
    sys.exit(main())

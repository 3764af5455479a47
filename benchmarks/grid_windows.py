"""A grid over ten million rows: what a window costs, as they came, sorted and filtered.

Peers, in the same run: `DataFrame.to_html` of as many rows for a window, `DataFrame.sort_values` for an order.
"""

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from pandas_magic.notebook.page.rows_view import LABEL, RowsView

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
    for what, one in took.items():
        print(f"a window {what}: {one * 1000:.1f} ms, {one / peer:.2f} of DataFrame.to_html of as many rows")
    return int(opened > OPEN_SECONDS or max(took.values()) > WINDOW_SECONDS)


if __name__ == "__main__":
    sys.exit(main())

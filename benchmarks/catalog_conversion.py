"""Claim: the first conversion of a CSV file into the columnar cache takes at most 1.3 times as long as Arrow's reading.

The peer is pyarrow.csv.read_csv alone, which keeps nothing. The best of several rounds counts, both sides alternating
in one process: where a virtual machine has to find memory anew, touching it costs more than the parsing does.
Run: python benchmarks/catalog_conversion.py [megabytes] (1024 for the claim; small files are the harder case)
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow.csv

from pandas_magic.catalog import Catalog

ROUNDS = 7


def write_orders(path: Path, megabytes: int) -> None:
    """A table of orders with 12 columns, about so many megabytes of text."""
    import numpy as np
    import pandas as pd

    rows, random = 200_000, np.random.default_rng(20261121)
    frame = pd.DataFrame(
        {
            "order_id": np.arange(rows),
            "user_id": random.integers(1, 100_000, rows),
            "product_id": random.integers(1, 5_000, rows),
            "quantity": random.integers(1, 9, rows),
            "price": random.uniform(1, 500, rows).round(2),
            "discount": random.choice([0.0, 0.1, 0.25], rows),
            "status": random.choice(["new", "paid", "shipped", "returned"], rows),
            "country": random.choice(["de", "fr", "nl", "pl", "it"], rows),
            "ordered_on": pd.Timestamp("2026-01-01") + pd.to_timedelta(random.integers(0, 300, rows), unit="D"),
            "shipped_on": pd.Timestamp("2026-01-05") + pd.to_timedelta(random.integers(0, 300, rows), unit="D"),
            "email": [f"user{n}@example.com" for n in random.integers(1, 100_000, rows)],
            "note": random.choice(["", "gift", "call before delivery", "leave at the door"], rows),
        }
    )
    first = frame.to_csv(index=False)
    body = first.split("\n", 1)[1]
    with path.open("w") as file:
        file.write(first)
        for _ in range(max(0, megabytes * 1024**2 // len(first) - 1)):
            file.write(body)


def seconds(action: Callable[[], object]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - wall, time.process_time() - cpu


def into_a_cache(path: Path) -> tuple[float, float]:
    with tempfile.TemporaryDirectory(dir=path.parent) as kept:
        catalog = Catalog(given={"t": path}, cache=Path(kept))
        return seconds(lambda: catalog.frame("t", ["order_id"]))


def main() -> None:
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "orders.csv"
        write_orders(path, megabytes)
        pairs = [(into_a_cache(path), seconds(lambda: pyarrow.csv.read_csv(path))) for _ in range(ROUNDS)]
    for at, clock in enumerate(("wall", "cpu")):
        ours, peer = (min(times[at] for times in side) for side in zip(*pairs, strict=True))
        middle = statistics.median(one[at] / other[at] for one, other in pairs)
        print(
            f"{megabytes} MB, {clock}: into the cache {ours:.2f} s, pyarrow.csv alone {peer:.2f} s; "
            f"ratio {ours / peer:.2f}, of the median round {middle:.2f} (claim 1.3)"
        )


if __name__ == "__main__":
    main()

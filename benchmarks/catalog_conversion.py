"""Claim: the first conversion of a CSV file into the columnar cache takes at most 1.3 times as long as Arrow's reading.

The peer is pyarrow.csv.read_csv alone, which keeps nothing. Run: python benchmarks/catalog_conversion.py [megabytes]
"""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 3
OURS = """
import sys, time, shutil, tempfile
from pathlib import Path
import pyarrow.csv
from pandas_magic.catalog import Catalog
path = Path(sys.argv[1])
kept = Path(tempfile.mkdtemp(dir=path.parent))
catalog = Catalog(given={"t": path}, cache=kept)
started, used = time.perf_counter(), time.process_time()
catalog.frame("t", ["order_id"])
print(time.perf_counter() - started, time.process_time() - used)
shutil.rmtree(kept)
"""
PEER = """
import sys, time
import pyarrow.csv
started, used = time.perf_counter(), time.process_time()
pyarrow.csv.read_csv(sys.argv[1])
print(time.perf_counter() - started, time.process_time() - used)
"""


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


def seconds(code: str, path: Path) -> tuple[float, float]:
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    wall, cpu = map(float, done.stdout.split())
    return wall, cpu


def main() -> None:
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 128
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "orders.csv"
        write_orders(path, megabytes)
        seconds(PEER, path)  # so that both read from the page cache
        pairs = [(seconds(OURS, path), seconds(PEER, path)) for _ in range(ROUNDS)]
    for at, clock in enumerate(("wall", "cpu")):
        ours, peer = (statistics.median(times[at] for times in side) for side in zip(*pairs, strict=True))
        ratio = statistics.median(one[at] / other[at] for one, other in pairs)
        print(
            f"{megabytes} MB, {clock}: into the cache {ours:.2f} s, pyarrow.csv alone {peer:.2f} s; "
            f"ratio {ratio:.2f} (claim 1.3)"
        )


if __name__ == "__main__":
    main()

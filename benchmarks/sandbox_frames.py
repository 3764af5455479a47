"""Five million rows into the sandbox: time and memory there, against the time of writing the Arrow file.

python benchmarks/sandbox_frames.py [million rows]
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from kernel_sandbox import Sandbox
from kernel_sandbox.keeper.watch import usage
from kernel_sandbox.policy import MIB

ROUNDS = 5


def main(rows: int) -> None:
    numbers = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "i": numbers.integers(0, 1 << 40, rows),
            "k": numbers.integers(0, 1000, rows, dtype="int32"),
            "f": numbers.random(rows),
            "g": numbers.standard_normal(rows),
            "t": pd.Timestamp("2020-01-01") + pd.to_timedelta(numbers.integers(0, 10**8, rows), unit="s"),
            "s": pd.Series(np.array(["alpha", "bravo", "c"])[numbers.integers(0, 3, rows)], dtype="str"),
        }
    )
    with tempfile.TemporaryDirectory() as folder, Sandbox() as sandbox:
        path = Path(folder, "frame.arrow")
        sandbox.execute("1")
        # The first writing of each kind pays for pages that the later ones find.
        wrote = min(timed(lambda: write(frame, path)) for _ in range(ROUNDS))
        size = path.stat().st_size
        before = usage(sandbox.confinement.pid).memory_bytes
        mapped = min(timed(lambda: hand_over(sandbox, path)) for _ in range(ROUNDS))
        more = usage(sandbox.confinement.pid).memory_bytes - before
        handed = min(timed(lambda: hand_over(sandbox, frame)) for _ in range(ROUNDS))
        sandbox.execute("answer = table.head(1_000_000)")
        answered = min(timed(lambda: sandbox.fetch_frame("answer")) for _ in range(ROUNDS))
        part = min(timed(lambda: write(frame.head(1_000_000), path)) for _ in range(ROUNDS))
    print(f"{rows:,} rows, {size / MIB:,.0f} MiB, load {os.getloadavg()[0]:.1f}")
    print(f"writing the Arrow file             {wrote:7.3f} s")
    print(f"handing over that file             {mapped:7.3f} s   {mapped / wrote:5.2f}x   +{more / MIB:.0f} MiB there")
    print(f"handing over the frame, all told   {handed:7.3f} s   {handed / wrote:5.2f}x")
    print(f"fetching a million rows            {answered:7.3f} s   {answered / part:5.2f}x of writing those")


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    made = work()
    seconds = time.perf_counter() - began
    # To let go of a frame is not part of fetching it.
    del made
    return seconds


def hand_over(sandbox: Sandbox, table: pd.DataFrame | Path) -> None:
    sandbox.stage("table", table)
    sandbox.execute("rows = len(table)")


def write(frame: pd.DataFrame, path: Path) -> None:
    table = pa.Table.from_pandas(frame, preserve_index=False).combine_chunks()
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=max(len(table), 1))


if __name__ == "__main__":
    main(int(float(sys.argv[1]) * 1_000_000) if len(sys.argv) > 1 else 5_000_000)

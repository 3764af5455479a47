# /// script
# requires-python = ">=3.11"
# dependencies = ["pandas-magic[eda]", "skrub>=0.6"]
# ///
"""The explorer against skrub's TableReport, and against ydata-profiling where an interpreter with it is named.

    python benchmarks/eda_profile.py [--rows 1000000] [--columns 12] [--rounds 3] [--skrub PYTHON] [--ydata PYTHON]

Each side runs in a fresh process that makes the same table, explores a small one (imports, and our keeper of confined
processes, are then there), and is timed from the DataFrame to the finished HTML, pictures included. CPU and memory are
those of the whole tree of processes: ours explores in a confined one. Printed: the best round of each side.

Above thirty columns TableReport leaves its associations and plots out: "skrub" asks for them, "skrub thinned" is what
comes by itself. Ours always has relations (of 100 columns) and ten pictures.
"""

import argparse
import json
import subprocess
import sys

TABLE = """
import json, os, sys, time
import numpy as np, pandas as pd
rows, columns = int(sys.argv[1]), int(sys.argv[2])
random = np.random.default_rng(0)
data = {}
for n in range(columns):
    match n % 4:
        case 0: data[f"number_{n}"] = random.normal(size=rows)
        case 1: data[f"count_{n}"] = random.integers(0, 1000, rows)
        case 2: data[f"kind_{n}"] = random.choice(["red", "green", "blue", "grey", "black"], rows)
        case 3: data[f"gap_{n}"] = np.where(random.random(rows) < 0.1, np.nan, random.exponential(size=rows))
frame = pd.DataFrame(data)
small = frame.head(200).iloc[:, :4]
from pathlib import Path
from threading import Event, Thread
TICKS = os.sysconf("SC_CLK_TCK")
def tree():
    stats = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try: fields = file.read_text().rpartition(")")[2].split()
        except OSError: continue
        stats[int(file.parent.name)] = (int(fields[1]), sum(map(int, fields[11:15])) / TICKS)
    found = {os.getpid()}
    while more := {pid for pid, (parent, _) in stats.items() if parent in found} - found: found |= more
    return {pid: stats[pid][1] for pid in found}
def cpu():
    time.sleep(0.5)  # a process that is being ended is counted by its parent once it is gone
    return sum(tree().values())
def used_kib():
    total = 0
    for pid in tree():
        try: text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError: continue
        total += sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))
    return total
class Peak(Thread):
    highest, over = 0, Event()
    def run(self):
        while not self.over.wait(0.1): self.highest = max(self.highest, used_kib())
"""

MEASURED = """
make(small)
time.sleep(2)  # our keeper imports what may be asked for in its first idle moment
watch, before = Peak(daemon=True), used_kib()
if "memory" in sys.argv: watch.start()
spent, began = cpu(), time.perf_counter()
page = make(frame)
seconds = time.perf_counter() - began
watch.over.set()
found = {"wall": seconds, "cpu": cpu() - spent, "extra_mib": (watch.highest - before) / 1024, "html": len(page)}
print(json.dumps(found))
"""

SIDES = {
    "pandas_magic": "from pandas_magic import profile\ndef make(frame): return profile(frame).to_html()\n",
    "skrub": "from skrub import TableReport\ndef make(frame): return TableReport(frame, verbose=0, "
    "plot_distributions=True, compute_associations=True).html()\n",
    "skrub thinned": "from skrub import TableReport\ndef make(frame): return TableReport(frame, verbose=0).html()\n",
    "ydata minimal": "from ydata_profiling import ProfileReport\n"
    "def make(frame): return ProfileReport(frame, minimal=True, progress_bar=False).to_html()\n",
}


def measure(side: str, python: str, rows: int, columns: int, *more: str) -> dict[str, float]:
    done = subprocess.run(
        [python, "-W", "ignore", "-c", TABLE + SIDES[side] + MEASURED, str(rows), str(columns), *more],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{side}: {done.stderr[-1500:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--skrub", default="", metavar="PYTHON", help="an interpreter with skrub")
    parser.add_argument("--ydata", default="", metavar="PYTHON", help="an interpreter with ydata-profiling")
    options = parser.parse_args()
    pythons = {
        "pandas_magic": sys.executable,
        "skrub": options.skrub,
        "skrub thinned": options.skrub,
        "ydata minimal": options.ydata,
    }
    sides = [side for side in SIDES if pythons[side]]
    found: dict[str, list[dict[str, float]]] = {side: [] for side in sides}
    for _ in range(options.rounds):
        for side in sides:
            found[side].append(measure(side, pythons[side], options.rows, options.columns))
    best = {side: {key: min(run[key] for run in runs) for key in ("wall", "cpu")} for side, runs in found.items()}
    print(f"{options.rows:,} rows x {options.columns} columns, best of {options.rounds}")
    for side, run in best.items():
        # Looking at the memory costs time: it is a run of its own.
        extra = measure(side, pythons[side], options.rows, options.columns, "memory")["extra_mib"]
        ratio = run["cpu"] / best["pandas_magic"]["cpu"]
        print(f"{side:14} {run['cpu']:8.2f} s CPU {run['wall']:8.2f} s wall {extra:8.0f} MiB extra {ratio:6.1f}x CPU")


if __name__ == "__main__":
    main()

# /// script
# requires-python = ">=3.11"
# dependencies = ["pandas-magic[eda]", "skrub>=0.6"]
# ///
"""The explorer against skrub's TableReport, and against ydata-profiling where an interpreter with it is named.

    python benchmarks/eda_profile.py [--rows 1000000] [--columns 12] [--ydata PYTHON]

Each side runs in a fresh process that makes the same table, warms its imports, and is then timed from the DataFrame to
the finished HTML, pictures included. Printed: wall and CPU seconds, extra peak memory, and the ratios.
"""

import argparse
import json
import subprocess
import sys

TABLE = """
import json, resource, sys, time
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
def peak():
    own, children = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return max(own, children)
def cpu():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
"""

MEASURED = """
make(small)
before, began, spent = peak(), time.perf_counter(), cpu()
page = make(frame)
seconds = time.perf_counter() - began
print(json.dumps({"wall": seconds, "cpu": cpu() - spent, "extra_mib": (peak() - before) / 1024, "html": len(page)}))
"""

SIDES = {
    "pandas_magic": "from pandas_magic import profile\ndef make(frame): return profile(frame).to_html()\n",
    "skrub": "from skrub import TableReport\ndef make(frame): return TableReport(frame, verbose=0).html()\n",
    "ydata minimal": "from ydata_profiling import ProfileReport\n"
    "def make(frame): return ProfileReport(frame, minimal=True, progress_bar=False).to_html()\n",
}


def measure(side: str, python: str, rows: int, columns: int) -> dict[str, float]:
    done = subprocess.run(
        [python, "-W", "ignore", "-c", TABLE + SIDES[side] + MEASURED, str(rows), str(columns)],
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
    pythons = {"pandas_magic": sys.executable, "skrub": options.skrub, "ydata minimal": options.ydata}
    sides = [side for side in SIDES if pythons[side]]
    found: dict[str, list[dict[str, float]]] = {side: [] for side in sides}
    for _ in range(options.rounds):
        for side in sides:
            found[side].append(measure(side, pythons[side], options.rows, options.columns))
    best = {side: min(runs, key=lambda run: run["wall"]) for side, runs in found.items()}
    print(f"{options.rows:,} rows x {options.columns} columns, best of {options.rounds}")
    for side, run in best.items():
        ratio = run["wall"] / best["pandas_magic"]["wall"]
        print(
            f"{side:14} {run['wall']:8.2f} s wall {run['cpu']:8.2f} s CPU "
            f"{run['extra_mib']:8.0f} MiB extra {ratio:6.1f}x"
        )


if __name__ == "__main__":
    main()

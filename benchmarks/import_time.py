"""What `import pandas_magic` adds to a bare `import IPython`: at most 60 modules and 80 ms."""

import json
import statistics
import subprocess
import sys

ROUNDS = 7
MODULES_LIMIT, SECONDS_LIMIT = 60, 0.080
PROBE = """
import json, sys, time
import IPython
before, started = set(sys.modules), time.perf_counter()
import pandas_magic
print(json.dumps([time.perf_counter() - started, len(set(sys.modules) - before)]))
"""


def measure() -> tuple[float, int]:
    """Seconds and modules that the import adds, in a clean interpreter."""
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True)
    seconds, modules = json.loads(done.stdout)
    return seconds, modules


def main() -> int:
    rounds = [measure() for _ in range(ROUNDS)]
    seconds = statistics.median(seconds for seconds, _ in rounds)
    modules = rounds[0][1]
    print(f"import pandas_magic adds {modules} modules (limit {MODULES_LIMIT}: {modules / MODULES_LIMIT:.2f} of it)")
    print(f"and {seconds * 1000:.1f} ms, median of {ROUNDS} (limit 80 ms: {seconds / SECONDS_LIMIT:.2f} of it)")
    return int(modules > MODULES_LIMIT or seconds > SECONDS_LIMIT)


if __name__ == "__main__":
    sys.exit(main())

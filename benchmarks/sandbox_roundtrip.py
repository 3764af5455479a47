"""One trivial cell there and back: the sandbox against a plain ipykernel, both sides alternating.

    python benchmarks/sandbox_roundtrip.py [rounds]

Also a whole check on 10,000 rows: stage, execute, fetch, in a process that has just been renewed and in one that is
kept.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
import pandas as pd
from jupyter_client.manager import KernelManager

from kernel_sandbox import Sandbox

RULE = "violations = orders[orders['amount'] > 0.999]"


def main(rounds: int) -> None:
    orders = pd.DataFrame({"id": np.arange(10_000), "amount": np.random.default_rng(0).random(10_000), "s": "text"})
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel()
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    with Sandbox() as sandbox:
        sides: dict[str, Callable[[], object]] = {
            "plain ipykernel, one cell": lambda: client.execute_interactive("1", timeout=20),
            "sandbox, one cell": lambda: sandbox.execute("1"),
            "pandas by hand, 10,000 rows": lambda: orders[orders["amount"] > 0.999],
            "sandbox, whole check": lambda: check(sandbox, orders),
            "sandbox, renewed whole check": lambda: (sandbox.renew(), check(sandbox, orders)),
        }
        seconds: dict[str, list[float]] = {side: [] for side in sides}
        for _ in range(rounds):
            for side, act in sides.items():
                began = time.perf_counter()
                act()
                seconds[side].append(time.perf_counter() - began)
            time.sleep(0.2)
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    plain = statistics.median(seconds["plain ipykernel, one cell"])
    print(f"{'':30}{'median ms':>10}{'p10 ms':>8}{'of plain':>10}   {rounds} rounds, load {os.getloadavg()[0]:.1f}")
    for side, taken in seconds.items():
        median, tenth = statistics.median(taken), statistics.quantiles(taken, n=10)[0]
        print(f"{side:30}{1000 * median:10.2f}{1000 * tenth:8.2f}{median / plain:9.2f}x")


def check(sandbox: Sandbox, orders: pd.DataFrame) -> pd.DataFrame:
    sandbox.stage("orders", orders)
    execution = sandbox.execute(RULE)
    if execution.status != "ok":
        raise RuntimeError(f"the check ended {execution.status}: {execution.error_text} {execution.reason}")
    return sandbox.fetch_frame("violations")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)

"""One trivial cell there and back: the sandbox and the confined kernel against a plain ipykernel, sides alternating.

    python benchmarks/sandbox_roundtrip.py [rounds]

Also a whole check on 10,000 rows: stage, execute, fetch, in a process that has just been renewed and in one that is
kept.
"""

import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

import kernel_sandbox
from kernel_sandbox import Sandbox

RULE = "violations = orders[orders['amount'] > 0.999]"


def main(rounds: int) -> None:
    orders = pd.DataFrame({"id": np.arange(10_000), "amount": np.random.default_rng(0).random(10_000), "s": "text"})
    with Sandbox() as sandbox, started("python3") as plain_client, started("confined-python") as confined_client:
        sides: dict[str, Callable[[], object]] = {
            "plain ipykernel, one cell": lambda: plain_client.execute_interactive("x = 1", timeout=20),
            "confined-python, one cell": lambda: confined_client.execute_interactive("x = 1", timeout=20),
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
    plain = statistics.median(seconds["plain ipykernel, one cell"])
    print(f"{'':30}{'median ms':>10}{'p10 ms':>8}{'of plain':>10}   {rounds} rounds, load {os.getloadavg()[0]:.1f}")
    for side, taken in seconds.items():
        median, tenth = statistics.median(taken), statistics.quantiles(taken, n=10)[0]
        print(f"{side:30}{1000 * median:10.2f}{1000 * tenth:8.2f}{median / plain:9.2f}x")


@contextmanager
def started(name: str) -> Iterator[BlockingKernelClient]:
    with tempfile.TemporaryDirectory() as folder:
        # Found here also where the package is not installed.
        shutil.copytree(Path(kernel_sandbox.__file__).parent / "kernelspec", f"{folder}/kernels/confined-python")
        os.environ["JUPYTER_PATH"] = folder
        manager = KernelManager(kernel_name=name)
        manager.start_kernel(cwd=folder)
        client = manager.client()
        client.start_channels()
        client.wait_for_ready(timeout=60)
        yield client
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def check(sandbox: Sandbox, orders: pd.DataFrame) -> pd.DataFrame:
    sandbox.stage("orders", orders)
    execution = sandbox.execute(RULE)
    if execution.status != "ok":
        raise RuntimeError(f"the check ended {execution.status}: {execution.error_text} {execution.reason}")
    return sandbox.fetch_frame("violations")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)

"""What a fresh confined kernel costs, against a plain ipykernel: CPU-seconds first, both sides alternating.

    python benchmarks/sandbox_start.py [rounds]

`plain` and `confined` start a Jupyter kernel and import pandas; `fresh` takes a new process from the keeper, which has
imported it; `spare` takes the one that was kept ready.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from jupyter_client.manager import KernelManager

from kernel_sandbox import Sandbox
from kernel_sandbox.keeper.watch import usage

CODE = "import pandas, pyarrow"


def main(rounds: int) -> None:
    with Sandbox(warm=False) as cold, Sandbox() as warm:
        warm.execute("1")
        time.sleep(4)  # both keepers have now imported what they import when idle
        sides: dict[str, Callable[[], float]] = {
            "plain": lambda: jupyter("python3"),
            "confined": lambda: jupyter("confined-python"),
            "fresh": lambda: renewed(cold),
            "spare": lambda: renewed(warm),
        }
        cpu: dict[str, list[float]] = {side: [] for side in sides}
        wall: dict[str, list[float]] = {side: [] for side in sides}
        for _ in range(rounds):
            for side, start in sides.items():
                began = time.perf_counter()
                cpu[side].append(start())
                wall[side].append(time.perf_counter() - began)
                time.sleep(0.3)
    plain = statistics.median(cpu["plain"])
    print(f"{'':10}{'CPU s':>8}{'wall s':>8}{'of plain':>10}   medians of {rounds}, load {os.getloadavg()[0]:.1f}")
    for side in sides:
        seconds = statistics.median(cpu[side])
        print(f"{side:10}{seconds:8.3f}{statistics.median(wall[side]):8.3f}{seconds / plain:9.2f}x")


def jupyter(name: str) -> float:
    manager = KernelManager(kernel_name=name)
    manager.start_kernel()
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    client.execute_interactive(CODE, timeout=60)
    cpu_seconds = sum(usage(pid).cpu_seconds for pid in family(manager.provisioner.pid))
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    return cpu_seconds


def renewed(sandbox: Sandbox) -> float:
    sandbox.renew()
    sandbox.execute(CODE)
    return usage(sandbox.confinement.pid).cpu_seconds


def family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *map(int, children)]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)

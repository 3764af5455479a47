"""From `%eda TABLE` to the overview and the columns, in a notebook's kernel that loaded the extension a second before.

Peer, in the same kernel: a cell of `TABLE.describe(include="all")`. Wall seconds stand beside those of the processor,
of the kernel and all its confined processes, which hold still on a busy machine. No page draws here: what is timed ends
with the message to it. Run: python benchmarks/eda_first_look.py [rows]
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import KernelManager

PAUSE_SECONDS = 1.0
LOOK_SECONDS = 1.0
PATIENCE_SECONDS = 120.0
TICKS = os.sysconf("SC_CLK_TCK")
TABLE = """
import numpy as np, pandas as pd
random = np.random.default_rng(0)
data = {{}}
for n in range(12):
    match n % 4:
        case 0: data[f"number_{{n}}"] = random.normal(size={rows})
        case 1: data[f"count_{{n}}"] = random.integers(0, 1000, {rows})
        case 2: data[f"kind_{{n}}"] = random.choice(["red", "green", "blue", "grey", "black"], {rows})
        case 3: data[f"gap_{{n}}"] = np.where(random.random({rows}) < 0.1, np.nan, random.exponential(size={rows}))
made = pd.DataFrame(data)
"""
Message = dict[str, object]


class Notebook:
    """A kernel to which cells are sent as JupyterLab does, with their ids."""

    def __init__(self, folder: Path) -> None:
        self._manager = KernelManager()
        self._manager.start_kernel(cwd=str(folder))
        self._client: BlockingKernelClient = self._manager.client()
        self._client.start_channels()
        self._client.wait_for_ready()
        self._cells = 0

    def run(self, code: str, is_seen: Callable[[str], bool] | None = None) -> float:
        """Seconds until the cell is done, or until the page was told what is waited for."""
        self._cells += 1
        session, content = self._client.session, {"code": code, "silent": False, "store_history": True}
        asked = session.msg("execute_request", content, metadata={"cellId": f"cell-{self._cells}"})
        began = time.perf_counter()
        self._client.shell_channel.send(asked)
        while True:
            told = self._client.get_iopub_msg(timeout=PATIENCE_SECONDS)
            if told["msg_type"] == "error":
                raise SystemExit("\n".join(told["content"]["traceback"]))
            if is_seen is not None:
                if told["msg_type"] == "comm_msg" and is_seen(str(told["content"]["data"].get("state", {}))):
                    return time.perf_counter() - began
            elif (
                told["content"].get("execution_state") == "idle"
                and told["parent_header"].get("msg_id") == asked["header"]["msg_id"]
            ):
                return time.perf_counter() - began

    def cpu_seconds(self) -> float:
        """Of the kernel and of all that it started."""
        stats: dict[int, tuple[int, float]] = {}
        for file in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = file.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            stats[int(file.parent.name)] = int(fields[1]), sum(map(int, fields[11:15])) / TICKS
        found = {int(self._manager.provisioner.pid)}
        while more := {pid for pid, (parent, _) in stats.items() if parent in found} - found:
            found |= more
        return sum(stats[pid][1] for pid in found)

    def close(self) -> None:
        self._client.stop_channels()
        self._manager.shutdown_kernel()


def measure(name: str, write: str, rows: int) -> float:
    """The seconds of a first look at a table that the code writes; printed beside the peer's."""
    with tempfile.TemporaryDirectory() as folder:
        notebook = Notebook(Path(folder))
        try:
            notebook.run(TABLE.format(rows=rows) + write)
            notebook.run("%load_ext pandas_magic")
            time.sleep(PAUSE_SECONDS)
            spent = notebook.cpu_seconds()
            seconds = notebook.run("%eda table", lambda told: "pm-column" in told and "<details" in told)
            spent = notebook.cpu_seconds() - spent
            peer = notebook.run('made.describe(include="all")')
        finally:
            notebook.close()
    load = os.getloadavg()[0]
    print(f"{name}: {seconds:.2f} s, {spent:.2f} of processors, {seconds / peer:.2f} of describe; load {load:.1f}")
    return seconds


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    tables = {
        "a DataFrame": "table = made",
        "a Parquet file": 'made.to_parquet("table.parquet")',
        "a CSV file": 'made.to_csv("table.csv", index=False)',
    }
    seconds = {name: measure(name, write, rows) for name, write in tables.items()}
    return int(max(seconds.values()) > LOOK_SECONDS * rows / 1_000_000)


if __name__ == "__main__":
    sys.exit(main())

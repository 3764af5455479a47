"""A saved cell, run with nothing but jupyter_client: what stands in a notebook needs no library of ours outside."""

import subprocess
import sys
from pathlib import Path

import kernel_sandbox

PROGRAM = """
import sys
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager

manager = KernelManager(kernel_name="kernelspec", kernel_spec_manager=KernelSpecManager(kernel_dirs=[sys.argv[1]]))
manager.start_kernel(cwd=sys.argv[2])
client = manager.client()
client.start_channels()
client.wait_for_ready(timeout=60)
shown = []
reply = client.execute_interactive(sys.argv[3], timeout=30, output_hook=shown.append)
told = [message["content"]["data"]["text/plain"] for message in shown if "data" in message["content"]]
print(reply["content"]["status"], told)
client.stop_channels()
manager.shutdown_kernel(now=True)
ours = sorted(name for name in sys.modules if name.startswith(("kernel_sandbox", "pandas_magic")))
print([name for name in ours if not name.startswith(("kernel_sandbox.provisioner", "kernel_sandbox.confined.bootstrap",
       "kernel_sandbox.keeper.workfolder", "kernel_sandbox.locks", "kernel_sandbox.policy", "kernel_sandbox.errors"))])
"""
SAVED_CELL = """
import pandas as pd
events, users = pd.read_csv("events.csv"), pd.read_csv("users.csv")
violations = events[~events["user_id"].isin(users["user_id"])]
violations["user_id"].tolist()
"""


def test_a_saved_cell_runs_with_nothing_but_jupyter_client(tmp_path: Path) -> None:
    (tmp_path / "events.csv").write_text("user_id\n1\n2\n3\n")
    (tmp_path / "users.csv").write_text("user_id\n1\n3\n")
    package = Path(kernel_sandbox.__file__).parent

    finished = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, str(package), str(tmp_path), SAVED_CELL],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert finished.returncode == 0, finished.stderr
    # The provisioner, which jupyter_client finds by its name, is all of ours that this process has loaded.
    parts = ("", ".confined", ".copies", ".keeper", ".reserved")
    packages = str([f"kernel_sandbox{part}" for part in parts])
    assert finished.stdout.splitlines() == ["ok ['[2]']", packages]

"""A kernel `confined-python` started by jupyter_client, and what a test asks of it."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

import kernel_sandbox

Messages = list[dict[str, Any]]


class ConfinedKernel:
    """One kernel with one client."""

    def __init__(self, manager: KernelManager, client: BlockingKernelClient) -> None:
        self.manager, self.client = manager, client

    def run(self, code: str, seconds: float = 30) -> tuple[dict[str, Any], Messages]:
        """The content of the reply, and all messages of one cell."""
        messages: Messages = []
        reply = self.client.execute_interactive(code, timeout=seconds, output_hook=messages.append)
        return reply["content"], messages

    def told(self, code: str) -> str:
        """What one cell printed, notes of the relay included."""
        return told(self.run(code)[1])

    def wait_for_end(self, seconds: float = 15) -> bool:
        """True when the kernel ended within that time."""
        end = time.monotonic() + seconds
        while self.manager.is_alive() and time.monotonic() < end:
            time.sleep(0.05)
        return not self.manager.is_alive()

    @property
    def keeper(self) -> int:
        """The process number of the keeper, or of bubblewrap around it."""
        return int(self.manager.provisioner.pid)

    @property
    def pid(self) -> int:
        """The process number of the kernel, as the kernel knows it."""
        return int(self.told("import os; print(os.getpid())"))


def told(messages: Messages) -> str:
    """The streams of these messages, joined."""
    return "".join(message["content"]["text"] for message in messages if message["msg_type"] == "stream")


@contextmanager
def confined_kernel(folder: Path, policy: dict[str, Any] | None = None) -> Iterator[ConfinedKernel]:
    """A kernel that starts in `folder` under the policy, or under none but the usual one; it ends with the block."""
    jupyter = folder.parent / f"{folder.name}-jupyter"
    shutil.copytree(Path(kernel_sandbox.__file__).parent / "kernelspec", jupyter / "kernels" / "confined-python")
    before = {name: os.environ.get(name) for name in ("JUPYTER_PATH", "KERNEL_SANDBOX_POLICY")}
    os.environ["JUPYTER_PATH"] = str(jupyter)
    if policy is not None:
        (jupyter / "policy.json").write_text(json.dumps(policy))
        os.environ["KERNEL_SANDBOX_POLICY"] = str(jupyter / "policy.json")
    manager = KernelManager(kernel_name="confined-python")
    try:
        manager.start_kernel(cwd=str(folder), stderr=subprocess.DEVNULL)
        client = manager.client()
        client.start_channels()
        client.wait_for_ready(timeout=60)
        yield ConfinedKernel(manager, client)
        client.stop_channels()
    finally:
        if manager.has_kernel:
            manager.shutdown_kernel(now=True)
        manager.cleanup_resources()
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value

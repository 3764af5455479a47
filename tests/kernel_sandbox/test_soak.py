"""Starting and killing at random moments, many times: no process and no folder is left."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernel_sandbox import Policy, provisioner
from kernel_sandbox.client import connection
from tests.kernel_sandbox.users import site_folders

OWNER = f"""
import sys
sys.path += {site_folders()!r}
from kernel_sandbox import Sandbox
while True:
    with Sandbox() as sandbox:
        for _ in range(3):
            sandbox.execute("import os; os.makedirs('a/b', exist_ok=True); open('a/b/c', 'w').write('x')")
            sandbox.renew()
"""


@pytest.fixture
def temporary(short_folder: Path) -> Iterator[Path]:
    # A shell that starts the tests in the background leaves the interrupt ignored, and owners would inherit that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield short_folder
    signal.signal(signal.SIGINT, before)


def family(folder: Path) -> list[int]:
    """Every process whose environment (owners) or command (keepers and their children) names the folder."""
    found = []
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            words = (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
            state = (process / "stat").read_text()
        except OSError:
            continue
        if os.fsencode(folder) in words and state.rsplit(")", 1)[1].split()[0] != "Z":
            found.append(int(process.name))
    return found


@pytest.mark.parametrize("cycles", [10, pytest.param(200, marks=pytest.mark.thorough)])
def test_owners_killed_at_random_moments_leave_no_process_and_no_folder(temporary: Path, cycles: int) -> None:
    moments = random.Random(7)
    for cycle in range(cycles):
        owner = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", OWNER],
            env={"PATH": "/usr/bin:/bin", "HOME": str(temporary), "TMPDIR": str(temporary)},
            stderr=subprocess.DEVNULL,
        )
        time.sleep(moments.uniform(0.05, 1.5))
        owner.send_signal(moments.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
        owner.wait(20)
        if cycle % 10 == 9:
            wait_until_alone(temporary)

    wait_until_alone(temporary)
    assert [path.name for path in temporary.iterdir() if path.name.startswith("kernel-sandbox-")] == []


def wait_until_alone(folder: Path) -> None:
    end = time.monotonic() + 20
    while (left := family(folder)) and time.monotonic() < end:
        time.sleep(0.1)
    assert left == []


def test_an_owner_that_gives_up_on_a_slow_keeper_leaves_no_folder(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provisioner, "private_base", lambda: str(temporary))
    monkeypatch.setattr(connection, "_END_SECONDS", 0.0)
    started = connection.Connection(Policy(), warm=False)
    end = time.monotonic() + 20
    while not list(temporary.glob("kernel-sandbox-*")) and time.monotonic() < end:
        time.sleep(0.001)

    started.close()

    assert list(temporary.glob("kernel-sandbox-*")) == []

"""Nothing that the owner of a kernel has open leads into it: no terminal, no log, no keyboard."""

import os
import pty
import select
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kernel_sandbox
from tests.kernel_sandbox.changed import UNSEEN
from tests.kernel_sandbox.users import site_folders

# What code can try with every file that it finds open, under whatever number.
REACH = """
import os
for name in range(64):
    try: target = os.readlink(f"/proc/self/fd/{name}")
    except OSError: continue
    for write in (lambda: os.write(name, b"REACHED"), lambda: os.pwrite(name, b"REACHED", 0),
                  lambda: os.ftruncate(name, 0), lambda: os.write(os.open(f"/proc/self/fd/{name}", 2), b"REACHED")):
        if not target.startswith(("pipe:", "socket:", "anon_inode:", "/dev/null")):
            try: write()
            except OSError: pass
"""
# Jupyter with its standard streams on a terminal, or its output in a log; the kernel is told to keep what it inherits.
OWNER = """
import sys
sys.path += {folders!r}
import pytest
from jupyter_client.manager import KernelManager
from tests.kernel_sandbox.changed import change_keepers
change_keepers(pytest.MonkeyPatch(), {change!r})
manager = KernelManager(kernel_name="confined-python")
manager.start_kernel()
client = manager.client(); client.start_channels(); client.wait_for_ready(timeout=60)
try: print(client.execute_interactive({code!r}, timeout=20, output_hook=lambda message: None)["content"])
finally: manager.shutdown_kernel(now=True)
"""
KEPT = """
from kernel_sandbox.confined import bootstrap, life
bootstrap.close_all_but = lambda *kept: None
def take_files(ends):
    import os, socket
    for number, kept in enumerate((40, 41, 42)): os.dup2(number, kept)
    return socket.socket(fileno=ends.line)
life._take_files = take_files
"""


def run(folder: Path, change: str, **streams: int) -> None:
    shutil.copytree(Path(kernel_sandbox.__file__).parent / "kernelspec", folder / "kernels" / "confined-python")
    program = OWNER.format(
        folders=[*site_folders(), str(Path(__file__).parent.parent.parent)], change=change, code=REACH
    )
    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=folder,
        env=os.environ | {"JUPYTER_PATH": str(folder)},
        check=False,
        timeout=60,
        **streams,
    )


def on_terminal(folder: Path, change: str) -> bytes:
    """What appears on a terminal while code in a kernel reaches for it."""
    ours, theirs = pty.openpty()
    run(folder, change, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    while select.select([ours], [], [], 0.2)[0]:
        try:
            shown += os.read(ours, 1 << 16)
        except OSError:
            break
    os.close(ours)
    return shown


def in_log(folder: Path, change: str) -> str:
    """What stands in a log, one line long before, after code in a kernel reached for it."""
    log = folder / "server.log"
    log.write_text("before\n")
    with log.open("a") as file:
        run(folder, change, stdout=file.fileno(), stderr=file.fileno())
    return log.read_text()


def test_code_reaches_neither_terminal_nor_log(tmp_path: Path) -> None:
    for name in ("terminal", "log"):
        (tmp_path / name).mkdir()

    assert b"REACHED" not in on_terminal(tmp_path / "terminal", "")
    log = in_log(tmp_path / "log", "")
    assert log.startswith("before\n")
    assert "REACHED" not in log


def test_a_process_that_kept_its_owners_files_is_refused_and_told(tmp_path: Path) -> None:
    log = in_log(tmp_path, KEPT)

    assert "REACHED" not in log
    assert "lacks descriptors: it holds" in log


@pytest.mark.parametrize("place", ["terminal", "log"])
def test_without_this_lock_it_reaches_both(tmp_path: Path, place: str) -> None:
    if place == "terminal":
        assert b"REACHED" in on_terminal(tmp_path, UNSEEN + KEPT)
    else:
        assert not in_log(tmp_path, UNSEEN + KEPT).startswith("before\n")

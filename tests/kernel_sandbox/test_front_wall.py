"""The relay parses what nobody trusts: its own locks, seen from outside and tried from inside."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from kernel_sandbox import SandboxUnavailable
from kernel_sandbox.confined.birth import Newborn
from kernel_sandbox.front import process, supervisor
from kernel_sandbox.policy import Policy
from tests.kernel_sandbox.jupyter import ConfinedKernel, confined_kernel
from tests.kernel_sandbox.users import site_folders

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*TCP.*:UserWarning")
# What a relay could do that was taken over by a message, before it is connected and after.
PROGRAM = """
import json, os, socket, sys, threading
sys.path += {folders!r}
from pathlib import Path
from kernel_sandbox import locks
from kernel_sandbox.front import wall
os.chdir({front!r})
ours, theirs = socket.socketpair()
outside = socket.socket(socket.AF_UNIX); outside.bind({outside!r}); outside.listen()
wall.lock({{"ip": {front!r} + "/k"}}, {{"ip": {back!r} + "/k"}}, theirs)
answers = {{"said": ours.recv(100).decode()[:6]}}
def attempt(name, act):
    try: answers[name] = act() or "open"
    except OSError as error: answers[name] = error.errno
def bind(path):
    socket.socket(socket.AF_UNIX).bind(path)
for stage in ("start", "later"):
    attempt(stage + " read", lambda: open("/etc/passwd"))
    attempt(stage + " own packages", lambda: open(wall.__file__))
    attempt(stage + " write", lambda: open({front!r} + "/x", "w"))
    attempt(stage + " list", lambda: os.listdir({front!r}))
    attempt(stage + " fork", os.fork)
    attempt(stage + " exec", lambda: os.execv("/bin/true", ["true"]))
    attempt(stage + " kill", lambda: os.kill(os.getppid(), 0))
    attempt(stage + " tcp", lambda: socket.socket(socket.AF_INET))
    attempt(stage + " datagram", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
    attempt(stage + " bind", lambda: bind({front!r} + "/k-" + stage))
    attempt(stage + " bind elsewhere", lambda: bind({outside!r} + stage))
    attempt(stage + " connect", lambda: socket.socket(socket.AF_UNIX).connect({outside!r}))
    attempt(stage + " abstract", lambda: bind("\\0x-" + str(os.getpid())))
    if stage == "start": locks.finish()
print(json.dumps(answers))
"""
ACCES, PERM = 13, 1


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConfinedKernel]:
    with confined_kernel(tmp_path_factory.mktemp("notebook")) as started:
        yield started


def relay_of(kernel: ConfinedKernel) -> psutil.Process:
    own = kernel.pid
    return next(child for child in psutil.Process(kernel.supervisor).children() if child.pid != own)


def test_every_thread_of_the_relay_has_its_final_filter_and_no_rights(kernel: ConfinedKernel) -> None:
    statuses = [(task / "status").read_text() for task in Path(f"/proc/{relay_of(kernel).pid}/task").iterdir()]

    assert len(statuses) > 1
    for status in statuses:
        assert "NoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t2" in status
        assert "CapPrm:\t0000000000000000\nCapEff:\t0000000000000000" in status


def test_the_relay_holds_no_file_but_its_sockets_and_its_output(kernel: ConfinedKernel) -> None:
    links = [link for link in Path(f"/proc/{relay_of(kernel).pid}/fd").iterdir() if link.name not in ("0", "1", "2")]

    assert {str(link.readlink()).split(":")[0] for link in links} == {"socket", "anon_inode"}


def test_a_relay_that_was_taken_over_reaches_nothing(tmp_path: Path) -> None:
    for name in ("front", "back"):
        (tmp_path / name).mkdir()
    program = PROGRAM.format(
        folders=site_folders(), front=f"{tmp_path}/front", back=f"{tmp_path}/back", outside=f"{tmp_path}/outside"
    )

    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert finished.returncode == 0, finished.stderr
    answers = json.loads(finished.stdout)
    assert answers.pop("said") == "locked"
    # Until the kernel is connected, sockets can be made and connected; no byte of the kernel has arrived by then.
    assert [answers.pop(f"start {door}") for door in ("bind", "connect")] == ["open", "open"]
    landlock = {"read", "own packages", "write", "list"}
    assert {name: answers.pop(f"{stage} {name}") for stage in ("start", "later") for name in landlock} == dict.fromkeys(
        landlock, ACCES
    )
    assert answers.pop("start bind elsewhere") == ACCES
    assert answers.pop("start abstract") == "open"
    assert set(answers.values()) == {PERM}


def test_a_relay_that_cannot_be_locked_lets_no_kernel_begin() -> None:
    ours, theirs = process.socket.socketpair()
    relay = process.RelayProcess(os.getpid(), -1, ours)
    theirs.sendall(b"failed Landlock is not available")

    with pytest.raises(SandboxUnavailable, match="the relay could not be locked: Landlock is not available"):
        relay.attest(Policy())
    theirs.sendall(b"locked 7")
    with pytest.raises(SandboxUnavailable, match="lacks no_new_privs"):
        relay.attest(Policy())
    ours.close()
    theirs.close()


def test_no_kernel_begins_beside_a_relay_without_locks() -> None:
    ours, theirs = process.socket.socketpair()
    (ready_read, ready_write), (begin_read, begin_write) = os.pipe(), os.pipe()
    newborn = Newborn(os.getpid(), os.getpid(), ready_read, begin_write)
    relay = process.RelayProcess(os.getpid(), -1, ours)
    watch = supervisor._Watch(None, newborn, relay, Policy(), -1, False)
    os.write(ready_write, b"ready 7")
    theirs.sendall(b"locked 7")

    with pytest.raises(SandboxUnavailable):
        watch._let_begin()

    os.close(begin_write)
    assert os.read(begin_read, 1) == b""
    for descriptor in (ready_read, ready_write, begin_read):
        os.close(descriptor)
    ours.close()
    theirs.close()


def test_the_banner_names_the_locks_that_were_seen(kernel: ConfinedKernel) -> None:
    banner = kernel.client.kernel_info(reply=True, timeout=20)["content"]["banner"]

    assert "Confined, as seen from outside, by: environment, rlimits, capabilities, no_new_privs, landlock" in banner

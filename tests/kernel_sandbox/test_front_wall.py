"""The front parses what nobody trusts: its own locks, seen from outside and tried from inside."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from kernel_sandbox import Sandbox, SandboxUnavailable
from tests.kernel_sandbox.changed import change_keepers
from tests.kernel_sandbox.jupyter import ConfinedKernel, confined_kernel
from tests.kernel_sandbox.users import site_folders

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*TCP.*:UserWarning")
# What a front could do that was taken over by a message, before its sockets are bound and after.
PROGRAM = """
import json, os, socket, sys, threading
sys.path += {folders!r}
from pathlib import Path
from kernel_sandbox.front import wall
outside = socket.socket(socket.AF_UNIX); outside.bind({outside!r}); outside.listen()
answers = {{"landlock": wall.lock({front!r})}}
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
    if stage == "start": wall.finish()
print(json.dumps(answers))
"""
ACCES, PERM = 13, 1


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConfinedKernel]:
    with confined_kernel(tmp_path_factory.mktemp("notebook")) as started:
        yield started


def front_of(kernel: ConfinedKernel) -> psutil.Process:
    own = kernel.pid
    return next(child for child in psutil.Process(kernel.keeper).children() if child.pid != own)


def test_every_thread_of_the_front_has_its_final_filter_and_no_rights(kernel: ConfinedKernel) -> None:
    statuses = [(task / "status").read_text() for task in Path(f"/proc/{front_of(kernel).pid}/task").iterdir()]

    assert len(statuses) > 1
    for status in statuses:
        assert "NoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t2" in status
        assert "CapPrm:\t0000000000000000\nCapEff:\t0000000000000000" in status


def test_the_front_holds_no_file_but_its_sockets_and_the_pipes_of_the_process(kernel: ConfinedKernel) -> None:
    links = [str(link.readlink()) for link in Path(f"/proc/{front_of(kernel).pid}/fd").iterdir()]

    assert {link.split(":")[0] for link in links} == {"/dev/null", "socket", "pipe", "anon_inode"}


def test_only_the_front_ever_holds_the_key(kernel: ConfinedKernel) -> None:
    key, front, own = kernel.manager.session.key, front_of(kernel).pid, kernel.pid

    assert holds(front, key)
    assert not holds(kernel.keeper, key)
    assert not holds(own, key)


def holds(pid: int, secret: bytes) -> bool:
    """True when the secret stands in any memory that the process can write."""
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, rights = line.split()[:2]
            if not rights.startswith("rw"):
                continue
            begin, end = (int(edge, 16) for edge in span.split("-"))
            memory.seek(begin)
            try:
                if secret in memory.read(end - begin):
                    return True
            except OSError:
                # A gap that only the system can read.
                continue
    return False


def test_a_front_that_was_taken_over_reaches_nothing(tmp_path: Path) -> None:
    (tmp_path / "front").mkdir()
    program = PROGRAM.format(folders=site_folders(), front=f"{tmp_path}/front", outside=f"{tmp_path}/outside")

    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert finished.returncode == 0, finished.stderr
    answers = json.loads(finished.stdout)
    assert answers.pop("landlock") > 0
    # Until they are bound, sockets can be made; no byte of a process has arrived by then.
    assert answers.pop("start bind") == "open"
    landlock = {"read", "own packages", "write", "list"}
    assert {name: answers.pop(f"{stage} {name}") for stage in ("start", "later") for name in landlock} == dict.fromkeys(
        landlock, ACCES
    )
    assert answers.pop("start bind elsewhere") == ACCES
    assert answers.pop("start abstract") == "open"
    assert set(answers.values()) == {PERM}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("from kernel_sandbox import locks\ndef confine_front(folder): raise OSError('no Landlock')\n"
         "locks.confine_front = confine_front", "the front ended: OSError: no Landlock"),
        ("from kernel_sandbox import locks\nfrom kernel_sandbox.confined import bootstrap\n"
         "locks.confine_front = lambda folder: 7\nbootstrap.try_the_lock = lambda: None\n"
         "locks.finish = lambda: None", "lacks no_new_privs"),
    ],
)  # fmt: skip
def test_no_process_is_handed_to_a_front_without_locks(
    monkeypatch: pytest.MonkeyPatch, change: str, reason: str
) -> None:
    change_keepers(monkeypatch, change)

    with pytest.raises(SandboxUnavailable, match=reason):
        Sandbox(warm=False).__enter__()


def test_the_banner_names_the_locks_that_were_seen(kernel: ConfinedKernel) -> None:
    kernel.run("1")
    banner = kernel.client.kernel_info(reply=True, timeout=20)["content"]["banner"]

    assert (
        "Confined, as seen from outside, by: descriptors, environment, rlimits, capabilities, no_new_privs, landlock"
        in banner
    )

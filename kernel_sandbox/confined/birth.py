"""How the process of a confined Jupyter kernel comes to be: forked from its supervisor, or begun anew in namespaces.

Standard library only until the locks are set. The supervisor gets a `Newborn`; the child never returns from `live`.
"""

import contextlib
import json
import os
import signal
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NoReturn

from kernel_sandbox.confined import bootstrap
from kernel_sandbox.errors import SandboxUnavailable
from kernel_sandbox.locks import Places, bubblewrap
from kernel_sandbox.policy import Policy

REFUSED_STATUS = 1
# Process 1 of a pid namespace sees no parent.
_NO_PARENT = 0


@dataclass(frozen=True)
class Birth:
    """What a kernel is born with: `work` it may write, in `sockets` it makes its own, `folder` is where it begins."""

    policy: str
    work: str
    sockets: str
    readable: tuple[str, ...]
    connection_file: str
    folder: str


@dataclass(frozen=True)
class Newborn:
    """A process that has not run any code yet: `pid` as seen from here, `child` the process to be waited for.

    On `ready` it says which locks it found; it goes on once a byte is written to `begin`.
    """

    pid: int
    child: int
    ready: int
    begin: int


def bear(birth: Birth, *, wrapped: bool) -> Newborn:
    """A new process for the kernel, in namespaces of bubblewrap when `wrapped`.

    Raises: SandboxUnavailable when bubblewrap could not make them.
    """
    ready_read, ready_write = os.pipe()
    begin_read, begin_write = os.pipe()
    told_read, told_write = os.pipe()
    keeper_pid = os.getpid()
    child = os.fork()
    if child == 0:
        if wrapped:
            _become_wrapped(birth, ready_write, begin_read, told_write)
        live(birth, ready_write, begin_read, keeper_pid)
    for theirs in (ready_write, begin_read, told_write):
        os.close(theirs)
    with os.fdopen(told_read, "rb") as told:
        pid = _wrapped_pid(told.read(), child) if wrapped else child
    return Newborn(pid, child, ready_read, begin_write)


def live(birth: Birth, ready: int, begin: int, keeper_pid: int) -> NoReturn:
    """The life of the kernel's process, from its locks to its end."""
    status = bootstrap.LOCK_FAILED_STATUS
    policy = Policy.from_json(birth.policy)
    places = Places(birth.work, sockets=birth.sockets, readable=tuple(birth.readable))
    try:
        os.environ.pop("JPY_PARENT_PID", None)
        bootstrap.restore_signals()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        bootstrap.close_all_but(ready, begin)
        landlock_abi = bootstrap.enter(policy, places, keeper_pid=keeper_pid)
        _change_folder(birth.folder)

        # The debugger binds TCP and connects to itself, and libzmq aborts the process when a socket is refused. Its
        # import is also the larger half of ipykernel's start.
        sys.modules["debugpy"] = None  # type: ignore[assignment] # its import fails
        from kernel_sandbox.confined.jupyter_kernel import run

        run(
            birth.connection_file,
            confined=policy.isolation != "none",
            before_start=lambda: _await(ready, begin, landlock_abi),
        )
        status = 0
    except OSError as error:
        os.write(ready, f"failed {error}".encode()[:4096])
        raise
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else REFUSED_STATUS
    finally:
        bootstrap.leave(status)


def main() -> None:
    """Entry of a process that bubblewrap started; `sys.argv` holds what it is born with and its two pipes, as JSON."""
    content, ready, begin = json.loads(sys.argv[1])
    live(Birth(**content), ready, begin, _NO_PARENT)


def _become_wrapped(birth: Birth, ready: int, begin: int, told: int) -> NoReturn:
    policy = Policy.from_json(birth.policy)
    words = bubblewrap.command(policy, readable=birth.readable, writable=(birth.work, birth.sockets), told=told)
    words += [
        *bootstrap.installation_command("kernel_sandbox.confined.birth"),
        json.dumps([asdict(birth), ready, begin]),
    ]
    # Jupyter interrupts the whole process group, and the kernel alone is meant; it takes its handler back.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        bootstrap.close_all_but(ready, begin, told)
        for descriptor in (ready, begin, told):
            os.set_inheritable(descriptor, True)
        os.execv(words[0], words)
    finally:
        bootstrap.leave(REFUSED_STATUS)


def _wrapped_pid(told: bytes, child: int) -> int:
    with contextlib.suppress(ValueError, KeyError):
        return int(json.loads(told)["child-pid"])
    os.waitpid(child, 0)
    reason, remedy = bubblewrap.obstacle()
    raise SandboxUnavailable(reason or "bubblewrap ended before it started the kernel; what it said is above", remedy)


def _await(ready: int, begin: int, landlock_abi: int) -> None:
    os.write(ready, f"ready {landlock_abi}".encode())
    if os.read(begin, 1) != b"g":
        raise SystemExit(REFUSED_STATUS)
    os.close(ready)
    os.close(begin)


def _change_folder(folder: str) -> None:
    try:
        os.chdir(folder)
    except OSError as error:
        place = Path.cwd()
        print(f"the kernel starts in {place}, since {folder} cannot be entered: {error}", file=sys.stderr)

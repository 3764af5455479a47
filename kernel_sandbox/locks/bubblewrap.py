"""The outer layer, where bubblewrap is installed: namespaces in which nothing else of the machine exists.

It stands around the locks of `confine`, never in their place: it hides what they cannot hide, the existence, size and
times of files that are not granted, and every other process. Standard library only.
"""

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from kernel_sandbox.errors import SandboxUnavailable
from kernel_sandbox.locks import SYSTEM_READABLE, readable_installation
from kernel_sandbox.policy import Policy

# The spaces that a wrapped process must not share with its owner.
SPACES = ("ipc", "mnt", "net", "pid", "user", "uts")
# In memory, and gone with the namespaces: what a killed keeper leaves behind is nothing.
PRIVATE_BASE = "/dev/shm"
# One process and its spare may each fill their work folder.
_WORK_FOLDERS = 2
_TRY_SECONDS = 10.0
INSTALL = "Install it (apt-get install bubblewrap), or leave the policy's outer layer off"
_NO_NAMESPACES = (
    "User namespaces are refused here, as in many containers and by AppArmor on Ubuntu 24.04; leave the policy's outer "
    "layer off: Landlock and seccomp hold without it"
)

Mount = tuple[str, str]


def is_wanted(policy: Policy) -> bool:
    """True when processes under this policy are to be wrapped; "auto" wraps where it can.

    Raises: SandboxUnavailable when the policy insists and this machine cannot.
    """
    if policy.outer == "off" or policy.isolation == "none":
        return False
    reason, remedy = obstacle()
    if reason and policy.outer == "bwrap":
        raise SandboxUnavailable(f'the policy asks for outer="bwrap", and {reason}', remedy)
    return not reason


def obstacle() -> tuple[str, str]:
    """Why no process can be wrapped on this machine, and what to do about it; two empty texts when one can."""
    program = shutil.which("bwrap")
    return _tried(program) if program else ("bubblewrap is not installed (there is no bwrap in the PATH)", INSTALL)


def command(policy: Policy, *, readable: Iterable[str] = (), writable: Iterable[str] = ()) -> list[str]:
    """The words to put before a command, so that it runs with its own root: what may be read, and what may be written.

    The command is process 1 of its namespaces: with its end, everything in them ends.
    """
    libraries = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    seen = (*readable_installation(), *SYSTEM_READABLE, *readable, *policy.read, *filter(None, libraries))
    mounts = [(path, "--ro-bind-try") for path in dict.fromkeys(seen) if not path.startswith(("/proc/", "/dev/"))]
    mounts += [("/proc", "--proc"), ("/dev", "--dev"), (PRIVATE_BASE, "--tmpfs")]
    mounts += [(path, "--bind") for path in dict.fromkeys(writable)]
    return [
        *(shutil.which("bwrap") or "bwrap", "--unshare-all", "--die-with-parent", "--as-pid-1"),
        *("--cap-drop", "ALL", "--hostname", "confined"),
        *(word for mount in sorted(mounts, key=_depth) for word in _words(mount, policy)),
        "--",
    ]


def _depth(mount: Mount) -> int:
    # What is mounted later covers what lies below it, so folders come before what they hold; a stable order keeps the
    # private /proc and /dev after a grant of the same name.
    return len(Path(mount[0]).parts)


def _words(mount: Mount, policy: Policy) -> tuple[str, ...]:
    path, how = mount
    if how == "--tmpfs":
        return "--size", str(_WORK_FOLDERS * policy.limits.work_bytes), how, path
    return (how, path) if how in ("--proc", "--dev") else (how, path, path)


def spaces_of(pid: int | str) -> dict[str, str]:
    """The namespaces of process `pid`, by kind, each as a name that is the same wherever it is read.

    Raises: OSError when they cannot be read.
    """
    return {space: str(Path(f"/proc/{pid}/ns/{space}").readlink()) for space in SPACES}


def spaces_shared(pid: int, outside: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The namespaces that process `pid` shares with those outside, or with this process; empty for a wrapped process.

    Raises: OSError when they cannot be read.
    """
    others, theirs = outside or spaces_of("self"), spaces_of(pid)
    return tuple(space for space in SPACES if others[space] == theirs[space])


def outer_pid(wrapper_pid: int, inner_pid: int) -> int:
    """The number that a process of the namespaces has outside; 0 when it is gone.

    `wrapper_pid` is bubblewrap's own process, the parent of process 1.
    """
    for first in _children(wrapper_pid):
        for pid in (first, *_children(first)):
            if _innermost_number(pid) == inner_pid:
                return pid
    return 0


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    except FileNotFoundError:
        return []


def _innermost_number(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace").splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[-1]) for line in lines if line.startswith("NSpid:")), 0)


@lru_cache
def _tried(program: str) -> tuple[str, str]:
    # The same spaces, /proc and /dev as in earnest, around a program that every system has.
    trial = [program, "--unshare-all", "--die-with-parent", "--as-pid-1", "--ro-bind", "/", "/", "--proc", "/proc"]
    try:
        finished = subprocess.run(
            [*trial, "--dev", "/dev", "--", "/bin/true"], capture_output=True, timeout=_TRY_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{program} cannot be used: {error}", INSTALL
    if finished.returncode == 0:
        return "", ""
    words = finished.stderr.decode("utf-8", "replace").strip().splitlines()
    said = words[-1] if words else f"it ended with status {finished.returncode}"
    return f"bubblewrap cannot make its namespaces: {said}", _NO_NAMESPACES

"""The locks of a process, looked at from outside, before any code is sent to it."""

import resource
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from kernel_sandbox.errors import SandboxUnavailable
from kernel_sandbox.locks.bubblewrap import spaces_shared
from kernel_sandbox.policy import Policy


@dataclass(frozen=True)
class Confinement:
    """What holds a process: `layers` by name, in the order they were set; `isolation` as the policy asked for it.

    seccomp, no_new_privs, capabilities and rlimits are read from /proc for every thread, and so are the open files
    ("descriptors"). Landlock shows nowhere, so
    `landlock_abi` is what the process found when it tried its own lock, before it could receive any code.
    """

    layers: tuple[str, ...]
    isolation: str
    landlock_abi: int
    pid: int


def attest(
    pid: int, policy: Policy, landlock_abi: int, *, files: Collection[str], outside: Mapping[str, str] | None = None
) -> Confinement:
    """The locks of process `pid`, each seen to hold for every thread, and its open files, seen to be these alone.

    `outside` are the namespaces that it must not share, when bubblewrap was put around it.

    Raises: SandboxUnavailable naming the first lock that is missing.
    """
    if policy.isolation == "none":
        return Confinement((), "none", 0, pid)
    try:
        layers = attest_locks(pid, landlock_abi, file_bytes=policy.limits.file_bytes)
        _attest_files(pid, files)
        if outside and (shared := spaces_shared(pid, outside)):
            raise _missing(pid, "namespaces", f"it shares ours of kind {', '.join(shared)}")
    except (FileNotFoundError, ProcessLookupError, PermissionError) as error:
        # The open files of a process that has ended, and was not waited for, are root's.
        raise _missing(pid, "life", f"it ended before its locks were seen ({error})") from error
    outer = ("namespaces",) if outside else ()
    return Confinement((*outer, "descriptors", "environment", *layers), policy.isolation, landlock_abi, pid)


def name_of_file(descriptor: int) -> str:
    """What a file open here is: the same name for both ends of a pipe, another one for each end of a line."""
    return str(Path(f"/proc/self/fd/{descriptor}").readlink())


def _attest_files(pid: int, allowed: Collection[str]) -> None:
    # A file that its owner had open, above all a terminal, could be read, written and truncated whatever Landlock says.
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            found = str(link.readlink())
        except FileNotFoundError:
            # It was closed in the meantime.
            continue
        if found not in allowed:
            raise _missing(pid, "descriptors", f"it holds {found} open as {link.name}")


def attest_locks(pid: int, landlock_abi: int, *, file_bytes: int) -> tuple[str, ...]:
    """The names of the locks of process `pid`, in the order they were set; it may write no file over `file_bytes`.

    Raises: SandboxUnavailable naming the first lock that is missing; OSError when the process is gone.
    """
    if landlock_abi < 1:
        raise _missing(pid, "landlock", f"it reports version {landlock_abi}")
    for task in sorted(Path(f"/proc/{pid}/task").iterdir()):
        _attest_thread(pid, task)
    bound, _ = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    if not 0 <= bound <= file_bytes:
        raise _missing(pid, "rlimits", f"files may have {bound} bytes")
    return ("rlimits", "capabilities", "no_new_privs", "landlock", "seccomp")


def _attest_thread(pid: int, task: Path) -> None:
    status = dict(line.split(":\t", 1) for line in (task / "status").read_text().splitlines() if ":\t" in line)
    if status.get("NoNewPrivs") != "1":
        raise _missing(pid, "no_new_privs", f"thread {task.name} has {status.get('NoNewPrivs')}")
    if status.get("Seccomp") != "2":
        raise _missing(pid, "seccomp", f"thread {task.name} is in mode {status.get('Seccomp')}")
    if int(status.get("CapEff", "1"), 16) or int(status.get("CapPrm", "1"), 16):
        raise _missing(pid, "capabilities", f"thread {task.name} has {status.get('CapEff')}")


def _missing(pid: int, layer: str, seen: str) -> SandboxUnavailable:
    return SandboxUnavailable(
        f"the confined process {pid} lacks {layer}: {seen}",
        "No code was sent to it. Run: python -m kernel_sandbox doctor",
    )

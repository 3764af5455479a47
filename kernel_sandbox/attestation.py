"""The locks of a process, looked at from outside, before any code is sent to it."""

import resource
from dataclasses import dataclass
from pathlib import Path

from kernel_sandbox.errors import SandboxUnavailable
from kernel_sandbox.policy import Policy

UNCONFINED = 'isolation="none" was asked for: this code runs with all your rights'


@dataclass(frozen=True)
class Confinement:
    """What holds a process: `layers` by name, in the order they were set; `isolation` as the policy asked for it.

    seccomp, no_new_privs, capabilities and rlimits are read from /proc for every thread. Landlock shows nowhere, so
    `landlock_abi` is what the process found when it tried its own lock, before it could receive any code.
    """

    layers: tuple[str, ...]
    isolation: str
    landlock_abi: int
    pid: int


def attest(pid: int, policy: Policy, landlock_abi: int) -> Confinement:
    """The locks of process `pid`, each seen to hold for every thread.

    Raises: SandboxUnavailable naming the first lock that is missing.
    """
    if policy.isolation == "none":
        return Confinement((), "none", 0, pid)
    if landlock_abi < 1:
        raise _missing(pid, "landlock", f"it reports version {landlock_abi}")
    for task in sorted(Path(f"/proc/{pid}/task").iterdir()):
        _attest_thread(pid, task)
    file_bytes, _ = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    if not 0 <= file_bytes <= policy.limits.file_bytes:
        raise _missing(pid, "rlimits", f"files may have {file_bytes} bytes")
    return Confinement(
        ("environment", "rlimits", "capabilities", "no_new_privs", "landlock", "seccomp"),
        policy.isolation,
        landlock_abi,
        pid,
    )


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

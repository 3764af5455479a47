"""What this machine really enforces, found out by trying it: `python -m kernel_sandbox doctor [--json]`.

Each lock is tried by real attempts in a process confined by the default policy, and the same attempts are made in one
that is not: only what differs is the work of a lock.
"""

import json
import os
import platform
import sys
from dataclasses import asdict, dataclass
from typing import Literal

from kernel_sandbox.errors import SandboxError, not_linux
from kernel_sandbox.locks import bubblewrap
from kernel_sandbox.locks.landlock import landlock_abi, missing_features
from kernel_sandbox.policy import Isolation, Limits, Policy

Verdict = Literal["refused", "open", "not tried"]

# One attempt per line of the table: the lock, what it stops, and code whose last line is reached only if nothing does.
_ATTEMPTS = (
    ("landlock", "reading files outside the policy", "open('/etc/passwd').read(1)"),
    ("landlock", "writing outside the work folder", "open('/proc/self/comm', 'w').close()"),
    ("landlock", "listing other folders", "__import__('os').listdir('/')"),
    ("seccomp", "network sockets", "__import__('socket').socket(2, 1)"),
    ("seccomp", "unix sockets", "__import__('socket').socket(1, 1)"),
    ("seccomp", "datagrams to unix paths", "__import__('socket').socketpair(1, 2)"),
    (
        "seccomp",
        "starting processes",
        "__import__('os').waitpid(__import__('os').posix_spawn('/bin/true', ['true'], {}), 0)",
    ),
    ("seccomp", "signals to the parent", "__import__('os').kill(__import__('os').getppid(), 0)"),
    ("seccomp", "raising its own limits", "__import__('resource').setrlimit(7, (8, 8))"),
    ("environment", "keys and tokens", "__import__('os').environ['KERNEL_SANDBOX_CANARY']"),
    ("rlimits", "files over the limit", "open('big', 'wb').truncate(1 << 40)"),
    ("no_new_privs", "gaining privileges", "assert 'NoNewPrivs:\\t1' not in open('/proc/self/status').read()"),
)


@dataclass(frozen=True)
class Trial:
    """One attempt: the lock, what it stops, and what came of it with and without the locks."""

    layer: str
    stops: str
    confined: Verdict
    unconfined: Verdict
    answer: str


@dataclass(frozen=True)
class DoctorReport:
    """What this machine enforces. `works` is the verdict on the locks; `reason` and `remedy` are empty when it does."""

    works: bool
    system: str
    landlock_abi: int
    landlock_misses: tuple[str, ...]
    findings: tuple[Trial, ...]
    reason: str = ""
    remedy: str = ""
    # What came of trying the optional outer layer, in one line; empty when nothing was tried.
    outer: str = ""

    def to_json(self) -> str:
        """The report as JSON."""
        return json.dumps(asdict(self), indent=2)

    def __str__(self) -> str:
        lines = [self.system, f"Landlock version {self.landlock_abi}" if self.landlock_abi else "no Landlock", ""]
        lines += [f"{'lock':14}{'stops':36}{'confined':12}unconfined"] if self.findings else []
        lines += [f"{one.layer:14}{one.stops:36}{one.confined:12}{one.unconfined}" for one in self.findings]
        lines += [
            "",
            "This machine can confine kernels." if self.works else f"Not confined: {self.reason}. {self.remedy}",
            *([self.outer] if self.outer else []),
        ]
        return "\n".join(lines)


def doctor() -> DoctorReport:
    """What this machine enforces, by attempts in a confined process and in an unconfined one."""
    system = f"{platform.system()} {platform.release()} {platform.machine()}, Python {platform.python_version()}"
    abi = landlock_abi() if sys.platform.startswith("linux") else 0
    misses = missing_features(abi) if abi else ()
    if problem := _missing_ground(abi):
        return DoctorReport(False, system, abi, misses, (), *problem)
    try:
        confined, unconfined = _attempt("auto"), _attempt("none")
    except SandboxError as error:
        return DoctorReport(False, system, abi, misses, (), getattr(error, "reason", str(error)), _remedy())
    findings = tuple(
        Trial(layer, stops, _verdict(held), _verdict(free), held)
        for (layer, stops, _), held, free in zip(_ATTEMPTS, confined, unconfined, strict=True)
    )
    leaks = [finding.stops for finding in findings if finding.confined != "refused"]
    reason = f"these are not refused: {', '.join(leaks)}" if leaks else ""
    return DoctorReport(not leaks, system, abi, misses, findings, reason, _remedy() if leaks else "", _outer_layer())


def main(arguments: list[str]) -> int:
    """Print the report: the exit status, 0 when this machine can confine kernels and 1 when not."""
    if arguments[:1] != ["doctor"] or set(arguments[1:]) - {"--json"}:
        print("usage: python -m kernel_sandbox doctor [--json], or bring [NAME]", file=sys.stderr)
        return 2
    report = doctor()
    print(report.to_json() if "--json" in arguments else report)
    return 0 if report.works else 1


def _missing_ground(abi: int) -> tuple[str, str] | None:
    if not sys.platform.startswith("linux"):
        refused = not_linux()
        return refused.reason, refused.remedy
    if platform.machine() not in ("x86_64", "aarch64"):
        return f"there is no system call table for {platform.machine()}", "Use an x86_64 or aarch64 machine"
    if abi < 1:
        return "this kernel has no Landlock, or it is switched off", _remedy()
    return None


def _remedy() -> str:
    return (
        "Landlock needs Linux 5.13 or later with landlock among the lsm= of the boot line (/sys/kernel/security/lsm); "
        "a container needs a seccomp profile that allows the landlock calls, as Docker's and Podman's own do; "
        "gVisor offers none. On Windows use WSL2, on macOS a Linux container"
    )


def _attempt(isolation: Isolation) -> list[str]:
    from kernel_sandbox.sandbox import Sandbox

    os.environ.setdefault("KERNEL_SANDBOX_CANARY", "seen")
    answers = []
    with Sandbox(Policy(isolation=isolation, limits=Limits(wall_seconds=10)), warm=False) as sandbox:
        for _, _, code in _ATTEMPTS:
            execution = sandbox.execute(code)
            answers.append(f"{execution.error_name}: {execution.error_text}" if execution.status == "error" else "open")
    return answers


def _outer_layer() -> str:
    from kernel_sandbox.sandbox import Sandbox

    reason, remedy = bubblewrap.obstacle()
    if reason:
        return f"No outer layer: {reason}. {remedy}"
    try:
        with Sandbox(Policy(outer="bwrap"), warm=False) as sandbox:
            found = sandbox.execute("__import__('os').stat('/etc/passwd')").error_name
    except SandboxError as error:
        return f"No outer layer: {error}"
    if found != "FileNotFoundError":
        return f"No outer layer: bubblewrap hides nothing here (a file that is not granted: {found or 'seen'})"
    return 'bubblewrap can be had as the outer layer: Policy(outer="bwrap") hides that other files exist'


def _verdict(answer: str) -> Verdict:
    return "open" if answer == "open" else "refused"

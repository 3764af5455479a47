"""The locks, in the one order that works. Standard library only: this runs before anything else is imported."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kernel_sandbox.locks import landlock, privileges, rlimits, seccomp
from kernel_sandbox.policy import MIB, Limits, Policy

# What Python, its libraries and pandas read besides their own installation. Files that are missing are passed over.
SYSTEM_READABLE = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"),
    *("/usr/share/zoneinfo", "/etc/localtime", "/etc/timezone", "/usr/share/fonts", "/etc/mime.types"),
    *("/usr/share/locale", "/usr/share/i18n", "/usr/lib/locale"),
    *("/dev/urandom", "/dev/random", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/loadavg"),
    *("/proc/sys/kernel/osrelease", "/proc/sys/vm/overcommit_memory", "/sys/devices/system/cpu"),
    *("/sys/kernel/mm/transparent_hugepage/enabled", "/sys/fs/cgroup/cpu.max"),
    *("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"),
)
# Of its own process only what libraries ask for; /proc/<pid>/net, mountinfo and environ would tell of the host.
_OWN_PROCESS_READABLE = ("status", "stat", "statm", "maps", "limits", "fd")


# The front writes no file at all.
FRONT_FILE_BYTES = MIB
_FRONT_LIMITS = Limits(memory_bytes=512 * MIB, file_bytes=FRONT_FILE_BYTES, open_files=1024)


@dataclass(frozen=True)
class Places:
    """The folders of one confined process: `work` and `home` it may write; `private` is its own and holds its home."""

    work: str
    private: str
    readable: tuple[str, ...] = ()

    @property
    def home(self) -> str:
        """Where libraries keep their settings and caches."""
        return f"{self.private}/home"


def confine(policy: Policy, places: Places) -> int:
    """Lock this process for good and return the version of Landlock used.

    Raises: OSError naming the lock that could not be set; the process is then of no use and must end.
    """
    ruleset = _give_up_rights(policy.limits)
    _grant(ruleset, policy, places)
    return _lock(ruleset, "final")


def confine_front(folder: str) -> int:
    """Lock a front for good, and return the version of Landlock used.

    It may bind sockets in the folder, until `finish`. No file may be read or written, and nothing connected to.

    Raises: OSError naming the lock that could not be set.
    """
    ruleset = _give_up_rights(_FRONT_LIMITS)
    if not ruleset.grant(folder, landlock.Access.MAKE_SOCK | landlock.Access.REMOVE_FILE):
        raise FileNotFoundError(2, "the folder of the front's sockets is not there", folder)
    return _lock(ruleset, "binding")


def finish() -> None:
    """Let no more sockets be made, in any thread: those of the front are bound."""
    abi_allows_truncate = True  # the first filter has decided already, and filters only add up
    seccomp.install(seccomp.filter_for("final", pid=os.getpid(), truncate=abi_allows_truncate))


def _give_up_rights(limits: Limits) -> landlock.Ruleset:
    """Limits and privileges, for a process with one thread; an empty ruleset to be filled."""
    if threads := len(os.listdir("/proc/self/task")) - 1:  # noqa: PTH208 - pathlib is not imported for one name
        raise OSError(f"{threads} threads exist already, and Landlock would leave them free")
    rlimits.set_rlimits(limits)
    privileges.drop_capabilities()
    privileges.set_no_new_privs()
    return landlock.Ruleset()


def _lock(ruleset: landlock.Ruleset, stage: seccomp.Stage) -> int:
    ruleset.enforce()
    seccomp.install(seccomp.filter_for(stage, pid=os.getpid(), truncate=ruleset.abi >= 3))
    return ruleset.abi


def readable_installation() -> tuple[str, ...]:
    """The folders of this Python, of its packages and of this package."""
    packages = (entry for entry in sys.path if Path(entry).name in ("site-packages", "dist-packages"))
    ours = str(Path(__file__).resolve().parent.parent)
    return tuple(dict.fromkeys((sys.prefix, sys.base_prefix, *packages, ours)))


def _grant(ruleset: landlock.Ruleset, policy: Policy, places: Places) -> None:
    own = [f"/proc/{os.getpid()}/{name}" for name in _OWN_PROCESS_READABLE]
    _grant_all(ruleset, (*readable_installation(), *SYSTEM_READABLE, *own, *places.readable), landlock.READ)
    for path in policy.read:
        if not ruleset.grant(path, landlock.READ):
            raise FileNotFoundError(2, "the policy grants reading a path that is not there", path)
    if policy.writes == "copy" and policy.work is None:
        raise FileNotFoundError(2, 'the policy says "writes": "copy", and whoever starts this process made no copy')
    for folder in (places.work, places.home):
        if not ruleset.grant(folder, landlock.WORK):
            raise FileNotFoundError(2, "the work folder is not there", folder)
    ruleset.grant("/dev/null", landlock.READ | landlock.Access.WRITE_FILE)


def _grant_all(ruleset: landlock.Ruleset, paths: Sequence[str], access: landlock.Access) -> None:
    for path in paths:
        ruleset.grant(path, access)

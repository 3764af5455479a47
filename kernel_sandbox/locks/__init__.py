"""The locks, in the one order that works. Standard library only: this runs before anything else is imported."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kernel_sandbox.locks import landlock, privileges, rlimits, seccomp
from kernel_sandbox.locks.landlock import abi_features
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


# The relay of a Jupyter kernel writes nothing but its last words.
RELAY_FILE_BYTES = MIB
_RELAY_LIMITS = Limits(memory_bytes=512 * MIB, file_bytes=RELAY_FILE_BYTES, open_files=1024)


@dataclass(frozen=True)
class Places:
    """The folders of one confined process: `work` it may write; in `sockets`, if any, it may bind its sockets."""

    work: str
    sockets: str | None = None
    readable: tuple[str, ...] = ()


def confine(policy: Policy, places: Places) -> int:
    """Lock this process for good and return the version of Landlock used.

    Afterwards only `finish` is left to be called, and only by a process that still had sockets to bind.

    Raises: OSError naming the lock that could not be set; the process is then of no use and must end.
    """
    ruleset = _give_up_rights(policy.limits)
    _grant(ruleset, policy, places)
    return _lock(ruleset, "binding" if places.sockets else "final")


def confine_relay(front: str, back: str) -> int:
    """Lock a relay for good, and return the version of Landlock used: it may bind sockets in the folder `front`.

    No file may be read or written. Sockets may be connected until `finish`, by version 9 only those in `back`; so it is
    called before the first byte of a kernel arrives.

    Raises: OSError naming the lock that could not be set.
    """
    ruleset = _give_up_rights(_RELAY_LIMITS)
    if not ruleset.grant(front, landlock.Access.MAKE_SOCK | landlock.Access.REMOVE_FILE):
        raise FileNotFoundError(2, "the folder of the relay's sockets is not there", front)
    if not abi_features(ruleset.abi).missing:
        ruleset.grant(back, landlock.Access.RESOLVE_UNIX)
    return _lock(ruleset, "relaying")


def finish() -> None:
    """Let no more sockets be made, in any thread: the sockets of a Jupyter kernel are bound, its relay is connected."""
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
    if not ruleset.grant(places.work, landlock.WORK):
        raise FileNotFoundError(2, "the work folder is not there", places.work)
    ruleset.grant("/dev/null", landlock.READ | landlock.Access.WRITE_FILE)
    if places.sockets:
        ruleset.grant(places.sockets, landlock.SOCKETS)


def _grant_all(ruleset: landlock.Ruleset, paths: Sequence[str], access: landlock.Access) -> None:
    for path in paths:
        ruleset.grant(path, access)

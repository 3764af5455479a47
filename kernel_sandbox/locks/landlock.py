"""Landlock: which files a process may read and write. Irrevocable, inherited by threads made later.

Landlock must be applied while the process has one thread: a thread that exists already stays free (the thread-wide
form exists only from ABI 8 on).
"""

import ctypes
import errno
import os
import stat
import struct
from enum import IntFlag

_SYS_CREATE_RULESET, _SYS_ADD_RULE, _SYS_RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1


class Access(IntFlag):
    """What a rule may allow on files. Source: include/uapi/linux/landlock.h."""

    EXECUTE = 1 << 0
    WRITE_FILE = 1 << 1
    READ_FILE = 1 << 2
    READ_DIR = 1 << 3
    REMOVE_DIR = 1 << 4
    REMOVE_FILE = 1 << 5
    MAKE_CHAR = 1 << 6
    MAKE_DIR = 1 << 7
    MAKE_REG = 1 << 8
    MAKE_SOCK = 1 << 9
    MAKE_FIFO = 1 << 10
    MAKE_BLOCK = 1 << 11
    MAKE_SYM = 1 << 12
    REFER = 1 << 13
    TRUNCATE = 1 << 14
    IOCTL_DEV = 1 << 15
    RESOLVE_UNIX = 1 << 16


READ = Access.READ_FILE | Access.READ_DIR
# EXECUTE is in no grant, so nothing can be executed. Nor can links, sockets, pipes and devices be made, so whatever
# is found in the work folder afterwards is a regular file or a folder.
WORK = (
    READ
    | Access.WRITE_FILE
    | Access.REMOVE_DIR
    | Access.REMOVE_FILE
    | Access.MAKE_DIR
    | Access.MAKE_REG
    | Access.REFER
    | Access.TRUNCATE
)
_FOR_FILES = Access.EXECUTE | Access.WRITE_FILE | Access.READ_FILE | Access.TRUNCATE | Access.IOCTL_DEV


# From which version on what can be restricted, and how many rights on files that brings. What a version lacks is
# stopped by the seccomp filter in every case, so a lower one weakens only the second line of defence.
# Source: kernel documentation, userspace-api/landlock.rst, "Previous limitations".
_SINCE = {
    "files": (1, 13),
    "refer": (2, 1),
    "truncate": (3, 1),
    "network": (4, 0),
    "device ioctl": (5, 1),
    "scopes": (6, 0),
    "unix sockets by path": (9, 1),
}


def landlock_abi() -> int:
    """The version of Landlock that the kernel offers; 0 when it has none or has it switched off."""
    try:
        return _syscall(_SYS_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_CREATE_RULESET_VERSION))
    except OSError as error:
        if error.errno in (errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM):
            return 0
        raise


def missing_features(version: int) -> tuple[str, ...]:
    """What a version cannot restrict, in the order in which later ones could."""
    return tuple(name for name, (since, _) in _SINCE.items() if since > version)


def handled_rights(version: int) -> int:
    """The rights on files that a version can restrict, as bits."""
    return (1 << sum(rights for since, rights in _SINCE.values() if since <= version)) - 1


class Ruleset:
    """Grants being collected; everything not granted is refused once `enforce` is called."""

    def __init__(self) -> None:
        self.abi = landlock_abi()
        if self.abi < 1:
            raise OSError(errno.ENOSYS, "Landlock is not available in this kernel")
        self._handled, missing = handled_rights(self.abi), missing_features(self.abi)
        words = [self._handled]
        if "network" not in missing:
            words.append(0b11)  # bind and connect of TCP: handled, and no port is ever granted
        if "scopes" not in missing:
            words.append(0b11)  # abstract unix sockets and signals to processes outside
        attributes = struct.pack(f"{len(words)}Q", *words)
        self._file = _syscall(
            _SYS_CREATE_RULESET, ctypes.c_char_p(attributes), ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0)
        )

    def grant(self, path: str, access: Access) -> bool:
        """True when `access` below `path` was granted; False when there is no such file.

        Raises: OSError when the file exists and the rule is refused.
        """
        try:
            target = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            # What cannot be reached cannot be granted, and what is not granted stays closed.
            return False
        try:
            if not stat.S_ISDIR(os.fstat(target).st_mode):
                access &= _FOR_FILES
            rule = struct.pack("=Qi", int(access) & self._handled, target)
            _syscall(_SYS_ADD_RULE, self._file, _RULE_PATH_BENEATH, ctypes.c_char_p(rule), 0)
        finally:
            os.close(target)
        return True

    def enforce(self) -> None:
        """Restrict this process for good. `no_new_privs` must be set already."""
        _syscall(_SYS_RESTRICT_SELF, self._file, 0)
        os.close(self._file)


def _syscall(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    result = int(libc.syscall(ctypes.c_long(number), *arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"landlock system call {number}: {os.strerror(code)}")
    return result

"""seccomp: which system calls exist. An allow-list, written as classic BPF, installed for every thread.

A filter can only look at numbers: paths and addresses behind pointers are invisible to it, so files are Landlock's
business, and every socket call that would take an address is refused altogether.
"""

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Sequence
from typing import Literal

from kernel_sandbox.locks.syscalls import ALLOWED, ARCHITECTURES, JUDGED, NEWEST_KNOWN

Stage = Literal["binding", "final"]

_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_SYS_SECCOMP = {"x86_64": 317, "aarch64": 277}
_X32_BIT = 0x40000000
_SET_MODE_FILTER, _FLAG_TSYNC = 1, 1

# Classic BPF instructions. Source: linux/bpf_common.h.
_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT = 0x15, 0x35, 0x45
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER_OFFSET, _ARCH_OFFSET = 0, 4

_SHARED_ANONYMOUS, _HUGE_PAGES = 0x21, 0x40000
_CLONE_THREAD, _CLONE_NEW = 0x10000, 0x7E020000
_AF_UNIX, _SOCK_STREAM, _SOCK_TYPE_MASK = 1, 1, 0xF
_SOL_SOCKET = 1
# Attaching packet filters to sockets hands bytecode to the kernel; 76 asks for handles on the processes that send.
_REFUSED_TO_SET = (26, 27, 50, 51, 52, 76)
# Type, error, sizes, credentials, listening, timeouts, protocol, domain. No handle on the peer's process (77).
_MAY_BE_ASKED = (2, 3, 4, 7, 8, 9, 13, 17, 20, 21, 30, 38, 39, 66, 67)
# Merging equal pages tells what other processes hold, pushing them out what they touch; the others break memory.
_REFUSED_ADVICE = (12, 20, 21, 100, 101)
# Clocks have small numbers; those above belong to processes, which need not be one's own.
_CLOCKS = 16
# Duplicating, flags, locks (own and open-file), pipe size read. No owners, signals, leases, notifications, seals.
_FCNTL = (0, 1, 2, 3, 4, 5, 6, 7, 9, 36, 37, 38, 1030, 1032)
# TCGETS (isatty), TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX.
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# Names of threads and mappings, timer slack, and questions that change nothing.
_PRCTL = (2, 3, 15, 16, 21, 23, 29, 30, 38, 39, 0x53564D41)

# Metadata and scheduling of other files and processes, which Landlock does not cover: libraries call these in passing
# (IPython copies files with their mode, libzmq aborts when its scheduler call fails), so they are told it was done.
_PRETENDED = (
    *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),
    *("utime", "utimes", "utimensat", "futimesat", "setpriority"),
    *("sched_setscheduler", "sched_setparam", "sched_setattr"),
)
_NO_ATTRIBUTES = tuple(f"{how}{what}" for what in ("getxattr", "setxattr", "removexattr") for how in ("", "l", "f"))
_NO_ATTRIBUTE_LISTS = ("listxattr", "llistxattr", "flistxattr")

Program = list[bytes]


def filter_for(stage: Stage, *, pid: int, truncate: bool, machine: str | None = None) -> bytes:
    """The filter as BPF bytes: 8 per instruction.

    `stage` "binding" still lets unix stream sockets be made and bound, for the start of a front; "final" lets no socket
    be made. `pid` is the process that may signal itself. `truncate` is False where Landlock cannot restrict truncation
    by path (ABI below 3).

    Raises: OSError when the machine is neither x86_64 nor aarch64.
    """
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES:
        raise OSError(errno.ENOSYS, f"no system call table for {machine}; there is one for {', '.join(ARCHITECTURES)}")
    judged = _judged(pid) | (_sockets_being_bound() if stage != "final" else {})
    program = _prologue(machine)
    for name, numbers in (ALLOWED | JUDGED).items():
        number = numbers[ARCHITECTURES.index(machine)]
        if number is None or (name == "truncate" and not truncate):
            continue
        body = [_allow()] if name in ALLOWED else judged.get(name, [_refuse()])
        program += [_if(_IF_EQUAL, number, otherwise=len(body)), *body]
    program += [_if(_IF_AT_LEAST, NEWEST_KNOWN + 1, otherwise=1), _refuse(errno.ENOSYS), _refuse()]
    return b"".join(program)


def install(program: bytes) -> None:
    """Put the filter on every thread of this process, for good. `no_new_privs` must be set already.

    Raises: OSError when the kernel refuses it, or a thread could not be brought along.
    """

    class Fprog(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    code = ctypes.create_string_buffer(program, len(program))
    argument = Fprog(len(program) // 8, ctypes.cast(code, ctypes.c_void_p))
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.syscall(
        ctypes.c_long(_SYS_SECCOMP[platform.machine()]), _SET_MODE_FILTER, _FLAG_TSYNC, ctypes.byref(argument)
    )
    if result > 0:
        raise OSError(errno.EAGAIN, f"seccomp: thread {result} could not take the filter")
    if result < 0:
        code_number = ctypes.get_errno()
        raise OSError(code_number, f"seccomp: {os.strerror(code_number)}")


def _prologue(machine: str) -> Program:
    program = [
        _load(_ARCH_OFFSET),
        _if(_IF_EQUAL, _AUDIT_ARCH[machine], then=1),
        _return(_KILL),  # 32-bit calls have other numbers: the table below would mean something else
        _load(_NUMBER_OFFSET),
    ]
    if machine == "x86_64":
        program += [_if(_IF_AT_LEAST, _X32_BIT, otherwise=1), _return(_KILL)]
    return program


def _judged(pid: int) -> dict[str, Program]:
    return (
        {name: [_return(_ERRNO)] for name in _PRETENDED}
        | {name: [_refuse(errno.ENOTSUP)] for name in (*_NO_ATTRIBUTES, *_NO_ATTRIBUTE_LISTS)}
        | {
            # Its flags lie behind a pointer, out of the filter's sight; glibc then uses clone.
            "clone3": [_refuse(errno.ENOSYS)],
            "clone": _threads_in_the_same_spaces(),
            "clock_gettime": _below(0, _CLOCKS),
            "clock_getres": _below(0, _CLOCKS),
            # Files that may only be read can be locked by it, and others would wait; a lock that is not there (ENOSYS)
            # is passed over by libraries such as HDF5.
            "flock": [_refuse(errno.ENOSYS)],
            "madvise": _none_of(2, _REFUSED_ADVICE),
            "getsockopt": _socket_questions(),
            # Process 1 of its namespace has no group of its own: -1 would mean every process there.
            "kill": _only(0, (pid, -pid) if pid > 1 else (pid,)),
            "tgkill": _only(0, (pid,)),
            "sched_setaffinity": _only(0, (0,)),
            "prlimit64": _own_limits_may_be_read(pid),
            "fcntl": _only(1, _FCNTL),
            "ioctl": _only(1, _IOCTL, refusal=errno.ENOTTY),
            "prctl": _only(0, _PRCTL),
            "sendto": _null(4),
            "socketpair": _unix_stream(),
            "setsockopt": _socket_options(),
            "mmap": _private_or_file_memory(),
        }
    )


def _sockets_being_bound() -> dict[str, Program]:
    return {"socket": _unix_stream(), "bind": [_allow()], "listen": [_allow()], "seccomp": [_allow()]}


def _own_limits_may_be_read(pid: int) -> Program:
    return [
        *(_load_low(0), _if(_IF_EQUAL, 0, then=1), _if(_IF_EQUAL, pid, otherwise=5)),
        *(_load_low(2), _if(_IF_EQUAL, 0, otherwise=3)),
        *(_load_high(2), _if(_IF_EQUAL, 0, otherwise=1)),
        *(_allow(), _refuse()),
    ]


def _unix_stream() -> Program:
    # Datagram sockets could be sent to any path or abstract name without a connect.
    return [
        *(_load_low(0), _if(_IF_EQUAL, _AF_UNIX, otherwise=4)),
        *(_load_low(1), _instruction(_AND, _SOCK_TYPE_MASK), _if(_IF_EQUAL, _SOCK_STREAM, otherwise=1)),
        *(_allow(), _refuse()),
    ]


def _socket_options() -> Program:
    body = _none_of(2, _REFUSED_TO_SET)
    return [_load_low(1), _if(_IF_EQUAL, _SOL_SOCKET, then=1), _allow(), *body]


def _socket_questions() -> Program:
    return [_load_low(1), _if(_IF_EQUAL, _SOL_SOCKET, then=1), _allow(), *_only(2, _MAY_BE_ASKED)]


def _threads_in_the_same_spaces() -> Program:
    return [
        *(_load_low(0), _if(_IF_ANY_BIT, _CLONE_NEW, then=1), _if(_IF_ANY_BIT, _CLONE_THREAD, then=1)),
        *(_refuse(), _allow()),
    ]


def _below(argument: int, bound: int) -> Program:
    return [_load_low(argument), _if(_IF_AT_LEAST, bound, otherwise=1), _refuse(), _allow()]


def _private_or_file_memory() -> Program:
    # Shared anonymous memory and huge pages can be hoarded without counting as this process's own memory.
    return [
        *(_load_low(3), _if(_IF_ANY_BIT, _HUGE_PAGES, then=3)),
        *(_instruction(_AND, _SHARED_ANONYMOUS), _if(_IF_EQUAL, _SHARED_ANONYMOUS, then=1)),
        *(_allow(), _refuse()),
    ]


def _only(argument: int, values: Sequence[int], *, refusal: int = errno.EPERM) -> Program:
    tests = [_if(_IF_EQUAL, value, then=len(values) - index) for index, value in enumerate(values)]
    return [_load_low(argument), *tests, _refuse(refusal), _allow()]


def _none_of(argument: int, values: Sequence[int]) -> Program:
    tests = [_if(_IF_EQUAL, value, then=len(values) - index) for index, value in enumerate(values)]
    return [_load_low(argument), *tests, _allow(), _refuse()]


def _null(argument: int) -> Program:
    return [
        *(_load_low(argument), _if(_IF_EQUAL, 0, otherwise=3)),
        *(_load_high(argument), _if(_IF_EQUAL, 0, otherwise=1)),
        *(_allow(), _refuse()),
    ]


def _load_low(argument: int) -> bytes:
    return _load(16 + 8 * argument)


def _load_high(argument: int) -> bytes:
    return _load(20 + 8 * argument)


def _load(offset: int) -> bytes:
    return _instruction(_LOAD, offset)


def _allow() -> bytes:
    return _return(_ALLOW)


def _refuse(code: int = errno.EPERM) -> bytes:
    return _return(_ERRNO | code)


def _return(action: int) -> bytes:
    return _instruction(_RETURN, action)


def _if(test: int, value: int, *, then: int = 0, otherwise: int = 0) -> bytes:
    return _instruction(test, value, then, otherwise)


def _instruction(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("HBBI", code, then, otherwise, value & 0xFFFFFFFF)

import itertools
import platform
import re
import struct
from pathlib import Path

import pytest

from kernel_sandbox.locks import landlock, seccomp
from kernel_sandbox.locks.syscalls import ALLOWED, ARCHITECTURES, JUDGED, NEWEST_KNOWN

HEADERS = {
    "x86_64": [Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), Path("/usr/include/asm/unistd_64.h")],
    "aarch64": [Path("/usr/include/asm-generic/unistd.h")],
}
# The generic table has another name for the call that libc calls newfstatat.
GENERIC_NAMES = {"newfstatat": "fstatat"}


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_every_number_is_that_of_the_kernel_headers(machine: str) -> None:
    header = next((path for path in HEADERS[machine] if path.exists()), None)
    assert header, "the kernel headers are missing: apt-get install linux-libc-dev"
    pattern = re.compile(r"#define __NR(?:3264)?_(\w+)\s+(\d+)")
    true_numbers: dict[str, int] = {}
    for name, number in pattern.findall(header.read_text()):
        true_numbers.setdefault(name, int(number))
    # Newer than the headers of Debian 12.
    true_numbers.setdefault("fchmodat2", 452)

    ours = {name: numbers[ARCHITECTURES.index(machine)] for name, numbers in (ALLOWED | JUDGED).items()}

    names = GENERIC_NAMES if machine == "aarch64" else {}
    assert {name: true_numbers.get(names.get(name, name)) for name in ours} == ours


def test_no_call_is_both_allowed_outright_and_judged() -> None:
    assert not set(ALLOWED) & set(JUDGED)


@pytest.mark.parametrize(
    "call",
    [
        "execve",
        "execveat",
        "fork",
        "vfork",
        "ptrace",
        "process_vm_readv",
        "process_vm_writev",
        "pidfd_open",
        "pidfd_getfd",
        "io_uring_setup",
        "bpf",
        "userfaultfd",
        "keyctl",
        "add_key",
        "shmget",
        "msgget",
        "semget",
        "mq_open",
        "mount",
        "unshare",
        "setns",
        "chroot",
        "open_by_handle_at",
        "connect",
        "memfd_create",
        "perf_event_open",
        "tkill",
        "rt_sigqueueinfo",
        "inotify_init1",
        "fanotify_init",
        "mknod",
        "setuid",
        "capset",
        "personality",
        "vmsplice",
        "splice",
        "sendmmsg",
        "kcmp",
        "process_madvise",
        "memfd_secret",
        "landlock_restrict_self",
        "init_module",
        "kexec_load",
    ],
)
def test_a_dangerous_call_is_on_no_list(call: str) -> None:
    assert call not in ALLOWED
    assert call not in JUDGED


def run_filter(program: bytes, number: int, arguments: tuple[int, ...] = (), arch: int = 0xC000003E) -> int:
    """What the kernel's classic BPF machine would answer, by a second implementation of it."""
    words = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    record = struct.pack("<iIQ6Q", number, arch, 0, *(word & (2**64 - 1) for word in words))
    code = [struct.unpack_from("HBBI", program, at) for at in range(0, len(program), 8)]
    at = accumulator = 0
    while True:
        operation, then, otherwise, value = code[at]
        at += 1
        match operation:
            case 0x20:
                (accumulator,) = struct.unpack_from("<I", record, value)
            case 0x54:
                accumulator &= value
            case 0x15:
                at += then if accumulator == value else otherwise
            case 0x35:
                at += then if accumulator >= value else otherwise
            case 0x45:
                at += then if accumulator & value else otherwise
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(f"unknown instruction {operation:#x}")


ALLOW, EPERM, ENOSYS, PRETEND, ENOTTY, KILL = 0x7FFF0000, 0x50001, 0x50026, 0x50000, 0x50019, 0x80000000
PID = 4242
X86 = {name: numbers[0] for name, numbers in (ALLOWED | JUDGED).items()}
CASES = [
    ("read", (), ALLOW),
    ("clone", (0x3D0F00,), ALLOW),
    ("clone", (17,), EPERM),
    ("clone", (0x3D0F00 | 0x4000000,), EPERM),  # a thread in a namespace of its own
    ("clone", (0x3D0F00 | 0x10000000,), EPERM),
    ("clock_gettime", (1,), ALLOW),
    ("clock_gettime", ((~PID << 3) | 2,), EPERM),  # the processor time of another process
    ("clock_getres", ((~1 << 3) | 2,), EPERM),
    ("flock", (), ENOSYS),
    ("madvise", (0, 1, 4), ALLOW),
    ("madvise", (0, 1, 12), EPERM),  # merging equal pages tells what others hold
    ("madvise", (0, 1, 21), EPERM),
    ("getsockopt", (1, 1, 3), ALLOW),
    ("getsockopt", (1, 1, 77), EPERM),  # a handle on the peer's process
    ("getsockopt", (1, 6, 77), ALLOW),
    ("setsockopt", (1, 1, 76), EPERM),
    ("clone3", (), ENOSYS),
    ("kill", (PID, 9), ALLOW),
    ("kill", (-PID & 0xFFFFFFFF, 9), ALLOW),
    ("kill", (1, 9), EPERM),
    ("kill", (0, 9), EPERM),
    ("kill", (-1 & 0xFFFFFFFF, 0), EPERM),
    ("tgkill", (PID, 5), ALLOW),
    ("tgkill", (1, 1), EPERM),
    ("prlimit64", (0, 7, 0, 1), ALLOW),
    ("prlimit64", (PID, 7, 0, 1), ALLOW),
    ("prlimit64", (0, 7, 1, 0), EPERM),
    ("prlimit64", (0, 7, 1 << 32, 0), EPERM),
    ("prlimit64", (1, 7, 0, 1), EPERM),
    ("fcntl", (1, 1), ALLOW),
    ("fcntl", (1, 8), EPERM),
    ("fcntl", (1, 1033), EPERM),
    ("ioctl", (1, 0x5401), ALLOW),
    ("ioctl", (1, 0x5412), ENOTTY),
    ("prctl", (15,), ALLOW),
    ("prctl", (1,), EPERM),
    ("prctl", (22,), EPERM),
    ("sendto", (1, 1, 1, 0, 0), ALLOW),
    ("sendto", (1, 1, 1, 0, 1 << 40), EPERM),
    ("sendto", (1, 1, 1, 0, 5), EPERM),
    ("socketpair", (1, 1 | 0x80000), ALLOW),
    ("socketpair", (1, 2), EPERM),
    ("socketpair", (1, 5), EPERM),
    ("socketpair", (2, 1), EPERM),
    ("setsockopt", (1, 1, 7), ALLOW),
    ("setsockopt", (1, 1, 26), EPERM),
    ("setsockopt", (1, 6, 26), ALLOW),
    ("mmap", (0, 1, 3, 0x22), ALLOW),
    ("mmap", (0, 1, 3, 0x01), ALLOW),
    ("mmap", (0, 1, 3, 0x21), EPERM),
    ("mmap", (0, 1, 3, 0x40022), EPERM),
    ("chmod", (), PRETEND),
    ("socket", (1, 1), EPERM),
    ("bind", (), EPERM),
    ("seccomp", (), EPERM),
]


@pytest.mark.parametrize(("call", "arguments", "answer"), CASES)
def test_the_final_filter_decides_as_written(call: str, arguments: tuple[int, ...], answer: int) -> None:
    program = seccomp.filter_for("final", pid=PID, truncate=True, machine="x86_64")
    number = X86[call]
    assert number is not None

    assert run_filter(program, number, arguments) == answer


@pytest.mark.parametrize(
    ("call", "arguments", "answer"),
    [("socket", (1, 1), ALLOW), ("socket", (2, 1), EPERM), ("socket", (1, 2), EPERM), ("bind", (), ALLOW)],
)
def test_the_binding_filter_lets_only_unix_streams_be_bound(call: str, arguments: tuple[int, ...], answer: int) -> None:
    program = seccomp.filter_for("binding", pid=PID, truncate=True, machine="x86_64")
    number = X86[call]
    assert number is not None

    assert run_filter(program, number, arguments) == answer


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_of_all_calls_only_listed_ones_pass(machine: str) -> None:
    program = seccomp.filter_for("final", pid=PID, truncate=True, machine=machine)
    arch = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}[machine]
    position = ARCHITECTURES.index(machine)
    allowed = {numbers[position] for numbers in ALLOWED.values()}
    judged = {numbers[position] for numbers in JUDGED.values()}

    answers = {number: run_filter(program, number, arch=arch) for number in range(NEWEST_KNOWN + 60)}

    assert {number for number, answer in answers.items() if answer == ALLOW} - judged == allowed - {None}
    assert all(answers[number] == ENOSYS for number in range(NEWEST_KNOWN + 1, NEWEST_KNOWN + 60))


def test_other_instruction_sets_are_killed() -> None:
    program = seccomp.filter_for("final", pid=PID, truncate=True, machine="x86_64")

    assert run_filter(program, 11, arch=0x40000003) == KILL  # execve of 32-bit x86
    assert run_filter(program, 0x40000000 | 39) == KILL  # getpid of x32


def test_truncation_by_path_is_refused_where_landlock_cannot() -> None:
    program = seccomp.filter_for("final", pid=PID, truncate=False, machine="x86_64")

    assert run_filter(program, 76) == EPERM


def test_an_unknown_machine_is_named() -> None:
    with pytest.raises(OSError, match="no system call table for riscv64"):
        seccomp.filter_for("final", pid=1, truncate=True, machine="riscv64")


def test_no_grant_lets_anything_be_executed_or_linked() -> None:
    forbidden = (
        landlock.Access.EXECUTE | landlock.Access.MAKE_SYM | landlock.Access.MAKE_CHAR | landlock.Access.MAKE_FIFO
    )

    assert not (landlock.READ | landlock.WORK) & forbidden
    assert not landlock.READ & (landlock.Access.WRITE_FILE | landlock.Access.TRUNCATE | landlock.Access.MAKE_REG)


def test_each_version_of_landlock_restricts_at_least_what_the_one_before_did() -> None:
    handled = [landlock.handled_rights(version) for version in range(1, 10)]
    missing = [landlock.missing_features(version) for version in range(1, 10)]

    assert [rights.bit_count() for rights in handled] == [13, 14, 15, 15, 16, 16, 16, 16, 17]
    assert all(set(later) <= set(earlier) for earlier, later in itertools.pairwise(missing))
    assert (landlock.handled_rights(99), landlock.missing_features(99)) == (handled[-1], ())


def test_this_machine_runs_the_filter_it_is_tested_with() -> None:
    assert platform.machine() in ARCHITECTURES

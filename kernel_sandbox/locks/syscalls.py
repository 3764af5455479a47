"""The system calls that a confined process may make, with their numbers on x86_64 and aarch64 (None: not there).

They stand in `syscalls.txt`; what is not listed does not exist for the process. Source: asm/unistd_64.h and
asm-generic/unistd.h of Linux; a test compares every number with the headers of the machine it runs on.
"""

from pathlib import Path

ARCHITECTURES = ("x86_64", "aarch64")

# A call newer than this is answered as by an older kernel (ENOSYS), so that libraries take their fallback.
NEWEST_KNOWN = 462

Numbers = dict[str, tuple[int | None, ...]]


def _listed() -> tuple[Numbers, Numbers]:
    sections: dict[str, Numbers] = {}
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="ascii").splitlines():
        if line.startswith("["):
            section = sections[line] = {}
        elif line and not line.startswith("#"):
            name, *numbers = line.split()
            section[name] = tuple(None if number == "-" else int(number) for number in numbers)
    return sections["[allowed]"], sections["[judged]"]


# JUDGED are decided by their arguments, or answered without being done: see seccomp.py.
ALLOWED, JUDGED = _listed()

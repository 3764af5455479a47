"""Columns that lie in a file: the file itself is handed over for reading, and only what lies elsewhere is copied."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from kernel_sandbox.policy import MIB

# Fewer bytes are copied in about the time that it takes to find out where they lie.
_LEAST_BYTES = 4 * MIB
_READ_BY_ALL = "r--s"  # nobody can have written to it here: what is seen is what the file holds


@dataclass(frozen=True)
class LentFile:
    """An open file, mapped here from the address `begin` to `end`; the first byte there is its byte `offset`."""

    descriptor: int
    begin: int
    end: int
    offset: int

    def place(self, buffer: pa.Buffer) -> list[int] | None:
        """Where the buffer lies in the file, its first byte and how many; None when it lies elsewhere."""
        if not self.begin <= buffer.address <= buffer.address + buffer.size <= self.end or not buffer.size:
            return None
        return [buffer.address - self.begin + self.offset, buffer.size]


def lend_file(arrays: Sequence[pa.Array]) -> LentFile | None:
    """The file that holds most of these columns; None when no file holds much of them. The caller closes it."""
    extents = [(one.address, one.size) for array in arrays for one in array.buffers() if one is not None]
    if sum(size for _, size in extents) < _LEAST_BYTES:
        return None
    most, found = 0, None
    for mapping in _mapped_files():
        held = sum(size for at, size in extents if mapping.begin <= at and at + size <= mapping.end)
        if held > most:
            most, found = held, mapping
    return found.open() if found is not None and most >= _LEAST_BYTES else None


@dataclass(frozen=True)
class _Mapping:
    begin: int
    end: int
    offset: int
    device: tuple[int, int]
    inode: int
    path: str

    def open(self) -> LentFile | None:
        """The file; None when its path leads to another by now."""
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            return None
        seen = os.fstat(descriptor)
        if (os.major(seen.st_dev), os.minor(seen.st_dev), seen.st_ino) != (*self.device, self.inode):
            os.close(descriptor)
            return None
        return LentFile(descriptor, self.begin, self.end, self.offset)


def _mapped_files() -> Iterator[_Mapping]:
    for line in os.fsdecode(Path("/proc/self/maps").read_bytes()).splitlines():
        place, rights, offset, device, inode, *path = line.split(None, 5)
        if rights == _READ_BY_ALL and path and path[0].startswith("/"):
            begin, end = (int(address, 16) for address in place.split("-"))
            major, minor = (int(number, 16) for number in device.split(":"))
            yield _Mapping(begin, end, int(offset, 16), (major, minor), int(inode), path[0])

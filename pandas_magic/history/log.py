"""The log of runs: one JSON object a line, only ever added to, by any number of processes at once.

When the file reaches its size it is renamed to a numbered part and a new one begins; every reader reads all parts. A
line that a crash cut, or that is no JSON, is passed over and never becomes part of the next.
"""

import errno
import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from pandas_magic.errors import StateUnreadable

LOG_NAME = "runs_log.jsonl"
# A part of this size is about 20,000 runs: small enough to open in an editor.
PART_BYTES = 16 * 1024**2

Inode = tuple[int, int]  # device and number: the same file under whatever name


class RunLog:
    """The log in `folder`. `added` remembers how far it has read; other processes may write meanwhile."""

    def __init__(self, folder: Path, *, part_bytes: int = PART_BYTES) -> None:
        self.path = folder / LOG_NAME
        self._part_bytes = part_bytes
        self._read_up_to: dict[Inode, int] = {}

    def append(self, line: str) -> None:
        """Add one line; it is never split by another's. Nothing is flushed to disk: a power cut may take the last.

        Raises: StateUnreadable when the file cannot be written.
        """
        # Texts that code printed may hold halves of surrogate pairs, which UTF-8 has no form for.
        content = line.encode(errors="backslashreplace") + b"\n"
        try:
            with self._locked() as log:
                content = b"\n" + content if _is_cut(log) else content
                if log.write(content) != len(content):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                if log.tell() >= self._part_bytes:
                    self.path.rename(self._next_part())
        except OSError as error:
            raise StateUnreadable(f"{self.path} cannot be written: {error.strerror}") from error

    def added(self) -> tuple[bool, list[bytes]]:
        """The whole lines that were not read before, oldest first; and whether all begins anew, since a file shrank.

        Raises: StateUnreadable when a file cannot be read.
        """
        anew, lines = False, list[bytes]()
        for file in self._files():
            with file:
                inode, size = _identity(file)
                start = self._read_up_to.get(inode, 0)
                if size < start:
                    anew = True
                    break
                file.seek(start)
                # A line without its end may still be being written, or was cut; it is looked at again.
                whole, _, _ = file.read().rpartition(b"\n")
                self._read_up_to[inode] = start + len(whole) + bool(whole)
                lines += whole.split(b"\n") if whole else []
        if not anew:
            return False, lines
        self._read_up_to = {}
        return True, self.added()[1]

    def parts(self) -> list[Path]:
        """The full parts, oldest first."""
        found = [
            (int(match[1]), path) for path in self.path.parent.glob("runs_log.*.jsonl") if (match := _number(path))
        ]
        return [path for _, path in sorted(found)]

    def paths(self) -> list[Path]:
        """Every file of the log, the latest first."""
        return [*([self.path] if self.path.exists() else []), *reversed(self.parts())]

    @contextmanager
    def _locked(self) -> Iterator[BinaryIO]:
        """The present file, open for adding and locked."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            with self.path.open("a+b", buffering=0) as log:
                fcntl.flock(log, fcntl.LOCK_EX)
                if self._is_present(log):
                    yield log
                    return
                # Another writer filled the part while we waited for the lock.

    def _is_present(self, log: BinaryIO) -> bool:
        try:
            there = self.path.stat()
        except FileNotFoundError:
            return False
        return (there.st_dev, there.st_ino) == _identity(log)[0]

    def _next_part(self) -> Path:
        parts = self.parts()
        last = _number(parts[-1]) if parts else None
        return self.path.with_name(f"runs_log.{int(last[1]) + 1 if last else 1:06d}.jsonl")

    def _files(self) -> list[BinaryIO]:
        """Every part, oldest first, then the present file; listed at a moment in which none was renamed."""
        while True:
            files: list[BinaryIO] = [_opened(part) for part in self.parts()]
            with suppress(FileNotFoundError):
                files.append(_opened(self.path))
            # A part that was filled while we listed may be missing, or be there under both of its names.
            if len({_identity(file)[0] for file in files}) == len(files) == len(self.parts()) + self.path.exists():
                return files
            for file in files:
                file.close()


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StateUnreadable(f"{path} cannot be read: {error.strerror}; make it a file you may read") from error


def _identity(file: BinaryIO) -> tuple[Inode, int]:
    seen = os.fstat(file.fileno())
    return (seen.st_dev, seen.st_ino), seen.st_size


def _number(path: Path) -> re.Match[str] | None:
    return re.fullmatch(r"runs_log\.(\d+)\.jsonl", path.name)


def _is_cut(log: BinaryIO) -> bool:
    # A crash may have left half a line; the next one must not become its end.
    if log.seek(0, os.SEEK_END) == 0:
        return False
    log.seek(-1, os.SEEK_END)
    return log.read(1) != b"\n"

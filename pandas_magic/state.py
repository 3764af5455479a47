"""Files of ours: written whole under another name, then renamed into place; locked while several may write."""

import fcntl
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from pandas_magic.errors import StateUnreadable

_MASK_LOCK = threading.Lock()


def write_whole(path: Path, content: str | Callable[[Path], object], *, durable: bool = True) -> None:
    """Put `content` at `path`: a text, or whatever the function writes to the path that it is given.

    A crash, a full disk or Ctrl-C at any moment leaves the old file or the new one, never a part; a power cut too
    when `durable`, which waits for the disk.

    Raises: StateUnreadable when the folder cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:80]}.", dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise StateUnreadable(f"{path} cannot be written: {error.strerror}; what was there is unchanged") from error
    beside = Path(name)
    try:
        beside.write_text(content, encoding="utf-8") if isinstance(content, str) else content(beside)
        if durable:
            _flush_to_disk(beside)
        beside.chmod(0o666 & ~_umask())
        beside.replace(path)
    except OSError as error:
        raise StateUnreadable(f"{path} cannot be written: {error.strerror}; what was there is unchanged") from error
    finally:
        with suppress(FileNotFoundError):
            beside.unlink()


def _flush_to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _umask() -> int:
    # The only way to read the mask is to set it, which two threads must not do at once.
    with _MASK_LOCK:
        mask = os.umask(0o077)
        os.umask(mask)
        return mask


def append_line(path: Path, line: str) -> None:
    """Add one line to a log that many processes may write to; a line is never split by another."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b", buffering=0) as log:
            fcntl.flock(log, fcntl.LOCK_EX)
            log.write((b"\n" if _is_cut(log) else b"") + line.encode() + b"\n")
    except OSError as error:
        raise StateUnreadable(f"{path} cannot be written: {error.strerror}") from error


def _is_cut(log: BinaryIO) -> bool:
    # A crash may have left half a line; the next one must not become its end.
    if log.seek(0, os.SEEK_END) == 0:
        return False
    log.seek(-1, os.SEEK_END)
    return log.read(1) != b"\n"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock that belongs to `path` (a file beside it), waiting for whoever holds it.

    Raises: StateUnreadable when the folder cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.with_name(f".{path.name}.lock").open("w")
    except OSError as error:
        raise StateUnreadable(f"{path} cannot be locked for writing: {error.strerror}") from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make_folder(folder: Path) -> None:
    """Make the folder and those above it, where they are not there. Raises: StateUnreadable when they cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StateUnreadable(f"the folder {folder} cannot be made: {error.strerror}; name another place") from error


def unversioned_folder(folder: Path) -> None:
    """Make the folder, with a file inside it that keeps it out of git. Raises: StateUnreadable when it cannot be."""
    make_folder(folder)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        write_whole(ignore, "*\n")

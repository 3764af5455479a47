"""Work folders: made for one kernel, measured while it runs, removed whatever the code did to them.

Standard library only. Code may have made thousands of levels, folders without permissions, or names that are no text,
so nothing here recurses, and every step is relative to an open folder.
"""

import os
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Deeper trees count as over any limit; nobody's plots lie below sixty folders.
_DEEPEST_MEASURED = 60


@dataclass(frozen=True)
class Content:
    """What lies in a folder: bytes on disk, number of entries, and whether it goes too deep to be measured."""

    disk_bytes: int
    entries: int
    too_deep: bool = False


def usual_base() -> str:
    """Where private folders go: the user's runtime folder, else the folder for temporary files."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    return runtime if runtime and os.access(runtime, os.W_OK) else tempfile.gettempdir()


def private_root(base: str) -> str:
    """A new folder, mode 0700, for the work folders of one sandbox."""
    return tempfile.mkdtemp(prefix="kernel-sandbox-", dir=base)


def measure(path: str, *, most_entries: int) -> Content:
    """The content of the folder, counted until `most_entries` is passed; what vanishes meanwhile counts nothing."""
    disk_bytes = entries = 0
    pending = [(path, 0)]
    while pending:
        folder, depth = pending.pop()
        if depth > _DEEPEST_MEASURED:
            return Content(disk_bytes, entries, too_deep=True)
        for entry in _reopened(folder):
            entries += 1
            if entries > most_entries:
                return Content(disk_bytes, entries)
            try:
                found = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            disk_bytes += found.st_blocks * 512
            if stat.S_ISDIR(found.st_mode):
                pending.append((entry.path, depth + 1))
    return Content(disk_bytes, entries)


def hidden_bytes(pid: int) -> int:
    """Bytes of files that the process holds open though they have no name any more."""
    total = 0
    for entry in _entries(f"/proc/{pid}/fd"):
        try:
            found = entry.stat()
        except OSError:
            continue
        if stat.S_ISREG(found.st_mode) and found.st_nlink == 0 and found.st_size:
            total += found.st_blocks * 512
    return total


def remove(path: str) -> None:
    """Remove the folder and everything in it, without following links; a folder that is gone is fine.

    Raises: OSError when something in it cannot be removed.
    """
    try:
        top = os.open(path, _FOLDER_FLAGS)
    except FileNotFoundError:
        return
    try:
        _empty(top)
    finally:
        os.close(top)
    Path(path).rmdir()


def _empty(top: int) -> None:
    # Folders found deeper down are first moved to the top, so depth costs neither recursion nor open files.
    moved = 0
    while names := _names(top):
        for name in names:
            if not _is_folder(top, name):
                os.unlink(name, dir_fd=top)
                continue
            os.chmod(name, 0o700, dir_fd=top)
            folder = os.open(name, _FOLDER_FLAGS, dir_fd=top)
            try:
                for inner in _names(folder):
                    if _is_folder(folder, inner):
                        moved += 1
                        # A folder without permissions can not be moved: its ".." entry must be written.
                        os.chmod(inner, 0o700, dir_fd=folder)
                        _move_to_top(inner, folder, top, moved)
                    else:
                        os.unlink(inner, dir_fd=folder)
            finally:
                os.close(folder)
            os.rmdir(name, dir_fd=top)


def _move_to_top(name: bytes, folder: int, top: int, number: int) -> None:
    while True:
        target = b".removing-%d-%d" % (os.getpid(), number)
        try:
            os.stat(target, dir_fd=top, follow_symlinks=False)
        except FileNotFoundError:
            os.rename(name, target, src_dir_fd=folder, dst_dir_fd=top)
            return
        number += 1_000_000


def _names(folder: int) -> list[bytes]:
    # Bytes, not text: a file name need not be any text at all.
    return [os.fsencode(name) for name in os.listdir(folder)]


def _is_folder(parent: int, name: bytes) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            yield from found
    except FileNotFoundError:
        return


def _reopened(folder: str) -> Iterator[os.DirEntry[str]]:
    # Code can make a folder that it may fill but nobody may list; the owner opens it again.
    try:
        yield from _entries(folder)
    except PermissionError:
        Path(folder).chmod(0o700, follow_symlinks=True)
        yield from _entries(folder)

"""Work folders: made for one kernel, measured while it runs, removed whatever the code did to them.

Whoever makes a private root holds it claimed (flock on the folder) until it is removed; the system lets go of the claim
of whoever is killed, and the next one who makes a root removes what nobody claims.
Standard library only. Code may have made thousands of levels, folders without permissions, or names that are no text,
so nothing here recurses, and every step is relative to an open folder.
"""

import errno
import fcntl
import os
import secrets
import stat
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kernel_sandbox.reserved import PRIVATE_PREFIX

_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Deeper trees count as over any limit; nobody's plots lie below sixty folders.
_DEEPEST_MEASURED = 60
# A process that was just killed may still make an entry or two.
_REMOVALS, _REMOVAL_PAUSE_SECONDS = 20, 0.05


# What tells a file from every other, and from one that takes its number later: device, inode, size, and the time of
# change that nobody can set.
KnownBy = tuple[int, int, int, int]


@dataclass(frozen=True)
class Content:
    """What lies in a folder: bytes on disk, number of entries, and whether it goes too deep to be measured."""

    disk_bytes: int
    entries: int
    too_deep: bool = False


def new_root_path(base: str) -> str:
    """The path of a root that is not there yet, with a name that nobody can guess."""
    return os.path.join(base, f"{PRIVATE_PREFIX}{secrets.token_hex(8)}")  # noqa: PTH118 - a path is text here


def private_root(base: str) -> tuple[str, int]:
    """A new folder, mode 0700, for the work folders of one sandbox, and its claim: an open file, to be kept open.

    What was left below `base` by those who were killed is removed first.
    """
    sweep(base)
    path = new_root_path(base)
    return path, claim_root(path)


def claim_root(path: str) -> int:
    """The claim of the root at `path`, which is made if it is not there.

    Raises: OSError when something else is there: a link, or a folder that others own or may enter.
    """
    while True:
        with suppress(FileExistsError):
            Path(path).mkdir(mode=0o700)
        found = os.lstat(path)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
            raise OSError(errno.EPERM, f"{path} is not a private folder of this user")
        claim = os.open(path, _FOLDER_FLAGS)
        fcntl.flock(claim, fcntl.LOCK_EX)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.lstat(path), os.fstat(claim)):
                return claim
        # It was swept in the moment between making and claiming.
        os.close(claim)


def sweep(base: str) -> None:
    """Remove the roots below `base` that this user made and nobody claims any more."""
    for entry in _entries(base):
        if entry.name.startswith(PRIVATE_PREFIX):
            with suppress(OSError):
                _sweep_one(entry.path)


def _sweep_one(path: str) -> None:
    folder = os.open(path, _FOLDER_FLAGS)
    try:
        if os.fstat(folder).st_uid == os.geteuid():
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(path)
    finally:
        os.close(folder)


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


def hidden_bytes(pid: int, staged: Collection[KnownBy] = ()) -> int:
    """Bytes of files that the process holds open though they have no name any more, but for those `staged`.

    Raises: ProcessLookupError when it has ended and was not waited for: its open files are root's then.
    """
    total = 0
    try:
        entries = list(_entries(f"/proc/{pid}/fd"))
    except PermissionError as error:
        raise ProcessLookupError(f"process {pid} is gone") from error
    for entry in entries:
        try:
            found = entry.stat()
        except OSError:
            continue
        is_nameless = stat.S_ISREG(found.st_mode) and found.st_nlink == 0 and found.st_size
        if is_nameless and (found.st_dev, found.st_ino, found.st_size, found.st_ctime_ns) not in staged:
            total += found.st_blocks * 512
    return total


def mapped_bytes(pid: int, folder: str, *, file_bytes: int) -> int:
    """The most bytes that files of the folder can take which live on only because the process has mapped them.

    A mapping does not tell the size of its file, so each counts with the largest that a file may have. The paths of a
    process in namespaces of its own begin elsewhere: for one, `folder` is empty and every such file counts.
    """
    try:
        mappings = Path(f"/proc/{pid}/maps").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    below, gone = os.fsencode(folder) + b"/", b" (deleted)"
    if gone not in mappings:
        return 0
    # Address, rights, offset, device, inode, path.
    fields = (line.split(None, 5) for line in mappings.splitlines() if line.endswith(gone))
    found = ((device, inode, path) for _, _, _, device, inode, path in fields if not path.startswith(b"/memfd:"))
    files = {(device, inode) for device, inode, path in found if path.startswith(below)}
    return len(files) * file_bytes


def remove(path: str) -> None:
    """Remove the folder and everything in it, without following links; a folder that is gone is fine.

    Raises: OSError when something in it cannot be removed.
    """
    for left in reversed(range(_REMOVALS)):
        try:
            _remove_once(path)
            return
        except OSError as error:
            # Somebody else removes it too, or a dying process still fills it.
            if left == 0 or error.errno not in (errno.ENOENT, errno.ENOTEMPTY):
                raise
            time.sleep(_REMOVAL_PAUSE_SECONDS)


def _remove_once(path: str) -> None:
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

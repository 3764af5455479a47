"""Notebook folders as copies: code writes the copy, its files are listed, and one command brings them over.

`copies/NAME/origin.json` says what was copied and from where, beyond the reach of the code; `copies/NAME/folder` is the
work folder. Nothing in the copy is believed: links are never followed, and what runs when somebody opens it, or hides,
is brought over only by its name.
"""

import json
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from kernel_sandbox.keeper import workfolder
from kernel_sandbox.policy import Policy
from kernel_sandbox.reserved import copies_base

_ORIGIN, _FOLDER = "origin.json", "folder"
_VERSION = 1
# Read as data by whoever opens them; anything else may be a program, a pickle or a page with a script.
_DATA_SUFFIXES = """
    .csv .tsv .txt .md .json .jsonl .ndjson .geojson .parquet .feather .arrow .orc .xlsx .ods .xml .yaml .yml .toml .log
    .png .jpg .jpeg .gif .webp .pdf .npy .gz .zst .zip .db .sqlite .sqlite3 .duckdb
"""

Kind = Literal["new", "changed", "changed meanwhile", "program"]


@dataclass(frozen=True)
class Written:
    """One file that code wrote in a copy: its path in the folder, what became of it, and its bytes.

    "changed meanwhile": the original is not the one that was copied. "program": it may run when somebody opens it.
    """

    path: str
    kind: Kind
    file_bytes: int


def begin_copy(policy: Policy, folder: str) -> tuple[Policy, str]:
    """The policy and the folder with which a kernel starts that would have started in `folder`; a copy for "copy".

    Hidden files and links are not copied, and the original is granted no longer.

    Raises: ValueError when the policy names a work folder as well, or the folder holds more than the policy's limits.
    """
    if policy.writes != "copy":
        return policy, folder
    if policy.work is not None:
        raise ValueError('"writes": "copy" makes the work folder by itself; leave "work" out of the policy')
    origin = Path(folder).resolve()
    root = Path(copies_base(), f"{origin.name or 'root'}-{secrets.token_hex(4)}")
    (root / _FOLDER).mkdir(parents=True, mode=0o700)
    try:
        copied = dict(_copied(origin, root / _FOLDER, policy))
    except BaseException:
        workfolder.remove(str(root))
        raise
    content = {"version": _VERSION, "folder": str(origin), "files": copied}
    (root / _ORIGIN).write_text(json.dumps(content, sort_keys=True))
    read = tuple(path for path in policy.read if Path(path).resolve() != origin)
    work = str(root / _FOLDER)
    return replace(policy, read=read, work=work), work


def end_copy(policy: Policy) -> str:
    """One line about what code wrote in its copy, and how to bring it over; without any, the copy is removed."""
    if policy.writes != "copy" or policy.work is None:
        return ""
    root = Path(policy.work).parent
    written = written_files(root.name)
    if not written:
        workfolder.remove(str(root))
        return ""
    names = ", ".join(printable(one.path) for one in written[:5]) + (", …" if len(written) > 5 else "")
    return f"{len(written)} files were written in a copy ({names}); run: python -m kernel_sandbox bring {root.name}"


def copy_names() -> tuple[str, ...]:
    """The names of the copies that were kept, oldest first."""
    base = Path(copies_base())
    found = [one for one in base.iterdir() if (one / _ORIGIN).is_file()] if base.is_dir() else []
    return tuple(one.name for one in sorted(found, key=lambda one: one.stat().st_mtime))


def written_files(name: str) -> tuple[Written, ...]:
    """What code wrote in a copy, by path.

    Raises: FileNotFoundError when there is no copy of that name.
    """
    root, origin, files = _opened(name)
    found = []
    for path, file in _files(root / _FOLDER):
        before = files.get(path)
        if before is None or before[:3] != [file.st_size, file.st_mtime_ns, file.st_ino]:
            found.append(Written(path, _kind(path, origin / path, before), file.st_size))
    return tuple(sorted(found, key=lambda one: one.path))


def bring_over(name: str, *, only: frozenset[str] = frozenset(), overwrite: bool = False) -> tuple[Written, ...]:
    """Copy what code wrote into the folder it would have written, and say which files those were.

    Without `only`, everything but programs; a file that was changed meanwhile needs `overwrite`.

    Raises: FileNotFoundError when there is no copy of that name; OSError when a file cannot be written.
    """
    root, origin, _ = _opened(name)
    brought = []
    for one in written_files(name):
        wanted = one.path in only if only else one.kind != "program"
        if not wanted or (one.kind == "changed meanwhile" and not overwrite):
            continue
        _replace_file(root / _FOLDER / one.path, origin, one.path)
        brought.append(one)
    return tuple(brought)


def drop_copy(name: str) -> None:
    """Remove a copy and everything in it.

    Raises: FileNotFoundError when there is no copy of that name.
    """
    root, _, _ = _opened(name)
    workfolder.remove(str(root))


def printable(path: str) -> str:
    """The path with a question mark for each character that would steer a terminal or reorder text."""
    return "".join(character if character.isprintable() else "?" for character in path)


def _opened(name: str) -> tuple[Path, Path, dict[str, list[int]]]:
    root = Path(copies_base(), Path(name).name)
    if not (root / _ORIGIN).is_file():
        there = ", ".join(copy_names()) or "none"
        raise FileNotFoundError(f'there is no copy "{name}"; kept are: {there}')
    content = json.loads((root / _ORIGIN).read_text())
    return root, Path(content["folder"]), content["files"]


def _copied(origin: Path, into: Path, policy: Policy) -> Iterator[tuple[str, list[int]]]:
    room_bytes, room_files = policy.limits.work_bytes // 2, policy.limits.work_files // 2
    for path, file in _files(origin):
        room_bytes, room_files = room_bytes - file.st_size, room_files - 1
        if room_bytes < 0 or room_files < 0:
            raise ValueError(
                f'{origin} is too large for "writes": "copy" (half of "work_bytes" and "work_files" of the limits); '
                'name a "work" folder in its place'
            )
        target = into / path
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        shutil.copyfile(origin / path, target, follow_symlinks=False)
        made = target.stat()
        yield path, [made.st_size, made.st_mtime_ns, made.st_ino, file.st_size, file.st_mtime_ns]


def _files(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """The regular files below a folder that do not hide, with what the system says of each; links are passed over."""
    pending = [folder]
    while pending:
        with os.scandir(pending.pop()) as scanned:
            entries = [entry for entry in scanned if not entry.name.startswith(".")]
        pending += [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                yield str(Path(entry.path).relative_to(folder)), entry.stat(follow_symlinks=False)


def _kind(path: str, original: Path, before: list[int] | None) -> Kind:
    if Path(path).suffix.lower() not in _DATA_SUFFIXES.split():
        return "program"
    try:
        now = original.lstat()
    except OSError:
        return "new" if before is None else "changed meanwhile"
    if before is None or before[3:] != [now.st_size, now.st_mtime_ns]:
        return "changed meanwhile"
    return "changed"


def _replace_file(source: Path, origin: Path, path: str) -> None:
    target = origin / path
    if not target.parent.resolve().is_relative_to(origin):
        raise PermissionError(f"{target} leads out of {origin} by a link; nothing was written there")
    target.parent.mkdir(parents=True, exist_ok=True)
    # Opened without following a link: the code may have put one in the place of the file meanwhile.
    if source.parent.resolve() != source.parent:
        raise PermissionError(f"{source} is reached by a link; nothing was written")
    descriptor = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as content:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise PermissionError(f"{source} is no file any more; nothing was written")
        part = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
        with part.open("xb") as file:
            shutil.copyfileobj(content, file)
    part.replace(target)

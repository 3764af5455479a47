"""Files that this software wrote for people: rows set apart, verdicts, reports. They lie beside tables and are none.

A record in the workspace's folder of state names each with its size, time and hash: what somebody else writes under
that name is a table again. Reports that came from elsewhere, as by git, are known by how they begin.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from pandas_magic.state import locked, write_whole

STATE = ".pandas_magic"
_RECORD = "outputs.json"
_HEAD_BYTES = 4096
# How our own reports begin: verdicts and the manifest of rows set apart, OpenLineage's first event, JUnit's suite.
_BEGINNINGS = {
    ".json": rb'\{\s*"version": 1,\s*"(checks|tables)": [\[{]'
    rb'|\{"eventType": [^\n]*"producer": "https://pypi\.org/project/pandas-magic/',
    ".xml": rb'(<\?xml[^>]*\?>\s*)?<testsuite name="pandas_magic"',
}
_BEGINNINGS |= {".jsonl": _BEGINNINGS[".json"], ".ndjson": _BEGINNINGS[".json"]}


def write_output(path: Path, content: str | Callable[[Path], object]) -> None:
    """Put `content` at `path`, as `state.write_whole` does, as an output and no table.

    Raises: StateUnreadable when the folder cannot be written.
    """
    write_whole(path, content)
    note_outputs([path])


def note_outputs(paths: Iterable[Path]) -> None:
    """Keep in the workspace that each lies in, and in that of the current folder, that we wrote these files."""
    by_base: dict[Path, list[Path]] = {}
    for path in (path.resolve() for path in paths):
        # Tables may lie in a folder outside of the workspace in which somebody works.
        above = next((folder for folder in path.parents if (folder / STATE).is_dir()), Path.cwd())
        for base in {above, Path.cwd()}:
            if (base / STATE).is_dir():
                by_base.setdefault(base, []).append(path)
    for base, written in by_base.items():
        record = base / STATE / _RECORD
        with locked(record):
            kept = {name: entry for name, entry in _read(record).items() if (base / name).is_file()}
            new = {_name(path, base): {**_stamp(path), "sha256": _digest(path)} for path in written}
            document = {"version": 1, "files": dict(sorted((kept | new).items()))}
            write_whole(record, json.dumps(document, indent=2, ensure_ascii=False) + "\n")


class OwnOutputs:
    """The outputs that the record of a folder of state names, as it is now. Without one (None) only beginnings tell.

    A record that is damaged names none: a file that counts as a table then makes a rule ask, and never passes.
    """

    def __init__(self, state: Path | None) -> None:
        self._base = state.parent.resolve() if state is not None else None
        self._record = state / _RECORD if state is not None else None
        self._read: tuple[object, Mapping[str, Any]] = (None, {})
        self._hashed: dict[tuple[Path, object], str] = {}

    def changed_at(self) -> object:
        """What changes whenever the record does; None when there is none."""
        try:
            return None if self._record is None else self._record.stat().st_mtime_ns
        except OSError:
            return None

    def named(self, path: Path) -> bool:
        """Whether the record names this file, whatever it holds now."""
        return self._entry(path) is not None

    def has(self, path: Path) -> bool:
        """Whether this file, as it is now, is an output of ours."""
        entry = self._entry(path)
        if entry is not None and self._is_same(path, entry):
            return True
        beginning = _BEGINNINGS.get(path.suffix.lower())
        if beginning is None:
            return False
        try:
            with path.open("rb") as file:
                return re.match(beginning, file.read(_HEAD_BYTES)) is not None
        except OSError:
            return False  # reading it as a table says why

    def _entry(self, path: Path) -> Mapping[str, Any] | None:
        if self._record is None or self._base is None:
            return None
        now = self.changed_at()
        if now is None or now != self._read[0]:
            self._read = (now, _read(self._record))
        entry = self._read[1].get(_name(path.resolve(), self._base))
        return entry if isinstance(entry, dict) else None

    def _is_same(self, path: Path, entry: Mapping[str, Any]) -> bool:
        try:
            stamp = _stamp(path)
            if stamp["bytes"] != entry.get("bytes"):
                return False
            if stamp["modified_ns"] == entry.get("modified_ns"):
                return True
            key = (path, stamp["modified_ns"])
            if key not in self._hashed:
                self._hashed[key] = _digest(path)
            return self._hashed[key] == entry.get("sha256")
        except OSError:
            return False


def _stamp(path: Path) -> dict[str, int]:
    stat = path.stat()
    return {"bytes": stat.st_size, "modified_ns": stat.st_mtime_ns}


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _name(path: Path, base: Path) -> str:
    """The path below the workspace, which may be moved; else the whole path."""
    return str(path.relative_to(base)) if path.is_relative_to(base) else str(path)


def _read(record: Path) -> dict[str, Any]:
    try:
        content = json.loads(record.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    files = content.get("files") if isinstance(content, dict) else None
    return files if isinstance(files, dict) else {}

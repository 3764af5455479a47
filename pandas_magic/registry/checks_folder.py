"""The registry as a folder: one file per check, so that branches merge and a save touches one file.

Nothing lists the checks but the folder itself: an index would be what two branches conflict in. Loading lists names;
a file is read when its check is asked for.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pandas_magic.errors import NoSuchName, StateUnreadable, UsageMistake
from pandas_magic.registry.check_file import SUFFIX, check_text, damaged, file_name, id_of, read_check
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.single_file import read_single_file
from pandas_magic.state import locked, unversioned_folder, write_whole

_FIRST_ID = "CHK-001"


class Checks(Mapping[str, CompiledCheck]):
    """Compiled checks by their ids, sorted; each is read when it is first asked for.

    Looking one up raises StateUnreadable when its file is damaged; the others are not touched by that.
    """

    def __init__(self, paths: Mapping[str, Path], known: Mapping[str, CompiledCheck]) -> None:
        self._ids = dict.fromkeys(sorted({*paths, *known}))
        self._paths, self._read = paths, dict(known)

    def __getitem__(self, check_id: str) -> CompiledCheck:
        if check_id not in self._read:
            path = self._paths[check_id]
            self._read[check_id] = read_check(path, _text(path))
        return self._read[check_id]

    def __contains__(self, check_id: object) -> bool:
        # Whether it is there is known without reading it.
        return check_id in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def with_rule(self, rule_digest: str) -> CompiledCheck | None:
        """The first check compiled from the rule of this digest, or None. Only files that mention it are parsed."""
        sought = f'"{rule_digest}"'
        for check_id in self:
            if check_id not in self._read and sought not in _text(self._paths[check_id]):
                continue
            if self[check_id].rule_digest == rule_digest:
                return self[check_id]
        return None


class Registry:
    """The checks in `folder`, which need not exist yet. Every call sees the files as they are now.

    A `registry.json` of an earlier release beside the folder is read as well, until the next save moves it over.
    `lock_folder` is where the lock of writers lies, out of git's sight; beside the checks when it is not given.
    """

    def __init__(self, folder: Path, *, lock_folder: Path | None = None) -> None:
        self.folder = folder
        self._single_file = folder.with_name(folder.name + SUFFIX)
        self._lock_folder = lock_folder

    def load(self) -> Checks:
        """Every compiled check by its id, sorted; each read when it is asked for.

        Raises: StateUnreadable when a registry of an earlier release is damaged.
        """
        paths = self._paths()
        return Checks(paths, self._in_single_file(paths))

    def get(self, check_id: str) -> CompiledCheck:
        """One compiled check. Raises: NoSuchName with the nearest id; StateUnreadable when its file is damaged."""
        checks = self.load()
        if check_id not in checks:
            raise NoSuchName("check", check_id, checks, within="the registry")
        return checks[check_id]

    def save(self, compiled: CompiledCheck) -> None:
        """Write one check's file; no other is touched, but those of an earlier release's file, which is moved over."""
        with self._for_writing():
            self._write(compiled)

    def add(self, compiled: CompiledCheck) -> CompiledCheck:
        """Write a check that nobody named, under its id, or the next one when another process just took that.

        Gives back the check as it was written.
        """
        with self._for_writing():
            if compiled.id in self.load():
                check = compiled.check.model_copy(update={"id": self.next_id()})
                compiled = compiled.model_copy(update={"check": check})
            self._write(compiled)
        return compiled

    def change(self, check_id: str, change: Callable[[CompiledCheck], CompiledCheck]) -> CompiledCheck:
        """Write what `change` makes of a check; nobody else writes between its reading and its writing.

        Raises: NoSuchName, StateUnreadable, and whatever `change` does; then nothing is written.
        """
        with self._for_writing():
            before = self.get(check_id)
            after = change(before)
            if after != before:
                self._write(after)
        return after

    def next_id(self, taken: Iterable[str] = ()) -> str:
        """The first free id: `CHK-nnn`, one above the highest."""
        names = (*self.load(), *taken)
        numbers = [int(match[1]) for name in names if (match := re.fullmatch(r"CHK-(\d+)", name))]
        return f"CHK-{max(numbers) + 1:03d}" if numbers else _FIRST_ID

    def _paths(self) -> dict[str, Path]:
        try:
            names = os.listdir(self.folder)  # noqa: PTH208 - thousands of names, a third of the time
        except FileNotFoundError:
            return {}
        files = [self.folder / name for name in names if name.endswith(SUFFIX) and not name.startswith(".")]
        return {id_of(path): path for path in files}

    @contextmanager
    def _for_writing(self) -> Iterator[None]:
        """Alone among the writers, and with nothing left in an earlier release's file."""
        if self._lock_folder is not None:
            unversioned_folder(self._lock_folder)
        with locked((self._lock_folder or self.folder) / "registry"):
            self._move_over()
            yield

    def _in_single_file(self, paths: Mapping[str, Path]) -> dict[str, CompiledCheck]:
        """The checks of an earlier release's file that have no file of their own, or an older one."""
        earlier = read_single_file(self._single_file)
        return {
            check_id: compiled
            for check_id, compiled in earlier.items()
            if check_id not in paths or _compiled_at(paths[check_id]) < compiled.compiled_at
        }

    def _move_over(self) -> None:
        # Stopped at any moment, both together still hold every check: the single file goes last.
        if not self._single_file.exists():
            return
        for compiled in self._in_single_file(self._paths()).values():
            self._write(compiled, durable=False)
        os.sync()
        self._single_file.unlink()

    def _write(self, compiled: CompiledCheck, *, durable: bool = True) -> None:
        if not compiled.id:
            raise UsageMistake("a check without an id cannot be kept; give it one, such as CHK-001")
        write_whole(self.folder / file_name(compiled.id), check_text(compiled), durable=durable)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise damaged(path, error) from error


def _compiled_at(path: Path) -> str:
    try:
        return read_check(path, _text(path)).compiled_at
    except StateUnreadable:
        return "~"  # later than any time: what is damaged is shown, not hidden behind an earlier release's entry

"""The registry as a folder: one file per check, so that branches merge and a save touches one file.

Nothing lists the checks but the folder itself: an index would be what two branches conflict in. Loading lists names;
a file is read when its check is asked for.
"""

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path

from pandas_magic.errors import NoSuchName, PandasMagicError, StateUnreadable, UsageMistake
from pandas_magic.registry.check_file import SUFFIX, check_text, file_name, read_check, text_of
from pandas_magic.registry.check_files import CheckFiles, look_into
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.single_file import read_single_file
from pandas_magic.state import locked, unversioned_folder, write_whole

Change = Callable[[CompiledCheck], CompiledCheck]

_FIRST_ID = "CHK-001"
_SETTLED_NANOSECONDS = 3_000_000_000  # above the tick of every file system's clock; FAT's is two seconds


class Checks(Mapping[str, CompiledCheck]):
    """Compiled checks by their ids, sorted; each is read when it is first asked for, all of them when all are.

    A file that cannot be read is that check's problem only: it stands in `damaged` and is passed over by everything
    but a look at its own id, which raises StateUnreadable.
    """

    def __init__(self, files: CheckFiles, known: Mapping[str, CompiledCheck], damaged: Mapping[str, str]) -> None:
        self._files, self._read, self._damaged = files, dict(known), dict(damaged)

    @cached_property
    def ids(self) -> KeysView[str]:
        """Every check's id, the damaged ones' too, sorted; known without reading whole files."""
        return dict.fromkeys(sorted({*self._files.of_id, *self._read, *self._damaged})).keys()

    def __getitem__(self, check_id: str) -> CompiledCheck:
        if check_id in self._damaged:
            raise StateUnreadable(self._damaged[check_id])
        if check_id not in self._read:
            path = self._files.only(check_id)
            self._read[check_id] = read_check(path, text_of(path))
        return self._read[check_id]

    def __contains__(self, check_id: object) -> bool:
        with suppress(KeyError, StateUnreadable):
            return self[str(check_id)] is not None
        return False

    def __iter__(self) -> Iterator[str]:
        return (check_id for check_id in self.ids if check_id not in self.damaged)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def named(self, check_id: str) -> CompiledCheck:
        """One of them. Raises: NoSuchName with the nearest id; StateUnreadable when its file is damaged."""
        try:
            return self[check_id]
        except KeyError:
            raise NoSuchName("check", check_id, self.ids, within="the registry") from None

    @cached_property
    def damaged(self) -> Mapping[str, str]:
        """What cannot be read, and why, in one line that names the file and the way out.

        By the check's id as its file or else the file's name has it.
        """
        found = {}
        for check_id in self.ids:
            try:
                self[check_id]
            except StateUnreadable as error:
                found[check_id] = str(error)
        return found

    def with_rule(self, rule_digest: str) -> CompiledCheck | None:
        """The first check compiled from the rule of this digest, or None. Only files that mention it are parsed."""
        sought = f'"{rule_digest}"'
        for check_id in self.ids:
            with suppress(StateUnreadable):
                if check_id not in self._read and sought not in text_of(self._files.only(check_id)):
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
        self._files: tuple[int, CheckFiles] | None = None  # as they were when the folder changed at that time

    def load(self) -> Checks:
        """Every compiled check by its id, sorted; each read when it is asked for.

        Raises: StateUnreadable when the folder itself cannot be read.
        """
        files = self._check_files()
        return Checks(files, *self._in_single_file(files))

    def get(self, check_id: str) -> CompiledCheck:
        """One compiled check. Raises: NoSuchName with the nearest id; StateUnreadable when its file is damaged."""
        return self.load().named(check_id)

    def save(self, compiled: CompiledCheck) -> None:
        """Write one check's file; no other is touched, but those of an earlier release's file, which is moved over."""
        with self._for_writing():
            self._write(compiled)

    def add(self, compiled: CompiledCheck) -> CompiledCheck:
        """Write a check that nobody named, under its id, or the next one when another process just took that.

        Gives back the check as it was written.
        """
        with self._for_writing():
            if compiled.id in self.load().ids:
                check = compiled.check.model_copy(update={"id": self.next_id()})
                compiled = compiled.model_copy(update={"check": check})
            self._write(compiled)
        return compiled

    def change(self, check_id: str, change: Change) -> CompiledCheck:
        """Write what `change` makes of a check; nobody else writes between its reading and its writing.

        Raises: NoSuchName, StateUnreadable, and whatever `change` does; then nothing is written.
        """
        outcome = self.change_each([check_id], change)[check_id]
        if isinstance(outcome, PandasMagicError):
            raise outcome
        return outcome

    def change_each(self, check_ids: Sequence[str], change: Change) -> dict[str, CompiledCheck | PandasMagicError]:
        """The same for many checks at once; the error of one stands in its place and stops no other."""
        done: dict[str, CompiledCheck | PandasMagicError] = {}
        are_many = len(check_ids) > 1
        with self._for_writing():
            checks = self.load()
            for check_id in check_ids:
                try:
                    before = checks.named(check_id)
                    done[check_id] = after = change(before)
                except PandasMagicError as error:
                    done[check_id] = error
                    continue
                if after != before:
                    self._write(after, durable=not are_many)
            if are_many:
                os.sync()  # one wait for the disk in place of one for each file
        return done

    def remove(self, check_ids: Sequence[str]) -> dict[Path, bytes]:
        """Delete the files of these checks, and give back what they held; one without a file is passed over.

        Raises: StateUnreadable when two files hold the same check; then nothing is deleted.
        """
        with self._for_writing():
            files = look_into(self.folder)
            paths = [files.only(check_id) for check_id in check_ids if check_id in files.of_id]
            held = {path: path.read_bytes() for path in paths}
            for path in paths:
                path.unlink()
        return held

    def put_back(self, held: Mapping[Path, bytes]) -> None:
        """Write files that were deleted as they were. Raises: UsageMistake when one is there again."""
        with self._for_writing():
            if taken := [path for path in held if path.exists()]:
                raise UsageMistake(f"{taken[0]} is there again; nothing was put back")
            for path, content in held.items():
                write_whole(path, partial(_fill, content))

    def next_id(self, taken: Iterable[str] = ()) -> str:
        """The first free id: `CHK-nnn`, one above the highest."""
        names = (*self.load().ids, *taken)
        numbers = [int(match[1]) for name in names if (match := re.fullmatch(r"CHK-(\d+)", name))]
        return f"CHK-{max(numbers) + 1:03d}" if numbers else _FIRST_ID

    def _check_files(self) -> CheckFiles:
        # Asked for with every check of a run. What changed just now may change again within a tick of the clock.
        changed = self._changed()
        if self._files is not None and self._files[0] == changed:
            return self._files[1]
        files = look_into(self.folder)
        settled = time.time_ns() - changed > _SETTLED_NANOSECONDS
        self._files = (changed, files) if settled and files.in_order else None
        return files

    def _changed(self) -> int:
        try:
            return self.folder.stat().st_mtime_ns
        except OSError:
            return 0

    @contextmanager
    def _for_writing(self) -> Iterator[None]:
        """Alone among the writers, and with nothing left in an earlier release's file."""
        if self._lock_folder is not None:
            unversioned_folder(self._lock_folder)
        with locked((self._lock_folder or self.folder) / "registry"):
            self._move_over()
            yield

    def _in_single_file(self, files: CheckFiles) -> tuple[dict[str, CompiledCheck], dict[str, str]]:
        """The checks of an earlier release's file that have no file of their own, or an older one; and its damage."""
        try:
            earlier = read_single_file(self._single_file)
        except StateUnreadable as error:
            return {}, {self._single_file.name: str(error)}
        return {
            check_id: compiled
            for check_id, compiled in earlier.items()
            if check_id not in files.of_id or _compiled_at(files, check_id) < compiled.compiled_at
        }, {}

    def _move_over(self) -> None:
        # Stopped at any moment, both together still hold every check: the single file goes last.
        if not self._single_file.exists():
            return
        kept, unreadable = self._in_single_file(look_into(self.folder))
        if unreadable:
            return
        for compiled in kept.values():
            self._write(compiled, durable=False)
        os.sync()
        self._single_file.unlink()

    def _write(self, compiled: CompiledCheck, *, durable: bool = True) -> None:
        if not compiled.id:
            raise UsageMistake("a check without an id cannot be kept; give it one, such as CHK-001")
        write_whole(self.folder / file_name(compiled.id), check_text(compiled), durable=durable)


def _fill(content: bytes, path: Path) -> None:
    path.write_bytes(content)


def _compiled_at(files: CheckFiles, check_id: str) -> str:
    try:
        path = files.only(check_id)
        return read_check(path, text_of(path)).compiled_at
    except StateUnreadable:
        return "~"  # later than any time: what is damaged is shown, not hidden behind an earlier release's entry

"""The tables in the files of a folder, and of its sub-folders, by name."""

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pandas_magic.catalog.cache.columnar import ColumnarCache, key_of
from pandas_magic.catalog.file_stamp import stamp_of
from pandas_magic.catalog.formats import feather, format_of, is_compressed, orc, parquet, table_name
from pandas_magic.catalog.formats.opening import format_by_suffix, name_of_part, parts_of
from pandas_magic.catalog.outputs import OwnOutputs
from pandas_magic.catalog.readers import ReadOptions
from pandas_magic.catalog.sources.addresses import Location, Source
from pandas_magic.catalog.sources.dataset_table import DatasetTable, is_partitioned
from pandas_magic.catalog.sources.file_table import FileTable
from pandas_magic.errors import TableUnreadable

# A folder's time of change may be this coarse, so a change within it could go unseen.
_COARSE_SECONDS = 0.1
# In a folder that holds other things as well, such as a workspace, these are hardly ever tables.
_PROSE = frozenset({"text", "YAML", "Word", "PDF", "image", "archive", "7z archive"})
_OURS = frozenset({"tables.toml"})
_HIDDEN = (".", "~$")  # the second: what Excel and Word keep beside a file while somebody has it open
_DATASETS = {"Parquet": parquet.dataset, "Feather": feather.dataset, "ORC": orc.dataset}


@dataclass(frozen=True)
class ListedFile:
    """A table that a folder holds: the file, the part of it, and the sub-folder."""

    path: Path
    part: str = ""
    group: str = ""
    alone: bool = True  # whether the file holds no other table

    def whole_name(self) -> str:
        """A name with the file's suffix, for when the one without it is that of another table as well."""
        place = f"{self.group}/{self.path.name}" if self.group else self.path.name
        return place if self.alone else f"{place}_{name_of_part(self.part)}"


class Folder:
    """The tables in a folder, and in its sub-folders, which are their groups.

    A file's table is called like the file; one of several in a file `book_sheet`; one in a sub-folder `group_file`.
    Where two would have one name, each has its file's with the suffix, and the bare name is none. When the folder does
    not hold `only_tables`, its sub-folders, texts, documents, images and archives are left out. Our `own` outputs are
    no tables anywhere.
    """

    def __init__(
        self,
        path: Path,
        cache: ColumnarCache | None,
        options: Mapping[str, Location],
        *,
        only_tables: bool = True,
        own: OwnOutputs | None = None,
    ) -> None:
        self.path, self._cache, self._options, self._only_tables = path, cache, options, only_tables
        self._own = own or OwnOutputs(None)
        self._outputs: dict[str, Path] = {}
        self._passed_over: list[Path] = []
        self._shared: dict[str, list[str]] = {}
        self._listed: tuple[object, dict[str, list[ListedFile]]] | None = None
        self._scanned = [str(path)]
        self._sources: dict[ListedFile, Source] = {}
        self._parts: dict[tuple[Path, str], list[str]] = {}

    def names(self) -> list[str]:
        """The names of the tables."""
        return list(self._entries())

    def find(self, name: str) -> Source | None:
        """The table of that name; None when there is none.

        Raises: TableUnreadable when several files could be meant, or when it is an output of ours.
        """
        entries = self._entries().get(name, [])
        if len(entries) > 1:
            raise TableUnreadable(f'table "{name}" could be any of {self.places(name)}; rename all but one')
        if not entries and name in self._shared:
            raise TableUnreadable(f'table "{name}" could be any of {self.places(name)}; name the one that is meant')
        if not entries and name in self._outputs:
            place = self._outputs[name].relative_to(self.path)
            raise TableUnreadable(f'"{name}" is {place}, an output of ours, not a table; copy it to check it')
        return self._source(name, entries[0]) if entries else None

    def shared_names(self) -> Mapping[str, Sequence[str]]:
        """The bare names that several tables would have, and the names that these have instead."""
        self._entries()
        return self._shared

    def passed_over(self) -> dict[str, str]:
        """Files and folders that are no tables, by their place below the folder, with the reason.

        A folder that holds other things as well is full of such files: of these only old Word documents are told.
        """
        self._entries()
        told = [path for path in self._passed_over if self._only_tables or path.suffix.lower() == ".doc"]
        return {str(path.relative_to(self.path)): _why_not(path) for path in told}

    def places(self, name: str) -> str:
        """The files, and the parts of them, that hold a table of that name, in words; "" when there is none.

        Of a bare name that several would share, the names that they have instead.
        """
        entries = self._entries()
        if name in self._shared:
            return ", ".join(self._shared[name])
        return ", ".join(
            str(entry.path.relative_to(self.path)) + (f" ({entry.part})" if entry.part else "")
            for entry in entries.get(name, [])
        )

    def _source(self, name: str, entry: ListedFile) -> Source:
        if entry not in self._sources:
            # What is said of reading "bad" holds for bad.csv, whatever lies beside it.
            location = self._options.get(name) or self._options.get(table_name(entry.path))
            options = location.read if location else ReadOptions()
            self._sources[entry] = file_source(
                name, entry.path, self._cache, options, part=entry.part, group=entry.group
            )
        return self._sources[entry]

    def _entries(self) -> dict[str, list[ListedFile]]:
        stamp = self._stamp()
        if self._listed is None or stamp is None or self._listed[0] != stamp:
            # A sub-folder that comes or goes changes the time of its parent, so those of this scan are enough.
            found = self._scan()
            self._listed = (self._stamp(), found)
        return self._listed[1]

    def _stamp(self) -> object:
        """The times of change of everything looked at; None when one is too fresh to tell further changes."""
        try:
            times = [(folder, Path(folder).stat().st_mtime) for folder in self._scanned]
        except OSError:
            return None
        newest = max(changed for _, changed in times)
        return (self._own.changed_at(), *times) if time.time() - newest > _COARSE_SECONDS else None

    def _scan(self) -> dict[str, list[ListedFile]]:
        found: dict[str, list[ListedFile]] = {}
        self._scanned, self._outputs, self._shared, self._passed_over = [str(self.path)], {}, {}, []
        if not self.path.is_dir():
            return found
        for path in sorted(self.path.iterdir()):
            if path.name.startswith(_HIDDEN):
                continue
            if path.is_dir():
                if self._cache is None or path.absolute() != self._cache.folder.absolute():
                    self._scan_folder(path, found)
            elif path.is_file() and self._is_meant(path):
                self._add_file(path, "", found)
            elif path.name not in _OURS:
                self._passed_over.append(path)
        return self._apart(found)

    def _apart(self, found: Mapping[str, list[ListedFile]]) -> dict[str, list[ListedFile]]:
        """The same with a name of its own for each table, where its file and part give one."""
        apart: dict[str, list[ListedFile]] = {name: entries for name, entries in found.items() if len(entries) == 1}
        for name, entries in found.items():
            whole = {entry.whole_name(): [entry] for entry in entries}
            if len(entries) > 1 and len(whole) == len(entries) and not whole.keys() & apart.keys():
                apart |= whole
                self._shared[name] = list(whole)
            elif len(entries) > 1:
                apart[name] = entries
        return apart

    def _is_meant(self, path: Path) -> bool:
        form = format_of(path)
        return form is not None and (self._only_tables or form.word not in _PROSE)

    def _scan_folder(self, folder: Path, found: dict[str, list[ListedFile]]) -> None:
        if not os.access(folder, os.R_OK | os.X_OK):
            return
        self._scanned.append(str(folder))
        if is_partitioned(folder):
            found.setdefault(table_name(folder), []).append(ListedFile(folder))
            return
        if not self._only_tables:
            return
        for path in sorted(each for each in folder.iterdir() if not each.name.startswith(_HIDDEN)):
            if path.is_file() and format_of(path) is not None:
                self._add_file(path, folder.name, found)
            else:
                self._passed_over.append(path)

    def _add_file(self, path: Path, group: str, found: dict[str, list[ListedFile]]) -> None:
        stem = f"{group}_{table_name(path)}" if group else table_name(path)
        if self._own.named(path):
            self._scanned.append(str(path))  # somebody may write a table in its place
        if self._own.has(path):
            self._outputs |= {stem: path, path.name: path}
            return
        parts = self._parts_of(path)
        for part in parts:
            name = f"{stem}_{name_of_part(part)}" if len(parts) > 1 else stem
            found.setdefault(name, []).append(ListedFile(path, part, group, len(parts) == 1))

    def _parts_of(self, path: Path) -> list[str]:
        form = format_of(path)
        if form is None or not form.many:
            return [""]
        self._scanned.append(str(path))  # its tables may change without the folder doing so
        try:
            identity = stamp_of(path.stat())
            if (path, identity) not in self._parts:
                self._parts[(path, identity)] = self._listed_parts(path, identity) or [""]
            return self._parts[(path, identity)]
        except (TableUnreadable, OSError):
            return [""]  # it is listed under its own name; reading it says what is wrong

    def _listed_parts(self, path: Path, identity: str) -> list[str]:
        key = key_of("parts", path.absolute())
        known = self._cache.parts(key, identity) if self._cache is not None else None
        if known is None:
            known = parts_of(path)
            if self._cache is not None:
                self._cache.keep_parts(key, identity, known)
        return known


def file_source(
    name: str,
    path: Path,
    cache: ColumnarCache | None,
    options: ReadOptions,
    *,
    part: str = "",
    group: str = "",
) -> Source:
    """The table in a file, or in a folder of Parquet files: read column by column where the format allows."""
    if path.is_dir():
        return DatasetTable(name, path, parquet.dataset, cache, group)
    form = format_by_suffix(path)
    opener = _DATASETS.get(form.word)
    if opener is not None and not is_compressed(path) and not _is_stream(path):
        return DatasetTable(name, path, opener, cache, group)
    return FileTable(name, path, cache, options, part, group)


def _is_stream(path: Path) -> bool:
    """Whether an Arrow file has no footer by which single columns could be found."""
    form = format_of(path)
    try:
        return form is not None and form.word == "Feather" and feather.is_stream(path)
    except OSError:
        return False  # reading it says why


def _why_not(path: Path) -> str:
    if path.is_dir():
        return "folders below a sub-folder are not looked into"
    if path.suffix.lower() == ".doc":
        return "an old Word document cannot be read; save it as .docx"
    return f"{path.suffix or 'a file without a suffix'} is of no kind that is read"

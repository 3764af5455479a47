"""Where tables come from: files, databases, object stores, and DataFrames of the notebook."""

import copy
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Self

import pandas as pd
import pyarrow as pa

from pandas_magic.catalog.cache.columnar import ColumnarCache
from pandas_magic.catalog.formats.opening import named_parts
from pandas_magic.catalog.given import named_tables, refuse_folder
from pandas_magic.catalog.glossary import GLOSSARY_FILE, NO_GLOSSARY, Glossary, GlossaryFile
from pandas_magic.catalog.mixed_cells import refuse_mixed
from pandas_magic.catalog.outputs import OwnOutputs
from pandas_magic.catalog.readers import ReadOptions
from pandas_magic.catalog.sources.addresses import (
    DECLARED,
    Location,
    Source,
    declared_locations,
    open_source,
    place_of,
)
from pandas_magic.catalog.sources.dataset_table import DatasetTable
from pandas_magic.catalog.sources.file_sizes import file_bytes_of
from pandas_magic.catalog.sources.folder import Folder, file_source
from pandas_magic.catalog.sources.memory import FrameTable, is_frame
from pandas_magic.catalog.sources.part_table import PartTable
from pandas_magic.catalog.table import Table, ValueKind, kind_of
from pandas_magic.errors import NoSuchName, TableUnreadable, UsageMistake

__all__ = ["Catalog", "Source", "Table", "ValueKind", "kind_of"]

# An address that did not answer is not asked again so soon: each try may take seconds.
_RETRY_SECONDS = 30.0


class Catalog:
    """The tables of a workspace by name.

    A DataFrame of the notebook stands before a file of the same name, since that is what the name means there. A
    `tables.toml` beside the files names tables elsewhere, and says how files are to be read. The folder of `state`
    tells which files are outputs of ours, and so no tables. Files over `most_file_bytes` are not read; 0: all are. What
    a `glossary.toml` beside it says comes with every schema.
    """

    holds_still = False  # a table may have changed each time it is asked for
    since = ""  # only partitions at or after it are there, of tables that have any; "": all rows are

    def __init__(
        self,
        folder: Path | None = None,
        *,
        given: Mapping[str, object] | None = None,
        namespace: Mapping[str, object] | None = None,
        cache: Path | None = None,
        declared: Path | None = None,
        state: Path | None = None,
        most_file_bytes: int = 0,
    ) -> None:
        self._folder, self._most_file_bytes = folder, most_file_bytes
        self.cache = ColumnarCache(cache) if cache is not None else None
        self._namespace = namespace if namespace is not None else {}
        self._locations = declared_locations(folder, declared)
        # A workspace without a folder for its tables holds notebooks, checks and texts beside them.
        is_workspace = folder is not None and declared is not None and folder == declared.parent
        self._files = (
            Folder(folder, self.cache, self._locations, only_tables=not is_workspace, own=OwnOutputs(state))
            if folder is not None
            else None
        )
        self._elsewhere: dict[str, Mapping[str, Source]] = {}
        self._failed: dict[str, tuple[float, TableUnreadable]] = {}
        self._parts: dict[str, PartTable] = {}
        beside = declared.parent if declared is not None else folder
        self._glossary = GlossaryFile(beside / GLOSSARY_FILE) if beside is not None else None
        self._called: dict[str, tuple[Table, Table]] = {}  # a schema as it was described, and with the glossary
        self._told = named_tables(given)
        self._given = {name: self._source(name, table) for name, table in self._told.items()}

    def part_since(self, value: str) -> Self:
        """The same tables; of those in several files of one folder only the partitions at or after `value`; "": all."""
        part = copy.copy(self)
        part.since, part._parts = value, {}
        return part

    def take_in(self, name: str, file: Path) -> list[str]:
        """The names of the tables of a file from now on: this one, or with the name of each of its sheets behind it.

        Raises: TableUnreadable when it holds none, and then there is no such table.
        """
        if parts := named_parts(name, file):
            self._told |= dict.fromkeys(parts, file)
            sources = {own: file_source(own, file, self.cache, ReadOptions(), part=part) for own, part in parts.items()}
            self._given |= sources
            return list(parts)
        self._given[name], self._told[name] = self._source(name, file), file
        try:
            self.schema(name)
        except BaseException:
            del self._given[name], self._told[name]
            raise
        return [name]

    def names(self) -> list[str]:
        """Every table's name, sorted. Those at an address that cannot be reached are called like their section."""
        return sorted({*self._given, *self._frames(), *self._names_elsewhere(), *self._names_of_files()})

    def schema(self, name: str) -> Table:
        """The schema of a table, with the glossary. Raises: NoSuchName, TableUnreadable, GlossaryUnreadable."""
        table, glossary = self._find(name).schema(), self.glossary()
        if not glossary:
            return table
        described, called = self._called.get(name, (None, table))
        if described is not table or called.glossary is not glossary:  # so that the same schema is the same object
            called = table.model_copy(update={"glossary": glossary})
            self._called[name] = (table, called)
        return called

    def glossary(self) -> Glossary:
        """What people call things. Raises: GlossaryUnreadable."""
        return self._glossary.read() if self._glossary is not None else NO_GLOSSARY

    def schemas(self, names: Sequence[str] = ()) -> dict[str, Table]:
        """The schemas of the tables named, or of all that can be read when none is."""
        with self.cache.gathering() if self.cache is not None else nullcontext():
            return {name: self.schema(name) for name in names} if names else self._readable()

    def shared_names(self) -> Mapping[str, Sequence[str]]:
        """Bare names of files that several tables would have, each with the names that these have instead."""
        return self._files.shared_names() if self._files is not None else {}

    def passed_over(self) -> Mapping[str, str]:
        """Files in the folder of tables that are no tables, by their place in it, with the reason."""
        return self._files.passed_over() if self._files is not None else {}

    def stands_before(self, name: str) -> str:
        """What is read in place of a file or address of that name, and which: "the DataFrame of the notebook, not …".

        "" where nothing stands before it.
        """
        if name not in self._given and name not in self._frames():
            return ""
        place = self._files.places(name) if self._files is not None else ""
        place = place or (f"what {DECLARED} calls so" if name in self._addresses() else "")
        if not place or name not in self._given:
            return f"the DataFrame of the notebook, not {place}" if place else ""
        if isinstance(self._given[name], FrameTable):
            return f"the DataFrame that was given, not {place}"
        given = self.given_place(name)
        return f"{given}, not {place}" if given else ""

    def given_place(self, name: str) -> str:
        """The file or address that was given as that table, without credentials; "" where none was, or its own file."""
        given = place_of(self._told.get(name))
        own = self._files.places(name) if given and self._files is not None else ""
        return "" if own and self._folder is not None and given == place_of(self._folder / own) else given

    def unreadable(self) -> dict[str, str]:
        """Why each table that cannot be read cannot, in one line."""
        reasons = {}
        for name in self.names():
            try:
                self.schema(name)
            except TableUnreadable as error:
                reasons[name] = str(error)
        return reasons

    def frame(self, name: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The rows of a table on a RangeIndex.

        Raises: NoSuchName; TableUnreadable, also where one of the columns named holds values of several kinds.
        """
        frame = self._find(name).frame(columns)
        refuse_mixed(name, frame, columns or ())
        return frame

    def rows(self, name: str, positions: Sequence[int]) -> pd.DataFrame:
        """Whole rows of a table by position, with their owner's index."""
        return self._find(name).rows(positions)

    def batches(self, name: str, columns: Sequence[str], *, rows: int) -> Iterator[pa.Table]:
        """The rows of a table in order, about `rows` at a time; at least one batch, which may be empty."""
        return self._find(name).batches(columns, rows=rows)

    def source(self, name: str) -> Source:
        """The table as it is read, for those who need its file. Raises: NoSuchName, TableUnreadable."""
        return self._find(name)

    def identity(self, name: str) -> str:
        """What changes whenever the table does; "" when that cannot be told."""
        return self._find(name).identity()

    def _readable(self) -> dict[str, Table]:
        readable = {}
        for name in self.names():
            try:
                readable[name] = self.schema(name)
            except TableUnreadable:
                continue  # one broken file must not stand in the way of rules about others; naming it tells why
        return readable

    def _find(self, name: str) -> Source:
        found = self._found(name)
        size = file_bytes_of(found) if self._most_file_bytes else None
        if size is not None and size > self._most_file_bytes:
            raise TableUnreadable(
                f'table "{name}" is a file of {size:,} bytes, over the limit of {self._most_file_bytes:,}; '
                "raise max_file_bytes (max_file_size_mb, PYTHON_CODE_MAX_FILE_SIZE) to read it"
            )
        if self.since and isinstance(found, DatasetTable) and found.path.is_dir():
            return self._part_of(found)
        return found

    def _part_of(self, whole: DatasetTable) -> Source:
        known = self._parts.get(whole.name)
        if known is None or known.whole is not whole:
            known = self._parts[whole.name] = PartTable(whole, self.since)
        return known

    def _found(self, name: str) -> Source:
        if name in self._given:
            return self._given[name]
        frames = self._frames()
        if name in frames:
            return FrameTable(name, lambda: frames[name])
        declared = self._find_elsewhere(name)
        if declared is not None and self._files is not None and (places := self._files.places(name)):
            raise TableUnreadable(f'table "{name}" is {places} and is declared in {DECLARED}; rename one of them')
        found = declared or (self._files.find(name) if self._files is not None else None)
        if found is None:
            raise NoSuchName("table", name, self.names())
        return found

    def _frames(self) -> dict[str, object]:
        return {
            name: value for name, value in list(self._namespace.items()) if not name.startswith("_") and is_frame(value)
        }

    def _names_of_files(self) -> list[str]:
        return self._files.names() if self._files is not None else []

    def _addresses(self) -> dict[str, Location]:
        return {name: location for name, location in self._locations.items() if location.uri}

    def _names_elsewhere(self) -> list[str]:
        names: list[str] = []
        for section in self._addresses():
            try:
                names += self._tables_at(section)
            except TableUnreadable:
                names.append(section)  # naming it tells why
        return names

    def _find_elsewhere(self, name: str) -> Source | None:
        # The section of that very name first: others need not even be reached.
        sections = sorted(self._addresses(), key=lambda section: (section != name, section))
        for section in sections:
            if name != section and not name.startswith(f"{section}_"):
                continue
            tables = self._tables_at(section)
            if name in tables:
                return tables[name]
        return None

    def _tables_at(self, section: str) -> Mapping[str, Source]:
        if section in self._elsewhere:
            return self._elsewhere[section]
        failed = self._failed.get(section)
        if failed is not None and time.monotonic() - failed[0] < _RETRY_SECONDS:
            raise failed[1]
        try:
            self._elsewhere[section] = open_source(section, self._locations[section], self.cache)
        except TableUnreadable as error:
            self._failed[section] = (time.monotonic(), error)
            raise
        return self._elsewhere[section]

    def _source(self, name: str, table: object) -> Source:
        if is_frame(table):
            return FrameTable(name, _giving(table))
        if isinstance(table, str) and "://" in table:
            found = open_source(name, Location(uri=table), self.cache)
            if name not in found:
                raise UsageMistake(f'table "{name}" is an address of {len(found)} tables; name one of them in it')
            return found[name]
        if isinstance(table, (str, Path)):
            refuse_folder(name, Path(table))
            return file_source(name, Path(table), self.cache, ReadOptions())
        raise UsageMistake(f'table "{name}" is a {type(table).__name__}; give a DataFrame or the path of a file')


def _giving(frame: object) -> Callable[[], object]:
    return lambda: frame

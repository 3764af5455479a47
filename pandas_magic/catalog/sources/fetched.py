"""Files that lie elsewhere: fetched when they are first read, kept while they are the same, and read like any file."""

import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import pandas as pd
import pyarrow as pa

from pandas_magic.catalog.cache.columnar import ColumnarCache, key_of
from pandas_magic.catalog.formats.opening import parts_of
from pandas_magic.catalog.readers import ReadOptions
from pandas_magic.catalog.sources.addresses import Source
from pandas_magic.catalog.sources.file_table import BATCH_ROWS
from pandas_magic.catalog.sources.folder import file_source
from pandas_magic.catalog.table import Table
from pandas_magic.errors import TableUnreadable, quoted_list
from pandas_magic.record import digest


@dataclass
class FetchedTable:
    """A file at an address as a table.

    `version` says what changes with its content (an ETag), asked anew for every read; `fetch` writes it to a path.
    """

    name: str
    address: str  # without credentials
    version: Callable[[], str]
    fetch: Callable[[Path], None]
    cache: ColumnarCache | None = None
    options: ReadOptions = field(default_factory=ReadOptions)
    part: str = ""
    group: str = ""
    size: Callable[[], int | None] | None = None  # in bytes, without fetching it; None: the address does not tell
    _local: tuple[str, Source] | None = None
    _folder: Path | None = None  # where it is fetched to when there is no cache; removed with this table

    def identity(self) -> str:
        """Changes with the version that the address has. Raises: TableUnreadable when it cannot be reached."""
        return digest([self.address, self.version()])

    def schema(self) -> Table:
        """The table's schema; nothing is fetched when this version was described before."""
        identity, key = self.identity(), key_of("fetched", self.address, self.part, self.options.digest())
        known = self.cache.schema(key, identity) if self.cache is not None else None
        if known is None:
            known = self._source(identity).schema().model_copy(update={"origin": self.address})
            if self.cache is not None:
                self.cache.keep_schema(key, identity, known)
        return known.model_copy(update={"name": self.name, "group": self.group})

    def frame(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The rows, all columns or those named, on a RangeIndex."""
        return self._source(self.identity()).frame(columns)

    def rows(self, positions: Sequence[int]) -> pd.DataFrame:
        """Whole rows by their position, of the version that was read last."""
        source = self._local[1] if self._local else self._source(self.identity())
        return source.rows(positions)

    def batches(self, columns: Sequence[str], *, rows: int = BATCH_ROWS) -> Iterator[pa.Table]:
        """The rows in order, some at a time; at least one batch, which may be empty."""
        return self._source(self.identity()).batches(columns, rows=rows)

    def _source(self, identity: str) -> Source:
        if self._local is None or self._local[0] != identity:
            path = self._place() / f"{identity}-{PurePosixPath(self.address).name}"
            if not path.exists():
                self._fetch_whole(path, identity)
            self._local = (identity, file_source(self.name, path, self.cache, self.options, part=self._part(path)))
        return self._local[1]

    def _fetch_whole(self, path: Path, identity: str) -> None:
        """Fetch beside the place and rename, so that a broken line leaves no half file, nor halves of two versions."""
        with tempfile.NamedTemporaryFile(prefix=".fetching-", dir=path.parent, delete=False) as beside:
            partial = Path(beside.name)
        try:
            self.fetch(partial)
            if self.identity() != identity:
                raise TableUnreadable(f"{self.address} changed while it was fetched; run it again")
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
        for older in path.parent.glob(f"*-{PurePosixPath(self.address).name}"):
            if older != path:
                older.unlink(missing_ok=True)

    def _place(self) -> Path:
        if self.cache is not None:
            # A folder for each address: files of one name lie at many.
            place = self.cache.folder / "fetched" / key_of(self.address)
            place.mkdir(parents=True, exist_ok=True)
            return place
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="pandas-magic-"))
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder

    def _part(self, path: Path) -> str:
        parts = parts_of(path)
        if self.part or len(parts) < 2:
            return self.part or (parts[0] if parts else "")
        raise TableUnreadable(f'{self.address} holds {quoted_list(parts)}; say which, as in table = "{parts[0]}"')

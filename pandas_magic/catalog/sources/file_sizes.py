"""How large the file of a table is, before any of it is read."""

from pathlib import Path

from pandas_magic.catalog.sources.addresses import Source
from pandas_magic.catalog.sources.dataset_table import DatasetTable
from pandas_magic.catalog.sources.fetched import FetchedTable
from pandas_magic.catalog.sources.file_table import FileTable
from pandas_magic.catalog.sources.part_table import PartTable


def file_bytes_of(source: Source) -> int | None:
    """The size of the file, or of all files of a folder; None where there is none, or its place does not tell."""
    if isinstance(source, FetchedTable):
        return source.size() if source.size is not None else None
    if isinstance(source, PartTable):
        return file_bytes_of(source.whole)
    if not isinstance(source, (FileTable, DatasetTable)):
        return None
    path = Path(source.path)
    files = [each for each in path.rglob("*") if each.is_file()] if path.is_dir() else [path]
    try:
        return sum(each.stat().st_size for each in files)
    except OSError:
        return None  # reading it says what is wrong

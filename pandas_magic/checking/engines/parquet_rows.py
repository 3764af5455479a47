"""Tables of Parquet files as what stands after FROM in DuckDB, which reads them where they lie."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from pandas_magic.catalog.sources.dataset_table import DatasetTable
from pandas_magic.catalog.table import Table
from pandas_magic.checking.engines.database_rows import stored_rows
from pandas_magic.checking.engines.dialect import EngineDialect, NotExpressible

# What DuckDB has beside the columns of a file: a column of that name would hide it.
_NUMBER, _FILE = "file_row_number", "file_index"
_ITS_OWN = frozenset({_NUMBER, _FILE, "filename"})
_PATTERN_MARKS = frozenset("*?[")


def rows_in_files(source: DatasetTable, columns: Sequence[str], table: Table, dialect: EngineDialect) -> str:
    """The rows of the files with their position among all, in the order in which the catalog counts them.

    Values that frames would hold otherwise raise there. Raises: NotExpressible for files that are not Parquet, and for
    columns of types that are not known to be read alike; TableUnreadable.
    """
    with source.opened() as files:
        pieces, types = files.pieces(), _types(files.dataset, columns)
    if not pieces:
        raise NotExpressible(f"{table.name} is no table of Parquet files")
    if marked := next((piece.path for piece in pieces if _PATTERN_MARKS & set(piece.path)), ""):
        raise NotExpressible(f"{marked}, which DuckDB would take for a pattern of paths")
    listed = ", ".join(dialect.text(piece.path) for piece in pieces)
    read = f"read_parquet([{listed}], {_NUMBER} = true, hive_partitioning = false, union_by_name = false)"
    if len(pieces) > 1:
        begins = [0, *accumulate(piece.rows for piece in pieces)][:-1]
        number = f"{begins}[CAST({_FILE} AS BIGINT) + 1] + {_NUMBER}"
        read = f"(SELECT * REPLACE ({number} AS {_NUMBER}) FROM {read})"
    return stored_rows(read, _NUMBER, columns, table, types=types, dialect=dialect)


def _types(dataset: Any, columns: Sequence[str]) -> Mapping[str, str]:  # noqa: ANN401 - Arrow carries no types
    """The types of the columns, the same in every file. Raises: NotExpressible."""
    types = {name: dataset.schema.field(name).type for name in columns}
    _refuse_names(dataset.schema.names)
    for fragment in dataset.get_fragments():
        held = fragment.physical_schema
        _refuse_names(held.names)
        if any(name not in held.names or held.field(name).type != kind for name, kind in types.items()):
            raise NotExpressible("a column that is not of one type in every file")
        _refuse_odd_places(fragment.metadata, columns)
    return {name: str(kind) for name, kind in types.items()}


def _refuse_names(names: Sequence[str]) -> None:
    """Raises: NotExpressible."""
    folded = {name.casefold() for name in names}
    if len(folded) < len(names) or folded & _ITS_OWN:
        raise NotExpressible("columns whose names DuckDB takes for the same, or for its own")


def _refuse_odd_places(footer: Any, columns: Sequence[str]) -> None:  # noqa: ANN401 - Arrow carries no types
    """Refuse a file in which two readers may begin to read a column at two places. Raises: NotExpressible."""
    read = [number for number in range(footer.num_columns) if footer.schema.column(number).path in columns]
    for group in map(footer.row_group, range(footer.num_row_groups)):
        for chunk in map(group.column, read):
            # Arrow reads from whichever comes first, DuckDB from the dictionary wherever it is said to be.
            is_odd = chunk.has_dictionary_page and chunk.dictionary_page_offset >= chunk.data_page_offset
            if is_odd or chunk.num_values != group.num_rows:
                raise NotExpressible("a column that does not lie where or as its file says")

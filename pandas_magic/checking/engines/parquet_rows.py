"""Tables of Parquet files as what stands after FROM in DuckDB, which reads them where they lie."""

from collections.abc import Collection, Iterable, Mapping, Sequence
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
# Of columns that folders name, by Arrow's type: what a value is in Python, and its type in DuckDB.
_KINDS: Mapping[str, tuple[type, ...]] = {"int32": (int,), "string": (str,)}
_NAMED = {"int32": "INTEGER", "string": "VARCHAR"}


def rows_in_files(source: DatasetTable, columns: Sequence[str], table: Table, dialect: EngineDialect) -> str:
    """The rows of the files with their position among all, in the order in which the catalog counts them.

    Values that frames would hold otherwise raise there. Raises: NotExpressible for files that are not Parquet, and for
    columns of types that are not known to be read alike; TableUnreadable.
    """
    with source.opened() as files:
        pieces, named = files.pieces(), _named_by_folders(files.dataset, columns)
        types = _types(files.dataset, columns, named)
    if not pieces:
        raise NotExpressible(f"{table.name} is no table of Parquet files")
    if marked := next((piece.path for piece in pieces if _PATTERN_MARKS & set(piece.path)), ""):
        raise NotExpressible(f"{marked}, which DuckDB would take for a pattern of paths")
    listed = ", ".join(dialect.text(piece.path) for piece in pieces)
    read = f"read_parquet([{listed}], {_NUMBER} = true, hive_partitioning = false, union_by_name = false)"
    begins = [0, *accumulate(piece.rows for piece in pieces)][:-1]
    of_files = [f"* REPLACE ({_of_file(map(str, begins), 'BIGINT')} + {_NUMBER} AS {_NUMBER})"]
    for name, values in named.items():
        literals = ("NULL" if value is None else _literal(value, dialect) for value in values)
        of_files.append(f"{_of_file(literals, _NAMED[types[name]])} AS {dialect.quote(name)}")
    if len(pieces) > 1 or named:
        read = f"(SELECT {', '.join(of_files)} FROM {read})"
    return stored_rows(read, _NUMBER, columns, table, types=types, dialect=dialect)


def _of_file(literals: Iterable[str], sql_type: str) -> str:
    """The one of these that belongs to the file of a row."""
    return f"CAST([{', '.join(literals)}] AS {sql_type}[])[CAST({_FILE} AS BIGINT) + 1]"


def _literal(value: int | str, dialect: EngineDialect) -> str:
    return dialect.text(value) if isinstance(value, str) else str(value)


def _named_by_folders(dataset: Any, columns: Sequence[str]) -> dict[str, list[int | str | None]]:  # noqa: ANN401
    """Of columns whose values are in the names of folders (`day=31`), and nowhere else, the value for each file.

    As Arrow reads them, of which DuckDB is not asked. Raises: NotExpressible where a file has such a column as well.
    """
    import pyarrow.dataset

    found: dict[str, list[int | str | None]] = {}
    fragments = list(dataset.get_fragments())
    for fragment in fragments:
        keys = pyarrow.dataset.get_partition_keys(fragment.partition_expression)
        read = [name for name in columns if name in keys]
        if {*read} & {*fragment.physical_schema.names}:
            raise NotExpressible("a column that a file has, and the name of its folder as well")
        for name in read:
            found.setdefault(name, []).append(keys[name])
    for name, values in found.items():
        kind = _KINDS.get(str(dataset.schema.field(name).type), ())
        if len(values) < len(fragments) or not all(value is None or type(value) in kind for value in values):
            raise NotExpressible("a column of folders' names that is not of one type in every file")
    return found


def _types(dataset: Any, columns: Sequence[str], named: Collection[str]) -> Mapping[str, str]:  # noqa: ANN401
    """The types of the columns, the same in every file that has them. Raises: NotExpressible."""
    types = {name: dataset.schema.field(name).type for name in columns}
    _refuse_names(dataset.schema.names)
    for fragment in dataset.get_fragments():
        held = fragment.physical_schema
        _refuse_names(held.names)
        of_file = {name: kind for name, kind in types.items() if name not in named}
        if any(name not in held.names or held.field(name).type != kind for name, kind in of_file.items()):
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

"""How the rows of one table are written in two files: as their own file has them, or in a format that was asked for."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, cast, get_args

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet

from pandas_magic.catalog import Catalog, Source
from pandas_magic.catalog.formats import is_compressed, suffix_of
from pandas_magic.catalog.formats.opening import read_file
from pandas_magic.catalog.readers import ReadOptions
from pandas_magic.catalog.sources.dataset_table import DatasetTable
from pandas_magic.catalog.sources.file_table import FileTable
from pandas_magic.errors import PandasMagicError, UsageMistake
from pandas_magic.history.saved_rows import save_rows
from pandas_magic.quarantine.text_records import cut

Form = Literal["csv", "xlsx", "parquet"]
FORMS = get_args(Form)
_BATCH_ROWS = 1_000_000
_DELIMITED = frozenset({".csv", ".tsv"})
_EXCEL = frozenset({".xlsx", ".xlsm"})
Write = Callable[[Path, Sequence[int]], None]  # the rows at these positions, in this order


class RowsAltered(PandasMagicError):
    """What was written does not read back as what was read. Nothing of it is kept."""

    code = "PM302"


def writer_of(catalog: Catalog, name: str, row_count: int, form: Form | None) -> tuple[str, Write]:
    """The suffix of the two files, and what writes one of them.

    A delimited file is copied row by row as it is written; a Parquet file keeps its types; all else, and whatever
    another `form` is asked for, is written from the values that were read. What was written is read back and compared.

    Raises: TableUnreadable when a delimited file cannot be cut into its rows.
    """
    source = catalog.source(name)
    suffix = _suffix(source)
    if isinstance(source, FileTable) and suffix in _DELIMITED and form in (None, "csv"):
        return suffix, _copying(source, row_count)
    if isinstance(source, DatasetTable) and suffix == ".parquet" and form in (None, "parquet"):
        return suffix, _from_parquet(source.path)
    chosen: Form = form or ("xlsx" if suffix in _EXCEL else "parquet")
    return f".{chosen}", _from_values(catalog, name, chosen)


def parse_form(text: str | None) -> Form | None:
    """The format that a word means; None for none. Raises: UsageMistake naming the formats."""
    if text is not None and text not in FORMS:
        raise UsageMistake(f'no format "{text}"; there are {", ".join(FORMS)}')
    return cast("Form | None", text)


def _suffix(source: Source) -> str:
    """The suffix of the one file that the table is in; "" when it is in none, or in one that is packed."""
    if not isinstance(source, (FileTable, DatasetTable)) or not source.path.is_file() or is_compressed(source.path):
        return ""
    return suffix_of(source.path)


def _copying(source: FileTable, row_count: int) -> Write:
    records = cut(source.path, source.options, row_count)
    everything = _texts(source.path, source.options)

    def write(path: Path, positions: Sequence[int]) -> None:
        records.write(path, positions)
        # An empty file has no rows that would tell how it is to be cut.
        if positions:
            _compare(path, everything.iloc[list(positions)], _texts(path, source.options))

    return write


def _texts(path: Path, options: ReadOptions) -> pd.DataFrame:
    from pandas_magic.catalog.formats.delimited import open_delimited

    file = open_delimited(path, options)
    names = file.parse().column_names
    texts: pd.DataFrame = file.parse(as_text=names).to_pandas()
    return texts


def _from_parquet(path: Path) -> Write:
    table = parquet.read_table(path)

    def write(target: Path, positions: Sequence[int]) -> None:
        chosen = table.take(pa.array(positions, pa.int64()))
        parquet.write_table(chosen, target)
        if not parquet.read_table(target).equals(chosen):
            raise _altered(target)

    return write


def _from_values(catalog: Catalog, name: str, form: Form) -> Write:
    frame = catalog.frame(name)

    def write(path: Path, positions: Sequence[int]) -> None:
        chosen = frame.iloc[list(positions)].reset_index(drop=True)
        if form == "parquet":
            chosen.to_parquet(path, index=False)
            _compare(path, chosen, pd.read_parquet(path))
            return
        save_rows(chosen, path, index=False)
        if len(chosen):
            read = read_file(path).content
            _compare(path, chosen, read if isinstance(read, pd.DataFrame) else read.to_pandas())

    return write


def _compare(path: Path, meant: pd.DataFrame, found: pd.DataFrame) -> None:
    same = list(meant.columns) == list(found.columns) and len(meant) == len(found)
    if not (same and all(_same(meant.iloc[:, at], found.iloc[:, at]) for at in range(meant.shape[1]))):
        path.unlink(missing_ok=True)
        raise _altered(path)


def _same(one: pd.Series, other: pd.Series) -> bool:
    missing = one.isna().to_numpy()
    if (missing != other.isna().to_numpy()).any():
        return False
    kept, back = one[~missing], other[~missing]
    try:
        return bool((kept.astype(object).to_numpy() == back.astype(object).to_numpy()).all())
    except ValueError:  # lists and arrays have no single answer
        return [repr(value) for value in kept] == [repr(value) for value in back]


def _altered(path: Path) -> RowsAltered:
    return RowsAltered(f"{path.name} would not hold the very values that were read; use --format parquet")

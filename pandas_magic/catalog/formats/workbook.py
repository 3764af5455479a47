"""Excel workbooks: every sheet that holds something is a table."""

import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pandas as pd

from pandas_magic.catalog.formats.unpacking import refuse_bombs
from pandas_magic.catalog.readers import LoadedRows, ReadOptions

if TYPE_CHECKING:
    from pandas._typing import ExcelReadEngine

_ENGINES = {".xls": "xlrd", ".xlsx": "openpyxl", ".xlsm": "openpyxl"}


def parts(path: Path) -> list[str]:
    """The names of the sheets that are not empty, in the workbook's order."""
    with _opened(path) as book:
        names = [str(name) for name in book.sheet_names]
        return (
            [name for name in names if not pd.read_excel(book, sheet_name=name, header=None, nrows=1).empty]
            if len(names) > 1
            else names
        )


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """One sheet; without a name, the first. The sheet's first row names the columns."""
    with _opened(path) as book:
        frame = pd.read_excel(
            book,
            sheet_name=part or 0,
            header=None if options.header is False else 0,
            skiprows=options.skip_lines or 0,
            dtype=dict.fromkeys(options.as_text, str) or None,
        )
    if options.header is False:
        frame.columns = pd.Index([f"column_{number + 1}" for number in range(frame.shape[1])])
    return LoadedRows(frame, _notes(frame))


def _opened(path: Path) -> pd.ExcelFile:
    if path.suffix.lower() != ".xls":
        refuse_bombs(path)
    with warnings.catch_warnings():
        # The engine that pandas would have in its place ends the program on damaged files.
        warnings.filterwarnings("ignore", message="The xlrd engine is deprecated")
        engine = cast("ExcelReadEngine", _ENGINES.get(path.suffix.lower(), "openpyxl"))
        # It would print what it doubts.
        return pd.ExcelFile(path, engine=engine, engine_kwargs={"logfile": io.StringIO()} if engine == "xlrd" else None)


def _notes(frame: pd.DataFrame) -> tuple[str, ...]:
    unnamed: list[Any] = [name for name in frame.columns if str(name).startswith("Unnamed: ")]
    return (f"{len(unnamed)} columns without a name, such as {unnamed[0]!r}",) if unnamed else ()

"""Excel workbooks: every sheet that holds something is a table."""

import io
import re
import warnings
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pandas as pd

from pandas_magic.catalog.arrow import refuse_duplicate_names
from pandas_magic.catalog.formats.exact_numbers import with_exact_numbers
from pandas_magic.catalog.formats.unpacking import refuse_bombs
from pandas_magic.catalog.readers import LoadedRows, ReadOptions

if TYPE_CHECKING:
    from pandas._typing import ExcelReadEngine

_CODE = re.compile(r"\s*[+-]?0\d[\d.eE+-]*\s*")
_TEXT_WITH_ZERO = re.compile(rb"<t(?: [^>]*)?>\s*[+-]?0\d[\d.eE+-]*\s*</t>")
_UNSTORED = re.compile(rb"(?:<f(?: [^>]*)?/>|</f>)(?:<v ?/>|<v></v>)?</c>")
_ENGINES = {".xls": "xlrd", ".xlsx": "openpyxl", ".xlsm": "openpyxl"}


def parts(path: Path) -> list[str]:
    """The names of the sheets that are not empty, in the workbook's order."""
    with _opened(path) as book:
        names = [str(name) for name in book.sheet_names]
        return [name for name in names if _holds_something(book, name)] if len(names) > 1 else names


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """One sheet; without a name, the first. The sheet's first row names the columns."""
    with _opened(path) as book:
        if options.header is not False:
            refuse_duplicate_names(_names(book, part, options), path.name)
        frame = _sheet(book, part, options, dict.fromkeys(options.as_text, str))
        may_be_coded = path.suffix.lower() == ".xls" or _holds(path, _TEXT_WITH_ZERO)
        coded = _coded(frame, _sheet(book, part, options, object)) if may_be_coded else []
        if coded:  # pandas makes 7 of the text 007
            frame = _sheet(book, part, options, dict.fromkeys((*options.as_text, *coded), str))
        frame, long = with_exact_numbers(frame, lambda names: _sheet(book, part, options, object)[names])
    if options.header is False:
        frame.columns = pd.Index([f"column_{number + 1}" for number in range(frame.shape[1])])
    notes = [f'column "{name}": codes with leading zeros stay text' for name in coded]
    return LoadedRows(frame, (*_notes(frame), *notes, *long, *_unstored(path)))


def _holds_something(book: pd.ExcelFile, name: str) -> bool:
    # The first rows may be empty; only then is the whole sheet read.
    return any(not pd.read_excel(book, sheet_name=name, header=None, nrows=rows).empty for rows in (1, None))


def _names(book: pd.ExcelFile, part: str, options: ReadOptions) -> list[object]:
    """The names as the sheet has them: pandas makes amount.1 of the second amount."""
    above = pd.read_excel(
        book,
        sheet_name=part or 0,
        header=None,
        skiprows=options.skip_lines or 0,
        nrows=1,
        dtype=object,
        na_filter=False,
    )
    return [name for name in above.to_numpy().ravel() if name != ""]


def _sheet(book: pd.ExcelFile, part: str, options: ReadOptions, dtype: Any) -> pd.DataFrame:  # noqa: ANN401 - pandas's own
    header = None if options.header is False else 0
    return pd.read_excel(
        book, sheet_name=part or 0, header=header, skiprows=options.skip_lines or 0, dtype=dtype or None
    )


def _coded(frame: pd.DataFrame, cells: pd.DataFrame) -> list[str]:
    """The columns of numbers that some cells hold as texts with a leading zero."""
    numbers = [name for name in frame.columns if pd.api.types.is_numeric_dtype(frame[name].dtype)]
    return [name for name in numbers if any(isinstance(cell, str) and _CODE.fullmatch(cell) for cell in cells[name])]


def _unstored(path: Path) -> tuple[str, ...]:
    """A note on formulas of which the workbook holds no value: who wrote it did not compute them."""
    count = _holds(path, _UNSTORED)
    return (f"{count} formulas without a stored value are missing; save it in a spreadsheet program",) if count else ()


def _holds(path: Path, said: re.Pattern[bytes]) -> int:
    """How often the parts of the workbook that hold cells say it; an .xls is not looked into."""
    if path.suffix.lower() == ".xls":
        return 0
    with zipfile.ZipFile(path) as parts:
        names = [name for name in parts.namelist() if name.startswith(("xl/worksheets/sheet", "xl/sharedStrings"))]
        return sum(len(said.findall(parts.read(name))) for name in names)


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

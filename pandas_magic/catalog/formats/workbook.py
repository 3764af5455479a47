"""Excel workbooks: every sheet that holds something is a table."""

import io
import re
import warnings
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pandas as pd
import pyarrow as pa
from pandas.io.parsers import TextParser  # type: ignore[attr-defined]  # what pandas.read_excel types cells by

from pandas_magic.catalog.arrow import refuse_duplicate_names
from pandas_magic.catalog.formats.codes import lost_in_front, note_on_codes
from pandas_magic.catalog.formats.exact_numbers import with_exact_numbers
from pandas_magic.catalog.formats.unpacking import refuse_bombs
from pandas_magic.catalog.readers import LoadedRows, ReadOptions
from pandas_magic.catalog.text.missing_words import CODE, MISSING, are_codes, said_of_code, said_of_words

if TYPE_CHECKING:
    from pandas._typing import ExcelReadEngine

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
        rows = _rows(book, part, options)
    if options.header is not False and rows:
        # As the sheet has them: pandas makes amount.1 of the second amount.
        refuse_duplicate_names([name for name in rows[0] if name != ""], path.name)
    missing = MISSING if options.missing is None else options.missing
    cells = _typed(rows, options, object, ("",))
    frame = _typed(rows, options, dict.fromkeys(options.as_text, str), missing)
    coded = _coded(frame, cells)
    if coded:  # pandas makes 7 of the text 007
        frame = _typed(rows, options, dict.fromkeys((*options.as_text, *coded), str), missing)
    frame, long = with_exact_numbers(frame, lambda names: cells[names].mask(cells[names].isin(missing)))
    told = _read_as_missing(frame, cells) if options.missing is None else ()
    if options.header is False:
        frame.columns = pd.Index([f"column_{number + 1}" for number in range(frame.shape[1])])
    notes = [note_on_codes(name, lost) for name, lost in coded.items()]
    return LoadedRows(frame, (*_notes(frame), *notes, *long, *told, *_unstored(path)))


def _holds_something(book: pd.ExcelFile, name: str) -> bool:
    # The first rows may be empty; only then is the whole sheet read.
    return any(not pd.read_excel(book, sheet_name=name, header=None, nrows=rows).empty for rows in (1, None))


def _rows(book: pd.ExcelFile, part: str, options: ReadOptions) -> list[list[Any]]:
    """The cells as the sheet has them, "" where one is empty."""
    sheet = pd.read_excel(
        book, sheet_name=part or 0, header=None, skiprows=options.skip_lines or 0, dtype=object, na_filter=False
    )
    rows: list[list[Any]] = sheet.to_numpy().tolist()
    return rows


def _typed(rows: list[list[Any]], options: ReadOptions, dtype: Any, missing: Sequence[str]) -> pd.DataFrame:  # noqa: ANN401 - pandas's own
    """The rows as pandas.read_excel types them, which reads the file anew for each answer."""
    if not rows:
        return pd.DataFrame()
    header = None if options.header is False else 0
    said = {"header": header, "dtype": dtype or None, "na_values": list(missing), "keep_default_na": False}
    frame: pd.DataFrame = TextParser([list(row) for row in rows], skip_blank_lines=False, **said).read()
    return frame


def _read_as_missing(frame: pd.DataFrame, cells: pd.DataFrame) -> list[str]:
    """What is said of words in columns of texts that were taken for gaps; codes among them are put back in place."""
    notes = []
    for name in frame.columns:
        words = cells[name][frame[name].isna() & cells[name].notna()]
        if words.empty or (pd.api.types.is_numeric_dtype(frame[name].dtype) and frame[name].notna().any()):
            continue
        is_code = words[words == CODE].index
        is_text = isinstance(frame[name].dtype, pd.StringDtype)
        if len(is_code) and is_text and are_codes(pa.chunked_array([pa.array(frame[name])])):
            frame.loc[is_code, name] = CODE
            notes.append(f'column "{name}": {said_of_code()}')
        elif said := said_of_words(set(map(str, words))):
            notes.append(f'column "{name}": {said}')
    return notes


def _coded(frame: pd.DataFrame, cells: pd.DataFrame) -> dict[str, str]:
    """The columns of numbers that some cells hold as texts of which something would be lost, each with what."""
    found = {}
    for name in frame.columns:
        texts = [str(cell) for cell in cells[name].dropna()] if _has_texts_of_numbers(frame[name], cells[name]) else []
        if lost := lost_in_front(pa.array(texts, pa.string())):
            found[name] = lost
    return found


def _has_texts_of_numbers(column: pd.Series, cells: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column.dtype) and any(isinstance(cell, str) for cell in cells)


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

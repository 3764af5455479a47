"""One file as a table: by the reader of its format, with every failure as one line that names the file."""

import csv
import re
from pathlib import Path, PurePath
from sqlite3 import Error as SQLiteError
from tarfile import TarError
from zipfile import BadZipFile
from zlib import error as ZlibError

import pandas as pd
import pyarrow as pa

from pandas_magic.catalog.arrow import refuse_duplicate_names
from pandas_magic.catalog.formats import (
    FileFormat,
    content_problem,
    format_of,
    is_compressed,
    known_suffixes,
    suffix_of,
    table_name,
)
from pandas_magic.catalog.formats.unpacking import unpacked
from pandas_magic.catalog.readers import LoadedRows, ReadOptions
from pandas_magic.errors import PandasMagicError, TableUnreadable, quoted_list

_PLAIN = ReadOptions()
# "Error creating dataset. Could not read schema from '…'. Is this a 'parquet' file?: Could not open Parquet …: why"
_ARROW_PREAMBLE = re.compile(r"^Error creating dataset\..*?input source '[^']*': ")
_LONGEST_REASON = 160
# What readers and their libraries raise for content that they cannot make sense of.
_MISREAD = (
    *(ValueError, KeyError, IndexError, TypeError, AttributeError, EOFError, ArithmeticError, RuntimeError),
    *(
        pa.ArrowException,
        BadZipFile,
        TarError,
        ZlibError,
        SQLiteError,
        pd.errors.ParserError,
        SyntaxError,
        Warning,
        csv.Error,
    ),
)


def read_file(path: Path, options: ReadOptions = _PLAIN, part: str = "") -> LoadedRows:
    """The whole table in a file, or in one part of it, with notes on how it was read.

    Raises: TableUnreadable with one line that names the file, what is wrong and what to do; so too for several tables
    of which none is named.
    """
    form = format_by_suffix(path)
    part = part or _only_part(path)
    with in_our_words(path, form):
        if is_compressed(path) and not form.many:
            with unpacked(path) as inner:
                reading = _read(inner, form, options, part)
                reading = LoadedRows(reading.content, (f"unpacked from {path.suffix[1:]}", *reading.notes))
        else:
            reading = _read(path, form, options, part)
    content = reading.content
    refuse_duplicate_names(content.columns if isinstance(content, pd.DataFrame) else content.column_names, path.name)
    return LoadedRows(content.rename(columns=str), reading.notes) if isinstance(content, pd.DataFrame) else reading


def parts_of(path: Path) -> list[str]:
    """The names of the tables in a file; [""] for a file that holds one.

    Raises: TableUnreadable.
    """
    form = format_by_suffix(path)
    if not form.many:
        return [""]
    with in_our_words(path, form):
        refuse_other_content(path, form)
        return form.parts(path)


def name_of_part(part: str) -> str:
    """A part's name with only letters, digits and underscores; of a path inside an archive, the file's."""
    plain = table_name(Path(part)) if "/" in part or "." in part else part
    return re.sub(r"\W+", "_", plain).strip("_") or "table"


def named_parts(name: str, path: Path) -> dict[str, str]:
    """The tables of a file that holds several, each with its part; none for a file of one. Raises: TableUnreadable."""
    found: dict[str, str] = {}
    parts = parts_of(path)
    for part in parts if len(parts) > 1 else ():
        own = f"{name}_{name_of_part(part)}"
        found[own if own not in found else f"{own}_{len(found) + 1}"] = part
    return found


def _only_part(path: Path) -> str:
    names = parts_of(path)
    if len(names) > 1:
        raise TableUnreadable(
            f"{path.name} holds several tables, {quoted_list(names)}; read one of them and give it as a DataFrame, or "
            "name it: in the data folder of a workspace each is a table, such as "
            f'"{table_name(path)}_{name_of_part(names[0])}"'
        )
    return names[0] if names else ""


def format_by_suffix(path: Path) -> FileFormat:
    """The format of a file. Raises: TableUnreadable when its suffix is of no kind that is read."""
    form = format_of(path)
    if form is None:
        known = ", ".join(known_suffixes())
        hint = "save it as .docx" if path.suffix.lower() == ".doc" else f"known: {known}"
        raise TableUnreadable(f"{path.name} is not of a kind that is read; {hint}")
    return form


def is_readable_name(path: PurePath) -> bool:
    """Whether a file of that name inside an archive is read: its kind is known and it is no archive itself."""
    form = format_of(Path(path))
    return form is not None and "archive" not in form.word


def refuse_other_content(path: Path, form: FileFormat) -> None:
    """Refuse a file whose first bytes are not of the kind that its suffix promises. Raises: TableUnreadable."""
    if path.is_file() and (problem := content_problem(path, form)):
        raise TableUnreadable(f"{path.name} does not parse as {suffix_of(path)[1:].upper()}: {problem}")


def unreadable(path: Path, error: OSError) -> TableUnreadable:
    """What the operating system said of a file, in our words."""
    if isinstance(error, FileNotFoundError):
        return TableUnreadable(f"{path} is gone; put it back or choose another table")
    if isinstance(error, PermissionError):
        return TableUnreadable(f"{path} may not be read by this user; change its permissions")
    # Arrow raises OSError of its own, without a number, for content that it cannot read.
    reason = error.strerror or (str(error).splitlines() or ["no reason given"])[0]
    return TableUnreadable(f"{path.name} cannot be read: {reason}")


def _read(path: Path, form: FileFormat, options: ReadOptions, part: str) -> LoadedRows:
    refuse_other_content(path, form)
    return form.read(path, options, part)


class in_our_words:
    """Whatever a reader raises, as a TableUnreadable of one line."""

    def __init__(self, path: Path, form: FileFormat) -> None:
        self.path, self.form = path, form

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if error is None or isinstance(error, PandasMagicError):
            return
        if isinstance(error, ImportError):
            raise TableUnreadable(
                f"{self.path.name} needs a package that is missing ({error.name}): {self.form.install_line()}"
            ) from error
        if isinstance(error, (FileNotFoundError, PermissionError)) or (isinstance(error, OSError) and error.errno):
            raise unreadable(self.path, error) from error
        if isinstance(error, (*_MISREAD, OSError)) or type(error).__module__.partition(".")[0] in _LIBRARIES:
            text = str(error).strip()
            reason = text.splitlines()[0] if text else type(error).__name__
            # A folder is one of Parquet files, whatever the suffixes in it are.
            read_as = suffix_of(self.path)[1:].upper() or "Parquet"
            raise TableUnreadable(
                f"{self.path.name} does not parse as {read_as}: {_short(reason, self.path)}"
            ) from error


def _short(reason: str, path: Path) -> str:
    """A library's reason without the way to the file, and without what it says before the point."""
    plain = _ARROW_PREAMBLE.sub("", reason).replace(str(path), path.name)
    return plain if len(plain) <= _LONGEST_REASON else f"{plain[:_LONGEST_REASON]}…"


# Their exceptions share no base with anything above.
_LIBRARIES = frozenset(
    {
        "openpyxl",
        "xlrd",
        "py7zr",
        "docx",
        "pdfminer",
        "pdfplumber",
        "pyreadstat",
        "h5py",
        "lzma",
        "_lzma",
        "PIL",
        "struct",
    }
)

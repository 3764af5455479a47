"""CSV, TSV and other delimited text, parsed by Arrow once it is known how.

Here files are read whole; `catalog.streaming` reads large ones in parts, with the options and notes from here.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute
import pyarrow.csv

from pandas_magic.catalog.arrow import refuse_duplicate_names
from pandas_magic.catalog.formats.as_written import with_second_look
from pandas_magic.catalog.formats.codes import WHOLE_SEARCH_BYTES, columns_with_codes, note_on_codes
from pandas_magic.catalog.formats.file_bytes import bytes_of, may_have_empty_lines, occurs, whole_text
from pandas_magic.catalog.formats.long_numbers import long_numbers
from pandas_magic.catalog.readers import LoadedRows, ReadOptions
from pandas_magic.catalog.text import rewriting
from pandas_magic.catalog.text.dates import read_dates
from pandas_magic.catalog.text.dialect import (
    Dialect,
    detect_dialect,
    is_cut_by_blanks,
    is_cut_by_colons,
    is_table,
)
from pandas_magic.catalog.text.encodings import Encoding, detect_encoding
from pandas_magic.catalog.text.missing_words import MISSING
from pandas_magic.catalog.text.numerals import is_doubtful, read_numerals, reads_as_comma
from pandas_magic.catalog.text.quotation import refuse_stray_quotes
from pandas_magic.errors import TableUnreadable

# The first part of a file, from which its dialect is found out.
_PROBE_BYTES = 1024**2
_LINES_SHOWN = 5
# Suffixes that do not tell how a file is cut, nor whether it is a table at all.
UNTELLING = (".txt", ".dat", ".data")


@dataclass(frozen=True)
class DelimitedFile:
    """A text file with everything that is needed to cut it."""

    path: Path
    encoding: Encoding
    dialect: Dialect
    content: bytes | None  # the text as UTF-8 where it had to be changed before parsing; None: the file as it is
    has_quotes: bool
    options: ReadOptions
    short_rows: int = 0  # rows that were filled up with missing values

    def parse(self, *, only: Sequence[str] = (), as_text: Sequence[str] = ()) -> pa.Table:
        """All rows; with `only`, these columns. Columns in `as_text` keep their letters."""
        try:
            # Threads cost more than they bring for files of one block.
            return self._parse(only, as_text, use_threads=self.size() > _PROBE_BYTES)
        except pa.ArrowInvalid as error:
            if "#" in str(error) or self.size() > WHOLE_SEARCH_BYTES:
                raise
            # Only a single thread counts rows, so that the message can name the one at fault.
            return self._parse(only, as_text, use_threads=False)

    def size(self) -> int:
        """Bytes to parse."""
        return self.path.stat().st_size if self.content is None else len(self.content)

    def text(self) -> str:
        """The text that is parsed."""
        if self.content is not None:
            return self.content.decode("utf-8-sig")
        return whole_text(self.path, self.encoding)

    def probe(self) -> bytes:
        """The text's beginning, up to a line's end where it is longer."""
        return self.bytes_at(0, _PROBE_BYTES)

    def bytes_at(self, start: int, count: int) -> bytes:
        """So many bytes of the text that is parsed, fewer at its end."""
        if self.content is not None:
            return self.content[start : start + count]
        return bytes_of(self.path, count, start)

    def _parse(self, only: Sequence[str], as_text: Sequence[str], *, use_threads: bool) -> pa.Table:
        source = io.BytesIO(self.content) if self.content is not None else str(self.path)
        return pyarrow.csv.read_csv(source, *self.arrow_options(only, as_text, use_threads=use_threads))

    def arrow_options(
        self, only: Sequence[str], as_text: Sequence[str], *, use_threads: bool = True
    ) -> tuple[pyarrow.csv.ReadOptions, pyarrow.csv.ParseOptions, pyarrow.csv.ConvertOptions]:
        """What Arrow is told: how to read, to cut and to convert."""
        dialect = self.dialect
        missing = list(self.options.missing if self.options.missing is not None else MISSING)
        named = None if dialect.has_header else [f"column_{number}" for number in range(1, dialect.columns + 1)]
        return (
            pyarrow.csv.ReadOptions(
                skip_rows=dialect.skip_lines,
                column_names=named,
                encoding="utf8" if self.content is not None else self.encoding.name,
                use_threads=use_threads,
            ),
            pyarrow.csv.ParseOptions(
                delimiter=dialect.delimiter, quote_char=dialect.quote, newlines_in_values=self.has_quotes
            ),
            pyarrow.csv.ConvertOptions(
                null_values=missing,
                strings_can_be_null=True,
                include_columns=list(only) or None,
                column_types=dict.fromkeys(as_text, pa.string()),
            ),
        )


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """The table in a delimited file, with notes on what was detected."""
    file = open_delimited(path, options)
    if file.content is None and file.has_quotes:
        refuse_stray_quotes(file.text().encode(), file.dialect, path.name)
    try:
        table = file.parse(as_text=options.as_text)
    except pa.ArrowInvalid:
        if (whole := _with_short_rows_filled(file)) is None:
            raise
        file, table = whole, whole.parse(as_text=options.as_text)
    table, passed_over = _without_blank_columns(table)
    refuse_duplicate_names(table.column_names, path.name)
    table, kept = _with_exact_texts(file, table)
    table, notes = with_written_values(file, table)
    return LoadedRows(table, (*first_notes(file), *passed_over, *kept, *notes))


def _without_blank_columns(table: pa.Table) -> tuple[pa.Table, list[str]]:
    """The table without the columns that spreadsheets leave behind the last one, without a name or a value."""
    is_empty = [column.null_count == len(column) for column in table.columns]
    blank = [at for at, name in enumerate(table.column_names) if not name and is_empty[at]]
    if table.column_names.count("") < 2 or len(blank) == table.num_columns:
        return table, []
    kept = [at for at in range(table.num_columns) if at not in blank]
    return table.select(kept), [f"without a name or a value, and so no columns: {len(blank)}"]


def open_delimited(path: Path, options: ReadOptions) -> DelimitedFile:
    """The file, with its encoding and dialect as they are said or detected.

    Raises: TableUnreadable when it is empty, no text, or may be cut in two ways.
    """
    head = bytes_of(path, _PROBE_BYTES)
    whole = path.stat().st_size <= _PROBE_BYTES
    encoding = _encoding(head, path, options, whole)
    text = _text(head, encoding, path)
    separator = _separator(text, path, options)
    if separator:
        text = rewriting.tabbed(text, separator)
    dialect = detect_dialect(
        text if whole else text.rpartition("\n")[0],
        path.name,
        options.model_copy(update={"delimiter": "\t"}) if separator else options,
        tabs=path.suffix.lower() == ".tsv",
    )
    changed = _changed(path, encoding, dialect, separator, fill=options.ragged == "fill")
    # In two-byte encodings the search would have to be aligned; there it is simply assumed.
    quote = dialect.quote.encode()
    quoted = not encoding.name.startswith("utf-8") or quote in head or (not whole and occurs(quote, path))
    return DelimitedFile(path, encoding, dialect, changed, quoted, options)


def _changed(
    path: Path, encoding: Encoding, dialect: Dialect, separator: rewriting.Separator, *, fill: bool
) -> bytes | None:
    """The text where it has to be changed before it is parsed. Raises: TableUnreadable."""
    is_column = dialect.columns == 1 and may_have_empty_lines(path, encoding)
    if not (separator or dialect.comment or fill or is_column):
        return None
    content = whole_text(path, encoding)
    refuse_stray_quotes(content.encode(), dialect, path.name, separators=rewriting.SIGNS[separator])
    changed = rewriting.changed(content, dialect, separator, fill=fill, name=path.name)
    return changed.encode() if changed != content else None


def _separator(text: str, path: Path, options: ReadOptions) -> rewriting.Separator:
    """What cuts the columns where it is no single sign; "" where it is one."""
    if options.delimiter in (" ", "::"):
        return "blanks" if options.delimiter == " " else "::"
    if options.delimiter is not None or path.suffix.lower() not in UNTELLING:
        return ""
    return "::" if is_cut_by_colons(text) else "blanks" if is_cut_by_blanks(text) else ""


def _text(head: bytes, encoding: Encoding, path: Path) -> str:
    text = head.decode(encoding.name, errors="ignore")
    if not text.strip():
        raise TableUnreadable(f"{path.name} is empty; a table needs at least a line of column names")
    if "\x00" in text:
        raise TableUnreadable(f"{path.name} is no text: it holds zero bytes; check what kind of file it is")
    return text


def is_tabular(path: Path) -> bool:
    """Whether a file whose suffix does not tell is a table rather than prose."""
    head = bytes_of(path, _PROBE_BYTES)
    encoding = _encoding(head, path, ReadOptions(), len(head) < _PROBE_BYTES)
    text = head.decode(encoding.name, errors="ignore")
    return is_table(text if len(text) < _PROBE_BYTES else text.rpartition("\n")[0])


def _encoding(head: bytes, path: Path, options: ReadOptions, whole: bool) -> Encoding:
    if options.encoding is None:
        return detect_encoding(head, path.name, whole=whole)
    try:
        head.decode(options.encoding, errors="strict" if whole else "ignore")
    except LookupError as error:
        raise TableUnreadable(f'{path.name}: there is no encoding "{options.encoding}"; try "cp1252"') from error
    except UnicodeDecodeError as error:
        raise TableUnreadable(f"{path.name} is not {options.encoding}: {error.reason} at byte {error.start}") from error
    return Encoding(options.encoding)


def _with_short_rows_filled(file: DelimitedFile) -> DelimitedFile | None:
    """The file with missing values where rows end early; None where that is not what is wrong, or is not wanted.

    Raises: TableUnreadable with the lines that have too many values: nobody knows which of them are meant.
    """
    if file.options.ragged == "refuse" or file.size() > WHOLE_SEARCH_BYTES:
        return None
    rows = rewriting.numbered_rows(file.text(), file.dialect)
    table = rows[file.dialect.skip_lines :]
    width = len(table[0][1]) if table else 0
    if long := [str(line) for line, row in table if len(row) > width]:
        listed = ", ".join(long[:_LINES_SHOWN]) + (" …" if len(long) > _LINES_SHOWN else "")
        raise TableUnreadable(
            f"{file.path.name} has {width} columns, and more values in {len(long):,} of its lines ({listed}); "
            "put texts that hold the delimiter in quotes"
        )
    short = sum(0 < len(row) < width for _, row in table)
    content = rewriting.filled_rows([row for _, row in rows], file.dialect).encode()
    return replace(file, content=content, has_quotes=True, short_rows=short) if short else None


def first_notes(file: DelimitedFile) -> list[str]:
    """What is said of how a file is cut, before any of its columns."""
    notes = ["rows that are too short are filled with missing values"] if file.options.ragged == "fill" else []
    if file.short_rows:
        notes.append(f"shorter rows ({file.short_rows:,}): what they lack is missing")
    return [*([file.encoding.note] if file.encoding.note else []), *file.dialect.notes, *notes]


def with_written_values(file: DelimitedFile, table: pa.Table) -> tuple[pa.Table, list[str]]:
    """The table with columns of written numbers and dates as such, and a note on each; else the same table."""
    table, of_numbers = read_numerals(table, file.options)
    table, of_dates = read_dates(table, file.options)
    notes = of_numbers + of_dates
    # Where semicolons part the columns, 1.234 may be a thousand as written beside 1,5.
    says_point = file.options.decimal == "." or file.options.thousands == ","
    if reads_as_comma(of_numbers) or (file.dialect.delimiter == ";" and not says_point):
        table, doubtful = _with_doubtful_as_text(file, table)
        notes += doubtful
    table, of_second_look = with_second_look(file, table)
    return table, [*notes, *of_second_look]


def _with_exact_texts(file: DelimitedFile, table: pa.Table) -> tuple[pa.Table, list[str]]:
    """The table with codes such as 007 and numbers of more digits than a float holds as they are written."""
    long = long_numbers(file, table)
    coded = columns_with_codes(file, table.drop_columns(long))
    as_text = [*long, *coded]
    if not as_text:
        return table, []
    texts = file.parse(only=as_text, as_text=as_text)
    for name in as_text:
        table = table.set_column(table.column_names.index(name), name, texts[name])
    notes = [f'column "{name}": numbers of more than 15 digits stay text' for name in long]
    return table, notes + [note_on_codes(name, lost) for name, lost in coded.items()]


def _with_doubtful_as_text(file: DelimitedFile, table: pa.Table) -> tuple[pa.Table, list[str]]:
    """In a file with decimal commas, columns in which every value is like "1.234" as texts: it may mean 1234."""
    floats = [name for name in table.column_names if pa.types.is_floating(table[name].type)]
    if not floats or file.options.decimal is not None:
        return table, []
    texts = file.parse(only=floats, as_text=floats)
    doubtful = [name for name in floats if is_doubtful(texts[name])]
    for name in doubtful:
        table = table.set_column(table.column_names.index(name), name, texts[name])
    return table, [
        f'column "{name}": values such as "1.234" may be thousands beside decimal commas, so they stay text'
        for name in doubtful
    ]

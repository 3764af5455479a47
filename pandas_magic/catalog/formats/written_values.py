"""What the cells of a delimited file say beside what Arrow makes of them: codes, long numbers, gaps, numerals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute

from pandas_magic.catalog.arrow import EXACT_IN_FLOAT
from pandas_magic.catalog.formats.codes import columns_with_codes
from pandas_magic.catalog.text.dates import read_dates
from pandas_magic.catalog.text.numerals import is_doubtful, read_numerals, reads_as_comma

if TYPE_CHECKING:
    from pandas_magic.catalog.formats.delimited import DelimitedFile

# What pandas.read_csv takes for a missing value, so that a table reads here as it does by hand.
WORDS_FOR_MISSING = (
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
    "NULL", "NaN", "None", "n/a", "nan", "null",
)  # fmt: skip


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
    return table, [*notes, *_words_for_missing(file, table)]


def with_exact_texts(file: DelimitedFile, table: pa.Table) -> tuple[pa.Table, list[str]]:
    """The table with codes such as 007 and numbers of more digits than a float holds as they are written."""
    long = long_numbers(table)
    whole = [name for name in table.column_names if pa.types.is_integer(table[name].type)]
    coded = columns_with_codes(file, whole)
    as_text = [*long, *coded]
    if not as_text:
        return table, []
    texts = file.parse(only=as_text, as_text=as_text)
    for name in as_text:
        table = table.set_column(table.column_names.index(name), name, texts[name])
    notes = [f'column "{name}": numbers of more than 15 digits stay text' for name in long]
    return table, notes + [f'column "{name}": codes with leading zeros stay text' for name in coded]


def long_numbers(table: pa.Table) -> list[str]:
    """Columns of floats that were integers with more digits than a float holds."""
    return [name for name in table.column_names if _loses_digits(table[name])]


def _loses_digits(column: pa.ChunkedArray) -> bool:
    if not pa.types.is_floating(column.type) or column.null_count == len(column):
        return False
    extremes = pa.compute.min_max(column).as_py()
    if max(abs(extremes["min"]), abs(extremes["max"])) < EXACT_IN_FLOAT:
        return False
    values = column.drop_null().to_numpy()
    finite = values[abs(values) < float("inf")]
    return bool((abs(finite) >= EXACT_IN_FLOAT).any() and (finite % 1 == 0).all())


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


def _words_for_missing(file: DelimitedFile, table: pa.Table) -> Iterator[str]:
    """Of columns of texts the words that were taken for gaps: NA is a country's code, too, and Null a surname."""
    texts = [name for name in table.column_names if pa.types.is_string(table[name].type) and table[name].null_count]
    if not texts or file.options.missing is not None:
        return
    text = file.probe().decode("utf-8" if file.content is not None else file.encoding.name, errors="ignore")
    options = file.options.model_copy(update={"missing": ("",)})
    try:
        found = replace(file, content=text.removeprefix("\ufeff").encode(), options=options).parse(
            only=texts, as_text=texts
        )
    except pa.ArrowInvalid:  # cut within a text
        return
    for name in texts:
        words = [word for word in found[name].unique().drop_null().to_pylist() if word in WORDS_FOR_MISSING]
        if words:
            yield f'column "{name}": "{words[0]}" is read as missing; say missing = [""] where it is a text'

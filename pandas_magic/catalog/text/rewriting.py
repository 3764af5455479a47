"""A text put so that Arrow can cut it: other separators as tabs, comments left out, short rows filled up."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from pandas_magic.catalog.text.cutting import cut_rows
from pandas_magic.catalog.text.dialect import Dialect, refuse_rows_as_comments

# What separates columns beside a single sign: runs of blanks, or two colons.
Separator = Literal["blanks", "::", ""]
SIGNS: dict[Separator, str] = {"blanks": " \t", "::": ":", "": ""}
_BLANKS_OUTSIDE_QUOTES = re.compile(r'("[^"\n]*")|(?<=\S)[ \t]+(?=\S)')


def changed(text: str, dialect: Dialect, separator: Separator, *, fill: bool, name: str) -> str:
    """The text as Arrow can cut it; with `fill`, short rows filled up.

    Raises: TableUnreadable with the file's `name` when what was found to be a comment may be a row.
    """
    text = tabbed(text, separator) if separator else text
    if dialect.comment:
        lines = list(_told_apart(text, dialect))
        # A line that begins with the sign within a quoted text is no question.
        refuse_rows_as_comments(
            [line for line, is_row in lines if not (is_row and line.startswith(dialect.comment))], dialect, name
        )
        text = "".join(line for line, is_row in lines if is_row)
    if dialect.columns == 1:
        text = with_empty_cells(text, dialect)
    return filled(text, dialect) if fill else text


def tabbed(text: str, separator: Separator) -> str:
    """The text with a tab in the place of each separator."""
    if separator == "::":
        return text.replace("::", "\t")
    inner = _BLANKS_OUTSIDE_QUOTES.sub(lambda found: found[1] or "\t", text)
    return re.sub(r"(?m)^[ \t]+|[ \t]+$", "", inner)


def with_empty_cells(text: str, dialect: Dialect) -> str:
    """The text of one column with a quoted empty cell in the place of each empty line between its rows."""
    lines = list(io.StringIO(text, newline=""))
    title, table = lines[: dialect.skip_lines], lines[dialect.skip_lines :]
    tail: list[str] = []  # empty lines at the end are no rows, and stay what they are
    while table and not table[-1].strip("\r\n"):
        tail.append(table.pop())
    out: list[str] = []
    end = 0
    for ended, row in cut_rows(table, dialect.delimiter, dialect.quote):
        is_cell = not row and bool(out)
        out.append(2 * dialect.quote + "\n" if is_cell else "".join(table[end:ended]))
        end = ended
    return "".join([*title, *out, *reversed(tail)])


def filled(text: str, dialect: Dialect) -> str:
    """The text with rows that end early filled up to the width of the first."""
    return filled_rows([row for _, row in numbered_rows(text, dialect)], dialect)


def filled_rows(rows: Sequence[Sequence[str]], dialect: Dialect) -> str:
    """The rows as text, those that end early filled up to the width of the first."""
    width = len(rows[dialect.skip_lines]) if len(rows) > dialect.skip_lines else 0
    out = io.StringIO()
    writer = csv.writer(out, delimiter=dialect.delimiter, quotechar=dialect.quote, lineterminator="\n")
    writer.writerows([*row, *[""] * (width - len(row))] if row else row for row in rows)
    return out.getvalue()


def numbered_rows(text: str, dialect: Dialect) -> list[tuple[int, list[str]]]:
    """Every row, each with the line that it ends in."""
    # Its lines end as they are written, also at a sole carriage return.
    return cut_rows(io.StringIO(text, newline=""), dialect.delimiter, dialect.quote)


def _told_apart(text: str, dialect: Dialect) -> Iterator[tuple[str, bool]]:
    """Every line, each with whether it is no comment; one that goes on within a quoted text is none."""
    within_quotes = False
    for line in text.splitlines(keepends=True):
        is_comment = not within_quotes and line.startswith(dialect.comment)
        yield line, not is_comment
        within_quotes ^= not is_comment and line.count(dialect.quote) % 2 == 1

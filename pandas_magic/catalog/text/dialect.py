"""How a text file is cut into rows and columns, found out from its first lines."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pandas_magic.catalog.readers import ReadOptions
from pandas_magic.catalog.text.cutting import cut_rows
from pandas_magic.errors import TableUnreadable

_DELIMITERS = (",", ";", "\t", "|")
_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
_COMMENT_SIGNS = ("#", "%", "//")
# Lines looked at. Enough to see past a title and a few odd rows, and quick to split in every way.
_PROBE_LINES = 200
_TYPED = re.compile(r"[+-]?(\d+([.,]\d+)*|\d*\.\d+)([eE][+-]?\d+)?%?|\d{4}-\d\d-\d\d.*|true|false", re.IGNORECASE)
_YEAR = re.compile(r"(19|20|21)\d\d")
_NO_VALUE = ("", "na", "n/a", "nan", "null", "none")
SPACES = " "  # stands for runs of blanks
_WORD = re.compile(r'"[^"]*"|\S+')
_COLONS = "::"
_SAID = re.compile(r'"?sep=([^\w\s"]|\t)"? *', re.IGNORECASE | re.ASCII)
_ANY = (*_DELIMITERS, SPACES, _COLONS)
_LETTERS_SHOWN = 40


@dataclass(frozen=True)
class Dialect:
    """How to cut the file. `notes` says in words what was detected; `columns` is how many there are."""

    delimiter: str
    columns: int
    quote: str = '"'
    has_header: bool = True
    skip_lines: int = 0
    comment: str = ""
    is_comment_said: bool = False  # by a person, so that no line with the sign is a row
    notes: tuple[str, ...] = ()


def detect_dialect(text: str, name: str, options: ReadOptions, *, tabs: bool = False) -> Dialect:
    """The dialect of a file that begins with `text`; `tabs` when its suffix already says so.

    Raises: TableUnreadable when two readings are equally likely, with the option that decides.
    """
    quote = options.quote or '"'
    lines = text.splitlines()[:_PROBE_LINES]
    said = _said_separator(lines) if options.skip_lines is None else ""
    comment, kept = _without_comments(lines[bool(said) :], options)
    delimiter = options.delimiter or said or ("\t" if tabs else _delimiter_of(kept, name, quote))
    rows = _split(kept, delimiter, quote)
    if options.comment is None:
        _refuse_two_headers(rows, name)
    skipped = options.skip_lines if options.skip_lines is not None else _title_lines(rows)
    body = [row for row in rows[skipped:] if row]
    has_header = options.header if options.header is not None else _has_header(body, name)
    notes = [
        f"columns separated by {_NAMES.get(delimiter, repr(delimiter))}" if delimiter not in (",", "\t") else "",
        f'the first line, "sep={said}", says what separates the columns, and is no row' if said else "",
        f"{skipped} line{'s' * (skipped > 1)} above the header left out" if skipped else "",
        f'lines that begin with "{comment}" left out' if comment else "",
        "" if has_header else "no line of column names: the columns are named column_1, column_2, …",
    ]
    columns, noted = len(body[0]) if body else 0, tuple(note for note in notes if note)
    above = skipped + bool(said)
    return Dialect(delimiter, columns, quote, has_header, above, comment, options.comment is not None, noted)


def _said_separator(lines: Sequence[str]) -> str:
    """What the first line says that columns are separated by, as Excel writes and reads it ("sep=;"); "": nothing."""
    found = _SAID.fullmatch(lines[0]) if lines else None
    return found[1] if found else ""


def is_table(text: str) -> bool:
    """Whether a text without a telling suffix is cut into columns: two lines at least, all cut alike."""
    lines = text.splitlines()[:_PROBE_LINES]
    _, lines = _without_comments(lines[bool(_said_separator(lines)) :], ReadOptions(), _ANY)
    kept = [line for line in lines if line.strip()]
    return len(kept) > 1 and any(_cuts_all(kept, sign) for sign in (*_DELIMITERS, SPACES, _COLONS))


def is_cut_by_blanks(text: str) -> bool:
    """Whether runs of blanks, and nothing else, cut the text into columns; a tab among such runs is one of them."""
    _, lines = _without_comments(text.splitlines()[:_PROBE_LINES], ReadOptions(), _ANY)
    kept = [line for line in lines if line.strip()]
    among_runs = all("  " in line for line in kept)
    others = [sign for sign in _DELIMITERS if sign != "\t" or not among_runs]
    return _cuts_all(kept, SPACES) and not any(_cuts_all(kept, sign) for sign in others)


def is_cut_by_colons(text: str) -> bool:
    """Whether pairs of colons cut every line into as many columns; two signs stand nowhere by chance."""
    _, lines = _without_comments(text.splitlines()[:_PROBE_LINES], ReadOptions(), _ANY)
    kept = [line for line in lines if line.strip()]
    return "\t" not in text and _cuts_all(kept, _COLONS)


def _cuts_all(lines: Sequence[str], delimiter: str) -> bool:
    columns, share = _count(lines, delimiter, '"')
    return columns > 1 and share == 1.0


def _without_comments(
    lines: Sequence[str], options: ReadOptions, separators: Sequence[str] = _DELIMITERS
) -> tuple[str, list[str]]:
    if options.comment is not None:
        return options.comment, [line for line in lines if not options.comment or not line.startswith(options.comment)]
    separators = (options.delimiter,) if options.delimiter else separators
    for sign in _COMMENT_SIGNS:
        rest = [line for line in lines if not line.startswith(sign)]
        if len(rest) == len(lines) or len(rest) < 2:
            continue
        counts = {each: _count(rest, each, '"') for each in separators}
        delimiter = max(separators, key=lambda each: (counts[each][0] > 1, counts[each][1], counts[each][0]))
        if not _are_data(lines, sign, delimiter, max(counts[delimiter][0], 1)):
            return sign, rest
    return "", list(lines)


def _are_data(lines: Sequence[str], sign: str, delimiter: str, columns: int) -> bool:
    """Whether a line with the sign is the header, or surely a row: then none of them is a comment."""
    above, below = _signed(lines, sign)
    if columns == 1:
        # A sign before a single word begins a value, such as #sale; behind it, a comment has words.
        return bool(below) or not all(" " in line.strip() or not line.strip(sign + " ") for line in above)
    is_header = bool(above) and len(_cut(above[-1], delimiter, '"')) == columns
    return is_header or any(row_likeness(line, sign, delimiter, columns) == "row" for line in below)


def _signed(lines: Sequence[str], sign: str) -> tuple[list[str], list[str]]:
    """The lines with the sign that stand above all others, and those below; within a quoted text none is."""
    above: list[str] = []
    below: list[str] = []
    is_above, within_quotes = True, False
    for line in lines:
        if line.startswith(sign) and not within_quotes:
            (above if is_above else below).append(line)
            continue
        is_above = is_above and not line.strip()
        within_quotes ^= line.count('"') % 2 == 1
    return above, below


def row_likeness(line: str, sign: str, delimiter: str, columns: int) -> Literal["row", "doubtful", "comment"]:
    """What a line with a comment sign is where it stands among rows: a row has their width, a comment is prose."""
    if columns == 1:
        return "doubtful"
    width, is_apart = len(_cut(line, delimiter, '"')), line.removeprefix(sign)[:1].isspace()
    if width == columns:
        return "doubtful" if is_apart else "row"
    return "comment" if is_apart or width == 1 else "doubtful"


def refuse_rows_as_comments(lines: Sequence[str], dialect: Dialect, name: str) -> None:
    """Refuse a text in which a line with the comment sign, which nobody said, may be a row.

    Raises: TableUnreadable with that line and the option that decides.
    """
    sign = dialect.comment
    if not sign or dialect.is_comment_said:
        return
    for line in _signed(lines, sign)[1]:
        if row_likeness(line, sign, dialect.delimiter, dialect.columns) != "comment":
            raise TableUnreadable(
                f'{name}: the line "{line.strip()[:_LETTERS_SHOWN]}" may be a comment or a row; '
                f'say comment = "{sign}" or comment = ""'
            )


def _delimiter_of(lines: Sequence[str], name: str, quote: str) -> str:
    found = {sign: _count(lines, sign, quote) for sign in _DELIMITERS if any(sign in line for line in lines)}
    likely = {sign: (share, columns) for sign, (columns, share) in found.items() if columns > 1}
    if not likely:
        return ","
    best = max(likely.values())
    signs = [sign for sign, score in likely.items() if score == best]
    if len(signs) > 1:
        both = " or ".join(_NAMES[sign] for sign in signs)
        raise TableUnreadable(f'{name} may be cut at {both}; say which, as in delimiter = "{signs[0]}"')
    return signs[0]


def _count(lines: Sequence[str], delimiter: str, quote: str) -> tuple[int, float]:
    """The usual number of columns when the lines are cut there, and the share of lines that have it."""
    counts = Counter(len(row) for row in _split(lines, delimiter, quote) if row)
    if not counts:
        return 0, 0.0
    columns, often = max(counts.items(), key=lambda item: (item[1] if item[0] > 1 else 0, item[0]))
    return columns, often / counts.total()


def _split(lines: Sequence[str], delimiter: str, quote: str) -> list[list[str]]:
    if delimiter == SPACES:
        return [_WORD.findall(line) for line in lines]
    if delimiter == _COLONS:
        return [line.split(_COLONS) for line in lines]
    # A quoted field may hold line breaks, so the lines are cut together.
    return [row for _, row in cut_rows((f"{line}\n" for line in lines), delimiter, quote)]


def _cut(line: str, delimiter: str, quote: str) -> list[str]:
    return next(iter(_split([line], delimiter, quote)), [])


def _title_lines(rows: Sequence[Sequence[str]]) -> int:
    """How many lines of title stand above a table: single texts above rows that all have the same, larger width."""
    widths = [len([field for field in row if field.strip()]) and len(row) for row in rows]
    table = next((at for at, width in enumerate(widths) if width > 1), 0)
    below = {width for width in widths[table:] if width}
    # One word above is a column's name whose values were written without quotes, not a title.
    is_worded = any(width == 1 and " " in rows[at][0].strip() for at, width in enumerate(widths[:table]))
    is_title = table > 0 and len(widths) - table > 1 and len(below) == 1 and (is_worded or 0 in widths[:table])
    return table if is_title else next((at for at, width in enumerate(widths) if width), 0)


def _has_header(rows: Sequence[Sequence[str]], name: str) -> bool:
    """Whether the first row names the columns; a row of numbers above numbers does not."""
    if len(rows) < 2:
        return True
    first, below = rows[0], rows[1:]
    if not any(_TYPED.fullmatch(field.strip()) for field in first):
        return True  # by far the most files: no need to look at every column below
    typed = [at for at in range(len(first)) if _is_typed_column(at, below)]
    like_below = [at for at in typed if _TYPED.fullmatch(first[at].strip())]
    if not typed or len(like_below) < len(typed):
        return True
    years = [first[at].strip() for at in like_below]
    if all(_YEAR.fullmatch(year) for year in years) and len(set(years)) == len(years):
        shown = ", ".join(years[:3])
        raise TableUnreadable(
            f"{name} begins with {shown}, which may name columns or be values; say header = true or header = false"
        )
    return False


def _refuse_two_headers(rows: Sequence[Sequence[str]], name: str) -> None:
    """Refuse a file whose first line has a comment sign and is cut like the rows, above a line that may be the header.

    Raises: TableUnreadable with the option that decides.
    """
    if len(rows) < 3 or len(rows[0]) != len(rows[1]) or not rows[0] or not rows[0][0].startswith(_COMMENT_SIGNS):
        return
    second, below = [field.strip() for field in rows[1]], rows[2:]
    is_worded = not any(_TYPED.fullmatch(field) or field.casefold() in _NO_VALUE for field in second)
    if is_worded and any(_is_typed_column(at, below) for at in range(len(second))):
        sign = next(sign for sign in _COMMENT_SIGNS if rows[0][0].startswith(sign))
        raise TableUnreadable(
            f'{name} begins with "{sign}", which may be a comment or the line of column names; '
            f'say comment = "{sign}" or comment = ""'
        )


def _is_typed_column(at: int, rows: Sequence[Sequence[str]]) -> bool:
    values = [row[at].strip() for row in rows if at < len(row) and row[at].strip()]
    return bool(values) and all(_TYPED.fullmatch(value) for value in values)

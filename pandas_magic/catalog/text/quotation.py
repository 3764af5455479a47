"""Whether quotation marks open and close as they should: one that stays open would swallow the rows below it."""

import re
from collections.abc import Iterable
from itertools import chain

import numpy as np
import numpy.typing as npt

from pandas_magic.catalog.text.dialect import Dialect
from pandas_magic.errors import TableUnreadable

_BOM = b"\xef\xbb\xbf"
# A quoted text that goes on for longer was never closed; no block of Arrow holds such a row either.
_LONGEST_BYTES = 64 * 1024**2


def refuse_stray_quotes(text: bytes, dialect: Dialect, name: str, *, separators: str = "") -> None:
    """Refuse a text with a quoted field that stays open, or goes on behind the mark that closes it.

    `separators` are the signs that part fields where it is not the dialect's delimiter.

    Raises: TableUnreadable with the line in which the quoted field begins.
    """
    if dialect.comment or separators or not are_in_pairs(np.frombuffer(text, np.uint8), dialect):
        refuse_in_blocks([text], dialect, name, separators=separators)


def refuse_in_blocks(blocks: Iterable[bytes], dialect: Dialect, name: str, *, separators: str = "") -> None:
    """The same for a text in blocks, none of them empty, however long it is. Raises: TableUnreadable."""
    marks = _Marks(dialect, (separators or dialect.delimiter).encode())
    # The line break stands for the one that the first field lacks.
    rest, lines, is_first = b"\n", 0, True
    for block in chain(blocks, [b""]):
        below, titles = marks.without_title(block.removeprefix(_BOM)) if is_first else (block, 0)
        text, lines, is_first = rest + below, lines + titles, False
        stray, done = marks.look(text, is_last=not block)
        if stray is None and len(text) - done > _LONGEST_BYTES:
            stray = done + 1
        if stray is not None:
            raise _stray(name, lines + _line_breaks(text[:stray]))
        rest, lines = text[done:], lines + _line_breaks(text[:done])


def are_in_pairs(letters: npt.NDArray[np.uint8], dialect: Dialect, *, first: int = 0, is_whole: bool = True) -> bool:
    """Whether each mark that opens stands where a field begins, and each that closes where one ends, or is doubled.

    `first` is where the text begins; unless it `is_whole`, its last mark may stay open. False decides nothing: marks
    within a field that is not quoted are letters.
    """
    quotes = np.flatnonzero(letters == ord(dialect.quote))
    if is_whole and len(quotes) % 2:
        return False
    opening, closing = quotes[::2], quotes[1::2]
    beside = list(b"\n\r" + (dialect.delimiter + dialect.quote).encode())
    begins = (opening == first) | np.isin(letters[np.maximum(opening - 1, 0)], beside)
    last = len(letters) - 1
    ends = (closing == last) | np.isin(letters[np.minimum(closing + 1, last)], beside)
    return bool(begins.all() and ends.all())


class _Marks:
    """The quotation marks of a dialect, whose signs are single bytes."""

    def __init__(self, dialect: Dialect, separators: bytes) -> None:
        quote, comment = re.escape(dialect.quote.encode()), re.escape(dialect.comment.encode())
        self.dialect, self.stops = dialect, b"\r\n" + separators
        lines = rb"(?<=[\r\n])(?P<comment>" + comment + rb"[^\r\n]*)|" if comment else b"(?P<comment>(?!))|"
        self.begins = re.compile(lines + rb"(?<=[\r\n" + re.escape(separators) + rb"])" + quote)
        self.closes = re.compile(rb"(?:[^" + quote + rb"]++|" + 2 * quote + rb")*+" + quote)
        blanks = bytes(sign for sign in b" \t" if sign not in separators)
        self.blanks = re.compile(rb"[" + blanks + rb"]*" if blanks else b"")

    def without_title(self, text: bytes) -> tuple[bytes, int]:
        """The text from the header on, and how many lines stand above."""
        lines, titles, comment = 0, self.dialect.skip_lines, self.dialect.comment.encode()
        while titles and (end := re.compile(rb"\r\n?|\n").search(text)):
            titles -= not (comment and text.startswith(comment))
            text, lines = text[end.end() :], lines + 1
        return text, lines

    def look(self, text: bytes, *, is_last: bool) -> tuple[int | None, int]:
        """Where the first stray mark stands, if one does; and from where on it takes more of the text to know."""
        at = 1
        while found := self.begins.search(text, at):
            end = self._end(text, found)
            if end in (None, len(text)) and not is_last:
                return None, found.start() - 1
            if end is None or (end < len(text) and text[end] not in self.stops):
                return found.start(), found.start()
            at = end
        return None, len(text) - 1

    def _end(self, text: bytes, found: re.Match[bytes]) -> int | None:
        """Where the comment or the quoted field ends, with the blanks behind it; None for a field that does not."""
        if found["comment"] is not None:
            return found.end()
        closed = self.closes.match(text, found.end())
        after = self.blanks.match(text, closed.end()) if closed else None
        return after.end() if after else None


def _line_breaks(text: bytes) -> int:
    return max(text.count(b"\n"), text.count(b"\r"))


def _stray(name: str, line: int) -> TableUnreadable:
    return TableUnreadable(
        f"{name}: the quotation mark in line {line:,} opens a text that does not close where a field ends; close it, "
        'double the marks within a quoted text, or say another sign, as in quote = "~", where marks are plain letters'
    )

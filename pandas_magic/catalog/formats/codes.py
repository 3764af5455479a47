"""Codes such as 007, 0x1F and +4930 in delimited files, which must stay as written."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from pandas_magic.catalog.formats.delimited import DelimitedFile

# Codes are looked for everywhere in files up to this size, in larger ones in windows spread over the file.
WHOLE_SEARCH_BYTES = 32 * 1024**2
_WINDOWS, _WINDOW_BYTES = 64, 64 * 1024
_BEFORE_FIELD = np.isin(np.arange(256), list(b"\n,;\t| \"'"))
_SIGN = np.isin(np.arange(256), list(b"+-"))
# Arrow makes 16 of 0x10, too.
_AFTER_ZERO = np.isin(np.arange(256), list(b"0123456789xX"))
A_PLUS = "a plus"
_DIGIT = np.isin(np.arange(256), list(b"0123456789"))


def codes_in_windows(file: "DelimitedFile") -> dict[str, str]:
    """The columns of a large file that hold codes, each with what would be lost of one.

    As far as windows spread over the file show.
    """
    lines = file.probe().split(b"\n")
    header = lines[file.dialect.skip_lines] + b"\n" if file.dialect.has_header else b""
    found: dict[str, str] = {}
    above = file.dialect.skip_lines + int(file.dialect.has_header)
    for number, window in enumerate(_windows(file)):
        # Before the first line break stands the rest of a row; the first window has the header below it.
        rows = b"\n".join(window.split(b"\n")[1 + (0 if number else above) : -1])
        if not _may_have_codes(b"\n" + rows):
            continue
        sample = replace(file, dialect=replace(file.dialect, skip_lines=0), content=header + rows)
        try:
            table = sample.parse()
        except pa.ArrowInvalid:
            continue  # the window began inside a quoted text; the others speak for the file
        found |= columns_with_codes(sample, table)
    return dict(sorted(found.items()))


def columns_with_codes(file: "DelimitedFile", table: pa.Table) -> dict[str, str]:
    """The columns of numbers that hold a code, each with what would be lost of one: a zero or a plus in front.

    Codes are 007, and 005.13; and +4930 where nothing has a minus or a fraction, so that the plus is no sign.
    """
    columns = [name for name in table.column_names if _is_number(table[name].type)]
    if not columns or not any(map(_may_have_codes, _windows(file))):
        return {}
    if file.size() > WHOLE_SEARCH_BYTES:
        return {name: lost for name, lost in codes_in_windows(file).items() if name in columns}
    texts = file.parse(only=columns, as_text=columns)
    return {name: lost for name in columns if (lost := lost_in_front(texts[name]))}


def note_on_codes(name: str, lost: str) -> str:
    """What is said of a column that stays text for what would be lost of its codes."""
    return f'column "{name}": codes with {lost} stay text'


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _may_have_codes(text: bytes) -> bool:
    """Whether a field may begin with a zero and another digit or an x, perhaps signed, or with a plus and a digit."""
    letters = np.frombuffer(text, np.uint8)
    if len(letters) < 2:
        return False
    zeros = (letters[:-1] == ord("0")) & _AFTER_ZERO[letters[1:]]
    pluses = (letters[:-1] == ord("+")) & _DIGIT[letters[1:]]
    at = np.flatnonzero(zeros | pluses)
    at = at[at > 0]
    signed = at[(at > 1) & _SIGN[letters[at - 1]]]
    return bool(_BEFORE_FIELD[letters[at - 1]].any() or _BEFORE_FIELD[letters[signed - 2]].any())


def _windows(file: "DelimitedFile") -> Iterator[bytes]:
    # The line break in front stands for the one that the first field of a file lacks.
    size = file.size()
    if file.content is not None or size <= WHOLE_SEARCH_BYTES:
        yield b"\n" + file.bytes_at(0, size)
        return
    step = (size - _WINDOW_BYTES) // (_WINDOWS - 1)
    yield b"\n" + file.bytes_at(0, _WINDOW_BYTES)
    yield from (file.bytes_at(at * step, _WINDOW_BYTES) for at in range(1, _WINDOWS))


def lost_in_front(column: pa.Array | pa.ChunkedArray) -> str:
    """What numbers made of the texts would lose of what they begin with; "" where that is nothing."""

    def has(pattern: str) -> bool:
        return bool(pc.any(pc.match_substring_regex(column, pattern)).as_py())

    if has(r"^\s*[+-]?0[0-9xX]"):
        return "leading zeros"
    return A_PLUS if has(r"^\s*\+[0-9]+\s*$") and not has(r"^\s*-|[.,eE]") else ""

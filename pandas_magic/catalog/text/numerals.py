"""Numbers as people write them, in columns of texts: 1,234.50 and 1.234,50; and what else such columns hold."""

import re
from collections.abc import Sequence
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from pandas_magic.catalog.plain_types import is_text
from pandas_magic.catalog.readers import ReadOptions

Style = Literal["point", "comma"]
# Blanks (plain, no-break, narrow) and apostrophes group thousands with either sign of the fraction.
_BLANKS = "  \u202f'’"
_PATTERNS: dict[Style, str] = {
    "point": rf"^[+-]?([0-9]{{1,3}}([,{_BLANKS}][0-9]{{3}})+|[0-9]+)(\.[0-9]+)?$",
    "comma": rf"^[+-]?([0-9]{{1,3}}([.{_BLANKS}][0-9]{{3}})+|[0-9]+)(,[0-9]+)?$",
}
_WORDS: dict[Style, str] = {"point": "1,234.50", "comma": "1.234,50"}
# A number that both styles read, and differently.
_EITHER = r"^[+-]?[0-9]{1,3}[.,][0-9]{3}$"
_SMALL = r"^[+-]?[0-9]{1,3}$"  # a number below a thousand is written alike in both
_PROBE_VALUES = 1_000
_TOO_LONG = "^([^0-9]*[0-9]){16}"  # a float64 always holds 15 digits exactly
_ZERO_IN_FRONT = "^[+-]?0[0-9]"
_PLUS_IN_FRONT, _AMOUNT = r"^\+", "^-|[.,]"  # a plus is a sign where there are others, or fractions
_UNIT = re.compile(r"[+-]?\d+([.,]\d+)?\s*(%|[A-Za-zµ°€$£]{1,5})|[€$£]\s?[+-]?\d[\d.,]*")
_SHORT_YEAR = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{2}( .*)?")
_YES_NO = ({"y", "n"}, {"yes", "no"}, {"j", "n"}, {"ja", "nein"}, {"t", "f"})


def read_numerals(table: pa.Table, options: ReadOptions) -> tuple[pa.Table, list[str]]:
    """The table with columns of written numbers as numbers, and a note on each such column.

    A column is converted only when every value in it is a number in one and the same style and some value rules the
    other style out. What stays text although it looks like something else is noted.
    """
    notes: list[str] = []
    for at, name in enumerate(table.column_names):
        column = table.column(at)
        if not is_text(column.type) or name in options.as_text or column.null_count == len(column):
            continue
        probe = _probe(column)
        style = _style(column, probe, options)
        if style is not None:
            table = table.set_column(at, name, _converted(column, style))
            notes.append(f'column "{name}": numbers written as in {_WORDS[style]} ("{probe[0]}")')
        elif seen := _seen(probe):
            notes.append(f'column "{name}": {seen}')
    return table, notes


def reads_as_comma(notes: Sequence[str]) -> bool:
    """Whether a column was found whose fractions stand after a comma."""
    return any(_WORDS["comma"] in note for note in notes)


def is_doubtful(column: pa.ChunkedArray) -> bool:
    """Whether texts are like "1.234", a fraction here and a thousand there, and the others whole and below 1,000."""
    either, small = (pc.match_substring_regex(column, pattern) for pattern in (_EITHER, _SMALL))
    return bool(pc.any(either).as_py()) and bool(pc.all(pc.or_(either, small)).as_py())


def _probe(column: pa.ChunkedArray) -> list[str]:
    values: list[str] = column.slice(0, 10 * _PROBE_VALUES).drop_null().unique()[:_PROBE_VALUES].to_pylist()
    return values or column.drop_null().unique()[:_PROBE_VALUES].to_pylist()


def _style(column: pa.ChunkedArray, probe: Sequence[str], options: ReadOptions) -> Style | None:
    fitting = [style for style in _PATTERNS if all(re.match(_PATTERNS[style], value) for value in probe)]
    fitting = [style for style in fitting if _all_match(column, style)]
    if not fitting or _any_matches(column, _TOO_LONG) or _any_matches(column, _ZERO_IN_FRONT):
        return None
    if _any_matches(column, _PLUS_IN_FRONT) and not _any_matches(column, _AMOUNT):
        return None
    said = _said(options)
    if said is not None:
        return said if said in fitting else None
    return fitting[0] if len(fitting) == 1 else None


def _said(options: ReadOptions) -> Style | None:
    if options.decimal == "," or options.thousands == ".":
        return "comma"
    return "point" if options.decimal == "." or options.thousands == "," else None


def _all_match(column: pa.ChunkedArray, style: Style) -> bool:
    return bool(pc.all(pc.match_substring_regex(column, _PATTERNS[style])).as_py())


def _any_matches(column: pa.ChunkedArray, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(column, pattern)).as_py())


def _converted(column: pa.ChunkedArray, style: Style) -> pa.ChunkedArray:
    group, fraction = (",", ".") if style == "point" else (".", ",")
    plain = pc.replace_substring_regex(column, f"[{re.escape(group)}{_BLANKS}+]", "")
    plain = pc.replace_substring(plain, fraction, ".")
    whole = not pc.any(pc.match_substring(plain, ".")).as_py()
    return plain.cast(pa.int64() if whole else pa.float64())


def _seen(probe: Sequence[str]) -> str:
    """What a column of texts looks like but is not read as, with an example; "" for plain texts."""
    if all(re.match(_EITHER, value) or re.fullmatch(r"[+-]?\d+", value) for value in probe) and any(
        re.match(_EITHER, value) for value in probe
    ):
        shown = next(value for value in probe if re.match(_EITHER, value))
        return f'"{shown}" may be a thousand or a fraction, so it stays text; say decimal = "," or decimal = "."'
    if all(_UNIT.fullmatch(value.strip()) for value in probe):
        return f'numbers with a unit ("{probe[0]}") stay text'
    if all(_SHORT_YEAR.fullmatch(value.strip()) for value in probe):
        return f'dates without a century ("{probe[0]}") stay text'
    if {value.strip().lower() for value in probe} in _YES_NO:
        return f'"{probe[0]}" for true or false stays text'
    return ""

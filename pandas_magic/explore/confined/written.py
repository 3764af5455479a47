"""Numbers as people write them: with a decimal comma, thousands apart, a currency or a percent sign.

"1,2" may be a number or two labels, and "1,234" one of two numbers, so nobody is told that they are numbers: they are
readings, of which a person says the one that is meant. Of a file, what has one reading alone is read so: `agreement`.
"""

from __future__ import annotations

import re
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pandas_magic.explore.confined.formulas import Array

_SIGN = r"(?:[$€£¥%]|USD|EUR|GBP|CHF)"
# A reading -> its digits, the mark of thousands, the mark of decimals.
_READINGS = {
    "numeric with a decimal point": (r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?", ",", "."),
    "numeric with a decimal comma": (r"(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?", ".", ","),
}
_LEADING_ZERO = r"^\D*0\d"
_SAMPLE = 200


def readings_of(texts: Any) -> tuple[str, ...]:  # noqa: ANN401 - a pyarrow string array
    """The ways in which all the texts can be read as numbers; none for those that are no such numbers."""
    first, sample = str(texts[0]), texts.slice(0, _SAMPLE)
    if not any(character.isdigit() for character in first) or len(first) > 40:
        return ()
    found = [name for name in _READINGS if re.fullmatch(_pattern(name), first) and _all_match(sample, name)]
    found = [name for name in found if _all_match(texts, name)]
    if not found or pc.any(pc.match_substring_regex(texts, _LEADING_ZERO)).as_py():
        return ()
    if len(pc.unique(_signs(texts))) > 1:
        return ()  # dollars among percents are no measure
    # Without any mark both say the same.
    marked = pc.any(pc.match_substring_regex(texts, "[.,]")).as_py()
    return tuple(found) if marked else tuple(found[:1])


def numbers_of(texts: Any, reading: str) -> Array | None:  # noqa: ANN401 - a pyarrow string array
    """The texts as numbers by one of their readings; None when one of them does not fit it."""
    if reading not in _READINGS or not _all_match(texts, reading):
        return None
    _, thousands, decimal = _READINGS[reading]
    plain = pc.replace_substring(texts, thousands, "")
    plain = pc.replace_substring_regex(pc.replace_substring(plain, decimal, "."), r"[^0-9.-]", "")
    numbers: Array = pc.cast(plain, pa.float64()).to_numpy()
    return numbers


def _pattern(name: str) -> str:
    return rf"[+-]?{_SIGN}?\s?[+-]?{_READINGS[name][0]}\s?{_SIGN}?"


def _all_match(texts: Any, name: str) -> bool:  # noqa: ANN401 - a pyarrow string array
    return bool(pc.all(pc.match_substring_regex(texts, f"^(?:{_pattern(name)})$")).as_py())


def _signs(texts: Any) -> Any:  # noqa: ANN401 - a pyarrow string array
    return pc.replace_substring_regex(texts, r"[0-9.,\s+-]", "")

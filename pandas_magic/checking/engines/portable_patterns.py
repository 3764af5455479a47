r"""Patterns and dates without what engines read differently: \s, ., flags, anchors, and the calendar."""

from collections.abc import Sequence

from pandas_magic.checking.engines.dialect import NotExpressible
from pandas_magic.constraints.algebra.patterns import explicit, tokens

# Everything that \s and str.strip() of Python take for space, as characters: engines disagree about \s.
SPACES = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + "\u2028\u2029\u202f\u205f\u3000"
)
_CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_MONTHS = r"((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
_LEAP = r"([0-9][0-9](0[48]|[2468][048]|[13579][26])|([02468][48]|[13579][26]|[2468]0)00)-02-29"
_YEAR = r"([1-9][0-9][0-9][0-9]|0[1-9][0-9][0-9]|00[1-9][0-9]|000[1-9])"
# Whole months that nanoseconds reach: finer texts are no moments in others.
_FINE_YEAR = r"(167[89]|16[89][0-9]|1[7-9][0-9][0-9]|2[01][0-9][0-9]|22[0-5][0-9]|226[01])"
_FINE_DAY = rf"({_FINE_YEAR}-[0-9][0-9]|1677-1[0-2]|2262-0[1-3])-[0-9][0-9]"
# Of less than a day, however it is written: "+02:60" is three hours.
_OFFSET = r"(Z|[+-](([01][0-9]|2[0-2]):?[0-9][0-9]|23:?[0-5][0-9]))?"
# Texts that are read as moments: without a zone, and with one or none; only the latter know a year 0.
PLAIN_DATE = rf"({_YEAR}-{_MONTHS}|{_LEAP})([T ]{_CLOCK}(:[0-5][0-9](\.[0-9]{{1,6}})?)?)?"
_ANY_DAY = rf"([0-9][0-9][0-9][0-9]-{_MONTHS}|{_LEAP}|0000-02-29)"
# A text must be both: a day of the calendar, and no finer than a moment of its year can be.
ANY_DATE = rf"{_ANY_DAY}([T ]{_CLOCK}(:[0-5][0-9](\.[0-9]{{1,9}})?)?{_OFFSET})?"
NOT_TOO_FINE = (
    rf"[^.]*|[^.]*\.[0-9]{{1,6}}{_OFFSET}|{_FINE_DAY}[^.]*\.[0-9]{{7,9}}{_OFFSET}"
    r"|[^.]*\.[0-9]{7,9}[+-][0-9][0-9]:?[6-9][0-9]"  # of such a one only the microseconds are read
)
_ESCAPED = frozenset("tnrfv")


def portable(pattern: str) -> tuple[str, bool]:
    r"""The pattern with \s and . spelt out and no flag, and whether it ignores case.

    Raises: NotExpressible for flags inside, anchors that are left, {,n}, and escapes of more than one meaning.
    """
    marks = list(tokens(explicit(pattern)))
    ignores_case = marks[:4] == ["(", "?", "i", ")"] or (marks[:4] == ["(", "?", "i", ":"] and _is_one_group(marks))
    if ignores_case:
        if not pattern.isascii():
            raise NotExpressible("case beyond ASCII in a pattern")
        marks = marks[4:] if marks[3] == ")" else ["(", "?", ":", *marks[4:]]
    pieces, inside = [], False
    for place, mark in enumerate(marks):
        pieces.append(_spelt(mark, marks[place + 1 : place + 3], inside=inside))
        if mark == "[" and not inside:
            inside = True
        elif mark == "]" and inside and marks[place - 1] != "[" and marks[place - 2 : place] != ["[", "^"]:
            inside = False
        elif mark == "[" and inside:
            raise NotExpressible("[ within brackets of a pattern")
    return "".join(pieces), ignores_case


def _is_one_group(marks: Sequence[str]) -> bool:
    return marks[-1] == ")" and marks.count("(") == 1


def _spelt(mark: str, following: Sequence[str], *, inside: bool) -> str:
    if mark == "\\s":
        return SPACES if inside else f"[{SPACES}]"
    if inside:
        if (mark.startswith("\\") and mark[1].isalnum() and mark[1] not in _ESCAPED) or (
            mark == "&" and following[:1] == ["&"]
        ):
            raise NotExpressible(f"{mark} within brackets of a pattern")
        return mark
    if mark == "\\S":
        return f"[^{SPACES}]"
    if mark == ".":
        return "[^\n]"
    if mark in ("^", "$") or (mark.startswith("\\") and mark[1].isalnum() and mark[1] not in _ESCAPED):
        raise NotExpressible(f"{mark} within a pattern")
    if mark == "(" and following[:1] == ["?"] and following[1:] != [":"]:
        raise NotExpressible("a flag or a name within a pattern")
    if mark == "{" and following[:1] == [","]:
        raise NotExpressible("{,n} in a pattern, which means itself to some engines")
    if mark in ("*", "+", "?", "}") and following[:1] in (["+"], ["?"]):
        # Greedy or not, a whole text matches the same; two marks in a row are possessive to some engines.
        raise NotExpressible(f"{mark}{following[0]} in a pattern")
    return mark

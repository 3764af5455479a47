"""What functions of libraries say, as terms: `np.where(c, a, b)`, `pd.Timedelta(days=3)`, `re.fullmatch(p, x)`."""

import re
from collections.abc import Callable

from pandas_magic.planner.language.doors.pandas_groups import Given, Keywords, only, rounded
from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, SyntaxTerm, literal
from pandas_magic.planner.language.doors.times import CLOCKS

_UNITS = ("seconds", "minutes", "hours", "days", "weeks")
_SHORT_UNITS = {
    "d": "days", "day": "days", "h": "hours", "hour": "hours", "min": "minutes", "s": "seconds", "w": "weeks",
    "m": "minutes",
}  # fmt: skip
_LENGTH = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+)", re.IGNORECASE)


def called_of_library(function: str, given: Given, keywords: Keywords) -> SyntaxTerm:
    """What `np.where(c, a, b)`, `pd.Timedelta(days=3)`, `re.fullmatch(p, x)` say. Raises: NotMeant, NothingHolds."""
    if function in ("now", "today", "utcnow"):
        return SyntaxTerm("now")  # `pd.Timestamp.today()` is the time of the run, too
    if function in _OF_LIBRARIES:
        return _OF_LIBRARIES[function](given, keywords)
    if function in ("Timestamp", "to_datetime", "date", "datetime") and len(given) == 1:
        form = keywords["format"].said if "format" in keywords else None
        return SyntaxTerm("time", given) if form in CLOCKS else SyntaxTerm("moment", given, said=form)
    if function == "to_numeric" and len(given) == 1:
        return SyntaxTerm("number", given)
    if function == "where" and len(given) == 3 and not keywords:
        return SyntaxTerm("case", given)
    if function == "select" and len(given) == 3 and [part.op for part in given[:2]] == ["list", "list"]:
        pairs = zip(given[0].parts, given[1].parts, strict=True)
        return SyntaxTerm("case", (*(part for pair in pairs for part in pair), given[2]))
    if function in ("fullmatch", "match", "search") and len(given) == 2 and not keywords:
        ops = {"fullmatch": "fits", "match": "starts with pattern", "search": "has pattern"}
        return SyntaxTerm(ops[function], (given[1], given[0]))
    known = {"abs": "abs", "logical_and": "and", "logical_or": "or", "logical_not": "not"}
    if function in known and not keywords:
        return SyntaxTerm(known[function], given)
    raise NothingHolds(f"I know no function {function}")


def _time(given: Given, keywords: Keywords) -> SyntaxTerm:
    """`datetime.time(18, 30)`, of whole numbers."""
    numbers = [each.said for each in given]
    if not 1 <= len(numbers) <= 3 or keywords or not all(type(number) is int for number in numbers):
        raise NotMeant("a time")
    return SyntaxTerm("time", (literal(":".join(f"{number:02}" for number in [*numbers, 0][:3])),))


def _as_length(given: Given, keywords: Keywords) -> SyntaxTerm:
    """`pd.to_timedelta(t)` and `pd.to_timedelta(t + ":00")` of texts, `pd.to_timedelta(n, unit="min")` of numbers."""
    if len(given) != 1 or not keywords.keys() <= {"unit"}:
        raise NotMeant("arguments")
    of = given[0]
    if "unit" in keywords:
        said = str(keywords["unit"].said)
        unit = _SHORT_UNITS.get(said if said == "m" else said.lower(), said)
        return SyntaxTerm("*", (of, _length_of_time((), {unit: literal(1)})))
    without = of.parts[0] if of.op == "+" and of.parts[1] == literal(":00") else of
    return SyntaxTerm("time", (without,))


def _close(given: Given, keywords: Keywords) -> SyntaxTerm:
    """`np.isclose(a, b, rtol=1e-5, atol=1e-8)`: apart by no more than atol and the share rtol of the second."""
    if len(given) not in (2, 3, 4):
        raise NotMeant("arguments")
    more = dict(zip(("rtol", "atol"), given[2:], strict=False)) | dict(keywords)
    share, far = more.pop("rtol", literal(1e-05)), more.pop("atol", literal(1e-08))
    if more or "literal" not in (share.op, far.op):
        raise NotMeant("arguments")
    if share not in (literal(0), literal(0.0)):
        part = SyntaxTerm("*", (SyntaxTerm("abs", given[1:2]), share))
        far = part if far in (literal(0), literal(0.0)) else SyntaxTerm("+", (part, far))
    return SyntaxTerm("<=", (SyntaxTerm("abs", (SyntaxTerm("-", given[:2]),)), far))


def _length_of_time(given: Given, keywords: Keywords) -> SyntaxTerm:
    units = (*_UNITS, "months", "years")
    if "unit" in keywords and len(given) == 1:
        given, keywords = (literal(f"{given[0].said} {keywords['unit'].said}"),), {}
    if len(given) == 2 and not keywords:  # np.timedelta64(1, "h")
        given = (literal(f"{given[0].said} {given[1].said}"),)
    if len(keywords) == 1 and not given:
        ((unit, amount),) = keywords.items()
        if unit in units and amount.op == "literal":
            return SyntaxTerm("span", (amount,), said=unit)
    if given == (literal(0),) and not keywords:
        return SyntaxTerm("span", given, said="days")
    if len(given) == 1 and isinstance(given[0].said, str):
        length = _LENGTH.fullmatch(given[0].said.strip())
        unit = _SHORT_UNITS.get(length[2].lower(), length[2]) if length and length[2] != "M" else ""  # a month
        if length and unit in units:
            return SyntaxTerm("span", (literal(float(length[1])),), said=unit)
    raise NotMeant("a length of time")


_OF_LIBRARIES: dict[str, Callable[[Given, Keywords], SyntaxTerm]] = {
    **dict.fromkeys(("Timedelta", "timedelta", "timedelta64", "DateOffset"), _length_of_time),
    "isclose": _close,
    "allclose": lambda given, keywords: SyntaxTerm("all", (_close(given, keywords),)),
    "time": _time,
    "to_timedelta": _as_length,
    "round": lambda given, keywords: rounded(only(given[:1], {}), given[1:], keywords),
}

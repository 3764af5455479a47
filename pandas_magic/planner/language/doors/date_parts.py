"""Parts of moments, by the names that pandas has for them."""

from pandas_magic.planner.language.doors.terms import NotMeant, SyntaxTerm

_DATE_PARTS = frozenset({"year", "quarter", "month", "day", "hour", "minute"})
_WEEKDAYS = frozenset({"dayofweek", "day_of_week", "weekday"})


def date_part(of: SyntaxTerm, attr: str) -> SyntaxTerm:
    """The part of a moment that `.dt.attr` is. Raises: NotMeant for an unknown one."""
    if attr in _DATE_PARTS:
        return SyntaxTerm("part", (of,), said=attr)
    if attr in _WEEKDAYS:  # pandas counts from Monday, 0; ISO 8601 from Monday, 1
        return SyntaxTerm("day from monday", (SyntaxTerm("part", (of,), said="weekday"),))
    if attr in ("date", "time"):
        return SyntaxTerm(attr, (of,))
    if attr == "days":
        return SyntaxTerm("whole days", (of,))
    raise NotMeant(attr)

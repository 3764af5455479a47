"""Times of the day as people write them: 17:30, 6 pm, 6:30 p.m., noon."""

import re
from collections.abc import Sequence

from pandas_magic.planner.language.linking.tokens import RuleToken

_WRITTEN = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?")
_JOINED = re.compile(r"(\d\d?)(am|pm)")
_HALVES = {"am": 0, "a.m": 0, "pm": 12, "p.m": 12}
_NOON, _HOUR = 12, 3_600


def clock_at(tokens: Sequence[RuleToken], start: int) -> tuple[int, int] | None:
    """The token behind the time of day that begins here, and how many seconds it is since midnight; None for none."""
    low = tokens[start].low
    if low == "noon":
        return start + 1, _NOON * _HOUR
    if joined := _JOINED.fullmatch(low):
        return _of_half(start + 1, int(joined[1]), 0, _HALVES[joined[2]])
    written = _WRITTEN.fullmatch(low)
    hour, rest = (int(written[1]), int(written[2]) * 60 + int(written[3] or 0)) if written else (_whole(low), 0)
    half = tokens[start + 1].low if start + 1 < len(tokens) else ""
    if half in _HALVES and hour is not None:
        stop = half[1] == "." and start + 3 < len(tokens) and tokens[start + 2].text == "."
        return _of_half(start + 2 + stop, hour, rest, _HALVES[half])
    return (start + 1, (hour or 0) * _HOUR + rest) if written else None


def _whole(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 3 else None


def _of_half(end: int, hour: int, rest: int, half: int) -> tuple[int, int] | None:
    return (end, (hour % _NOON + half) * _HOUR + rest) if 1 <= hour <= _NOON else None

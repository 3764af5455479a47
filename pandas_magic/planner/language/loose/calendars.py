"""Months, weekdays and hours of the day that a rule speaks of."""

import re
from itertools import pairwise

from pandas_magic.planner.language.linking.tokens import MONTHS, WEEKDAYS
from pandas_magic.planner.language.loose.scene import Mention, Scene

_CLOCK = frozenset(("morning", "noon", "midnight", "clock", "am"))
_AFTER_NOON = frozenset(("afternoon", "evening", "pm", "night"))
_NOON = 12
_WRITTEN = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")
_HALF, _HALF_HOUR, _HOUR = 0.5, 30, 60
_UNTIL = frozenset(("to", "until", "till", "through", "and", "by", "-", "–"))
_BESIDE = 3  # how far behind an hour it is said which half of the day is meant


def months_said(scene: Scene) -> list[int]:
    """The months that are named, January as 1. "May" and "march" are months with a capital letter alone."""
    return [month for mention in scene.mentions for month in _months_of(mention)]


def _months_of(mention: Mention) -> list[int]:
    written = (word for word in mention.words if mention.text[0].isupper() or word not in ("may", "march"))
    return [MONTHS[word] for word in written if word in MONTHS and not mention.date]


def months_from_to(scene: Scene) -> list[tuple[int, int]]:
    """The months between which something is, also over the turn of the year: "from September to the end of May"."""
    said = [(mention.place, month) for mention in scene.mentions for month in _months_of(mention)]
    return [
        (first, last)
        for (at, first), (to, last) in pairwise(said)
        if any(not _UNTIL.isdisjoint(between.words) for between in scene.mentions[at + 1 : to])
    ]


def days_said(scene: Scene) -> list[int]:
    """The weekdays that are named, Monday as 1."""
    words = (word.rstrip("s") for mention in scene.mentions for word in mention.words)
    return sorted({WEEKDAYS[word] for word in words if word in WEEKDAYS})


def place_of_clock(scene: Scene) -> int | None:
    """Where a time of the day is told by half of the day; None where none is."""
    told = (mention.place for mention in scene.mentions if not (_CLOCK | _AFTER_NOON).isdisjoint(mention.words))
    return next(told, None)


def on_the_clock(scene: Scene, mention: Mention, number: int | float) -> int | float:
    """The hour out of 24: 16 for "four in the afternoon", 18 for the six of "between six and eight in the evening"."""
    behind = scene.mentions[mention.place + 1 : mention.place + _BESIDE]
    if len(behind) > 1 and behind[0].text in ("and", "to", "-", "–") and number < (behind[1].number or 0):
        later = on_the_clock(scene, behind[1], behind[1].number or 0)
        return number + _NOON if later > _NOON >= (behind[1].number or 0) else number
    for beside in scene.mentions[mention.place : mention.place + _BESIDE + 1]:
        if not _AFTER_NOON.isdisjoint(beside.words) and 0 < number < _NOON:
            return number + _NOON
        if not _CLOCK.isdisjoint(beside.words) or (beside is not mention and beside.number is not None):
            break
    return number


def times_said(scene: Scene) -> list[tuple[int, int]]:
    """Where times of the day are told, in minutes: "17:30", "six in the morning", "half past five in the evening"."""
    found: list[tuple[int, int]] = []
    for mention in scene.mentions:
        written = _WRITTEN.fullmatch(mention.quoted or mention.text)
        number, minute = mention.number, _HALF_HOUR * _is_half_past(scene, mention.place)
        if written is not None:
            found.append((mention.place, int(written[1]) * _HOUR + int(written[2])))
        elif "noon" in mention.words:
            found.append((mention.place, _NOON * _HOUR))
        elif isinstance(number, int) and 0 <= number < 2 * _NOON and not (mention.duration or mention.percent):
            found.append((mention.place, int(on_the_clock(scene, mention, number)) * _HOUR + minute))
    return found


def _is_half_past(scene: Scene, place: int) -> bool:
    """Whether "half past" stands before the hour."""
    half, past = scene.mentions[max(0, place - 2) : place] if place > 1 else (None, None)
    return half is not None and past is not None and half.number == _HALF and "past" in past.words

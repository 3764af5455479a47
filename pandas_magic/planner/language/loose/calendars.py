"""Months, weekdays and hours of the day that a rule speaks of."""

import calendar

from pandas_magic.planner.language.loose.scene import Mention, Scene

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_DAYS = {name.lower(): number for number, name in enumerate(calendar.day_name, 1)}
_CLOCK = frozenset(("morning", "noon", "midnight", "clock", "am"))
_AFTER_NOON = frozenset(("afternoon", "evening", "pm", "night"))
_NOON = 12
_BESIDE = 3  # how far behind an hour it is said which half of the day is meant


def months_said(scene: Scene) -> list[int]:
    """The months that are named, January as 1. "May" and "march" are months with a capital letter alone."""
    return [
        _MONTHS[word]
        for mention in scene.mentions
        for word in mention.words
        if word in _MONTHS and not mention.date and (mention.text[0].isupper() or word not in ("may", "march"))
    ]


def days_said(scene: Scene) -> list[int]:
    """The weekdays that are named, Monday as 1."""
    words = (word.rstrip("s") for mention in scene.mentions for word in mention.words)
    return sorted({_DAYS[word] for word in words if word in _DAYS})


def place_of_clock(scene: Scene) -> int | None:
    """Where a time of the day is told by half of the day; None where none is."""
    told = (mention.place for mention in scene.mentions if not (_CLOCK | _AFTER_NOON).isdisjoint(mention.words))
    return next(told, None)


def on_the_clock(scene: Scene, mention: Mention, number: int | float) -> int | float:
    """The hour out of 24: 16 for "four in the afternoon"."""
    for beside in scene.mentions[mention.place : mention.place + _BESIDE + 1]:
        if not _AFTER_NOON.isdisjoint(beside.words) and 0 < number < _NOON:
            return number + _NOON
        if not _CLOCK.isdisjoint(beside.words) or (beside is not mention and beside.number is not None):
            break
    return number

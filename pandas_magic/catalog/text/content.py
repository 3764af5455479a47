"""What texts are by their content: dates in ISO 8601, numbers, or times of the day."""

import re
from collections.abc import Sequence
from typing import Literal

ContentKind = Literal["date", "number", "time"]
# So many texts are looked at, and so many of them may be something else: a few typing errors leave dates dates.
MOST_TEXTS = 200
_LEAST_SHARE = 0.9
_DATE = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?)?")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_TIME = re.compile(r"([01]?[0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?")
_FORMS: dict[ContentKind, re.Pattern[str]] = {"date": _DATE, "time": _TIME}
_GROUPED, _UNGROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}\.[0-9]{3}"), re.compile(r"[+-]?[0-9]{4,}")
# Digits that only tell things apart are no numbers: a postcode, a phone number, what begins with a nought.
_CODE = re.compile(r"\+?0[0-9]+|[0-9]{12,}")


def content_kind(texts: Sequence[str]) -> ContentKind | None:
    """What nearly all of the texts are; None when they are just texts, or there is none."""
    some = texts[:MOST_TEXTS]
    least = _LEAST_SHARE * len(some)
    if not some:
        return None
    for kind, form in _FORMS.items():
        if sum(form.fullmatch(text) is not None for text in some) >= least:
            return kind
    numbers = [text for text in some if _NUMBER.fullmatch(text)]
    if len(numbers) >= least and not any(map(_CODE.fullmatch, numbers)) and not may_be_thousands(numbers):
        return "number"
    return None


def may_be_thousands(texts: Sequence[str]) -> bool:
    """Whether three digits stand behind every point, as in 1.500: a fraction here, a thousand there."""
    pointed = [text for text in texts if "." in text and _NUMBER.fullmatch(text)]
    is_plain = any(map(_UNGROUPED.fullmatch, texts))
    return bool(pointed) and not is_plain and all(map(_GROUPED.fullmatch, pointed))

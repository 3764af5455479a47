"""Whether every number in a text stands in the result that the text is about; those that do not are struck out."""

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd

from pandas_magic.planner.model.spelled_numbers import SPELLED, spelled_number

_SCALES = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9}
_NUMBER = re.compile(
    r"(?<![\w.,/-])(?P<sign>[-−]?)(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?P<power>[eE][+-]?\d+)?"
    r"(?:\s?(?P<percent>%)|\s?(?P<scale>k|m|bn|thousand|million|billion)\b)?(?![\w/])",
    re.IGNORECASE,
)
_DATE = re.compile(r"\b\d{4}-\d{2}(?:-\d{2})?(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?")
# Digits that are glued to letters or signs (USD42, 7th, 10⁶, ½), and numbers in words from eleven on.
_ODD_DIGITS = r"\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209c\u2150-\u218b\u2460-\u249b\u24ea-\u24ff"
_GLUED = rf"[\w'’./-]*[\d{_ODD_DIGITS}](?:[\w'’./-]|,(?=\d))*"
_TOLD = re.compile(
    f"(?P<date>{_DATE.pattern})|{_NUMBER.pattern}|(?P<glued>{_GLUED})|(?P<words>{SPELLED.pattern})", re.IGNORECASE
)
_LIST_NUMBER = re.compile(r"^\s*\d+[.)]\s", re.MULTILINE)
_FEW = 10  # "two of them" and "one reason" tell no result
_MOST_CELLS = 200_000  # of a result; beyond it no one can check a text against it


class Known:
    """The numbers and dates that a text may tell: those of the result, of its shape, and of the request.

    `names` are those of tables and columns: they may stand in the text as they are, and give no number.
    """

    def __init__(
        self,
        frame: pd.DataFrame | None,
        value: Any,  # noqa: ANN401 - any JSON
        *texts: str,
        names: Iterable[str] = (),
    ) -> None:
        found = list(_of_value(value))
        self.dates: set[str] = set()
        self.words = {
            word for name in names for word in _words_with_digits(name)
        }  # with digits in them, as they stand in the result, its columns and the texts
        if frame is not None:
            self.words |= {word for name in frame.columns for word in _words_with_digits(str(name))}
            found += [float(len(frame)), float(len(frame.columns))]
            found += list(self._of_frame(frame))
        for text in (*texts, str(value)):
            self.words |= _words_with_digits(text)
        for text in texts:
            self.dates |= set(_DATE.findall(text))
            found += [float(match["digits"].replace(",", "")) for match in _NUMBER.finditer(_DATE.sub(" ", text))]
            found += [float(year) for year in re.findall(r"\b\d{4}\b", text)]
        self.dates |= set(_DATE.findall(str(value)))
        self._magnitudes = sorted({abs(number) for number in found if math.isfinite(number)})

    def _of_frame(self, frame: pd.DataFrame) -> Iterator[float]:
        whole = frame.reset_index() if not isinstance(frame.index, pd.RangeIndex) else frame
        if whole.size > _MOST_CELLS:
            whole = whole.head(_MOST_CELLS // max(len(whole.columns), 1))
        for place in range(len(whole.columns)):
            column = whole.iloc[:, place].dropna()
            if pd.api.types.is_datetime64_any_dtype(column.dtype):
                for moment in column:
                    self.dates |= {f"{moment:%Y-%m-%d}", f"{moment:%Y-%m}"}
                    yield float(moment.year)
                    yield float(moment.day)
            else:
                if column.dtype == object or pd.api.types.is_string_dtype(column.dtype):
                    self.words |= {word for text in column.astype(str) for word in _words_with_digits(text)}
                    self.dates |= {date for text in column.astype(str) for date in _DATE.findall(text)}
                yield from _numbers_in(column)

    def has(self, number: float, decimals: int) -> bool:
        """Whether a known number is this one, rounded as the text rounds it; also without its sign."""
        most = 0.5 * 10.0**-decimals * (1 + 1e-9)
        at = bisect_left(self._magnitudes, abs(number) - most)
        return at < len(self._magnitudes) and self._magnitudes[at] <= abs(number) + most


def _words_with_digits(text: str) -> set[str]:
    return {match[0].strip("'’./-").casefold() for match in re.finditer(_GLUED, text)}


def _numbers_in(column: pd.Series) -> Iterator[float]:
    if pd.api.types.is_bool_dtype(column.dtype):
        yield from (float(column.sum()), float((~column.astype(bool)).sum()))
    elif pd.api.types.is_timedelta64_dtype(column.dtype):
        yield from (span.total_seconds() / unit for span in column for unit in (1, 60, 3600, 86400))
    elif pd.api.types.is_numeric_dtype(column.dtype):
        yield from (float(number) for number in column)
    else:
        for text in column.astype(str):
            yield from (float(match["digits"].replace(",", "")) for match in _NUMBER.finditer(text))


def _of_value(value: Any) -> Iterator[float]:  # noqa: ANN401 - any JSON value
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, (int, float)):
        yield float(value)
    elif isinstance(value, str):
        yield from (float(match["digits"].replace(",", "")) for match in _NUMBER.finditer(value))
    elif isinstance(value, dict):
        for part in (*value, *value.values()):
            yield from _of_value(part)
    elif isinstance(value, list):
        yield float(len(value))
        for part in value:
            yield from _of_value(part)


def strike_unfounded(text: str, known: Known) -> tuple[str, tuple[str, ...]]:
    """The text with the numbers and dates that are not known struck out (`~~…~~`), and those as they were written."""
    listed = [match.span() for match in _LIST_NUMBER.finditer(text)]
    unfounded: list[str] = []

    def judge(match: re.Match[str]) -> str:
        in_list = any(start <= match.start() < end for start, end in listed)
        if in_list or _is_told_rightly(match, known):
            return match[0]
        unfounded.append(match[0])
        return f"~~{match[0]}~~"

    return _TOLD.sub(judge, text), tuple(unfounded)


def _is_told_rightly(match: re.Match[str], known: Known) -> bool:
    if match["date"]:
        return _is_known_date(match, known)
    if match["words"]:
        value = spelled_number(match["words"])
        return value <= _FEW or known.has(value, 0)
    return _is_known_word(match["glued"], known) if match["glued"] else _is_known(match, known)


def _is_known_word(word: str, known: Known) -> bool:
    """Whether a word with digits in it stands in the result as it is, or holds only numbers that do."""
    if word.strip("'’./-").casefold() in known.words:
        return True
    plain = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", word)
    numbers = re.findall(r"\d+(?:\.\d+)?", plain)
    if not numbers or not re.fullmatch(r"(?:[a-z]|\d+(?:\.\d+)?|_(?!\d)|[/.-])*", plain, re.ASCII | re.IGNORECASE):
        return False  # 10⁶, ½, 1_000: written so that their value is not plain
    return all(known.has(float(number), len(number.partition(".")[2])) for number in numbers)


def _is_known_date(match: re.Match[str], known: Known) -> bool:
    return match[0] in known.dates or match[0][:10] in known.dates


def _is_known(match: re.Match[str], known: Known) -> bool:
    digits = match["digits"].replace(",", "") + (match["power"] or "")
    decimals = len(match["digits"].partition(".")[2])
    number = float(digits)
    return any(known.has(number * factor, places) for factor, places in _readings(match, number, decimals))


def _readings(match: re.Match[str], number: float, decimals: int) -> Iterable[tuple[float, int]]:
    """What the number may be a way of writing: itself, a share as a percentage, thousands or millions."""
    if match["scale"]:
        scale = _SCALES[match["scale"].lower()]
        return [(scale, decimals - round(math.log10(scale)))]
    if match["percent"]:
        return [(1.0, decimals), (0.01, decimals + 2)]
    return [(1.0, decimals)]

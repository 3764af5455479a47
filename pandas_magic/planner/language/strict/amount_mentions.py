"""What names amounts and texts as they are written: numbers, percentages, lengths of time, dates, formats."""

import re
from collections.abc import Iterator
from typing import TypeVar

from pandas_magic.constraints import Moment, Span, Value
from pandas_magic.planner.language.linking import (
    DateMeant,
    DurationMeant,
    FormatMeant,
    Linked,
    NumberMeant,
    PatternMeant,
    TextMeant,
)
from pandas_magic.planner.language.linking.clocks import clock_at
from pandas_magic.planner.language.linking.tokens import MONTHS, WEEKDAYS
from pandas_magic.planner.language.strict.scene import About, Clock
from pandas_magic.planner.language.strict.units import counts_in_cents

_ORDINAL = re.compile(r"(\d\d?(?:\.\d+)?)(?:st|nd|rd|th)")
_PORTIONS = {("half",): 50, ("a", "quarter"): 25, ("one", "quarter"): 25, ("three", "quarters"): 75}
_CENTS = frozenset(("cent", "cents"))
Meant = TypeVar("Meant")
SpokenPart = tuple[int, object, float, str]  # end, meaning, cost, how it was understood


class SpottedAmounts:
    """The parts of a sentence that mean the same in any table."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked
        self.tokens = linked.tokens

    def _meant(self, start: int, kind: type[Meant]) -> Iterator[tuple[int, Meant]]:
        for span in self.linked.at(start):
            for meaning in span.meanings:
                if isinstance(meaning, kind):
                    yield span.end, meaning

    def _number(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end, meant in self._meant(start, NumberMeant):
            in_cents = end > start + 1 and self.tokens[end - 1].low in _CENTS and counts_in_cents(about)
            if not meant.percent and not in_cents:
                yield end, Value(value=meant.value), 0.0, f"the number {meant.value}"

    def _percent(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end, meant in self._meant(start, NumberMeant):
            if meant.percent:
                yield end, Value(value=meant.value), 0.0, f"{meant.value} percent"
        for words, percent in _PORTIONS.items():
            if tuple(token.low for token in self.tokens[start : start + len(words)]) == words:
                yield start + len(words), Value(value=percent), 0.0, f"{percent} percent"

    def _duration(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end, meant in self._meant(start, DurationMeant):
            yield end, Span(amount=meant.amount, unit=meant.unit), 0.0, f"{meant.amount:g} {meant.unit}"

    def _date(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end, meant in self._meant(start, DateMeant):
            yield end, Moment(iso=meant.value), 0.0, f"the date {meant.value}"

    def _clock(self, start: int, about: About) -> Iterator[SpokenPart]:
        found = clock_at(self.tokens, start)
        if found is not None and about.subject is not None and about.has_times(about.subject):
            whole, seconds = divmod(found[1], 60)
            clock = Clock(amount=found[1], unit="seconds") if seconds else Clock(amount=whole, unit="minutes")
            yield found[0], clock, 0.0, "a time of day"

    def _text(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end, meant in self._meant(start, TextMeant):
            yield end, meant.value, 0.0, "a text"

    def _pattern(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end, meant in self._meant(start, PatternMeant):
            yield end, meant.regex, 0.0, "a regular expression"

    def _format(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end, meant in self._meant(start, FormatMeant):
            yield end, meant.name, 0.0, f"the format {meant.name}"

    def _month(self, start: int, about: About) -> Iterator[SpokenPart]:
        if (name := self.tokens[start].low) in MONTHS:
            yield start + 1, MONTHS[name], 0.0, f"the month {name}"

    def _weekday(self, start: int, about: About) -> Iterator[SpokenPart]:
        if (name := self.tokens[start].low.removesuffix("s")) in WEEKDAYS:
            yield start + 1, WEEKDAYS[name], 0.0, f"the weekday {name}"

    def _percentile(self, start: int, about: About) -> Iterator[SpokenPart]:
        """Like "90th percentile": as much of 1."""
        found = _ORDINAL.fullmatch(self.tokens[start].low)
        if found and self.tokens[start + 1 : start + 2] and self.tokens[start + 1].low == "percentile":
            yield start + 2, float(found[1]) / 100, 0.0, f"the quantile {float(found[1]) / 100:g}"

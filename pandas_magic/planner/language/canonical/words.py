"""A cursor over canonical words: names, texts, numbers, and fixed phrases."""

import re
from collections.abc import Callable
from typing import TypeVar

from pandas_magic.constraints.algebra.expressions import Expression, Moment, Now, Span, Value
from pandas_magic.constraints.algebra.spelling import RESERVED

_MOMENT = r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}(?::\d{2})?)?)?(?!\w)"
_CLOCK = r"([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?!\w|[:.]\d)"
_NUMBER = r"-?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf)(?![\w.])"
_UNIT = r"(second|minute|hour|day|week|month|year)s?\b"


_T = TypeVar("_T")


class NotCanonical(Exception):
    """These are not the canonical words."""


class CanonicalText:
    """A text and how far it is read. Spaces before a word do not count.

    With `nearly`, what has one meaning is read in other forms too: "must not be one of", "in orders where paid is true
    by id", "the date of the sent of orders by id", and names that are words of the language without backticks.
    """

    def __init__(self, text: str, *, nearly: bool = False) -> None:
        self.text, self.at, self.nearly = text, 0, nearly

    def _find(self, pattern: str) -> re.Match[str] | None:
        return re.compile(rf"\s*(?:{pattern})").match(self.text, self.at)

    def match(self, pattern: str) -> str:
        """The text that fits the pattern here, which is read.

        Raises: NotCanonical when nothing fits.
        """
        found = self._find(pattern)
        if found is None:
            raise NotCanonical(self.text[self.at :])
        self.at = found.end()
        return found.group().strip()

    def sees(self, phrase: str) -> bool:
        """Whether the phrase comes next, in whole words."""
        return self._find(_whole(phrase)) is not None

    def eats(self, phrase: str) -> bool:
        """Read the phrase if it comes next; whether it did."""
        found = self._find(_whole(phrase))
        if found is not None:
            self.at = found.end()
        return found is not None

    def expect(self, phrase: str) -> None:
        """Read the phrase.

        Raises: NotCanonical when something else comes next.
        """
        if not self.eats(phrase):
            raise NotCanonical(self.text[self.at :])

    def expect_space(self) -> None:
        """Raises: NotCanonical when something comes next without a space before it."""
        if not self.text[self.at : self.at + 1].isspace():
            raise NotCanonical(self.text[self.at :])

    def end(self) -> None:
        """Raises: NotCanonical when something is left, a full stop apart."""
        if self.text[self.at :].strip() not in ("", "."):
            raise NotCanonical(self.text[self.at :])

    def listed(self, one: Callable[["CanonicalText"], _T], mark: str = ",") -> tuple[_T, ...]:
        """One or several, between marks."""
        found = [one(self)]
        while self.eats(mark):
            found.append(one(self))
        return tuple(found)

    def in_brackets(self, one: Callable[["CanonicalText"], _T], opening: str = "(") -> _T:
        """What stands in brackets.

        Raises: NotCanonical when none do.
        """
        self.expect(opening)
        found = one(self)
        self.expect(")")
        return found

    def one_or_several(self, one: Callable[["CanonicalText"], _T]) -> tuple[_T, ...]:
        """One, or several in brackets."""
        return self.in_brackets(lambda words: words.listed(one)) if self.sees("(") else (one(self),)

    def name(self) -> str:
        """The name of a table or column: bare, or in backticks."""
        if self._find("`"):
            return self.match(r"`(?:[^`]|``)+`")[1:-1].replace("``", "`")
        before = self.at
        found = self.match(r"[A-Za-z_]\w*")
        if found.lower() in RESERVED and not self.nearly:
            self.at = before
            raise NotCanonical(found)
        return found

    def text_value(self) -> str:
        """A text in single quotes."""
        start = self.match("'")
        self.at -= len(start)
        found = re.compile(r"'((?:[^']|'')*)'").match(self.text, self.at)
        if found is None:
            raise NotCanonical(self.text[self.at :])
        self.at = found.end()
        return found.group(1).replace("''", "'")

    def literal(self) -> bool | int | float | str:
        """A text, a truth value or a number."""
        if self._find("'"):
            return self.text_value()
        if self.eats("true"):
            return True
        if self.eats("false"):
            return False
        number = self.match(_NUMBER)
        return int(number) if re.fullmatch(r"-?\d+", number) else float(number)

    def constant(self) -> Expression | None:
        """A literal, a point in time or a length of time, or None when something else comes next."""
        if self.eats("now"):
            return Now()
        if self.eats("today"):
            return Now(midnight=True)
        if self._find(_MOMENT):
            return Moment(iso=self.match(_MOMENT))
        if (clock := self._find(_CLOCK)) is not None:
            self.at = clock.end()
            minutes = int(clock[1]) * 60 + int(clock[2])
            if clock[3] is None:
                return Span(amount=minutes, unit="minutes")
            return Span(amount=minutes * 60 + int(clock[3]), unit="seconds")
        if self._find(rf"{_NUMBER}\s+{_UNIT}"):
            amount = float(self.match(_NUMBER))
            return Span(amount=amount, unit=self.match(_UNIT).removesuffix("s") + "s")
        if self._find(rf"'|{_NUMBER}|(?:true|false)\b"):
            return Value(value=self.literal())
        return None


def _whole(phrase: str) -> str:
    spaced = r"\s+".join(re.escape(word) for word in phrase.split())
    return rf"{spaced}\b" if phrase[-1].isalnum() else spaced

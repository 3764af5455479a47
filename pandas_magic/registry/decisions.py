"""Decisions of people about a check, kept in its file: approval, rest, known exceptions, and the bands of a verdict."""

import re
from datetime import date
from typing import Self

from pydantic import field_validator, model_validator

from pandas_magic.record import Record

_BAND = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?P<percent>%?)")


class Approval(Record):
    """That a person read a check's code, and when."""

    by: str  # whose name they gave
    at: str  # ISO 8601, UTC, ending in Z
    reviewed: str  # digest of the rule, the code, what it reads and the schemas, as they were then


class _Ending(Record):
    """A decision with a reason that may end by itself."""

    reason: str  # for whoever reads it later
    until: str = ""  # the day, as 2026-12-01, from which it no longer counts; "": it does not end by itself
    by: str = ""  # whose decision it is
    at: str = ""  # ISO 8601, UTC, ending in Z

    @field_validator("until")
    @classmethod
    def _is_a_day(cls, until: str) -> str:
        if until:
            date.fromisoformat(until)
        return until

    @field_validator("reason")
    @classmethod
    def _says_why(cls, reason: str) -> str:
        if not reason.strip():
            raise ValueError("a reason is needed, for whoever reads this later")
        return " ".join(reason.split())

    def counts_on(self, day: date) -> bool:
        """Whether it has not ended by the morning of that day."""
        return not self.until or day < date.fromisoformat(self.until)


class Snooze(_Ending):
    """That a check does not run until a day."""


class KnownException(_Ending):
    """That rows of one key may break the rule. It counts for that rule only."""

    key: dict[str, str]  # column of the checked table -> value, as text
    rule_digest: str  # of the rule that it was decided for

    @field_validator("key")
    @classmethod
    def _names_something(cls, key: dict[str, str]) -> dict[str, str]:
        if not key:
            raise ValueError("a key is needed, such as order_id=17")
        return key

    def named(self) -> str:
        """The key as people write it: "order_id=17, line=2"."""
        return ", ".join(f"{column}={value}" for column, value in self.key.items())


class Band(Record):
    """From how many violations on something is said: a count of at least one, or a share of the rows."""

    at_least: float
    is_share: bool = False

    @classmethod
    def read(cls, text: str) -> Self:
        """The band that "10" or "1%" means. Raises: ValueError with what would fit.

        >>> Band.read("1%").reached_by(2, 300), Band.read("1%").reached_by(3, 300)
        (False, True)
        """
        match = _BAND.fullmatch(text.strip())
        if not match:
            raise ValueError(f'"{text}" is no band; write a count such as 10, or a share such as 1%')
        number, is_share = float(match["number"]), bool(match["percent"])
        if is_share and not 0 < number <= 100:
            raise ValueError(f'"{text}" is no share of rows; it lies above 0% and up to 100%')
        if not is_share and (number < 1 or number != int(number)):
            raise ValueError(f'"{text}" is no count of rows; it is a whole number from 1')
        return cls(at_least=number, is_share=is_share)

    def reached_by(self, violations: int, rows: int) -> bool:
        """Whether so many violations among so many rows reach it."""
        # Multiplied, not divided: one per cent of 300 rows is exactly 3.
        return violations * 100 >= self.at_least * rows if self.is_share else violations >= self.at_least

    def in_words(self) -> str:
        """As it was written."""
        number = f"{self.at_least:g}"
        return f"{number}%" if self.is_share else number


class Bands(Record):
    """From where on violations warn, and from where on they fail. Without a word any violation fails."""

    warn: str | None = None  # as `Band.read` takes it; None: from the first violation that does not fail
    fail: str | None = None  # None: from the first violation

    @field_validator("warn", "fail", mode="before")
    @classmethod
    def _is_a_band(cls, given: object) -> object:
        return Band.read(str(given)).in_words() if given is not None else None

    @model_validator(mode="after")
    def _warns_before_it_fails(self) -> Self:
        if self.warn is None:
            return self
        if self.fail is None:
            raise ValueError("warn needs fail beside it: without, the first violation fails")
        warn, fail = Band.read(self.warn), Band.read(self.fail)
        if warn.is_share == fail.is_share and warn.at_least >= fail.at_least:
            raise ValueError(f"warn {self.warn} is not below fail {self.fail}")
        return self

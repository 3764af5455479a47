"""What engines spell differently, as templates, and what one of them cannot say."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

EXACT_IN_DOUBLE = 2**53


class NotExpressible(Exception):
    """A rule has no SQL of the same meaning in an engine, and why; it runs as pandas."""


@dataclass(frozen=True, eq=False)
class EngineDialect:
    """How one engine spells what a rule needs: a template for each thing, `{0}`, `{1}` being what it is said of.

    A template that is missing is something for which the engine has no equal of the same meaning.
    """

    name: str
    templates: Mapping[str, str]
    quote_mark: str = '"'
    escapes: tuple[tuple[str, str], ...] = (("'", "''"),)  # within a text, in this order
    parts: Mapping[str, str] = field(default_factory=dict)  # a part of a date -> what it is called
    kinds: frozenset[str] = frozenset({"integer", "number", "text", "boolean", "datetime"})  # of columns
    # Whether two missing keys can be joined as equal by hashing; otherwise rows are counted within a window.
    joins_missing: bool = True
    holds_nan: bool = True  # whether a number can be NaN and not NULL

    def say(self, what: str, *values: object) -> str:
        """The template filled in. Raises: NotExpressible when there is none."""
        template = self.templates.get(what)
        if template is None:
            raise NotExpressible(f"{self.name} has no equal of {what.replace('_', ' ')}")
        return template.format(*values)

    def quote(self, name: str) -> str:
        """The name of a column or table. Raises: NotExpressible for one with a character that ends texts."""
        if "\0" in name:
            raise NotExpressible("a name with a NUL")
        return self.quote_mark + name.replace(self.quote_mark, self.quote_mark * 2) + self.quote_mark

    def text(self, value: str) -> str:
        """A text that the rule names. Raises: NotExpressible for one with a NUL."""
        if "\0" in value:
            raise NotExpressible("a text with a NUL")
        for character, escaped in self.escapes:
            value = value.replace(character, escaped)
        return f"'{value}'"

    def number(self, value: float) -> str:
        """A number that the rule names, a whole one exactly."""
        if isinstance(value, int) or (math.isfinite(value) and value == int(value) and abs(value) < 2**63):
            return repr(int(value))
        if math.isfinite(value):
            return self.say("double", f"{value!r}")
        return self.say("infinity") if value > 0 else f"-{self.say('infinity')}"

    def moment(self, moment: pd.Timestamp) -> str:
        """A point in time, naive or with a zone. Raises: NotExpressible for parts of a microsecond."""
        if moment.nanosecond:
            raise NotExpressible("a moment finer than microseconds")
        if moment.tzinfo is None:
            return self.say("moment", moment.isoformat(sep=" "))
        return self.say("moment_in_UTC", moment.tz_convert("UTC").isoformat(sep=" "))

    def part(self, part: str, moment: str) -> str:
        """A part of a naive moment. Raises: NotExpressible."""
        own = f"part_{part}"
        return self.say(own, moment) if own in self.templates else self.say("part", self.parts.get(part, part), moment)

    def but(self, name: str, *, lacks: tuple[str, ...] = (), **templates: str) -> EngineDialect:
        """A dialect that spells these templates otherwise, and lacks others."""
        kept = {what: said for what, said in self.templates.items() if what not in lacks}
        return replace(self, name=name, templates={**kept, **templates})

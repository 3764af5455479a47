"""One rule made of a finding, in the canonical words that the rule compiler reads back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from pandas_magic.constraints import Constraint, describe

# What columns say of each other -> what a rule about it is called.
ABOUT_RELATIONS = {
    "equal": "equal columns",
    "formula": "formula",
    "order": "order",
    "determined": "one value each",
}


@dataclass(frozen=True)
class Proposal:
    """A rule made of a finding. `sentence` is the check's text, `because` what was found."""

    kind: str
    column: str  # "" when it is about whole rows
    sentence: str
    because: str
    holds: bool = True  # False: rows break it today, and the check will show them

    @classmethod
    def of(cls, kind: str, column: str, rule: Constraint, because: str, *, holds: bool = True) -> Self:
        """The rule in canonical words."""
        return cls(kind, column, describe(rule), because, holds)

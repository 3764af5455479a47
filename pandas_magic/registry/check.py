"""A person's rule."""

from __future__ import annotations

from pydantic import field_validator

from pandas_magic.record import Record, digest
from pandas_magic.registry.decisions import Bands
from pandas_magic.registry.severities import Severity


class Check(Record, defer_build=False):
    """A person's rule, with its name and its place in the organisation."""

    id: str  # names the check everywhere
    rule: str  # the sentence
    name: str = ""  # a short one for people
    tables: tuple[str, ...] = ()  # empty: the planner chooses
    target: str = ""  # the table whose rows are checked, where the rule does not say; "": the planner chooses
    severity: Severity = "medium"  # "low", "medium", "high" or "critical"
    owner: str = ""  # who answers for it
    tags: tuple[str, ...] = ()  # words to choose it by
    enabled: bool = True  # false: its runs are SKIPPED
    bands: Bands | None = None  # None: the first violation fails

    @field_validator("tables", "tags", mode="before")
    @classmethod
    def _split(cls, given: object) -> object:
        # The source system writes lists as comma-separated text or as lists.
        return tuple(part.strip() for part in given.split(",") if part.strip()) if isinstance(given, str) else given

    def rule_digest(self) -> str:
        """Changes with the rule's words, its tables and its target, not with owner, tags or spacing."""
        return digest({"rule": " ".join(self.rule.split()), "tables": self.tables, "target": self.target})

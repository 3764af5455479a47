"""A check with its code, its proof, and what it was compiled against."""

from __future__ import annotations

from pydantic import Field

from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.constraints.plans import Plan
from pandas_magic.record import Record
from pandas_magic.registry.check import Check
from pandas_magic.registry.decisions import Approval, KnownException, Snooze
from pandas_magic.registry.proof import Proof


class CompiledCheck(Record, defer_build=False):
    """A check with its code, its proof, and what it was compiled against."""

    check: Check  # the rule, and what people said of it
    plan: Plan  # the rule in words that mean only it, and the columns that are read
    constraint: Constraint | None = None  # the rule as a tree; None: code that no constraint describes
    code: str  # the pandas that binds `violations`
    proof: Proof | None = None  # None: saved unproved on request, which every run says
    planner: str  # who understood the rule: "rules", a model, or what a package brings
    compiled_at: str  # ISO 8601, UTC, ending in Z
    schemas: dict[str, dict[str, str]]  # table -> column -> dtype, the columns read only
    rule_digest: str  # of the rule, its tables and its target, as they were compiled
    code_digest: str  # of the code, as it was proved
    glossary: str = ""  # the digest of glossary.toml as it was then; "": there was none
    terms: dict[str, str] = Field(default_factory=dict)  # those of it that the rule says, and what they stood for
    approval: Approval | None = None  # None: nobody approved it
    snooze: Snooze | None = None  # None: it runs
    exceptions: tuple[KnownException, ...] = ()  # rows that may break the rule
    from_list: bool = False  # whether the list of checks that people edit named it when it was compiled

    @property
    def id(self) -> str:
        """The check's id."""
        return self.check.id

    @property
    def target(self) -> str:
        """The table whose rows the check is about."""
        return self.constraint.table if self.constraint is not None else next(iter(self.plan.reads), "")

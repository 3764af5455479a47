"""Who turns a sentence into a typed rule. The offline rule compiler is the default; packages may bring others.

A package registers its planner under the entry-point group `pandas_magic.planners`, as ours is; its name is then a
value of the setting `planner` and of `planner=` in `pandas_magic.check`. What a planner says is proved all the same.
"""

from collections.abc import Mapping
from typing import Protocol

from pandas_magic.catalog.table import Table
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.plug_ins import load_plug_in

__all__ = ["AUTO", "RULES", "Planner", "Understanding", "first_planner", "planner_for"]

RULES = "rules"
AUTO = "auto"  # the rule compiler, and a model for what it refuses


class Understanding(Protocol):
    """What a planner gives back."""

    @property
    def constraint(self) -> Constraint:
        """The rule in its typed form."""

    @property
    def echo(self) -> str:
        """The rule in canonical words."""

    @property
    def explanation(self) -> tuple[tuple[str, str], ...]:
        """Words of the sentence, each with how it was understood."""


class Planner(Protocol):
    """A function from a sentence to its meaning. The compiler calls it once for each rule that is new or stale."""

    def __call__(self, rule: str, tables: Mapping[str, Table], *, target: str | None = None) -> Understanding:
        """The one meaning of the rule on these tables; `target` is the table whose rows are checked.

        Raises: RuleNotUnderstood when there is none, or more than one.
        """


def first_planner(setting: str) -> str:
    """The name of the planner that is asked first under a setting: with "auto" the rule compiler."""
    return RULES if setting == AUTO else setting


def planner_for(name: str) -> Planner:
    """The planner of that name.

    Raises: NoSuchName with the names there are; UsageMistake when the package that brings it does not load.
    """
    if name == RULES:
        from pandas_magic.planner.language import compile_rule

        return compile_rule
    planner: Planner = load_plug_in("planner", name, ours=RULES)
    return planner

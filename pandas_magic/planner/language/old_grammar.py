"""The seam: prose is read by the old grammar until the strict reader is good enough."""

from collections.abc import Mapping

from pandas_magic.catalog.table import Table
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.planner.grammar import compile_rule


def read_prose(
    rule: str, tables: Mapping[str, Table], *, target: str | None, locale: str
) -> tuple[Constraint, tuple[tuple[str, str], ...]]:
    """The one meaning of the sentence, and how its words were read.

    Raises: RuleNotUnderstood when there is none, or more than one.
    """
    found = compile_rule(rule, tables, target=target, locale=locale)
    return found.constraint, found.explanation

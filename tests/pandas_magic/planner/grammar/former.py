"""The former grammar as it read before: canonical words first, which another room reads now."""

from collections.abc import Mapping

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import check_types, describe
from pandas_magic.planner import grammar
from pandas_magic.planner.grammar import Understood
from pandas_magic.planner.language.canonical import read_canonical


def compile_rule(rule: str, tables: Mapping[str, Table], **how: str | None) -> Understood:
    """The one meaning of the rule. Raises: RuleNotUnderstood."""
    canonical = read_canonical(rule)
    if canonical is not None and not check_types(canonical, tables):
        return Understood(canonical, describe(canonical), ((rule, "canonical words"),))
    return grammar.compile_rule(rule, tables, **how)  # type: ignore[arg-type] # target and locale

"""A rule about a table whose name two files share, or that cannot be read: a person is told, and says what is meant."""

import re
from collections.abc import Callable, Mapping, Sequence

from pandas_magic.catalog import Catalog, Table
from pandas_magic.constraints import Constraint, describe
from pandas_magic.constraints.algebra.rules import about_table
from pandas_magic.errors import RuleNotUnderstood, TableUnreadable


def refuse_unreadable(refusal: RuleNotUnderstood, tables: Mapping[str, Table], catalog: Catalog) -> None:
    """Say why a table that the rule names cannot be read, in place of not knowing its name.

    Raises: RuleNotUnderstood.
    """
    for name in catalog.names():
        if name not in tables and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", refusal.rule):
            try:
                catalog.schema(name)
            except TableUnreadable as error:
                raise RuleNotUnderstood(refusal.rule, str(error)) from error


def asking_which(
    refusal: RuleNotUnderstood,
    tables: Mapping[str, Table],
    shared: Mapping[str, Sequence[str]],
    understand: Callable[[Mapping[str, Table]], Constraint],
) -> RuleNotUnderstood:
    """The refusal as a question, when the rule is understood once the bare name is that of one of the tables.

    `shared` has the bare names with those that the tables have instead.
    """
    for bare, names in shared.items():
        if not re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", refusal.rule):
            continue
        others = {name: table for name, table in tables.items() if name not in names}
        readings = []
        for name in names:
            if name not in tables:
                continue
            try:
                meant = understand({**others, bare: tables[name].model_copy(update={"name": bare})})
            except RuleNotUnderstood:
                continue
            readings.append(describe(about_table(meant, bare, name)))
        if readings:
            listed = "; ".join(f"({number}) {reading}" for number, reading in enumerate(readings, 1))
            reason = f'"{bare}" could be any of {", ".join(names)}; write the rule that is meant: {listed}'
            return RuleNotUnderstood(refusal.rule, reason, readings=readings)
    return refusal

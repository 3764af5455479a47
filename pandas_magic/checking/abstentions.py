"""Rows on which a rule abstains: a missing value leaves it neither kept nor broken there."""

from collections.abc import Mapping

import pandas as pd

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import Not, render_code
from pandas_magic.constraints.algebra.rules import Constraint, RowRule, TableRule


def abstention_codes(constraint: Constraint | None, tables: Mapping[str, Table]) -> tuple[str, ...]:
    """Codes that bind `violations` to the rows that keep the rule, and to those outside its scope.

    What neither these nor the rule's own code find are the rows it abstains on. Empty for rules that are not about
    rows, which never abstain.
    """
    if not isinstance(constraint, RowRule):
        return ()
    kept = RowRule(table=constraint.table, where=constraint.where, must=Not(condition=constraint.must))
    outside = [RowRule(table=constraint.table, must=constraint.where)] if constraint.where is not None else []
    return tuple(render_code(rule, tables) for rule in (kept, *outside))


def kept_code(constraint: Constraint | None, tables: Mapping[str, Table]) -> str:
    """Code that finds what keeps the rule; where it finds nothing and none breaks the rule, nothing was judged.

    Empty for rules about every row, of which the rows that are left open say as much, for those that tolerate some
    rows, which may all break them, and for rules about columns.
    """
    if isinstance(constraint, TableRule):
        return render_code(TableRule(table=constraint.table, must=Not(condition=constraint.must)), tables)
    is_scoped = isinstance(constraint, RowRule) and constraint.where is not None and constraint.tolerance is None
    return abstention_codes(constraint, tables)[0] if is_scoped else ""


def may_abstain(frames: Mapping[str, pd.DataFrame]) -> bool:
    """Whether a value is missing at all, so that counting can be worth its time."""
    return any(bool(frame[name].hasnans) for frame in frames.values() for name in frame.columns)

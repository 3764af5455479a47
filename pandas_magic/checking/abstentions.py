"""Rows on which a rule abstains: a missing value leaves it neither kept nor broken there."""

from collections.abc import Mapping

import pandas as pd

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import Not, render_code
from pandas_magic.constraints.algebra.rules import Constraint, RowRule


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


def may_abstain(frames: Mapping[str, pd.DataFrame]) -> bool:
    """Whether a value is missing at all, so that counting can be worth its time."""
    return any(bool(frame[name].hasnans) for frame in frames.values() for name in frame.columns)

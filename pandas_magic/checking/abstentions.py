"""Rows on which a rule abstains: a missing value leaves it neither kept nor broken there."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from pandas_magic.catalog.table import Table
from pandas_magic.checking.text_readings import reads_texts
from pandas_magic.constraints import Not, render_code
from pandas_magic.constraints.algebra.expressions import Arithmetic, Span, Value
from pandas_magic.constraints.algebra.rules import Constraint, RowRule, TableRule
from pandas_magic.constraints.algebra.tree import nodes


@dataclass(frozen=True)
class Beside:
    """Codes of which is counted what they find, beside a rule's own: the first what keeps it, then what is outside."""

    codes: tuple[str, ...] = ()
    always: bool = False  # also where rows break the rule: what is left open is the rest


NOTHING = Beside()


def counted_beside(constraint: Constraint | None, tables: Mapping[str, Table], *, may_miss: bool) -> Beside:
    """What a run has to know beyond the rows that break the rule; `may_miss`: where a value may be missing."""
    if may_miss or may_leave_open(constraint):
        return Beside(abstention_codes(constraint, tables), always=True)
    return Beside((kept_code(constraint, tables),)) if is_scoped(constraint) else NOTHING


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
    return abstention_codes(constraint, tables)[0] if is_scoped(constraint) else ""


def is_scoped(constraint: Constraint | None) -> bool:
    """Whether the rule is about some rows of its table, none of which may break it."""
    return isinstance(constraint, RowRule) and constraint.where is not None and constraint.tolerance is None


def may_leave_open(constraint: Constraint | None) -> bool:
    """Whether a row may be left open though no value is missing: by texts that are read, or 0 divided by 0."""
    if not isinstance(constraint, RowRule):
        return False
    quotients = (node for node in nodes(constraint) if isinstance(node, Arithmetic) and node.sign == "/")
    return reads_texts(constraint) or any(not isinstance(one.right, (Value, Span)) for one in quotients)


def may_abstain(frames: Mapping[str, pd.DataFrame]) -> bool:
    """Whether a value is missing at all, so that counting can be worth its time."""
    return any(bool(frame[name].hasnans) for frame in frames.values() for name in frame.columns)

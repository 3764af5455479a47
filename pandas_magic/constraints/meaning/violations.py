"""Which rows break a rule, by its meaning in plain Python; never by the code that is rendered from it."""

from collections.abc import Mapping
from datetime import datetime

import pandas as pd

from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint, RowRule, TableRule, Tolerance
from pandas_magic.constraints.meaning.plain_rows import Place, World, every_row, world_of
from pandas_magic.constraints.meaning.row_meaning import holds, rows_where
from pandas_magic.constraints.meaning.schema_rules import columns_at_fault


def violating_rows(
    constraint: Constraint, frames: Mapping[str, pd.DataFrame], now: datetime, utc_now: datetime
) -> list[int]:
    """The positions of the rows that break the rule, ascending; empty when they are within its tolerance.

    For a `TableRule` [0] when it is broken; for a `ColumnsRule` one entry for each column at fault.

    Raises: KeyError for a table or column that is not there; TypeError or ValueError for values that cannot be
    compared, such as a text with a number.
    """
    if isinstance(constraint, ColumnsRule):
        return list(range(len(columns_at_fault(constraint, frames[constraint.table]))))
    return violations_in(world_of(frames, now, utc_now), constraint)


def violations_in(world: World, constraint: RowRule | TableRule) -> list[int]:
    """The same as `violating_rows` in tables that were read before."""
    if isinstance(constraint, TableRule):
        table = Place(world, constraint.table, (), 0)
        return [0] if holds(constraint.must, table) is False else []
    everywhere = Place(world, constraint.table, every_row(world, constraint.table), 0)
    scope = rows_where(constraint.where, everywhere)
    inside = Place(world, constraint.table, scope, 0)
    # What windows find is kept by the identity of the scope, which must therefore outlive this call.
    world.found[("scope", id(scope))] = scope
    broken = [position for position in scope if holds(constraint.must, inside.at(position)) is False]
    return [] if _tolerated(len(broken), len(scope), constraint.tolerance) else broken


def first_unjudged(world: World, rule: RowRule) -> int | None:
    """The first row that cannot be judged, such as a text compared with a number; None when all can."""
    everywhere = Place(world, rule.table, every_row(world, rule.table), 0)
    for position in everywhere.scope:
        try:
            for condition in (rule.where, rule.must):
                if condition is not None:
                    holds(condition, everywhere.at(position))
        except (TypeError, ValueError, KeyError, ArithmeticError):
            return position
    return None


def rows_in_scope(world: World, rule: RowRule) -> list[int]:
    """The positions of the rows that the rule is about."""
    return list(rows_where(rule.where, Place(world, rule.table, every_row(world, rule.table), 0)))


def _tolerated(broken: int, scope: int, tolerance: Tolerance | None) -> bool:
    if tolerance is None:
        return False
    few = tolerance.max_rows is None or broken <= tolerance.max_rows
    return few and (tolerance.max_share is None or not scope or broken / scope <= tolerance.max_share)

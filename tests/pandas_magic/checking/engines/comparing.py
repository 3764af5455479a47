"""A rule in an engine beside its meaning in plain Python."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from pandas_magic.catalog.table import Table
from pandas_magic.checking.engines.dialect import NotExpressible
from pandas_magic.checking.engines.rule_sql import select_for
from pandas_magic.clock import Instant
from pandas_magic.constraints import reads, violating_rows
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.meaning.plain_rows import Place, every_row, world_of
from pandas_magic.constraints.meaning.row_meaning import holds, rows_where
from tests.pandas_magic.checking.engines.at_hand import EngineAtHand


@dataclass(frozen=True)
class Compared:
    """What the rule means and what the engine found, each the positions and how many rows are left open."""

    meant: tuple[list[int], int]
    found: tuple[list[int], int] | None = None
    why_not: str = ""  # why the engine gave no answer; "": it gave one

    @property
    def agrees(self) -> bool:
        return bool(self.why_not) or self.meant == self.found


def compared(
    rule: Constraint,
    tables: Mapping[str, Table],
    frames: Mapping[str, pd.DataFrame],
    instant: Instant,
    engine: EngineAtHand,
) -> Compared:
    """The rule by its meaning, and in the engine."""
    meant = violating_rows(rule, frames, instant.local, instant.utc), rows_left_open(rule, frames, instant)
    columns = reads(rule)
    try:
        select = select_for(rule, tables, instant, engine.dialect, may_hold_nan=False)
        found = engine.found(select, {name: frames[name] for name in columns}, columns)
    except NotExpressible as error:
        return Compared(meant, why_not=str(error))
    except engine.raises as error:
        return Compared(meant, why_not=f"{type(error).__name__}: {str(error).splitlines()[0]}")
    return Compared(meant, found)


def rows_left_open(rule: Constraint, frames: Mapping[str, pd.DataFrame], instant: Instant) -> int:
    """How many rows the rule neither accepts nor flags, nor puts out of its scope."""
    if not isinstance(rule, RowRule):
        return 0
    world = world_of(frames, instant.local, instant.utc)
    everywhere = Place(world, rule.table, every_row(world, rule.table), 0)
    scope = rows_where(rule.where, everywhere)
    world.found["scope", id(scope)] = scope
    inside = Place(world, rule.table, scope, 0)
    unknown = 0 if rule.where is None else sum(holds(rule.where, everywhere.at(at)) is None for at in everywhere.scope)
    return unknown + sum(holds(rule.must, inside.at(at)) is None for at in scope)

"""A rule as one SELECT: the positions of the rows that break it, and how many it leaves open."""

from collections.abc import Mapping

from pandas_magic.catalog.table import Table
from pandas_magic.checking.engines.condition_sql import truth
from pandas_magic.checking.engines.dialect import EngineDialect, NotExpressible
from pandas_magic.checking.engines.value_sql import value
from pandas_magic.checking.engines.writing import Writing
from pandas_magic.clock import Instant
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint, RowRule, TableRule
from pandas_magic.constraints.algebra.tree import reads


def select_for(
    rule: Constraint,
    tables: Mapping[str, Table],
    instant: Instant,
    dialect: EngineDialect,
    *,
    sources: Mapping[str, str] | None = None,
    may_hold_nan: bool = True,
) -> str:
    """The SELECT of two columns, `position` and `left_open`.

    One row for each row that breaks the rule has its position; one more, without a position, says how many rows the
    rule leaves open. A broken rule about whole tables gives the one position 0. `sources` are what stands after FROM
    for each table, with its columns and `POSITION`; without it the tables' own names. `may_hold_nan` says whether NaN
    may stand in them.

    Raises: NotExpressible.
    """
    if isinstance(rule, ColumnsRule):
        raise NotExpressible("a rule about columns, which the schema alone decides")
    read = reads(rule)
    named = {name: dialect.quote(name) for name in read} if sources is None else sources
    writing = Writing(
        dialect,
        tables,
        instant,
        sources=named,
        columns=read,
        may_hold_nan=may_hold_nan,
        truth=truth,
        value=value,
    )
    return _of_table(rule, writing) if isinstance(rule, TableRule) else _of_rows(rule, writing)


def _of_table(rule: TableRule, w: Writing) -> str:
    one = w.stand(rule.table, f"(SELECT 0 AS {w.position})")
    must = w.truth(rule.must, one)
    return w.whole(f"SELECT {one.alias}.{w.position} AS position, 0 AS left_open FROM {one.source} WHERE NOT ({must})")


def _of_rows(rule: RowRule, w: Writing) -> str:
    everything = w.stand(rule.table, w.rows_of(rule.table))
    scope = w.chosen(rule.where, everything, "scope")
    rows = w.stand(rule.table, scope.relation)
    kept = w.truth(rule.must, rows)
    inner = f"SELECT {rows.alias}.{w.position} AS position, {kept} AS kept FROM {rows.source}"
    judged = w.named("judged", f"SELECT position, kept FROM ({inner}) q WHERE NOT kept OR kept IS NULL")
    left_open = f"(SELECT count(*) FROM {judged} WHERE kept IS NULL)"
    if rule.where is not None:
        outside = w.stand(rule.table, w.rows_of(rule.table))
        inner = f"SELECT {w.truth(rule.where, outside)} AS is_so FROM {outside.source}"
        left_open += f" + (SELECT count(*) FROM ({inner}) q WHERE is_so IS NULL)"
    broken = f"SELECT position, 0 AS left_open FROM {judged} WHERE NOT kept{_beyond(rule, w, judged, scope.relation)}"
    return w.whole(f"{broken}\nUNION ALL SELECT NULL, {left_open}")


def _beyond(rule: RowRule, w: Writing, judged: str, scope: str) -> str:
    """Whether more rows break the rule than it accepts."""
    if rule.tolerance is None:
        return ""
    count, beyond = f"(SELECT count(*) FROM {judged} WHERE NOT kept)", []
    if rule.tolerance.max_rows is not None:
        beyond.append(f"{count} > {rule.tolerance.max_rows}")
    if rule.tolerance.max_share is not None:
        rows = f"(SELECT nullif(count(*), 0) FROM {scope})"
        share = w.dialect.say("double", str(float(rule.tolerance.max_share)))
        beyond.append(f"{w.dialect.say('double', count)} / {rows} > {share}")
    return f" AND ({' OR '.join(beyond) or '1 = 0'})"

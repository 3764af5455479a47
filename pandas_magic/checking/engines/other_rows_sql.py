"""Expressions that take their value from other rows: of another table, of a group, the one before."""

from collections.abc import Sequence

from pandas_magic.checking.engines.dialect import NotExpressible
from pandas_magic.checking.engines.writing import Standing, Writing
from pandas_magic.constraints.algebra.expressions import (
    Aggregate,
    Column,
    Expression,
    Group,
    Lookup,
    Previous,
    Rollup,
    Share,
)
from pandas_magic.constraints.algebra.tree import local_nodes

_Statistic = Rollup | Group | Aggregate
_OF_NOTHING_ZERO = frozenset({"count", "distinct", "sum"})


def from_other_rows(node: Expression, w: Writing, rows: Standing) -> str:
    """The value in this row; NULL when it is missing. It is worked out once however often a rule names it.

    Raises: NotExpressible.
    """
    what = (rows.alias, node)
    if what not in w.from_others:
        w.from_others[what] = _from_other_rows(node, w, rows)
    return w.from_others[what]


def _from_other_rows(node: Expression, w: Writing, rows: Standing) -> str:
    match node:
        case Lookup():
            return _looked_up(node, w, rows)
        case Rollup(join=join):
            mine = [(Column(name=name), w.column(name, rows)) for name in join.columns]
            keys = w.keys(mine, rows.table, table=join.table, keys=join.keys)
            there = w.chosen(node.where, w.stand(join.table, w.rows_of(join.table)))
            names = [w.column(key, there) for key in join.keys]
            return _statistic(node, w, there, keys.items(names), outer=(rows, keys.here))
        case Aggregate(table=table):
            there = w.chosen(node.where, w.stand(table, w.rows_of(table)))
            return _statistic(node, w, there, [], outer=(rows, []))
        case Group(by=by):
            there = w.chosen(node.where, w.stand(rows.table, rows.relation))
            inner = [w.value(part, there) for part in by]
            found = _statistic(node, w, there, inner, outer=(rows, [w.value(part, rows) for part in by]))
            return _of_group(node, w, rows, found)
        case Previous():
            return _previous(node, w, rows)
        case Share(table=table):
            there = w.chosen(node.where, w.stand(table, w.rows_of(table)))
            true = f"CASE WHEN {w.truth(node.condition, there)} THEN 1.0 ELSE 0.0 END"
            share = w.named("share", f"SELECT avg({w.dialect.say('double', true)}) AS v FROM {there.source}")
            return f"{w.join(rows, share, [])}.v"
    raise NotExpressible(node.node)


def _of_group(node: Group, w: Writing, rows: Standing, found: str) -> str:
    known = " AND ".join(f"{w.value(part, rows)} IS NOT NULL" for part in node.by)
    return f"(CASE WHEN {known} THEN {found} END)" if known else found


def _looked_up(node: Lookup, w: Writing, rows: Standing) -> str:
    """The first row by position of each key."""
    join = node.join
    mine = [(Column(name=name), w.column(name, rows)) for name in join.columns]
    keys = w.keys(mine, rows.table, table=join.table, keys=join.keys)
    there = w.stand(join.table, w.rows_of(join.table))
    found = w.value(node.of, there)
    names = [w.column(key, there) for key in join.keys]
    items = ", ".join(f"{key} AS k{number}" for number, key in enumerate(keys.items(names), 1))
    known = " AND ".join(f"{name} IS NOT NULL" for name in names)
    numbered = f"row_number() OVER (PARTITION BY {', '.join(names)} ORDER BY {there.alias}.{w.position}) AS n"
    ranked = f"SELECT {items}, {found} AS v, {numbered} FROM {there.source} WHERE {known}"
    first = w.named("first", f"SELECT * FROM ({ranked}) q WHERE n = 1")
    return f"{w.join(rows, first, keys.here)}.v"


def _statistic(
    node: _Statistic, w: Writing, there: Standing, keys: Sequence[str], *, outer: tuple[Standing, Sequence[str]]
) -> str:
    """The statistic of the rows there, by their keys, joined to the rows of which `outer` has the values."""
    function = _function(node, w, there)
    items = ", ".join(
        [*(f"{key} AS k{number}" for number, key in enumerate(keys, 1)), f"{function} AS v", "1 AS there"]
    )
    known = " WHERE " + " AND ".join(f"{key} IS NOT NULL" for key in keys) if keys else ""
    grouped = " GROUP BY " + ", ".join(str(number) for number in range(1, len(keys) + 1)) if keys else ""
    found = w.named("grouped", f"SELECT {items} FROM {there.source}{known}{grouped}")
    alias = w.join(outer[0], found, outer[1])
    if keys and (node.of is None or node.statistic in _OF_NOTHING_ZERO):
        return f"(CASE WHEN {alias}.there IS NULL THEN 0 ELSE {alias}.v END)"
    return f"{alias}.v"


def _function(node: _Statistic, w: Writing, there: Standing) -> str:
    if node.of is None:
        return "count(*)"
    of, kind = w.value(node.of, there), w.type_in(node.of, there.table).kind
    statistic = node.statistic
    if statistic in ("count", "distinct"):
        return f"count({'DISTINCT ' if statistic == 'distinct' else ''}{of})"
    if statistic in ("min", "max") and kind != "boolean":
        return f"{statistic}({of})"
    if kind not in ("integer", "number", "boolean") or statistic in ("min", "max"):
        raise NotExpressible(f"the {statistic} of a {kind}")
    if kind == "boolean":
        of = f"CASE WHEN {of} THEN 1 WHEN NOT {of} THEN 0 END"
    if statistic in ("sum", "mean"):
        return _total(statistic, of, kind, w)
    double = w.dialect.say("double", of)
    if statistic == "std":
        return w.dialect.say("no_nan", w.dialect.say("std", double))
    share = 0.5 if statistic == "median" else node.quantile or 0.0
    return w.dialect.say("no_nan", w.dialect.say("quantile", w.dialect.say("finite_only", double), repr(share)))


def _total(statistic: str, of: str, kind: str, w: Writing) -> str:
    """The sum, 0 of nothing, or the mean, missing of nothing; of whole numbers the sum is exact."""
    total = w.dialect.say("sum" if kind == "number" else "sum_whole", of)
    if statistic == "sum":
        whole = f"coalesce({total}, 0)"
        return w.dialect.say("no_nan", whole) if kind == "number" else whole
    return w.dialect.say("no_nan", f"({w.dialect.say('double', total)} / nullif(count({of}), 0))")


def _previous(node: Previous, w: Writing, rows: Standing) -> str:
    sides = [side for side in (node.of, node.order, *node.by) if side is not None]
    if any(isinstance(part, Previous) for side in sides for part in local_nodes(side)):
        raise NotExpressible("a row before the row before")
    keys, order = [w.value(part, rows) for part in node.by], f"{rows.alias}.{w.position}"
    known = [f"{key} IS NOT NULL" for key in keys]
    if node.order is not None:
        by = w.value(node.order, rows)
        known.append(f"{by} IS NOT NULL")
        order = f"{by}, {order}"
    here = " AND ".join(known)
    apart = f"PARTITION BY {', '.join([*keys, f'CASE WHEN {here} THEN 1 ELSE 0 END'])} " if known else ""
    before = f"lag({w.value(node.of, rows)}) OVER ({apart}ORDER BY {order})"
    return f"(CASE WHEN {here} THEN {before} END)" if known else before

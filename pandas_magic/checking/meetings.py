"""Which rows a rule holds against each other: those of one table that share the values of some columns."""

from collections.abc import Iterator

from pandas_magic.constraints import Column, Exists, Group, Lookup, Previous, Rollup, RowRule, Unique
from pandas_magic.constraints.algebra.expressions import Aggregate, Share
from pandas_magic.constraints.algebra.tree import placed_nodes
from pandas_magic.record import Record

KEYED = (Unique, Exists, Lookup, Rollup, Group, Previous)


def meeting(part: Record, table: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The table that a keyed node looks into, the columns here that have to equal, and those there."""
    if isinstance(part, (Lookup, Rollup)):
        return part.join.table, part.join.columns, part.join.keys
    if isinstance(part, Exists):
        pairs = [(of.name, key) for of, key in zip(part.of, part.keys, strict=True) if isinstance(of, Column)]
        return part.table, tuple(here for here, _ in pairs), tuple(there for _, there in pairs)
    by = part.by if isinstance(part, (Unique, Group, Previous)) else ()
    own = tuple(expression.name for expression in by if isinstance(expression, Column))
    return table, own, own


def met_by(rule: RowRule) -> tuple[str, ...] | None:
    """The columns that rows of the rule's table share which meet in it; () where none meet, None where any may."""
    shared: tuple[str, ...] | None = None
    for columns in _meetings_at_home(rule):
        shared = columns if shared is None else tuple(name for name in shared if name in columns)
    return () if shared is None else shared or None


def _meetings_at_home(rule: RowRule) -> Iterator[tuple[str, ...]]:
    """For each node that looks into the rule's own table, the columns by which it does; () where it looks at all."""
    for side in (rule.where, rule.must):
        for node, table in placed_nodes(side, rule.table) if side is not None else ():
            if isinstance(node, (Aggregate, Share)) and node.table == rule.table:
                yield ()
            elif isinstance(node, KEYED):
                there, mine, theirs = meeting(node, table)
                if there == rule.table:
                    yield mine if table == rule.table and mine == theirs else ()

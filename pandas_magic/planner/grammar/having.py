"""What it is to have something: "without breakfast" says that it is false, "with a discount" that it is above 0.

A reading by which a column of true and false, or a number that every row has, only has to be there counts only where
the sentence speaks of values or of their lack.
"""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Compare, HasText, Matches, OneOf, Present
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.constraints.algebra.rules import Constraint, RowRule, TableRule
from pandas_magic.constraints.algebra.tree import placed_nodes
from pandas_magic.planner.grammar.chart import Parse
from pandas_magic.planner.grammar.logic import expressions_in
from pandas_magic.record import Record

_JUDGING = (Compare, OneOf, Matches, HasText)
_OF_VALUES = frozenset((
    "missing", "null", "nulls", "nan", "na", "none", "nil", "empty", "blank", "blanks", "fill", "filled", "unfilled",
    "value", "values", "flag", "entry", "set", "unset", "known", "unknown", "present", "absent", "recorded", "noted",
    "specified", "unspecified", "stated", "entered", "given", "populated", "provided", "available", "complete",
    "completed", "completeness", "undefined", "defined", "field", "column", "unrecorded", "assigned", "indicated",
))  # fmt: skip


def only_has_to_be_there(p: Parse, constraint: Constraint) -> bool:
    """A column of truth, or a number that every row has, would only have to be there, though nobody says so."""
    if (asked := _asked(p, constraint)) is not None:
        p.refuse(asked)
    return asked is not None


def _asked(p: Parse, constraint: Constraint) -> str | None:
    if any(not _OF_VALUES.isdisjoint((token.low, *token.forms)) for token in p.tokens):
        return None
    placed = list(_nodes(constraint))
    judged = {of for node, _ in placed if isinstance(node, _JUDGING) for of in expressions_in(node)}
    for node, table in placed:
        of = node.of if isinstance(node, Present) else None
        if not isinstance(of, Column) or of in judged:
            continue
        if p.schema.truth_values(table, of.name) is not None:
            true, there = f"{of.name} must be true", f"{of.name} must not be missing"
            return f'must "{of.name}" be true, or only be filled in? Write "{true}", or "{there}"'
        if _is_had_by_all(p, table, of.name) and node not in _demanded(constraint):
            return f'every row of "{table}" has a {of.name}; write "{of.name} above 0", or "{of.name} is not missing"'
    return None


def _is_had_by_all(p: Parse, table: str, column: str) -> bool:
    """A number that is an amount and is missing in no row: to have that can only mean that it is above 0."""
    known = p.schema.tables[table]
    is_amount = p.schema.kind(table, column) in ("integer", "number") and column not in known.keys
    is_link = any(link.column == column for link in p.schema.links(table))
    return is_amount and not is_link and bool(known.row_count) and column not in known.missing


def _demanded(constraint: Constraint) -> tuple[Record, ...]:
    must = constraint.must if isinstance(constraint, RowRule) else None
    return must.conditions if isinstance(must, All) else () if must is None else (must,)


def _nodes(constraint: Constraint) -> Iterator[tuple[Record, str]]:
    if isinstance(constraint, (RowRule, TableRule)):
        for part in (constraint.must, getattr(constraint, "where", None)):
            if part is not None:
                yield from placed_nodes(part, constraint.table)

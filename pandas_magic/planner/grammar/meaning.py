"""Putting conditions together: comparison of fitting kinds, negation, and forms in which equal meanings look equal."""

from dataclasses import dataclass

from pandas_magic.catalog.table import ValueKind
from pandas_magic.constraints.algebra.conditions import (
    All,
    Any_,
    Compare,
    Condition,
    HasText,
    Matches,
    Not,
    OneOf,
    Parses,
    Present,
    Relation,
)
from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Aggregate,
    Arithmetic,
    Column,
    DatePart,
    Expression,
    Folded,
    Group,
    Join,
    Lookup,
    Moment,
    Now,
    Previous,
    Rollup,
    Share,
    Span,
    TextLength,
    Value,
)
from pandas_magic.constraints.algebra.rules import Tolerance
from pandas_magic.planner.grammar.logic import both, for_must, for_where, has_window, negate
from pandas_magic.planner.grammar.schema import Link, SchemaIndex


@dataclass(frozen=True)
class Claim:
    """What a sentence says of the rows of a table: where `where` is true, `must` has to hold."""

    table: str
    must: Condition
    where: Condition | None = None  # None: every row
    tolerance: Tolerance | None = None  # None: no violation is accepted


@dataclass(frozen=True)
class Rows:
    """Rows of a table that a noun phrase speaks of."""

    table: str
    where: Condition | None = None  # None: every row


def kind_of_expression(index: SchemaIndex, table: str, of: Expression) -> ValueKind:
    """What kind of values the expression has, read in the table."""
    if isinstance(of, Column):
        return index.kind(table, of.name)
    if isinstance(of, Value):
        return "boolean" if isinstance(of.value, bool) else "text" if isinstance(of.value, str) else "number"
    if isinstance(of, (Moment, Now)):
        return "datetime"
    if isinstance(of, Span):
        return "duration"
    if isinstance(of, Folded):
        return "text"
    if isinstance(of, Arithmetic):
        return _kind_of_arithmetic(index, table, of)
    return _kind_of_step(index, table, of)


def _kind_of_arithmetic(index: SchemaIndex, table: str, of: Arithmetic) -> ValueKind:
    left, right = kind_of_expression(index, table, of.left), kind_of_expression(index, table, of.right)
    if left == "datetime":
        return "duration" if right == "datetime" else "datetime"
    if "duration" in (left, right):
        return "number" if left == right and of.sign == "/" else "duration"
    return "number"


def _kind_of_step(index: SchemaIndex, table: str, of: Expression) -> ValueKind:
    if isinstance(of, Lookup):
        return kind_of_expression(index, of.join.table, of.of)
    if isinstance(of, DatePart):
        return "datetime" if of.part == "date" else "integer"
    if isinstance(of, (Rollup, Group, Aggregate)):
        if of.statistic in ("count", "distinct") or of.of is None:
            return "integer"
        home = of.join.table if isinstance(of, Rollup) else of.table if isinstance(of, Aggregate) else table
        return kind_of_expression(index, home, of.of)
    if isinstance(of, (Previous, Absolute)):
        return kind_of_expression(index, table, of.of)
    return "number" if isinstance(of, Share) else "integer"


_NUMBERS = ("integer", "number")


def comparable(left: ValueKind, right: ValueKind) -> bool:
    """Values of these kinds can be told greater or smaller, or equal."""
    return left == right or (left in _NUMBERS and right in _NUMBERS) or "mixed" in (left, right)


def compare(
    index: SchemaIndex,
    table: str,
    left: Expression,
    relation: Relation,
    right: Expression,
    *,
    within: float | None = None,
) -> Compare | None:
    """The comparison, or None when the two sides cannot be compared (a text with a number, a date with a length)."""
    kinds = kind_of_expression(index, table, left), kind_of_expression(index, table, right)
    if not comparable(*kinds) or left == right or _is_moved(right, left):
        return None
    if relation not in ("==", "!=") and "boolean" in kinds:
        return None
    columns = isinstance(left, Column) and isinstance(right, Column)
    if columns and relation not in ("==", "!=") and _refers(index, table, left) != _refers(index, table, right):
        return None  # "earns more than their manager" is not about the manager's number
    if relation not in ("==", "!=") and "text" in kinds:
        return None
    if (
        isinstance(right, Span)
        and right.unit in ("months", "years")
        and isinstance(left, Arithmetic)
        and left.sign == "-"
    ):
        # Months and years have no fixed length: the later date is compared with the earlier one moved by them.
        return Compare(relation=relation, left=left.left, right=Arithmetic(sign="+", left=left.right, right=right))
    return Compare(relation=relation, left=left, right=right, within=within)


def _refers(index: SchemaIndex, table: str, of: Expression) -> bool:
    return isinstance(of, Column) and any(link.column == of.name for link in (*index.links(table), *index.roles(table)))


def _is_moved(right: Expression, left: Expression) -> bool:
    """Like "no more than two days after" itself, which nobody means."""
    return isinstance(right, Arithmetic) and isinstance(right.right, Span) and right.left == left


def as_claim(rows: Rows, violated: Condition, *extra: Condition) -> Claim:
    """The claim that no row among `rows` makes `violated` (and the `extra` conditions) true."""
    return Claim(rows.table, for_must(negate(violated)), for_where(both(rows.where, *extra)))


def forbidden_rows(rows: Rows) -> Claim | None:
    """The claim that there are no such rows: the last condition becomes what must not be; None for all rows."""
    if rows.where is None:
        return None
    parts = rows.where.conditions if isinstance(rows.where, All) else (rows.where,)
    if len(parts) > 1 and any(has_window(part) for part in parts):
        return None
    return as_claim(Rows(rows.table, both(*parts[:-1])), parts[-1])


def join_along(link: Link) -> Join:
    """How rows of the link's table find the row that they refer to."""
    return Join(columns=(link.column,), table=link.parent, keys=(link.key,))


def join_down(link: Link) -> Join:
    """How rows of the link's parent find the rows that refer to them."""
    return Join(columns=(link.key,), table=link.table, keys=(link.column,))


def lifted_expression(of: Expression, join: Join) -> Expression:
    """The expression of the referred row, as seen from the row that refers to it."""
    if isinstance(of, Arithmetic):
        left, right = lifted_expression(of.left, join), lifted_expression(of.right, join)
        return of.model_copy(update={"left": left, "right": right})
    if isinstance(of, (Absolute, TextLength, Folded, DatePart)):
        return of.model_copy(update={"of": lifted_expression(of.of, join)})
    if isinstance(of, (Value, Moment, Now, Span)):
        return of
    return Lookup(join=join, of=of)


def lifted(condition: Condition, join: Join) -> Condition | None:
    """The condition on the referred row, as seen from the row that refers to it; None for what cannot be seen there."""
    if isinstance(condition, (All, Any_)):
        parts = [lifted(part, join) for part in condition.conditions]
        if any(part is None for part in parts):
            return None
        return condition.model_copy(update={"conditions": tuple(parts)})
    if isinstance(condition, Not):
        inner = lifted(condition.condition, join)
        return None if inner is None else Not(condition=inner)
    if isinstance(condition, Compare):
        left, right = lifted_expression(condition.left, join), lifted_expression(condition.right, join)
        return condition.model_copy(update={"left": left, "right": right})
    if isinstance(condition, (Present, OneOf, Matches, HasText, Parses)):
        return condition.model_copy(update={"of": lifted_expression(condition.of, join)})
    return None

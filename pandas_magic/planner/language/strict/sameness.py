"""Which readings come to the same: those that flag the same rows, whatever their form."""

import re

from pandas_magic.constraints import (
    All,
    Any_,
    Arithmetic,
    Column,
    Compare,
    Condition,
    DatePart,
    Exists,
    Expression,
    Group,
    HasText,
    HowMany,
    Not,
    OneOf,
    Rollup,
    RowRule,
    Span,
    TableRule,
    Unique,
    Value,
)
from pandas_magic.constraints.algebra.conditions import MIRRORED, Matches, Relation
from pandas_magic.constraints.algebra.expressions import Join
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.constraints.algebra.tree import has_window
from pandas_magic.planner.language.strict.logic import EVERY_ROW, both, either, for_where, negate
from pandas_magic.planner.language.strict.scene import looked_up


def sense(constraint: Constraint) -> str:
    """A text that readings share which flag the same rows."""
    if isinstance(constraint, TableRule):
        return f"{constraint.table} as a whole: {_text(constraint.must)}"
    if not isinstance(constraint, RowRule):
        return constraint.model_dump_json()
    windowed = any(has_window(part) for part in (constraint.must, constraint.where) if part is not None)
    if windowed or constraint.tolerance is not None:
        scope = _text(constraint.where) if constraint.where is not None else ""
        return f"{constraint.table}|{scope}|{_text(constraint.must)}|{constraint.tolerance}"
    where: Condition = constraint.where if constraint.where is not None else EVERY_ROW
    return f"{constraint.table}: {_text(for_where(both(where, negate(constraint.must))))}"


def _text(condition: Condition) -> str:
    condition = _told_plainly(condition)
    match condition:
        case All(conditions=parts) | Any_(conditions=parts):
            return f"{condition.node}({sorted(map(_text, parts))})"
        case Not(condition=inner):
            return f"not {_text(inner)}".removeprefix("not not ")
        case Unique(by=by):
            return f"unique {sorted(str(part) for part in by)} {condition.missing_equal}"
        case OneOf(of=of, values=values):
            return f"{of} in {sorted(map(repr, values))}"
        case Compare():
            return _compared(condition)
        case Matches():  # by a format's name or by its pattern
            plain = condition.pattern.replace("(?s:.*)", ".*").replace(r"\/", "/")
            condition = condition.model_copy(update={"format": None, "pattern": plain})
    return condition.model_dump_json().replace(r"\\-", "-").replace("[0-9]", r"\\d")


def _compared(compare: Compare) -> str:
    """A comparison from its smaller side, a count by whole numbers "at most" or "at least"."""
    left, right, relation = compare.left, compare.right, compare.relation
    if isinstance(left, Group | Rollup) and left.statistic in ("count", "distinct") and isinstance(right, Value):
        if relation in ("<", ">") and isinstance(right.value, int):
            right = Value(value=right.value + (1 if relation == ">" else -1))
            relation = ">=" if relation == ">" else "<="
        if isinstance(left, Group):
            left = left.model_copy(update={"by": tuple(sorted(left.by, key=str))})
            if (left.statistic, left.where, relation, right.value) == ("count", None, "<=", 1):
                return _text(Unique(by=left.by))
    if isinstance(right, Value) and isinstance(right.value, bool) and relation == "!=":
        relation, right = "==", Value(value=not right.value)
    left, right = _in_order(left), _in_order(right)
    if not isinstance(right, Value) and str(left) > str(right):
        left, right, relation = right, left, MIRRORED[relation]
    return f"{_quantity(left)} {relation} {_quantity(right)} {compare.within}"


def _quantity(expression: Expression) -> str:
    """What is compared, with the rows that it is taken of in one form."""
    where = getattr(expression, "where", None)
    if where is None:
        return str(expression)
    return f"{expression.model_copy(update={'where': None})} of {_text(where)}"


def _told_plainly(condition: Condition) -> Condition:
    """One of two presences as "either, and not both"; what is looked up as such."""
    if isinstance(condition, Compare) and isinstance(condition.left, DatePart) and condition.left.part == "hour":
        return _by_the_clock(condition, condition.left.of)
    if isinstance(condition, Compare) and isinstance(condition.left, HowMany):
        parts, relation = condition.left.conditions, condition.relation
        if len(parts) == 2 and condition.right == Value(value=1) and relation in ("==", "!="):
            one = both(either(*parts), either(*map(negate, parts)))
            return one if relation == "==" else negate(one)
    without = re.fullmatch(r"\[\^([^\\\]])\]\*", condition.pattern) if isinstance(condition, Matches) else None
    if without and isinstance(condition, Matches):
        return Not(condition=HasText(where="anywhere", of=condition.of, text=without[1]))
    if isinstance(condition, Exists) and condition.where is not None and len(condition.of) == 1:
        of = condition.of[0]
        if isinstance(of, Column):
            join = Join(columns=(of.name,), table=condition.table, keys=condition.keys)
            return looked_up(join, condition.where) or condition
    return condition


def _by_the_clock(compare: Compare, of: Expression) -> Compare:
    """A limit of the hour as one of the time of day: an hour of at most 7 is a time before 8."""
    hour = compare.right.value if isinstance(compare.right, Value) else None
    if not isinstance(hour, int) or compare.relation in ("==", "!="):
        return compare
    limit = Span(amount=60 * (hour + (compare.relation in ("<=", ">"))), unit="minutes")
    relation: Relation = "<" if compare.relation in ("<", "<=") else ">="
    return Compare(relation=relation, left=DatePart(part="time", of=of), right=limit)


def _in_order(expression: Expression) -> Expression:
    """Sums and products with their parts in one order."""
    if not isinstance(expression, Arithmetic):
        return expression
    left, right = _in_order(expression.left), _in_order(expression.right)
    if expression.sign in "+*" and str(left) > str(right):
        left, right = right, left
    return expression.model_copy(update={"left": left, "right": right})

"""Comparisons of what is left of a division by a number: its remainder, its whole quotient."""

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Not, Parses, Relation
from pandas_magic.constraints.algebra.expressions import Arithmetic, Expression, Value
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.terms import NothingHolds, SyntaxTerm
from pandas_magic.planner.language.doors.values import kind_of_value, value
from pandas_magic.planner.language.logic import all_of, opposite

_UPPER: dict[Relation, Relation] = {">": ">=", "<=": "<"}  # of whole numbers: more than 3 is at least 4


def multiple(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition | None:
    """`x % 5 = 0`: x is a multiple of 5."""
    number, step = left.parts
    if relation not in ("==", "!=") or right.said != 0 or not isinstance(step.said, int) or not step.said:
        return None
    quotient = Arithmetic(sign="/", left=value(number, names), right=Value(value=step.said))
    whole = Parses(of=quotient, type="integer")
    return whole if relation == "==" else opposite(whole)


def whole_quotient(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition | None:
    """`x // 60 == n`: x is at least n times 60, and less than n + 1 times."""
    number, step = value(left.parts[0], names), left.parts[1].said
    if not isinstance(step, (int, float)) or step <= 0:
        return None
    of = value(right, names)
    is_whole = kind_of_value(of, names) == "integer"
    if not is_whole and relation not in ("==", "!="):
        raise NothingHolds("a whole quotient can be compared with whole numbers, and with nothing else")
    if left.said == "sql" or all(len(path) == 1 for path in left.parts[0].names()):
        names.doubts.append("of numbers below zero databases cut the whole quotient otherwise than Python")
    first, last = (_times(of, more, step) for more in (0, 1))
    if relation in ("==", "!="):
        within = (Compare(relation=">=", left=number, right=first), Compare(relation="<", left=number, right=last))
        found = all_of([*within, *([] if is_whole else [Parses(of=of, type="integer")])])
        return found if relation == "==" else Not(condition=found)
    return Compare(relation=_UPPER.get(relation, relation), left=number, right=last if relation in _UPPER else first)


def _times(of: Expression, more: int, step: float) -> Expression:
    """So many times the step: the number, and one more where `more` is 1."""
    if isinstance(of, Value) and isinstance(of.value, (int, float)):
        return Value(value=(of.value + more) * step)
    number = Arithmetic(sign="+", left=of, right=Value(value=more)) if more else of
    return Arithmetic(sign="*", left=number, right=Value(value=step))

"""Dates compared by their day: "not after the day the membership was cancelled" allows the evening of that day."""

from itertools import pairwise

from pandas_magic.constraints.algebra.conditions import Compare
from pandas_magic.constraints.algebra.expressions import Column, DatePart, Expression, Lookup
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.algebra.tree import own_nodes
from pandas_magic.planner.grammar.chart import Parse
from pandas_magic.planner.grammar.logic import replaced
from pandas_magic.planner.grammar.meaning import kind_of_expression
from pandas_magic.planner.grammar.morphology import last_word

_BEFORE_OR_AFTER = frozenset(("after", "before", "than", "since", "until", "till", "by"))
# A date of such a name is a day already.
_DAYS = frozenset(("date", "on", "day", "from", "to", "until", "since", "dob", "birthday"))


def by_day(p: Parse, constraint: Constraint) -> Constraint:
    """The rule, with two moments compared by their days where the sentence says "after the day"."""
    if not isinstance(constraint, RowRule) or not _says_the_day(p):
        return constraint
    must = constraint.must
    for node in own_nodes(constraint):
        if isinstance(node, Compare) and node.relation in ("<", "<=", ">", ">="):
            sides = tuple(_moment(side) for side in (node.left, node.right))
            if _have_a_time(p, constraint.table, sides):
                left, right = (DatePart(part="date", of=side) for side in sides)
                must = replaced(must, node, node.model_copy(update={"left": left, "right": right}))
    return constraint.model_copy(update={"must": must})


def _says_the_day(p: Parse) -> bool:
    low = [token.low for token in p.tokens]
    return any(
        first in _BEFORE_OR_AFTER and pair == ("the", "day")
        for first, pair in zip(low, pairwise(low[1:]), strict=False)
    )


def _moment(side: Expression) -> Expression:
    return side.of if isinstance(side, DatePart) and side.part == "date" else side


def _have_a_time(p: Parse, table: str, sides: tuple[Expression, ...]) -> bool:
    named = [side.of if isinstance(side, Lookup) else side for side in sides]
    dates = all(kind_of_expression(p.schema, table, side) == "datetime" for side in sides)
    return dates and any(isinstance(x, Column) and last_word(x.name) not in _DAYS for x in named)

"""How far a value is from the mean, in standard deviations: "within 3 standard deviations of the mean"."""

from collections.abc import Iterator

from pandas_magic.constraints.conditions import Compare, Condition
from pandas_magic.constraints.expressions import Absolute, Arithmetic, Column, Expression, Group, Value
from pandas_magic.planner.rules import counting, phrases
from pandas_magic.planner.rules.chart import Parse, Position
from pandas_magic.planner.rules.meaning import kind_of_expression
from pandas_magic.planner.rules.values import number

Found = Iterator[tuple[Position, Condition]]
_FORMS = (("<=", "within|at most|no/not more than"), (">", "more than|over"))


def near_the_mean(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """The distance of a column's value from the mean of all rows, or of the rows that share what "per" names."""
    if not isinstance(x, Column) or kind_of_expression(p.schema, table, x) not in ("integer", "number"):
        return
    for relation, said in _FORMS:
        for end, (times,) in p.seq(i, said, number, phrases.STANDARD_DEVIATIONS, phrases.OF_THE_MEAN):
            noted = p.note(i, end, "of all rows of the table")
            yield noted, _distance(x, (), relation, times)
            for middle in p.phrase(end, "per|of its|of the same|for its|within its"):
                for last, by in counting.group_keys(p, middle, table):
                    if x not in by:
                        yield p.note(i, last, "of the rows of its group"), _distance(x, by, relation, times)


def _distance(x: Expression, by: tuple[Expression, ...], relation: str, times: float) -> Condition:
    mean, deviation = (Group(statistic=name, of=x, by=by) for name in ("mean", "std"))
    return Compare(
        relation=relation,
        left=Absolute(of=Arithmetic(sign="-", left=x, right=mean)),
        right=Arithmetic(sign="*", left=deviation, right=Value(value=times)),
    )

"""How far a value is from the mean, in standard deviations: "within 3 standard deviations of the mean"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Relation
from pandas_magic.constraints.algebra.expressions import Absolute, Arithmetic, Column, Expression, Group, Value
from pandas_magic.planner.grammar import counting, nouns, phrases
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.meaning import kind_of_expression
from pandas_magic.planner.grammar.values import number

Found = Iterator[tuple[Position, Condition]]
_FORMS: tuple[tuple[Relation, str], ...] = (
    (
        "<=",
        phrases.NEARER_THAN,
    ),
    (">", phrases.FARTHER_THAN),
    (">=", "at least"),
    ("<", "less/fewer than|closer than"),
)


def near_the_mean(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """The distance of a column's value from the mean of all rows, or of the rows that share what "per" names."""
    if not isinstance(x, Column) or kind_of_expression(p.schema, table, x) not in ("integer", "number"):
        return
    for relation, said in _FORMS:
        for middle, (times,) in p.seq(i, said, number, phrases.STANDARD_DEVIATIONS, phrases.FROM_THE, phrases.MEAN):
            for end in (middle, *_its_own_name(p, middle, table, x)):
                yield p.note(i, end, "of all rows of the table"), _distance(x, (), relation, times)
                yield from _per_group(p, end, table, x, relation, times)
    for above, side in ((True, phrases.ABOVE_THE), (False, phrases.BELOW_THE)):
        for middle, (times,) in p.seq(i, phrases.FARTHER_THAN, number, phrases.STANDARD_DEVIATIONS, side, phrases.MEAN):
            for end in (middle, *_its_own_name(p, middle, table, x)):
                yield p.note(i, end, "of all rows of the table"), _beyond(x, times, above=above)


def _beyond(x: Expression, times: float, *, above: bool) -> Condition:
    """Like "more than 3 standard deviations above the mean": the other side does not count."""
    mean, deviation = (Group(statistic=name, of=x, by=()) for name in ("mean", "std"))
    reach = Arithmetic(sign="*", left=deviation, right=Value(value=times))
    limit = Arithmetic(sign="+" if above else "-", left=mean, right=reach)
    return Compare(relation=">" if above else "<", left=x, right=limit)


def deviates(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """What follows the value: "deviates from the average weight by more than two standard deviations"."""
    if not isinstance(x, Column) or kind_of_expression(p.schema, table, x) not in ("integer", "number"):
        return
    for middle, condition in _strays(p, i, table, x):
        yield middle, condition
    for start in p.seq_ends(i, phrases.DEVIATE, "?the|its|their", phrases.MEAN):
        for middle in (start, *_its_own_name(p, start, table, x)):
            for relation, said in _FORMS:
                for end, (times,) in p.seq(
                    middle, f"by {said.replace('|', '|by ')}", number, phrases.STANDARD_DEVIATIONS
                ):
                    yield p.note(i, end, "of all rows of the table"), _distance(x, (), relation, times)
                    yield from _per_group(p, end, table, x, relation, times)


def _strays(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "stray more than three sigma from the average amount"."""
    for start in p.phrase(i, phrases.STRAY):
        yield from near_the_mean(p, start, table, x)


def _its_own_name(p: Parse, i: Position, table: str, x: Column) -> Iterator[Position]:
    """Where "weight" ends behind "the average": the mean of the very column that is judged, or "of all weights"."""
    yield from (end for end, column in nouns.own_column(p, i, table) if column == x)
    for start in p.phrase(i, "of|over|of all|over all|across all|across|of the|of all the|for all|for"):
        yield from (end for end, column in nouns.own_column(p, start, table) if column == x)
        for end in nouns.this_table(p, start, table):
            yield p.note(start, end, "of all rows")
        yield from p.phrase(start, "row/rows/record/records|the/that/this column|values|all rows/values")


def _per_group(p: Parse, i: Position, table: str, x: Column, relation: str, times: float) -> Found:
    for middle in p.phrase(i, "per|of its|of the same|for its|within its"):
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

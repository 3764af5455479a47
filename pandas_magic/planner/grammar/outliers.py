"""Outliers, by a rule that is named: "must have no outliers by the 1.5 IQR rule", "within 1.5 IQR of the quartiles"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Expression, Group, Value
from pandas_magic.planner.grammar import claims, deviations, nouns, phrases
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import any_of, negate
from pandas_magic.planner.grammar.meaning import Claim, kind_of_expression
from pandas_magic.planner.grammar.values import number

Found = Iterator[tuple[Position, Condition]]
_IQR = phrases.INTERQUARTILE_RANGE
_TIMES = "?*|times|times the|×|x|the"
_USUAL = 1.5  # Tukey's fences, which "the IQR rule" means where no number is said


def outlier(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "outliers by the usual 1.5 × IQR rule", "free of outliers by the IQR rule with factor 3"."""
    if not isinstance(x, Column) or kind_of_expression(p.schema, table, x) not in ("integer", "number"):
        return
    for start in p.phrase(i, phrases.OUTLIER):
        found = list(_by_a_rule(p, start, table, x))
        if not found:
            p.refuse('outliers by which rule? Write "by the 1.5 IQR rule" or "more than 3 standard deviations from …"')
        yield from found
    for start in p.seq_ends(i, "outside the"):
        yield from _by_range(p, start, x)
    for start in p.phrase(i, "free of|free of any|without|without any"):
        yield from ((end, negate(found)) for end, found in outlier(p, start, table, x))
    yield from _of_the_quartiles(p, i, x)


def had(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """What follows the value: "has no outliers by the 1.5 IQR rule", "contain any outliers by it"."""
    for start in p.phrase(i, "have|contain|show|include"):
        for begin in (start, *p.phrase(start, "any")):
            yield from outlier(p, begin, table, x)
        for begin in p.phrase(start, "no"):
            yield from ((end, negate(found)) for end, found in outlier(p, begin, table, x))


def there_are_none(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Claim]]:
    """Like "There must be no outliers in the freight cost by the 1.5 IQR rule"."""
    for start in p.seq_ends(i, phrases.NO_SUCH, "outlier", "in|among|of"):
        for middle, x in nouns.own_column(p, start, table):
            if isinstance(x, Column) and kind_of_expression(p.schema, table, x) in ("integer", "number"):
                for end, found in _by_a_rule(p, middle, table, x):
                    yield p.note(i, end, "must not be"), claims.demand(table, negate(found))


def _by_a_rule(p: Parse, i: Position, table: str, x: Column) -> Found:
    for start in p.phrase(i, phrases.BY_A_RULE):
        yield from _by_range(p, start, x)
    for bracket in p.phrase(i, "("):
        for end, found in (*_by_range(p, bracket, x), *deviations.near_the_mean(p, bracket, table, x)):
            if not isinstance(found, Compare) or found.relation == ">":
                yield from ((last, found) for last in p.phrase(end, ")"))
    for start in (i, *p.phrase(i, ",|, i.e .|, that is|, that is ,")):
        for end, found in deviations.near_the_mean(p, start, table, x):
            if isinstance(found, Compare) and found.relation == ">":
                yield end, found
        yield from _of_the_quartiles(p, start, x)


def _by_range(p: Parse, i: Position, x: Column) -> Found:
    """Like "1.5 × IQR rule", "usual IQR rule", "IQR rule with a factor of 3"."""
    for end, (times,) in p.seq(i, number, _TIMES, _IQR):
        yield p.note(i, end, "of all rows of the table"), _far_from_the_middle(x, times)
    for middle in p.phrase(i, phrases.USUAL_IQR_RULE):
        said = list(p.seq(middle, phrases.WITH_A_FACTOR, number))
        for end, (times,) in said:
            yield p.note(i, end, "of all rows of the table"), _far_from_the_middle(x, times)
        if not said:
            noted = p.note(i, middle, "1.5 interquartile ranges from the middle half of all rows")
            yield noted, _far_from_the_middle(x, _USUAL)


def _of_the_quartiles(p: Parse, i: Position, x: Column) -> Found:
    """Like "within 1.5 IQR of the quartiles", "more than 1.5 times the IQR outside them", "between Q1 - …"."""
    for end, (times,) in p.seq(i, phrases.NEARER_THAN, number, _TIMES, _IQR, phrases.OF_THE_QUARTILES):
        yield p.note(i, end, "of all rows of the table"), negate(_far_from_the_middle(x, times))
    for end, (times,) in p.seq(i, phrases.FARTHER_THAN, number, _TIMES, _IQR, phrases.OUTSIDE_THE_QUARTILES):
        yield p.note(i, end, "of all rows of the table"), _far_from_the_middle(x, times)
    for above, side in ((True, phrases.ABOVE_THE_QUARTILE), (False, phrases.BELOW_THE_QUARTILE)):
        for end, (times,) in p.seq(i, phrases.FARTHER_THAN, number, _TIMES, _IQR, side):
            yield p.note(i, end, "of all rows of the table"), _beyond(x, times, above=above)
    for end, (low, high) in p.seq(i, "between q1 -", number, _TIMES, _IQR, "and q3 +", number, _TIMES, _IQR):
        if low == high:
            yield p.note(i, end, "of all rows of the table"), negate(_far_from_the_middle(x, low))


def _far_from_the_middle(x: Column, times: float) -> Condition:
    return any_of(_beyond(x, times, above=False), _beyond(x, times, above=True))


def _beyond(x: Column, times: float, *, above: bool) -> Condition:
    low, high = (Group(statistic="quantile", of=x, quantile=share) for share in (0.25, 0.75))
    reach = Arithmetic(sign="*", left=Arithmetic(sign="-", left=high, right=low), right=Value(value=times))
    limit = Arithmetic(sign="+" if above else "-", left=high if above else low, right=reach)
    return Compare(relation=">" if above else "<", left=x, right=limit)

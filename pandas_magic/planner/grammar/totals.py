"""What rows that refer to this one come to together: "the parcels of a depot must not weigh over 300 kg in total"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Column, Expression, Rollup
from pandas_magic.planner.grammar import comparatives, comparisons, counting, moods, nouns, phrases, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import join_down
from pandas_magic.planner.grammar.schema import Link

Found = Iterator[tuple[Position, Condition]]
Children = tuple[Link, Condition | None]
_TOTAL = "a/the/their total/combined/overall/summed/joint/aggregate/accumulated/cumulative|total/combined/overall"


@rule
def together(p: Parse, i: Position, table: str, mood: str) -> Found:
    """Like "the parcels of a depot together must not weigh more than 300 kg", "its parcels have a total weight of"."""
    for middle, children in rows.children(p, i, table):
        for said, start in ((False, middle), *((True, end) for end in p.phrase(middle, phrases.IN_TOTAL))):
            for begin, negated in moods.head(p, start, mood):
                for end, condition in _come_to(p, begin, table, children, together=said):
                    yield end, negate(condition) if negated else condition


def added_up(p: Parse, i: Position, table: str) -> Found:
    """Like "the totals of its orders add up to more than 100", "the weights of its parcels may sum to more"."""
    for middle, total in counting.summed_children(p, i, table):
        for start in (middle, *p.phrase(middle, f"{words.MAY}|do|will|together|in total|taken together")):
            for after in p.phrase(start, phrases.ADD_UP_TO):
                yield from comparisons.comparison(p, p.note(middle, after, "their sum"), table, total)


def _come_to(p: Parse, i: Position, table: str, children: Children, *, together: bool) -> Found:
    for start in p.phrase(i, words.HAVE):
        yield from _a_total(p, start, table, children)
    for start in p.phrase(i, phrases.ADD_UP_TO):
        yield from _in_a_column(p, start, table, children)
    for verb, names in words.COLUMN_VERBS.items():
        for start in p.phrase(i, verb):
            for column in comparatives.named_one_of(p, children[0].table, names):
                for end, condition in comparisons.comparison(p, start, table, _sum(children, column)):
                    for last in (*((end,) if together else ()), *p.phrase(end, phrases.IN_TOTAL)):
                        yield p.note(i, last, "all of them together"), condition


def _a_total(p: Parse, i: Position, table: str, children: Children) -> Found:
    """Like "a combined weight above 300 kg"."""
    for start in p.phrase(i, _TOTAL):
        for middle, name in nouns.named_column(p, start, children[0].table):
            if p.schema.kind(children[0].table, name) in ("integer", "number"):
                total = _sum(children, Column(name=name))
                for after in (middle, *p.phrase(middle, phrases.OF_VALUE)):
                    for end, condition in comparisons.comparison(p, after, table, total):
                        yield p.note(i, end, "all of them together"), condition


def _in_a_column(p: Parse, i: Position, table: str, children: Children) -> Found:
    """Behind "add up to": "at most 300 in weight"."""
    for place in range(int(i) + 1, min(int(i) + 8, len(p.tokens))):
        for start in p.phrase(Position(place), "in|of|by"):
            for end, name in nouns.named_column(p, start, children[0].table):
                if p.schema.kind(children[0].table, name) in ("integer", "number"):
                    for middle, condition in comparisons.comparison(p, i, table, _sum(children, Column(name=name))):
                        if int(middle) == place:
                            yield p.note(middle, end, f"the sum of {name}"), condition


@rule
def with_a_total(p: Parse, i: Position, table: str) -> Found:
    """Behind "hold": "parcels with a combined weight above 300 kg"."""
    for middle, children in rows.children(p, i, table):
        for start in p.phrase(middle, "with|having|of|that have|which have"):
            yield from _a_total(p, start, table, children)


def _sum(children: Children, column: Expression) -> Expression:
    link, where = children
    return Rollup(statistic="sum", join=join_down(link), of=column, where=where)

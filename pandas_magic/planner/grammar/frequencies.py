"""How often a value occurs, as a condition: "the badge occurs more than 4 times"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import Column, Expression, Group, Value
from pandas_magic.planner.grammar import children, comparisons, counting, phrases
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.values import whole

Found = Iterator[tuple[Position, Condition]]


def so_often(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "(the badge) occurs more than 4 times": in how many rows of the table."""
    for start in p.phrase(i, phrases.OCCUR) if isinstance(x, Column) else ():
        demanded = i > 0 and any(True for end in p.phrase(position(i - 1), words.MUST) if end == i)
        for relation, said in comparisons.RELATIONS[:4]:
            if relation == ">=" or (relation == ">" and demanded):
                continue  # "must be used at least 3 times" is about all that could be used
            for after in p.phrase(start, said):
                for middle, times in whole(p, after):
                    for end in p.phrase(middle, "time|times"):
                        found = Compare(
                            relation=relation, left=Group(statistic="count", by=(x,)), right=Value(value=times)
                        )
                        yield from _in_the_table(p, p.note(i, end, "in how many rows"), table, found)


def _in_the_table(p: Parse, i: Position, table: str, found: Compare) -> Found:
    from pandas_magic.planner.grammar.qualities import own_table

    yield i, found
    for start in p.phrase(i, "in|within|among|across"):
        yield from ((end, found) for end in own_table(p, start, table))
    for start in p.phrase(i, phrases.PER):
        for end, keys in counting.group_keys(p, start, table):
            by = tuple(dict.fromkeys((*keys, *found.left.by))) if isinstance(found.left, Group) else ()
            yield end, children.on(found, Group(statistic="count", by=by))

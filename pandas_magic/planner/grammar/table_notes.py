"""Notes about a table as a whole: "orders: min. 300 rows", "share of status = returned: max 10 %"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import Aggregate, Share, Value
from pandas_magic.planner.grammar import comparisons, terse_notes
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import has_window
from pandas_magic.planner.grammar.values import percentage

Found = Iterator[tuple[Position, Condition]]
_ROWS = "row|record|entry|line"
_COUNT = "row count|number of rows|number of records|count of rows|count|rows"


def about_the_table(p: Parse, i: Position, table: str) -> Found:
    """How many rows the table has, behind its name and a colon; how large a share of them is so."""
    if not terse_notes.has_no_verb(p):
        return
    count = Aggregate(statistic="count", table=table)
    if i > 1 and p.tokens[i - 1].text == ":":
        for middle, condition in comparisons.counted(p, i, table, count):
            yield from ((p.note(i, end, "the number of rows"), condition) for end in p.phrase(middle, _ROWS))
        for start in p.phrase(i, _COUNT):
            for begin in (start, *p.phrase(start, ":")):
                yield from comparisons.comparison(p, p.note(i, begin, "the number of rows"), table, count)
                yield from comparisons.between(p, p.note(i, begin, "the number of rows"), table, count)
    for start in p.phrase(i, "share of|percentage of|proportion of|fraction of|rate of"):
        yield from _share(p, start, table)


def _share(p: Parse, i: Position, table: str) -> Found:
    for middle, fact in terse_notes.facts(p, i, table):
        for start in (middle, *p.phrase(middle, ":")) if not has_window(fact) else ():
            for relation, said in comparisons.RELATIONS[:4]:
                for end, (share,) in p.seq(start, said, percentage):
                    of = Share(table=table, condition=fact)
                    yield (
                        p.note(i, end, "the share of the rows"),
                        Compare(relation=relation, left=of, right=Value(value=share)),
                    )

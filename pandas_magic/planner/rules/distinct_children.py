"""How many different values the rows that refer to this one have: "readings from at least four different sensors"."""

from collections.abc import Iterator

from pandas_magic.constraints.conditions import Condition
from pandas_magic.constraints.expressions import Column, Rollup
from pandas_magic.planner.rules import children, constants, rows
from pandas_magic.planner.rules.chart import Parse, Position
from pandas_magic.planner.rules.meaning import join_down

Found = Iterator[tuple[Position, Condition]]


def of_different(p: Parse, i: Position, table: str) -> Found:
    """Behind "have" or "deliver": rows of another table, and from how many different ones they are."""
    for middle, (link, where) in rows.children(p, i, table):
        for start in p.phrase(middle, "from|of|in|with|by|on|at|for|through|via|to"):
            for after, apply in children.counts_ahead(p, start, table):
                for begin in p.phrase(after, "different|distinct|separate"):
                    for end, of in constants.columns(p, begin, link.table):
                        if of != Column(name=link.column):
                            count = Rollup(statistic="distinct", join=join_down(link), of=of, where=where)
                            yield from apply(count, p.note(i, end, f"how many different ones in {link.table}"))

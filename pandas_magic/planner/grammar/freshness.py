"""How long ago a table's last row came: "the most recent transaction must have been booked no more than 3 days ago"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Aggregate, Statistic
from pandas_magic.planner.grammar import comparisons, events, moods, nouns
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import negate

Found = Iterator[tuple[Position, Condition]]
ENDS: tuple[tuple[str, Statistic], ...] = (
    ("last|latest|newest|most recent|youngest", "max"),
    ("first|earliest|oldest", "min"),
)


def latest_happened(p: Parse, i: Position, table: str) -> Found:
    """The verb says by which date the rows are the first or the last."""
    for middle, name in the_last(p, i, table):
        for start, negated in moods.head(p, middle, "must"):
            for begin in p.phrase(start, "be|have been|have"):
                for after, date in events.event(p, begin, table):
                    of = Aggregate(statistic=name, table=table, of=date)
                    noted = p.note(i, after, f"the {name} of {date.name}")
                    for end, condition in comparisons.comparison(p, noted, table, of):
                        yield end, negate(condition) if negated else condition


def the_last(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Statistic]]:
    """Where "the latest reading", "the newest row of the readings table" ends, with the end of the time it is at."""
    for start in (i, *p.phrase(i, "the|our")):
        for said, name in ENDS:
            for middle in p.phrase(start, said):
                yield from ((end, name) for end in nouns.this_table(p, middle, table))
                for row in p.phrase(middle, "row|record|entry"):
                    if p.target == table or len(p.schema.tables) == 1:
                        yield row, name
                    for after in p.phrase(row, "of|in|from|within"):
                        yield from ((end, name) for end in nouns.this_table(p, after, table))

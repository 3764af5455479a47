"""What makes rows of another table, and how lately: "projects must have been inspected within the last 180 days"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Compare, Condition, Present
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Now
from pandas_magic.planner.grammar import children, events, moments
from pandas_magic.planner.grammar.chart import Parse, Position, rule


@rule
def done_lately(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "have been inspected within the last 180 days": one of the rows that refer to this one is so recent."""
    for start in p.phrase(i, "have|have been"):
        if any(True for _ in events.event(p, start, table)):
            continue
        for child in p.schema.tables:
            date = p.schema.first_date(child)
            for link in p.schema.links_to(child, table) if date is not None else ():
                for middle in events.done_to_rows(p, start, child):
                    for end, condition in moments.placed_in_time(p, middle, Column(name=str(date))):
                        yield p.note(i, end, f"a row of {child} is so recent"), children.has_child(link, condition)


def asks_for_one(condition: Condition) -> bool:
    """Like "have been inspected within the last 180 days", which the older inspections need not be."""
    parts = condition.conditions if isinstance(condition, All) else ()
    recent = any(
        isinstance(part, Compare)
        and part.relation in (">", ">=")
        and isinstance(part.right, Arithmetic)
        and isinstance(part.right.left, Now)
        for part in parts
    )
    return recent and any(isinstance(part, Present) for part in parts)

"""A column named by the one word in which it differs from another: "the upper one"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar.chart import Parse, Position, position


def the_other_one(p: Parse, i: Position, table: str, x: Column) -> Iterator[tuple[Position, Expression]]:
    """Like "(the lower limit must be below) the upper one": the column whose name differs in that word alone."""
    for start in p.phrase(i, "the"):
        token = p.at(start)
        if token is None:
            continue
        named = p.schema.columns(table)
        rests = {said[1:] for said, found in named.items() for _, name in found if name == x.name and len(said) > 1}
        for end in p.phrase(position(start + 1, start.trace), "one"):
            others = {name for rest in rests for _, name in named.get((token.low, *rest), ())}
            if len(others) == 1 and others != {x.name}:
                yield p.note(i, end, f"the {', '.join(others)}"), Column(name=others.pop())

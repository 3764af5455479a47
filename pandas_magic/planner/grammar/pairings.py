"""Which values go with which: "each postcode occurs with only one city", "a postcode with more than one city"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import limits, nouns, phrases
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import kind_of_expression

Found = Iterator[tuple[Position, Condition]]


def goes_with(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Said of a value: "occurs with only one city", "is assigned to more than one city"."""
    if not isinstance(x, Column) or x.name == p.schema.key(table):
        return
    for start in p.phrase(i, phrases.GOES_WITH):
        for said, one in ((phrases.ONLY_ONE_VALUE, True), (phrases.SEVERAL_VALUES, False)):
            for middle in p.phrase(start, said):
                for end, other in nouns.own_column(p, middle, table):
                    if other != x and kind_of_expression(p.schema, table, other) != "boolean":
                        same = limits.constant(other, (x,))
                        if one and is_denied(p, i):
                            continue  # "no postcode may occur with the same city" is about the postcodes of a city
                        noted = p.note(i, end, "one value in each group" if one else "several values in a group")
                        yield noted, same if one else negate(same)


def is_denied(p: Parse, i: Position) -> bool:
    """Something before denies what is said here."""
    return any(token.low in ("no", "not", "never", "nor", "neither", "nothing") for token in p.tokens[:i])

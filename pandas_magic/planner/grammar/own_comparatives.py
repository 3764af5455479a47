"""Comparisons in the words of what is measured: delays "longer than 600 minutes", weights "heavier than 30 kg"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Relation
from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import comparisons, measures
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.meaning import kind_of_expression
from pandas_magic.planner.grammar.morphology import name_words

# The words of a column's name, and what is said of more and of less of it; a unit stands for its kind.
_MEASURED: tuple[tuple[frozenset[str], tuple[str, ...], str, str], ...] = (
    (frozenset(("delay", "duration", "length", "distance")), ("hour", "km"), "longer", "shorter"),
    (frozenset(("weight", "mass", "load")), ("kg",), "heavier", "lighter"),
    (frozenset(("temp", "temperature")), (), "warmer/hotter", "colder/cooler"),
    (frozenset(("speed",)), ("kmh",), "faster", "slower"),
)


def compared(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, Condition]]:
    """Behind "must not be": "longer than 600 minutes", "colder than 2 degrees"."""
    if not isinstance(x, Column) or kind_of_expression(p.schema, table, x) not in ("integer", "number"):
        return
    name = name_words(x.name)
    for nouns, units, more, less in _MEASURED:
        if nouns.isdisjoint(name) and not any(
            measures.is_of_the_kind(word, unit) for word in name[-1:] for unit in units
        ):
            continue
        sides: tuple[tuple[Relation, str], ...] = (
            (">", f"{more} than"),
            ("<", f"{less} than"),
            ("<=", f"no/not {more} than"),
            (">=", f"no/not {less} than"),
        )
        for relation, said in sides:
            for start in p.phrase(i, said):
                yield from comparisons.compared(p, p.note(i, start, relation), table, x, relation)

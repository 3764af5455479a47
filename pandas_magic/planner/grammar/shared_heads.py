"""Columns whose names share their last words, said once: "first and second examiner", "issue, due and payment date"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.grammar import nouns, phrases
from pandas_magic.planner.grammar.chart import Parse, Position, position, rule

Words = tuple[str, ...]
Found = Iterator[tuple[Position, tuple[Column, ...]]]


@rule
def columns(p: Parse, i: Position, table: str) -> Found:
    """Two columns or more; what comes before the last needs its last words to be a name."""
    for end, (names, _) in _first_ones(p, i, table):
        yield end, names
        yield from ((last, names) for last in nouns.of_this_row(p, end, table))


@rule
def _first_ones(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[tuple[Column, ...], Words]]]:
    """The columns from here on, and the words that the last one lends to those before it."""
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        for middle, said in nouns.spans(p, start):
            for after in p.phrase(position(middle, start.trace), phrases.BETWEEN_COLUMNS):
                for end, (names, head) in (*_last_one(p, after, table), *_first_ones(p, after, table)):
                    if (first := _only(p, table, said + head)) is not None and first not in names:
                        yield p.note(start, end, _listed(first, *names)), ((first, *names), head)


def _last_one(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[tuple[Column, ...], Words]]]:
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        for end, said in nouns.spans(p, start):
            if (last := _only(p, table, said)) is not None:
                yield from ((position(end, start.trace), ((last,), said[place:])) for place in range(1, len(said)))


def _only(p: Parse, table: str, said: Words) -> Column | None:
    """The column that is called so by its whole name."""
    found = p.schema.called(table, said) if not p.schema.is_part(table, said) else []
    return Column(name=found[0]) if len(found) == 1 else None


def _listed(*names: Column) -> str:
    return "the columns " + " and ".join(f'"{column.name}"' for column in names)

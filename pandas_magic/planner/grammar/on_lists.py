"""Rows on a list that a column of true and false keeps: "passengers on the no-fly list" for no_fly."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import Column, Value
from pandas_magic.planner.grammar import nouns
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.morphology import name_words


def on_a_list(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "on the no-fly list", "on our watch list"."""
    for start in p.phrase(i, "on the|on our|on a|on its"):
        for middle, spoken in nouns.spans(p, start):
            for end in p.phrase(Position(middle), "list"):
                for name in p.schema.truths(table):
                    said = name_words(name)
                    if spoken in (
                        said,
                        said[:-1] if said[-1:] == ("list",) else said,
                        said[1:] if said[0] == "on" else said,
                    ):
                        yes, _ = p.schema.truth_values(table, name) or (True, False)
                        is_so = Compare(relation="==", left=Column(name=name), right=Value(value=yes))
                        yield p.note(i, end, f"{name} is {yes}"), is_so

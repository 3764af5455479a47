"""Columns of true and false whose name is a verb: "who travel alone" for travels_alone, "speaks German"."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare
from pandas_magic.constraints.algebra.expressions import Column, Value
from pandas_magic.planner.grammar import nouns
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.morphology import name_words, word_forms

_OTHER_VERBS = frozenset(("is", "has", "was", "needs", "requires", "allows", "offers", "includes", "does"))


@rule
def does_so(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Compare]]:
    """Like "travel alone", "travelling alone", "speaks German"."""
    token = p.at(i)
    if token is None or token.kind != "word":
        return
    for column in p.schema.truths(table):
        verb = re.split(r"[\W_]+", column.lower())[0]
        name = name_words(column)
        if len(name) < 2 or not verb.endswith("s") or verb.endswith("ss") or verb in _OTHER_VERBS:
            continue
        yes, _ = p.schema.truth_values(table, column) or (True, False)
        for end, spoken in _with_object(p, i):
            if len(spoken) == len(name) and spoken[1:] == name[1:] and token.forms & word_forms(verb):
                is_so = Compare(relation="==", left=Column(name=column), right=Value(value=yes))
                yield p.note(i, end, f"{column} is {yes}"), is_so


def _with_object(p: Parse, i: Position) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The words from the verb on, also without an article: "take the bus"."""
    yield from nouns.spans(p, i)
    verb = tuple(name_words(p.tokens[i].text))
    for start in p.phrase(Position(i + 1), "the|a|an"):
        yield from ((end, verb + behind) for end, behind in nouns.spans(p, start))

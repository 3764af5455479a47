"""Who did something to a row, told by who did something else: "approved by the same person who entered it"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Relation
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.grammar import nouns, phrases
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.morphology import name_words, word_forms

Found = Iterator[tuple[Position, Condition]]


@rule
def done_by(p: Parse, i: Position, table: str) -> Found:
    """Behind "be": "approved by the same person who entered it", "entered by somebody else than the approver"."""
    for middle, first in _done(p, i, table):
        for relation, said in _WHO:
            for start in p.phrase(middle, said):
                for begin in (start, Position(start - 1)):
                    for end, second in nouns.own_column(p, begin, table):
                        if isinstance(second, Column) and second != first and second.name.endswith("_by"):
                            yield p.note(i, end, relation), Compare(relation=relation, left=first, right=second)
    yield from _both_by_one(p, i, table)


def _both_by_one(p: Parse, i: Position, table: str) -> Found:
    """Like "entered and approved by the same person"."""
    for middle, first in _done(p, i, table):
        for joint in p.phrase(middle, "and"):
            for end, second in _done(p, joint, table):
                for last in p.phrase(end, "by/from the same person/user/employee/colleague|by one and the same person"):
                    yield p.note(i, last, "=="), Compare(relation="==", left=first, right=second)


_WHO: tuple[tuple[Relation, str], ...] = (("==", phrases.BY_THE_SAME), ("!=", phrases.BY_ANOTHER))


def _done(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Column]]:
    """A participle that begins the name of a column of who did it: "approved" for approved_by."""
    token = p.at(i)
    for column in p.schema.tables[table].columns if token is not None and token.kind == "word" else ():
        name = name_words(column)
        if token is not None and len(name) == 2 and name[1] == "by" and word_forms(name[0]) & token.forms:
            yield p.note(i, i + 1, f'the column "{column}"'), Column(name=column)

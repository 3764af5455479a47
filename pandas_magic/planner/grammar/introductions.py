"""A column introduced before it is judged: "order_id is the primary key, so it must never repeat"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Condition, Matches, Parses
from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import claims, clauses, nouns, patterns, phrases, qualities, verbs
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Claim]]
_INTRODUCED = (
    (phrases.IS_THE_KEY, ("integer", "number", "text", "mixed")),
    (phrases.CAME_AS_TEXT, ("text", "mixed")),
    (phrases.IS_A_PERCENTAGE, ("integer", "number")),
)


def introduced(p: Parse, i: Position, table: str) -> Found:
    """What is said of the column behind "so it"; what stands before only says what kind of column it is."""
    for middle, x in nouns.own_column(p, i, table):
        for said, kinds in _INTRODUCED:
            if not isinstance(x, Column) or p.schema.kind(table, x.name) not in kinds:
                continue
            for start in p.seq_ends(middle, said, phrases.SO_IT):
                noted = p.note(middle, start, "what kind of column it is")
                for end, condition in clauses.value_phrase(p, noted, table, x, "must"):
                    yield end, claims.demand(table, condition)
                for begin in p.phrase(noted, "never|not"):
                    for end, (condition, joint) in clauses.qualities_of(p, begin, table, x):
                        if joint == "":
                            yield end, claims.demand(table, negate(condition))


def found_lacking(p: Parse, i: Position, table: str) -> Found:
    """Like "due_on missing in loans - must always be set": what was seen, and the demand that it breaks."""
    for middle, x in nouns.own_column(p, i, table):
        for start in (middle, *p.phrase(middle, "be|have")):
            for after, seen in (*qualities.quality(p, start, table, x), *verbs.verb(p, start, table, x)):
                ends = (after, *(end for at in p.phrase(after, "in|at") for end in nouns.this_table(p, at, table)))
                for begin in (start for end in ends for start in p.phrase(end, "-|–|—|:|,|;|, but|. it|, it|; it")):
                    for end, condition in clauses.value_phrase(p, begin, table, x, "must"):
                        if condition == negate(seen):
                            yield p.note(middle, end, "what was seen breaks it"), claims.demand(table, condition)


def dated_text(p: Parse, i: Position, x: Expression) -> Iterator[tuple[Position, Condition]]:
    """Like "a real date written as YYYY-MM-DD": a day that exists, in that form."""
    for middle in p.phrase(i, words.A_DATE):
        for start in p.phrase(middle, phrases.WRITTEN_AS):
            for end, (pattern, name) in patterns.named_format(p, start):
                if name == "ISO date":
                    both = (Parses(of=x, type="date"), Matches(of=x, pattern=pattern, format=name))
                    yield p.note(i, end, "a day that exists, in this form"), All(conditions=both)

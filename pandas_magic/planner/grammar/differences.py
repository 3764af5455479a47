"""Two values that must be equal: "any difference between a and b is wrong", "there shall be no difference …"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare
from pandas_magic.constraints.algebra.expressions import Absolute, Arithmetic, Expression, Value
from pandas_magic.planner.grammar import arithmetic, claims, comparisons, nouns, phrases
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import Claim, compare, kind_of_expression
from pandas_magic.planner.grammar.values import number

Found = Iterator[tuple[Position, Claim]]


def no_difference(p: Parse, i: Position, table: str) -> Found:
    """Like "Any difference between total and net plus tax is not permitted"."""
    for start in p.phrase(i, phrases.A_DIFFERENCE):
        for middle, (left, right) in two_values(p, start, table):
            same = compare(p.schema, table, left, "==", right)
            for end in (*p.seq_ends(middle, phrases.TO_BE_BAD, words.NOT_ACCEPTED), *p.phrase(middle, words.BE_BAD)):
                if same is not None:
                    yield p.note(i, end, "must be equal"), claims.demand(table, same)
    yield from _too_far_apart(p, i, table)
    for start in p.seq_ends(i, f"{phrases.THERE_IS_NO}|no", phrases.DIFFERENCE):
        for end, (left, right) in two_values(p, start, table):
            same = compare(p.schema, table, left, "==", right)
            for last in (end, *p.phrase(end, phrases.ROWS_ALLOWED)):
                if same is not None:
                    yield p.note(i, last, "must be equal"), claims.demand(table, same)


@rule
def two_values(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Expression, Expression]]]:
    """Behind "difference": "between a and b"."""
    for start in p.phrase(i, "between|of|in"):
        for middle, left in arithmetic.expression(p, start, table):
            for after in p.phrase(middle, "and"):
                for end, right in arithmetic.expression(p, after, table):
                    if left != right:
                        yield end, (left, right)
                        yield from ((last, (left, right)) for last in nouns.of_this_row(p, end, table))


def _too_far_apart(p: Parse, i: Position, table: str) -> Found:
    """Like "Deviations of more than 0.5 between total and net plus tax are not tolerated"."""
    bad = f"{phrases.THERE_IS_NO}|no|{words.ASKED_FOR}"
    for start, forbidden in ((i, False), *((end, True) for end in p.seq_ends(i, bad, "?a|any|all"))):
        for middle in p.phrase(start, phrases.A_DIFFERENCE):
            for relation, said in comparisons.RELATIONS[:4]:
                for after in p.seq_ends(middle, "?of|by", said) if relation in (">", ">=") else ():
                    for begin, limit in number(p, after):
                        for end, (left, right) in two_values(p, begin, table):
                            apart = Absolute(of=Arithmetic(sign="-", left=left, right=right))
                            near = negate(Compare(relation=relation, left=apart, right=Value(value=limit)))
                            ends = (
                                *p.seq_ends(end, phrases.TO_BE_BAD, words.NOT_ACCEPTED),
                                *p.phrase(end, words.BE_BAD),
                            )
                            for last in (end,) if forbidden else ends:
                                numbers = {kind_of_expression(p.schema, table, x) for x in (left, right)}
                                if numbers <= {"integer", "number"}:
                                    yield p.note(i, last, "not so far apart"), claims.demand(table, near)

"""What rows lack, and what is said of several columns: "lack a phone, an email or both", "a missing email or phone"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Present
from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import nouns, phrases, possession, qualities
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import all_in, any_of, negate

Found = Iterator[tuple[Position, Condition]]


def lacking(p: Parse, i: Position, table: str) -> Found:
    """Behind "lack": "a phone", "a phone, an email or both"."""
    either = set()
    for end, parts in possession.things(p, i, table, possession.OR_A):
        for last in p.phrase(end, phrases.AT_LEAST_ONE_OF_TWO) if len(parts) == 2 else ():
            either.add(int(last))
            yield p.note(end, last, "one of the two, or both"), any_of(*(negate(part) for part in parts))
    yield from ((end, condition) for end, condition in possession.lacked(p, i, table) if int(end) not in either)


def described_alike(p: Parse, i: Position, table: str) -> Found:
    """Like "a missing email or phone": what stands before the first is said of each; "a validator" for validated_by."""
    yield from ((end, Present(of=x)) for end, x in nouns.agent(p, i, table))
    for begin in range(int(i) + 1, min(int(i) + 4, len(p.tokens))):
        for end, names in possession.column_list(p, Position(begin), table) if _named_first(p, i, begin, table) else ():
            said = [_quality_before(p, i, begin, table, x) for x in names]
            known = [condition for condition in said if condition is not None]
            joints = {token.low for token in p.tokens[begin:end]} & {"or", "and"}
            if len(known) == len(names) > 1 and len(joints) == 1 and not possession.is_count(p, i):
                noted = p.note(i, end, "said of each")
                yield noted, any_of(*known) if joints == {"or"} else all_in(tuple(known))


def _named_first(p: Parse, i: Position, begin: int, table: str) -> bool:
    """The words from `i` on say something of the column that is named at `begin`."""
    named = (Column(name=name) for _, name in nouns.named_column(p, Position(begin), table))
    return any(_quality_before(p, i, begin, table, x) is not None for x in named)


def _quality_before(p: Parse, i: Position, end: int, table: str, x: Expression) -> Condition | None:
    for middle, condition in qualities.quality(p, i, table, x):
        if int(middle) == end and not possession.a_word_for_it(p, i, table, condition):
            return possession.with_presence(condition, x)
    return None

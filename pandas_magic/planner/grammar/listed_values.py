"""Values said next to the name of their column: "the coupon code AUTUMN5 is no longer allowed", "cash as payment"."""

import re
from collections.abc import Iterator
from typing import Any

from pandas_magic.constraints.algebra.conditions import Compare, Condition, OneOf
from pandas_magic.constraints.algebra.expressions import Column, Expression, Value
from pandas_magic.planner.grammar import claims, nouns, phrases, value_lists, values, we_only
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import among, negate
from pandas_magic.planner.grammar.meaning import Claim, kind_of_expression

Found = Iterator[tuple[Position, Claim]]
_ANY_MORE = "any more|anymore|any longer|now"


def listed(p: Parse, i: Position, table: str) -> Found:
    """A value that must not occur, or the list of those that may, with the column behind or in front."""
    yield from _no_longer(p, i, table)
    yield from _not_as(p, i, table)
    yield from _accepted_as(p, i, table)
    yield from value_lists.no_others(p, i, table)
    yield from we_only.done_only(p, i, table)


def _no_longer(p: Parse, i: Position, table: str) -> Found:
    """Like "The coupon code AUTUMN5 is no longer allowed", "status 'open' must not be used"."""
    for middle, x in nouns.own_column(p, i, table):
        for after, value in _one_value(p, middle, table, x):
            for end in p.phrase(after, phrases.NO_LONGER_ALLOWED):
                yield p.note(after, end, "must not occur"), claims.demand(table, _other_than(x, value))


def _other_than(x: Expression, value: str) -> Compare:
    return Compare(relation="!=", left=x, right=Value(value=value))


def _one_value(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, str]]:
    """A text that occurs in the column, one in quotes, or a code such as AUTUMN5."""
    if not isinstance(x, Column) or p.schema.kind(table, x.name) != "text":
        return
    token = p.at(i)
    found = list(values.literal(p, i, table, x, False))
    yield from ((end, str(value)) for end, value in found)
    code = token is not None and token.kind == "word" and re.fullmatch(r"(?=.*\d)[A-Z][A-Z0-9_]+", token.text)
    if token is not None and code and not found:
        yield p.note(i, i + 1, f"the text '{token.text}'"), token.text


def _not_as(p: Parse, i: Position, table: str) -> Found:
    """Like "cash must not appear as payment method", also behind "We don't accept cash any more, so"."""
    for start in (i, *p.phrase(i, words.EVERY)):
        for middle, x, value in _any_value(p, start, table):
            for after in p.phrase(middle, phrases.MUST_NOT_APPEAR_AS):
                yield from _named(p, i, after, table, x, value)
    for start in p.phrase(i, phrases.WE_DO_NOT_ACCEPT):
        for middle, x, value in _any_value(p, start, table):
            yield from _said_again(p, i, middle, table, _other_than(x, value))
            for after in (middle, *p.phrase(middle, _ANY_MORE)):
                for begin in p.phrase(after, "as|as a|as an"):
                    yield from _named(p, i, begin, table, x, value)


def _said_again(p: Parse, i: Position, middle: Position, table: str, must: Compare) -> Found:
    """Like "(We don't accept cash) any more, so cash must not appear as payment method"."""
    for begin in p.seq_ends(middle, f"?{_ANY_MORE}", ", so|; so|. so|:"):
        for end, found in _not_as(p, begin, table):
            if found.must == must:
                yield p.note(i, end, "the same again"), found


def _any_value(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression, str]]:
    for x in _text_columns(p, table):
        yield from ((end, x, value) for end, value in _one_value(p, i, table, x))


def _named(p: Parse, i: Position, at: Position, table: str, x: Expression, value: str) -> Found:
    for end, column in nouns.own_column(p, at, table):
        if column == x:
            yield p.note(i, end, "must not occur"), claims.demand(table, _other_than(x, value))


def _text_columns(p: Parse, table: str) -> list[Expression]:
    columns = [Column(name=name) for name in p.schema.tables[table].columns]
    return [column for column in columns if kind_of_expression(p.schema, table, column) == "text"]


def _accepted_as(p: Parse, i: Position, table: str) -> Found:
    """Like "We only accept cash, card and voucher as payment methods"."""
    for said, fewest in ((phrases.WE_ONLY_ACCEPT, 1), (phrases.WE_DO_NOT_ACCEPT, 2)):
        for start in p.phrase(i, said):
            for end, x, found in _values_as(p, start, table):
                accepted: Condition = OneOf(of=x, values=found)
                if len(found) >= fewest:
                    noted = p.note(i, end, "one of these" if fewest == 1 else "none of these")
                    yield noted, claims.demand(table, accepted if fewest == 1 else negate(among(x, found)))


def _values_as(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression, tuple[Any, ...]]]:
    for x in _text_columns(p, table):
        for middle, found in values.value_list(p, i, table, x, False):
            for begin in p.phrase(middle, "as|as a|as an|as the"):
                yield from ((end, x, found) for end, column in nouns.own_column(p, begin, table) if column == x)

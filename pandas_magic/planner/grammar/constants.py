"""One value in all rows of a group, said from the value or from the rows: "the expiry is the same for all batches"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import claims, counting, limits, nouns, phrases, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Claim]]


def constant_claims(p: Parse, i: Position, table: str) -> Found:
    """Every way to say it that does not begin with the rows of the group."""
    yield from _the_same_for_all(p, i, table)
    yield from _not_under_two(p, i, table)
    yield from _several_rows_of_one(p, i, table)
    yield from _one_and_one(p, i, table)
    yield from _if_two_share(p, i, table)


def _if_two_share(p: Parse, i: Position, table: str) -> Found:
    """Like "If two machines have the same model, they must have the same manufacturer"."""
    for start in p.seq_ends(i, "if|when|whenever|where", phrases.TWO_ROWS):
        for middle, found in rows.plain_rows(p, start):
            verbs = f"{phrases.SHARE}|belong to|refer to|be of|come from|be from|be in|be at"
            for begin in p.seq_ends(middle, verbs, phrases.THE_SAME) if found.table == table else ():
                for after, by in counting.group_keys(p, begin, table):
                    for said in p.seq_ends(after, "?,", "?then", "they|both|these|all of them|their"):
                        yield from _they_share(p, said, table, by, found.where)


def _they_share(p: Parse, i: Position, table: str, by: tuple[Expression, ...], where: Condition | None) -> Found:
    """Behind "they" or "their": "must have the same manufacturer", "manufacturer must be the same"."""
    if is_the_row(p, table, by):
        return
    ends = [
        *p.phrase(i, phrases.HAVE_THE_SAME),
        *p.seq_ends(i, words.MUST, "?also|all|both", phrases.SHARE, phrases.THE_SAME),
    ]
    found = [last for end in ends for last in columns(p, end, table)]
    for middle, x in columns(p, i, table) if p.tokens[i - 1].low == "their" else ():
        found += [(end, x) for end in p.phrase(middle, phrases.BE_THE_SAME)]
        found += [(end, x) for end in p.seq_ends(middle, words.MUST, "?both|all", phrases.BE_ALIKE, "?too|as well")]
    for end, x in found:
        if x not in by:
            yield p.note(i, end, "one value in each group"), claims.demand(table, limits.constant(x, by), where)


def one_and_the_same(p: Parse, i: Position) -> Iterator[Position]:
    """Where "always belongs to exactly one", "must be sent from the same", "must not have two different" ends."""
    asked = (i, *p.phrase(i, f"{words.MUST}|{words.MUST_ONLY}"))
    for start in (*asked, *(end for begin in asked for end in p.phrase(begin, words.ADVERBS))):
        yield from p.seq_ends(start, phrases.BELONGS_SOMEWHERE, phrases.THE_SAME_ONE)
        if any(token.low == "only" for token in p.tokens[i:start]):
            yield from p.seq_ends(start, phrases.BELONGS_SOMEWHERE, "one")
    yield from p.seq_ends(i, phrases.NEVER_BY_TWO, phrases.BELONGS_SOMEWHERE, f"{phrases.TWO_DIFFERENT}|more than one")


def _the_same_for_all(p: Parse, i: Position, table: str) -> Found:
    """Like "The expiry must be the same for all batches of a lot"."""
    for middle, x in nouns.own_column(p, i, table):
        for start in p.seq_ends(middle, f"?{words.MUST}", phrases.BE_ONE_VALUE, phrases.IN_ALL):
            for begin in nouns.this_table(p, start, table):
                for after in p.phrase(begin, phrases.OF_ONE_GROUP):
                    for end, by in counting.group_keys(p, after, table):
                        if x not in by and not is_the_row(p, table, by):
                            yield p.note(middle, end, "one value in each group"), _constant(table, x, by)


def _not_under_two(p: Parse, i: Position, table: str) -> Found:
    """Like "The same dish can not be listed under two different categories"."""
    for start in p.phrase(i, "the same|one|a|one and the same"):
        for middle, key in counting.group_key(p, start, table):
            for begin in p.seq_ends(middle, phrases.NEVER_BY_TWO, phrases.STAND_UNDER, phrases.TWO_DIFFERENT):
                for end, x in columns(p, begin, table):
                    if x != key and not is_the_row(p, table, (key,)):
                        yield p.note(middle, end, "one value in each group"), _constant(table, x, (key,))


def _several_rows_of_one(p: Parse, i: Position, table: str) -> Found:
    """Like "If a reservation has several bills, they all come from the same waiter"."""
    for start in p.phrase(i, "if|when|whenever|where"):
        for middle, link in nouns.parent(p, start, table):
            for begin in p.seq_ends(middle, "have", phrases.TWO_ROWS):
                for end, found in rows.plain_rows(p, begin):
                    if found.table != table or found.where is not None:
                        continue
                    for after in p.seq_ends(end, ",", "?then", "they|these|all of them", phrases.HAVE_THE_SAME):
                        for last, x in columns(p, after, table):
                            key = Column(name=link.column)
                            if x != key:
                                yield p.note(i, last, "one value in each group"), _constant(table, x, (key,))


def _one_and_one(p: Parse, i: Position, table: str) -> Found:
    """Like "One lot number, one expiry date"."""
    for middle, (key, x) in p.seq(
        i,
        "one|1",
        lambda p, i: counting.group_key(p, i, table),
        ",|-|:|=",
        "one|1",
        lambda p, i: nouns.own_column(p, i, table),
    ):
        if x != key and not is_the_row(p, table, (key,)):
            yield p.note(i, middle, "one value in each group"), _constant(table, x, (key,))


def columns(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """A column of the row, or the row of another table that it refers to."""
    yield from nouns.own_column(p, i, table)
    yield from ((end, Column(name=link.column)) for end, link in nouns.parent(p, i, table))


def is_the_row(p: Parse, table: str, by: tuple[Expression, ...]) -> bool:
    """The key is among them, so that each group is one row."""
    return Column(name=p.schema.key(table) or "") in by


def _constant(table: str, x: Expression, by: tuple[Expression, ...]) -> Claim:
    return claims.demand(table, limits.constant(x, by))

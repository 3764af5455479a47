"""How large a share of the rows may or must be so: "fewer than 5 % of all transactions may be reversed"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Relation
from pandas_magic.constraints.algebra.expressions import Share, Value
from pandas_magic.planner.grammar import claims, clauses, comparisons, moods, phrases, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import both, has_window, negate
from pandas_magic.planner.grammar.values import percentage

Found = Iterator[tuple[Position, Condition]]
# "At most 5 % of orders may …" says how many violations a rule accepts; "fewer than 5 %" leaves out the 5 % itself.
_SIDES: tuple[tuple[Relation, str, tuple[str, ...]], ...] = (
    ("<", words.LESS, ("may", "must")),
    (">", words.GREATER, ("must",)),
)


def share_of_rows(p: Parse, i: Position, table: str) -> Found:
    """The share of the rows that a sentence limits strictly, on either side."""
    for relation, said, modes in _SIDES:
        for middle, (limit,) in p.seq(i, said, percentage, "of|of all|of the|of all the|of our"):
            noted = p.note(i, middle, "the share of the rows")
            for after, found in rows.plain_rows(p, noted):
                for end, condition in _so(p, after, table, modes) if found.table == table else ():
                    share = Share(table=table, condition=condition, where=found.where)
                    yield end, Compare(relation=relation, left=share, right=Value(value=limit))
    yield from between_shares(p, i, table)
    yield from _made_up(p, i, table)


def _made_up(p: Parse, i: Position, table: str) -> Found:
    """Like "Cancelled bookings must make up less than 20 % of all bookings"."""
    for middle, found in rows.plain_rows(p, i):
        for start, negated in moods.head(p, middle, "must") if found.table == table and found.where else ():
            for begin in p.phrase(start, phrases.MAKE_UP):
                for relation, said in comparisons.RELATIONS[:4]:
                    for end, (limit, _) in p.seq(
                        begin, said, percentage, "of|of all|of the|of all the", lambda p, i: rows.same_rows(p, i, table)
                    ):
                        share = Share(table=table, condition=found.where)
                        judged = Compare(relation=relation, left=share, right=Value(value=limit))
                        yield p.note(i, end, "the share of the rows"), negate(judged) if negated else judged


def between_shares(p: Parse, i: Position, table: str) -> Found:
    """Like "Between 5 % and 20 % of the bookings must be in business"."""
    for middle, (low, high) in p.seq(
        i, "between|from", percentage, "and|to", percentage, "of|of all|of the|of all the|of our"
    ):
        noted = p.note(i, middle, "the share of the rows")
        for after, found in rows.plain_rows(p, noted):
            for end, condition in _so(p, after, table, ("must", "may")) if found.table == table else ():
                share = Share(table=table, condition=condition, where=found.where)
                limits: tuple[tuple[Relation, float], ...] = ((">=", low), ("<=", high))
                sides = [Compare(relation=relation, left=share, right=Value(value=limit)) for relation, limit in limits]
                if low < high and (joined := both(*sides)) is not None:
                    yield end, joined


def _so(p: Parse, i: Position, table: str, modes: tuple[str, ...]) -> Found:
    for mode in modes:
        for end, condition in claims.not_negated(p, i, clauses.row_phrase(p, i, table, mode)):
            if not has_window(condition) and int(end) > int(i):
                yield end, condition

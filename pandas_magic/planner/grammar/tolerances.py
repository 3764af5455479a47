"""How many violations a rule accepts, and what it says of missing values."""

from collections.abc import Callable, Iterator
from decimal import Decimal

from pandas_magic.constraints.algebra.conditions import Condition, Present
from pandas_magic.constraints.algebra.expressions import Expression
from pandas_magic.constraints.algebra.rules import Tolerance
from pandas_magic.planner.grammar import claims, clauses, nouns, phrases, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, after_be
from pandas_magic.planner.grammar.logic import (
    for_must,
    for_where,
    has_window,
    negate,
)
from pandas_magic.planner.grammar.meaning import Claim, forbidden_rows
from pandas_magic.planner.grammar.values import percentage, whole

Found = Iterator[tuple[Position, Claim]]


def missing_allowed(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Where a remark ends that missing values are allowed: "; missing ages are ignored", "(nulls allowed)"."""
    for start in p.phrase(i, ";|.|,|(|, but|, and|and|, where|but|–|-|, while"):
        for end in p.seq_ends(start, phrases.IGNORING, f"?{words.MISSING}|empty|blank", _missing_things(table), "?)"):
            yield end
        for end in p.seq_ends(
            start,
            f"{words.MISSING}|{phrases.MISSING_THINGS}",
            _missing_things(table),
            f"{words.IGNORED_MISSING}|ok|okay|allowed|fine|ignored|permitted|accepted|excluded",
            "?)",
        ):
            yield end
        for middle in nouns.this_table(p, start, table):
            yield from p.seq_ends(middle, "without|with no", f"?{words.ARTICLE}", phrases.THINGS, words.IGNORED_MISSING)
        for end in p.phrase(start, phrases.ALLOW_MISSING):
            yield from (end, *p.phrase(end, ")"))
    for end in p.phrase(i, words.IF_GIVEN):
        yield end


def _missing_things(table: str) -> Callable[[Parse, Position], Iterator[tuple[Position, None]]]:
    def things(p: Parse, i: Position) -> Iterator[tuple[Position, None]]:
        for end in p.phrase(i, phrases.THINGS):
            yield end, None
        for end, _ in nouns.own_column(p, i, table):
            yield end, None
        yield i, None

    return things


def tolerating(found: Claim, tolerance: Tolerance) -> Claim:
    """The claim that accepts so many violations."""
    return Claim(found.table, found.must, found.where, tolerance)


def share_left(share: float) -> float:
    """What is left of a whole, without binary noise: 0.01 for 0.99."""
    return float(Decimal(1) - Decimal(str(share)))


def opening_tolerance(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Tolerance]]:
    """Before the sentence: "at least 99 % of all", "95 % or more of the", "in at least 90 % of the trips,"."""
    for middle, share in _at_least_a_share(p, i):
        for end in p.phrase(middle, _OF_THE):
            yield p.note(i, end, "so many rows at least have to comply"), Tolerance(max_share=share_left(share))
    for end, (part, whole_number) in p.seq(i, words.AT_LEAST, whole, "out of|in|of every", whole):
        if 0 < part < whole_number and whole_number in (4, 5, 10, 20, 100, 1000):
            share = round(part / whole_number, 10)
            yield p.note(i, end, "so many rows at least have to comply"), Tolerance(max_share=share_left(share))
    for start in p.phrase(i, "in|for|on|with"):
        for middle, share in _at_least_a_share(p, start):
            for after in p.phrase(middle, _OF_THE):
                for rows_end, _ in rows.same_rows(p, after, table):
                    for end in (rows_end, *p.phrase(rows_end, ",")):
                        noted = p.note(i, end, "so many rows at least have to comply")
                        yield noted, Tolerance(max_share=share_left(share))


_OF_THE = "of|of all|of the|of all the"


def _at_least_a_share(p: Parse, i: Position) -> Iterator[tuple[Position, float]]:
    yield from ((end, share) for end, (share,) in p.seq(i, words.AT_LEAST, percentage))
    for end, (share,) in p.seq(i, percentage, "or more|at least|at the least|or over"):
        yield end, share


def share_may(p: Parse, i: Position, table: str) -> Found:
    """Like "At most 5 % of orders may lack a ship date", "no more than 5 orders may have a negative total"."""
    for middle, share in (
        (end, found) for start in p.phrase(i, f"{words.AT_MOST}|only") for end, found in percentage(p, start)
    ):
        for start in p.phrase(middle, "of|of all|of the|of all the"):
            yield from _may(p, p.note(i, start, "so many violations are accepted"), table, Tolerance(max_share=share))
    for middle, share in _of_all_first(p, i, table):
        yield from _may_be_so(p, middle, table, Tolerance(max_share=share))
    for middle, rows_number in ((end, found) for start in p.phrase(i, words.AT_MOST) for end, found in whole(p, start)):
        for start in (middle, *p.phrase(middle, "of|of all|of the|of all the")):
            yield from _may(
                p, p.note(i, start, "so many violations are accepted"), table, Tolerance(max_rows=rows_number)
            )


def _of_all_first(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, float]]:
    """Like "Of all parcels, only up to 10 percent"."""
    for start in p.phrase(i, "of all|out of all|of all the|of our|among all|of the|out of our"):
        for middle, found in rows.plain_rows(p, start):
            if found.table == table and found.where is None:
                for begin in p.seq_ends(middle, "?,", "?only", words.AT_MOST):
                    yield from percentage(p, begin)


def _may_be_so(p: Parse, i: Position, table: str, tolerance: Tolerance) -> Found:
    for end, condition in claims.not_negated(p, i, clauses.row_phrase(p, i, table, "may")):
        if not has_window(condition):
            yield end, Claim(table, for_must(negate(condition)), None, tolerance)


def _there_may_be(p: Parse, i: Position, table: str) -> Found:
    """Like "There may be at most 5 orders without a ship date"."""
    accepted = [
        (end, Tolerance(max_rows=count))
        for start in p.phrase(i, "there may be|there can be|we tolerate|we accept|we can live with")
        for end, (count,) in p.seq(start, words.AT_MOST, whole)
    ]
    for start in p.phrase(i, "there must/should/shall/may/can not be|there must/should never be"):
        accepted += _more_than(p, start)
    for middle, tolerance in accepted:
        for end, found in rows.plain_rows(p, p.note(i, middle, "so many violations are accepted")):
            made = forbidden_rows(found) if found.table == table else None
            if made is not None and tolerance.max_rows is not None and not has_window(made.must):
                yield end, tolerating(made, tolerance)


def _may(p: Parse, i: Position, table: str, tolerance: Tolerance) -> Found:
    for middle, found in rows.plain_rows(p, i):
        if found.table == table:
            for end, condition in claims.not_negated(p, middle, clauses.row_phrase(p, middle, table, "may")):
                if not has_window(condition):
                    yield end, Claim(table, for_must(negate(condition)), for_where(found.where), tolerance)
    if tolerance.max_share is not None:
        for middle, (x, where) in claims.value_subject(p, i, table):
            for end, condition in claims.not_negated(p, middle, clauses.value_phrase(p, middle, table, x, "may")):
                yield end, Claim(table, for_must(negate(condition)), for_where(where), tolerance)


def few_may(p: Parse, i: Position, table: str) -> Found:
    """How many rows may be otherwise, also behind "check that"."""
    for start in (i, *p.phrase(i, words.CEREMONY)):
        yield from share_may(p, start, table)
        yield from _there_may_be(p, start, table)
        yield from few_without(p, start, table)


def few_without(p: Parse, i: Position, table: str) -> Found:
    """Like "It is an error if more than 5 orders have no note", "except for five at most, all orders must have one"."""
    for start in p.phrase(i, f"{words.FORBID_THAT}|{phrases.REPORT_IF}"):
        for middle, tolerance in _more_than(p, p.note(i, start, "so many violations are accepted")):
            for begin in (middle, *p.phrase(middle, "of|of all|of the|of all the|of our")):
                yield from _may(p, begin, table, tolerance)
    for start in p.phrase(i, phrases.EXCEPT_FOR):
        for middle, count in (*_at_most_so_many(p, start),):
            for begin in p.seq_ends(middle, "?of them|row|rows|exceptions|exception", ",|, |of"):
                noted = p.note(i, begin, "so many violations are accepted")
                for end, found in claims.claim(p, noted, table):
                    if found.tolerance is None and not has_window(found.must):
                        yield end, tolerating(found, Tolerance(max_rows=count))
    for middle, (x, where) in claims.value_subject(p, i, table):
        yield from _missing_for_few(p, middle, table, x, where)


def _more_than(p: Parse, i: Position) -> Iterator[tuple[Position, Tolerance]]:
    for end, (share,) in p.seq(i, words.GREATER, percentage):
        yield end, Tolerance(max_share=share)
    for end, (count,) in p.seq(i, words.GREATER, whole):
        if not any(True for _ in p.phrase(end, "%|percent|per cent")):
            yield end, Tolerance(max_rows=count)


def _at_most_so_many(p: Parse, i: Position) -> Iterator[tuple[Position, int]]:
    for end, (count,) in p.seq(i, words.AT_MOST, whole):
        yield end, count
    for end, (count,) in p.seq(i, whole, "at most|at the most|or fewer|or less|at a maximum"):
        yield end, count


def _missing_for_few(p: Parse, i: Position, table: str, x: Expression, where: Condition | None) -> Found:
    """Behind a column: "is missing for no more than 5 customers", "may be empty only for 5 customers at most"."""
    for start in p.seq_ends(i, f"?{words.MAY}", after_be(f"{words.MISSING}|{words.EMPTY}|{words.BLANK}")):
        for middle in p.phrase(start, "for|in|on|only for|only in|for only|with|at"):
            for after, count in _at_most_so_many_of(p, middle, table):
                must = Present(of=x)
                noted = p.note(i, after, "so many violations are accepted")
                yield noted, Claim(table, must, for_where(where), Tolerance(max_rows=count))
            for after, share in _at_most_such_a_share(p, middle, table):
                noted = p.note(i, after, "so many violations are accepted")
                yield noted, Claim(table, Present(of=x), for_where(where), Tolerance(max_share=share))


def _at_most_such_a_share(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, float]]:
    """Like "no more than 5 % of the customers", "at most 5 % of all rows"."""
    for middle, (share, _) in p.seq(i, words.AT_MOST, percentage, _OF_THE, lambda p, i: _rows_of(p, i, table)):
        yield middle, share


def _rows_of(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, None]]:
    yield from ((end, None) for end in p.phrase(i, "row|record|entry|case"))
    yield from ((end, None) for end, _ in rows.same_rows(p, i, table))


def _at_most_so_many_of(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, int]]:
    """Like "no more than 5 customers", "5 customers at most"."""
    for middle, count in _at_most_so_many(p, i):
        yield from ((end, count) for end, _ in rows.same_rows(p, middle, table))
    for middle, count in whole(p, i):
        for after, _ in rows.same_rows(p, middle, table):
            yield from ((end, count) for end in p.phrase(after, "at most|at the most|at a maximum|or fewer"))


def closing_tolerance(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Tolerance]]:
    """Behind the sentence: "at most 5 rows may break this", "at least 99 % of cases", "95 % of the trips"."""
    said = (*((end, share) for end, (share,) in p.seq(i, "at least", percentage)), *percentage(p, i))
    for middle, share in said if p.tokens[i - 1].low in ("in", "for", "with") else ():
        for start in p.phrase(middle, _OF_THE):
            yield from ((end, Tolerance(max_share=share_left(share))) for end, _ in rows.same_rows(p, start, table))
    breaks = phrases.MAY_BREAK_THIS
    for end, (share,) in p.seq(i, words.AT_MOST, percentage, breaks):
        yield end, Tolerance(max_share=share)
    for end, (count,) in p.seq(i, words.AT_MOST, whole, f"row {breaks}|{breaks}".replace("|", "|row ") + "|" + breaks):
        yield end, Tolerance(max_rows=count)
    for end, (share,) in p.seq(i, "at least", percentage, phrases.OF_ROWS):
        yield end, Tolerance(max_share=share_left(share))

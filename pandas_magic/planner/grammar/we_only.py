"""What people say they do only: "We only ship to AT and DE", "we only hold written and oral exams"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Not
from pandas_magic.planner.grammar import claims, phrases, value_lists, values_of_all
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import Claim
from pandas_magic.planner.grammar.telling_verbs import tells_rows_apart

Found = Iterator[tuple[Position, Claim]]
_ONLY = "only|exclusively|solely"


def done_only(p: Parse, i: Position, table: str) -> Found:
    """Like "We only ship to AT and DE", "we only hold written and oral exams", "exams are only held in A1 and B2"."""
    for start in (*p.seq_ends(i, "we", _ONLY, phrases.DEAL_IN), *p.seq_ends(i, "we", phrases.DEAL_IN, _ONLY)):
        if not _tell_rows_apart(p, i, start, table):
            yield from _with_these(p, start, table)
    for start in p.seq_ends(i, "we", phrases.DEAL_IN):
        if not _tell_rows_apart(p, i, start, table):
            for after, found in _with_these(p, start, table):
                yield from ((end, found) for end in p.phrase(after, "only|and nothing else|, nothing else|exclusively"))
    for start in p.seq_ends(i, "we", _ONLY, phrases.SEND_TO):
        for end, one_of in values_of_all.placed(p, position(start - 1, start.trace), table):
            yield p.note(i, end, "only these"), claims.demand(table, one_of)
    yield from _never_others(p, i, table)
    yield from values_of_all.stated(p, i, table)
    for middle, where in values_of_all.things(p, i, table):
        for end, one_of in _is_done_only(p, middle, table):
            yield p.note(middle, end, "only these"), claims.demand(table, one_of, where)


def _tell_rows_apart(p: Parse, i: int, end: int, table: str) -> bool:
    return any(tells_rows_apart(p, token, table) for token in p.tokens[i:end])


def _is_done_only(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Behind the rows: "may only be sold in EUR", "are only sold in EUR", "are sold in EUR only"."""
    modal = f"{words.MAY}|{words.MUST}"
    ahead = [
        *p.seq_ends(i, modal, _ONLY, "be", phrases.DEAL_IN),
        *p.seq_ends(i, f"?{modal}", "be", _ONLY, phrases.DEAL_IN),
        *p.seq_ends(i, f"?{modal}", "be", phrases.DEAL_IN, _ONLY),
    ]
    for start in ahead:
        yield from values_of_all.placed(p, start, table) if not _tell_rows_apart(p, i, start, table) else ()
    for start in p.seq_ends(i, f"?{modal}", "be", phrases.DEAL_IN):
        for after, one_of in values_of_all.placed(p, start, table) if not _tell_rows_apart(p, i, start, table) else ():
            yield from ((end, one_of) for end in p.phrase(after, _ONLY))


def _never_others(p: Parse, i: Position, table: str) -> Found:
    """Like "We do not sell tickets in any currency other than EUR, USD and CHF"."""
    for start in p.seq_ends(i, "we", phrases.NEVER_DO, f"{phrases.DEAL_IN}|accept"):
        if _tell_rows_apart(p, i, start, table):
            continue
        for middle in (start, *(end for end, where in values_of_all.things(p, start, table) if where is None)):
            for after in p.phrase(middle, phrases.WITH_VALUE):
                for end, others in value_lists.one_of_these(p, after, table):
                    if isinstance(others, Not):
                        yield p.note(i, end, "only these"), claims.demand(table, negate(others))
            for end, one_of in (
                *values_of_all.placed(p, middle, table),
                *((end, found) for end, (_, found) in values_of_all.listed(p, middle, table)),
            ):
                yield p.note(i, end, "none of these"), claims.demand(table, negate(one_of))


def _with_these(p: Parse, i: Position, table: str) -> Found:
    """Behind the verb: "to AT and DE", "invoices in EUR", "written and oral exams", "blood and urine"."""
    for end, one_of in values_of_all.placed(p, i, table):
        yield p.note(i, end, "only these"), claims.demand(table, one_of)
    for middle, where in values_of_all.things(p, i, table):
        for end, one_of in values_of_all.placed(p, middle, table):
            yield p.note(i, end, "only these"), claims.demand(table, one_of, where)
    for end, one_of in values_of_all.placed_by_name(p, i, table):
        yield p.note(i, end, "only these"), claims.demand(table, one_of)
    for middle, (_, one_of) in values_of_all.listed(p, i, table):
        yield p.note(i, middle, "only these"), claims.demand(table, one_of)
        for end, where in values_of_all.things(p, middle, table):
            if where is None:
                yield p.note(i, end, "only these"), claims.demand(table, one_of)

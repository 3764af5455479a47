"""What people say they do only: "We only ship to AT and DE", "we only hold written and oral exams"."""

from collections.abc import Iterator

from pandas_magic.constraints.conditions import Condition, Not
from pandas_magic.constraints.expressions import Column
from pandas_magic.planner.rules import claims, phrases, rows, value_lists, values
from pandas_magic.planner.rules import lexicon as words
from pandas_magic.planner.rules.chart import Parse, Position, position
from pandas_magic.planner.rules.logic import among, negate
from pandas_magic.planner.rules.meaning import Claim
from pandas_magic.planner.rules.morphology import name_words
from pandas_magic.planner.rules.telling_verbs import tells_rows_apart

Found = Iterator[tuple[Position, Claim]]
Listed = Iterator[tuple[Position, Condition]]
_ONLY = "only|exclusively|solely"
_WITH = "in|to|by|with|from|at|on|into|via|through|for|as|of|using|between"
# Which of two columns with the same values is meant.
_SIDES = (
    (frozenset(("to", "into")), frozenset(("origin", "from", "source", "sender", "departure", "pickup", "start"))),
    (frozenset(("from",)), frozenset(("destination", "to", "target", "recipient", "arrival", "delivery", "end"))),
)


def done_only(p: Parse, i: Position, table: str) -> Found:
    """Like "We only ship to AT and DE", "we only hold written and oral exams", "exams are only held in A1 and B2"."""
    for start in (*p.seq_ends(i, "we", _ONLY, phrases.DEAL_IN), *p.seq_ends(i, "we", phrases.DEAL_IN, _ONLY)):
        if not _tell_rows_apart(p, i, start, table):
            yield from _with_these(p, start, table)
    for start in p.seq_ends(i, "we", _ONLY, phrases.SEND_TO):
        for end, one_of in _placed(p, position(start - 1, start.trace), table):
            yield p.note(i, end, "only these"), claims.demand(table, one_of)
    yield from _never_others(p, i, table)
    for middle, where in _things(p, i, table):
        for end, one_of in _is_done_only(p, middle, table):
            yield p.note(middle, end, "only these"), claims.demand(table, one_of, where)


def _tell_rows_apart(p: Parse, i: int, end: int, table: str) -> bool:
    return any(tells_rows_apart(p, token, table) for token in p.tokens[i:end])


def _is_done_only(p: Parse, i: Position, table: str) -> Listed:
    """Behind the rows: "may only be sold in EUR", "are only sold in EUR", "are sold in EUR only"."""
    modal = f"{words.MAY}|{words.MUST}"
    ahead = [
        *p.seq_ends(i, modal, _ONLY, "be", phrases.DEAL_IN),
        *p.seq_ends(i, f"?{modal}", "be", _ONLY, phrases.DEAL_IN),
        *p.seq_ends(i, f"?{modal}", "be", phrases.DEAL_IN, _ONLY),
    ]
    for start in ahead:
        yield from _placed(p, start, table) if not _tell_rows_apart(p, i, start, table) else ()
    for start in p.seq_ends(i, f"?{modal}", "be", phrases.DEAL_IN):
        for after, one_of in _placed(p, start, table) if not _tell_rows_apart(p, i, start, table) else ():
            yield from ((end, one_of) for end in p.phrase(after, _ONLY))


def _never_others(p: Parse, i: Position, table: str) -> Found:
    """Like "We do not sell tickets in any currency other than EUR, USD and CHF"."""
    for start in p.seq_ends(i, "we", phrases.NEVER_DO, phrases.DEAL_IN):
        if _tell_rows_apart(p, i, start, table):
            continue
        for middle in (start, *(end for end, where in _things(p, start, table) if where is None)):
            for after in p.phrase(middle, _WITH):
                for end, others in value_lists.one_of_these(p, after, table):
                    if isinstance(others, Not):
                        yield p.note(i, end, "only these"), claims.demand(table, negate(others))


def _with_these(p: Parse, i: Position, table: str) -> Found:
    """Behind the verb: "to AT and DE", "invoices in EUR", "written and oral exams", "blood and urine"."""
    for end, one_of in _placed(p, i, table):
        yield p.note(i, end, "only these"), claims.demand(table, one_of)
    for middle, where in _things(p, i, table):
        for end, one_of in _placed(p, middle, table):
            yield p.note(i, end, "only these"), claims.demand(table, one_of, where)
    for middle, (_, one_of) in _listed(p, i, table):
        yield p.note(i, middle, "only these"), claims.demand(table, one_of)
        for end, where in _things(p, middle, table):
            if where is None:
                yield p.note(i, end, "only these"), claims.demand(table, one_of)


def _things(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition | None]]:
    """The rows, by the table's name or by a word that nothing in the tables is called: "tickets" of bookings."""
    for end, found in rows.subject_rows(p, i):
        if found.table == table:
            yield end, found.where
    token = p.at(i)
    if token is not None and token.kind == "word" and token.text.isalpha() and not token.text.isupper():
        known = p.schema.words() | words.VOCABULARY
        if token.low.endswith("s") and token.forms.isdisjoint(known) and p.target == table:
            yield p.note(i, position(i + 1, i.trace), f'taken to be the rows of "{table}"'), None


def _placed(p: Parse, i: Position, table: str) -> Listed:
    """Like "in EUR, USD or CHF", "to AT and DE"."""
    for start in p.phrase(i, _WITH):
        said = p.tokens[start - 1].low
        for end, (named, one_of) in _listed(p, start, table):
            other_side = any(said in prepositions and named & others for prepositions, others in _SIDES)
            if not other_side:
                yield end, one_of


def _listed(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[frozenset[str], Condition]]]:
    """Values of one column, most of which occur there, and the words of its name."""
    for name in p.schema.tables[table].columns:
        known = set(p.schema.occurring(table, name))
        for end, listed in values.literals(p, i, table, Column(name=name), True) if known else ():
            found = known & set(listed)
            if len(found) == len(listed) or (len(found) > 1 and 2 * len(found) > len(listed)):
                yield end, (frozenset(name_words(name)), among(Column(name=name), listed))

"""Rules said the other way round: "nothing but numbers may be entered as a dose", "not valid unless …".

Also what is left when some values are set aside: "no status except open and closed is allowed".
"""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import claims, clauses, nouns, phrases, prohibitions, references, rows, statements
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.logic import among, both, has_window, negate, without_presence
from pandas_magic.planner.grammar.meaning import Claim, Rows, as_claim
from pandas_magic.planner.grammar.values import value_list

Found = Iterator[tuple[Position, Claim]]
_BAD = f"{words.NOT_ACCEPTED}|{phrases.ALSO_BAD}"
Said = Iterator[tuple[Position, Condition]]
Values = tuple[bool | int | float | str, ...]
_LONGEST_SAID = 18  # tokens between "nothing but" and "may be entered"


def converse(p: Parse, i: Position, table: str) -> Found:
    """The demand that the converse comes to."""
    yield from _valid_on_condition(p, i, table)
    yield from _only_such_values(p, i, table)
    yield from _named_in_front(p, i, table)
    yield from _all_but(p, i, table)
    yield from _verb_first(p, i, table)


def _verb_first(p: Parse, i: Position, table: str) -> Found:
    """Like "Never may the price be below the cost", "in no order shall the price differ from the cost"."""
    for start in p.phrase(i, phrases.NEVER_MAY):
        yield from _never(p, p.note(i, start, "what follows must not be"), table, None)
    for start in p.phrase(i, "in no|for no|on no|with no|at no"):
        for middle, found in rows.plain_rows(p, start):
            for after in p.phrase(middle, "may|can|must|should|shall") if found.table == table else ():
                yield from _never(p, p.note(i, after, "what follows must not be"), table, found.where)


def _never(p: Parse, i: Position, table: str, scope: Condition | None) -> Found:
    for middle, (x, where) in claims.value_subject(p, i, table):
        for end, condition in claims.not_negated(p, middle, clauses.value_phrase(p, middle, table, x, "is")):
            yield end, as_claim(Rows(table, both(scope, where)), condition)
    for middle, found in rows.subject_rows(p, i):
        said = clauses.row_phrase(p, middle, table, "is") if found.table == table else iter(())
        for end, condition in claims.not_negated(p, middle, said):
            yield end, as_claim(Rows(table, both(scope, found.where)), condition)


# ---- not valid unless … ---------------------------------------------------------------------------------------------


def _valid_on_condition(p: Parse, i: Position, table: str) -> Found:
    """Like "A booking is not valid unless its end is later", "no code is valid unless it starts with A"."""
    if not any(token.low in ("unless", "except", "only") for token in p.tokens):
        return
    denied = [(p.note(i, start, "not"), phrases.VALID_UNLESS) for start in p.phrase(i, words.NO)]
    for begin, said in (*denied, (i, phrases.NOT_VALID_UNLESS), (i, phrases.VALID_ONLY_IF)):
        yield from _valid_rows(p, begin, table, said)
        yield from _valid_values(p, begin, table, said)


def _valid_rows(p: Parse, i: Position, table: str, said: str) -> Found:
    for middle, found in rows.subject_rows(p, i):
        for start in p.phrase(middle, said) if found.table == table else ():
            if not _is_a_value(p, middle, start, table):
                for end, needed in statements.condition(p, p.note(middle, start, "this has to be so"), table):
                    yield end, claims.demand(table, needed, found.where)


def _valid_values(p: Parse, i: Position, table: str, said: str) -> Found:
    for middle, (x, where) in claims.value_subject(p, i, table):
        for start in p.phrase(middle, said):
            noted = p.note(middle, start, "this has to be so")
            for verb in p.phrase(noted, "it|they|this|this one"):
                for end, needed in clauses.value_phrase(p, verb, table, x, "is"):
                    yield end, claims.demand(table, without_presence(needed, x), where)


def _is_a_value(p: Parse, i: Position, end: Position, table: str) -> bool:
    """Like "accepted" where orders have a status of that name: then it says which orders."""
    for verb in p.phrase(i, "be|may be|can be|be only|may only be|can only be|be not|can not be|may not be"):
        if verb < end and any(True for _ in rows.adjectives(p, verb, table)):
            return True
    return False


# ---- nothing but … --------------------------------------------------------------------------------------------------


def _only_such_values(p: Parse, i: Position, table: str) -> Found:
    """Like "Nothing but numbers may be entered as dose", "nothing below 1 may stand in the column stars"."""
    for said, denied in ((phrases.NOTHING_BUT, False), (phrases.NOTHING_THAT_IS, True)):
        for start in p.phrase(i, said):
            for begin in (start, *p.phrase(start, phrases.VALUES_SUCH)):
                for place, after in _where_entered(p, begin):
                    yield from _such(p, begin, place, after, table, denied)


def _where_entered(p: Parse, i: Position) -> Iterator[tuple[int, Position]]:
    """Where "may be entered as" begins and ends."""
    for place in range(int(i) + 1, min(int(i) + _LONGEST_SAID, len(p.tokens))):
        yield from ((place, after) for after in p.phrase(position(place, i.trace), phrases.MAY_BE_ENTERED_AS))


def _such(p: Parse, i: Position, place: int, after: Position, table: str, denied: bool) -> Found:
    """The column behind `after` whose values are as said from `i` up to `place`."""
    for end, x in nouns.own_column(p, after, table):
        for last, condition in said_of(p, i, table, x):
            if int(last) == place and not has_window(condition):
                wanted = negate(condition) if denied else condition
                for final in (end, *nouns.of_this_row(p, end, table)):
                    noted = p.note(i, last, f"what {'no' if denied else 'each'} value is")
                    yield p.note(noted, final, "the column"), claims.demand(table, without_presence(wanted, x))


def said_of(p: Parse, i: Position, table: str, x: Expression) -> Said:
    """What narrows a value down, behind its name or before it: "above 5", "that are positive", "from our list"."""
    for start in (i, *p.phrase(i, "of|with|that be|which be|being")):
        yield from ((end, condition) for end, (condition, _) in clauses.qualities_of(p, start, table, x))
        yield from ((end, among(x, listed)) for end, listed in value_list(p, start, table, x, True))
    for start in p.phrase(i, words.RELATIVE):
        yield from clauses.value_phrase(p, start, table, x, "is")
    for start in p.phrase(i, phrases.OUT_OF_A_LIST) if isinstance(x, Column) else ():
        for end, (there, key, where) in references.elsewhere(p, start, table, x) if isinstance(x, Column) else ():
            if there != table:
                yield p.note(i, end, f"a value of {there}.{key}"), references.known(x, there, key, where, table=table)


def _named_in_front(p: Parse, i: Position, table: str) -> Found:
    """Like "Only emails that end in .edu may be used for students", "only notes of up to 50 characters are allowed"."""
    for start in p.phrase(i, phrases.ONLY_SUCH):
        for after, condition in prohibitions.adjective_and_column(p, start, table):
            for end in p.phrase(after, phrases.MAY_BE_ENTERED) if not has_window(condition) else ():
                for last in (end, *_in_these_rows(p, end, table)):
                    yield p.note(i, last, "each is so"), claims.demand(table, condition)
        for middle, x in nouns.own_column(p, start, table):
            if not isinstance(x, Column):
                continue
            for after, condition in said_of(p, middle, table, x):
                for end in p.phrase(after, phrases.MAY_BE_ENTERED) if not has_window(condition) else ():
                    for last in (end, *_in_these_rows(p, end, table)):
                        noted = p.note(i, last, f"each {x.name} is so")
                        yield noted, claims.demand(table, without_presence(condition, x))


def _in_these_rows(p: Parse, i: Position, table: str) -> Iterator[Position]:
    for start in p.phrase(i, "in|on|for|with|by|of|among|to|at"):
        for after in (start, *p.phrase(start, nouns.DETERMINER)):
            yield from (end for end, noun in nouns.table_noun(p, after) if noun == table)


# ---- all but some ---------------------------------------------------------------------------------------------------


def _all_but(p: Parse, i: Position, table: str) -> Found:
    """Like "Except for single and double, no room type is allowed", "every name is fine except TEST"."""
    for start in p.phrase(i, phrases.EXCEPT_THESE):
        yield from _none_but(p, start, table)
    for start in p.phrase(i, words.NO):
        for middle, x in _column_in(p, start, table):
            for last, listed in _excepted(p, middle, table, x):
                for end in p.phrase(last, f"{phrases.MAY_BE_ENTERED}|be there|exist"):
                    yield from _within(p, i, end, table, among(x, listed))
        yield from _rows_with_none_but(p, start, table)
    for start in p.phrase(i, "every|any|each|all"):
        for middle, x in nouns.own_column(p, start, table):
            yield from _fine_but(p, i, middle, table, x)
            for last, listed in _excepted(p, middle, table, x):
                for end in p.seq_ends(last, phrases.TO_BE_BAD, _BAD):
                    yield from _within(p, i, end, table, among(x, listed))


def _fine_but(p: Parse, i: Position, verb: Position, table: str, x: Expression) -> Found:
    """Behind "every name": "is fine for a guest except TEST"."""
    for after in p.phrase(verb, phrases.BE_FINE_OR_ALLOWED):
        for begin in (after, *_in_these_rows(p, after, table)):
            for end, listed in _excepted(p, begin, table, x):
                yield p.note(i, end, "none of these"), claims.demand(table, negate(among(x, listed)))


def _column_in(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "status", "other status", "value of status"."""
    for start in (i, *p.phrase(i, "other|further")):
        for end, x in nouns.own_column(p, start, table):
            yield from ((last, x) for last in (end, *nouns.of_this_row(p, end, table)))


def _excepted(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, Values]]:
    """Like "except open and closed", "other than the values 1 and 2"."""
    for start in p.phrase(i, phrases.EXCEPT_THESE):
        yield from _values(p, start, table, x)


def _values(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, Values]]:
    for start in (i, *p.phrase(i, "the values|the value|for|one of|in")):
        yield from value_list(p, start, table, x, True)


def _none_but(p: Parse, i: Position, table: str) -> Found:
    """Behind "except for": "single and double, no room type is allowed"."""
    for place in range(int(i) + 1, min(int(i) + _LONGEST_SAID, len(p.tokens))):
        for start in p.seq_ends(position(place, i.trace), "?,", words.NO, "?other"):
            for middle, x in nouns.own_column(p, start, table):
                for last, listed in _values(p, i, table, x):
                    for end in p.phrase(middle, phrases.MAY_BE_ENTERED) if int(last) == place else ():
                        yield from _within(p, i, end, table, among(x, listed))


def _rows_with_none_but(p: Parse, i: Position, table: str) -> Found:
    """Behind "no": "visit may have a status except open and closed"."""
    for middle, found in rows.subject_rows(p, i):
        if found.table != table:
            continue
        for start in p.seq_ends(middle, words.MAY, words.HAVE, "?a|an|any|any other"):
            for after, x in nouns.own_column(p, start, table):
                for end, listed in _excepted(p, after, table, x):
                    yield p.note(i, end, "one of these"), claims.demand(table, among(x, listed), found.where)


def _within(p: Parse, i: Position, end: Position, table: str, condition: Condition) -> Found:
    for last in (end, *_in_these_rows(p, end, table)):
        yield p.note(i, last, "one of these"), claims.demand(table, condition)

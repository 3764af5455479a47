"""Words that say which column is compared: "younger than 13", "cheaper than 5 EUR", "older than 30 days"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import MIRRORED, Compare, Condition, Relation
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Expression, Now, Span, Value
from pandas_magic.planner.grammar import comparisons, moments, nouns, phrases
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.aliases import event_verbs
from pandas_magic.planner.grammar.beginnings import BEGINNINGS
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import any_of, both
from pandas_magic.planner.grammar.meaning import compare
from pandas_magic.planner.grammar.morphology import last_word, name_words
from pandas_magic.planner.grammar.naming import MAKING, PEOPLE
from pandas_magic.planner.grammar.unit_prices import counted_beside
from pandas_magic.planner.grammar.values import number, span

_OF_SOMETHING_ELSE = ("fee", "charge")
# "Overtime pay" is not what a person earns.
_ONLY_A_PART = frozenset(("overtime", "holiday", "sick", "bonus", "extra", "refund", "refunded", "tax"))
Found = Iterator[tuple[Position, Condition]]
_COMES_TO_BE = (
    "signup", "join", "enrol", "subscribe", "launch", "introduce", "install", "commission", "build", "found", "produce",
    "manufacture", "construct", "print", "establish",
)  # fmt: skip
_BEHIND_AN_AGE = (".", "!", ";", "to")


@rule
def row_comparative(p: Parse, i: Position, table: str) -> Found:
    """Like "Younger than 13", "older than 30 days", "cheaper than 5 EUR": the word says which column is compared."""
    for said, (relation, names) in words.COMPARATIVES.items():
        for middle in p.phrase(i, f"{said} than"):
            noted = p.note(i, middle, f"{relation} of {names[0]}")
            for column in named_one_of(p, table, names):
                yield from _years_old(p, comparisons.compared(p, noted, table, column, relation))
            if names == ("age",):
                yield from _by_birth(p, noted, table, relation)
                yield from _by_row_date(p, i, table)
    for end, condition in _by_row_date(p, i, table):
        if p.tokens[end - 1].low == "old":  # "at most 30 days old"
            yield end, condition
    yield from _past_a_number(p, i, table)
    yield from _by_a_date(p, i, table)
    yield from _aged(p, i, table)
    yield from _years_since_birth(p, i, table)
    if _behind_noun(p, i, table):
        yield from _under_age(p, i, table)


def _past_a_number(p: Parse, i: Position, table: str) -> Found:
    """Like "past semester 8", "above level 3": the column stands between the comparison and its number."""
    sides: tuple[tuple[str, Relation], ...] = (("past|beyond|above|over", ">"), ("below|under", "<"))
    for said, relation in sides:
        for start in p.phrase(i, said):
            for middle, column in nouns.named_column(p, start, table):
                if p.schema.kind(table, column) in ("integer", "number"):
                    for end, limit in number(p, middle):
                        found = Compare(relation=relation, left=Column(name=column), right=Value(value=limit))
                        yield p.note(i, end, f"{relation} {limit}"), found


def _under_age(p: Parse, i: Position, table: str) -> Found:
    """Like "under 18" behind "students"."""
    sides: tuple[tuple[str, Relation], ...] = (
        ("under|below|aged under|aged below", "<"),
        ("over|above|aged over|aged above", ">"),
    )
    for said, relation in sides:
        for start in p.phrase(i, said):
            for column in named_one_of(p, table, ("age",)):
                yield from _years_old(
                    p, comparisons.compared(p, p.note(i, start, "of the age"), table, column, relation)
                )
            yield from _years_old(p, _by_birth(p, p.note(i, start, "of the age"), table, relation))


def _by_a_date(p: Parse, i: Position, table: str) -> Found:
    """Like "older than four years (by registration date)"."""
    sides: tuple[tuple[str, Relation], ...] = (("older than", "<"), ("younger than|newer than", ">"))
    for said, relation in sides:
        for end, (length, date) in p.seq(
            i,
            said,
            span,
            phrases.BY_A_DATE,
            lambda p, i: nouns.own_column(p, i, table),
        ):
            found = compare(p.schema, table, date, relation, Arithmetic(sign="-", left=Now(), right=length))
            if found is not None:
                noted = p.note(i, end, f"{date.name} {relation} that long before the run")
                yield from ((last, found) for last in (noted, *p.phrase(noted, ")")))


def _years_old(p: Parse, found: Found) -> Found:
    for end, condition in found:
        yield end, condition
        yield from ((last, condition) for last in p.phrase(end, words.AGE_WORDS + "|old|today|now"))


def _aged(p: Parse, i: Position, table: str) -> Found:
    """Like "at least 18 years old", "18 or older"."""
    for column in named_one_of(p, table, ("age",)):
        for middle, condition in _limits(p, i, table, column):
            for end in p.phrase(middle, words.AGE_WORDS):
                yield p.note(middle, end, "of the age"), condition
        for end, (years,) in p.seq(i, number, f"?{words.AGE_WORDS}", "or older|or above"):
            yield p.note(i, end, "of the age"), Compare(relation=">=", left=column, right=Value(value=years))


def _limits(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "at least 18", "at least 18 and no more than 65", "under 18 or over 65"."""
    for end, first in comparisons.comparison(p, i, table, x):
        yield end, first
        for joint, said in (("and", "and|, and|but|, but|and also"), ("or", "or|, or")):
            for middle in p.phrase(end, said):
                for last, second in comparisons.comparison(p, middle, table, x):
                    joined = both(first, second) if joint == "and" else any_of(first, second)
                    assert joined is not None
                    yield last, joined


def _years_since_birth(p: Parse, i: Position, table: str) -> Found:
    """Like "at least 18 years old", "16 or older", where the table has a date of birth and no age."""
    if p.schema.called(table, ("age",)):
        return
    for column in named_one_of(p, table, ("birth date",)):
        for relation, said in comparisons.RELATIONS[:4]:
            for end, (years,) in p.seq(i, said, number, words.AGE_WORDS, "?today|now|right now|at the moment"):
                yield p.note(i, end, "of the age"), _born(column, relation, years)
            for end, (years,) in p.seq(i, said, number) if last_word(table) in PEOPLE else ():
                after = p.at(end)  # "be at least 12" of somebody
                if p.tokens[i - 1].low in ("be", "been") and (after is None or after.low in _BEHIND_AN_AGE):
                    yield p.note(i, end, "of the age"), _born(column, relation, years)
        for end, (young, old) in p.seq(
            i,
            "between|from|at least",
            number,
            "and at most|and no more than|and not more than|and|to",
            number,
            words.AGE_WORDS,
        ):
            both_ends = both(_born(column, ">=", young), _born(column, "<=", old))
            if both_ends is not None and young < old and (p.tokens[i].low != "at") == _is_a_range(p, i, end):
                yield p.note(i, end, "of the age"), both_ends
        for end, (years,) in p.seq(i, number, f"?{words.AGE_WORDS}", "or older|or above|or more", "?today|now"):
            yield p.note(i, end, "of the age"), _born(column, ">=", years)


def _is_a_range(p: Parse, i: Position, end: Position) -> bool:
    """Two numbers with nothing but "and" or "to" between."""
    return not any(token.low in ("most", "more") for token in p.tokens[i:end])


def _born(column: Expression, age: Relation, years: float) -> Condition:
    """Born that many years before the run, the other way round: who is older was born earlier."""
    limit = Arithmetic(sign="-", left=Now(), right=Span(amount=years, unit="years"))
    return Compare(relation=MIRRORED[age], left=column, right=limit)


def _behind_noun(p: Parse, i: Position, table: str) -> bool:
    before = p.tokens[i - 1] if i else None
    people = ("nobody", "one", "anybody", "anyone", "somebody", "someone") if last_word(table) in PEOPLE else ()
    of_rows = (name_words(table), name_words(table)[-1:])
    return before is not None and (name_words(before.text) in of_rows or before.low in people)


def _by_row_date(p: Parse, i: Position, table: str) -> Found:
    """Like "Older than 365 days", where nothing has an age: the date of the row itself is that long ago."""
    begun = p.schema.first_date(table)
    is_made = begun is not None and not event_verbs(begun).isdisjoint((*MAKING, *BEGINNINGS, "depart", *_COMES_TO_BE))
    date = p.schema.principal_date(table) or (begun if is_made else None)
    if date is not None and not p.schema.called(table, ("age",)) and not named_one_of(p, table, ("birth date",)):
        for end, condition in moments.age_of_date(p, i, Column(name=date)):
            # Nobody is as old as their account.
            in_years = any("year" in token.forms or "month" in token.forms for token in p.tokens[i:end])
            if last_word(table) not in PEOPLE or not in_years:
                yield end, condition


def _by_birth(p: Parse, i: Position, table: str, relation: str) -> Found:
    if p.schema.called(table, ("age",)):
        return
    for column in named_one_of(p, table, ("birth date",)):
        lengths = [*span(p, i), *((end, Span(amount=years, unit="years")) for end, years in number(p, i))]
        for end, length in lengths:
            limit = Arithmetic(sign="-", left=Now(), right=length)
            found = compare(p.schema, table, column, ">" if relation == "<" else "<", limit)
            after = p.at(end)
            if found and (after is None or not after.forms & set(words.TIME_UNITS) or length.unit != "years"):
                yield end, found


def named_one_of(p: Parse, table: str, names: tuple[str, ...]) -> list[Expression]:
    """The column that the first of the names names; several when that is open, none when there is none.

    By a part of its name only where no other has the whole one; a shipping fee is not what an order costs.
    """
    for partly in (False, True):
        for name in names:
            said = tuple(name.split())
            if p.schema.is_part(table, said) == partly and not (partly and name in _OF_SOMETHING_ELSE):
                parts = _ONLY_A_PART.difference(said)
                found = [column for column in p.schema.called(table, said) if parts.isdisjoint(name_words(column))]
                found = [column for column in found if not _is_of_one(p, table, column)]
                if found:
                    return [Column(name=column) for column in found]
    return []


def _is_of_one(p: Parse, table: str, column: str) -> bool:
    """A unit_price beside a quantity: what the row costs is another thing."""
    counted = counted_beside(p.schema, table, column)
    if counted is not None:
        p.refuse(f'what one costs, or all of "{counted}"? Write "{column} …" for one')
    return counted is not None


@rule
def row_comparative_list(p: Parse, i: Position, table: str) -> Found:
    """Like "Younger than 13 or older than 120"."""
    for end, first in row_comparative(p, i, table):
        yield end, first
        for middle in p.phrase(end, "or"):
            for last, second in row_comparative_list(p, middle, table):
                yield last, any_of(first, second)

"""What stands behind a noun for rows and narrows them down: "with …", "from banned users", "older than …"."""

from collections.abc import Iterator

from pandas_magic.constraints.conditions import Compare, Condition, Exists, Present, Relation
from pandas_magic.constraints.expressions import Arithmetic, Column, Expression, Now, Span, Value
from pandas_magic.planner.rules import (
    clauses,
    comparisons,
    events,
    moments,
    nouns,
    phrases,
    possession,
    rows,
    statements,
)
from pandas_magic.planner.rules import lexicon as words
from pandas_magic.planner.rules.chart import Parse, Position, rule
from pandas_magic.planner.rules.logic import among, any_of, both, negate
from pandas_magic.planner.rules.meaning import compare
from pandas_magic.planner.rules.morphology import NOMINAL, name_words, word_forms
from pandas_magic.planner.rules.schema import KEY_ENDINGS, Link, event_verbs
from pandas_magic.planner.rules.values import literals, number, span

Found = Iterator[tuple[Position, Condition]]
_TENSES: tuple[tuple[str, Relation], ...] = (("in the future|in future", ">"), ("in the past|in past", "<"))
_LONGER: tuple[tuple[str, Relation], ...] = (("longer than", ">"), ("shorter than", "<"))


@rule
def modifier(p: Parse, i: Position, table: str) -> Found:
    """One phrase behind the noun that narrows the rows down."""
    for start in p.phrase(i, words.RELATIVE):
        yield from clauses.row_phrase(p, start, table, "is")
    for start in p.phrase(i, "whose|of which|with the|of which the"):
        yield from statements.whose_condition(p, start, table)
    for start in p.phrase(i, "where|for which|in which|when|such that|if"):
        yield from statements.condition(p, start, table)
    yield from _with_or_without(p, i, table)
    yield from _of_amount(p, i, table)
    yield from row_comparative(p, i, table)
    yield from dated(p, i, table)
    yield from measured_by_verb(p, i, table)
    for start in (i, *p.phrase(i, "be|being")):
        yield from events.event_predicate(p, start, table, True)


def _with_or_without(p: Parse, i: Position, table: str) -> Found:
    for start in p.phrase(i, phrases.WITH):
        yield from possession.had(p, start, table)
    for start in p.phrase(i, "without|lacking|, without"):
        for end, condition in possession.had(p, start, table):
            yield end, negate(condition)
    for start in p.phrase(i, phrases.IN_A_VALUE):
        yield from in_value(p, start, table)
    for start in p.phrase(i, phrases.OF_A_PARENT):
        yield from of_parent(p, start, table)
    for start in p.phrase(i, phrases.REFERRING_TO):
        yield from of_unknown(p, start, table)


def _compared_number(p: Parse, i: Position) -> Iterator[tuple[Position, tuple[Relation, Value]]]:
    for relation, said in comparisons.RELATIONS:
        for end, (found,) in p.seq(i, said, number):
            yield end, (relation, Value(value=found))


def _of_amount(p: Parse, i: Position, table: str) -> Found:
    """Like "(payments) above 1000 EUR" where the table has an amount."""
    amounts = p.schema.called(table, ("amount",))
    counts = p.schema.called(table, ("quantity",))
    if len(counts) == 1:
        for end, ((judged, value),) in p.seq(i, "of|with", _compared_number, "unit|piece|item"):
            yield p.note(i, end, f"of {counts[0]}"), Compare(relation=judged, left=Column(name=counts[0]), right=value)
    sides: tuple[tuple[str, Relation], ...] = (("over|above|exceeding|in excess of", ">"), ("under|below", "<"))
    for relation_words, relation in sides if len(amounts) == 1 and not p.schema.is_part(table, ("amount",)) else ():
        for start in p.phrase(i, relation_words):
            noted = p.note(i, start, f"of {amounts[0]}")
            for end, condition in comparisons.compared(p, noted, table, Column(name=amounts[0]), relation):
                if isinstance(condition, Compare) and isinstance(condition.right, Value):
                    yield end, condition


@rule
def in_value(p: Parse, i: Position, table: str) -> Found:
    """Values that occur in one of the table's columns: "in EUR or USD", "of type refund"."""
    token = p.at(i)
    if token is None:
        return
    for column in p.schema.tables[table].columns:
        of = Column(name=column)
        known = set(p.schema.occurring(table, column))
        for start in (i, *p.phrase(i, "the|a|an")) if known else ():
            for end, listed in literals(p, start, table, of, False):
                if known.issuperset(listed):
                    yield end, among(of, listed)
                    yield from ((last, among(of, listed)) for last in _named(p, end, table, column))
        for middle in (*_named(p, i, table, column), *(_named_without_ending(p, i, column) if known else ())):
            yield from ((end, among(of, listed)) for end, listed in literals(p, middle, table, of, False))


def _named_without_ending(p: Parse, i: Position, column: str) -> Iterator[Position]:
    """Like "ward" before a value of ward_code, whatever else is called a ward."""
    name = name_words(column)
    if len(name) > 1 and name[-1] in KEY_ENDINGS:
        for end, spoken in nouns.spans(p, i):
            if spoken == name[:-1]:
                yield p.note(i, end, f'the column "{column}"')


def _named(p: Parse, i: Position, table: str, column: str) -> Iterator[Position]:
    return (end for end, name in nouns.named_column(p, i, table) if name == column)


@rule
def of_parent(p: Parse, i: Position, table: str) -> Found:
    """What is said of the row referred to: "from banned users", "of users in Germany"."""
    for end, found in rows.rows(p, i):
        for link in p.schema.links_to(table, found.table):
            if found.where is not None:
                yield end, belongs(link, found.where)
        if found.where is not None and not p.schema.links_to(table, found.table) and found.table != table:
            for near in p.schema.links(table):
                for far in p.schema.links_to(near.parent, found.table):
                    yield p.note(i, end, f"by way of {near.parent}"), belongs(near, belongs(far, found.where))


def belongs(link: Link, where: Condition) -> Condition:
    """The row refers to one in which `where` is true."""
    return Exists(of=(Column(name=link.column),), table=link.parent, keys=(link.key,), where=where)


@rule
def of_unknown(p: Parse, i: Position, table: str) -> Found:
    """Like "From an unknown user": refers to a row that there is not."""
    for start in (i, *p.phrase(i, "a|an|any")):
        for middle in p.phrase(start, words.UNKNOWN):
            for end, link in nouns.parent(p, middle, table):
                yield p.note(i, end, f"not in {link.parent}"), dangling(link)
        for middle, link in nouns.parent(p, start, table):
            for end in p.phrase(middle, phrases.THAT_IS_NOT_THERE):
                yield p.note(middle, end, f"not in {link.parent}"), dangling(link)


def dangling(link: Link) -> Condition:
    """The row refers to one that there is not."""
    column = Column(name=link.column)
    known = Exists(of=(column,), table=link.parent, keys=(link.key,))
    joined = both(Present(of=column), negate(known))
    assert joined is not None
    return joined


@rule
def dated(p: Parse, i: Position, table: str) -> Found:
    """Like "From the last 30 days", "in the future", "of 2024": about the date of the row itself."""
    begun = p.schema.first_date(table)
    for relation, said in comparisons.DATE_RELATIONS[:2] if begun is not None else ():
        for start in p.phrase(i, said):
            noted = p.note(i, start, f"{begun} {relation}")
            yield from comparisons.compared(p, noted, table, Column(name=str(begun)), relation)
    date = p.schema.principal_date(table)
    if date is None:
        return
    column = Column(name=date)
    for start in (i, *p.phrase(i, "dated")):
        yield from moments.placed_in_time(p, start, column)
    for said, relation in _TENSES:
        for end in p.phrase(i, said):
            yield (
                p.note(i, end, f"{date} {relation} the time of the run"),
                Compare(relation=relation, left=column, right=Now()),
            )
    for start in p.phrase(i, "dated"):
        yield from comparisons.comparison(p, start, table, column)
        for end in p.phrase(start, words.IN_FUTURE):
            yield (
                p.note(start, end, f"{date} after the time of the run"),
                Compare(relation=">", left=column, right=Now()),
            )


@rule
def measured_by_verb(p: Parse, i: Position, table: str) -> Found:
    """Like "Weigh less than 50 kg", "lasting longer than an hour": the verb says which column is compared."""
    yield from _lasting(p, i, table)
    yield from _so_many(p, i, table)
    for verb, names in words.COLUMN_VERBS.items():
        for middle in p.phrase(i, verb):
            for column in named_one_of(p, table, names):
                noted = p.note(i, middle, f"the {names[0]}")
                yield from comparisons.comparison(p, noted, table, column)
                for start in p.phrase(noted, "longer than"):
                    yield from comparisons.compared(p, start, table, column, ">")
                for start in p.phrase(noted, "shorter than"):
                    yield from comparisons.compared(p, start, table, column, "<")


def _so_many(p: Parse, i: Position, table: str) -> Found:
    """Like "work fewer than 35 weekly hours", "drive at most 500 km": the column of what is counted."""
    for start in p.phrase(i, phrases.COUNTED_BY):
        for place in range(int(start) + 1, min(int(start) + 7, len(p.tokens))):
            for end, name in nouns.named_column(p, Position(place), table):
                if p.schema.kind(table, name) in ("integer", "number"):
                    for middle, condition in comparisons.comparison(p, start, table, Column(name=name)):
                        if int(middle) == place:
                            yield p.note(start, end, f"of {name}"), condition


def done_by_value(p: Parse, i: Position, table: str) -> Found:
    """Like "paid by card" for payment_method, "stored in the fridge" for storage: the verb names the column."""
    for start in (i, *p.phrase(i, "be|get|have been|be being")):
        token = p.at(start)
        if token is None or token.kind != "word":
            continue
        for column, texts in p.schema.tables[table].values.items():
            if texts and p.schema.kind(table, column) == "text" and token.forms & named_by_verb(column):
                noted = p.note(start, start + 1, f'the column "{column}"')
                for after in p.phrase(noted, "in|at|by|via|with|on|through|as|from|to|into|using"):
                    for begin in (after, *p.phrase(after, words.ARTICLE)):
                        for end, listed in literals(p, begin, table, Column(name=column), False):
                            yield end, among(Column(name=column), listed)


def named_by_verb(column: str) -> frozenset[str]:
    """The verbs behind the first word of a name: "pay" for payment_method, "store" for storage."""
    first = name_words(column)[0]
    return word_forms(NOMINAL.get(first, first)) - {first} | {NOMINAL.get(first, first)}


_TIMES_BEHIND: tuple[tuple[Relation, str], ...] = (
    ("<=", "time at most|time or less|time at the most"),
    (">=", "time or more|time at least"),
)


def so_many_times(p: Parse, i: Position, table: str) -> Found:
    """Like "be renewed three times at most" for renewals."""
    for start in (i, *p.phrase(i, "be|get|have been|be being")):
        token = p.at(start)
        for column in p.schema.tables[table].columns if token is not None and token.kind == "word" else ():
            if p.schema.kind(table, column) not in ("integer", "number") or not token.forms & counted_verbs(column):  # type: ignore[union-attr]
                continue
            count = Column(name=column)
            noted = p.note(start, start + 1, f'the column "{column}"')
            for middle, condition in comparisons.comparison(p, noted, table, count):
                for end in p.phrase(middle, "time"):
                    yield p.note(middle, end, "so many times"), condition
            for middle, times in number(p, noted):
                for relation, said in (
                    ("<=", "time at most|time or less|time at the most"),
                    (">=", "time or more|time at least"),
                ):
                    for end in p.phrase(middle, said):
                        yield (
                            p.note(middle, end, relation),
                            Compare(relation=relation, left=count, right=Value(value=times)),
                        )


def counted_verbs(column: str) -> frozenset[str]:
    """The verbs of what a column counts: "renew" for renewals and renewal_count."""
    name = [word for word in name_words(column) if word not in ("count", "cnt", "number", "num", "no", "total")]
    if len(name) != 1:
        return frozenset()
    return frozenset((NOMINAL.get(name[0], name[0]),))


def _lasting(p: Parse, i: Position, table: str) -> Found:
    """Like "last longer than 30 days", from the only date of a start to the only date of an end."""
    yield from _from_to(p, i, table)
    begun, ended = (
        [date for date in p.schema.dates(table) if event_verbs(date) & set(said)]
        for said in (words.BEGINNINGS, words.ENDINGS)
    )
    if named_one_of(p, table, words.COLUMN_VERBS["last"]) or len(begun) != 1 or len(ended) != 1 or begun == ended:
        return
    length = Arithmetic(sign="-", left=Column(name=ended[0]), right=Column(name=begun[0]))
    for start in p.phrase(
        i, "last|last for|take|run|run for|stay|stay for|go on for|be valid for|continue for|extend over"
    ):
        noted = p.note(i, start, f"from {begun[0]} to {ended[0]}")
        yield from comparisons.comparison(p, noted, table, length)
        for said, relation in _LONGER:
            for middle in p.phrase(noted, said):
                yield from comparisons.compared(p, middle, table, length, relation)


def _from_to(p: Parse, i: Position, table: str) -> Found:
    """Like "take more than 5 days from order date to shipping date"."""
    sides = (*comparisons.RELATIONS[:4], *((relation, said) for said, relation in _LONGER))
    for start in p.phrase(i, "last|take|be|stay|run|remain"):
        for relation, said in sides:
            for end, (length, begun, ended) in p.seq(
                start,
                said,
                span,
                "from|between|( from|(",
                lambda p, i: nouns.own_column(p, i, table),
                "to|and|until|till",
                lambda p, i: nouns.own_column(p, i, table),
            ):
                if {p.schema.kind(table, of.name) for of in (begun, ended)} == {"datetime"} and begun != ended:
                    lasted = Arithmetic(sign="-", left=ended, right=begun)
                    found = compare(p.schema, table, lasted, relation, length)
                    if found is not None:
                        noted = p.note(i, end, f"{relation} from {begun.name} to {ended.name}")
                        yield from ((last, found) for last in (noted, *p.phrase(noted, ")")))


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
    yield from _by_a_date(p, i, table)
    yield from _aged(p, i, table)
    yield from _years_since_birth(p, i, table)
    if _behind_noun(p, i, table):
        yield from _under_age(p, i, table)


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
        yield from ((last, condition) for last in p.phrase(end, words.AGE_WORDS + "|old"))


def _aged(p: Parse, i: Position, table: str) -> Found:
    """Like "at least 18 years old", "18 or older"."""
    for column in named_one_of(p, table, ("age",)):
        for middle, condition in comparisons.comparison(p, i, table, column):
            for end in p.phrase(middle, words.AGE_WORDS):
                yield p.note(middle, end, "of the age"), condition
        for end, (years,) in p.seq(i, number, f"?{words.AGE_WORDS}", "or older|or above"):
            yield p.note(i, end, "of the age"), Compare(relation=">=", left=column, right=Value(value=years))


def _years_since_birth(p: Parse, i: Position, table: str) -> Found:
    """Like "at least 18 years old", "16 or older", where the table has a date of birth and no age."""
    if p.schema.called(table, ("age",)):
        return
    for column in named_one_of(p, table, ("birth date",)):
        for relation, said in comparisons.RELATIONS[:4]:
            for end, (years,) in p.seq(i, said, number, words.AGE_WORDS):
                yield p.note(i, end, "of the age"), _born(column, relation, years)
        for end, (years,) in p.seq(i, number, f"?{words.AGE_WORDS}", "or older|or above|or more"):
            yield p.note(i, end, "of the age"), _born(column, ">=", years)


def _born(column: Expression, age: Relation, years: float) -> Condition:
    """Born that many years before the run, the other way round: who is older was born earlier."""
    mirrored: dict[Relation, Relation] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
    limit = Arithmetic(sign="-", left=Now(), right=Span(amount=years, unit="years"))
    return Compare(relation=mirrored[age], left=column, right=limit)


def _behind_noun(p: Parse, i: Position, table: str) -> bool:
    before = p.tokens[i - 1] if i else None
    return before is not None and name_words(before.text) in (
        name_words(table),
        name_words(table)[-1:],
    )


def _by_row_date(p: Parse, i: Position, table: str) -> Found:
    """Like "Older than 365 days", where nothing has an age: the date of the row itself is that long ago."""
    date = p.schema.principal_date(table)
    if date is not None and not p.schema.called(table, ("age",)) and not named_one_of(p, table, ("birth date",)):
        yield from moments.age_of_date(p, i, Column(name=date))


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
    """The column that the first of the names names; several when that is open, none when there is none."""
    for name in names:
        found = p.schema.called(table, tuple(name.split()))
        if found:
            return [Column(name=column) for column in found]
    return []


@rule
def row_comparative_list(p: Parse, i: Position, table: str) -> Found:
    """Like "Younger than 13 or older than 120"."""
    for end, first in row_comparative(p, i, table):
        yield end, first
        for middle in p.phrase(end, "or"):
            for last, second in row_comparative_list(p, middle, table):
                yield last, any_of(first, second)

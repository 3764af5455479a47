"""Comparisons of one value with another: numbers, dates, lengths of time, ranges and tolerances."""

from collections.abc import Callable, Iterator

from pandas_magic.constraints.algebra.conditions import All, Compare, Condition, Parses, Relation
from pandas_magic.constraints.algebra.expressions import (
    Column,
    DatePart,
    Expression,
    Lookup,
    Now,
    TextLength,
    Value,
)
from pandas_magic.planner.grammar import (
    arithmetic,
    bounds,
    contrasts,
    deviations,
    far_off,
    margins,
    moments,
    nouns,
    occasions,
    own_comparatives,
    parent_ranges,
    phrases,
    spoken_of,
    typical_values,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, position, rule
from pandas_magic.planner.grammar.logic import among, both, negate
from pandas_magic.planner.grammar.meaning import comparable, compare, join_along, kind_of_expression
from pandas_magic.planner.grammar.measures import measured
from pandas_magic.planner.grammar.morphology import last_word, name_words
from pandas_magic.planner.grammar.values import literal, moment, number, span, value_list

Found = Iterator[tuple[Position, Condition]]
RELATIONS: tuple[tuple[Relation, str], ...] = (
    ("<", words.LESS),
    (">", words.GREATER),
    (">=", f"{words.AT_LEAST}|{phrases.AT_OR_ABOVE}"),
    ("<=", f"{words.AT_MOST}|{phrases.AT_OR_BELOW}"),
    ("==", words.EQUAL),
    ("!=", f"{words.UNEQUAL}|{phrases.MORE_OR_LESS}|{phrases.ALSO_UNEQUAL}"),
)
DATE_RELATIONS: tuple[tuple[Relation, str], ...] = (
    ("<", f"{words.BEFORE}|{phrases.PRECEDING}|{phrases.ALSO_BEFORE}"),
    (">", f"{words.AFTER}|{phrases.FOLLOWING}|{phrases.ALSO_AFTER}"),
    ("<=", f"{words.NOT_AFTER}|{phrases.ALSO_NOT_AFTER}"),
    (">=", f"{words.NOT_BEFORE}|{phrases.ALSO_NOT_BEFORE}"),
)


@rule
def comparison(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Said of `x`: "at least 5", "before the ship date", "between 1 and 100", "within the last 30 days"."""
    kind = kind_of_expression(p.schema, table, x)
    for relation, said in (*RELATIONS, *(DATE_RELATIONS if kind == "datetime" or _tells_an_hour(x) else ())):
        for start in p.phrase(i, said):
            noted = p.note(i, start, relation)
            yield from compared(p, noted, table, x, relation)
            yield from _compared_with_several(p, noted, table, x, relation)
            if relation == "!=":
                yield from _other_than(p, noted, table, x)
            if p.tokens[start - 1].text in ("=", "=="):
                yield from one_of_several(p, noted, table, x)
    for start in p.phrase(i, phrases.NONE_OF) if kind == "text" else ():
        yield from _other_than(p, p.note(i, start, "!="), table, x)
    if isinstance(x, Column) and p.schema.is_year(table, x.name):
        yield from _in_years(p, i, table, x)
    yield from between(p, i, table, x)
    yield from _or_more(p, i, table, x)
    yield from _outside(p, i, table, x)
    for start in p.phrase(i, phrases.A_NUMBER):
        yield from between(p, start, table, x)
    yield from own_comparatives.compared(p, i, table, x)
    yield from margins.by_a_margin(p, i, table, x)
    yield from _whole_between(p, i, table, x)
    yield from margins.symmetric_tolerance(p, i, table, x)
    yield from far_off.far_off(p, i, table, x)
    yield from _within_a_limit(p, i, table, x)
    yield from deviations.near_the_mean(p, i, table, x)
    if kind == "datetime":
        yield from moments.of_date(p, i, table, x)
        yield from moments.age_of_date(p, i, x)


def _tells_an_hour(x: Expression) -> bool:
    """Like closes_at_hour, which can be later than opens_at_hour."""
    return isinstance(x, Column) and len(name_words(x.name)) > 1 and last_word(x.name) == "hour"


@rule
def compared(p: Parse, i: Position, table: str, x: Expression, relation: Relation) -> Found:
    """The comparison with the operand that stands at `i`, with its tolerance if one is said."""
    for end, right in operand(p, i, table, x):
        found = compare(p.schema, table, x, relation, right)
        of_any = _is_any_key(p, i, end, table, right) or _is_one_of_them(p, i, end, table, x)
        of_a_kind = isinstance(right, Column) and any(int(last) == int(end) for last in p.phrase(i, words.NUMERIC))
        if found is None or of_a_kind or (relation in ("==", "!=") and of_any):
            continue  # "be a number" names no permit_no
        yield end, found
        if relation in ("==", "!=") and comparable(kind_of_expression(p.schema, table, x), "number"):
            for last, tolerance in margins.tolerated(p, end, table, x):
                yield last, found.model_copy(update={"within": tolerance})


def _is_any_key(p: Parse, i: Position, end: Position, table: str, right: Expression) -> bool:
    """Like "a user_id in the users table", "the user_id of any user": that of some row, not of this one."""
    a_kind = p.tokens[i].low in ("a", "an")
    if a_kind and isinstance(right, Column) and p.schema.kind(table, right.name) == "datetime":
        return True  # "must be a date" says what it is, not that it is the other date of the row
    some = a_kind or any(token.low == "any" for token in p.tokens[i : end + 2])
    return some and right == Column(name=p.schema.key(table) or "")


def _is_one_of_them(p: Parse, i: Position, end: Position, table: str, x: Expression) -> bool:
    """Like "must be one from the accounts table", "one we know": a row, and not the number 1."""
    after = p.at(end)
    goes_on = int(end) > int(i) + 1 or (after is not None and after.low in phrases.BEHIND_ONE_OF_THEM)
    refers = any(x == Column(name=link.column) for link in (*p.schema.links(table), *p.schema.roles(table)))
    return p.tokens[i].low == "one" and isinstance(x, Column) and (goes_on or refers)


def _whole_between(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "integers from 1 to 99"."""
    kind = kind_of_expression(p.schema, table, x)
    for start in p.phrase(i, "an integer|a whole number|integer|integers|whole numbers|whole number"):
        for end, condition in between(p, start, table, x) if kind in ("integer", "number") else ():
            joined = both(None if kind == "integer" else Parses(of=x, type="integer"), condition)
            assert joined is not None
            yield end, joined
        for begin in p.phrase(start, "of"):
            for end, limit in bounds.bounded(p, begin, table, x) if kind in ("integer", "number") else ():
                if p.tokens[begin].kind != "number":
                    joined = both(None if kind == "integer" else Parses(of=x, type="integer"), limit)
                    assert joined is not None
                    yield end, joined


def _within_a_limit(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "within the vehicle's maximum load"."""
    if kind_of_expression(p.schema, table, x) not in ("integer", "number"):
        return
    for start in p.phrase(i, "within|inside|not beyond|covered by|within the limit of|within the limits of"):
        for end, right in nouns.column(p, start, table):
            found = compare(p.schema, table, x, "<=", right)
            if found is not None:
                yield p.note(i, end, "<="), found


def _in_years(p: Parse, i: Position, table: str, x: Column) -> Found:
    """Like "before 1850", "after the artist was born": of a number that is a year."""
    for relation, said in DATE_RELATIONS:
        for start in p.phrase(i, said):
            noted = p.note(i, start, relation)
            for end, year in number(p, noted):
                if isinstance(year, int) and 1000 <= year <= 2999:
                    yield end, Compare(relation=relation, left=x, right=Value(value=year))
            for end, right in (*date_of_event(p, noted, table), *nouns.column(p, noted, table)):
                found = compare(p.schema, table, x, relation, right)
                if found is not None:
                    yield end, found


def _compared_with_several(p: Parse, i: Position, table: str, x: Expression, relation: Relation) -> Found:
    """Both a and b: "later than order_date and ship_date" holds for each."""
    for end, (first, second) in p.seq(
        i, "?both", lambda p, i: nouns.column(p, i, table), "and", lambda p, i: nouns.column(p, i, table)
    ):
        parts = [compare(p.schema, table, x, relation, right) for right in (first, second)]
        if all(parts) and relation != "!=":
            joined = both(*parts)
            assert joined is not None
            yield end, joined


def one_of_several(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Behind "status =": "shipped or delivered", "EUR | USD"."""
    for end, listed in value_list(p, i, table, x, False):
        if len(listed) > 1 and not any(token.low == "and" for token in p.tokens[i:end]):
            yield end, among(x, listed)


def _other_than(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "other than EUR, USD or GBP": none of them."""
    for end, listed in value_list(p, i, table, x, False):
        if len(listed) > 1:
            yield end, negate(among(x, listed))


@rule
def operand(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, Expression]]:
    """What `x` is compared with: an expression, a number with a unit, a date, a length of time, a text."""
    kind = kind_of_expression(p.schema, table, x)
    yield from _same_of_another(p, i, table, x)
    if isinstance(x, Column):
        yield from _like_this_column(p, i, table, x)
    yield from arithmetic.expression(p, i, table)
    for start in p.phrase(i, phrases.WHAT_IS):
        yield from ((end, Column(name=name)) for end, name in nouns.named_column(p, start, table))
    if kind in ("integer", "number"):
        for end, found in measured(p, i, table, x):
            yield end, Value(value=found)
        yield from typical_values.typical(p, i, table, x)
    if kind == "duration":
        yield from span(p, i)
    if kind in ("text", "boolean"):
        for end, text in literal(p, i, table, x, False):
            yield end, Value(value=text)
    yield from spoken_of.that_other_value(p, i, table, x)
    if kind == "datetime":
        yield from date_of_event(p, i, table)
        yield from _day_of(p, i, table)
        yield from occasions.row_itself(p, i, table, x)


def _like_this_column(p: Parse, i: Position, table: str, x: Column) -> Iterator[tuple[Position, Expression]]:
    """What only some columns can be compared with: "this year" for a year, "the customer" for another reference."""
    yield from contrasts.the_other_one(p, i, table, x)
    if p.schema.is_year(table, x.name):
        for end in p.phrase(i, "this year|the current year|the present year"):
            yield p.note(i, end, "the year of the run"), DatePart(part="year", of=Now())
    if mine := _referred_by(p, table, x):
        for end, link in nouns.parent(p, i, table):
            if link.parent == mine and link.column != x.name:
                yield end, Column(name=link.column)


def _referred_by(p: Parse, table: str, x: Column) -> str:
    """The table that the column refers to; "" when it refers to none."""
    return next((link.parent for link in (*p.schema.links(table), *p.schema.roles(table)) if link.column == x.name), "")


def _day_of(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "the day of the enrolment", "the day they start"."""
    for start in p.phrase(i, "the day of|the time of|the moment of|day of|time of"):
        for end, of in nouns.column(p, start, table):
            if kind_of_expression(p.schema, table, of) == "datetime":
                yield end, of
        for end, link in nouns.parent(p, start, table):
            if (date := p.schema.principal_date(link.parent)) is not None:
                yield p.note(i, end, f"{date} of {link.parent}"), Lookup(join=join_along(link), of=Column(name=date))


def _same_of_another(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, Expression]]:
    """Like "(earn more) than his manager", "than that of its parent": the same column of the row referred to."""
    if isinstance(x, Column):
        for start in (i, *p.phrase(i, "that of|those of|the one of|the same of")):
            for end, link in nouns.parent(p, start, table):
                there = x.name in p.schema.tables[link.parent].columns
                if link.role if link.parent == table else there and start > i:
                    yield p.note(i, end, f"its {x.name}"), Lookup(join=join_along(link), of=x)


def date_of_event(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """The date for which a clause stands: "it was ordered"."""
    from pandas_magic.planner.grammar.events import event_clause

    yield from event_clause(p, i, table)


def _bound(table: str, x: Expression) -> Callable[[Parse, Position], Iterator[tuple[Position, Expression]]]:
    def bound(p: Parse, i: Position) -> Iterator[tuple[Position, Expression]]:
        yield from operand(p, i, table, x)

    return bound


@rule
def between(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """A range with both ends in it: "between 1 and 100", "in the range 1 to 100", "1..100", "[1, 100]"."""
    lower = _bound(table, x)
    forms: tuple[tuple[str, str, str | None], ...] = (
        (phrases.BETWEEN, "and", None),
        (phrases.FROM_TO, "to|..|-|–|through|up to|until|and including|thru", None),
        (phrases.IN_BRACKETS, ",|;|..|to|and", "]"),
        ("in ( | ∈ ( | within the range ( | in the range (", "to|..|-|–", ")"),
    )
    for opening, middle, closing in forms:
        for end, (low, high) in p.seq(
            i, opening, lower, middle, lower, *([closing] if closing else [f"?{phrases.INCLUSIVE}"])
        ):
            yield from in_range(p, i, end, table, x, low, high, strict=False)
    for start in p.phrase(i, "between|in between|within|somewhere between"):
        yield from margins.shares_of(p, start, table, x)
        yield from _between_two_dates(p, start, table, x)
    for end, (low, high) in p.seq(i, "strictly between", lower, "and", lower):
        yield from in_range(p, i, end, table, x, low, high, strict=True)
    for end, (low, high) in p.seq(
        i, "between", lower, "and", lower, "exclusive|, exclusive|( exclusive )|, both exclusive|, ends excluded"
    ):
        yield from in_range(p, i, end, table, x, low, high, strict=True)
    for end, (low, high) in p.seq(i, lower, "..|to|–|through|thru", lower, f"?{phrases.INCLUSIVE}"):
        yield from in_range(p, i, end, table, x, low, high, strict=False)
    for end, (first, last) in p.seq(i, _plain, "-", _plain, f"?{phrases.INCLUSIVE}"):
        if first < last:
            low, high = Value(value=first), Value(value=last)
            yield from in_range(p, i, end, table, x, low, high, strict=False)


def _between_two_dates(p: Parse, i: Position, table: str, x: Expression) -> Found:
    for end, low, high in (*parent_ranges.pair(p, i, table), *_two_of_a_name(p, i, table)):
        for last in (end, *p.phrase(end, phrases.INCLUSIVE)):
            yield from in_range(p, i, last, table, x, low, high, strict=False)


def _plain(p: Parse, i: Position) -> Iterator[tuple[Position, int | float]]:
    """A number that stands there in digits, without a sign."""
    token = p.at(i)
    if token is not None and token.kind == "number" and isinstance(token.value, int | float):
        yield p.note(i, i + 1, "number"), token.value


def _two_of_a_name(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression, Expression]]:
    """Like "the lower and the upper limit" for lower_limit and upper_limit."""
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        token = p.at(start)
        if token is None or token.kind != "word":
            continue
        first = name_words(token.text)
        for middle in p.seq_ends(position(start + 1, start.trace), "and", "?the|its|their"):
            for end, name in nouns.named_column(p, middle, table):
                spoken = tuple(word for one in p.tokens[middle:end] for word in name_words(one.text))
                for other in dict.fromkeys(((*first, *name_words(name)[1:]), (*first, *spoken[1:]))):
                    for column in p.schema.called(table, other) if not p.schema.is_part(table, other) else ():
                        if column != name:
                            yield p.note(i, end, f"{column} and {name}"), Column(name=column), Column(name=name)


def _outside(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "Outside 1 to 5", "not within the range 0 - 100"."""
    lower = _bound(table, x)
    for end, (low, high) in p.seq(
        i, phrases.OUTSIDE, "?[|(", lower, "to|and|..|-|–|,", lower, f"?]|)|{phrases.INCLUSIVE}"
    ):
        for last, inside in in_range(p, i, end, table, x, low, high, strict=False):
            yield last, negate(inside)
    for end, (low, high) in parent_ranges.outside(p, i, table):
        for last, inside in in_range(p, i, end, table, x, low, high, strict=False):
            yield last, negate(inside)
    for end, (low, high) in parent_ranges.neither(p, i, table):
        yield from in_range(p, i, end, table, x, low, high, strict=False)


def in_range(
    p: Parse, i: Position, end: Position, table: str, x: Expression, low: Expression, high: Expression, *, strict: bool
) -> Found:
    """The value lies between the two, with its ends unless `strict`."""
    above = compare(p.schema, table, x, ">" if strict else ">=", low)
    below = compare(p.schema, table, x, "<" if strict else "<=", high)
    if above and below and not isinstance(low, DatePart):
        yield (
            p.note(i, end, "a range without its ends" if strict else "a range with both ends"),
            All(conditions=(above, below)),
        )


def _or_more(p: Parse, i: Position, table: str, x: Expression) -> Found:
    kind = kind_of_expression(p.schema, table, x)
    after: tuple[tuple[Relation, str], ...] = (
        (">=", phrases.OR_MORE),
        ("<=", phrases.OR_LESS),
    )
    if kind in ("integer", "number", "duration"):
        for middle, right in operand(p, i, table, x):
            for relation, said in after:
                for end in p.phrase(middle, said):
                    found = compare(p.schema, table, x, relation, right)
                    if found:
                        yield p.note(middle, end, relation), found
    if kind == "datetime":
        yield from _or_later(p, i, table, x)


def _or_later(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "today or later", "in the past or today"."""
    columns = (found for start in p.phrase(i, "the same as|equal to") for found in nouns.column(p, start, table))
    for middle, right in (*moment(p, i), *columns):
        for relation, said in ((">=", phrases.OR_LATER), ("<=", phrases.OR_EARLIER)):
            for end in p.phrase(middle, said):
                yield p.note(middle, end, relation), Compare(relation=relation, left=x, right=right)
    for relation, said in ((">=", "in the future or|in future or"), ("<=", "in the past or")):
        for end, (right,) in p.seq(i, said, moment):
            yield p.note(i, end, relation), Compare(relation=relation, left=x, right=right)


def length_compared(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """The comparison of a text's number of characters, said before the unit: "at least 3", "exactly 5", "2 to 4"."""
    yield from counted(p, i, table, TextLength(of=x))


def counted(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """A comparison of a count: "at least 3", "5", "between 2 and 4", "3 or more", "at least 2 and at most 4"."""
    yield from bounds.bounded(p, i, table, x)
    for end, found in number(p, i):
        yield end, Compare(relation="==", left=x, right=Value(value=found))

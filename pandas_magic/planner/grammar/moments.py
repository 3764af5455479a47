"""Comparisons of points in time: weekdays, years, "within the last 30 days", "at most 5 days after …"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import MIRRORED, All, Compare, Condition, OneOf, Relation
from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Arithmetic,
    Column,
    DatePart,
    Expression,
    Lookup,
    Moment,
    Now,
    Span,
    Value,
)
from pandas_magic.planner.grammar import comparisons, nouns, phrases, weekdays
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.meaning import kind_of_expression
from pandas_magic.planner.grammar.values import number, shifted, span

Found = Iterator[tuple[Position, Condition]]
_TURNED = frozenset(("not", "never", "no", "nobody", "nothing", "none", "neither", "nor", "without", "unless", "if"))


def of_date(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """On a weekend, in 2024, within the last 30 days, at most 30 days after the order date."""
    yield from on_days_of_the_week(p, i, x)
    for end, (right,) in p.seq(
        i,
        "on|on the same day as|equal to|the same day as|on the day of",
        lambda p, i: comparisons.operand(p, i, table, x),
    ):
        if isinstance(right, Moment):
            day_of = Compare(relation="==", left=DatePart(part="date", of=x), right=right)
            yield p.note(i, end, "on that day"), day_of
    for end, (right,) in p.seq(i, phrases.ON_THE_SAME_DAY, lambda p, i: comparisons.operand(p, i, table, x)):
        if p.tokens[end - 1].low.endswith("s") and any(noun == table for _, noun in _nouns_before(p, end)):
            continue  # "is set on orders" says which rows
        if (
            kind_of_expression(p.schema, table, right) == "datetime"
            and isinstance(right, Column | Lookup)
            and right != x
        ):
            one, other = DatePart(part="date", of=x), DatePart(part="date", of=right)
            yield p.note(i, end, "on the same day"), Compare(relation="==", left=one, right=other)
    yield from placed_in_time(p, i, x)
    yield from _at_the_latest(p, i, table, x)
    yield from _so_much_or_less(p, i, table, x)
    yield from _between_lengths(p, i, table, x)
    yield from _distance(p, i, table, x)


def _at_the_latest(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "on the promised date at the latest", "30 days after the order at the latest"."""
    sides: tuple[tuple[Relation, str], ...] = (("<=", "at the latest|at latest"), (">=", "at the earliest|at earliest"))
    for relation, said in sides:
        for end, (right,) in p.seq(i, "?on|by|at", lambda p, i: comparisons.operand(p, i, table, x), said):
            if kind_of_expression(p.schema, table, right) == "datetime" and right != x:
                yield p.note(i, end, relation), Compare(relation=relation, left=x, right=right)


def on_days_of_the_week(p: Parse, i: Position, x: Expression) -> Found:
    """Like "on a weekend", "on a Saturday or Sunday", "on Monday"."""
    for end in p.phrase(i, phrases.ON_A_WEEKEND):
        yield p.note(i, end, "Saturday or Sunday"), OneOf(of=DatePart(part="weekday", of=x), values=(6, 7))
    yield from weekdays.on_weekdays(p, i, x)
    for day, iso in words.WEEKDAYS.items():
        for end in p.phrase(i, f"on a {day}|on {day}|a {day}"):
            yield (
                p.note(i, end, f"weekday {iso}"),
                Compare(relation="==", left=DatePart(part="weekday", of=x), right=Value(value=iso)),
            )


def _nouns_before(p: Parse, end: Position) -> Iterator[tuple[int, str]]:
    yield from nouns.table_noun(p, position(int(end) - 1))


def placed_in_time(p: Parse, i: Position, x: Expression) -> Found:
    """In a year, or within the last or next so many days."""
    for end, (year,) in p.seq(i, phrases.IN_THE_YEAR, number):
        if isinstance(year, int) and 1000 <= year <= 2999 and not _followed_by_time_unit(p, end):
            yield (
                p.note(i, end, f"in the year {year}"),
                Compare(relation="==", left=DatePart(part="year", of=x), right=Value(value=year)),
            )
    yield from _in_years(p, i, x)
    for relation, said in comparisons.DATE_RELATIONS:
        for end, (year,) in p.seq(i, said, number):
            if isinstance(year, int) and 1000 <= year <= 2999 and not _followed_by_time_unit(p, end):
                of_year = Compare(relation=relation, left=DatePart(part="year", of=x), right=Value(value=year))
                yield p.note(i, end, f"{relation} the year {year}"), of_year
    yield from _within_last(p, i, x)


def _in_years(p: Parse, i: Position, x: Expression) -> Found:
    """Like "in 2025 or 2026"."""
    for end, (first, second) in p.seq(i, "in|in the years|during", number, "or|or in", number):
        both_years = all(isinstance(year, int) and 1000 <= year <= 2999 for year in (first, second))
        if both_years and not _followed_by_time_unit(p, end):
            years = OneOf(of=DatePart(part="year", of=x), values=(first, second))
            yield p.note(i, end, f"in the year {first} or {second}"), years
    for end, (first, last) in p.seq(i, f"{phrases.BETWEEN}|from", number, "and|to|–|-", number):
        are_years = all(isinstance(year, int) and 1000 <= year <= 2999 for year in (first, last)) and first < last
        if are_years and not _followed_by_time_unit(p, end):
            year = DatePart(part="year", of=x)
            ends = ((">=", first), ("<=", last))
            limits = tuple(Compare(relation=how, left=year, right=Value(value=limit)) for how, limit in ends)
            yield p.note(i, end, f"in the years {first} to {last}"), All(conditions=limits)


def _followed_by_time_unit(p: Parse, i: Position) -> bool:
    token = p.at(i)
    return token is not None and bool(token.forms & set(words.TIME_UNITS))


def _within_last(p: Parse, i: Position, x: Expression) -> Found:
    for end, (length,) in p.seq(
        i, "within|in|during|from|of|within/in/during/over/from/of the", "last|past|previous", span
    ):
        yield (
            p.note(i, end, "not earlier than that long before the run"),
            Compare(relation=">=", left=x, right=shifted(Now(), "-", length)),
        )
    for end, (length,) in p.seq(i, "within|in|during|within/in/during/over the", "next|coming|following", span):
        after = Compare(relation=">=", left=x, right=Now())
        yield (
            p.note(i, end, "between now and that long after the run"),
            All(conditions=(after, Compare(relation="<=", left=x, right=shifted(Now(), "+", length)))),
        )
    for end, (length,) in p.seq(i, "within", span, "of now|of today|before now|before today|of the current date"):
        yield (
            p.note(i, end, "not earlier than that long before the run"),
            Compare(relation=">=", left=x, right=shifted(Now(), "-", length)),
        )


def _distance(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """At most 30 days after E; within 30 days of E; at least 3 days before E."""
    limits: tuple[tuple[Relation, str], ...] = (
        ("<=", words.AT_MOST + "|within"),
        (">=", words.AT_LEAST),
        (">", words.GREATER),
        ("<", words.LESS),
        ("==", "exactly|precisely"),
    )
    for relation, said in limits:
        for end, (length, side, other) in p.seq(i, said, span, _side, lambda p, i: comparisons.operand(p, i, table, x)):
            if kind_of_expression(p.schema, table, other) != "datetime" or other == x:
                continue
            yield (
                p.note(i, end, f"{relation} that long {side} the other"),
                _apart(x, other, relation, length, side=side, within=_says_within(p, i)),
            )
            for last in p.phrase(end, phrases.AND_NEVER_BEFORE) if relation == "<=" and _is_demanded(p, i) else ():
                yield p.note(end, last, "not before it"), _apart(x, other, "<=", length, side=side, within=True)


def _between_lengths(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "between 14 and 60 days after the issue date"."""
    for said, joint in (("between", "and"), ("from", "to"), ("", "to")):
        for start in p.phrase(i, said) if said else (i,):
            for middle, low in (*span(p, start), *number(p, start)):
                for end, (high, side, other) in p.seq(
                    middle, joint, span, _side, lambda p, i: comparisons.operand(p, i, table, x)
                ):
                    if side not in ("after", "before") or kind_of_expression(p.schema, table, other) != "datetime":
                        continue
                    shortest = low if isinstance(low, Span) else Span(amount=low, unit=high.unit)
                    limits = (
                        _apart(x, other, ">=", shortest, side=side, within=False),
                        _apart(x, other, "<=", high, side=side, within=False),
                    )
                    if other != x:
                        yield p.note(i, end, f"between so long {side} the other"), All(conditions=limits)


def _so_much_or_less(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "28 days or less after the loan", "2 weeks or more before it"."""
    relations: tuple[tuple[Relation, str], ...] = (("<=", phrases.OR_LESS), (">=", phrases.OR_MORE))
    for middle, length in span(p, i):
        for relation, said in relations:
            for end, (side, other) in p.seq(middle, said, _side, lambda p, i: comparisons.operand(p, i, table, x)):
                if kind_of_expression(p.schema, table, other) == "datetime" and other != x:
                    noted = p.note(i, end, f"{relation} that long {side} the other")
                    yield noted, _apart(x, other, relation, length, side=side, within=False)


def _is_demanded(p: Parse, i: Position) -> bool:
    """No word in front turns round what is said here."""
    before = [token.low for token in p.tokens[:i]]
    return not _TURNED.intersection(before) and any(low in ("must", "should", "shall", "has", "have") for low in before)


def _says_within(p: Parse, i: Position) -> bool:
    return p.tokens[i].low == "within"


def _side(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    for said, side in (
        ("after|later than|following|past|since", "after"),
        ("before|earlier than|prior to|preceding", "before"),
        ("around|either side of|from", "around"),
        # "Within 5 days of the order" can mean up to 5 days later, or no further away than that in either direction.
        ("of", "around"),
        ("of", "no later than after"),
    ):
        for end in p.phrase(i, said):
            yield end, side


def _apart(x: Expression, other: Expression, relation: Relation, length: Span, *, side: str, within: bool) -> Condition:
    sign = "+" if side != "before" else "-"
    limit = Compare(
        relation=relation if sign == "+" else MIRRORED[relation], left=x, right=shifted(other, sign, length)
    )
    if side == "no later than after" and relation == "<=":
        return limit
    if side == "around":
        distance = Absolute(of=Arithmetic(sign="-", left=x, right=other))
        return Compare(relation=relation, left=distance, right=length)
    if within:
        start = Compare(relation=">=" if sign == "+" else "<=", left=x, right=other)
        return All(conditions=(start, limit) if sign == "+" else (limit, start))
    return limit


def age_of_date(p: Parse, i: Position, x: Expression) -> Found:
    """Older than 30 days: further back from the run."""
    forms: tuple[tuple[str, Relation], ...] = (
        ("older than|more than|over", "<"),
        ("younger than|newer than|less than|fresher than|more recent than", ">"),
        ("at most|no/not older than|no/not more than|maximum|max|up to", ">="),
        ("at least|no/not younger than|no/not newer than|no/not less than", "<="),
    )
    for said, relation in forms:
        for end, (length,) in p.seq(i, said, span):
            for last in (end, *p.phrase(end, "old|ago|in the past|of age")):
                explicit = int(last) > int(end) or any(
                    token.low in ("older", "younger", "newer", "fresher", "recent") for token in p.tokens[i:end]
                )
                if explicit:
                    yield (
                        p.note(i, last, f"{relation} that long before the run"),
                        Compare(relation=relation, left=x, right=shifted(Now(), "-", length)),
                    )

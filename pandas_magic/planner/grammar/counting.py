"""Counts, sums and other statistics: of the rows that refer to this one, and of the group that a row belongs to."""

from collections.abc import Iterator
from typing import Any

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Column, DatePart, Expression, Group, Rollup, Statistic
from pandas_magic.planner.grammar import (
    child_statistics,
    left_out,
    nouns,
    periodic_totals,
    phrases,
    rows,
    said_of_children,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import both
from pandas_magic.planner.grammar.meaning import join_down, kind_of_expression
from pandas_magic.planner.grammar.morphology import name_words
from pandas_magic.planner.grammar.schema import Link
from pandas_magic.planner.grammar.values import statistic_word

Keys = tuple[Expression, ...]
_NUMBER_OF = (
    "number of|count of|total number of|how many|how many of|amount of|overall number of|no of|actual number of|"
    "real number of"
)
_AND_KEY = "and|,|, and|/|+|&|"
_OWN_ROWS = "row|record|entry|line|observation"


@rule
def group_keys(p: Parse, i: Position, table: str, date: str | None = None) -> Iterator[tuple[Position, Keys]]:
    """What a group shares: "user", "user and day", "user_id and product_id", "calendar month".

    A day or month is that of `date`, where one is spoken of, else that of the row's own date.
    """
    for end, first in (*((end, (key,)) for end, key in group_key(p, i, table, date)), *_month(p, i, table, date)):
        yield end, first
        for middle in p.phrase(
            end,
            f"{_AND_KEY}{phrases.PER}|and {phrases.PER.replace('|', '|and ')}|, {phrases.PER.replace('|', '|, ')}",
        ):
            for last, others in group_keys(p, middle, table, date):
                if set(first).isdisjoint(others):
                    yield last, (*first, *others)
                elif set(first) & set(others) == {Column(name="year")}:  # "per year and month"
                    yield last, tuple(dict.fromkeys((*first, *others)))
    for end, (inside,) in p.seq(i, "(", lambda p, i: group_keys(p, i, table, date), ")"):
        yield end, inside


@rule
def group_key(p: Parse, i: Position, table: str, date: str | None = None) -> Iterator[tuple[Position, Expression]]:
    """One thing that the rows of a group share: a column, the row they refer to, or the day, month … of their date."""
    for start in (i, *p.phrase(i, phrases.BEFORE_GROUP_KEY)):
        for end, link in nouns.parent(p, start, table):
            yield end, Column(name=link.column)
        numbered = {int(end) for end, _ in _numbered_part(p, start, table)}
        for end, own in nouns.own_column(p, start, table):
            if not _counts_periods(p, end, own) and int(end) not in numbered:
                yield end, own
        for end, noun in nouns.table_noun(p, start):
            key = p.schema.key(noun)
            if noun == table and key:
                yield end, Column(name=key)
        yield from _period(p, start, table, date)


def _counts_periods(p: Parse, end: Position, x: Expression) -> bool:
    """Like "on one day" where a column is called "days": that says how many, and not which."""
    said = p.tokens[end - 1].low
    return said in words.DATE_PARTS and isinstance(x, Column) and f"_{x.name.lower()}".endswith(f"_{said}s")


def _month(p: Parse, i: Position, table: str, date: str | None) -> Iterator[tuple[Position, Keys]]:
    """Like "month", "calendar quarter": that of one year, also where the table has a column for each of the two."""
    for start in (i, *p.phrase(i, phrases.BEFORE_GROUP_KEY)):
        for end, numbered in _numbered_part(p, start, table):
            yield p.note(start, end, f"the {numbered} of one year"), (Column(name="year"), Column(name=numbered))
        for end, of, part in _part_of_date(p, start, table, ("month", "quarter"), date):
            yield (
                p.note(start, end, f"the {part} of one year"),
                (DatePart(part="year", of=of), DatePart(part=part, of=of)),
            )


def _numbered_part(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, str]]:
    columns = p.schema.tables[table].columns
    for part in ("month", "quarter", "week"):
        if part in columns and "year" in columns:
            yield from ((end, part) for end in p.phrase(i, part))


def _period(p: Parse, i: Position, table: str, date: str | None) -> Iterator[tuple[Position, Expression]]:
    for end, of, part in _part_of_date(p, i, table, ("date", "year"), date):
        yield end, DatePart(part=part, of=of)
    for said in ("week", "weekday", "hour", "minute"):
        if not p.schema.called(table, (said,)) and any(True for _ in p.phrase(i, said)):
            # A week of any year is not one week: what "per week" means is left open.
            p.refuse(
                f'"{said}" of which year? Only "per day", "per month", "per quarter" and "per year" are one period'
            )


def _part_of_date(
    p: Parse, i: Position, table: str, parts: tuple[str, ...], date: str | None
) -> Iterator[tuple[Position, Expression, Any]]:
    """Like "day", "calendar year of the order date": of the row's own date where none is said."""
    date = date or p.schema.first_date(table)
    for said, part in words.DATE_PARTS.items():
        named = tuple(said.split())
        own = [column for column in p.schema.called(table, named) if column.lower() != f"{said}s"]
        if part not in parts or (own and not p.schema.is_part(table, named)):
            continue  # the table has a column of that name
        for end in p.phrase(i, said):
            if date is None:
                dates = ", ".join(p.schema.dates(table)) or "no column of dates"
                p.refuse(f'"{said}" of which date? "{table}" has {dates}')
            else:
                yield p.note(i, end, f"the {part} of {date}"), Column(name=date), part
            for last, (of,) in p.seq(end, "of|by", lambda p, i: nouns.own_column(p, i, table)):
                if kind_of_expression(p.schema, table, of) == "datetime":
                    yield last, of, part
            for last, (of,) in p.seq(end, "(", lambda p, i: nouns.own_column(p, i, table), ")"):
                if kind_of_expression(p.schema, table, of) == "datetime":
                    yield last, of, part


@rule
def statistic(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """A statistic for the row at hand: "the number of the user's orders", "the average amount per country"."""
    yield from child_statistics.of_each(p, i, table)
    yield from said_of_children.times_done(p, i, table)
    for start in (i, *p.phrase(i, "the|all the|their|its|overall")):
        for middle in p.phrase(start, _NUMBER_OF) if not _are_amounts(p, start) else ():
            yield from _count_of_children(p, p.note(start, middle, "how many"), table)
            yield from _count_in_group(p, p.note(start, middle, "how many"), table)
        for middle, (said, name) in statistic_word(p, start):
            noted = p.note(start, middle, f"the {name}")
            yield from _of_children(p, noted, table, name)
            yield from _amount_of_children(p, noted, table, name, said)
            yield from _of_group(p, noted, table, name)
        yield from ((end, x) for end, x in periodic_totals.periodic(p, start, table) if isinstance(x, Group) and x.by)


def _are_amounts(p: Parse, i: Position) -> bool:
    """Like "the amounts of its payments", which are sums of money and not how many there are."""
    token = p.at(i)
    return token is not None and token.low == "amounts"


def _count_of_children(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    for end, (link, where) in left_out.children_but(p, i, table):
        yield end, Rollup(statistic="count", join=join_down(link), where=where)
        for start in (
            p.phrase(end, "be|have been") if "many" in (token.low for token in p.tokens[max(0, i - 2) : i]) else ()
        ):
            for last, which in rows.adjectives(p, start, link.table):  # "how many of its orders are paid"
                yield last, Rollup(statistic="count", join=join_down(link), where=both(where, which))
    for start in p.phrase(i, "distinct|different|unique"):
        for end, (name, link, where) in _column_of_children(p, start, table):
            yield end, Rollup(statistic="distinct", join=join_down(link), of=Column(name=name), where=where)


@rule
def _column_of_children(
    p: Parse, i: Position, table: str
) -> Iterator[tuple[Position, tuple[str, Link, Condition | None]]]:
    """A column of the rows that refer to this one: "the totals of the user's orders", "its orders' totals"."""
    for child in p.schema.tables:
        if p.schema.links_to(child, table):
            for end, (of, (link, where)) in p.seq(
                i,
                "?the|all|all the|its|their|values of|all values of",
                lambda p, i, child=child: nouns.own_column(p, i, child),
                phrases.OF_CHILDREN,
                lambda p, i: left_out.children_but(p, i, table),
            ):
                if link.table == child and link.column != of.name:
                    yield end, (of.name, link, where)
    yield from _told_by_its_table(p, i, table)
    for middle, (link, where) in rows.children(p, i, table):
        for start in p.phrase(middle, "'s|'"):
            yield from ((end, (name, link, where)) for end, name in nouns.named_column(p, start, link.table))


def _told_by_its_table(
    p: Parse, i: Position, table: str
) -> Iterator[tuple[Position, tuple[str, Link, Condition | None]]]:
    """Like "order totals", "the item units", `orders.total`, perhaps with "for that user"."""
    for start in (i, *p.phrase(i, "the|all|all the|its|their")):
        told = nouns.dotted_table(p, start)
        begun = [(start, told)] if told else [(end, noun) for end, noun in nouns.table_noun(p, start)]
        for middle, child in begun:
            links = list(p.schema.links_to(child, table))
            for end, name in nouns.named_column(p, middle, child) if len(links) == 1 else ():
                numeric = p.schema.kind(child, name) in ("integer", "number") and links[0].column != name
                for last in (end, *_for_this(p, end, table)) if numeric else ():
                    yield last, (name, links[0], None)


def _for_this(p: Parse, i: Position, table: str) -> Iterator[Position]:
    for start in p.phrase(i, "for|of|per|by|over"):
        yield from nouns.this_table(p, start, table)


def _of_children(p: Parse, i: Position, table: str, name: Statistic) -> Iterator[tuple[Position, Expression]]:
    for start in (i, *p.phrase(i, "of|over")):
        for end, (column, link, where) in (
            *_column_of_children(p, start, table),
            *left_out.made_of_this(p, start, table),
        ):
            yield end, Rollup(statistic=name, join=join_down(link), of=Column(name=column), where=where)


def _amount_of_children(
    p: Parse, i: Position, table: str, name: Statistic, said: str
) -> Iterator[tuple[Position, Expression]]:
    """Like "the sum of all payments on a claim", where a payment has one amount."""
    for start in (i, *p.phrase(i, "of|over|of all|of all the|of the")):
        for end, (link, where) in rows.children(p, start, table):
            named = any(p.schema.called(link.table, name_words(word.text)) for word in p.tokens[max(0, i - 2) : i])
            amounts = p.schema.called(link.table, ("amount",)) if not named else []
            if len(amounts) == 1 and not p.schema.called(link.table, name_words(said)):
                of = Column(name=amounts[0])
                yield (
                    p.note(i, end, f"of {amounts[0]}"),
                    Rollup(statistic=name, join=join_down(link), of=of, where=where),
                )


def _count_in_group(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    for end, (_, by) in p.seq(
        i, lambda p, i: rows.same_rows(p, i, table), phrases.PER, lambda p, i: group_keys(p, i, table)
    ):
        yield end, Group(statistic="count", by=by)
    for end, (of, by) in p.seq(
        i,
        "distinct|different|unique",
        lambda p, i: nouns.own_column(p, i, table),
        phrases.PER,
        lambda p, i: group_keys(p, i, table),
    ):
        if of not in by:
            yield end, Group(statistic="distinct", of=of, by=by)


def _of_group(p: Parse, i: Position, table: str, name: Statistic) -> Iterator[tuple[Position, Expression]]:
    for end, (of, by) in p.seq(
        i,
        "?of|over|of all|of the",
        lambda p, i: nouns.column(p, i, table),
        phrases.PER,
        lambda p, i: group_keys(p, i, table),
    ):
        kind = kind_of_expression(p.schema, table, of)
        if by == (Column(name=p.schema.key(table) or ""),):
            continue  # one row each: the statistic of a single value is not what anybody asks for
        if of not in by and (
            kind in ("integer", "number", "duration") or (kind == "datetime" and name in ("min", "max"))
        ):
            yield end, Group(statistic=name, of=of, by=by)


@rule
def summed_children(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Values of the rows that refer to this one, before "add up to": "the totals of a user's orders"."""
    for end, (column, link, where) in _column_of_children(p, i, table):
        yield end, Rollup(statistic="sum", join=join_down(link), of=Column(name=column), where=where)

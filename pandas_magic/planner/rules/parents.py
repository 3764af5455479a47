"""Rules about the rows that rows of this table refer to: "male patients may not be admitted to ward MAT"."""

from collections.abc import Iterator

from pandas_magic.constraints.conditions import Condition, Not, Present
from pandas_magic.constraints.expressions import Column
from pandas_magic.planner.rules import children, claims, clauses, events, modifiers, moods, rows
from pandas_magic.planner.rules.chart import Parse, Position
from pandas_magic.planner.rules.logic import has_window
from pandas_magic.planner.rules.meaning import Claim, Rows, as_claim, join_along, lifted
from pandas_magic.planner.rules.schema import Link, event_verbs

Found = Iterator[tuple[Position, Claim]]


def parent_of_some(p: Parse, i: Position, table: str, link: Link) -> Found:
    """Behind "patients": "in ward MAT must be female", where the ward is this table's and the sex is the patients'."""
    if any(True for _ in modifiers.modifier(p, i, link.parent)):
        return
    for middle, where in modifiers.modifier(p, i, table):
        for end, condition in clauses.row_phrase(p, middle, link.parent, "must"):
            seen = lifted(condition, join_along(link))
            if seen is not None and not has_window(condition):
                yield end, claims.demand(table, seen, where)


def rows_of_some(p: Parse, i: Position, table: str) -> Found:
    """Like "Readers who are children may not have a fine", where the fine is in this table."""
    for middle, where in _belonging(p, i, table):
        for end, condition in clauses.row_phrase(p, middle, table, "must"):
            if not _about_others(condition) and not _denies_the_row(p, table, condition):
                yield end, claims.demand(table, condition, where)


def _denies_the_row(p: Parse, table: str, condition: Condition) -> bool:
    """Like "may not be lent": that there is no such loan, rather than that its date is missing."""
    of = condition.condition.of if isinstance(condition, Not) and isinstance(condition.condition, Present) else None
    made = isinstance(of, Column) and of.name in p.schema.dates(table)
    return made and not event_verbs(of.name).isdisjoint(p.schema.verbs(table))  # type: ignore[union-attr]


def never_done_by_some(p: Parse, i: Position, table: str) -> Found:
    """Like "Reference-only items may not be lent", where lending makes a row of this table."""
    for middle, where in _belonging(p, i, table):
        for start, negated in moods.head(p, middle, "must"):
            for begin in (start, *p.phrase(start, "be|get|have been")) if negated else ():
                for end in events.done_to_rows(p, begin, table):
                    for last in (end, *p.phrase(end, "anything|anymore|any more|any longer")):
                        yield p.note(middle, last, f"no row of {table}"), as_claim(Rows(table), where)


def no_rows_of_some(p: Parse, i: Position, table: str) -> Found:
    """Behind "no": "blocked reader may have a fine"."""
    for middle, where in _belonging(p, i, table):
        for end, condition in claims.not_negated(p, middle, clauses.row_phrase(p, middle, table, "may")):
            if not _about_others(condition):
                yield end, as_claim(Rows(table, where), condition)


def only_rows_of_some(p: Parse, i: Position, table: str) -> Found:
    """Behind "only": "female patients may be admitted to ward MAT"."""
    for middle, needed in lifted_rows(p, i, table):
        for end, condition in claims.not_negated(p, middle, clauses.row_phrase(p, middle, table, "may")):
            if not _about_others(condition):
                yield p.note(i, end, "whoever does so is one of these"), claims.demand(table, needed, condition)


def lifted_rows(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Rows of another table that are narrowed down, as a condition on the row referred to."""
    for middle, found in rows.rows(p, i):
        links = p.schema.links_to(table, found.table)
        if found.table != table and found.where is not None and len(links) == 1:
            needed = lifted(found.where, join_along(links[0]))
            if needed is not None:
                yield middle, needed


def _belonging(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Rows of another table that are narrowed down, as a condition on the rows that refer to them."""
    for middle, found in rows.rows(p, i):
        if found.table != table and found.where is not None and not has_window(found.where):
            links = p.schema.links_to(table, found.table)
            if len(links) == 1:
                yield middle, modifiers.belongs(links[0], found.where)


def _about_others(condition: Condition) -> bool:
    """The condition looks at other rows, or at rows that refer to these."""
    return has_window(condition) or children.without_child(condition) is not None

"""Rows that refer to this one, and the row that this one refers to: "at least one order", "an existing user"."""

from collections.abc import Callable, Iterator

from pandas_magic.constraints.algebra.conditions import Any_, Compare, Condition, Exists, Not, Present
from pandas_magic.constraints.algebra.expressions import Column, Expression, Join, Rollup, Value
from pandas_magic.planner.grammar import bounds, events, nouns, phrases, possession, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import both, for_where, negate
from pandas_magic.planner.grammar.meaning import join_down
from pandas_magic.planner.grammar.schema import Link
from pandas_magic.planner.grammar.values import number

Found = Iterator[tuple[Position, Condition]]
# Says of a count that stands before the position what is demanded of it, and where those words end.
Judge = Callable[[Expression, Position], Found]


_NO_JOIN = Join(columns=(), table="", keys=())


def counted_children(p: Parse, i: Position, table: str) -> Found:
    """Rows that refer to this one, with how many there must be: "an order", "at most 5 orders", "3 events or more"."""
    for start in (i, *p.phrase(i, phrases.SOME_CHILD)):
        for end, (link, where) in rows.children(p, start, table):
            if int(start) > int(i) or p.tokens[i].low not in ("the", "its", "their"):
                yield end, has_child(link, where)
    for middle, condition_of in counts_ahead(p, i, table):
        for end, (link, where) in rows.children(p, middle, table):
            count = Rollup(statistic="count", join=join_down(link), where=where)
            for last, condition in condition_of(count, end):
                yield last, _some_or_none(condition, link, where)


def counts_ahead(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Judge]]:
    """The number before the counted rows, and how to judge it; "20 events or fewer" has a word behind as well."""
    probe = Value(value=0)
    for end, condition in bounds.bounded(p, i, table, Rollup(statistic="count", join=_NO_JOIN)):
        if isinstance(condition, Compare) and not isinstance(condition.right, (Value, Column)):
            continue
        yield end, judge(condition)
    for end, found in number(p, i):
        exact = Compare(relation="==", left=probe, right=Value(value=found))
        yield end, _then_more_or_less(p, exact)
    for end, (found,) in p.seq(i, "exactly|just|only|precisely", number):
        yield end, judge(Compare(relation="==", left=probe, right=Value(value=found)))


def judge(condition: Condition) -> Judge:
    """What to say of a count that stands before the position, with nothing more behind it."""

    def apply(count: Expression, end: Position) -> Found:
        yield end, on(condition, count)

    return apply


def _then_more_or_less(p: Parse, exact: Compare) -> Judge:
    def apply(count: Expression, end: Position) -> Found:
        # "Must have one order": exactly one, or at least one?
        if exact.right != Value(value=1):
            yield end, on(exact, count)
        for last in p.phrase(end, "or more|at least|at a minimum"):
            yield last, on(exact.model_copy(update={"relation": ">="}), count)
        for last in p.phrase(end, "or fewer|or less|at most|at a maximum|at the most"):
            yield last, on(exact.model_copy(update={"relation": "<="}), count)

    return apply


def on(condition: Condition, left: Expression) -> Condition:
    """The same comparison, of another expression."""
    if isinstance(condition, Compare):
        return condition.model_copy(update={"left": left})
    parts = getattr(condition, "conditions", ())
    return condition.model_copy(update={"conditions": tuple(on(part, left) for part in parts)})


def done_by(p: Parse, i: Position, table: str) -> Found:
    """Like "Have borrowed a book", "have placed more than four orders", "order anything": rows that refer to it."""
    for child in p.schema.tables:
        for link in p.schema.links_to(child, table):
            for start in (i, *p.phrase(i, "have|have ever|have already|do|do ever")):
                for middle in events.done_to_rows(p, start, child):
                    for end in (middle, *_any_thing(p, middle, child, table)):
                        yield p.note(i, end, f"rows of {child} refer to it"), has_child(link, None)
    yield from _done_to_it(p, i, table)
    for start in p.phrase(i, "have|have ever|have already"):
        for middle in p.phrase(start, words.HAVE):
            yield from counted_children(p, middle, table)
            for after in (middle, *p.phrase(middle, phrases.SOME_CHILD)):
                for end, (link, where) in rows.children(p, after, table):
                    yield end, has_child(link, where)


def _done_to_it(p: Parse, i: Position, table: str) -> Found:
    """Like "Be booked at least once": the verb makes rows that refer to this one; "be assigned to a genre"."""
    for start in p.phrase(i, "be assigned to|be linked to|be listed in|be tagged with|be attached to"):
        yield from counted_children(p, start, table)
    for child in p.schema.tables:
        for link in p.schema.links_to(child, table):
            for start in p.phrase(i, "be|get|have been|be being"):
                for middle in events.done_to_rows(p, start, child):
                    for end in p.phrase(middle, "at least once|at least one time"):
                        yield p.note(i, end, f"rows of {child} refer to it"), has_child(link, None)


def happened_to_it(p: Parse, i: Position, table: str) -> Found:
    """A verb that makes rows of a table that refer to this one: "rented", where rentals do."""
    for child in p.schema.tables:
        for link in p.schema.links_to(child, table):
            for end in events.done_to_rows(p, i, child):
                for last in (end, *p.phrase(end, "at all|even once|so far|before|yet")):
                    yield p.note(i, last, f"rows of {child} refer to it"), has_child(link, None)


def _any_thing(p: Parse, i: Position, child: str, table: str) -> Iterator[Position]:
    """Where "anything", "at least one book", "any of the products" ends: the other thing that the row refers to."""
    yield from p.phrase(i, "anything|something|at all|at least once|any")
    for start in (i, *p.phrase(i, phrases.SOME_CHILD)):
        for end, link in nouns.parent(p, start, child):
            if link.parent != table:
                yield end


def has_child(link: Link, where: Condition | None) -> Condition:
    """At least one row refers to this one; a row without key has none."""
    key = Column(name=link.key)
    return possession._all([Present(of=key), Exists(of=(key,), table=link.table, keys=(link.column,), where=where)])


def without_child(condition: Condition) -> Exists | None:
    """What must not exist when the condition says that no row refers to this one, else None."""
    if isinstance(condition, Any_):
        for part in condition.conditions:
            if (
                isinstance(part, Not)
                and isinstance(part.condition, Exists)
                and negate(condition) == both(Present(of=part.condition.of[0]), part.condition)
            ):
                return part.condition
    return None


def refers(link: Link, where: Condition | None = None) -> Condition:
    """The row refers to a row that there is, and in which `where` is true; a row without reference does not."""
    column = Column(name=link.column)
    return possession._all(
        [Present(of=column), Exists(of=(column,), table=link.parent, keys=(link.key,), where=for_where(where))]
    )


def _some_or_none(condition: Condition, link: Link, where: Condition | None) -> Condition:
    """A count of at least one is the existence of one."""
    if isinstance(condition, Compare) and isinstance(condition.right, Value):
        limit = (condition.relation, condition.right.value)
        if limit in ((">=", 1), (">", 0), ("!=", 0)):
            return has_child(link, where)
        if limit in (("<", 1), ("<=", 0), ("==", 0)):
            return negate(has_child(link, where))
    return condition


@rule
def referred(p: Parse, i: Position, table: str) -> Found:
    """A row of another table that this row refers to, and that is there."""
    for end, (link, where) in referred_rows(p, i, table):
        yield end, refers(link, where)


@rule
def referred_rows(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Link, Condition | None]]]:
    """A row of another table to refer to: "an existing user", "a user that is present in the users table"."""
    one = f"{words.ARTICLE}|one|exactly one|at least one|some|any|one/any of our/the/these/those/its|our|one of our own"
    for start in (i, *p.phrase(i, one)):
        for middle in (start, *p.phrase(start, words.EXISTING)):
            for end, found in rows.plain_rows(p, middle):
                for link in p.schema.links_to(table, found.table):
                    for last in (end, *that_exists(p, end, found.table)):
                        yield p.note(end, last, "that is there") if last != end else end, (link, found.where)
            yield from _by_its_key(p, middle, table, said=middle != start)


def _by_its_key(
    p: Parse, i: Position, table: str, *, said: bool
) -> Iterator[tuple[Position, tuple[Link, Condition | None]]]:
    """Like "(refer to) a user_id that exists in the users table", "an existing user id"."""
    for link in p.schema.links(table):
        for end, name in nouns.named_column(p, i, link.parent):
            if name == link.key:
                for last in (*((end,) if said else ()), *that_exists(p, end, link.parent)):
                    yield p.note(i, last, f"a row of {link.parent}"), (link, None)


def that_exists(p: Parse, i: Position, parent: str) -> Iterator[Position]:
    """Where "that is present in the users table" ends, which only says again that the row is there."""
    for start in (i, *p.phrase(i, "that|which|who")):
        for middle in p.phrase(start, phrases.BE_SOMEWHERE):
            yield middle
            for last in p.phrase(middle, "in|among|within"):
                yield from nouns.this_table(p, last, parent)
    for last in p.phrase(i, "in|from|that/which/who be in|that/which/who be among"):
        yield from nouns.this_table(p, last, parent)

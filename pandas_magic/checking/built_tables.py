"""Tables built from what a rule itself names: rows that keep and break it, groups at and beside its limits."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from pandas_magic.checking.column_values import made_up
from pandas_magic.checking.drafts import Drafts, Frames, Row
from pandas_magic.checking.solving import NOT_COMPUTABLE, around, solved
from pandas_magic.checking.statistic_rows import parts_of_share, rows_with, wanted_near
from pandas_magic.constraints.algebra.conditions import Compare, Condition, Unique
from pandas_magic.constraints.algebra.expressions import Aggregate, Column, Expression, Group, Rollup, Share
from pandas_magic.constraints.algebra.rules import RowRule, TableRule
from pandas_magic.constraints.algebra.tree import local_nodes, nodes
from pandas_magic.constraints.algebra.words import expression_words
from pandas_magic.constraints.meaning.plain_rows import Scalar
from pandas_magic.constraints.meaning.row_meaning import value

Planted = tuple[str, Frames]
Rule = RowRule | TableRule


def built(rule: Rule, drafts: Drafts) -> Iterator[Planted]:
    """Tables made for the rule, with what was planted in each in words; the same ones for the same sample."""
    if isinstance(rule, RowRule):
        yield from _kept_and_broken(rule, drafts)
        yield from _repeated(rule, drafts)
    for statistic, wanted in _limits(rule, drafts):
        match statistic:
            case Group():
                yield from _groups(rule, statistic, wanted, drafts)
            case Rollup():
                yield from _matched(rule, statistic, wanted, drafts)
            case Aggregate():
                yield from _whole_tables(statistic, wanted, drafts)
            case Share():
                yield from _shares(statistic, wanted[0], drafts)


def _kept_and_broken(rule: RowRule, drafts: Drafts) -> Iterator[Planted]:
    """Rows that the rule is about: one that keeps it by itself, one that breaks it, and some of each."""
    kept = drafts.row_where(rule.table, rule.where, rule.must)
    broken = drafts.row_where(rule.table, rule.where, rule.must, true=False)
    if kept is not None and broken is not None:
        yield from _table(drafts, "rows built to keep the rule and to break it", {rule.table: [kept, broken, kept]})
    for label, row in {"rows built to keep the rule": kept, "rows built to break it": broken}.items():
        if row is not None:
            yield from _table(drafts, label, {rule.table: [row]})
            yield from _table(drafts, f"{label}, twice", {rule.table: [row, row]})


def _repeated(rule: RowRule, drafts: Drafts) -> Iterator[Planted]:
    """Two rows with the same values where they must be unique, and one with others."""
    row = drafts.row_where(rule.table, rule.where)
    for node in nodes(rule.must):
        if isinstance(node, Unique) and row is not None:
            other = _key(rule.table, _names(node.by), 1, drafts) or {}
            rows = _told_apart(rule, node.by, [row, row, {**row, **other}], drafts)
            yield from _table(drafts, "the same values twice where they must be unique", {rule.table: rows})


def _limits(rule: Rule, drafts: Drafts) -> Iterator[tuple[Group | Rollup | Aggregate | Share, list[Scalar]]]:
    """The statistics that the rule compares with something, and what each should come to: the limit, and beside it."""
    where = getattr(rule, "where", None)
    row = drafts.row_where(rule.table, where) if isinstance(rule, RowRule) else None
    place = drafts.table_place(rule.table) if row is None else drafts.place(row, rule.table)
    compared = [node for part in (rule.must, where) if part for node in local_nodes(part) if isinstance(node, Compare)]
    for compare in compared:
        for side, other in ((compare.left, compare.right), (compare.right, compare.left)):
            try:
                limit = value(other, place)
                tried = [] if limit is None else around(limit, compare)
                found = [each for each in (solved(side, near, place) for near in tried) if each is not None]
            except (*NOT_COMPUTABLE, IndexError):
                continue
            if found and isinstance(found[0][0], (Group, Rollup, Aggregate, Share)):
                statistic = found[0][0]
                wanted = wanted_near(statistic, [each for _, each in found])
                if wanted:
                    yield statistic, wanted


def _groups(rule: Rule, group: Group, wanted: Sequence[Scalar], drafts: Drafts) -> Iterator[Planted]:
    """Groups of rows of the rule's own table: one for each value, all in one table, and each in a table of its own."""
    table, where = rule.table, getattr(rule, "where", None)
    member = drafts.row_where(table, where, group.where)
    if member is None:
        return
    made = {each: rows_with(group, each, member, drafts=drafts, table=table) for each in wanted}
    groups = {each: _told_apart(rule, group.by, rows, drafts) for each, rows in made.items() if rows}
    words = expression_words(group)
    keys = [_key(table, _names(group.by), number, drafts) for number in range(len(groups))]
    if group.by and all(key is not None for key in keys):
        keyed = [{**row, **(key or {})} for key, rows in zip(keys, groups.values(), strict=True) for row in rows]
        yield from _table(drafts, f"groups in which {words} is at the limit and beside it", {table: keyed})
    others = [*_outside(member, table, (where, group.where), drafts), *_neighbours(member, table, group.by, drafts)]
    for each, rows in groups.items():
        yield from _table(drafts, f"{words} is {each}", {table: rows})
        for other in others:
            yield from _table(drafts, f"{words} is {each}, beside rows of no account", {table: [*rows, other, other]})


def _matched(rule: Rule, rollup: Rollup, wanted: Sequence[Scalar], drafts: Drafts) -> Iterator[Planted]:
    """Rows of another table that match one of the rule's: as many, or of such values, as the rule speaks of."""
    join = rollup.join
    own, other = (
        drafts.row_where(rule.table, getattr(rule, "where", None)),
        drafts.row_where(join.table, rollup.where),
    )
    if own is None or other is None or join.table == rule.table:
        return
    made = {each: rows_with(rollup, each, other, drafts=drafts, table=join.table) for each in wanted}
    matched = {each: rows for each, rows in made.items() if rows is not None}
    words, key = (
        expression_words(rollup),
        {there: own[here] for here, there in zip(join.columns, join.keys, strict=True)},
    )
    keys = [_key(rule.table, join.columns, number, drafts) for number in range(len(matched))]
    if all(each is not None for each in keys):
        owners = [{**own, **(each or {})} for each in keys]
        rows = [
            {**row, **{there: owner[here] for here, there in zip(join.columns, join.keys, strict=True)}}
            for owner, found in zip(owners, matched.values(), strict=True)
            for row in found
        ]
        label = f"rows of which {words} is at the limit and beside it"
        yield from _table(drafts, label, {rule.table: owners, join.table: rows})
    outside = _outside(other, join.table, (rollup.where,), drafts)
    for each, found in matched.items():
        for extra in ([], *([row, row] for row in outside)):
            rows = [{**row, **key} for row in (*found, *extra)]
            label = f"{words} is {each}" + (", beside rows of no account" if extra else "")
            yield from _table(drafts, label, {rule.table: [own], join.table: rows})


def _whole_tables(aggregate: Aggregate, wanted: Sequence[Scalar], drafts: Drafts) -> Iterator[Planted]:
    """Whole tables of which the statistic is each of the values."""
    table = aggregate.table
    member = drafts.row_where(table, aggregate.where)
    if member is None:
        return
    outside = _outside(member, table, (aggregate.where,), drafts)
    for each in wanted:
        rows = rows_with(aggregate, each, member, drafts=drafts, table=table)
        if rows is not None:
            label = f"{expression_words(aggregate)} is {each}"
            yield from _table(drafts, label, {table: rows})
            for row in outside:
                yield from _table(drafts, f"{label}, beside rows of no account", {table: [*rows, row, row]})


def _shares(share: Share, limit: Scalar, drafts: Drafts) -> Iterator[Planted]:
    """Tables in which the condition is true in just the share of rows that the rule names, and in one more or less."""
    true = drafts.row_where(share.table, share.where, share.condition)
    false = drafts.row_where(share.table, share.where, share.condition, true=False)
    for count, rows in parts_of_share(limit):
        chosen = [true] * count + [false] * (rows - count)
        kept = [row for row in chosen if row is not None]
        if len(kept) == rows:
            yield from _table(drafts, f"{expression_words(share)} is {count} of {rows}", {share.table: kept})


def _outside(member: Row, table: str, scopes: Sequence[Condition | None], drafts: Drafts) -> list[Row]:
    """The same row, but outside of one of the scopes."""
    found = [drafts.changed(member, table, scope, true=False) for scope in scopes if scope is not None]
    return [row for row in found if row is not None]


def _neighbours(member: Row, table: str, by: Sequence[Expression], drafts: Drafts) -> list[Row]:
    """The same row in groups that differ in one of several keys."""
    changes = [_key(table, (name,), 1, drafts) for name in _names(by)] if len(by) > 1 else []
    return [{**member, **change} for change in changes if change is not None]


def _names(by: Sequence[Expression]) -> tuple[str, ...]:
    return tuple(node.name for part in by for node in nodes(part) if isinstance(node, Column))


def _key(table: str, names: Sequence[str], number: int, drafts: Drafts) -> Row | None:
    """Values for the key columns that no other number has; None when a column has not so many."""
    found = {name: made_up(drafts.sample[table][name], number + 1) for name in names}
    enough = all(len(values) > number for values in found.values())
    return {name: values[number] for name, values in found.items()} if enough else None


def _told_apart(rule: Rule, by: Sequence[Expression], rows: list[Row], drafts: Drafts) -> list[Row]:
    """The rows with a value of its own each in the other columns that the rule takes to be unique."""
    parts = [part for part in (rule.must, getattr(rule, "where", None)) if part is not None]
    unique = [_names(node.by) for part in parts for node in nodes(part) if isinstance(node, Unique)]
    names = sorted({*chain(*unique)} - {*_names(by)})
    values = {name: made_up(drafts.sample[rule.table][name], len(rows)) for name in names}
    own = {name: each for name, each in values.items() if len(each) == len(rows)}
    return [{**row, **{name: each[place] for name, each in own.items()}} for place, row in enumerate(rows)]


def _table(drafts: Drafts, label: str, tables: Mapping[str, Sequence[Row]]) -> Iterator[Planted]:
    made = {name: drafts.frame(name, rows) for name, rows in tables.items()}
    frames = {name: frame for name, frame in made.items() if frame is not None}
    if len(frames) == len(made):
        yield label, {**drafts.sample, **frames}

"""Which rows and which events are meant: the table whose columns are named, the status or the date of what happened."""

import re
from collections.abc import Iterator, Mapping

from pandas_magic.catalog.table import EMPTY, Table
from pandas_magic.constraints import check_types, reads
from pandas_magic.constraints.algebra.conditions import Compare, Present, Unique
from pandas_magic.constraints.algebra.expressions import Column, Group, Lookup
from pandas_magic.constraints.algebra.polarity import leaves
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.planner.language.doors.names import spelt
from pandas_magic.planner.language.guards.nodes_needed import each
from pandas_magic.planner.language.guards.said import mentions, tables_named
from pandas_magic.planner.language.linking import ColumnMeant, Linked
from pandas_magic.planner.language.linking.spans import EXACT, PART
from pandas_magic.planner.language.linking.words import name_parts

# How a column is named, and how another one that may be meant as well stands a little farther from the word.
_FARTHER = {"synonym": "part", "part": "word"}
_ON_A_DAY = re.compile(r"\bon (?:(?:its|their|the|his|her|that|a) )?$")


def misplaced(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """What speaks against the table, the date or the status that the rule takes."""
    yield from _of_another_table(constraint, linked)
    yield from _only_there(constraint, linked)
    yield from _happened(constraint, linked)
    yield from _counted_thing(constraint, linked)
    yield from _named_as_well(constraint, linked)
    yield from _of_the_group(constraint, linked)
    yield from _partly_of_another(constraint, linked)


def _of_another_table(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "one performance per hall and day" of bookings, which have no hall."""
    if linked.target is not None or constraint.table in tables_named(linked):
        return
    exact = [{meant.table for meant in span.columns if meant.tier == EXACT} for span in linked.segments()]
    owners = set.intersection(*found) if (found := [tables for tables in exact if tables]) else set()
    if owners and constraint.table not in owners:
        yield f"the columns that it names are those of {' or '.join(sorted(owners))}"
    yield from untyped_elsewhere(constraint, linked.tables, linked.text)


def untyped_elsewhere(constraint: Constraint, tables: Mapping[str, Table], said: str) -> Iterator[str]:
    """Like "price must be positive" where another price is text, for one of its cells is none: that may be meant."""
    read = {*reads(constraint).get(constraint.table, ())}
    if not isinstance(constraint, RowRule) or f"_{spelt(constraint.table)}_" in f"_{spelt(said)}_":
        return
    for name, other in tables.items():
        if not read or name == constraint.table or not read <= {*other.columns}:
            continue
        empty = sorted(column for column in read if other.columns[column] == EMPTY)
        texts = sorted(column for column in read - {*empty} if other.kind(column) in ("text", "mixed"))
        if empty and not texts:
            yield f"{name} has {empty[0]}, too, without a value yet: whether that is meant is not said"
        elif texts and check_types(constraint.model_copy(update={"table": name}), tables):
            yield f"{name} has {texts[0]}, too, and holds texts in it: whether that is meant is not said"


def _only_there(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "a performance on its premiere date", taken for one that has such a date."""
    there = [node.of for node in each(constraint, Present)]
    names = {
        of.of.name if isinstance(of, Lookup) and isinstance(of.of, Column) else getattr(of, "name", "") for of in there
    }
    own = linked.tables[constraint.table].columns
    for of in there:
        if isinstance(of, Lookup) and isinstance(of.of, Column) and of.of.name in own:
            yield f"whether {of.of.name} has to be there, or the same as its own, is not said"
    for mention in mentions(linked):
        dates = {meant.column for meant in _dates(linked) if meant.column in mention.columns}
        if dates & names and _ON_A_DAY.search(linked.text.lower()[: mention.start]):
            yield f"nothing in it happens on the {' or '.join(sorted(dates & names))}"


def _dates(linked: Linked) -> Iterator[ColumnMeant]:
    for span in linked.segments():
        yield from (meant for meant in span.columns if linked.tables[meant.table].kind(meant.column) == "datetime")


def _happened(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "if it was cancelled", where a status tells of today and cancelled_at of what happened."""
    table = linked.tables[constraint.table]
    events = {name_parts(name)[0]: name for name in table.columns if table.kind(name) == "datetime"}
    read = {name_parts(name)[0] for name in reads(constraint).get(constraint.table, ()) if name in events.values()}
    for leaf in leaves(constraint) if isinstance(constraint, RowRule) else ():
        for value in sorted(leaf.values & events.keys() - read):
            said = rf"\b(?:was|were|been|got)(?: \w+){{0,2}} {re.escape(value)}\b"
            if len(leaf.columns) == 1 and re.search(said, linked.text.lower()):
                yield f"whether {min(leaf.columns)} {value!r} or {events[value]} is meant is not said"


def _counted_thing(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "a seat only once", where seats are how many, and seat_no is which."""
    columns = linked.tables[constraint.table].columns
    keys = {by.name for node in each(constraint, Unique) for by in node.by if isinstance(by, Column)}
    for span in linked.segments():
        word = spelt(span.text)
        taken = [
            meant.column
            for meant in span.columns
            if meant.column in keys and spelt(meant.column) in (f"{word}s", f"{word}es")
        ]
        others = [name for name in columns if f"_{word}_" in f"_{spelt(name)}_"]
        if taken and others:
            yield f"whether {taken[0]} or {' and '.join(others)} is meant is not said"


def _named_as_well(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "the amount", taken for discount_amount, though the table has an amount_due."""
    table, read = linked.tables[constraint.table], reads(constraint).get(constraint.table, ())
    for span in linked.segments():
        own = {meant.column: meant for meant in span.columns if meant.table == table.name}
        taken = [meant for name, meant in own.items() if name in read]
        if len(taken) != 1 or taken[0].how not in _FARTHER:
            continue
        kind = table.kind(taken[0].column)
        others = [m.column for m in own.values() if m.how == _FARTHER[taken[0].how] and table.kind(m.column) == kind]
        if others and "%" not in linked.text:
            yield f'"{linked.said(span.start, span.end)}" may be {" or ".join(sorted(others))} as well'


def _of_the_group(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "the sum of amounts per account must equal its balance", taken for the balance of each row."""
    keys = {by.name for node in each(constraint, Group) for by in node.by if isinstance(by, Column)}
    sides = [side for node in each(constraint, Compare) for side in (node.left, node.right)]
    read = {side.name for side in sides if isinstance(side, Column)}
    for span in linked.segments() if keys else ():
        theirs = {meant.table for meant in span.columns if meant.table != constraint.table and meant.tier <= PART}
        own = {meant.column for meant in span.columns if meant.table == constraint.table} & read
        others = sorted(table for table in theirs if keys & linked.tables[table].columns.keys())
        before = linked.text.lower()[: linked.tokens[span.start].start]
        if own and others and re.search(r"\b(?:its|their|his|her) $", before):
            yield f"whether the {span.text} of each row or of {others[0]} is meant is not said"


def _partly_of_another(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "the hours", taken for the prepaid_hours of the pupil though no word speaks of a pupil."""
    spans, told = linked.segments(), tables_named(linked)
    for node in each(constraint, Lookup):
        if not isinstance(node.of, Column) or node.join.table in told:
            continue
        place = (node.join.table, node.of.name)
        if linked.tables[node.join.table].kind(node.of.name) not in ("integer", "number"):
            continue
        named = [
            (meant.tier, span.text) for span in spans for meant in span.columns if (meant.table, meant.column) == place
        ]
        tier, words = min(named, default=(EXACT, ""))
        if tier >= PART:
            yield f"whether the {words} is {node.of.name} of {node.join.table} is not said"

"""Columns that the words name outright, and that the rule passes over for others."""

import re
from collections.abc import Iterator, Mapping
from itertools import chain, product

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import reads
from pandas_magic.constraints.algebra.conditions import Compare
from pandas_magic.constraints.algebra.expressions import Column, Lookup
from pandas_magic.constraints.algebra.polarity import leaves
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.algebra.tree import columns_read
from pandas_magic.planner.language.doors.names import spelt
from pandas_magic.planner.language.guards.nodes_needed import each, equalled, every_node, turned
from pandas_magic.planner.language.guards.said import tables_named
from pandas_magic.planner.language.linking import Linked, LinkedSpan, TableMeant, TruthMeant
from pandas_magic.planner.language.linking.aliases import unit_words
from pandas_magic.planner.language.linking.spans import EXACT, PART
from pandas_magic.planner.language.linking.words import last_word, name_parts

_DEMANDS = re.compile(
    r" (?:must|should|shall|may|can|has to|have to|ought to) (?:not |never |always |only )?(?:be|equal)\b"
)
_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)  # "must be present only if" says which rows
_OPENING = re.compile(r"(?:^|[,:;.]|\b(?:the|then|and|or|but))\s*$")
_STATES = frozenset(
    ("valid", "unique", "complete", "correct", "known", "present", "missing", "active", "duplicate", "value")
)
_ADVERBS = frozenset(("actual", "current", "original", "real"))
_SUFFIXES = frozenset(("date", "timestamp", "code", "id", "name", "label"))
# What stands for yes and no says by itself of no column.
_TRUTHS = frozenset(("y", "n", "yes", "no", "true", "false"))


def passed_over(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """What the words name, and the rule says nothing of, or says of another column."""
    yield from _own_passed_over(constraint, linked)
    yield from _another_pair(constraint, linked)
    yield from _suffix_unfit(constraint, linked)
    yield from called_alike(constraint, linked.tables, linked.rule)
    if not isinstance(constraint, RowRule):
        return
    spans = [span for span in linked.segments() if not span.of(TableMeant)]
    yield from _subject_left_out(constraint, linked, spans)
    yield from _value_elsewhere(constraint, spans)
    yield from _value_of_another_table(constraint, linked)
    yield from _states_passed_over(constraint, linked)


def called_alike(constraint: Constraint, tables: Mapping[str, Table], said: str) -> Iterator[str]:
    """Like Amount for "AMOUNT must be positive", where there is an amount, too: what is written so is meant so."""
    read = reads(constraint)
    for table, name, twins in _twins(constraint, tables):
        others = [one for one in twins if one not in read[table] and _is_written(one, said)]
        opening = name[:1].isupper() and name[0].lower() + name[1:] in twins and said.lstrip().startswith(name)
        if others or opening or not _is_written(name, said):
            yield f"whether `{name}` or `{twins[0]}` is meant is not said"


def by_twins(constraint: Constraint, tables: Mapping[str, Table]) -> Constraint | None:
    """The rule with the column that is called alike in place of its own; None where there is none."""
    own = ((name, twins[0]) for table, name, twins in _twins(constraint, tables) if table == constraint.table)
    return turned(constraint, [(Column(name=name), Column(name=twin)) for name, twin in own], tables)


def _twins(constraint: Constraint, tables: Mapping[str, Table]) -> Iterator[tuple[str, str, list[str]]]:
    """Each column that is read, with its table and the others of it that differ in capitals, spaces or signs alone."""
    for table, names in reads(constraint).items():
        for name in names if table in tables else ():
            if twins := [one for one in tables[table].columns if one != name and spelt(one) == spelt(name)]:
                yield table, name, twins


def _is_written(name: str, said: str) -> bool:
    ends = (r"(?<!\w)" if name[:1].isalnum() else "", r"(?!\w)" if name[-1:].isalnum() else "")
    return bool(re.search(re.escape(name).join(ends), said))


def _exact(span: LinkedSpan, table: str) -> list[str]:
    return [meant.column for meant in span.columns if meant.tier == EXACT and meant.table == table]


def _subject_left_out(rule: RowRule, linked: Linked, spans: list[LinkedSpan]) -> Iterator[str]:
    """Like "furnished must be Y", taken for what furnished ones must be elsewhere."""
    demanded = {column for table, column in columns_read(rule.must, rule.table) if table == rule.table}
    chosen = {column for _, column in columns_read(rule.where, rule.table)} if rule.where is not None else set()
    for span in spans:
        before, behind = linked.text[: linked.tokens[span.start].start], linked.text[linked.tokens[span.end - 1].end :]
        is_subject = not _ONLY.search(linked.text) and _DEMANDS.match(behind) and _OPENING.search(before.lower())
        for name in _exact(span, rule.table) if is_subject else ():
            if name in chosen and name not in demanded:
                yield f"it says which rows by {name}, and not what {name} must be"


def _value_elsewhere(rule: RowRule, spans: list[LinkedSpan]) -> Iterator[str]:
    """Like "status must be pending", taken for payment_status, which knows that value."""
    named = {name for span in spans for name in _exact(span, rule.table)}
    told = {meant.column for span in spans for meant in span.columns if meant.tier <= PART}
    told |= {meant.column for span in spans for meant in span.of(TruthMeant)}
    nearest = {span.columns[0].column for span in spans if span.columns}
    for node in every_node(rule):
        if isinstance(node, Compare) and isinstance(node.left, Column) and isinstance(node.right, Column):
            taken = {node.left.name, node.right.name} - nearest
            yield from (said for name in sorted(taken) for said in _wider(name, named))
        held = [(of, value) for of, value in equalled(node) if isinstance(value, str)]
        of, values = (held[0][0] if held else None), [value for _, value in held]
        if isinstance(of, Column) and of.name not in named:
            yield from _wider(of.name, named)
            if of.name not in told and all(value.lower() in _TRUTHS for value in values):
                yield f"that {' or '.join(values)} is said of {of.name} is not told"


def _value_of_another_table(rule: RowRule, linked: Linked) -> Iterator[str]:
    """Like "the machine must be OK" taken for the code of the machine, where OK is a state of machines."""
    for leaf in leaves(rule):
        of = leaf.told_apart
        known = linked.tables[rule.table].values.get(of.name, ()) if of is not None else ()
        if of is not None and known and leaf.values.isdisjoint(known):
            there = [(value, *place) for value in leaf.values for place in linked.names.literals.get(str(value), ())]
            yield from (
                f"{value!r} stands in {column} of {table}, not in {of.name}" for value, table, column in there[:1]
            )


def _wider(taken: str, named: set[str]) -> Iterator[str]:
    """That a column is named whose words are some of the name that is taken."""
    inside = [name for name in sorted(named - {taken}) if f"_{spelt(name)}_" in f"_{spelt(taken)}_"]
    yield from (f"it names {name}, and {taken} is taken" for name in inside[:1])


def _states_passed_over(rule: RowRule, linked: Linked) -> Iterator[str]:
    """Like "must be valid" where a column is called valid, or "it actually started" beside a start_actual."""
    words = {
        word for token in linked.tokens if token.kind == "word" for word in (token.low, token.low.removesuffix("ly"))
    }
    read = reads(rule)
    for table, columns in read.items():
        for name in linked.tables[table].columns if table in linked.tables else ():
            parts = name_parts(name)
            said = words & _STATES & {name.lower()} or (words & _ADVERBS & {*parts})
            shared = len(parts) == 1 or any({*parts} & {*name_parts(other)} - said for other in columns)
            if said and shared and name not in columns:
                yield f'"{min(said)}" may be said of {name}'


def _own_passed_over(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "the email" taken for the customer's, though the row has a billing_email and no customer is named."""
    named = tables_named(linked)
    for node in each(constraint, Lookup):
        if isinstance(node.of, Column) and node.join.table not in named:
            there = f"_{spelt(node.of.name)}_"
            for own in linked.tables[constraint.table].columns:
                if own not in node.join.columns and there in f"_{spelt(own)}_":
                    yield f"whether {own} or the {node.of.name} of {node.join.table} is meant is not said"


def _another_pair(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "opening before closing" of a shop that has dates (opened, closed) and hours (open_t, close_t)."""
    places = [
        {meant.column: meant.tier for meant in span.columns if meant.table == constraint.table}
        for span in linked.segments()
    ]
    for node in each(constraint, Compare):
        if not isinstance(node.left, Column) or not isinstance(node.right, Column):
            continue
        pair = (node.left.name, node.right.name)
        alike = [[set(there) - set(pair) for there in places if there.get(name, 0) > EXACT] for name in pair]
        for one, other in product(*(sorted(set().union(*named)) for named in alike)):
            ending = one.rpartition("_")[2]
            named_so = any(name.endswith(f"_{ending}") for name in pair)
            if not named_so and ending != one != other and other.endswith(f"_{ending}"):
                yield f"whether {' and '.join(pair)} or {one} and {other} are meant is not said"


def _suffix_unfit(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "the fee date" or "the due date" taken for columns of numbers, fee and due."""
    table, tokens = linked.tables[constraint.table], linked.tokens
    read = {*reads(constraint).get(constraint.table, ())}.intersection(table.columns)
    for span in chain.from_iterable(map(linked.at, range(len(tokens)))):
        suffix = tokens[span.end].low if span.end < len(tokens) else ""
        longer = [one for one in linked.at(span.start) if one.end > span.end]
        if suffix in _SUFFIXES and read.isdisjoint(meant.column for one in longer for meant in one.columns):
            named = {meant.column for meant in span.columns if meant.table == constraint.table} & read
            yield from (f"{name} holds no {suffix}" for name in sorted(named) if _is_unfit(table, name, suffix))


def _is_unfit(table: Table, column: str, suffix: str) -> bool:
    kind = table.kind(column)
    if suffix in ("date", "timestamp"):
        words = table.values.get(column, ())
        return kind in ("integer", "number", "boolean") or bool(words and not re.search(r"\d", "".join(words)))
    is_amount = kind in ("number", "boolean") or (kind == "integer" and last_word(column) in unit_words())
    return is_amount or (kind == "integer" and suffix in ("name", "label"))

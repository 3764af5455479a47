"""Columns that the words name outright, and that the rule passes over for others."""

import re
from collections.abc import Iterator

from pandas_magic.constraints import reads
from pandas_magic.constraints.algebra.conditions import Compare, OneOf
from pandas_magic.constraints.algebra.expressions import (
    Aggregate,
    Column,
    DatePart,
    Group,
    Lookup,
    Now,
    Rollup,
    Span,
    Value,
)
from pandas_magic.constraints.algebra.rules import Constraint, RowRule, TableRule
from pandas_magic.constraints.algebra.tree import columns_read, nodes
from pandas_magic.planner.language.doors.names import spelt
from pandas_magic.planner.language.guards.nodes_needed import every_node
from pandas_magic.planner.language.guards.said import plain_words
from pandas_magic.planner.language.linking import Linked, LinkedSpan, NumberMeant, TableMeant, TruthMeant
from pandas_magic.planner.language.linking.spans import EXACT, PART
from pandas_magic.planner.language.linking.words import last_word, names_data, singular

_LATEST = re.compile(r"^(?!.*\bgaps?\b).*\b(latest|last|most recent|newest|first|earliest|oldest)\b")
_DEMANDS = re.compile(
    r" (?:must|should|shall|may|can|has to|have to|ought to) (?:not |never |always |only )?(?:be|equal)\b"
)
_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)  # "must be present only if" says which rows
_OPENING = re.compile(r"(?:^|[,:;.]|\b(?:the|then|and|or|but))\s*$")
# What stands for yes and no says by itself of no column.
_OLDEST, _FIRST_YEAR = 130, 1000
_STATES = frozenset(("valid", "unique", "complete", "correct", "known", "present", "missing", "active", "duplicate"))
_ADVERBS = frozenset(("actual", "current", "original", "real"))
_TRUTHS = frozenset(("y", "n", "yes", "no", "true", "false"))


def passed_over(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """What the words name, and the rule says nothing of, or says of another column."""
    yield from _extremes(constraint, linked)
    if not isinstance(constraint, RowRule):
        return
    spans = [span for span in linked.segments() if not span.of(TableMeant)]
    yield from _subject_left_out(constraint, linked, spans)
    yield from _value_elsewhere(constraint, linked, spans)
    yield from _keys_measured(constraint, linked)
    yield from _states_passed_over(constraint, linked)
    yield from _ages_unsaid(constraint, linked)
    yield from _dates_turned(constraint, linked)
    yield from _counted(constraint, linked)
    yield from _flags_set(constraint, linked)


def _extremes(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "the latest pulse", which need not be the greatest."""
    said = _LATEST.search(plain_words(linked))
    for node in every_node(constraint) if said else ():
        if not isinstance(node, (Aggregate, Group, Rollup)) or node.statistic not in ("max", "min"):
            continue
        other = node.join.table if isinstance(node, Rollup) else getattr(node, "table", constraint.table)
        if isinstance(node.of, Column) and linked.tables[other].kind(node.of.name) in ("integer", "number"):
            yield f"that {node.of.name} need not be the {'greatest' if node.statistic == 'max' else 'least'} one"
    if isinstance(constraint, TableRule) and any(isinstance(node, Lookup) for node in every_node(constraint)):
        yield "a whole table is compared with what each row refers to"


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


def _value_elsewhere(rule: RowRule, linked: Linked, spans: list[LinkedSpan]) -> Iterator[str]:
    """Like "status must be pending", taken for payment_status, which knows that value."""
    named = {name for span in spans for name in _exact(span, rule.table)}
    told = {meant.column for span in spans for meant in span.columns if meant.tier <= PART}
    told |= {meant.column for span in spans for meant in span.meanings if isinstance(meant, TruthMeant)}
    nearest = {span.columns[0].column for span in spans if span.columns}
    for node in every_node(rule):
        sides = (node.left, node.right) if isinstance(node, Compare) else ()
        if all(isinstance(side, Column) for side in sides):
            for side in sides:
                yield from _wider(side.name, named) if side.name not in nearest else ()  # type: ignore[union-attr]
        of = node.left if isinstance(node, Compare) else node.of if isinstance(node, OneOf) else None
        values = _texts(node)
        if not isinstance(of, Column) or not values or of.name in named:
            continue
        yield from _wider(of.name, named)
        if of.name not in told and all(value.lower() in _TRUTHS for value in values):
            yield f"that {' or '.join(values)} is said of {of.name} is not told"


def _wider(taken: str, named: set[str]) -> Iterator[str]:
    """That a column is named whose words are some of the name that is taken."""
    inside = [name for name in sorted(named - {taken}) if f"_{spelt(name)}_" in f"_{spelt(taken)}_"]
    yield from (f"it names {name}, and {taken} is taken" for name in inside[:1])


def _keys_measured(rule: RowRule, linked: Linked) -> Iterator[str]:
    """Like "a higher salary than their manager", taken for the manager's number."""
    keys = _keys(linked, rule.table)
    named = {name for span in linked.segments() for name in _exact(span, rule.table)}
    for node in every_node(rule):
        if not isinstance(node, Compare) or {getattr(side, "name", "") for side in (node.left, node.right)} <= named:
            continue
        for side, other in ((node.left, node.right), (node.right, node.left)):
            is_key = isinstance(side, Column) and side.name in keys
            if is_key and isinstance(other, Column) and other.name not in keys and node.relation not in ("==", "!="):
                yield f"{side.name} tells rows apart, and is no measure for {other.name}"  # type: ignore[union-attr]
            looked = other.of if isinstance(other, Lookup) else None
            there = _keys(linked, other.join.table) if isinstance(other, Lookup) else set()
            if is_key and isinstance(looked, Column) and looked.name not in there:
                yield f"{side.name} is compared with {looked.name}, which says of what kind a row is"  # type: ignore[union-attr]


def _keys(linked: Linked, table: str) -> set[str | None]:
    references = linked.names.references
    return {references.key(table), *(link.column for link in references.all_from(table))}


def _ages_unsaid(rule: RowRule, linked: Linked) -> Iterator[str]:
    """Like "tickets over 10", taken for the age of who buys them; "students under 18" are young."""
    people = frozenset(names_data()["people"]) | {"child"}
    told = any("AGE" in span.cues for span in linked.segments()) or last_word(rule.table) in people
    told = told or any(not token.forms.isdisjoint(people) for token in linked.tokens)
    named = {meant.column for span in linked.segments() for meant in span.columns if meant.tier <= PART}
    for node in () if told else every_node(rule):
        of = node.left if isinstance(node, Compare) else None
        if isinstance(of, Column) and "age" in spelt(of.name).split("_") and of.name not in named:
            yield f"that {of.name} is meant is not said"


def _dates_turned(rule: RowRule, linked: Linked) -> Iterator[str]:
    """Like "older than" of two dates, of which the older is the earlier; a year 8; an age of 4000 years."""
    said = re.search(r"\b(older|younger)\b", linked.text.lower())
    for node in every_node(rule):
        if isinstance(node, Span) and node.unit == "years" and node.amount > _OLDEST:
            yield f"nobody is {node.amount:g} years old"
        if not isinstance(node, Compare):
            continue
        is_year = isinstance(node.left, DatePart) and node.left.part == "year"
        if (
            is_year
            and isinstance(node.right, Value)
            and isinstance(node.right.value, int)
            and node.right.value < _FIRST_YEAR
        ):
            yield f"{node.right.value} may be no year"
        if said and not any(
            isinstance(part, (Span, Value, Now)) for side in (node.left, node.right) for part in nodes(side)
        ):
            yield f"whether the {said[1]} one is the earlier one is not said"


def _counted(rule: RowRule, linked: Linked) -> Iterator[str]:
    """Like "has two managers", taken for a manager_no of 2."""
    for node in every_node(rule):
        if not isinstance(node, Compare) or node.relation != "==" or not isinstance(node.left, Column):
            continue
        number = node.right.value if isinstance(node.right, Value) else None
        if isinstance(number, (str, bool)) or number is None:
            continue
        name, parts = node.left.name, {*spelt(node.left.name).split("_")}
        for span in linked.segments():
            word = span.text.lower()
            is_many = word.endswith("s") and singular(word) != word and word not in parts
            if is_many and any(meant.column == name for meant in span.columns) and _follows_number(linked, span):
                yield f"whether {name} is that, or there are so many, is not said"


def _follows_number(linked: Linked, span: LinkedSpan) -> bool:
    return span.start > 0 and any(one.of(NumberMeant) for one in linked.at(span.start - 1))


def _flags_set(rule: RowRule, linked: Linked) -> Iterator[str]:
    """Like "the flag must not be set": missing, or no."""
    if re.search(r"\b(?:be|is|are) (?:not )?set\b", linked.text.lower()):
        for name in reads(rule).get(rule.table, ()):
            if linked.names.truth_values(rule.table, name) is not None:
                yield f"whether {name} is set where it says no is not said"


def _states_passed_over(rule: RowRule, linked: Linked) -> Iterator[str]:
    """Like "must be valid" where a column is called valid, or "it actually started" beside a start_actual."""
    words = {
        word for token in linked.tokens if token.kind == "word" for word in (token.low, token.low.removesuffix("ly"))
    }
    read = reads(rule)
    for table, columns in read.items():
        for name in linked.tables[table].columns if table in linked.tables else ():
            parts = spelt(name).split("_")
            said = words & _STATES & {name.lower()} or (words & _ADVERBS & {*parts})
            shared = len(parts) == 1 or any({*parts} & {*spelt(other).split("_")} - said for other in columns)
            if said and shared and name not in columns:
                yield f'"{min(said)}" may be said of {name}'


def _texts(node: object) -> list[str]:
    if isinstance(node, OneOf):
        return [value for value in node.values if isinstance(value, str)]
    right = node.right if isinstance(node, Compare) else None
    return [right.value] if isinstance(right, Value) and isinstance(right.value, str) else []

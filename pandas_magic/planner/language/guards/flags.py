"""Flags and amounts that may be nothing: whether having one means that it is there, or that it is so."""

import re
from collections.abc import Iterator

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import reads
from pandas_magic.constraints.algebra.conditions import Compare, Exists, OneOf, Present
from pandas_magic.constraints.algebra.expressions import Column, Group, Value
from pandas_magic.constraints.algebra.polarity import Leaf, leaves
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.planner.language.guards.nodes_needed import each, turned
from pandas_magic.planner.language.guards.said import mentions
from pandas_magic.planner.language.linking import Linked
from pandas_magic.planner.language.linking.words import is_key_name, name_parts, names_data, parted, word_forms

_THERE_SAID = (
    "missing|null|nulls|nan|empty|blank|absent|filled?|entered|recorded|known|unknown|present|set|stated"
    "|required|mandatory|obligatory|optional|values?|flag|complete"
)
_SAYS_THERE = re.compile(rf"\b(?:{_THERE_SAID})\b")
_SAYS_THERE_OR_SO = re.compile(rf"\b(?:{_THERE_SAID}|none|yes|no)\b")
# Having something, or not, in front of the name of it.
_HAD = re.compile(
    r"\b(?:with|without|have|has|having|had|no|get|gets|got|receives?|lacks?|lacking|needs?|requires?|carry|carries"
    r"|bears?|there (?:is|are|was|were))"
    r"(?: not)?(?: (?:an?|the|any|no|its|their|some|given))*(?: [a-z]+)? $"
)
_ONLY_THOSE = re.compile(r"\bonly (?:(?!(?:may|must|can|should|is|are)\b)[a-z]+ )*$")
_THERE = re.compile(
    r" (?:are (?:present|there)|(?:is|are) (?:only |not |never )?(?:allowed|permitted)"
    r"|(?:may|can) (?:only |not |never )?be (?:only )?(?:given|granted|paid|charged|applied|claimed|taken))\b"
)
_OF_VALUES = re.compile(r"\b(?:different|distinct|same|values?|kinds?|types?)\b")
_ONE_FLAG = re.compile(r"\b(?:one|1|single) x{2,}")
_ONE_ROW = re.compile(r"\b(?:has|have) one x{2,}(?! or more| at least)")
_ONE_AMOUNT = re.compile(r"\b(?:only|at most|no more than|more than) (?:one|1|a single) x{2,}")
_NO_VALUE = frozenset({"none", "no", "nothing", "-", "n/a", "na", "nil", "0"})
_KEY = re.compile(r"_(?:id|key|uuid|guid|no|nr|number|code)$")
_SAYS_SO = re.compile(r"^(?:is|has|had|was|are|ist|hat|har|er|ha|jest)_")


def flags_in_doubt(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """What the rule takes for the presence of a flag or an amount, where a no or a 0 may be meant."""
    yield from _had(constraint, linked)
    yield from _one_of_a_kind(constraint, linked)
    yield from _implied(constraint, linked)
    yield from _flag_there(constraint, linked)
    for of in _numbers_demanded(constraint, linked):
        yield f"whether a {of.name} of 0 is enough is not said"
    yield from _truth_there(constraint, linked)
    if isinstance(constraint, RowRule):
        yield from _set(constraint, linked)
        yield from _other_yes(constraint, linked)


def _had(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "items with a hazard", taken for those whose hazard is known, be it a 1 or a 0."""
    text = linked.without_names
    places = [place for place in mentions(linked) if _HAD.search(text[: place.start])]
    places += [place for place in mentions(linked) if _THERE.match(text[place.end :])]
    if not isinstance(constraint, RowRule) or _SAYS_THERE.search(re.sub(r"\bare present\b", "", text)):
        return
    had = {name for place in places for name in place.columns}
    apart = {name for place in places if _ONLY_THOSE.search(text[: place.start]) for name in place.columns}
    table = linked.tables[constraint.table]
    for leaf, of, is_alone in _presences(constraint, table):
        if of.name not in had:
            continue
        nothing = [value for value in table.values.get(of.name, ()) if value.lower() in _NO_VALUE]
        if linked.names.truth_values(constraint.table, of.name) is not None or (nothing and is_alone):
            yield f"whether {of.name} must be there or must be so is not said"
        elif _is_amount(table, of.name) and is_alone and (leaf.is_scope or leaf.negated or of.name in apart):
            yield f"whether a {of.name} of 0 counts as one is not said"


def _other_yes(constraint: RowRule, linked: Linked) -> Iterator[str]:
    """Like "Y or N" of a column that says J and N: another language's yes is no mistake of every row."""
    for node in each(constraint, OneOf):
        of = node.of.name if isinstance(node.of, Column) else ""
        known = of in linked.tables[constraint.table].columns
        held = linked.names.truth_values(constraint.table, of) if known else None
        if held is not None and held[0] not in node.values and held[1] in node.values:
            said = {str(value).lower() for value in node.values}
            if said in ({*pair.split()} for pair in names_data()["truths"]):
                yield f"{of} says {held[0]} for what is so"


def _presences(constraint: Constraint, table: Table) -> Iterator[tuple[Leaf, Column, bool]]:
    """Each leaf that looks whether a column is filled, the column, and whether no other leaf is about that."""
    found = list(leaves(constraint)) if isinstance(constraint, RowRule) else []
    for leaf in found:
        of = leaf.condition.of if isinstance(leaf.condition, Present) else None
        if isinstance(of, Column) and of.name in table.columns:
            yield leaf, of, sum(of.name in other.columns for other in found) == 1


def _is_amount(table: Table, column: str) -> bool:
    return table.kind(column) in ("integer", "number") and not _KEY.search(parted(column)) and column not in table.keys


def _one_of_a_kind(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "only one premiere per hall", taken for one kind of it, a yes or a no."""
    table = linked.tables[constraint.table]
    own = (Column(name=linked.names.references.key(constraint.table) or ""),)
    if _ONE_ROW.search(linked.without_names) and any(node.of == own for node in each(constraint, Exists)):
        yield "whether there may be more than one is not said"
    for node in each(constraint, Group):
        of = node.of if node.statistic == "distinct" else None
        if isinstance(of, Column) and of.name in table.columns and not _OF_VALUES.search(linked.text.lower()):
            is_flag = linked.names.truth_values(constraint.table, of.name) is not None
            is_row = not word_forms(of.name).isdisjoint(word_forms(constraint.table))  # the grade of grades
            told = _ONE_FLAG if is_flag or is_row else _ONE_AMOUNT
            if told.search(linked.without_names) and (is_flag or is_row or _is_amount(table, of.name)):
                yield f"whether rows with {of.name} are counted or the different values of it is not said"


def _implied(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "fragile implies driver", taken for one driver for all that is fragile and one for all that is not."""
    table = linked.tables[constraint.table]
    for node in each(constraint, Compare) if re.search(r"\bimpl(?:y|ies)\b", linked.text.lower()) else ():
        by = node.left.by if isinstance(node.left, Group) else ()
        for key in by:
            if isinstance(key, Column) and key.name in table.columns:
                is_flag = linked.names.truth_values(constraint.table, key.name) is not None
                if is_flag or table.kind(key.name) != "text":
                    yield f"whether each {key.name} has one value, or what has one has the other, is not said"


def _flag_there(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "claims with a fraud flag", where every row has one that is 0 or 1."""
    table = linked.tables[constraint.table]
    numbers = {name for name in table.columns if table.row_count and table.kind(name) in ("integer", "number")}
    demanded = {name for leaf in leaves(constraint) if not leaf.is_scope for name in leaf.columns}
    amounts = numbers - {*table.missing, *table.keys} - demanded
    for leaf, of, _ in _presences(constraint, table):
        if leaf.is_scope and not leaf.negated and of.name in amounts and not is_key_name(of.name):
            yield f"no row lacks a number in {of.name}, and whether 0 counts as one is not said"


def more_than_none(constraint: Constraint, linked: Linked) -> Constraint | None:
    """The rule with more than 0 of an amount, where it demands one that every row has, or picks those with one."""
    amounts = (*_numbers_demanded(constraint, linked), *_amounts_picked(constraint, linked))
    more = [(Present(of=of), Compare(relation=">", left=of, right=Value(value=0))) for of in amounts]
    return turned(constraint, more, linked.tables)


def _amounts_picked(constraint: Constraint, linked: Linked) -> Iterator[Column]:
    table = linked.tables[constraint.table]
    for leaf, of, _ in _presences(constraint, table) if any(_had(constraint, linked)) else ():
        if leaf.is_scope and not leaf.negated and _is_amount(table, of.name):
            yield of


def _numbers_demanded(constraint: Constraint, linked: Linked) -> Iterator[Column]:
    """Like "must have a doctor" of a has_doctor, or "an adult" of adults: each row has a number, and it may be 0."""
    table, text = linked.tables[constraint.table], linked.text.lower()
    for leaf, of, is_alone in _presences(constraint, table):
        if leaf.is_scope or (len(name_parts(of.name)) > 1 and of.name.lower() in text):
            continue
        is_number = bool(table.row_count) and table.kind(of.name) == "integer" and of.name not in table.missing
        is_told = _SAYS_THERE.search(text) and not _SAYS_SO.match(parted(of.name))
        if is_number and _is_amount(table, of.name) and is_alone and not is_told:
            yield of


def _truth_there(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "must have given consent", taken for a consent that is there, be it a yes or a no."""
    if _SAYS_THERE_OR_SO.search(linked.text.lower()):
        return
    for leaf, of, is_alone in _presences(constraint, linked.tables[constraint.table]):
        held = linked.names.truth_values(constraint.table, of.name)
        if held is not None and is_alone and not leaf.negated:
            yield f"whether {held[1]!r} in {of.name} is enough is not said"


def _set(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "the flag must not be set": missing, or no."""
    if re.search(r"\b(?:be|is|are) (?:not )?set\b", linked.text.lower()):
        for name in reads(constraint).get(constraint.table, ()):
            is_flag = (
                linked.names.truth_values(constraint.table, name)
                or linked.names.kind(constraint.table, name) == "boolean"
            )
            if is_flag:
                yield f"whether {name} is set where it says no is not said"

"""Which one is meant: the row that a value is looked up in, the date among several, a zero or no number."""

import re
from collections.abc import Iterator, Mapping, Sequence

from pandas_magic.catalog.table import Table
from pandas_magic.constraints.algebra.conditions import Any_, Compare, Exists, Not, Present
from pandas_magic.constraints.algebra.expressions import Column, Expression, HowMany, Join, Lookup
from pandas_magic.constraints.algebra.polarity import leaves
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.planner.language.doors.names import spelt
from pandas_magic.planner.language.guards.nodes_needed import each, every_node
from pandas_magic.planner.language.linking import Linked
from pandas_magic.planner.language.linking.words import name_parts, parted
from pandas_magic.record import Record

_SOME_DATE = re.compile(
    r"^\W*(?:the |a |any |every |each |all )?dates? (?:must|should|shall|may|can|cannot|has|have|is|are)\b"
)


def date_in_doubt(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "date must not be in the future", of a table with three dates of which none is called so."""
    table = linked.tables[constraint.table]
    dates = [name for name in table.columns if table.kind(name) == "datetime" or table.read_as.get(name) == "date"]
    if len(dates) > 1 and "date" not in table.columns and _SOME_DATE.match(linked.text.lower()):
        yield f"which of {', '.join(dates)} is meant is not said"


def of_some_row(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "referred_by must be the client_id of a client", which is one of any row and not of the same."""
    text = spelt(linked.text)
    for node in each(constraint, Compare):
        sides = (node.left, node.right) if node.relation == "==" else ()
        names = [side.name for side in sides if isinstance(side, Column)]
        if len(names) > 1:
            for name in names:
                if re.search(rf"_be_(?:the_)?{re.escape(spelt(name))}_of_(?:an?|any|some|another|one)_", text):
                    yield f"whether the {name} of the same row or of any is meant is not said"


_SAYS_MISSING = re.compile(
    r"\b(?:missing|null|none|nan|empty|blank|absent|fill|filled|entered|recorded|known|present|set)\b"
)
_CHARGED = re.compile(r"\bbe (?:charged|paid|levied|billed|invoiced|granted)\b", re.IGNORECASE)
_UNPAID = re.compile(r"\b(?:unpaid|not (?:yet |been )*paid)\b|n't (?:yet |been )*paid\b", re.IGNORECASE)


def none_or_zero(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "interns get no bonus", or "either a debit or a credit", where no row lacks a number: a 0 may be none."""
    table = linked.tables[constraint.table]
    if not table.row_count or _SAYS_MISSING.search(linked.text.lower()):
        return
    whole = {name for name in table.columns if table.kind(name) in ("integer", "number") and name not in table.missing}
    for leaf in leaves(constraint):
        of = leaf.condition.of if isinstance(leaf.condition, Present) else None
        if isinstance(of, Column) and not leaf.negated and of.name in whole and _CHARGED.search(linked.text):
            yield f"no row lacks a number in {of.name}: say whether more than 0 is meant"
        is_number = isinstance(of, Column) and table.kind(of.name) in ("integer", "number")
        if is_number and leaf.negated and _UNPAID.search(linked.text):
            yield "whether a 0 is paid is not said"
    for node in every_node(constraint):
        for of in _looked_for(node):
            if isinstance(of, Column) and of.name in whole - {*table.keys}:
                yield f"no row lacks a number in {of.name}: say whether it must be missing, or 0"


def _looked_for(node: Record) -> tuple[Expression, ...]:
    """What must be missing, or what is one of several of which not all have to be there."""
    if isinstance(node, Not) and isinstance(node.condition, Present):
        return (node.condition.of,)
    several = node.conditions if isinstance(node, (Any_, HowMany)) else ()
    return tuple(part.of for part in several if isinstance(part, Present))


def joins_in_doubt(constraint: Constraint, tables: Mapping[str, Table]) -> Iterator[str]:
    """Which lookups go by columns that are no key of the other table, and what is to be a value of another column."""
    for node in every_node(constraint):
        if isinstance(node, Lookup) and _is_no_key(node.join.keys, node.join.table, tables):
            yield f"several rows of {node.join.table} may share {node.join.keys[0]}, and which one is meant is not said"
        elif isinstance(node, Lookup) and (besides := _told_besides(node.join, tables, constraint.table)):
            yield f"whether the row of {node.join.table} has the same {besides}, too, is not said"
        if isinstance(node, Exists) and node.table == constraint.table and _is_no_key(node.keys, node.table, tables):
            key = node.keys[0]
            if isinstance(node.of[0], Column) and node.of[0].name != key:  # a size that must be one of the colours
                yield f"{key} tells no rows of {node.table} apart: that its values are what may stand there is not said"


def _is_no_key(keys: Sequence[str], table: str, tables: Mapping[str, Table]) -> bool:
    """Whether a column, known to tell no rows apart, is not even called so."""
    there, key = tables[table], keys[0]
    # A key that its own table repeats by mistake, not the key of yet another one.
    is_of_others = any(key in other.keys for other in tables.values() if other is not there)
    is_named_so = _is_key_like(key) and not is_of_others
    return len(keys) == 1 and bool(there.keys) and key not in there.keys and not is_named_so


def _told_besides(join: Join, tables: Mapping[str, Table], table: str) -> str:
    """Another column that both tables have, where the one by which a row is looked up tells no rows apart; or ""."""
    there, here = tables[join.table], tables.get(table)
    if len(join.keys) > 1 or here is None or join.columns[0] not in here.columns or join.keys[0] in there.keys:
        return ""
    shared = [name for name in there.columns if name in here.columns and name != join.keys[0] and _is_key_like(name)]
    return shared[0] if shared and not _is_key_like(join.keys[0]) else ""


def _is_key_like(name: str) -> bool:
    return bool(re.search(r"(?:^|_)(?:id|code|key|uuid)$", parted(name)))


# The way there and the way back: "trips from OSL" speak of no destination.
_WAYS = (
    (re.compile(r"\bfrom (?:the )?$"), frozenset(("to", "into", "destination", "dest", "arrival", "receiver"))),
    (re.compile(r"\b(?:to|into) (?:the )?$"), frozenset(("from", "origin", "source", "departure", "sender"))),
)


def ways_turned(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Which values the words say that something comes from, or goes to, and the rule the other way round."""
    text = linked.text.lower()
    for leaf in leaves(constraint):
        words = {word for column in leaf.columns for word in name_parts(column)}
        for value in sorted(leaf.values):
            said = re.search(rf"(?<!\w){re.escape(value.lower())}(?!\w)", text)
            before = text[: said.start()] if said else ""
            if said and any(way.search(before) and words & others for way, others in _WAYS):
                yield f"{', '.join(sorted(leaf.columns))} is the other way: {before.split()[-1]} {value}"

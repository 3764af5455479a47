"""What is no amount: the number of a row held against a limit, half a row, percent taken from an amount."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Present
from pandas_magic.constraints.algebra.expressions import Aggregate, Arithmetic, Column, Group, Rollup, Span, Value
from pandas_magic.constraints.algebra.polarity import leaves
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.planner.language.doors.names import spelt
from pandas_magic.planner.language.guards.nodes_needed import every_node
from pandas_magic.planner.language.guards.numbers import SHARES
from pandas_magic.planner.language.guards.units import units_mixed
from pandas_magic.planner.language.linking import Linked

_KEY = re.compile(r"_(?:id|key|uuid|guid)$")
_SAYS_THERE = re.compile(
    r"\b(?:missing|null|nulls|none|nan|empty|blank|absent|filled?|entered|recorded|known|unknown|present|set|stated"
    r"|required?s?|mandatory|obligatory|optional|values?|flag|complete|yes|no)\b"
)
_LONG = re.compile(r"(?:^|_)(?:duration|length|term|lasting|minutes|mins?|hours?|days|weeks|months|nights)(?:_|$)")
# "1.000" is a thousand to those who write 1.000,50, and nobody writes the noughts of 1.000 for nothing.
_THOUSANDS = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?:\.\d{3})*\.\d\d0(?![\w.,]*\d)")


def no_measure(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """What the rule measures that is no amount, or in a way that the words leave open."""
    text = linked.text.lower()
    yield from units_mixed(constraint)
    for said in _THOUSANDS.findall(text):
        yield f"whether {said} is a number with decimals or one of thousands is not said"
    for node in every_node(constraint):
        if isinstance(node, Compare):
            yield from _keys_ordered(node, text)
            yield from _rows_divided(node)
            yield from _lasting(node, constraint, linked)
        elif isinstance(node, Arithmetic):
            yield from _percent_moved(node)
    yield from _flag_there(constraint, linked)
    yield from _truth_there(constraint, linked)


def _keys_ordered(compare: Compare, text: str) -> Iterator[str]:
    """Like "no more than one head" taken for a head_id of at most 1."""
    for side in (compare.left, compare.right):
        if isinstance(side, Column) and _KEY.search(spelt(side.name)) and compare.relation not in ("==", "!="):
            words = spelt(side.name).replace("_", r"[\W_]*")
            if not re.search(words, text):
                yield f"{side.name} tells rows apart, and is no amount"


def _rows_divided(compare: Compare) -> Iterator[str]:
    """Like "at least half of the rows" taken for a number of rows of at least 0.5."""
    left, right = compare.left, compare.right
    counted = isinstance(left, (Aggregate, Group, Rollup)) and left.statistic in ("count", "distinct")
    if counted and isinstance(right, Value) and isinstance(right.value, float) and not right.value.is_integer():
        yield f"{right.value:g} is no number of rows"


def _lasting(compare: Compare, constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "no longer than two hours" taken for the time between two dates that the words do not name."""
    took = compare.left
    if not (isinstance(took, Arithmetic) and took.sign == "-" and isinstance(compare.right, Span)):
        return
    table, text = linked.tables[constraint.table], linked.text.lower()
    dates = [side.name for side in (took.left, took.right) if isinstance(side, Column)]
    lengths = [name for name in table.columns if _LONG.search(spelt(name)) and table.kind(name) != "datetime"]
    if len(dates) == 2 and lengths and not any(spelt(name).split("_")[0][:4] in text for name in dates):
        yield f"whether {lengths[0]} or the time from {dates[1]} to {dates[0]} is meant is not said"


def _percent_moved(node: Arithmetic) -> Iterator[str]:
    """Like "the price less the discount", where the discount is in percent."""
    sides = (node.left, node.right)
    shares = [side.name for side in sides if isinstance(side, Column) and SHARES.search(side.name.lower())]
    if node.sign in "+-" and len(shares) == 1 and not any(isinstance(side, Value) for side in sides):
        yield f"{shares[0]} counts percent, and what it is added to or taken from does not"


def _flag_there(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "claims with a fraud flag", where every row has one that is 0 or 1."""
    table = linked.tables[constraint.table]
    numbers = {name for name in table.columns if table.kind(name) in ("integer", "number")}
    found = list(leaves(constraint)) if table.row_count else []
    demanded = {name for leaf in found if not leaf.is_scope for name in leaf.columns}
    for leaf in found:
        of = leaf.condition.of if isinstance(leaf.condition, Present) and leaf.is_scope and not leaf.negated else None
        amounts = numbers - {*table.missing, *table.keys} - demanded
        if isinstance(of, Column) and of.name in amounts and not _KEY.search(spelt(of.name)):
            yield f"no row lacks a number in {of.name}, and whether 0 counts as one is not said"


def _truth_there(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "must have given consent", taken for a consent that is there, be it a yes or a no."""
    if _SAYS_THERE.search(linked.text.lower()):
        return
    found = list(leaves(constraint)) if isinstance(constraint, RowRule) else []
    for leaf in found:
        of = leaf.condition.of if isinstance(leaf.condition, Present) and not leaf.negated else None
        held = linked.names.truth_values(constraint.table, of.name) if isinstance(of, Column) else None
        if held is not None and isinstance(of, Column) and sum(of.name in other.columns for other in found) == 1:
            yield f"whether {held[1]!r} in {of.name} is enough is not said"

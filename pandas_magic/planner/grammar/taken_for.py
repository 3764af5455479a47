"""Readings that take a limit for what it limits, a kind for a possession, the last of all for the last of each."""

from collections.abc import Iterator
from itertools import pairwise

from pandas_magic.constraints.algebra.conditions import Compare
from pandas_magic.constraints.algebra.expressions import Aggregate, Column, Group, Rollup, Value
from pandas_magic.constraints.algebra.rules import Constraint, RowRule, TableRule
from pandas_magic.constraints.algebra.tree import own_nodes
from pandas_magic.planner.grammar import nouns
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.morphology import last_word, name_words
from pandas_magic.planner.grammar.naming import MAKING

_LIMITS = frozenset(("quota", "limit", "max", "maximum", "min", "minimum", "budget", "allowance", "cap", "target"))
# Who allows so many speaks of the limit.
_LIMITING = frozenset(("allow", "permit", "accept", "support", "offer", "include", "hold", "grant", "entitle"))
_KINDS = frozenset((
    "status", "state", "kind", "type", "class", "category", "species", "role", "stage", "phase", "breed", "standing",
))  # fmt: skip
_MAKING = frozenset(MAKING)
_BEING = ("is", "are", "be", "was", "were")


def limit_for_actual(p: Parse, constraint: Constraint) -> bool:
    """Like "farms must deliver less than 10000 litres" of their quota_litres."""
    spoken = {form for token in p.tokens for form in token.forms}
    for node in own_nodes(constraint):
        of = node.left if isinstance(node, Compare) and isinstance(node.right, Value) else None
        if not isinstance(of, Column) or not _is_a_limit(of.name):
            continue
        if spoken.isdisjoint(_LIMITS | _LIMITING) and of.name not in p.text:
            p.refuse(f'"{of.name}" is a limit; name it if that is meant')
            return True
    return False


def _is_a_limit(column: str) -> bool:
    *first, last = name_words(column) or ("",)
    # Behind the name "min" is minutes.
    return not _LIMITS.isdisjoint(first) or (last in _LIMITS and last not in ("min", "minimum"))


def kind_as_possession(p: Parse, constraint: Constraint) -> bool:
    """Like "to have a calf" as a status 'calf', which is what the animal itself would be."""
    low = [token.low for token in p.tokens]
    had = {
        low[place + 2]
        for place, (verb, article) in enumerate(pairwise(low[:-1]))
        if verb in ("have", "has", "having", "had") and article in ("a", "an")
    }
    for node in own_nodes(constraint):
        of, value = (node.left, node.right) if isinstance(node, Compare) else (None, None)
        if not isinstance(of, Column) or not isinstance(value, Value) or last_word(of.name) not in _KINDS:
            continue
        if str(value.value).lower() in had and last_word(of.name) not in low:
            p.refuse(f'to be "{value.value}", or to have one? Write "{of.name} is \'{value.value}\'"')
            return True
    return False


def due_as_equal(p: Parse, constraint: Constraint) -> bool:
    """Like "meters whose calibration is due" as calibrated_on that equals calibration_due: due by now is meant."""
    if not any(verb in _BEING and word == "due" for verb, word in pairwise(token.low for token in p.tokens)):
        return False
    for node in own_nodes(constraint):
        if isinstance(node, Compare) and node.relation in ("==", "!="):
            names = [side.name for side in (node.left, node.right) if isinstance(side, Column)]
            if len(names) == 2 and all(name in p.schema.dates(constraint.table) for name in names):
                p.refuse(f'due when? Write "{names[1]} is in the past"')
                return True
    return False


def last_of_each(p: Parse, constraint: Constraint) -> bool:
    """Like "the last calibration must not be more than 5 years ago", of meters that have one each."""
    if not isinstance(constraint, TableRule):
        return False
    names = [*_last_dates(constraint)]
    low = [token.low for token in p.tokens]
    place = low.index("last") if "last" in low else len(low)
    if not names or place > 2 or len(p.schema.dates(constraint.table)) < 2:
        return False
    if any(True for _ in nouns.table_noun(p, Position(place + 1))):
        return False
    p.refuse(f'the last of each row, or of all? Write "{names[0]} …", or "the latest {names[0]}"')
    return names[0] not in p.text


def _last_dates(constraint: TableRule) -> Iterator[str]:
    for node in own_nodes(constraint):
        if isinstance(node, Aggregate) and node.statistic == "max" and isinstance(node.of, Column):
            yield node.of.name


def rows_or_different(p: Parse, constraint: Constraint) -> bool:
    """Like "each vet treats at most 20 animals a day" as 20 treatments, of which an animal may have several."""
    if not isinstance(constraint, RowRule) or not isinstance(constraint.must, Compare):
        return False
    count = constraint.must.left
    if not isinstance(count, (Group, Rollup)) or count.statistic != "count" or count.of is not None:
        return False
    table = constraint.table if isinstance(count, Group) else count.join.table
    parents = {link.parent: link.column for link in p.schema.links(table)}
    if any(token.forms & p.schema.verbs(table) & _MAKING for token in p.tokens):
        return False  # a passenger who books three flights makes three bookings
    for place, token in enumerate(p.tokens[:-1]):
        for _, noun in nouns.table_noun(p, Position(place + 1)) if token.kind == "number" else ():
            if noun in parents and noun != table:
                p.refuse(f'different {noun}, or rows of "{table}"? Write "different {noun}" or "{table}"')
                return True
    return False


JUDGES = (limit_for_actual, kind_as_possession, due_as_equal, last_of_each, rows_or_different)

"""Texts that are numbers or dates by their content: they are told apart by what they say, not by their spelling."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, OneOf, Parses
from pandas_magic.constraints.algebra.expressions import Column, Expression, ReadAs
from pandas_magic.constraints.algebra.polarity import Leaf, columns_in, leaves
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.planner.language.guards.moments import Tables, place
from pandas_magic.planner.language.guards.nodes_needed import denied_like, each, turned
from pandas_magic.planner.language.linking import Linked
from pandas_magic.planner.language.linking.words import parted

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_DAY_FIRST = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}")
# Of what tells things apart the spelling counts: "007" is not 7.
_NO_QUANTITY = re.compile(r"(?:^|_)(?:id|no|nr|number|code|key|zip|phone|plate|ref)$")


def spelling_compared(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """What compares the spelling of numbers, or calls that no date which is written in another way."""
    tables = linked.tables
    for leaf, of in _numbers_told(constraint, tables):
        if not any(re.search(rf"['\"]{re.escape(value)}['\"]", linked.text) for value in leaf.values):
            yield f"whether {of.name} is compared as a number or as a text is not said"
    for compare in _side_by_side(constraint, tables):
        names = sorted(columns_in(compare))
        yield f"whether {' and '.join(names)} are compared as numbers or as texts is not said"
    for node in each(constraint, Parses):
        if isinstance(node.of, Column) and node.type == "date":
            known = tables[constraint.table].values.get(node.of.name, ())
            if known and all(map(_DAY_FIRST.fullmatch, known)):
                yield f"{node.of.name} holds days like {known[0]!r}, no date in ISO 8601: say which form they must have"


def by_numbers(constraint: Constraint, tables: Tables) -> Constraint | None:
    """The rule with such texts compared as numbers; None where it compares none."""
    told: list[tuple[Condition, Condition]] = []
    for leaf, of in _numbers_told(constraint, tables):
        values = sorted(_number(value) for value in leaf.values)
        told.append((leaf.condition, denied_like(leaf, OneOf(of=ReadAs(of=of, type="number"), values=tuple(values)))))
    for compare in _side_by_side(constraint, tables):
        sides = {name: _read(getattr(compare, name)) for name in ("left", "right")}
        told.append((compare, compare.model_copy(update=sides)))
    return turned(constraint, told, tables)


def _numbers_told(constraint: Constraint, tables: Tables) -> Iterator[tuple[Leaf, Column]]:
    """Each leaf that tells numbers in texts apart by their spelling, and its column."""
    for leaf in leaves(constraint) if isinstance(constraint, RowRule) else ():
        of = leaf.told_apart
        if of is None or not leaf.values or not all(map(_NUMBER.fullmatch, leaf.values)):
            continue
        if _is_quantity(of, constraint.table, tables):
            yield leaf, of


def _side_by_side(constraint: Constraint, tables: Tables) -> Iterator[Compare]:
    for node in each(constraint, Compare):
        sides = (node.left, node.right)
        if node.relation in ("==", "!=") and all(_is_quantity(side, constraint.table, tables) for side in sides):
            yield node


def _is_quantity(side: Expression, table: str, tables: Tables) -> bool:
    there = place(side, table)
    if there is None or _NO_QUANTITY.search(parted(there[1])):
        return False
    return tables[there[0]].read_as.get(there[1]) == "number"


def _number(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def _read(side: Expression) -> Expression:
    if isinstance(side, Column):
        return ReadAs(of=side, type="number")
    return side.model_copy(update={"of": ReadAs(of=getattr(side, "of", side), type="number")})

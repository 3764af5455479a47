"""What a join takes for granted: that rows find their partner, and one only."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from pandas_magic.constraints import Column, Constraint, Exists
from pandas_magic.planner.language.logic import all_of
from pandas_magic.suggestions.code.assumed import unique
from pandas_magic.suggestions.code.called import Called, Rules
from pandas_magic.suggestions.code.frames import Bindings, Frame
from pandas_magic.suggestions.code.literals import texts_of

Given = Mapping[str | int, ast.expr]
_LOST = {
    "inner": "rows without a partner are left out without a word",
    "left": "rows without a partner get missing values",
    "right": "rows without a partner get missing values",
}
# Which side has each key once, as `validate` says it.
_ONCE = {
    "one_to_one": (True, True), "1:1": (True, True), "one_to_many": (True, False), "1:m": (True, False),
    "many_to_one": (False, True), "m:1": (False, True), "many_to_many": (False, False), "m:m": (False, False),
}  # fmt: skip


def joined_by(called: Called) -> Rules:
    """The rules behind `a.merge(b, …)`, `pd.merge(a, b, …)` and `a.join(b.set_index(…), on=…)`."""
    names, call, given = called.names, called.call, called.given
    how, validate = called.text("how"), called.text("validate")
    assert isinstance(call.func, ast.Attribute)
    own = names.frame(call.func.value)
    sides = (call.func.value, *call.args) if own else call.args
    left, right = (names.frame(each) for each in sides[:2]) if len(sides) > 1 else (None, None)
    is_join = call.func.attr == "join"
    how = how or ("left" if is_join else "inner")
    keys = _keys(left, right, given, is_join=is_join) if left and right and not (left.part or right.part) else None
    if not keys or not left or not right:
        return
    first, second = keys
    if how in _LOST and "indicator" not in given:
        yield (_reference(left, first, right, second) if how != "right" else _reference(right, second, left, first),
               _LOST[how], 3)  # fmt: skip
    left_once, right_once = _ONCE.get(validate or "", (False, how in ("inner", "left")))
    said = f'validate="{validate}" says so' if validate in _ONCE else "a key that is there twice repeats rows"
    if right_once:
        yield unique(right, *second), said, 3
    if left_once:
        yield unique(left, *first), said, 3


def looked_up(names: Bindings, found: tuple[Frame, str], by: ast.expr) -> Rules:
    """The rules behind `orders.user_id.map(users.set_index("user_id").country)`."""
    frame, column = found
    other = names.frame(by.value) if isinstance(by, ast.Attribute | ast.Subscript) else None
    if other and other.key and not other.part:
        yield _reference(frame, (column,), other, (other.key,)), "a value without a partner becomes missing", 3
        yield unique(other, other.key), "map stops at a key that is there twice", 3


def _keys(left: Frame, right: Frame, given: Given, *, is_join: bool) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The columns of both sides; None when they are not told."""
    on = texts_of(given.get("on") or given.get(2))
    said = on or texts_of(given.get("left_on")), on or texts_of(given.get("right_on"))
    if is_join or (said[0] and "right_index" in given):
        said = said[0], (right.key,) if right.key else None
    sides = zip((left, right), said, strict=True)
    first, second = ([side.column(name) for name in names or ()] for side, names in sides)
    if not first or len(first) != len(second) or not all((*first, *second)):
        return None
    return tuple(name for name in first if name), tuple(name for name in second if name)


def _reference(left: Frame, first: tuple[str, ...], right: Frame, second: tuple[str, ...]) -> Constraint | None:
    """Each row of one side has a partner on the other; None for a table joined with itself."""
    if left.table.name == right.table.name:
        return None
    where = all_of(right.where) if right.where else None
    of = tuple(Column(name=name) for name in first)
    return left.rule(Exists(of=of, table=right.table.name, keys=second, where=where))

"""Frames that pandas code sorts: by which column is taken off the code, since an order is part of "the row before"."""

import ast
from collections.abc import Iterable

from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, SyntaxTerm, name


def order_taken_off(node: ast.AST) -> str | None:
    """The column by which the frame within is sorted, which is left out of it; None where nothing is sorted.

    Of several columns those before the last must be the groups'. Raises: NothingHolds, NotMeant.
    """
    sorting = list(_calls(node, "sort_values"))
    if not sorting:
        return None
    if len(sorting) > 1 or sorting[0].keywords or len(sorting[0].args) != 1:
        raise NothingHolds("rows are in the order of one column, from the least on: sort_values('id')")
    *outer, column = _columns(sorting[0].args)
    grouping = [column for call in _calls(node, "groupby") for column in _columns(call.args)]
    if outer and set(outer) != set(grouping):
        raise NothingHolds("rows are in the order of one column, within groups; name the groups by groupby")
    assert isinstance(sorting[0].func, ast.Attribute)
    sorting[0].func, sorting[0].args = ast.Attribute(sorting[0].func.value, "copy", ast.Load()), []
    return column


def in_order(before: SyntaxTerm, column: str) -> SyntaxTerm:
    """The value in the row before in the order of the column."""
    return SyntaxTerm("previous", (before.parts[0], name(column), *before.parts[2:]))


def rising(before: SyntaxTerm, relation: str) -> SyntaxTerm:
    """That each value is there and stands so to the one before, which the first row has not."""
    value, missing = before.parts[0], SyntaxTerm("missing", (before,))
    there = SyntaxTerm("not", (SyntaxTerm("missing", (value,)),))
    held = SyntaxTerm("or", (missing, SyntaxTerm(relation, (value, before))))
    return SyntaxTerm("all", (SyntaxTerm("and", (there, held)),))


def _calls(node: ast.AST, method: str) -> Iterable[ast.Call]:
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr == method:
            yield each


def _columns(given: Iterable[ast.AST]) -> list[str]:
    """The names in an argument, a text or a list of texts. Raises: NotMeant for anything else."""
    found = [each for one in given for each in (one.elts if isinstance(one, ast.List | ast.Tuple) else [one])]
    names = [each.value for each in found if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    if not names or len(names) < len(found):
        raise NotMeant("columns that are no names")
    return names

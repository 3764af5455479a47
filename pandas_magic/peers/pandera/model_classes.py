"""Classes below pandera's `DataFrameModel`, read from the syntax tree."""

import ast
from typing import Any

from pandas_magic.peers.pandera.equivalents import LONG_NAMES, OPTIONS, BuiltIn, ColumnSpec, SchemaSpec, named_arguments
from pandas_magic.peers.pandera.python_literals import last_name, literal, place, text_of
from pandas_magic.peers.transfers import CannotRead

_BASES = frozenset({"DataFrameModel", "SchemaModel"})
_FLAGS = frozenset({"nullable", "unique", "coerce", "alias", "regex"})
_IGNORED = frozenset({"title", "description", "metadata", "default", "check_name"})
Unread = list[tuple[str, str, str]]


def is_model(node: ast.ClassDef) -> bool:
    """Whether the class says that it is a model of pandera."""
    return any(last_name(base) in _BASES for base in node.bases)


def model_schema(node: ast.ClassDef) -> SchemaSpec:
    """The schema that the class is. Methods are listed as unread; fields that a parent has are not seen."""
    unread: Unread = []
    columns, config = [], {}
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            columns.append(_field(part, part.target.id))
        elif isinstance(part, ast.ClassDef) and part.name == "Config":
            config = _config(part, unread)
        elif isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
            unread.append((place(part), f"{node.name}.{part.name}", "it is a function, which is not run"))
        elif not isinstance(part, (ast.Expr, ast.Pass)):
            unread.append((place(part), text_of(part), "it is no field of a column"))
    if len(node.bases) > 1 or last_name(node.bases[0]) not in _BASES:
        unread.append((place(node), node.name, "the fields of its other parents are not seen"))
    unique = config.get("unique") or ()
    return SchemaSpec(
        table=str(config.get("name") or node.name),
        where=place(node),
        columns=tuple(columns),
        strict=config.get("strict") is True,
        ordered=config.get("ordered") is True,
        unique=(unique,) if isinstance(unique, str) else tuple(map(str, unique)),
        unread=tuple(unread),
    )


def _config(node: ast.ClassDef, unread: Unread) -> dict[str, Any]:
    found = {}
    for part in node.body:
        target = part.targets[0] if isinstance(part, ast.Assign) else None
        if isinstance(part, ast.Assign) and isinstance(target, ast.Name):
            try:
                found[target.id] = literal(part.value)
            except CannotRead as reason:
                unread.append((place(part), text_of(part), str(reason)))
            if target.id not in ("name", "strict", "ordered", "unique", "title", "description"):
                unread.append((place(part), text_of(part), "this setting of a model is not understood"))
    return found


def _field(part: ast.AnnAssign, name: str) -> ColumnSpec:
    unread: Unread = []
    dtype, required = _dtype(part.annotation)
    given = {}
    if isinstance(part.value, ast.Call) and last_name(part.value.func) == "Field":
        for one in part.value.args:
            unread.append((place(one), text_of(one), "an argument of Field without a name is not understood"))
        for keyword in part.value.keywords:
            try:
                given[keyword.arg or "**"] = literal(keyword.value)
            except CannotRead as reason:
                unread.append((place(keyword.value), f"{name} {text_of(keyword.value)}", str(reason)))
    elif part.value is not None:
        unread.append((place(part), text_of(part), "it is no pa.Field"))
    if given.get("regex"):
        unread.append((place(part), f"{name} regex", "its name is a pattern for many columns; name each column"))
        return ColumnSpec(name, place(part), nullable=True, required=False, unread=tuple(unread))
    return ColumnSpec(
        name=str(given.get("alias") or name),
        where=place(part),
        dtype=dtype,
        nullable=given.get("nullable") is True,
        unique=given.get("unique") is True,
        coerce=given.get("coerce") is True,
        required=required,
        checks=tuple(_checks(given, place(part))),
        unread=tuple(unread),
    )


def _checks(given: dict[str, Any], where: str) -> list[BuiltIn]:
    options = {name: value for name, value in given.items() if name in OPTIONS and name not in _IGNORED}
    found = []
    for name, value in given.items():
        if name in _FLAGS or name in OPTIONS or name in _IGNORED:
            continue
        check = LONG_NAMES.get(name, name)
        named = value if isinstance(value, dict) else {}
        values = [] if named else value if check in ("in_range", "str_length") and isinstance(value, list) else [value]
        found.append(BuiltIn(check, named_arguments(check, values, named), options, where))
    return found


def _dtype(annotation: ast.expr) -> tuple[str, bool]:
    """The type inside `Series[…]`, and whether the column must be there."""
    required = True
    while isinstance(annotation, ast.Subscript) and last_name(annotation.value) in ("Series", "Optional", "Index"):
        required = required and last_name(annotation.value) != "Optional"
        annotation = annotation.slice
    if isinstance(annotation, ast.Constant):
        return str(annotation.value), required
    return text_of(annotation), required

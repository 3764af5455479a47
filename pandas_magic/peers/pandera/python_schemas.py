"""Pandera schemas in Python, read from the syntax tree: the text is parsed and never run.

`DataFrameSchema(…)` calls and classes below `DataFrameModel` are read as far as their parts are literals. Functions
are listed as not understood, unless they are our own and stand as they were exported.
"""

import ast
from collections.abc import Iterator
from typing import Any

from pandas_magic.errors import UsageMistake
from pandas_magic.peers.importing import gather
from pandas_magic.peers.marks import KEY, Mark
from pandas_magic.peers.pandera.equivalents import (
    LONG_NAMES,
    OPTIONS,
    BuiltIn,
    ColumnSpec,
    SchemaSpec,
    named_arguments,
    pieces,
)
from pandas_magic.peers.pandera.model_classes import is_model, model_schema
from pandas_magic.peers.pandera.python_literals import last_name, literal, place, source_of, text_of
from pandas_magic.peers.pandera.schema_statements import shapes_of
from pandas_magic.peers.pandera.yaml_schemas import read_marks
from pandas_magic.peers.transfers import CannotRead, Imported, NotUnderstood

_LONGEST = 2_000_000  # characters; a file of checks has some thousand
_FLAGS = ("nullable", "unique", "coerce", "required", "regex")
_IGNORED = ("title", "description", "default", "metadata", "name", "report_duplicates", "drop_invalid_rows")
Unread = list[tuple[str, str, str]]


def read(text: str, *, table: str = "") -> Imported:
    """The checks of every schema in the module. With one schema `table` may say what it is about.

    Raises: UsageMistake when the text is no Python or holds no schema.
    """
    if len(text) > _LONGEST:
        raise UsageMistake(f"the file has {len(text):,} characters, more than any file of checks")
    try:
        module = ast.parse(text)
        schemas = list(_schemas(module))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageMistake(f"the file is no Python that can be read: {error}") from error
    if not schemas:
        raise UsageMistake("the file holds no DataFrameSchema and no DataFrameModel")
    if table and len(schemas) > 1:
        raise UsageMistake(f"the file holds {len(schemas)} schemas, so that --table {table} cannot name them all")
    found, lost = [], []
    marks: list[Mark] = []
    for schema in schemas:
        about = SchemaSpec(**{**vars(schema), "table": table or schema.table})
        found += list(pieces(about))
        marks += about.marks
        unread = [*schema.unread, *(one for spec in schema.columns for one in spec.unread)]
        lost += [NotUnderstood(where=where, what=what, reason=reason) for where, what, reason in unread]
    return gather(found, lost, prefix="PA", shapes_of=shapes_of, marks=marks, table=table)


def _schemas(module: ast.Module) -> Iterator[SchemaSpec]:
    functions = {node.name: node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(module):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and _is_call(node.value, "DataFrameSchema"):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            assert isinstance(node.value, ast.Call)
            yield _schema(node.value, text_of(target), functions)
        elif isinstance(node, ast.Return) and _is_call(node.value, "DataFrameSchema"):
            assert isinstance(node.value, ast.Call)
            yield _schema(node.value, "", functions)
        elif isinstance(node, ast.ClassDef) and is_model(node):
            yield model_schema(node)


def _is_call(node: ast.AST | None, name: str) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) == name


def _schema(call: ast.Call, variable: str, functions: dict[str, ast.FunctionDef]) -> SchemaSpec:
    given = {keyword.arg or "**": keyword.value for keyword in call.keywords}
    if call.args:
        given["columns"] = call.args[0]
    unread: Unread = [
        (place(one), text_of(one), "only the columns are understood without a name") for one in call.args[1:]
    ]
    flags = {name: _plain(given.pop(name, None), unread) for name in ("strict", "ordered", "unique", "coerce", "name")}
    metadata = _plain(given.pop("metadata", None), [])
    columns = given.pop("columns", None)
    found = _functions(given.pop("checks", None), functions, unread)
    for name, value in given.items():
        if name not in ("title", "description", "unique_column_names", "report_duplicates"):
            unread.append((place(value), f"{name}={text_of(value)}", "this part of a schema is not understood"))
    if flags["coerce"]:
        unread.append((place(call), "coerce", "it converts the values, and a rule only looks at them"))
    unique = flags["unique"] or ()
    return SchemaSpec(
        table=str(flags["name"] or variable),
        where=place(call),
        columns=tuple(_columns(columns, unread)),
        strict=flags["strict"] is True,
        ordered=flags["ordered"] is True,
        unique=(unique,) if isinstance(unique, str) else tuple(map(str, unique)),
        marks=read_marks(metadata.get(KEY)) if isinstance(metadata, dict) else (),
        unread=tuple(unread),
        functions=found,
    )


def _plain(node: ast.expr | None, unread: Unread) -> Any:  # noqa: ANN401 - a literal
    if node is None:
        return None
    try:
        return literal(node)
    except CannotRead as reason:
        unread.append((place(node), text_of(node), str(reason)))
        return None


def _functions(
    node: ast.expr | None, functions: dict[str, ast.FunctionDef], unread: Unread
) -> dict[str, tuple[str, str]]:
    """The checks of a whole table that have a name and a function of this module: id -> its source and its place."""
    found = {}
    for one in _elements(node):
        options = {keyword.arg: keyword.value for keyword in one.keywords} if isinstance(one, ast.Call) else {}
        named = options.get("name")
        function = one.args[0] if isinstance(one, ast.Call) and one.args else None
        if isinstance(function, ast.Name) and function.id in functions and isinstance(named, ast.Constant):
            found[str(named.value)] = (source_of(functions[function.id]), place(one))
        else:
            unread.append((place(one), text_of(one), "a check of the whole table is a function, which is not run"))
    return found


def _elements(node: ast.expr | None) -> list[ast.expr]:
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return []
    return node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]


def _columns(node: ast.expr | None, unread: Unread) -> Iterator[ColumnSpec]:
    if not isinstance(node, ast.Dict):
        if node is not None:
            unread.append((place(node), text_of(node), "the columns are no dictionary that is written out"))
        return
    for key, value in zip(node.keys, node.values, strict=True):
        if not isinstance(key, ast.Constant) or not _is_call(value, "Column"):
            unread.append((place(value), text_of(value), "it is no pa.Column under a name that is written out"))
        else:
            assert isinstance(value, ast.Call)
            yield _column(str(key.value), value)


def _column(name: str, call: ast.Call) -> ColumnSpec:
    given = {keyword.arg or "**": keyword.value for keyword in call.keywords}
    given |= dict(zip(("dtype", "checks"), call.args, strict=False))
    unread: Unread = [(place(one), text_of(one), "it needs its name to be understood") for one in call.args[2:]]
    flags = {flag: _plain(given.pop(flag, None), unread) for flag in _FLAGS}
    dtype = given.pop("dtype", None)
    checks = [_built_in(one, unread) for one in _elements(given.pop("checks", None))]
    for other, value in given.items():
        if other not in _IGNORED:
            unread.append((place(value), f"{name} {other}={text_of(value)}", "this part of a column is not understood"))
    if flags["regex"]:
        unread.append((place(call), f"{name} regex", "its name is a pattern for many columns; name each column"))
        return ColumnSpec(name, place(call), nullable=True, required=False, unread=tuple(unread))
    return ColumnSpec(
        name=name,
        where=place(call),
        dtype="" if dtype is None or text_of(dtype) == "None" else text_of(dtype).strip("'\""),
        nullable=flags["nullable"] is True,
        unique=flags["unique"] is True,
        coerce=flags["coerce"] is True,
        required=flags["required"] is not False,
        checks=tuple(check for check in checks if check is not None),
        unread=tuple(unread),
    )


def _built_in(node: ast.expr, unread: Unread) -> BuiltIn | None:
    if (
        not isinstance(node, ast.Call)
        or not isinstance(node.func, ast.Attribute)
        or last_name(node.func.value) != "Check"
    ):
        unread.append((place(node), text_of(node), "it is a function, which is not run"))
        return None
    check = LONG_NAMES.get(node.func.attr, node.func.attr)
    try:
        given = [literal(one) for one in node.args]
        named = {keyword.arg or "**": literal(keyword.value) for keyword in node.keywords}
    except CannotRead as reason:
        unread.append((place(node), text_of(node), str(reason)))
        return None
    options = {name: value for name, value in named.items() if name in OPTIONS}
    arguments = {name: value for name, value in named.items() if name not in OPTIONS}
    return BuiltIn(check, named_arguments(check, given, arguments), options, place(node))

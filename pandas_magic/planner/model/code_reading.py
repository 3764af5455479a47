"""What is plainly wrong in a piece of pandas code, seen without running it: columns and methods that do not exist."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache

from pandas_magic.catalog.tables import Table
from pandas_magic.constraints import identifier
from pandas_magic.errors import nearest_name


def code_problems(code: str, tables: Mapping[str, Table]) -> tuple[str, ...]:
    """What is plainly wrong in code that parses: columns and methods that do not exist; each in one clause."""
    tree = ast.parse(code)
    names = {identifier(name): table for name, table in tables.items()}
    return tuple(dict.fromkeys([*_unknown_columns(tree, names), *_unknown_methods(tree, names)]))


def binds(code: str, name: str) -> bool:
    """Whether the code gives `name` a value somewhere."""
    return any(
        isinstance(node, ast.Name) and node.id == name and _is_stored(node) for node in ast.walk(ast.parse(code))
    )


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _unknown_columns(tree: ast.AST, tables: Mapping[str, Table]) -> Iterator[str]:
    # A column that the code makes itself may be read afterwards.
    made = {
        target.slice.value
        for node in ast.walk(tree)
        if isinstance(node, (ast.Assign, ast.AugAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in tables:
            table = tables[node.value.id]
            for column in _subscripts(node.slice):
                if column not in table.columns and column not in made:
                    yield _no_column(table, column)


def _subscripts(part: ast.expr) -> Iterator[str]:
    elements = part.elts if isinstance(part, ast.List) else [part]
    for element in elements:
        if isinstance(element, ast.Constant) and isinstance(element.value, str):
            yield element.value


def _no_column(table: Table, column: str) -> str:
    guess = nearest_name(column, table.columns)
    return f'table "{table.name}" has no column "{column}"' + (f'; did you mean "{guess}"?' if guess else "")


def _unknown_methods(tree: ast.AST, tables: Mapping[str, Table]) -> Iterator[str]:
    columns = {column for table in tables.values() for column in table.columns}
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and _is_stored(node)}
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or _is_of_a_module(node.value):
            continue
        if node.attr in columns or node.attr in bound or node.attr in imported or node.attr in _known_methods():
            continue
        guess = nearest_name(node.attr, _known_methods())
        yield f"pandas has no {node.attr}" + (f"; did you mean {guess}?" if guess else "")


def _is_of_a_module(node: ast.expr) -> bool:
    """Whether the attribute is asked of something that is no frame and no column: np.x, stats.x, ax.x, fig.x."""
    while isinstance(node, ast.Attribute):
        node = node.value
    frames = {"df", "violations", "result", "mask"}
    return isinstance(node, ast.Name) and node.id not in frames and len(node.id) <= 5 and node.id != "pd"


@cache
def _known_methods() -> frozenset[str]:
    import pandas as pd
    from pandas.api import typing as shapes

    frame = pd.DataFrame({"a": pd.to_datetime(["2024-01-01"])})
    things: list[object] = [
        pd,
        pd.DataFrame,
        pd.Series,
        pd.Index,
        pd.Timestamp,
        pd.Timedelta,
        pd.Period,
        pd.DatetimeIndex,
    ]
    things += [str, dict, list, set, float, frame["a"].to_numpy(), frame["a"].dt, frame.plot, pd.Series(["x"]).str]
    things += [pd.Series(["x"], dtype="category").cat, pd.Series([pd.Timedelta(1)]).dt]
    things += [getattr(shapes, name) for name in dir(shapes)]
    return frozenset(name for thing in things for name in dir(thing))

"""What is plainly wrong in a piece of pandas code, seen without running it: names, columns, methods not there."""

import ast
import builtins
from collections.abc import Iterator, Mapping
from functools import cache

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import identifier
from pandas_magic.errors import nearest_name, quoted_list

# What is there before the code runs, beside the tables and what Python has.
_GIVEN = frozenset(("pd", "np", "now", "utc_now", "display", "get_ipython", "__name__", *dir(builtins)))


def code_problems(code: str, tables: Mapping[str, Table]) -> tuple[str, ...]:
    """What is plainly wrong in code that parses: names, columns and methods that do not exist; each in one clause."""
    tree = ast.parse(code)
    names = {identifier(name): table for name, table in tables.items()}
    problems = [*_unknown_names(tree, names), *_unknown_columns(tree, names), *_unknown_methods(tree, names)]
    return tuple(dict.fromkeys(problems))


def texts_that_never_occur(code: str, tables: Mapping[str, Table], said: str) -> tuple[str, ...]:
    """Comparisons of a column with a text that it never holds and that nobody said, each in one clause.

    Only columns of few different texts, all of them known, are judged.
    """
    names = {identifier(name): table for name, table in tables.items()}
    found = []
    for column, text in _compared(ast.parse(code)):
        table = names.get(column.value.id) if isinstance(column.value, ast.Name) else None
        name = column.slice.value if isinstance(column.slice, ast.Constant) else None
        if table is None or not isinstance(name, str):
            continue
        values = table.values.get(name, ())
        if values and text not in values and text.casefold() not in said.casefold():
            found.append(f'{table.name}.{name} never is "{text}"; it is one of {quoted_list(values)}')
    return tuple(dict.fromkeys(found))


def _compared(tree: ast.AST) -> Iterator[tuple[ast.Subscript, str]]:
    """Each column that is compared with a text, or looked for in a list of texts."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(
                left=ast.Subscript() as column, ops=[ast.Eq()], comparators=[ast.Constant(value=str(text))]
            ):
                yield column, text
            case ast.Call(
                func=ast.Attribute(value=ast.Subscript() as column, attr="isin"), args=[ast.List(elts=texts)]
            ):
                for each in texts:
                    if isinstance(each, ast.Constant) and isinstance(each.value, str):
                        yield column, each.value


def binds(code: str, name: str) -> bool:
    """Whether the code gives `name` a value somewhere."""
    return any(
        isinstance(node, ast.Name) and node.id == name and _is_stored(node) for node in ast.walk(ast.parse(code))
    )


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _unknown_names(tree: ast.Module, tables: Mapping[str, Table]) -> Iterator[str]:
    given = _GIVEN | set(tables)
    known = given | _bound(tree)
    if "*" in known:
        return  # imported without being named
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in known:
            yield f'there is no "{node.id}"; the tables are {quoted_list(list(tables))}'
    so_far = set(given)
    for statement in tree.body:
        # What a loop, a branch or a function binds within itself has an order of its own.
        if isinstance(statement, (ast.Assign, ast.Expr)):
            for name in _read_at_once(statement.value) - so_far - _bound(statement.value):
                if name in known:
                    yield f'"{name}" is read before it has a value'
        so_far |= _bound(statement)


def _bound(tree: ast.AST) -> set[str]:
    """Every name that the code gives a value anywhere."""
    found: set[str | None] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.ExceptHandler(name=name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.MatchAs(name=name) | ast.MatchStar(name=name) | ast.MatchMapping(rest=name):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add(other or name.partition(".")[0])
    return {name for name in found if name}


def _read_at_once(part: ast.AST) -> set[str]:
    """The names that an expression reads when it is reached; what its functions read, they read later."""
    if isinstance(part, ast.Lambda):
        return set()
    if isinstance(part, ast.Name):
        return {part.id} if isinstance(part.ctx, ast.Load) else set()
    return {name for child in ast.iter_child_nodes(part) for name in _read_at_once(child)}


def _unknown_columns(tree: ast.AST, tables: Mapping[str, Table]) -> Iterator[str]:
    # A column that the code makes itself may be read afterwards.
    made = {
        target.slice.value
        for node in ast.walk(tree)
        if isinstance(node, (ast.Assign, ast.AugAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant)
    }
    for name, column in _columns_asked(tree):
        if name in tables and column not in tables[name].columns and column not in made:
            yield _no_column(tables[name], column)


def _columns_asked(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The name of a frame, and a column that is taken from it or that it is grouped or sorted by."""
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=part):
                yield from ((name, column) for column in _subscripts(part))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="groupby" | "sort_values")):
                parts = [*node.args[:1], *(keyword.value for keyword in node.keywords if keyword.arg == "by")]
                yield from ((name, column) for part in parts for column in _subscripts(part))


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
    others = _of_other_libraries(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or _is_of_a_module(node.value) or _root(node) in others:
            continue
        if node.attr in columns or node.attr in bound or node.attr in imported or node.attr in _known_methods():
            continue
        guess = nearest_name(node.attr, _known_methods())
        yield f"pandas has no {node.attr}" + (f"; did you mean {guess}?" if guess else "")


def _of_other_libraries(tree: ast.AST) -> set[str]:
    """Names of imported modules but pandas, and of what is made by them: px, and fig behind `fig = px.bar(...)`."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {each.asname or each.name.partition(".")[0] for each in node.names if each.name != "pandas"}
        elif isinstance(node, ast.Assign) and _root(node.value) in found:
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found - {"np"}  # what NumPy makes of a frame is one


def _root(node: ast.AST) -> str:
    """The name that a chain of attributes and calls begins with; "" when it begins otherwise."""
    while isinstance(node, (ast.Attribute, ast.Call)):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node.id if isinstance(node, ast.Name) else ""


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

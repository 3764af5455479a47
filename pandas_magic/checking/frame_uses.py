"""How a piece of code uses whole tables: which uses look only at columns that the code names.

A name holds a whole table when a table, or what came of filtering, sorting or merging one, is assigned to it anywhere.
`FrameUses` walks every expression with a whole table in it outward, step by step, until the table is projected to named
columns, reduced to a count of rows, or bound to a name; a step that is not known to be narrow reads every column.
"""

import ast
from collections.abc import Mapping
from typing import TypeGuard

import pandas as pd

# Methods that give a whole table again and look at no column but those that their arguments name.
_NARROW = frozenset(
    {"query", "assign", "copy", "head", "tail", "rename", "drop", "set_index", "reset_index", "sort_values", "merge"}
) | frozenset({"explode", "nlargest", "nsmallest", "astype", "eval", "groupby", "sort_index"})
# Methods that are narrow when this argument (or the position of it) names the columns.
_NARROW_WITH = {
    "drop_duplicates": ("subset", 0),
    "duplicated": ("subset", 0),
    "dropna": ("subset", None),
    "value_counts": ("subset", 0),
    "fillna": ("value", 0),
    "merge": ("on", 2),
    "pivot_table": ("values", 0),
    "pivot": ("values", None),
    "sample": ("n", 0),
}
# On a grouped table: these look at no column; `agg` only at those named in its arguments.
_COUNTS = frozenset({"size", "ngroup", "cumcount", "ngroups", "groups", "indices", "head", "tail", "nth"})
_LOCATORS = frozenset({"loc", "at"})
_ROW_FACTS = frozenset({"index", "empty"})
_MERGE_KEYS = frozenset({"on", "left_on", "right_on"})
_READERS_OF_NAMES = frozenset({"getattr", "globals", "locals", "vars", "eval", "exec", "setattr"})


class FrameUses:
    """The uses of `tables` (name in the code -> its columns) in a syntax tree."""

    def __init__(self, tree: ast.AST, tables: Mapping[str, frozenset[str]]) -> None:
        self._tree, self._tables = tree, tables
        self._parents = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
        # Which tables a name may hold as a whole; a name is in it as soon as any assignment says so.
        self._holders: dict[str, frozenset[str]] = {table: frozenset({table}) for table in tables}
        self._whole: dict[str, str] = {}

    def whole_uses(self) -> dict[str, str]:
        """For each table of which every column may be read, why: the first reason that was found."""
        self._note_computed_names()
        self._note_functions()
        while True:
            before = dict(self._holders)
            for node in ast.walk(self._tree):
                if isinstance(node, ast.Name) and node.id in self._holders and isinstance(node.ctx, ast.Load):
                    self._follow(node, self._holders[node.id])
            if self._holders == before:
                return self._whole

    def _note_computed_names(self) -> None:
        for node in ast.walk(self._tree):
            reason = _computes_names(node)
            if reason:
                self._say(frozenset(self._tables), reason)
                return

    def _note_functions(self) -> None:
        """Functions that may be handed a whole table: in `assign`, between brackets, or by name."""
        for node in ast.walk(self._tree):
            if isinstance(node, ast.FunctionDef) or (isinstance(node, ast.Lambda) and not self._takes_values(node)):
                parameters = node.args
            else:
                continue
            for parameter in (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs):
                self._holders[parameter.arg] = frozenset(self._tables)

    def _takes_values(self, node: ast.Lambda) -> bool:
        """Whether a lambda is an argument of a method that hands it values or columns, such as `map`."""
        call = self._parents[node]
        if isinstance(call, ast.keyword):
            call = self._parents[call]
        return isinstance(call, ast.Call) and not (isinstance(call.func, ast.Attribute) and call.func.attr == "assign")

    def _say(self, tables: frozenset[str], reason: str) -> None:
        for table in tables:
            self._whole.setdefault(table, reason)

    def _follow(self, node: ast.expr, tables: frozenset[str]) -> None:
        """Follow a whole table outward from the expression that is one."""
        step: ast.expr | None = node
        grouped = False
        while step is not None:
            parent = self._parents.get(step)
            step, grouped = self._step(step, parent, tables, grouped)

    def _step(
        self, node: ast.expr, parent: ast.AST | None, tables: frozenset[str], grouped: bool
    ) -> tuple[ast.expr | None, bool]:
        """The next expression outward that is still a whole table (or one in groups), or None when it ends here."""
        match parent:
            case ast.Subscript(value=value) if value is node:
                return self._subscript(parent, tables, grouped)
            case ast.Attribute():
                return self._attribute(parent, tables, grouped)
            case ast.Assign() | ast.AnnAssign() | ast.NamedExpr():
                self._bind(parent, tables)
                return (parent, grouped) if isinstance(parent, ast.NamedExpr) else (None, grouped)
            case ast.IfExp(test=test) if test is not node:
                return parent, grouped
            case ast.Call():
                return self._argument(parent, node, tables), False
            case ast.keyword():
                call = self._parents[parent]
                return (self._argument(call, node, tables) if isinstance(call, ast.Call) else None), False
            case ast.List() | ast.Tuple() if _is_concatenation(around := self._parents.get(parent)):
                return around, False
            case ast.For(iter=iterated, target=target) if iterated is node and grouped:
                self._bind_names(target, tables)
            case ast.Expr():
                pass
            case _:
                self._say(tables, f"it is used as a whole in line {node.lineno}")
        return None, grouped

    def _subscript(self, node: ast.Subscript, tables: frozenset[str], grouped: bool) -> tuple[ast.expr | None, bool]:
        if _is_names(node.slice) or isinstance(node.ctx, (ast.Store, ast.Del)):
            return None, False
        if grouped:
            self._say(tables, f"columns are chosen by a computed value in line {node.lineno}")
            return None, False
        return node, False

    def _attribute(self, node: ast.Attribute, tables: frozenset[str], grouped: bool) -> tuple[ast.expr | None, bool]:
        outer = self._parents.get(node)
        if isinstance(outer, ast.Call) and outer.func is node:
            return self._method(outer, node.attr, tables, grouped)
        if node.attr in _LOCATORS and isinstance(outer, ast.Subscript):
            return self._located(outer, tables)
        if node.attr == "iloc" and isinstance(outer, ast.Subscript) and not isinstance(outer.slice, ast.Tuple):
            return outer, False
        if node.attr == "shape" and isinstance(outer, ast.Subscript) and _is_constant(outer.slice, 0):
            return None, False
        # A column named like an attribute of frames is not reached by a dot: `frame.values` is the whole frame.
        is_column = not hasattr(pd.DataFrame, node.attr) and any(node.attr in self._tables[table] for table in tables)
        if not is_column and not (node.attr in _ROW_FACTS or (grouped and node.attr in _COUNTS)):
            self._say(tables, f"its {node.attr} is used in line {node.lineno}")
        return None, False

    def _located(self, node: ast.Subscript, tables: frozenset[str]) -> tuple[ast.expr | None, bool]:
        if not isinstance(node.slice, ast.Tuple):
            return node, False
        if len(node.slice.elts) == 2 and _is_names(node.slice.elts[1]):
            return None, False
        if len(node.slice.elts) == 2 and _is_everything(node.slice.elts[1]):
            return node, False
        self._say(tables, f"columns are chosen by a computed value in line {node.lineno}")
        return None, False

    def _method(self, call: ast.Call, name: str, tables: frozenset[str], grouped: bool) -> tuple[ast.expr | None, bool]:
        if grouped:
            narrow = name in _COUNTS or (name in ("agg", "aggregate") and _names_its_columns(call))
            if not narrow:
                self._say(tables, f".{name}() takes every column of its groups in line {call.lineno}")
            return (call if narrow and name in ("head", "tail", "nth") else None), False
        if name == "pipe" or not self._is_narrow(call, name):
            self._say(tables, f".{name}() looks at every column in line {call.lineno}")
            return None, False
        if name in ("duplicated", "value_counts", "pivot_table", "pivot"):
            return None, False
        if name == "eval" and "=" not in _first_text(call).replace("==", "").replace(">=", "").replace("<=", ""):
            return None, False
        return call, name == "groupby"

    def _is_narrow(self, call: ast.Call, name: str) -> bool:
        if any(keyword.arg is None for keyword in call.keywords) and name != "assign":
            return False
        given = {keyword.arg for keyword in call.keywords}
        if name == "merge":
            return bool(given & _MERGE_KEYS) or len(call.args) > 2
        if name == "astype":
            return bool(call.args) and isinstance(call.args[0], ast.Dict)
        if name == "rename":
            # A function renames every column, to names that the code does not spell out.
            return all(isinstance(keyword.value, ast.Dict) for keyword in call.keywords) and not call.args
        if name in _NARROW_WITH:
            argument, position = _NARROW_WITH[name]
            if name == "fillna":
                return bool(call.args) and isinstance(call.args[0], ast.Dict)
            return argument in given or (position is not None and len(call.args) > position)
        return name in _NARROW and not (name == "query" and not isinstance(_first(call), ast.Constant))

    def _argument(self, call: ast.Call, node: ast.expr, tables: frozenset[str]) -> ast.expr | None:
        """A whole table is handed to a call: to `len`, a merge by named keys, `pd.concat`, or to we know not what."""
        function = call.func
        if isinstance(function, ast.Name) and function.id == "len":
            return None
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name == "merge" and self._is_narrow(call, "merge"):
            return call
        if name in ("concat",):
            return call
        if name == "loc":
            return call
        self._say(tables, f"it is handed to {name or 'a function'}() in line {call.lineno}")
        return None

    def _bind(self, node: ast.Assign | ast.AnnAssign | ast.NamedExpr, tables: frozenset[str]) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if isinstance(target, ast.Name):
                self._bind_names(target, tables)
            else:
                self._say(tables, f"it is assigned to a part of something in line {node.lineno}")

    def _bind_names(self, target: ast.AST, tables: frozenset[str]) -> None:
        for name in ast.walk(target):
            if isinstance(name, ast.Name):
                self._holders[name.id] = self._holders.get(name.id, frozenset()) | tables


def _computes_names(node: ast.AST) -> str:
    """Why a node may make up the name of a column that the code does not spell out; "" when it does not."""
    if isinstance(node, ast.Call):
        function = node.func
        if isinstance(function, ast.Name) and function.id in _READERS_OF_NAMES:
            return f"{function.id}() may name any column in line {node.lineno}"
        if isinstance(function, ast.Attribute) and _is_text(function.value) and function.attr in ("join", "format"):
            return f"a name may be put together in line {node.lineno}"
    if isinstance(node, ast.JoinedStr) and any(isinstance(part, ast.FormattedValue) for part in node.values):
        return f"a name may be put together in line {node.lineno}"
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Add, ast.Mod)):
        return ""
    joined = _is_text(node.left) or _is_text(node.right)
    return f"a name may be put together in line {node.lineno}" if joined else ""


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_concatenation(node: ast.AST | None) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "concat"


def _is_names(node: ast.expr) -> bool:
    """Whether the expression is a text or a list of texts: columns that are spelled out."""
    if isinstance(node, ast.List):
        return all(_is_names(element) for element in node.elts)
    return _is_text(node)


def _is_everything(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice) and node.lower is None and node.upper is None and node.step is None


def _is_constant(node: ast.expr, value: object) -> bool:
    return isinstance(node, ast.Constant) and node.value == value


def _names_its_columns(call: ast.Call) -> bool:
    """Whether an aggregation says for each result which column it is of."""
    if call.args:
        return len(call.args) == 1 and isinstance(call.args[0], ast.Dict) and not call.keywords
    return bool(call.keywords) and all(_is_column_and_function(keyword.value) for keyword in call.keywords)


def _is_column_and_function(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return bool(node.elts) and _is_names(node.elts[0])
    return isinstance(node, ast.Call)


def _first(call: ast.Call) -> ast.expr | None:
    return next(iter(call.args), None)


def _first_text(call: ast.Call) -> str:
    first = _first(call)
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""

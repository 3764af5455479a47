"""What names stand for at a line of code: tables, rows of them that are left, columns that are as they were."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import Column, Condition, Constraint, Present, RowRule, Unique, reads
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.language.code_files import stated
from pandas_magic.planner.language.logic import all_of
from pandas_magic.suggestions.code.literals import Literals, text_of, texts_of

# What gives back the same rows, and what gives back some of them.
_SAME = frozenset({"astype", "copy", "sort_values", "sort_index", "reset_index", "convert_dtypes", "infer_objects"})
_SOME = frozenset({"head", "tail", "sample", "nlargest", "nsmallest", "filter"})
_RETYPING = frozenset({"astype", "to_datetime", "to_numeric"})


@dataclass(frozen=True)
class Frame:
    """Rows of a table, under a name of the code: those in which `where` holds, all columns but `changed` as they were.

    `part` says which line keeps rows by what is not understood; "": none.
    """

    table: Table
    where: tuple[Condition, ...] = ()
    changed: Mapping[str, int] = field(default_factory=dict)  # column -> line
    renamed: Mapping[str, str] = field(default_factory=dict)  # name in the code -> column
    part: str = ""
    regrouped: bool = False  # whether a join or the like may have repeated rows, or left repeated ones out
    key: str = ""  # the column that was made the index

    def column(self, name: str) -> str | None:
        """The column of the table that the name means and that nothing changed; None when there is none."""
        real = self.renamed.get(name, name)
        return real if real in self.table.columns and real not in self.changed else None

    def with_changed(self, *names: str, line: int) -> Frame:
        """The frame after a line that changed those columns."""
        real = {self.renamed.get(name, name): line for name in names}
        return replace(self, changed={**self.changed, **real})

    def kept(self, condition: Condition) -> Frame:
        """The rows of it in which the condition holds."""
        return replace(self, where=(*self.where, condition))

    def is_known(self, column: str) -> bool:
        """Whether only rows are left in which the column has a value."""
        return Present(of=Column(name=column)) in (part for each in self.where for part in _parts(each))

    def rule(self, must: Condition) -> RowRule | None:
        """The rule that the condition holds in these rows of the table; None when nobody can say which they are."""
        if self.part or (self.regrouped and isinstance(must, Unique)):
            return None
        return RowRule(table=self.table.name, where=all_of(self.where) if self.where else None, must=must)

    def within(self, rule: Constraint) -> RowRule | None:
        """A rule as one about these rows only; None for one about the table as a whole."""
        if not isinstance(rule, RowRule) or (own := self.rule(rule.must)) is None:
            return None
        where = [each for each in (own.where, rule.where) if each]
        return rule.model_copy(update={"where": all_of(where) if where else None})


@dataclass
class Bindings:
    """Every table by its name, and what the names of the code stand for at the line that is read."""

    tables: Mapping[str, Table]
    target: str | None = None  # the table of frames that are nobody's
    bound: dict[str, Frame | None] = field(default_factory=dict)  # None: to something that is no table
    series: dict[str, tuple[Frame, str]] = field(default_factory=dict)
    literals: Literals = field(default_factory=Literals)

    def frame(self, node: ast.AST) -> Frame | None:
        """The rows of a table that the expression is; None when it is none, or nobody can say."""
        match node:
            case ast.Name(id=name):
                return self._named(name)
            case ast.Call(func=ast.Attribute(value=of, attr=method)):
                return self._read(node) if method.startswith("read_") else self._after(of, method, node)
            case ast.Subscript(value=ast.Attribute(value=of, attr="loc"), slice=part):
                return self._selected(of, part)
            case ast.Subscript(value=of, slice=part):
                return self._selected(of, part)
        return None

    def column(self, node: ast.AST) -> tuple[Frame, str] | None:
        """The column that the expression is, whatever type it was given; None when it is another thing."""
        match node:
            case ast.Name(id=name):
                return self.series.get(name)
            case ast.Attribute(value=of, attr=name) | ast.Subscript(value=of, slice=ast.Constant(value=str() as name)):
                frame = self.frame(of)
                real = frame.column(name) if frame else None
                return (frame, real) if frame and real else None
            case ast.Call(func=ast.Attribute(value=of, attr=method), args=args) if method in _RETYPING:
                return self.column(of) or (self.column(args[0]) if args and method != "astype" else None)
        return None

    def condition(self, mask: ast.expr, frame: Frame) -> Condition | None:
        """What a mask says of the rows of a frame; None when that is not understood, or about changed columns."""
        whole = ast.Call(ast.Attribute(mask, "all", ast.Load()), [], [])
        rule = self.said(whole, frame)
        return rule.must if isinstance(rule, RowRule) and rule.where is None and not rule.tolerance else None

    def said(self, test: ast.expr, frame: Frame) -> Constraint | None:
        """The rule that a test states of a frame; None when that is not understood, or about changed columns."""
        tables = {name: table for name, table in self.tables.items() if table.columns}
        one = stated(0, _Renamed(self).visit(ast.parse(ast.unparse(test), mode="eval")).body, tables, frame.table.name)
        rule = read_canonical(one.rule) if one.rule else None
        if rule is None or rule.table != frame.table.name:
            return None
        is_whole = not (frame.where or frame.regrouped)
        return None if set(reads(rule)[rule.table]) & set(frame.changed) else rule if is_whole else frame.within(rule)

    def is_told(self, node: ast.AST) -> bool:
        """Whether the name is that of a table, or was bound to rows of one."""
        if not isinstance(node, ast.Name):
            return False
        return (self.bound[node.id] if node.id in self.bound else self.tables.get(node.id)) is not None

    def _named(self, name: str) -> Frame | None:
        if name in self.bound:
            return self.bound[name]
        table = self.tables.get(name) or (self.tables.get(self.target) if self.target else None)
        return Frame(table) if table else None

    def _read(self, call: ast.Call) -> Frame | None:
        """`pd.read_csv("data/orders.csv")` is the table orders."""
        given = [*call.args, *(each.value for each in call.keywords if each.arg and "path" in each.arg)]
        said = text_of(given[0]) if given else None
        stem = PurePath(said.replace("\\", "/").rsplit("/", 1)[-1]).name.split(".")[0] if said else ""
        table = self.tables.get(stem) or (self.tables.get(self.target) if self.target else None)
        return Frame(table) if table else None

    def _selected(self, of: ast.AST, part: ast.AST) -> Frame | None:
        frame = self.frame(of)
        if frame is None or isinstance(part, ast.Constant):
            return None
        if isinstance(part, ast.Tuple):
            part = part.elts[0] if part.elts else part
        if texts_of(part) is not None or (isinstance(part, ast.Slice) and part.lower is part.upper is None):
            return frame
        condition = self.condition(part, frame) if isinstance(part, ast.expr) else None
        return frame.kept(condition) if condition else replace(frame, part=ast.unparse(part))

    def _after(self, of: ast.AST, method: str, call: ast.Call) -> Frame | None:
        """The frame that a method gives back; of a module it is what is made of the first argument."""
        frame = self.frame(of)
        if frame is None and method == "merge" and call.args:
            frame = self.frame(call.args[0])
        if frame is None or method in _SAME:
            return frame
        if method in _SOME:
            return replace(frame, part=ast.unparse(call))
        known = {each.arg: each.value for each in call.keywords if each.arg}
        then = _THEN.get(method)
        return then(self, frame, call, known) if then else None

    def dropped(self, frame: Frame, call: ast.Call, known: Known) -> Frame:
        """`dropna`, of some columns or of all."""
        given = known.get("subset") or (call.args[0] if call.args else None)
        columns = texts_of(given) if given is not None else tuple(frame.table.columns)
        found = [Present(of=Column(name=real)) for name in columns or () if (real := frame.column(name))]
        return frame.kept(all_of(found)) if found else frame

    def queried(self, frame: Frame, call: ast.Call, known: Known) -> Frame:
        """`query("a > 0")`."""
        condition = None
        try:
            mask = ast.parse(text_of(call.args[0]) or "", mode="eval").body if call.args else None
            condition = self.condition(_Columns(frame).visit(mask), frame) if mask else None
        except (SyntaxError, ValueError):
            pass
        return frame.kept(condition) if condition else replace(frame, part=ast.unparse(call))

    def renamed(self, frame: Frame, call: ast.Call, known: Known) -> Frame:
        """`rename(columns={…})`."""
        names = self.literals.mapping(known.get("columns"))
        return replace(frame, renamed={**frame.renamed, **{str(new): str(old) for old, new in names.items()}})


def _indexed(names: Bindings, frame: Frame, call: ast.Call, known: Known) -> Frame:
    said = texts_of(call.args[0] if call.args else known.get("keys")) or ()
    return replace(frame, key=frame.column(said[0]) or "") if len(said) == 1 else frame


def _joined(names: Bindings, frame: Frame, call: ast.Call, known: Known) -> Frame | None:
    """The rows of the left table, with columns of another beside theirs; some may be there twice."""
    return replace(frame, regrouped=True) if text_of(known.get("how")) in (None, "inner", "left") else None


def _less_columns(names: Bindings, frame: Frame, call: ast.Call, known: Known) -> Frame:
    return frame if {"columns", "axis"} & set(known) else replace(frame, part=ast.unparse(call))


Known = Mapping[str, ast.expr]
_THEN: Mapping[str, Callable[[Bindings, Frame, ast.Call, Known], Frame | None]] = {
    "dropna": Bindings.dropped,
    "query": Bindings.queried,
    "rename": Bindings.renamed,
    "set_index": _indexed,
    "merge": _joined,
    "join": _joined,
    "drop": _less_columns,
    "drop_duplicates": lambda names, frame, call, known: replace(frame, regrouped=True),
    "assign": lambda names, frame, call, known: frame.with_changed(*known, line=call.lineno),
    "fillna": lambda names, frame, call, known: frame.with_changed(*frame.table.columns, line=call.lineno),
    "replace": lambda names, frame, call, known: frame.with_changed(*frame.table.columns, line=call.lineno),
}


class _Renamed(ast.NodeTransformer):
    """Names of the code as those of the tables and of the columns."""

    def __init__(self, names: Bindings) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if series := self._names.series.get(node.id):
            return _column(*series)
        frame = self._names.frame(node)
        return ast.Name(frame.table.name, ast.Load()) if frame else node


class _Columns(ast.NodeTransformer):
    """Bare names as columns of the frame."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return _column(self._frame, node.id) if node.id in self._frame.table.columns else node


def _column(frame: Frame, name: str) -> ast.AST:
    return ast.Subscript(ast.Name(frame.table.name, ast.Load()), ast.Constant(name), ast.Load())


def _parts(condition: Condition) -> Iterator[Condition]:
    yield condition
    for part in condition.conditions if condition.node == "all" else ():
        yield from _parts(part)

"""The statements of a file in their order: what each takes for granted, and what names stand for behind it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import All, Compare, Condition, Parses, Present, Value
from pandas_magic.planner.language.code_files import asserted
from pandas_magic.planner.language.logic import all_of
from pandas_magic.suggestions.code.assumed import Assumption, compared
from pandas_magic.suggestions.code.called import Called
from pandas_magic.suggestions.code.calls import assumed_by_call
from pandas_magic.suggestions.code.frames import Bindings, Frame

_QUOTIENTS = (ast.Div, ast.FloorDiv, ast.Mod)
# Within these, somebody has thought of what does not fit.
_GUARDS = frozenset({"where", "mask", "select", "divide", "true_divide", "safe_divide", "errstate"})


def assumptions(text: str, tables: Mapping[str, Table], *, target: str | None = None) -> list[Assumption]:
    """What the code takes for granted of the tables, in its order; the text is read and never run.

    `target` is the table of frames that nothing else says. Raises: SyntaxError.
    """
    return list(_Reading(Bindings(tables, target)).block(ast.parse(text).body))


class _Reading:
    def __init__(self, names: Bindings) -> None:
        self._names = names

    def block(self, statements: list[ast.stmt]) -> Iterator[Assumption]:
        """What statements take for granted, one after the other."""
        for statement in statements:
            yield from self._statement(statement)

    def _statement(self, statement: ast.stmt) -> Iterator[Assumption]:
        if (test := asserted(statement)) is not None:
            yield from self._stated(test)
            if not isinstance(statement, ast.Assign):
                return
        if isinstance(statement, ast.Try) and statement.handlers:
            for _ in self.block(statement.body):
                pass  # what goes wrong in it is seen to
            yield from self.block(statement.finalbody)
            return
        for inner in _expressions(statement):
            yield from self._expression(inner)
        yield from self._bound(statement)
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            for name in [each.arg for each in statement.args.args]:
                self._names.bound.pop(name, None)
        for part in ("body", "orelse", "finalbody"):
            yield from self.block(getattr(statement, part, []))

    def _stated(self, test: ast.expr) -> Iterator[Assumption]:
        """An assertion, of one of the frames that it names."""
        frames = {frame.table.name: frame for node in ast.walk(test) if (frame := self._frame_in(node))}
        if not frames:
            return
        rules = [self._names.said(test, frame) for frame in frames.values() if not frame.part]
        rule = next((each for each in rules if each is not None), None)
        words = {
            each.value if isinstance(each, ast.Constant) else getattr(each, "attr", None) for each in ast.walk(test)
        }
        changed = sorted({line for each in frames.values() for name, line in each.changed.items() if name in words})
        why = "what it asserts cannot be told as a rule about the table"
        if changed:
            why = f"it is about what line {', '.join(map(str, changed))} left, not about the table as it lies"
        yield Assumption(test.lineno, ast.unparse(test), rule, "the code asserts it" if rule else why, 3)

    def _frame_in(self, node: ast.AST) -> Frame | None:
        if isinstance(node, ast.Name) and node.id in self._names.series:
            return self._names.series[node.id][0]
        return self._names.frame(node) if isinstance(node, ast.Name) else None

    def _expression(self, whole: ast.expr) -> Iterator[Assumption]:
        for node, around in _within(whole, ()):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                yield from assumed_by_call(Called(self._names, node, around))
            elif isinstance(node, ast.BinOp) and isinstance(node.op, _QUOTIENTS):
                yield from self._quotient(node, around)

    def _quotient(self, node: ast.BinOp, around: tuple[ast.AST, ...]) -> Iterator[Assumption]:
        found = self._names.column(node.right)
        guarded = any(isinstance(each, ast.Call) and _name_of(each) in _GUARDS for each in around)
        if found is None or guarded or _is_text(node.left):  # "%d" % n formats
            return
        frame, column = found
        rule = frame.rule(compared(column, "!=", 0))
        if rule and frame.table.kind(column) in ("integer", "number"):
            yield Assumption(node.lineno, ast.unparse(node), rule, "a quotient by 0 is infinite, or nothing", 2)

    def _bound(self, statement: ast.stmt) -> Iterator[Assumption]:
        """What names stand for behind the statement; a filter under its table's name assumes what it keeps."""
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                before, after = self._names.frame(ast.Name(name)), self._names.frame(value)
                if before and after and isinstance(value, ast.Subscript):
                    yield from _cleaned(before, after, value)
                self._bind(name, value, after)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._changed(target, value)
            case ast.AugAssign(target=target, value=value):
                self._changed(target, value)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name))) as call):
                if any(
                    each.arg == "inplace" and self._names.literals.value(each.value) is True for each in call.keywords
                ):
                    self._names.bound[name] = self._names.frame(call)
            case ast.For(target=ast.Name(id=name)) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                self._names.bound[name] = None
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                self._names.bound |= dict.fromkeys(each.asname or each.name.split(".")[0] for each in names)

    def _bind(self, name: str, value: ast.expr, frame: Frame | None) -> None:
        column = self._names.column(value)
        self._names.series.pop(name, None)
        self._names.literals.bind(name, value)
        if column is not None:
            self._names.series[name] = column
        # What a function of nobody's knowledge gives is the table that it is named after.
        is_foreign = isinstance(value, ast.Call) and not any(map(self._names.is_told, ast.walk(value)))
        if frame is None and is_foreign and column is None:
            self._names.bound.pop(name, None)
        else:
            self._names.bound[name] = frame

    def _changed(self, target: ast.expr, value: ast.expr) -> None:
        """Take note that a column is no longer as it was, unless it only got another type."""
        match target:
            case ast.Subscript(value=of) | ast.Attribute(value=of):
                root = next((each for each in ast.walk(of) if isinstance(each, ast.Name)), None)
                frame = self._names.frame(root) if root else None
                column, same = _column_written(target), self._names.column(value)
                if root is None or frame is None or (same and same[1] == frame.column(column)):
                    return
                names = (column,) if column else tuple(frame.table.columns)
                self._names.bound[root.id] = frame.with_changed(*names, line=target.lineno)
            case ast.Name(id=name):
                self._names.bound[name] = None
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    self._changed(part, value)


def _column_written(target: ast.expr) -> str:
    """The column that `df["a"] =`, `df.a =` and `df.loc[rows, "a"] =` write; "" when it may be any."""
    match target:
        case ast.Attribute(attr=name):
            return name if name not in ("columns", "index") else ""
        case ast.Subscript(value=ast.Attribute(attr="loc" | "at"), slice=ast.Tuple(elts=[_, ast.Constant(value=name)])):
            return str(name)
        case ast.Subscript(value=ast.Name(), slice=ast.Constant(value=name)):
            return str(name)
    return ""


def _cleaned(before: Frame, after: Frame, value: ast.expr) -> Iterator[Assumption]:
    """A filter by what rows should be like; one by what they are about chooses rows, and says nothing of the others."""
    new = after.where[len(before.where) :]
    if new and before.table == after.table and all(_is_about_quality(each) for each in new):
        why = "rows that break it are left out from here on"
        yield Assumption(value.lineno, ast.unparse(value), before.rule(all_of(new)), why, 1)


def _is_about_quality(condition: Condition) -> bool:
    """Whether the condition is one on numbers, on texts that can be read, or on values that are there."""
    match condition:
        case All(conditions=parts):
            return all(_is_about_quality(part) for part in parts)
        case Compare(relation=relation, right=Value(value=value)):
            return relation != "==" and not isinstance(value, str | bool)
        case Present() | Parses():
            return True
    return False


def _within(node: ast.AST, around: tuple[ast.AST, ...]) -> Iterator[tuple[ast.AST, tuple[ast.AST, ...]]]:
    """The node and all in it, each with what stands around it; functions without a name are not looked into."""
    yield node, around
    for child in ast.iter_child_nodes(node) if not isinstance(node, ast.Lambda) else ():
        yield from _within(child, (node, *around))


def _expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement itself, not those of statements in it."""
    for _, value in ast.iter_fields(statement):
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.withitem):
                yield each.context_expr
            elif isinstance(each, ast.expr):
                yield each


def _name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))

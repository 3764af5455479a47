"""Python and pandas conditions as terms, read from Python's own syntax tree and never run."""

import ast
import warnings
from collections.abc import Iterable
from itertools import pairwise

from pandas_magic.planner.language.doors.pandas_calls import CALLS, called_function, called_of_library
from pandas_magic.planner.language.doors.terms import NotMeant, Term, literal, name

_RELATIONS: dict[type[ast.AST], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "!=",
}  # fmt: skip
_DATE_PARTS = frozenset({"year", "quarter", "month", "day", "hour", "minute"})
_WEEKDAYS = frozenset({"dayofweek", "day_of_week", "weekday"})
_LIBRARIES = frozenset({"pd", "pandas", "np", "numpy", "datetime", "date", "dt"})
_DEEPEST = 60


def python_term(text: str) -> Term:
    """The condition that the Python expression is, all of it. Raises: NotMeant."""
    try:
        with warnings.catch_warnings():
            # In '\\d' a person means a pattern; Python keeps the backslash, and need not tell us so.
            warnings.simplefilter("ignore", SyntaxWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            tree = ast.parse(text.strip(), mode="eval").body
        return _Python().term(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotMeant(str(error)) from error


class _Python:
    """Nodes as terms, with the depth at hand counted."""

    def __init__(self) -> None:
        self.depth = 0

    def term(self, node: ast.AST) -> Term:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NotMeant("nested too deep")
        try:
            return self._operation(node) or self._value(node)
        finally:
            self.depth -= 1

    def terms(self, nodes: Iterable[ast.AST]) -> tuple[Term, ...]:
        return tuple(map(self.term, nodes))

    def _operation(self, node: ast.AST) -> Term | None:
        match node:
            case ast.BinOp(op=op, left=left, right=right) if type(op) in _SIGNS:
                return Term(_SIGNS[type(op)], (self.term(left), self.term(right)))
            case ast.BoolOp(op=op, values=values):
                return Term("and" if isinstance(op, ast.And) else "or", self.terms(values))
            case ast.UnaryOp(op=ast.Invert() | ast.Not(), operand=operand):
                return Term("not", (self.term(operand),))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                if isinstance(operand, ast.Constant) and isinstance(operand.value, (int, float)):
                    return literal(-operand.value)
                return Term("-", (self.term(operand),))
            case ast.Compare():
                return self._compared(node)
            case ast.Call():
                return self._called(node)
        return None

    def _compared(self, node: ast.Compare) -> Term:
        sides = self.terms([node.left, *node.comparators])
        found = []
        for op, (left, right) in zip(node.ops, pairwise(sides), strict=True):
            if type(op) in _RELATIONS:
                found.append(Term(_RELATIONS[type(op)], (left, right)))
                continue
            kind = "is" if isinstance(op, (ast.Is, ast.IsNot)) else _among(right)
            bracketed = "bracketed" if any(isinstance(node, ast.List) for node in node.comparators) else None
            test = Term(kind, (left, right), said=bracketed)
            found.append(Term("not", (test,)) if isinstance(op, (ast.IsNot, ast.NotIn)) else test)
        return found[0] if len(found) == 1 else Term("and", tuple(found))

    def _called(self, node: ast.Call) -> Term:
        keywords = {each.arg: self.term(each.value) for each in node.keywords if each.arg is not None}
        if len(keywords) < len(node.keywords):
            raise NotMeant("**")
        given = self.terms(node.args)
        if isinstance(node.func, ast.Name):
            return called_function(node.func.id, given, keywords)
        if not isinstance(node.func, ast.Attribute):
            raise NotMeant("a call")
        of: ast.AST = node.func.value
        method = node.func.attr
        if _root(of) in _LIBRARIES:
            test = method in ("isna", "isnull", "notna", "notnull")
            return (called_function if test else called_of_library)(method, given, keywords)
        match of:
            case ast.Attribute(value=inner, attr="str" | "dt" as accessor):
                of, method = inner, f"{accessor}.{method}"
        if method not in CALLS:
            raise NotMeant(method)
        return CALLS[method](self.term(of), given, keywords)

    def _value(self, node: ast.AST) -> Term:
        match node:
            case ast.Constant(value=bool() | int() | float() | str() | None as value):
                return literal(value)
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                return Term("list", self.terms(parts))
            case ast.Name(id=said):
                return name(said)
            case ast.Attribute(value=of, attr=attr):
                return self._attribute(of, attr)
            case ast.Subscript(value=of, slice=part):
                return self._subscript(of, part)
        raise NotMeant(type(node).__name__)

    def _attribute(self, of: ast.AST, attr: str) -> Term:
        if isinstance(of, ast.Attribute) and of.attr == "dt":
            return _date_part(self.term(of.value), attr)
        if attr in ("is_unique", "empty"):
            return Term(attr.removeprefix("is_"), (self.term(of),))
        if isinstance(of, ast.Name):
            return name(of.id, attr)
        return _column_of(self.term(of), attr)

    def _subscript(self, of: ast.AST, part: ast.AST) -> Term:
        """`df["a"]`, `df[["a", "b"]]`, `df[condition]`, `df.loc[condition, "a"]`, `df.groupby("a")["b"]`."""
        if isinstance(of, ast.Attribute) and of.attr == "loc" and isinstance(part, ast.Tuple) and len(part.elts) == 2:
            where, column = part.elts
            return Term("where", (self._subscript(of.value, column), self.term(where)))
        inner = self.term(of)
        key = self.term(part)
        if key.op == "literal" and isinstance(key.said, str):
            return _column_of(inner, key.said)
        if key.op == "list" and key.parts and all(isinstance(each.said, str) for each in key.parts):
            return Term("list", tuple(_column_of(inner, str(each.said)) for each in key.parts))
        if inner.op == "name" and key.op not in ("literal", "list", "name"):
            return Term("where", (inner, key))
        raise NotMeant("an index")


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _column_of(of: Term, column: str) -> Term:
    if of.op == "name" and isinstance(of.said, tuple) and len(of.said) == 1:
        return name(*of.said, column)
    if of.op == "where" and of.parts[0].op == "name":
        return Term("where", (_column_of(of.parts[0], column), of.parts[1]))
    if of.op == "grouped":
        return Term("grouped", (*of.parts, name(column)))
    raise NotMeant("a column of what is no table")


def _among(right: Term) -> str:
    return "in" if right.op == "list" else "in column"


def _date_part(of: Term, attr: str) -> Term:
    if attr in _DATE_PARTS:
        return Term("part", (of,), said=attr)
    if attr in _WEEKDAYS:  # pandas counts from Monday, 0; ISO 8601 from Monday, 1
        return Term("-", (Term("part", (of,), said="weekday"), literal(1)))
    if attr == "date":
        return Term("date", (of,))
    if attr == "days":
        return Term("whole days", (of,))
    raise NotMeant(attr)

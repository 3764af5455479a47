"""Python and pandas conditions as terms, read from Python's own syntax tree and never run."""

import ast
import warnings
from collections.abc import Iterable
from itertools import pairwise

from pandas_magic.planner.language.doors.date_parts import date_part
from pandas_magic.planner.language.doors.frames import column_of, of_columns
from pandas_magic.planner.language.doors.inlining import inlined
from pandas_magic.planner.language.doors.joined_frames import assigned, rows_of_joined
from pandas_magic.planner.language.doors.library_calls import called_of_library
from pandas_magic.planner.language.doors.pandas_calls import CALLS, called_function
from pandas_magic.planner.language.doors.sorted_frames import in_order, order_taken_off, rising
from pandas_magic.planner.language.doors.terms import (
    NothingHolds,
    NotMeant,
    SyntaxTerm,
    literal,
    name,
    replaced,
    rooted,
)
from pandas_magic.planner.language.doors.whole_columns import all_once, among, denied, is_of_rows, within

_RELATIONS: dict[type[ast.AST], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_SIGNS: dict[type[ast.AST], str] = {
    ast.Mod: "%", ast.FloorDiv: "//",
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "!=",
}  # fmt: skip
_LIBRARIES = frozenset({"pd", "pandas", "np", "numpy", "datetime", "date", "dt", "re", "math"})
_DEEPEST = 60


def python_term(text: str) -> SyntaxTerm:
    """The condition that the Python text is, all of it: an expression, or assertions. Raises: NotMeant."""
    try:
        with warnings.catch_warnings():
            # In '\\d' a person means a pattern; Python keeps the backslash, and need not tell us so.
            warnings.simplefilter("ignore", SyntaxWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            body = inlined(ast.parse(text.strip()).body)
        found = tuple(_Python().term(_asserted(statement)) for statement in body)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotMeant(str(error)) from error
    if not found:
        raise NotMeant("nothing")
    return found[0] if len(found) == 1 else SyntaxTerm("and", found)


def _asserted(statement: ast.stmt) -> ast.expr:
    match statement:
        case ast.Assert(test=test):
            return test
        case ast.Expr(value=value):
            return value
    raise NotMeant("a statement that asserts nothing")


class _Python:
    """Nodes as terms, with the depth at hand counted."""

    def __init__(self) -> None:
        self.depth = 0
        self.rows: set[str] = set()  # what stands for one row: r in `lambda r: r.a`

    def term(self, node: ast.AST) -> SyntaxTerm:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NotMeant("nested too deep")
        try:
            return self._operation(node) or self._value(node)
        finally:
            self.depth -= 1

    def terms(self, nodes: Iterable[ast.AST]) -> tuple[SyntaxTerm, ...]:
        return tuple(map(self.term, nodes))

    def _operation(self, node: ast.AST) -> SyntaxTerm | None:
        match node:
            case ast.BinOp(op=op, left=left, right=right) if type(op) in _SIGNS:
                return SyntaxTerm(_SIGNS[type(op)], (self.term(left), self.term(right)))
            case ast.BoolOp(op=op, values=values):
                return SyntaxTerm("and" if isinstance(op, ast.And) else "or", self.terms(values))
            case ast.UnaryOp(op=ast.Invert() | ast.Not(), operand=operand):
                return denied(self.term(operand))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                if isinstance(operand, ast.Constant) and isinstance(operand.value, (int, float)):
                    return literal(-operand.value)
                return SyntaxTerm("-", (self.term(operand),))
            case ast.Compare():
                return self._compared(node)
            case ast.Call():
                return self._called(node)
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                return SyntaxTerm("case", self.terms((test, body, otherwise)))
            case ast.BinOp(op=ast.Pow() | ast.MatMult() | ast.LShift() | ast.RShift()):
                return self._squared(node)
        return None

    def _squared(self, node: ast.BinOp) -> SyntaxTerm:
        if isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Constant) and node.right.value == 2:
            return SyntaxTerm("*", (self.term(node.left), self.term(node.left)))
        raise NothingHolds(f'no rule can hold "{ast.unparse(node)}"')

    def _compared(self, node: ast.Compare) -> SyntaxTerm:
        sides = self.terms([node.left, *node.comparators])
        found = []
        for op, (left, right) in zip(node.ops, pairwise(sides), strict=True):
            if type(op) in _RELATIONS:
                found.append(_relation_of(_RELATIONS[type(op)], left, right))
                continue
            kind = "is" if isinstance(op, (ast.Is, ast.IsNot)) else among(right)
            right = right.parts[0] if right.op == "set" else right
            bracketed = "bracketed" if any(isinstance(node, ast.List) for node in node.comparators) else None
            test = SyntaxTerm(kind, (left, right), said=bracketed)
            found.append(SyntaxTerm("not", (test,)) if isinstance(op, (ast.IsNot, ast.NotIn)) else test)
        return found[0] if len(found) == 1 else SyntaxTerm("and", tuple(found))

    def _called(self, node: ast.Call) -> SyntaxTerm:
        found = self._over_elements(node) or self._per_sorted(node)
        if found is not None:
            return found
        keywords = {each.arg: self.term(each.value) for each in node.keywords if each.arg is not None}
        if len(keywords) < len(node.keywords):
            raise NotMeant("**")
        given = self.terms(node.args)
        if isinstance(node.func, ast.Name):
            if node.func.id == "len" and is_of_rows(node.args, self.rows):
                return SyntaxTerm("length", given, said="column")
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
        if method in ("query", "eval") and len(given) == 1 and isinstance(given[0].said, str):
            frame, asked = self.term(of), python_term(given[0].said)
            return SyntaxTerm("where", (frame, asked)) if method == "query" else of_columns(asked, frame)
        if method not in CALLS:
            raise NothingHolds(f"I know no method .{method}()")
        return CALLS[method](self.term(of), given, keywords)

    def _over_elements(self, node: ast.Call) -> SyntaxTerm | None:
        """`all(len(x) == 3 for x in df.code)` and `df.apply(lambda r: r.a <= r.b, axis=1)`."""
        match node:
            case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp(elt=elt, generators=[one])]) if not one.ifs:
                if isinstance(one.target, ast.Name):
                    found = replaced(self.term(elt), {one.target.id: self.term(one.iter)})
                    return SyntaxTerm("all", (found,)) if found is not None else None
            case ast.Call(func=ast.Attribute(value=of, attr="assign"), args=[], keywords=[*added]) if added:
                frame = self.term(of)
                return assigned(frame, {str(each.arg): self._of_rows(each.value, frame) for each in added})
            case ast.Call(func=ast.Attribute(value=of, attr="apply" | "map"), args=[ast.Name(id="len")]):
                return SyntaxTerm("length", (self.term(of),), said="len")
            case ast.Call(func=ast.Attribute(value=of, attr="apply" | "map"), args=[ast.Lambda(args=given, body=body)]):
                (said,) = given.args
                self.rows.add(said.arg)
                inner, frame = self.term(body), self.term(of)
                if frame.op == "name" and len(frame.said if isinstance(frame.said, tuple) else ()) == 1:
                    return rooted(inner, said.arg, frame)
                return replaced(inner, {said.arg: frame}) if frame.op in ("name", "same", "where") else None
        return None

    def _of_rows(self, node: ast.AST, frame: SyntaxTerm) -> SyntaxTerm:
        """`lambda d: d.taken.dt.date` of the rows of a frame, or a value by itself."""
        if not isinstance(node, ast.Lambda) or len(node.args.args) != 1:
            return self.term(node)
        return rooted(self.term(node.body), node.args.args[0].arg, frame.parts[0] if frame.op == "where" else frame)

    def _per_sorted(self, node: ast.Call) -> SyntaxTerm | None:
        """`df.sort_values("t").groupby("k").x.shift()`: the row before in the order of t."""
        order = order_taken_off(node) if _method(node) in ("shift", "diff") else None
        if order is None:
            return None
        before = self.term(node)
        if before.op == "previous":
            return in_order(before, order)
        return SyntaxTerm("-", (before.parts[0], in_order(before.parts[1], order)))

    def _value(self, node: ast.AST) -> SyntaxTerm:
        match node:
            case ast.Constant(value=bool() | int() | float() | str() | None as value):
                return literal(value)
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                return SyntaxTerm("list", self.terms(parts))
            case ast.Name(id=said):
                return name(said)
            case ast.Attribute(value=of, attr=attr):
                return self._attribute(of, attr)
            case ast.Subscript(value=of, slice=part):
                return self._subscript(of, part)
        raise NotMeant(type(node).__name__)

    def _attribute(self, of: ast.AST, attr: str) -> SyntaxTerm:
        if isinstance(of, ast.Attribute) and of.attr == "dt":
            return date_part(self.term(of.value), attr)
        if attr == "shape":
            return SyntaxTerm("length", (self.term(of),), said="len")
        if attr in ("is_unique", "empty"):
            return SyntaxTerm(attr.removeprefix("is_"), (self.term(of),), said="pandas")
        if attr in ("is_monotonic_increasing", "is_monotonic_decreasing"):
            order = order_taken_off(of)
            before = CALLS["shift"](self.term(of), (), {})
            sign = ">=" if attr.endswith("increasing") else "<="
            return rising(before if order is None else in_order(before, order), sign)
        if isinstance(of, ast.Name):
            return literal(None) if of.id in _LIBRARIES and attr in ("nan", "NaN", "NA", "NaT") else name(of.id, attr)
        return column_of(self.term(of), attr)

    def _subscript(self, of: ast.AST, part: ast.AST) -> SyntaxTerm:
        """`df["a"]`, `df[["a", "b"]]`, `df[condition]`, `df.loc[condition, "a"]`, `df.groupby("a")["b"]`."""
        if isinstance(of, ast.Attribute) and of.attr == "shape" and _whole(part) == 0:
            return SyntaxTerm("length", (self.term(of.value),), said="len")
        if isinstance(of, ast.Attribute) and of.attr == "str":
            of = of.value
        if isinstance(part, ast.Slice) or (isinstance(part, (ast.Constant, ast.UnaryOp)) and _whole(part) is not None):
            return self._sliced(of, part)
        if isinstance(of, ast.Attribute) and of.attr == "loc" and isinstance(part, ast.Tuple) and len(part.elts) == 2:
            where, column = part.elts
            return SyntaxTerm("where", (self._subscript(of.value, column), self.term(where)))
        inner = self.term(of.value if isinstance(of, ast.Attribute) and of.attr == "loc" else of)
        key = self.term(part)
        if key.op == "literal" and isinstance(key.said, str):
            return column_of(inner, key.said)
        if key.op == "list" and key.parts and all(isinstance(each.said, str) for each in key.parts):
            return SyntaxTerm("list", tuple(column_of(inner, str(each.said)) for each in key.parts))
        if inner.op in ("name", "joined") and key.op not in ("literal", "list", "name"):
            return SyntaxTerm("where", (inner, key)) if inner.op == "name" else rows_of_joined(inner, key)
        raise NotMeant("an index")

    def _sliced(self, of: ast.AST, part: ast.AST) -> SyntaxTerm:
        """`x[2:5]`, `x[-4:]`, `x[0]`."""
        if isinstance(part, ast.Slice):
            ends = [None if end is None else _whole(end) for end in (part.lower, part.upper)]
            said = [end is not None and ends[place] is None for place, end in enumerate((part.lower, part.upper))]
            if any(said) or part.step is not None:
                raise NothingHolds(f'no rule can hold "[{ast.unparse(part)}]", whose ends are no numbers')
            return SyntaxTerm("slice", (self.term(of),), said=(ends[0] or 0, ends[1]))
        place = _whole(part)
        assert place is not None
        return SyntaxTerm("slice", (self.term(of),), said=(place, place + 1 if place != -1 else None))


def _whole(node: ast.AST) -> int | None:
    """The whole number that is written, with or without a sign."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
            return -number
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return number
    return None


def _method(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _relation_of(relation: str, left: SyntaxTerm, right: SyntaxTerm) -> SyntaxTerm:
    """The comparison; of sets it says that each value of one is in the other, of several columns it is one of each."""
    if left.op == "set" or right.op == "set":
        return within(right, left) if relation == ">=" else within(left, right, said=relation)
    if relation == "==" and (once := all_once(left, right) or all_once(right, left)) is not None:
        return once
    if left.op == "list" and right.op != "list":
        return SyntaxTerm("each", tuple(SyntaxTerm(relation, (part, right)) for part in left.parts))
    return SyntaxTerm(relation, (left, right))


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""

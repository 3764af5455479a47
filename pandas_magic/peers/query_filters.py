"""Row filters in the words of `DataFrame.query` read as conditions: `x.notnull() and s.str.startswith("A")`.

Python's own parser reads the text and nothing is run. A query knows true and false only: `a != 1` and `not (a == 1)`
are true where `a` is missing, and so are the conditions read from them.
"""

import ast
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pandas_magic.constraints import (
    Absolute,
    All,
    Any_,
    Arithmetic,
    Column,
    Compare,
    Condition,
    DatePart,
    Expression,
    Folded,
    HasText,
    Matches,
    Not,
    OneOf,
    Present,
    TextLength,
    Value,
)
from pandas_magic.constraints.algebra.conditions import Relation
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.peers.ranges import DATE_PARTS, related
from pandas_magic.peers.transfers import CannotRead, unread_from

_RELATIONS: dict[type[ast.cmpop], Relation] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_PRESENT = {"notnull": True, "notna": True, "isnull": False, "isna": False}
_TEXTS = {"startswith": "start", "endswith": "end", "contains": "anywhere"}
# Names that pandas, or who wrote the query, takes for a value.
_NO_COLUMNS = frozenset({"null", "none", "nan", "nat", "true", "false", "inf"})
# What pandas reads in another way than Python does: names in backticks, and signs for "and" and "or".
_PIECES = re.compile(
    r"""(?P<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|`(?P<name>[^`\n]+)`|(?P<space>\s)|(?P<joint>[&|])|(?P<no>[#'"\0])|."""
)
# Levels of the syntax tree; deeper ones no person wrote, and they would exhaust the stack.
_DEEPEST = 100


def read_query(text: str) -> Condition:
    """The condition that the query is.

    Raises: CannotRead naming the words and their place.
    """
    python, places, names = _as_python(text)
    query = _QueryFilter(text, python, places, names)
    try:
        with warnings.catch_warnings(action="ignore"):  # Python would speak of odd escapes to whoever imports a file
            tree = ast.parse(python, mode="eval").body
    except SyntaxError as error:
        raise query.stuck_at(error.offset - 1 if error.offset else len(python)) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise CannotRead(f"{text[:40]!r}… is nested too deep, or no text that Python reads") from error
    if _depth(tree) > _DEEPEST:
        raise CannotRead(f"{text[:40]!r}… is nested more than {_DEEPEST} deep")
    return query.condition(tree)


def _as_python(text: str) -> tuple[str, list[int], dict[str, str]]:
    """The query in Python's own words on one line, the place of each of its letters, and the names it stands for."""
    python = ""
    places: list[int] = []
    names: dict[str, str] = {}
    for match in _PIECES.finditer(text):
        piece, start = match.group(), match.start()
        if match["no"]:
            raise unread_from(text, start)
        if match["name"]:
            piece = "_" * len(text) + str(len(names))  # longer than the text, so that it stands nowhere in it
            names[piece] = match["name"]
        elif match["joint"]:
            piece = " and " if piece == "&" else " or "
        elif match["space"]:
            piece = " " if python else ""
        python += piece
        places += [min(start + at, match.end() - 1) for at in range(len(piece))]
    return python, places, names


def _depth(tree: ast.AST) -> int:
    depth, level = 0, [tree]
    while level:
        depth, level = depth + 1, [child for node in level for child in ast.iter_child_nodes(node)]
    return depth


def untrue(condition: Condition) -> Condition:
    """The condition that is true wherever the given one is not, be it false or unknown."""
    match condition:
        case All(conditions=parts):
            return Any_(conditions=tuple(map(untrue, parts)))
        case Any_(conditions=parts):
            return All(conditions=tuple(map(untrue, parts)))
        case Present():
            return Not(condition=condition)
        case Not(condition=Present() as part):
            return part
    columns = dict.fromkeys(part for part in nodes(condition) if isinstance(part, Column))
    opposite = condition.condition if isinstance(condition, Not) else _opposite(condition)
    return Any_(conditions=(*(Not(condition=Present(of=column)) for column in columns), opposite))


def _opposite(condition: Condition) -> Condition:
    if isinstance(condition, Compare) and condition.relation in ("==", "!="):
        return condition.model_copy(update={"relation": "!=" if condition.relation == "==" else "=="})
    return Not(condition=condition)


@dataclass(frozen=True)
class _QueryFilter:
    """A query and what the nodes in it mean: `condition` is true or not, `value` is compared."""

    text: str
    python: str
    places: Sequence[int]
    names: Mapping[str, str]

    def condition(self, node: ast.expr) -> Condition:
        match node:
            case ast.BoolOp(op=ast.And(), values=values):
                parts = _without_repetition([self.condition(value) for value in values])
                return parts[0] if len(parts) == 1 else All(conditions=tuple(parts))
            case ast.BoolOp(values=values):
                return Any_(conditions=tuple(map(self.condition, values)))
            case ast.UnaryOp(op=ast.Not() | ast.Invert(), operand=operand):
                return untrue(self.condition(operand))
            case ast.Compare(ops=[ast.In() | ast.NotIn() as op], comparators=[listed]):
                found = OneOf(of=self.value(node.left), values=self.listed(listed))
                return found if isinstance(op, ast.In) else untrue(found)
            case ast.Compare():
                return self.compared(node)
            case ast.Call(func=ast.Attribute(value=of, attr=method)) if method.lower() in _PRESENT:
                self.no_arguments(node)
                present = Present(of=self.value(of))
                return present if _PRESENT[method.lower()] else Not(condition=present)
            case ast.Call(func=ast.Attribute(value=of, attr="isin"), args=[listed], keywords=[]):
                return OneOf(of=self.value(of), values=self.listed(listed))
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="str")), args=[_]):
                return self.text_test(node)
        left = self.value(node)
        if not isinstance(left, Column):
            raise self.stuck(node)
        return Compare(relation="==", left=left, right=Value(value=True))

    def compared(self, node: ast.Compare) -> Condition:
        found, left = [], self.value(node.left)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            relation = _RELATIONS.get(type(op))
            if relation is None:
                raise self.stuck(comparator)
            right = self.value(comparator)
            positive = related(left, "==" if relation == "!=" else relation, right)
            found.append(untrue(positive) if relation == "!=" else positive)
            left = right
        return found[0] if len(found) == 1 else All(conditions=tuple(found))

    def text_test(self, call: ast.Call) -> Condition:
        method = cast(ast.Attribute, call.func)
        of = self.value(cast(ast.Attribute, method.value).value)
        given, options = self.constant(call.args[0]), self.options(call)
        if not isinstance(given, str) or options.get("na") is True:
            raise self.stuck(call.args[0])
        if method.attr == "fullmatch":
            return Matches(of=of, pattern=given)
        if method.attr not in _TEXTS:
            raise self.stuck(method)
        plain = method.attr != "contains" or options.get("regex") is False or re.fullmatch(r"[\w\s@-]*", given)
        if not plain:
            raise CannotRead(f"{self.text!r} searches with a regular expression; say regex=False or use fullmatch")
        return HasText(of=of, where=cast(Any, _TEXTS[method.attr]), text=given)

    def options(self, call: ast.Call) -> dict[str, bool]:
        found = {}
        for keyword in call.keywords:
            value = self.constant(keyword.value)
            if keyword.arg not in ("na", "regex") or not isinstance(value, bool):
                raise self.stuck(keyword.value)
            found[keyword.arg] = value
        return found

    def no_arguments(self, call: ast.Call) -> None:
        if call.args or call.keywords:
            raise self.stuck(call)

    def value(self, node: ast.expr) -> Expression:
        match node:
            case ast.Constant() | ast.UnaryOp():
                return Value(value=self.constant(node))
            case ast.Name():
                return self.column(node)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
                return Arithmetic(sign=cast(Any, _SIGNS[type(op)]), left=self.value(left), right=self.value(right))
            case ast.Attribute(value=ast.Attribute(value=of, attr="dt"), attr=part) if part in DATE_PARTS:
                return DatePart(part=cast(Any, part), of=self.value(of))
            case ast.Call(func=ast.Name(id="abs"), args=[of], keywords=[]):
                return Absolute(of=self.value(of))
            case ast.Call(func=ast.Name(id="col"), args=[ast.Constant(value=str() as name)], keywords=[]):
                return Column(name=name)
            case ast.Call(func=ast.Attribute() as method, args=[], keywords=[]):
                return self.accessed(method)
        raise self.stuck(node)

    def accessed(self, method: ast.Attribute) -> Expression:
        match method:
            case ast.Attribute(value=of, attr="abs"):
                return Absolute(of=self.value(of))
            case ast.Attribute(value=ast.Attribute(value=of, attr="str"), attr="len"):
                return TextLength(of=self.value(of))
            case ast.Attribute(value=ast.Attribute(value=of, attr="str"), attr="lower"):
                return Folded(of=self.value(of), fold="case")
        raise self.stuck(method)

    def column(self, node: ast.Name) -> Column:
        name = self.names.get(node.id, node.id)
        if node.id not in self.names and node.id.lower() in _NO_COLUMNS:
            raise CannotRead(f"{self.text!r} compares with {name}; say that it is or is not null")
        if name not in self.text:
            raise self.stuck(node)  # Python takes some letters for others
        return Column(name=name)

    def listed(self, node: ast.expr) -> tuple[bool | int | float | str, ...]:
        if not isinstance(node, (ast.List, ast.Tuple)) or not node.elts:
            raise self.stuck(node)
        return tuple(map(self.constant, node.elts))

    def constant(self, node: ast.expr) -> bool | int | float | str:
        match node:
            case ast.Constant(value=None):
                raise CannotRead(f"{self.text!r} compares with None; say that it is or is not null")
            case ast.Constant(value=bool() | int() | float() | str() as value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return -value
        raise self.stuck(node)

    def stuck(self, node: ast.expr) -> CannotRead:
        """The error that names the node, or the method that it calls."""
        method = node.func if isinstance(node, ast.Call) else node
        if isinstance(method, ast.Attribute):
            return self.stuck_at(self.letters(method.end_col_offset or 0) - len(method.attr))
        if isinstance(node, ast.BinOp):
            return self.stuck_at(self.letters(node.left.end_col_offset or 0))
        return self.stuck_at(self.letters(node.col_offset))

    def letters(self, count_bytes: int) -> int:
        """How many letters so many bytes are, which Python counts in."""
        return len(self.python.encode()[:count_bytes].decode())

    def stuck_at(self, place: int) -> CannotRead:
        """The error that says where reading ended."""
        return unread_from(self.text, self.places[place] if place < len(self.places) else len(self.text))


def _without_repetition(parts: list[Condition]) -> list[Condition]:
    """In `a.notnull() and a != 1` the second part need not say again what happens where `a` is missing."""
    known = [part for part in parts if isinstance(part, Present)]
    settled: list[Condition] = []
    used: set[str] = set()
    for part in parts:
        if isinstance(part, Any_) and all(_is_absence(one) for one in part.conditions[:-1]):
            absent = [one.condition for one in part.conditions[:-1] if isinstance(one, Not)]
            if absent and all(one in known for one in absent) and isinstance(part.conditions[-1], (Compare, Not)):
                used |= {one.model_dump_json() for one in absent}
                settled.append(part.conditions[-1])
                continue
        settled.append(part)
    return [part for part in settled if not (isinstance(part, Present) and part.model_dump_json() in used)]


def _is_absence(condition: Condition) -> bool:
    return isinstance(condition, Not) and isinstance(condition.condition, Present)

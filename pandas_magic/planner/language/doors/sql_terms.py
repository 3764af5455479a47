"""SQL conditions as terms. What databases do not agree on is not read."""

import re
from typing import Any

from pandas_magic.planner.language.doors.sql_syntax import NotSql, SqlNode, sql_condition
from pandas_magic.planner.language.doors.terms import NotMeant, SyntaxTerm, literal, name

_SAME_OPERATION = {
    "and": "and", "or": "or", "not": "not", "paren": "same", "neg": "-",
    "eq": "==", "neq": "!=", "lt": "<", "lte": "<=", "gt": ">", "gte": ">=",
    "add": "+", "sub": "-", "mul": "*", "div": "/",
    "abs": "abs", "length": "length", "lower": "fold case", "upper": "fold case up", "between": "between",
    "count": "count", "sum": "sum", "avg": "mean", "min": "min", "max": "max", "median": "median", "stddev": "std",
}  # fmt: skip
_CALLED = {"len": "length", "char_length": "length", "character_length": "length", "average": "mean", "mean": "mean"}
_PARTS = frozenset({"year", "quarter", "month", "week", "day", "hour", "minute"})
_COMMENT = re.compile(r"--|/\*|#")


def sql_term(text: str) -> SyntaxTerm:
    """The condition that the SQL text is, all of it. Raises: NotMeant."""
    if _COMMENT.search(text):
        raise NotMeant("a comment")
    try:
        return _term(sql_condition(text))
    except (NotSql, RecursionError) as error:
        raise NotMeant(str(error)) from error


def _term(node: SqlNode) -> SyntaxTerm:
    key = node.key
    if key in _SAME_OPERATION:
        op = _SAME_OPERATION[key]
        if op == "-" and key == "neg" and node.this.key == "literal" and not node.this.args["is_string"]:
            return literal(-float(node.this.name) if not node.this.name.isdigit() else -int(node.this.name))
        if op in ("and", "or"):
            return SyntaxTerm(op, tuple(map(_term, node.flatten(unnest=False))))
        return SyntaxTerm(op, tuple(map(_term, _operands(node, op))))
    for read in (_leaf, _called, _membership, _text_test, _moment):
        found = read(node)
        if found is not None:
            return found
    raise NotMeant(key)


def _operands(node: SqlNode, op: str) -> list[SqlNode]:
    names = {"between": ("this", "low", "high"), "count": ("this",)}.get(op, ("this", "expression"))
    # What only says how a number is divided, or that a count takes any size.
    ignored = {"big_int", "typed", "safe", "binary", "encoding"}
    if any(part for key, part in node.args.items() if key not in (*names, *ignored)):
        raise NotMeant(node.key)
    return [node.args[name] for name in names if node.args.get(name) is not None]


def _leaf(node: SqlNode) -> SyntaxTerm | None:
    match node.key:
        case "column":
            path = [part for part in (node.args.get("table"), node.this) if part is not None]
            if node.args.get("db") or any(part.key != "identifier" for part in path):
                raise NotMeant("a name of more than two parts")
            return name(*(part.name for part in path), quoted=bool(path[-1].args.get("quoted")))
        case "literal" if node.args["is_string"]:
            return literal(node.name)
        case "literal":
            return literal(int(node.name) if node.name.isdigit() else float(node.name))
        case "boolean":
            return literal(bool(node.this))
        case "null":
            return literal(None)
        case "star":
            return SyntaxTerm("rows")
        case "distinct" if len(node.expressions) == 1:
            return SyntaxTerm("distinct", (_term(node.expressions[0]),))
    return None


def _called(node: SqlNode) -> SyntaxTerm | None:
    function = node.name.lower() if node.key == "anonymous" else ""
    if function in _CALLED:
        return SyntaxTerm(_CALLED[function], tuple(map(_term, node.expressions)))
    if function in ("today", "now", "getdate", "sysdate") and not node.expressions:
        return SyntaxTerm("today" if function == "today" else "now")
    return None


def _membership(node: SqlNode) -> SyntaxTerm | None:
    match node.key:
        case "is":
            of, what = _term(node.this), _term(node.expression)
            if what.op == "not":
                return SyntaxTerm("not", (SyntaxTerm("is", (of, what.parts[0])),))
            return SyntaxTerm("is", (of, what))
        case "in" if node.args.get("query") is not None:
            return SyntaxTerm("in column", (_subject(node.this), _selected(node.args["query"])))
        case "in" if node.args.get("field") is not None:
            return SyntaxTerm("in column", (_term(node.this), _term(node.args["field"])))
        case "in" if node.expressions and not node.args.get("unnest"):
            return SyntaxTerm("in", (_term(node.this), SyntaxTerm("list", tuple(map(_term, node.expressions)))))
        case "tuple":
            return _subject(node)
    return None


def _subject(node: SqlNode) -> SyntaxTerm:
    return SyntaxTerm("list", tuple(map(_term, node.expressions))) if node.key == "tuple" else _term(node)


def _selected(query: SqlNode) -> SyntaxTerm:
    """The column of "SELECT column FROM table", which may say no more."""
    select: Any = query.this if query.key == "subquery" else query
    source = select.args.get("from_") or select.args.get("from")
    rest = [key for key, part in select.args.items() if part and key not in ("expressions", "from", "from_", "kind")]
    if source is None or source.this.key != "table" or [key for key in rest if key != "distinct"]:
        raise NotMeant("a query of more than one column of one table")
    columns = [_term(column) for column in select.expressions]
    if any(column.op != "name" for column in columns):
        raise NotMeant("a query of more than columns")
    paths = [column.said for column in columns if isinstance(column.said, tuple)]
    found = tuple(name(source.this.name, path[-1]) for path in paths)
    return found[0] if len(found) == 1 else SyntaxTerm("list", found)


def _text_test(node: SqlNode) -> SyntaxTerm | None:
    if node.key in ("like", "ilike"):
        found = SyntaxTerm(node.key, (_term(node.this), _term(node.expression)))
        return SyntaxTerm("not", (found,)) if node.args.get("negate") else found
    if node.key in ("regexplike", "regexpilike") and not node.args.get("flag"):
        return SyntaxTerm("has pattern", (_term(node.this), _term(node.expression)))
    if node.key == "trim" and not any(part for key, part in node.args.items() if key != "this"):
        return SyntaxTerm("fold space", (_term(node.this),))
    return None


def _moment(node: SqlNode) -> SyntaxTerm | None:
    match node.key:
        case "currentdate":
            return SyntaxTerm("today")
        case "currenttimestamp" | "currentdatetime" | "currenttime":
            return SyntaxTerm("now")
        case "interval":
            unit = node.args.get("unit")
            amount = node.this.name if node.this is not None else ""
            if unit is None or not re.fullmatch(r"\d+(\.\d+)?", amount):
                raise NotMeant("an interval")
            return SyntaxTerm("span", (literal(float(amount)),), said=unit.name.lower())
        case "extract" if node.this.name.lower() in _PARTS:
            return SyntaxTerm("part", (_term(node.expression),), said=node.this.name.lower())
        case "year" | "month" | "day" | "quarter" | "week" | "hour" | "minute":
            return SyntaxTerm("part", (_term(node.this),), said=node.key)
        case "tsordstodate" | "date":
            return SyntaxTerm("date", (_term(node.this),))
        case "cast" if node.args["to"].this.name in ("DATE", "TIMESTAMP", "DATETIME"):
            return SyntaxTerm("date" if node.args["to"].this.name == "DATE" else "moment", (_term(node.this),))
    return None

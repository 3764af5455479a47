"""SQL conditions as terms. What databases do not agree on is not read, or marked so that it is asked about."""

import re
from collections.abc import Iterable
from itertools import chain

from pandas_magic.planner.language.doors.sql_queries import query_of
from pandas_magic.planner.language.doors.sql_syntax import NotSql, SqlNode, sql_condition
from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, SyntaxTerm, literal, name

# Each is an operation on its parts: which arguments these are, unless it is "this" and "expression".
_OPERATIONS = {
    "and": "and", "or": "or", "not": "not", "paren": "same", "neg": "-", "xor": "!=",
    "eq": "==", "neq": "!=", "lt": "<", "lte": "<=", "gt": ">", "gte": ">=",
    "add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "dpipe": "concat", "intdiv": "//",
    "abs": "abs", "length": "length", "lower": "fold case", "upper": "fold case up", "between": "between",
    "count": "count", "sum": "sum", "avg": "mean", "min": "min", "max": "max", "median": "median", "stddev": "std",
    "stddevsamp": "std", "regexplike": "has pattern", "trim": "fold space", "nullif": "nullif", "round": "round",
    "dateadd": "+", "datesub": "-", "filter": "filtered", "where": "same", "distinct": "distinct", "left": "left",
    "right": "right", "greatest": "greatest", "least": "least", "coalesce": "coalesce", "concat": "concat",
    "startswith": "starts with", "endswith": "ends with", "substring": "substring", "strposition": "position",
    "nullsafeeq": "same value", "nullsafeneq": "other value",
}  # fmt: skip
_PARTS_OF = {
    "between": ("this", "low", "high"),
    "substring": ("this", "start", "length"),
    "strposition": ("this", "substr"),
    "distinct": ("expressions",),
    "greatest": ("this", "expressions"),
    "least": ("this", "expressions"),
    "coalesce": ("this", "expressions"),
    "concat": ("expressions",),
    "round": ("this", "decimals"),
}
# What only says how a number is divided, or that a count takes any size.
_IGNORED = {"big_int", "typed", "safe", "binary", "encoding", "_type", "coalesce", "ignore_nulls", "symmetric"}
_CALLED = {
    "len": "length", "char_length": "length", "character_length": "length", "average": "mean", "mean": "mean",
    "num": "number", "to_number": "number", "num_nonnulls": "present ones", "today": "today", "now": "now",
    "getdate": "now", "sysdate": "now", "age": "age", "charindex": "position back", "julianday": "days of",
}  # fmt: skip
_PARTS = frozenset({"year", "quarter", "month", "week", "day", "hour", "minute"})
_UNITS = frozenset({"second", "minute", "hour", "day", "week", "month", "year"})


def sql_term(text: str) -> SyntaxTerm:
    """The condition that the SQL text is, all of it. Raises: NotMeant."""
    try:
        return term_of_sql(sql_condition(text))
    except (NotSql, RecursionError) as error:
        raise NotMeant(str(error)) from error


def term_of_sql(node: SqlNode) -> SyntaxTerm:
    """The term of a node. Raises: NotMeant; NothingHolds for what SQL can say and a rule cannot."""
    key = node.key
    if key in _OPERATIONS:
        return _operation(node, _OPERATIONS[key])
    for read in (_leaf, _called, _membership, _text_test, _moment, _chosen, _over_rows):
        found = read(node)
        if found is not None:
            return found
    if key == "jsonextract":  # an arrow between two conditions
        raise NotMeant("an arrow")
    raise NothingHolds(f'no rule can hold {node.name or key} as in "{node.sql()[:60]}"')


def _terms(nodes: Iterable[SqlNode]) -> tuple[SyntaxTerm, ...]:
    return tuple(map(term_of_sql, nodes))


def _operation(node: SqlNode, op: str) -> SyntaxTerm:
    if op == "-" and node.key == "neg" and node.this.key == "literal" and not node.this.args["is_string"]:
        return literal(-float(node.this.name) if not node.this.name.isdigit() else -int(node.this.name))
    if op in ("and", "or"):
        return SyntaxTerm(op, _terms(node.flatten(unnest=False)))
    wanted = _PARTS_OF.get(node.key, ("this", "expression"))
    if any(part for key, part in node.args.items() if key not in (*wanted, *_IGNORED)):
        raise NothingHolds(f'"{node.sql()[:60]}" says more than a rule can hold')
    found = [node.args[key] for key in wanted if node.args.get(key) is not None]
    parts = _terms(chain.from_iterable(each if isinstance(each, list) else [each] for each in found))
    if op in ("left", "right", "substring"):
        return _part_of_text(op, parts)
    return SyntaxTerm(op, parts, said="sql" if op in ("/", "//") else None)


def _part_of_text(op: str, parts: tuple[SyntaxTerm, ...]) -> SyntaxTerm:
    """LEFT(x, 2), RIGHT(x, 2) and SUBSTRING(x, 3, 2), which counts from 1."""
    numbers = [part.said for part in parts[1:] if isinstance(part.said, int) and part.said > 0]
    if len(numbers) < len(parts) - 1 or not numbers:
        raise NothingHolds("a part of a text whose ends are no numbers is nothing that a rule can hold")
    if op == "right":
        return SyntaxTerm("slice", parts[:1], said=(-numbers[0], None))
    start = 0 if op == "left" else numbers[0] - 1
    stop = numbers[0] if op == "left" else start + numbers[1] if len(numbers) > 1 else None
    return SyntaxTerm("slice", parts[:1], said=(start, stop))


def _leaf(node: SqlNode) -> SyntaxTerm | None:
    match node.key:
        case "column":
            path = [part for part in (node.args.get("table"), node.this) if part is not None]
            if node.args.get("db") or any(part.key != "identifier" for part in path):
                raise NotMeant("a name of more than two parts")
            return name(*(part.name for part in path), quoted=bool(path[-1].args.get("quoted")))
        case "dot" if node.expression.name == "days":  # (b - a).dt.days, which is pandas' within SQL
            inner = node.this.this if node.this.key == "dot" and node.this.expression.name == "dt" else node.this
            return SyntaxTerm("whole days", (term_of_sql(inner),))
        case "identifier":
            return name(node.name, quoted=bool(node.args.get("quoted")))
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
    return None


def _called(node: SqlNode) -> SyntaxTerm | None:
    if node.key != "anonymous":
        return None
    function, given = node.name.lower(), _terms(node.expressions)
    if function in _CALLED:
        return SyntaxTerm(_CALLED[function], given)
    if function in ("dateadd", "timestampadd") and len(given) == 3:
        return SyntaxTerm("+", (given[2], SyntaxTerm("span", (given[1],), said=_unit(given[0]))))
    if function == "date_part" and len(given) == 2 and isinstance(given[0].said, str):
        return _part_of_moment(given[0].said.lower(), given[1])
    raise NothingHolds(f"I know no function {node.name}")


def _age(parts: tuple[SyntaxTerm, ...]) -> tuple[SyntaxTerm, SyntaxTerm]:
    later, earlier = parts if len(parts) == 2 else (SyntaxTerm("today"), parts[0])
    return earlier, later


def _membership(node: SqlNode) -> SyntaxTerm | None:
    match node.key:
        case "is":
            of, what = term_of_sql(node.this), term_of_sql(node.expression)
            if what.op == "not":
                return SyntaxTerm("not", (SyntaxTerm("is", (of, what.parts[0])),))
            return SyntaxTerm("is", (of, what))
        case "in" if node.args.get("query") is not None:
            return SyntaxTerm("in query", (term_of_sql(node.this),), said=query_of(node.args["query"], term_of_sql))
        case "in" if node.args.get("field") is not None:
            return SyntaxTerm("in column", (term_of_sql(node.this), term_of_sql(node.args["field"])))
        case "in" if node.expressions and not node.args.get("unnest"):
            return SyntaxTerm("in", (term_of_sql(node.this), SyntaxTerm("list", _terms(node.expressions))))
        case "tuple":
            return SyntaxTerm("list", _terms(node.expressions))
        case "exists":
            return SyntaxTerm("exists", said=query_of(node.this, term_of_sql))
        case "subquery":
            return SyntaxTerm("query", said=query_of(node, term_of_sql))
    return None


def _text_test(node: SqlNode) -> SyntaxTerm | None:
    if node.key in ("like", "ilike"):
        found = SyntaxTerm(node.key, (term_of_sql(node.this), term_of_sql(node.expression)))
        return SyntaxTerm("not", (found,)) if node.args.get("negate") else found
    if node.key in ("similarto", "glob"):
        raise NothingHolds("of patterns a rule can hold LIKE and regular expressions: x ~ '^[A-Z]+$'")
    if node.key == "regexpilike":
        raise NothingHolds("a pattern that ignores case is nothing that a rule can hold; write both cases: [Aa]")
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
        case "extract":
            return _part_of_moment(node.this.name.lower(), term_of_sql(node.expression))
        case "year" | "month" | "day" | "quarter" | "week" | "hour" | "minute":
            return SyntaxTerm("part", (term_of_sql(node.this),), said=node.key)
        case "tsordstodate" | "date":
            return SyntaxTerm("date", (term_of_sql(node.this),))
        case "cast" | "trycast":
            return _cast(node)
        case "datediff" | "timestampdiff":
            return _difference(node)
    return None


def _part_of_moment(part: str, of: SyntaxTerm) -> SyntaxTerm:
    if part in _PARTS:
        if of.op == "age" and part in ("year", "month"):
            return SyntaxTerm("units between", _age(of.parts), said=(f"{part}s", "elapsed"))
        return SyntaxTerm("part", (of,), said=part)
    if part == "epoch":
        return SyntaxTerm("/", (of, SyntaxTerm("span", (literal(1),), said="seconds")))
    if part not in ("isodow", "dow"):
        raise NothingHolds(f"{part.upper()} of a date is nothing that a rule can hold")
    weekday = SyntaxTerm("part", (of,), said="weekday")
    return weekday if part == "isodow" else SyntaxTerm("day from sunday", (weekday,))


def _cast(node: SqlNode) -> SyntaxTerm:
    of, to = term_of_sql(node.this), node.args["to"].this.name
    if to in ("INT", "BIGINT", "SMALLINT") and of.op in ("same", "not", "is", "and", "or", "=="):
        return of
    ops = {"DATE": "date", "TIMESTAMP": "moment", "DATETIME": "moment", "TIMESTAMPTZ": "moment", "TIME": "time"}
    ops |= dict.fromkeys(("DECIMAL", "DOUBLE", "FLOAT"), "number") | dict.fromkeys(("INT", "BIGINT"), "whole number")
    if to not in ops:
        raise NothingHolds(f'no rule can hold "{node.sql()}"')
    return SyntaxTerm(ops[to], (of,))


def _difference(node: SqlNode) -> SyntaxTerm:
    """DATEDIFF(day, a, b), DATE_DIFF('day', a, b), TIMESTAMPDIFF(DAY, a, b) and MySQL's DATEDIFF(b, a)."""
    first, second, third = node.this, node.expression, node.args.get("unit")
    if third is None:
        return SyntaxTerm("units between", (term_of_sql(second), term_of_sql(first)), said=("days", "calendar"))
    unit = first.name.lower().removesuffix("s")
    if unit not in _UNITS and third.name.lower().removesuffix("s") in _UNITS:
        first, second, unit = second, first, third.name.lower().removesuffix("s")
        start, end = term_of_sql(first), term_of_sql(second)
    else:
        start, end = term_of_sql(second), name(third.name)
    if unit not in _UNITS:
        raise NothingHolds(f'I know no unit of time "{unit}"')
    way = "elapsed" if node.key == "timestampdiff" else "calendar"
    return SyntaxTerm("units between", (start, end), said=(f"{unit}s", way))


def _unit(term: SyntaxTerm) -> str:
    unit = str(term.said[-1] if isinstance(term.said, tuple) else term.said).lower().removesuffix("s")
    if unit not in _UNITS:
        raise NothingHolds(f'I know no unit of time "{unit}"')
    return unit


def _chosen(node: SqlNode) -> SyntaxTerm | None:
    """CASE in both its forms, IF and IIF: a condition and a value in turn, and the value otherwise."""
    if node.key == "if":
        otherwise = [node.args["false"]] if node.args.get("false") is not None else []
        return SyntaxTerm("case", _terms((node.this, node.args["true"], *otherwise)))
    if node.key != "case":
        return None
    of = term_of_sql(node.this) if node.this is not None else None
    parts: list[SyntaxTerm] = []
    for branch in node.args["ifs"]:
        test = term_of_sql(branch.this)
        parts += [test if of is None else SyntaxTerm("==", (of, test)), term_of_sql(branch.args["true"])]
    default = node.args.get("default")
    return SyntaxTerm("case", (*parts, *([term_of_sql(default)] if default is not None else [])))


def _over_rows(node: SqlNode) -> SyntaxTerm | None:
    """COUNT(*) OVER (PARTITION BY k), LAG(x) OVER (PARTITION BY k ORDER BY t)."""
    if node.key != "window":
        return None
    by, order = _terms(node.args.get("partition_by") or ()), node.args.get("order")
    if node.args.get("spec") is not None:
        raise NothingHolds("a frame of rows within a window is nothing that a rule can hold")
    if node.args.get("alias") is not None:
        raise NothingHolds("a window by its name is nothing that a rule can hold; say OVER (PARTITION BY ...)")
    ordered = list(order.expressions) if order is not None else []
    if node.this.key == "lag" and len(ordered) == 1 and not ordered[0].args.get("desc"):
        if node.this.args.get("offset") is not None or node.this.args.get("default") is not None:
            raise NothingHolds("LAG with an offset is nothing that a rule can hold")
        return SyntaxTerm("previous", (term_of_sql(node.this.this), term_of_sql(ordered[0].this), *by))
    if ordered:
        raise NothingHolds("a running statistic is nothing that a rule can hold")
    return SyntaxTerm("over", (term_of_sql(node.this), *by))

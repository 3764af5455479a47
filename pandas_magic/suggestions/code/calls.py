"""What methods and functions of pandas take for granted of the columns that they are called for."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from pandas_magic.constraints import All, Column, Matches, OneOf, Parses, Present
from pandas_magic.planner.language.logic import all_of
from pandas_magic.suggestions.code.assumed import Assumption, compared, present, unique
from pandas_magic.suggestions.code.called import Called, Rules
from pandas_magic.suggestions.code.frames import Frame
from pandas_magic.suggestions.code.joins import joined_by, looked_up
from pandas_magic.suggestions.code.literals import text_of, texts_of

_WHOLE = re.compile(r"^u?int\d*$")
_PARTS = {"%Y": r"\d{4}", **dict.fromkeys(("%d", "%m", "%H", "%M", "%S", "%y"), r"\d{2}")}
_LOGARITHMS = {"log": 0, "log2": 0, "log10": 0, "log1p": -1}


def assumed_by_call(called: Called) -> Iterator[Assumption]:
    """What the call takes for granted."""
    call = called.call
    method = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    for reader in (*_READERS.get(method, ()), *((_logarithm,) if method in _LOGARITHMS else ())):
        for rule, because, weight in reader(called):
            if rule is not None:
                yield Assumption(call.lineno, ast.unparse(call), rule, because, weight)


def _of_method(called: Called) -> tuple[Frame, str] | None:
    """The column that the method is called of."""
    return called.names.column(called.call.func.value) if isinstance(called.call.func, ast.Attribute) else None


def _of_argument(called: Called) -> tuple[Frame, str] | None:
    """The column that the function is called with."""
    return called.names.column(called.call.args[0]) if called.call.args else None


def _astype(called: Called) -> Rules:
    if found := _of_method(called):
        yield from _cast(*found, _type_name(called.given.get(0) or called.given.get("dtype")))
        return
    frame = called.names.frame(called.call.func.value) if isinstance(called.call.func, ast.Attribute) else None
    given = called.given.get(0) or called.given.get("dtype")
    for key, value in zip(given.keys, given.values, strict=True) if isinstance(given, ast.Dict) and frame else ():
        if frame and (name := text_of(key)) and (column := frame.column(name)):
            yield from _cast(frame, column, _type_name(value))


def _type_name(node: ast.AST | None) -> str:
    """`int`, `"int64"` and `np.int64` as one word."""
    return text_of(node) or ast.unparse(node).rpartition(".")[2] if node is not None else ""


def _cast(frame: Frame, column: str, to: str) -> Rules:
    kind, of = frame.table.kind(column), Column(name=column)
    if _WHOLE.match(to):
        there = [] if frame.is_known(column) else [Present(of=of)]
        whole = [Parses(of=of, type="integer")] if kind in ("number", "text") else []
        if there or whole:
            why = f"{to} has no missing value" + " and cuts off what is behind the point" * (kind == "number")
            yield frame.rule(all_of([*there, *whole])), why, 3 if whole else 2
    elif to in ("Int64", "Int32") and kind in ("number", "text"):
        yield frame.rule(Parses(of=of, type="integer")), f"{to} holds whole numbers only", 2
    elif to.startswith(("float", "Float")) and kind == "text":
        yield frame.rule(Parses(of=of, type="number")), f"{to} stops at a text that is no number", 3
    elif to == "bool" and not frame.is_known(column):
        yield present(frame, column), "a missing value becomes True", 2


def _to_datetime(called: Called) -> Rules:
    found = _of_argument(called)
    if not found or called.text("errors") not in (None, "raise") or found[0].table.kind(found[1]) != "text":
        return
    frame, column = found
    form = called.text("format")
    if form is None or form in ("ISO8601", "%Y-%m-%d"):
        yield frame.rule(Parses(of=Column(name=column), type="date")), "it stops at a text that is no date", 3
    elif pattern := _pattern(form):
        yield frame.rule(Matches(of=Column(name=column), pattern=pattern)), f"it stops at a text not as {form}", 3


def _pattern(form: str) -> str:
    """The form of a date as a pattern; "" where it holds more than numbers and signs."""
    if any(part not in _PARTS for part in re.findall(r"%\w", form)):
        return ""
    return re.sub(r"%\w|[^\w%]", lambda part: _PARTS.get(part[0]) or re.escape(part[0]), form)


def _to_numeric(called: Called) -> Rules:
    found = _of_argument(called)
    if found and called.text("errors") in (None, "raise") and found[0].table.kind(found[1]) == "text":
        rule = found[0].rule(Parses(of=Column(name=found[1]), type="number"))
        yield rule, "it stops at a text that is no number", 3


def _read_file(called: Called) -> Rules:
    frame = called.names.frame(called.call)
    for name in texts_of(called.given.get("parse_dates")) or () if frame else ():
        if frame and (column := frame.column(name)) and frame.table.kind(column) == "text":
            rule = frame.rule(Parses(of=Column(name=column), type="date"))
            yield rule, "one text that is no date leaves the column as texts", 2


def _map(called: Called) -> Rules:
    found = _of_method(called)
    keys = called.names.literals.mapping(called.given.get(0))
    if found and keys and not called.goes_into("fillna", "combine_first", "isna", "notna", "dropna"):
        frame, column = found
        kinds = {type(key) for key in keys}
        if kinds <= {str} or kinds <= {int, float}:
            yield frame.rule(OneOf(of=Column(name=column), values=tuple(keys))), "any other value becomes missing", 3
    elif found and called.call.args:
        yield from looked_up(called.names, found, called.call.args[0])


def _set_index(called: Called) -> Rules:
    frame = called.names.frame(called.call)
    if frame and frame.key:
        if called.value("verify_integrity") is True:
            yield unique(frame, frame.key), "verify_integrity says so", 3
        elif called.goes_into("loc", "at", "to_dict", "reindex"):
            yield unique(frame, frame.key), "what is looked up by it is to be one row", 3


def _pivot(called: Called) -> Rules:
    frame = called.names.frame(called.call.func.value) if isinstance(called.call.func, ast.Attribute) else None
    said = [name for part in ("index", "columns") for name in texts_of(called.given.get(part)) or ()]
    found = [frame.column(name) for name in said] if frame else []
    if frame and len(found) > 1 and all(found):
        yield unique(frame, *(name for name in found if name)), "pivot stops at a pair that is there twice", 3


def _dropna(called: Called) -> Rules:
    frame = called.names.frame(called.call.func.value) if isinstance(called.call.func, ast.Attribute) else None
    columns = texts_of(called.given.get("subset")) or ()
    if found := _of_method(called):
        frame, columns = found[0], (found[1],)
    for name in columns if frame and not called.goes_into("unique", "nunique") else ():
        if frame and (column := frame.column(name)):
            yield present(frame, column), "rows without it are left out from here on", 1


def _drop_duplicates(called: Called) -> Rules:
    frame = called.names.frame(called.call.func.value) if isinstance(called.call.func, ast.Attribute) else None
    names = texts_of(called.given.get("subset") or called.given.get(0)) or ()
    found = [frame.column(name) for name in names] if frame else []
    if frame and found and all(found):
        yield unique(frame, *(name for name in found if name)), "all but one row of each are left out from here on", 2


def _groupby(called: Called) -> Rules:
    frame = called.names.frame(called.call.func.value) if isinstance(called.call.func, ast.Attribute) else None
    names = texts_of(called.given.get("by") or called.given.get(0)) or ()
    for name in names if frame and called.value("dropna") is not False else ():
        if frame and (column := frame.column(name)):
            yield present(frame, column), "rows without it are in no group", 1


def _cut(called: Called) -> Rules:
    found, edges = _of_argument(called), called.value("bins") or called.value(1)
    if found and isinstance(edges, list) and edges and all(isinstance(edge, int | float) for edge in edges):
        frame, column = found
        closed = called.value("right") is not False
        low = compared(column, ">=" if not closed or called.value("include_lowest") is True else ">", edges[0])
        high = compared(column, "<=" if closed else "<", edges[-1])
        yield frame.rule(All(conditions=(low, high))), "what lies beyond the bins becomes missing", 2


def _logarithm(called: Called) -> Rules:
    found = _of_argument(called)
    if found and isinstance(called.call.func, ast.Attribute):
        frame, column = found
        least = _LOGARITHMS[called.call.func.attr]
        yield frame.rule(compared(column, ">", least)), f"the logarithm needs more than {least}", 2


def _root(called: Called) -> Rules:
    if found := _of_argument(called):
        yield found[0].rule(compared(found[1], ">=", 0)), "there is no root of a negative number", 2


_READERS: dict[str, tuple[Callable[[Called], Rules], ...]] = {
    "astype": (_astype,),
    "to_datetime": (_to_datetime,),
    "to_numeric": (_to_numeric,),
    "read_csv": (_read_file,),
    "map": (_map,),
    "set_index": (_set_index,),
    "pivot": (_pivot,),
    "dropna": (_dropna,),
    "drop_duplicates": (_drop_duplicates,),
    "groupby": (_groupby,),
    "cut": (_cut,),
    "sqrt": (_root,),
    "merge": (joined_by,),
    "join": (joined_by,),
}

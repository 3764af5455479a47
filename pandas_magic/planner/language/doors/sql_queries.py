"""SELECT statements as queries of rows."""

from collections.abc import Callable

from pandas_magic.planner.language.doors.sql_syntax import SqlNode
from pandas_magic.planner.language.doors.terms import (
    JoinedTable,
    NothingHolds,
    NotMeant,
    RowQuery,
    SyntaxTerm,
    replaced,
)

Reader = Callable[[SqlNode], SyntaxTerm]
_KNOWN = {"expressions", "from", "from_", "joins", "where", "group", "having", "distinct", "order", "limit", "kind"}
_SIDES = {"": False, "LEFT": True}


def query_of(node: SqlNode, read: Reader) -> RowQuery:
    """The query, its conditions read by `read`.

    Raises: NotMeant when it is none, NothingHolds for parts that no rule can hold.
    """
    select = node.this if node.key == "subquery" else node
    if select.key != "select":
        raise NothingHolds(f"no rule can hold a query with {select.key.upper()}")
    more = [key for key, part in select.args.items() if part and key not in _KNOWN]
    source = select.args.get("from_") or select.args.get("from")
    if more or source is None or source.this.key != "table":
        raise NothingHolds(f"no rule can hold a query {f'with {more[0].upper()}' if more else 'of no table'}")
    limit = select.args.get("limit")
    if limit is not None and limit.expression.name in ("", "0"):
        raise NotMeant("a query that is always empty")
    aliases = {each.alias: read(each.this) for each in select.expressions if each.key == "alias"}
    group, having = select.args.get("group"), select.args.get("having")
    selected = tuple(_selected(each.this if each.key == "alias" else each, read) for each in select.expressions)
    return RowQuery(
        table=source.this.name,
        alias=source.this.alias or source.this.name,
        selected=selected,
        joined=tuple(_joined(each, read) for each in select.args.get("joins") or ()),
        where=read(select.args["where"].this) if select.args.get("where") is not None else None,
        by=tuple(_grouping(read(each), selected) for each in group.expressions) if group is not None else (),
        having=replaced(read(having.this), aliases) if having is not None else None,
    )


def _selected(node: SqlNode, read: Reader) -> SyntaxTerm:
    is_all = node.key == "star" or (node.key == "column" and node.this.key == "star")
    return SyntaxTerm("rows") if is_all else read(node)


def _grouping(term: SyntaxTerm, selected: tuple[SyntaxTerm, ...]) -> SyntaxTerm:
    return selected[term.said - 1] if isinstance(term.said, int) and term.said <= len(selected) else term


def _joined(node: SqlNode, read: Reader) -> JoinedTable:
    side, kind = str(node.args.get("side") or "").upper(), str(node.args.get("kind") or "").upper()
    if side not in _SIDES or kind not in ("", "INNER", "OUTER", "CROSS") or node.args.get("method"):
        raise NothingHolds(f"no rule can hold a {side or kind} JOIN")
    if node.this.key != "table":
        raise NothingHolds("no rule can hold a join with a query")
    return JoinedTable(
        table=node.this.name,
        alias=node.this.alias or node.this.name,
        on=read(node.args["on"]) if node.args.get("on") is not None else None,
        using=tuple(each.name for each in node.args.get("using") or ()),
        is_left=_SIDES[side],
    )

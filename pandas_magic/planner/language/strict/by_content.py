"""Sentences about texts that are dates, numbers or times: read as if columns held these, then said of the texts."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pandas_magic.catalog.table import TIME_OF_DAY, Table
from pandas_magic.constraints import check_types
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint
from pandas_magic.planner.language.linking import Linked, link
from pandas_magic.planner.language.strict.reading import StrictReading, read_strictly

Node = dict[str, Any]
Tables = Mapping[str, Table]
_DTYPES = {"date": "datetime64[us]", "number": "float64", "time": TIME_OF_DAY}
# Where a value is taken for what it is, by the kind of node and the part of it; elsewhere texts stay texts.
_TAKEN = frozenset(
    [("compare", "left"), ("compare", "right"), ("arithmetic", "left"), ("arithmetic", "right"), ("previous", "order")]
    + [(node, "of") for node in ("absolute", "part", "previous", "group", "rollup", "aggregate", "one_of")]
)
_COUNTING = ("count", "distinct")
_recent: list[tuple[Tables, Tables]] = []
_MOST_RECENT = 4


def read_by_content(
    linked: Linked,
    *,
    locale: str = "en",
    read: Callable[[Linked], tuple[StrictReading, ...]] = read_strictly,
) -> tuple[StrictReading, ...]:
    """Every meaning of the sentence where texts of the tables are taken for the dates, numbers or times they are."""
    if not any(table.read_as for table in linked.tables.values()):
        return ()
    found = read(link(linked.rule, _by_content(linked.tables), target=linked.target, locale=locale))
    said = (replace(one, constraint=of_texts(one.constraint, linked.tables)) for one in found)
    return tuple(one for one in said if not check_types(one.constraint, linked.tables))


def _by_content(tables: Tables) -> Tables:
    """The tables with the types of what their texts are; the same ones for the same tables, so that links are kept."""
    for known, typed in _recent:
        if known.keys() == tables.keys() and all(known[name] is tables[name] for name in tables):
            return typed
    _recent.append((dict(tables), {name: _typed(table) for name, table in tables.items()}))
    del _recent[:-_MOST_RECENT]
    return _recent[-1][1]


def _typed(table: Table) -> Table:
    if not table.read_as:
        return table
    dtypes = {column: _DTYPES[kind] for column, kind in table.read_as.items()}
    values = {column: texts for column, texts in table.values.items() if column not in dtypes}
    return table.model_copy(update={"columns": {**table.columns, **dtypes}, "values": values, "read_as": {}})


def of_texts(constraint: Constraint, tables: Tables) -> Constraint:
    """The rule with each column of texts read as what it is, where its value counts."""
    if isinstance(constraint, ColumnsRule):
        return constraint
    return type(constraint).model_validate(_told(constraint.model_dump(), constraint.table, tables))


def _told(node: Any, table: str, tables: Tables, *, is_taken: bool = False) -> Any:  # noqa: ANN401 - a part of a rule
    if isinstance(node, (list, tuple)):
        return [_told(part, table, tables, is_taken=is_taken) for part in node]
    if not isinstance(node, dict):
        return node
    kind = node.get("node", "")
    if kind == "column":
        read_as = tables[table].read_as.get(node["name"]) if is_taken else None
        return {"node": "read_as", "of": node, "type": read_as} if read_as else node
    counts = node.get("statistic") in _COUNTING
    return {
        name: part
        if name in ("join", "keys")
        else _told(
            part,
            _place(node, name, table),
            tables,
            is_taken=((kind, name) in _TAKEN and not counts) or (kind == "lookup" and is_taken),
        )
        for name, part in node.items()
    }


def _place(node: Node, name: str, table: str) -> str:
    """The table in which the part of the node is worked out."""
    if node.get("join"):
        return str(node["join"]["table"])
    is_elsewhere = node.get("node") in ("aggregate", "share") or (node.get("node") == "exists" and name == "where")
    return str(node["table"]) if is_elsewhere else table

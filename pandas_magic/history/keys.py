"""By what a row is known again tomorrow: columns that a person declared, else one that looks like an id and is one."""

import re
from collections.abc import Mapping, Sequence

from pandas_magic.catalog.table import Table
from pandas_magic.catalog.text.plurals import singular

_ID_NAME = re.compile(r"(^|_|\b)(id|key|uuid|guid|nr|no|number|code|sku|isbn|iban)$", re.IGNORECASE)
_ID_CAMEL = re.compile(r"[a-z0-9](Id|ID|Key|Nr|No|Number|Code)$")
_ID_KINDS = frozenset({"integer", "text"})  # a measured number or a time may be different in every row by chance


def key_of(table: Table, declared: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The key columns of a table; none when nobody declared them and no column both looks like an id and is unique.

    A column is unique when every value is there and all are different in the table as it was read.
    """
    said = declared.get(table.name)
    if said is not None:
        return tuple(column for column in said if column in table.columns)
    candidates = [column for column in table.keys if table.kind(column) in _ID_KINDS and looks_like_id(column)]
    if len(candidates) < 2:
        return tuple(candidates)
    return (min(candidates, key=lambda column: _rank(column, table)),)


def looks_like_id(column: str) -> bool:
    """Whether a column is named as keys and numbers of documents are: order_id, userId, SKU."""
    return bool(_ID_NAME.search(column) or _ID_CAMEL.search(column))


def _rank(column: str, table: Table) -> tuple[int, int]:
    """How likely the column is the table's own key: "id" before "order_id" of orders before all others in order."""
    name = column.casefold()
    table_name = table.name.casefold()
    own = {f"{stem}{mark}id" for stem in (table_name, singular(table_name)) for mark in ("_", "")}
    return (0 if name == "id" else 1 if name in own else 2, list(table.columns).index(column))

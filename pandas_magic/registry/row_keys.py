"""Rows named by a key, as people write it: order_id=17, and what such a value is in a column of a kind."""

from collections.abc import Mapping, Sequence

import pandas as pd

from pandas_magic.catalog.table import Table, ValueKind
from pandas_magic.errors import UsageMistake

_TRUTH = {"true": True, "false": False}
_KINDS = {"integer": "numbers", "number": "numbers", "boolean": "true or false", "datetime": "dates"}


def key_of(said: Sequence[str]) -> dict[str, str]:
    """The key that "order_id=17", "line=2" name. Raises: UsageMistake."""
    key: dict[str, str] = {}
    for part in said:
        column, equals, value = part.partition("=")
        column = column.strip()
        if not equals or not column:
            raise UsageMistake(f'"{part}" names no row; write the column and its value: --key order_id=17')
        if column in key:
            raise UsageMistake(f"{column} is named twice, as {key[column]} and as {value}; name one key at a time")
        key[column] = value
    if not key:
        raise UsageMistake("an exception needs the key of its rows: --key order_id=17")
    return key


def value_of(text: str, kind: ValueKind) -> object | None:
    """What the text says in a column of that kind: a number, a moment, a truth value, else itself; None: nothing."""
    match kind:
        case "boolean":
            return _TRUTH.get(text.casefold())
        case "integer" | "number":
            return _number(text)
        case "datetime":
            return _moment(text)
        case _:
            return text


def refuse_other_key(key: Mapping[str, str], table: Table) -> None:
    """Refuse a key that no row of the table can have.

    Raises: NoSuchName for a column that it has not; UsageMistake for a value that none of a column's can be.
    """
    for column, text in key.items():
        kind = table.kind(column)
        if value_of(text, kind) is None:
            raise UsageMistake(f'{column} of {table.name} holds {_KINDS[kind]}, and "{text}" is none')


def _number(text: str) -> int | float | None:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return None


def _moment(text: str) -> pd.Timestamp | None:
    try:
        moment = pd.Timestamp(text)
    except ValueError:
        return None
    return None if pd.isna(moment) else moment

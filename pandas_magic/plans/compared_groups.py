"""What a request compares: the groups of a column, two of its values, or the same column of several tables."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pandas_magic.catalog.table import Table
from pandas_magic.errors import quoted_list
from pandas_magic.plans.request_words import RequestWords, stems

_JOINING = ("and", "with", "to", "versus", "vs", "against", ",")
_FILES = (("file",), ("table",), ("dataset",), ("trial",))
_EACH = ("two", "both", "different", "these")


class Compared(NamedTuple):
    """Groups of the column `by`, all of them where no `values` are named; or several tables."""

    by: str = ""
    values: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()


def read_compared(words: RequestWords, table: Table, tables: Mapping[str, Table]) -> Compared:
    """What is compared: `treatment groups`, `paid and sent orders`, `orders_2023 and orders_2024`, `all files`.

    Raises: Stuck where that is not named, or has two readings.
    """
    words.take_any(_EACH)
    at = words.at
    named = _tables(words, tables)
    words.at = at
    found = [_values(words, table, column) for column in _columns(words, table) if table.values.get(column)]
    chosen = [compared for compared in found if compared is not None]
    if len(chosen) + bool(named.tables) > 1:
        raise words.stuck("it can be values of several columns, or tables; name the column before the values")
    if named.tables:
        words.at = named.at
        return Compared(tables=named.tables)
    if chosen:
        compared, words.at = chosen[0]
        return compared
    words.at = at
    return _groups(words, table, tables)


class _Tables(NamedTuple):
    tables: tuple[str, ...]
    at: int


def _columns(words: RequestWords, table: Table) -> Sequence[str]:
    """The column that is named next, which is taken; all where none is."""
    column = words.take_column()
    if column:
        words.take_any(("group", "value"))
    return [column] if column else list(table.columns)


def _values(words: RequestWords, table: Table, column: str) -> tuple[Compared, int] | None:
    """Two or more values of the column, joined by "and"; what was taken is given back."""
    at = words.at
    values: list[str] = []
    while True:
        fitting = [value for value in table.values[column] if words.comes(_named(value))]
        if not fitting:
            break
        value = max(fitting, key=lambda text: len(_named(text)))
        if sum(_named(other) == _named(value) for other in fitting) > 1:
            raise words.stuck(f"several values of {table.name}.{column} are written so")
        words.take_one_of([_named(value)])
        values.append(value)
        if not words.take_any(_JOINING):
            break
        words.take_any((",", "and"))
    reached, words.at = words.at, at
    return (Compared(column, tuple(values)), reached) if len(set(values)) > 1 else None


def _tables(words: RequestWords, tables: Mapping[str, Table]) -> _Tables:
    """Two or more tables, by their names or those of their folders."""
    named: list[str] = []
    while True:
        fitting = {name: spelled for name, one in tables.items() for spelled in _names(one) if words.comes(spelled)}
        longest = max(map(len, fitting.values()), default=0)
        chosen = [name for name, spelled in fitting.items() if len(spelled) == longest]
        if len(chosen) != 1:
            break
        words.take_one_of([fitting[chosen[0]]])
        named.append(chosen[0])
        if not words.take_any(_JOINING):
            break
        words.take_any((",", "and"))
    return _Tables(tuple(named) if len(set(named)) > 1 else (), words.at)


def _names(table: Table) -> list[list[str]]:
    return [spelled for spelled in (stems(table.name), stems(table.group)) if spelled]


def _groups(words: RequestWords, table: Table, tables: Mapping[str, Table]) -> Compared:
    if words.take_one_of(_FILES):
        return Compared(tables=tuple(tables))
    words.take_one_of([("groups",), ("values",)])
    column = words.take_column()
    if not column:
        raise words.stuck(f"{table.name} has {quoted_list(list(table.columns))}")
    words.take_any(("group", "value"))
    return Compared(by=column)


def _named(value: str) -> list[str]:
    return stems(value) or [value.casefold()]

"""Columns of PostgreSQL tables as Arrow, without a Python object for each value: where that gives the very same rows.

What may differ is left to the other reader: numeric (no Arrow form here), real (its digits), padded texts, and every
type that is not listed. The driver is an extra; without it, and after whatever goes wrong, the answer is None.
"""

import datetime
from collections.abc import Mapping, Sequence
from importlib import import_module
from zoneinfo import ZoneInfo

import pyarrow as pa
import pyarrow.compute as pc

# SQL types, as SQLAlchemy calls them, whose values both readers give alike.
_WHOLE, _EXACT = ("SMALLINT", "INTEGER", "BIGINT"), ("DOUBLE_PRECISION", "TEXT", "VARCHAR", "BOOLEAN")
_TIMES = ("DATE", "TIMESTAMP")
# Beyond these years, and for infinity, the driver gives a moment that is none; the other reader refuses them.
_FIRST, _LAST = datetime.date(1, 1, 2), datetime.date(9999, 12, 30)


def columns_of(
    address: str, table: str, types: Mapping[str, str], zone: str, *, order: Sequence[str] = ()
) -> pa.Table | None:
    """These columns of a table (its schema before a dot), read only, in the `order` of some of them.

    None: they must be read otherwise.

    `types` maps each column to the name of its SQL type; `zone` is the time zone that the session shows moments in.
    """
    if not types or not {*types.values()} <= {*_WHOLE, *_EXACT, *_TIMES}:
        return None
    try:
        driver = import_module("adbc_driver_postgresql.dbapi")
    except ImportError:
        return None
    named = ".".join(_quoted(step) for step in table.rpartition(".")[::2] if step)
    try:
        with driver.connect(address) as connection, connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
            ordered = f" ORDER BY {', '.join(map(_quoted, order))}" if order else ""
            cursor.execute(f"SELECT {', '.join(map(_quoted, types))} FROM {named}{ordered}")
            found = cursor.fetch_arrow_table()
        found.validate(full=True)
        return _as_the_other_reads(found, types, zone)
    except (driver.Error, pa.ArrowException, KeyError, ValueError, OverflowError):
        return None  # the other reader meets the same obstacle, and says it


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _as_the_other_reads(table: pa.Table, types: Mapping[str, str], zone: str) -> pa.Table | None:
    columns = {}
    for name, kind in types.items():
        column = table[name]
        if column.null_count == len(column):
            column = pa.chunked_array([pa.nulls(len(column))])
        elif kind in _WHOLE:
            column = column.cast(pa.int64())
        elif kind in _TIMES:
            extremes = pc.min_max(column).as_py()
            if not all(_FIRST <= _day(moment) <= _LAST for moment in extremes.values()):
                return None
            if kind == "TIMESTAMP" and column.type.tz is not None:
                column = column.cast(pa.timestamp("us", ZoneInfo(zone).key))
        columns[name] = column
    return pa.table(columns)


def _day(moment: datetime.date) -> datetime.date:
    return moment.date() if isinstance(moment, datetime.datetime) else moment

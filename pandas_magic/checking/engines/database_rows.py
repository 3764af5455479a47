"""Rows of a database or file, and planted ones, as what stands after FROM: of types that mean what pandas reads."""

import re
from collections.abc import Mapping, Sequence
from datetime import date

import pandas as pd

from pandas_magic.catalog.table import Table
from pandas_magic.checking.engines.dialect import EngineDialect, NotExpressible
from pandas_magic.checking.engines.writing import POSITION
from pandas_magic.constraints.types.value_types import column_type

# Decimals of so many digits have a float64 each.
_EXACT_DIGITS = 15
_MOMENT_OF_PYTHON = (
    "(CASE WHEN {{0}} >= '0001-01-02' AND {{0}} < '9999-12-31' THEN CAST({{0}} AS {0}) "
    "WHEN {{0}} IS NOT NULL THEN CAST(CAST('{0}' || left(CAST({{0}} AS text), 0) AS integer) || '' AS {0}) END)"
)
# Some numbers of microseconds are no moments there, or infinite ones, and are moments or missing to pandas.
_MOMENT_OF_DUCKDB = (
    "(CASE WHEN {0} >= TIMESTAMP '0001-01-02' AND {0} < TIMESTAMP '9999-12-31' THEN CAST({0} AS TIMESTAMP) "
    "WHEN {0} IS NOT NULL THEN error('a moment beyond the years 1 to 9999') END)"
)
_DECLARED = {
    "PostgreSQL": {
        **dict.fromkeys(("SMALLINT", "INTEGER", "BIGINT"), ("integer", "CAST({0} AS bigint)")),
        **dict.fromkeys(("DOUBLE PRECISION", "NUMERIC"), ("number", "CAST({0} AS double precision)")),
        **dict.fromkeys(("TEXT", "VARCHAR"), ("text", 'CAST({0} AS text) COLLATE "C"')),
        "BOOLEAN": ("boolean", "{0}"),
        "DATE": ("datetime", _MOMENT_OF_PYTHON.format("timestamp")),
        "TIMESTAMP WITHOUT TIME ZONE": ("datetime", _MOMENT_OF_PYTHON.format("timestamp")),
        "TIMESTAMP WITH TIME ZONE": ("datetime", _MOMENT_OF_PYTHON.format("timestamptz")),
    },
    # Any cell may hold a value of any type there.
    "SQLite": {
        **dict.fromkeys(("SMALLINT", "INTEGER", "BIGINT"), ("integer", "integer")),
        **dict.fromkeys(("REAL", "FLOAT", "DOUBLE", "DOUBLE PRECISION", "DOUBLE_PRECISION"), ("number", "real")),
        **dict.fromkeys(("TEXT", "VARCHAR"), ("text", "text")),
    },
}
# Columns of Parquet files, by the names that Arrow has for their types.
_DECLARED["DuckDB"] = {
    **dict.fromkeys(
        ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"), ("integer", "CAST({0} AS BIGINT)")
    ),
    "double": ("number", "{0}"),
    **dict.fromkeys(("string", "large_string"), ("text", "{0}")),
    "bool": ("boolean", "{0}"),
    **dict.fromkeys(("date32[day]", "timestamp[us]"), ("datetime", _MOMENT_OF_DUCKDB)),
}
_OF_THAT_TYPE = (
    "(CASE WHEN typeof({{0}}) IN ('{0}', 'null') THEN {{0}} ELSE abs(-9223372036854775807 - ({{0}} IS NOT NULL)) END)"
)
# SQLite lets a key be missing, or of any type, unless it is the number of the row.
_KEY = {
    "DuckDB": "{0}",
    "PostgreSQL": "CAST({0} AS bigint)",
    "SQLite": "(CASE WHEN typeof({0}) = 'integer' THEN {0} "
    "ELSE abs(-9223372036854775807 - (typeof({0}) <> 'integer')) END)",
}
_CELLS = {
    "PostgreSQL": {
        "integer": "CAST({0} AS bigint)",
        "number": "CAST({0} AS double precision)",
        "text": 'CAST({0} AS text) COLLATE "C"',
        "boolean": "CAST({0} AS boolean)",
        "datetime": "CAST({0} AS timestamp)",
        "moment": "CAST({0} AS timestamptz)",
    },
    "SQLite": {"integer": "{0}", "number": "CAST({0} AS REAL)", "text": "{0}", "boolean": "{0}"},
}


def stored_rows(
    place: str, key: str, columns: Sequence[str], table: Table, *, types: Mapping[str, str], dialect: EngineDialect
) -> str:
    """The rows of a table at `place`, with its `key` as what identifies and orders them.

    `types` are the columns' as the database declares them. Values that pandas would read otherwise raise there.
    Raises: NotExpressible for a column of another type.
    """
    items = [f"{_KEY[dialect.name].format(dialect.quote(key))} AS {dialect.quote(POSITION)}"]
    for name in columns:
        quoted = dialect.quote(name)
        items.append(f"{_as_read(name, table, types.get(name, ''), dialect).format(quoted)} AS {quoted}")
    return f"(SELECT {', '.join(items)} FROM {place})"


def _as_read(name: str, table: Table, declared: str, dialect: EngineDialect) -> str:
    """The column as a template of its quoted name."""
    plain = re.sub(r"\([^)]*\)", "", declared).strip()
    kind, template = _DECLARED[dialect.name].get(plain, ("", ""))
    found = column_type(table, name)
    digits = re.fullmatch(r"NUMERIC\((\d+), *\d+\)", declared)
    is_exact = plain != "NUMERIC" or (digits is not None and int(digits[1]) <= _EXACT_DIGITS)
    # Whole numbers among which some are missing are fractions to pandas.
    is_gapped = (kind, found.kind) == ("integer", "number")
    is_alike = kind == found.kind or is_gapped
    if not is_alike or not is_exact or (found.zone is not None) != plain.endswith("WITH TIME ZONE"):
        raise NotExpressible(f'the column "{name}" of type {declared or "unknown"}, read as {table.columns[name]}')
    guarded = _OF_THAT_TYPE.format(template) if dialect.name == "SQLite" else template
    return dialect.say("exact_double", guarded) if is_gapped else guarded


def planted_rows(frame: pd.DataFrame, columns: Sequence[str], table: Table, dialect: EngineDialect) -> str:
    """The rows of a frame as a list of values, in its order. Raises: NotExpressible."""
    named = [dialect.quote(name) for name in (POSITION, *columns)]
    types = [column_type(table, name) for name in columns]
    kinds = ["moment" if found.zone is not None else found.kind for found in types]
    if unlike := set(kinds) - _CELLS[dialect.name].keys():
        raise NotExpressible(f"a column of {sorted(unlike)[0]} values")
    cells = [
        [_CELLS[dialect.name][kind].format(_literal(value, dialect)) for value in frame[name].astype(object)]
        for name, kind in zip(columns, kinds, strict=True)
    ]
    rows = [f"({', '.join([str(at), *(column[at] for column in cells)])})" for at in range(len(frame))]
    if not rows:
        nothing = ["NULL", *(_CELLS[dialect.name][kind].format("NULL") for kind in kinds)]
        return (
            f"(SELECT {', '.join(f'{each} AS {name}' for each, name in zip(nothing, named, strict=True))} WHERE 1 = 0)"
        )
    items = ", ".join(f"column{number} AS {name}" for number, name in enumerate(named, 1))
    return f"(SELECT {items} FROM (VALUES {', '.join(rows)}) planted)"


def _literal(value: object, dialect: EngineDialect) -> str:
    if value is None or pd.isna(value):  # type: ignore[call-overload]  # a cell is a scalar
        return "NULL"
    if isinstance(value, str):
        return dialect.text(value)
    if pd.api.types.is_bool(value):
        return "TRUE" if value else "FALSE"
    if pd.api.types.is_integer(value):
        return str(value)
    if isinstance(value, date):
        return dialect.moment(pd.Timestamp(value))
    return dialect.number(float(value))  # type: ignore[arg-type]  # what is left are fractions

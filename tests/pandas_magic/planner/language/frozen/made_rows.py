"""Tables for frozen sentences, made from a description: small, seeded, with missing values, duplicates and orphans."""

from typing import Any

import numpy as np
import pandas as pd

from pandas_magic.catalog.table import Table

NOW = pd.Timestamp("2026-11-01")
STRAY = "stray"  # a text that no rule allows


def frames(tables: dict[str, Any], seed: int) -> dict[str, pd.DataFrame]:
    """Frames of the described tables. Now and then a key that nothing refers to repeats, a reference misses."""
    random = np.random.default_rng(seed)
    return {
        name: pd.DataFrame({column: _column(spec, name, tables, random) for column, spec in table["columns"].items()})
        for name, table in tables.items()
    }


def _column(spec: list[Any], table: str, tables: dict[str, Any], random: np.random.Generator) -> pd.Series:
    kind, *details = spec
    rows = tables[table]["rows"]
    if kind == "key":
        ids = np.arange(details[0], details[0] + rows)
        if not _referred_to(table, tables):
            ids[random.integers(0, rows, 2)] = details[0]
        return pd.Series(ids)
    if kind == "ref":
        parent, key = details
        first = tables[parent]["columns"][key][1]
        found = pd.Series(random.integers(first, first + tables[parent]["rows"] + 3, rows), dtype="Int64")
        return _with_missing(found, 0.05, random).astype("Float64").astype("float64")
    if kind == "code":
        return _codes(details[0], rows)
    if kind == "coderef":
        parent, key = details
        known = list(_codes(tables[parent]["columns"][key][1], tables[parent]["rows"]))
        return _with_missing(pd.Series(random.choice([*known, STRAY], rows), dtype="str"), 0.05, random)
    if kind == "bool":
        return pd.Series(random.random(rows) < 0.5)
    return _measured(kind, details, rows, random)


def _codes(prefix: str, rows: int) -> pd.Series:
    # The last one is written otherwise.
    return pd.Series([f"{prefix}{number}" for number in range(100, 99 + rows)] + ["x4"], dtype="str")


def _referred_to(table: str, tables: dict[str, Any]) -> bool:
    # Where two rows share a key, "the user of the order" has no meaning that could be compared.
    return any(spec[:2] == ["ref", table] for other in tables.values() for spec in other["columns"].values())


def _measured(kind: str, details: list[Any], rows: int, random: np.random.Generator) -> pd.Series:
    missing = details[-1]
    if kind in ("choice", "texts"):
        texts = pd.Series(random.choice(details[0], rows), dtype="str")
        return _with_missing(texts.mask(random.random(rows) < 0.04, STRAY), missing, random)
    low, high = details[:2]
    if kind == "int":
        whole = pd.Series(random.integers(low, high + 1, rows)).mask(random.random(rows) < 0.04, 10 * high)
        return _with_missing(whole.astype(float), missing, random) if missing else whole
    if kind == "number":
        found = pd.Series(np.round(random.uniform(low, high, rows), 2)).mask(random.random(rows) < 0.04, -high)
        return _with_missing(found, missing, random)
    days = pd.to_timedelta(random.integers(0, high, rows), unit="D")
    return _with_missing(pd.Series(pd.Timestamp(low) + days), missing, random)


def _with_missing(values: pd.Series, share: float, random: np.random.Generator) -> pd.Series:
    return values.mask(random.random(len(values)) < share)


def described(frames_of: dict[str, pd.DataFrame], specs: dict[str, Any]) -> dict[str, Table]:
    """The tables as the planner sees them: what occurs is known for columns of few different texts."""
    return {name: _table(name, frame, specs[name]["columns"]) for name, frame in frames_of.items()}


def _table(name: str, frame: pd.DataFrame, columns: dict[str, Any]) -> Table:
    occurring = {
        column: tuple(sorted(frame[column].dropna().unique()))
        for column, spec in columns.items()
        if spec[0] == "choice"
    }
    keys = tuple(column for column in frame if frame[column].notna().all() and frame[column].is_unique)
    dtypes = {str(column): str(dtype) for column, dtype in frame.dtypes.items()}
    missing = {str(column): int(count) for column, count in frame.isna().sum().items() if count}
    return Table(name=name, columns=dtypes, values=occurring, keys=keys, missing=missing, row_count=len(frame))


def intended(reference: str, frames_of: dict[str, pd.DataFrame], table: str) -> list[int]:
    """The positions of the rows that the writer meant, or [0] when a rule about a whole table is broken."""
    meant = eval(reference, {**frames_of, "pd": pd, "np": np, "NOW": NOW})
    if isinstance(meant, (bool, np.bool_)):
        return [0] if meant else []
    assert len(meant) == len(frames_of[table])
    return [position for position, broken in enumerate(meant.fillna(False).astype(bool)) if broken]

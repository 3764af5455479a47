"""Quick models for probes: features as a matrix, and small seeded models. scikit-learn does the learning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pandas_magic.explore.confined.formulas import Array
from pandas_magic.explore.confined.typed_column import TypedColumn

SEED = 20_261_121
MOST_ROWS = 3_000  # of a probe: a second or two of learning
_MOST_CATEGORIES = 200
_MOST_FEATURES = 40
_TREES = 30
TEST_SHARE = 0.3


@dataclass(frozen=True)
class Features:
    """A float matrix of rows × features, NaN where missing; `categorical` says which are codes."""

    names: tuple[str, ...]
    matrix: Array
    categorical: tuple[bool, ...]


def features_of(columns: list[TypedColumn], without: set[str], rows: Array) -> Features:
    """The columns that a model can use, at the rows given; ids, constants and free texts are left out."""
    usable = [column for column in columns if column.name not in without and _is_usable(column)][:_MOST_FEATURES]
    matrix = np.column_stack([as_feature(column, rows) for column in usable]) if usable else np.empty((len(rows), 0))
    return Features(
        tuple(column.name for column in usable), matrix, tuple(column.codes is not None for column in usable)
    )


def as_feature(column: TypedColumn, rows: Array) -> Array:
    """The column as floats: numbers, seconds, or codes; NaN where missing."""
    if column.codes is not None:
        codes = column.codes[rows].astype(np.float64)
        codes[codes < 0] = np.nan
        return codes
    return column.floats(rows)


def _is_usable(column: TypedColumn) -> bool:
    if column.kind in ("id-like", "constant", "text"):
        return False
    return column.codes is None or len(column.labels) <= _MOST_CATEGORIES


def forest(*, classes: bool) -> Any:  # noqa: ANN401 - an estimator of scikit-learn
    """A small seeded random forest. It takes missing values as they are, and many classes cost it nothing more."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    options: dict[str, Any] = {"n_estimators": _TREES, "min_samples_leaf": 3, "random_state": SEED, "n_jobs": 1}
    return RandomForestClassifier(**options) if classes else RandomForestRegressor(**options)


def picked_rows(known: Array) -> Array:
    """The positions at which `known` is true; a seeded sample of them where there are many."""
    rows = np.flatnonzero(known)
    if len(rows) <= MOST_ROWS:
        return rows
    return np.sort(np.random.default_rng(SEED).choice(rows, MOST_ROWS, replace=False))

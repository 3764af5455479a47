"""What to do next, per column and for the model: proposals, each with its reason; nothing is done to the data."""

from __future__ import annotations

from typing import Any

from pandas_magic.explore.confined.target import Target
from pandas_magic.explore.confined.typed_column import MANY_CATEGORIES, TypedColumn
from pandas_magic.explore.confined.univariate import percent, suggested_dtype

_SKEWED = 1.0
_FOLDS = 5
_MOSTLY_MISSING_PCT = 60.0
_PREDICTIVE_FROM_PCT = 5.0
_ONE_HOT = 12  # more categories make one-hot tables wide
_IMBALANCED = 3.0
# How a step begins -> the word for it.
_ACTIONS = (
    ("drop", "drop"),
    ("flag", "flag_missing"),
    ("keep a flag", "flag_missing"),
    ("keep", "none"),
    ("confirm before use", "confirm_no_leak"),
    ("say whether", "confirm_type"),
    ("convert", "convert_type"),
    ("impute: median", "impute_median"),
    ("impute: mean", "impute_mean"),
    ("impute: mode", "impute_mode"),
    ("impute: leave", "leave_missing"),
    ("impute: a", "impute_category"),
    ("scale: standard", "scale_optional"),
    ("scale: ", "transform_optional"),
    ("encode: 0", "encode_binary"),
    ("encode: one-hot", "encode_onehot"),
    ("encode: target", "encode_target"),
    ("derive", "derive_date_features"),
    ("vectorise", "vectorize_text"),
)


def action_of(column: TypedColumn, target: Target | None, leaky: bool, missing_threshold_pct: float) -> str:
    """The first of the steps for one column, in one word of the vocabulary that the report has for it."""
    if target is not None and column.name == target.name:
        return "target"
    first = steps_of(column, target, leaky, missing_threshold_pct)[0]
    return next(action for begin, action in _ACTIONS if first.startswith(begin))


def steps_of(column: TypedColumn, target: Target | None, leaky: bool, missing_threshold_pct: float) -> list[str]:
    """The steps for one column in their order; "keep" when nothing is needed."""
    if target is not None and column.name == target.name:
        return _target_steps(column)
    if column.kind == "constant":
        nothing = "drop: it has no value" if not column.unique else "drop: it never changes"
        return ["flag: only its gaps differ"] if column.unique and column.missing else [nothing]
    if column.kind == "id-like":
        return ["drop from features: it identifies rows; keep as a key"]
    if column.names_rows:
        return ["keep as a key: named like an id, and no quantity"]
    steps = ["confirm before use: it may leak the target"] if leaky else []
    if suggested_dtype(column).split(" ")[0] not in (column.dtype, "category", "Int64") and column.read_from:
        steps.append(f"convert to {suggested_dtype(column)}")
    if column.codes is not None and any(reading.startswith("numeric") for reading in column.readings):
        return [*steps, "say whether it is a number (type_disambiguation), and convert it"]
    if column.missing:
        steps.append(imputation(column, missing_threshold_pct))
    return [*steps, *_encoding(column)] or ["keep"]


def _target_steps(column: TypedColumn) -> list[str]:
    if column.unique < 2:
        return ["target: choose another; there is nothing to learn"]
    if not column.missing:
        return ["target: keep as it is"]
    rows = "row" if column.missing == 1 else "rows"
    return [f"target: leave out its {column.missing:,} {rows} without a value"]


def imputation(column: TypedColumn, missing_threshold_pct: float) -> str:
    """How to fill the gaps: median or mean, mode, or a model; a flag beside where there are many."""
    pct = percent(column.missing, column.rows)
    if pct > _MOSTLY_MISSING_PCT:
        return f"keep a flag of its gaps, or drop it: {pct:.1f} % missing"
    flag = ", and add a flag of its gaps" if pct > missing_threshold_pct else ""
    if column.is_number:
        skew = column.moments.skew
        method = "median" if skew is None or abs(skew) > _SKEWED else "mean"
        trial = "; try a predictive fill (drill_missing)" if pct >= _PREDICTIVE_FROM_PCT else ""
        return f"impute: {method}{flag}{trial}"
    if column.kind == "datetime":
        return f"impute: leave missing{flag}; no date can be guessed"
    if column.kind == "text" or column.unique > MANY_CATEGORIES:
        return f'impute: a value of its own such as "(missing)"{flag}'
    return f"impute: mode{flag}" if pct < _PREDICTIVE_FROM_PCT else f'impute: a category "(missing)"{flag}'


def _encoding(column: TypedColumn) -> list[str]:
    if column.kind == "datetime":
        return ["derive features from the date"]
    if column.kind == "text":
        return ["vectorise the text (TF-IDF), or drop it"]
    if column.is_number:
        skew = column.moments.skew
        skewed = skew is not None and abs(skew) > _SKEWED
        logarithm = "log or " if skew is not None and skew > 0 <= column.ends[0] else ""
        return ["scale: " + (f"{logarithm}quantile transform first" if skewed else "standard")]
    if column.unique == 2:
        return ["encode: 0 and 1"]
    return ["encode: one-hot" if column.unique <= _ONE_HOT else "encode: target or ordinal, inside the folds"]


def plan_of(columns: list[TypedColumn], target: Target | None) -> dict[str, Any]:
    """How to get a first honest model: cross-validation, metric and coarse families; empty without a target to learn.

    A measure with a row for each moment, and nothing else that names the row, is a series: no fold may learn from the
    future.
    """
    if target is None or (target.task_type != "regression" and target.facts["n_classes"] < 2):
        return {"cross_validation": "", "metric": "", "baseline": "", "models": []}
    smallest = min(target.facts.get("class_counts", {}).values(), default=0)
    dated = any(column.kind == "datetime" for column in columns)
    later = "; or TimeSeriesSplit, since there are dates and the future must not be known" if dated else ""
    if target.task_type == "regression":
        return {
            "cross_validation": _of_series(columns) or f"KFold({_FOLDS}, shuffle=True){later}",
            "metric": "mean absolute error" if abs(target.facts["skew"] or 0) > _SKEWED else "root mean squared error",
            "baseline": "always predict the median",
            "models": ["ridge regression", "gradient boosted trees", "random forest"],
        }
    folds = min(_FOLDS, smallest) if smallest > 1 else _FOLDS
    alone = "; a class of one row must be merged or left out first" if smallest == 1 else ""
    imbalanced = (target.facts.get("imbalance_ratio") or 1) >= _IMBALANCED
    kind = "KFold" if target.task_type == "multilabel" else "StratifiedKFold"
    binary = target.facts["n_classes"] == 2 and target.task_type == "classification"
    metric = ("average precision" if imbalanced else "ROC AUC") if binary else "macro F1"
    return {
        "cross_validation": f"{kind}({folds}, shuffle=True){later}{alone}",
        "metric": metric if not binary or not imbalanced else "average precision and ROC AUC",
        "baseline": "always predict the most frequent class",
        "models": ["logistic regression", "gradient boosted trees", "random forest"],
    }


def _of_series(columns: list[TypedColumn]) -> str:
    dated = [column for column in columns if column.kind == "datetime" and not column.missing]
    named = any(column.kind == "id-like" for column in columns)
    if named or not any(column.unique == column.rows for column in dated):
        return ""
    return f"TimeSeriesSplit({_FOLDS}); shuffled folds would learn from the future, since each row has its own moment"

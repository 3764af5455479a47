"""What somebody should look at before modelling: quality, duplicates, names. Each with its evidence."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from pandas_magic.explore.confined.associations import HIGH, Associations
from pandas_magic.explore.confined.leakage import words_of
from pandas_magic.explore.confined.target import Target
from pandas_magic.explore.confined.typed_column import ALL_AGREE, MANY_CATEGORIES, TypedColumn, looks_like_id
from pandas_magic.explore.confined.univariate import percent, shown

_PERSONAL_WORDS = {
    "email",
    "mail",
    "phone",
    "mobile",
    "ssn",
    "passport",
    "iban",
    "password",
    "token",
    "address",
    "birthdate",
}
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
# Values that often stand for "not known" and yet are counted as values: said, never decided.
_SUSPECTS = {"-", "--", "na", "none", "unknown", "missing", "not available", "tbd", "unspecified", "undefined"}
_SENTINELS = (-1, -9, -99, -999, -9999, 999, 9999, 99999, 999999)
_DOMINANT_SHARE = 0.95
_EXTREME_SKEW = 3.0
_FEW_VALUES = 10  # a logarithm does nothing for a flag or a count of a few
_HUGE_ROWS = 5_000_000
_IMBALANCED = 10.0


def flags_of(
    columns: list[TypedColumn], suspects: list[dict[str, Any]], missing_threshold_pct: float
) -> dict[str, list[str]]:
    """The report's three lists of column names: high_cardinality, high_missing, possible_leakage."""
    return {
        "high_cardinality": [column.name for column in columns if _has_many_values(column)],
        "high_missing": [
            column.name for column in columns if percent(column.missing, column.rows) > missing_threshold_pct
        ],
        "possible_leakage": [suspect["feature"] for suspect in suspects],
    }


def _has_many_values(column: TypedColumn) -> bool:
    return column.kind in ("categorical", "text", "id-like") and column.unique > MANY_CATEGORIES


def high_correlations(found: Associations) -> list[dict[str, Any]]:
    """Pairs of numeric features whose absolute Pearson correlation is above 0.9, the strongest first."""
    return [
        {"f1": pair["f1"], "f2": pair["f2"], "pearson": pair["value"]}
        for pair in found.pairs
        if pair["measure"] == "pearson" and abs(pair["value"]) > HIGH
    ]


def quality_of_table(rows: int, duplicates: int, target: Target | None) -> list[dict[str, Any]]:
    """What is said of the table and its target, in the form of `quality_of_column`."""
    entries = []
    if duplicates:
        text = (
            f"{duplicates:,} of {rows:,} rows ({percent(duplicates, rows):.2f} %) repeat an earlier row in every column"
        )
        entries.append(_entry("duplicate rows", (), text))
    if rows >= _HUGE_ROWS:
        entries.append(_entry("large table", (), f"{rows:,} rows: try models on a sample first"))
    if target is not None:
        entries += _of_target(target, rows)
    return entries


def _entry(kind: str, columns: tuple[str, ...], text: str) -> dict[str, Any]:
    return {"kind": kind, "columns": list(columns), "text": text}


def quality_of_column(column: TypedColumn) -> list[dict[str, Any]]:
    """One entry per finding: `kind`, the `columns` it is about, and `text`, a sentence."""
    checks = (
        _constant,
        _name,
        _emails,
        _placeholders,
        _suspect_texts,
        _spaces,
        _sentinels,
        _infinite,
        _numbers_in_texts,
        _durations,
        _dominant,
        _skewed,
        _cases,
    )
    found = ((check.__name__.strip("_").replace("_", " "), check(column)) for check in checks)
    return [_entry(kind, (column.name,), f"{column.name}: {text}") for kind, text in found if text]


def _constant(column: TypedColumn) -> str:
    return column.evidence if column.kind == "constant" else ""


def _name(column: TypedColumn) -> str:
    said = words_of(column.name) & _PERSONAL_WORDS
    if said:
        return f'its name says "{sorted(said)[0]}": personal, and no feature'
    return "named like an id" if looks_like_id(column.name) and column.kind != "id-like" else ""


def _emails(column: TypedColumn) -> str:
    sample = column.labels[:200]
    if len(sample) >= 3 and sum(bool(_EMAIL.fullmatch(text)) for text in sample) > 0.8 * len(sample):
        return "its values are e-mail addresses: personal, and no feature"
    return ""


def _placeholders(column: TypedColumn) -> str:
    listed = ", ".join(f'{count:,} × "{text}"' for text, count in sorted(column.placeholders.items()))
    return f"{listed} counted as missing" if listed else ""


def _suspect_texts(column: TypedColumn) -> str:
    if column.codes is None:
        return ""
    counts = column.counts
    listed = [
        f'"{label}" ({int(counts[at]):,} rows)'
        for at, label in enumerate(column.labels[: 100 * MANY_CATEGORIES])
        if label.lower() in _SUSPECTS and counts[at]
    ]
    return f"{', '.join(listed)} may mean missing, and is counted as a value" if listed else ""


def _spaces(column: TypedColumn) -> str:
    return (
        f"{column.trimmed:,} different texts have spaces around them; they were judged without"
        if column.trimmed
        else ""
    )


def _sentinels(column: TypedColumn) -> str:
    if not column.is_number or column.unique < 10:
        return ""
    ordered = column.ordered
    starts = np.searchsorted(ordered, _SENTINELS)
    ends = np.searchsorted(ordered, _SENTINELS, side="right")
    for value, start, end in zip(_SENTINELS, starts.tolist(), ends.tolist(), strict=True):
        if max(3, len(ordered) // 1000) <= end - start < len(ordered):
            low, high = ordered[0 if start else end], ordered[-1 if end < len(ordered) else start - 1]
            if _lies_apart(float(value), float(low), float(high)):
                where = "the only value below zero" if value == -1 and low >= 0 else "far from all other values"
                return f"{value} occurs {end - start:,} times, {where}: it may mean missing"
    return ""


def _lies_apart(value: float, low: float, high: float) -> bool:
    span = high - low
    return value > high + 0.5 * span or value < low - (0.5 * span if value < -1 or low < 0 else 0)


def _infinite(column: TypedColumn) -> str:
    return f"{column.infinite:,} infinite values are left out of every statistic" if column.infinite else ""


def _numbers_in_texts(column: TypedColumn) -> str:
    if column.evidence.startswith(ALL_AGREE):
        return f"{column.evidence}, and are read so"
    if column.codes is None or not any(reading.startswith("numeric") for reading in column.readings):
        return ""
    return f'its texts may be numbers, like "{shown(column.labels[0])}", and are judged as texts until a person says so'


def _durations(column: TypedColumn) -> str:
    return "durations, in seconds" if column.dtype.startswith("timedelta") and column.present else ""


def _dominant(column: TypedColumn) -> str:
    if column.kind in ("constant", "id-like") or column.codes is None or not column.present:
        return ""
    top = int(column.counts.max())
    if top < _DOMINANT_SHARE * column.present:
        return ""
    of = "the rows" if not column.missing else "the values"
    return f'"{shown(column.labels[int(column.counts.argmax())])}" is in {percent(top, column.present):.1f} % of {of}'


def _skewed(column: TypedColumn) -> str:
    if not column.is_number or column.present < 30 or column.unique <= _FEW_VALUES:
        return ""
    skew = column.moments.skew
    if skew is None or abs(skew) <= _EXTREME_SKEW:
        return ""
    # A logarithm draws in large values, and there is none of a number below zero.
    return f"skewness {skew:.1f}: a {'logarithm' if skew > 0 <= column.ends[0] else 'quantile transform'} may help"


def _cases(column: TypedColumn) -> str:
    if column.codes is None or column.unique > MANY_CATEGORIES:
        return ""
    folded: dict[str, list[str]] = {}
    for label in column.labels:
        folded.setdefault(label.casefold(), []).append(label)
    doubles = [" / ".join(f'"{label}"' for label in labels) for labels in folded.values() if len(labels) > 1]
    return f"written in several ways: {', '.join(doubles[:3])}" if doubles else ""


def _of_target(target: Target, rows: int) -> list[dict[str, Any]]:
    entries = []
    counts = target.facts.get("class_counts")
    known = sum(counts.values()) if counts and target.task_type == "classification" else None
    if target.task_type == "regression" and target.numbers is not None:
        known = int((~np.isnan(target.numbers)).sum())
    if known is not None and known < rows:
        lost = f"{rows - known:,} row{'' if rows - known == 1 else 's'}"
        entries.append(_entry("target missing", (target.name,), f"{target.name} has no finite value in {lost}"))
    ratio = target.facts.get("imbalance_ratio")
    if ratio is not None and ratio >= _IMBALANCED:
        entries.append(
            _entry("imbalance", (target.name,), f"{target.name}: the largest class is {ratio:.1f} × the smallest")
        )
    if target.doubt:
        entries.append(_entry("target doubt", (target.name,), f"{target.name}: {target.doubt}"))
    return entries

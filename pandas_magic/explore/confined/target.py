"""What is to be predicted: which kind of task it is, and the evidence for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from pandas_magic.explore.confined.formulas import Array, moments, quantile
from pandas_magic.explore.confined.typed_column import TypedColumn, label_of
from pandas_magic.explore.confined.univariate import iqr_outliers

_MOST_CLASSES = 20  # whole numbers with more different values are measured, not named
_SURE_CLASSES = 10
_SEPARATORS = ("|", ";", ",")
_MOST_LABELS = 200
_POSITIVE = {"yes", "true", "1", "positive", "churned", "fraud", "default", "survived", "won", ">50k", "y", "t"}


@dataclass(frozen=True)
class Target:
    """The target as the other parts use it: `codes` for classes, `numbers` for a measure (gaps: -1 and NaN).

    `facts` is the report's part, `evidence` says why, `doubt` what else it could be ("" when nothing).
    """

    name: str
    facts: dict[str, Any]
    evidence: tuple[str, ...]
    doubt: str = ""
    codes: Array | None = None
    labels: tuple[str, ...] = ()
    numbers: Array | None = None
    mapping: dict[str, int] | None = None

    @property
    def task_type(self) -> str:
        """classification, regression or multilabel."""
        return str(self.facts["task_type"])


def target_of(column: TypedColumn) -> Target:
    """The target analysed. A target without two values is a classification that cannot be learned, and says so."""
    if column.unique <= 1 and column.codes is None:
        return _one_value(column)
    if column.codes is not None:
        separator = _separator(column)
        return _multilabel(column, separator) if separator else _classes_of_texts(column)
    if column.times is not None:
        return _regression(
            column, ("its values are times: the task is to predict seconds",), "a time is rarely a target"
        )
    assert column.numbers is not None
    whole = column.is_whole
    if not whole or column.unique > _MOST_CLASSES:
        kind = "whole numbers" if whole else "fractions"
        doubt = "every value differs, as in an id" if column.kind == "id-like" else ""
        return _regression(column, (f"numbers with {column.unique:,} different values, {kind}",), doubt)
    doubt = "" if column.unique <= 2 else _doubt_of_few(column)
    return _classes_of_numbers(column, doubt)


def _doubt_of_few(column: TypedColumn) -> str:
    if column.unique > _SURE_CLASSES or column.present < 5 * column.unique:
        return f"{column.unique} whole numbers could also be a measure (regression)"
    return ""


def _separator(column: TypedColumn) -> str:
    """The sign between labels, when texts are lists of a few labels that come back in other rows; else ""."""
    if column.unique < 3:
        return ""
    for sign in _SEPARATORS:
        listed = [text for text in column.labels[:2000] if sign in text]
        if len(listed) < 0.2 * min(column.unique, 2000):
            continue
        labels = {part.strip() for text in column.labels[:2000] for part in text.split(sign)}
        short = all(len(label) <= 40 and len(label.split()) <= 3 for label in labels)
        if short and 2 <= len(labels) <= min(_MOST_LABELS, column.unique) and "" not in labels:
            return sign
    return ""


def _multilabel(column: TypedColumn, separator: str) -> Target:
    totals: dict[str, int] = {}
    for text, count in zip(column.labels, column.counts, strict=True):
        for label in {part.strip() for part in text.split(separator)}:
            totals[label] = totals.get(label, 0) + int(count)
    evidence = f'texts that join {len(totals)} labels by "{separator}", the same labels in other mixtures'
    facts = _class_facts(column.name, "multilabel", totals)
    return Target(column.name, facts, (evidence,), codes=column.codes, labels=tuple(column.labels))


def _classes_of_texts(column: TypedColumn) -> Target:
    counts = {label: int(count) for label, count in zip(column.labels, column.counts, strict=True) if count}
    evidence = (f"texts with {column.unique:,} different values",) if column.unique > 1 else ()
    doubt = ""
    if column.kind in ("id-like", "text") or (column.unique > 0.5 * column.present and column.unique > _MOST_CLASSES):
        doubt = "almost every row has a class of its own, as in an id or a free text"
    return Target(
        column.name,
        _class_facts(column.name, "classification", counts),
        evidence,
        _no_contrast(column) or doubt,
        codes=column.codes,
        labels=tuple(column.labels),
        mapping=_mapping(list(counts)),
    )


def _classes_of_numbers(column: TypedColumn, doubt: str) -> Target:
    assert column.numbers is not None
    codes, numbers = np.full(column.rows, -1, dtype=np.int64), column.floats()
    present = ~np.isnan(numbers)
    values, codes[present] = np.unique(column.numbers[present], return_inverse=True)
    labels = tuple(label_of(value) for value in values.tolist())
    occurs = np.bincount(codes[codes >= 0], minlength=len(labels))
    counts = {label: int(count) for label, count in zip(labels, occurs, strict=True)}
    return Target(
        column.name,
        _class_facts(column.name, "classification", counts),
        (f"{len(labels)} different whole numbers",),
        doubt,
        codes=codes,
        labels=labels,
        numbers=numbers,
        mapping=_mapping(list(labels)),
    )


def _one_value(column: TypedColumn) -> Target:
    """A target of numbers or times in which nothing differs: a classification that cannot be learned."""
    label = str(column.ordered[0]) if column.unique and len(column.ordered) else ""
    counts = {label: column.present} if column.unique else {}
    return Target(column.name, _class_facts(column.name, "classification", counts), (), _no_contrast(column))


def _no_contrast(column: TypedColumn) -> str:
    if column.unique > 1:
        return ""
    return "it has no value at all" if not column.unique else "it has one value only, so there is nothing to learn"


def _class_facts(name: str, task_type: str, counts: dict[str, int]) -> dict[str, Any]:
    ordered = dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
    ratio = max(ordered.values()) / min(ordered.values()) if len(ordered) > 1 else None
    return {
        "name": name,
        "task_type": task_type,
        "n_classes": len(ordered),
        "class_counts": ordered,
        "imbalance_ratio": ratio,
    }


def _mapping(labels: list[str]) -> dict[str, int] | None:
    """Which class would be which number: two classes with the positive one as 1, few others in their order."""
    if len(labels) == 2:
        positive = [label for label in labels if re.sub(r"[\s.]", "", label.lower()) in _POSITIVE]
        first, second = sorted(labels)
        if len(positive) == 1 and positive[0] == first:
            first, second = second, first
        return {first: 0, second: 1}
    return {label: position for position, label in enumerate(labels)} if 2 < len(labels) <= _MOST_CLASSES else None


def _regression(column: TypedColumn, evidence: tuple[str, ...], doubt: str) -> Target:
    numbers = column.floats()
    ordered = np.sort(numbers[~np.isnan(numbers)])
    known = moments(ordered)
    summary = {"mean": known.mean, "std": known.std, "min": float(ordered[0]), "max": float(ordered[-1])}
    summary["median"] = quantile(ordered, 0.5)
    facts = {
        "name": column.name,
        "task_type": "regression",
        "summary": summary,
        "skew": known.skew,
        "iqr_outliers": iqr_outliers(ordered),
    }
    return Target(column.name, facts, evidence, doubt, numbers=numbers)


def binary_numbers(target: Target) -> Array | None:
    """A target of two classes as 0, 1 and NaN, by its mapping; None for any other."""
    if (
        target.codes is None
        or target.task_type != "classification"
        or target.mapping is None
        or len(target.mapping) != 2
    ):
        return None
    values = np.array([target.mapping.get(label, np.nan) for label in target.labels] + [np.nan])
    return values[target.codes]

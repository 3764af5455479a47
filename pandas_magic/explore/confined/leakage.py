"""Columns that may know the answer, each with the reasons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from pandas_magic.explore.confined.associations import FEWEST_PER_GROUP, Associations, sample_rows, target_numbers
from pandas_magic.explore.confined.formulas import Array, mean_ranks, spearman
from pandas_magic.explore.confined.target import Target
from pandas_magic.explore.confined.typed_column import TypedColumn

Facts = dict[str, Any]

_NEAR_PERFECT = 0.98
_ALWAYS = 0.99  # of ranks, that of good features comes closer to 1 than a correlation does
_TELLING_GAPS = 0.9
_FEWEST_RANKED = 30  # rows
_LEAKY_WORDS = {"label", "outcome", "target", "y", "prediction", "predicted", "score", "result"}


def words_of(name: str) -> set[str]:
    """The words of a column's name, lower case: "TotalScore_y" is total, score, y."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)}


def leaks(columns: list[TypedColumn], target: Target | None, found: Associations, gaps: list[Facts]) -> list[Facts]:
    """Columns that may know the answer: nearly the target itself or its order, gaps that tell it, ids, and names.

    Each with `feature`, `reasons`, and `score`, the strength of its tie to the target (None when it was not judged).
    `gaps` are the ties of gaps to the target. Without a target nothing can leak, and none is listed.
    """
    if target is None:
        return []
    strengths = {entry["feature"]: entry for entry in found.to_target}
    telling = {entry["column"]: abs(entry["value"]) for entry in gaps if abs(entry["value"]) >= _TELLING_GAPS}
    suspects = []
    for column in columns:
        if column.name == target.name:
            continue
        entry = strengths.get(column.name)
        reasons = list(_reasons(column, target, entry))
        if column.name in telling:
            reasons.append(f"whether it is missing goes with {target.name} ({telling[column.name]:.3f})")
        if reasons:
            suspects.append({"feature": column.name, "reasons": reasons, "score": entry["value"] if entry else None})
    return suspects


def _reasons(column: TypedColumn, target: Target, entry: Facts | None) -> Iterator[str]:
    if entry and abs(entry["value"]) >= _NEAR_PERFECT and _is_borne_out(column, entry["measure"]):
        measure = entry["measure"].replace("_", " ")
        yield f"{measure} {entry['value']:.3f} with {target.name}: nearly the target itself"
    elif entry and (order := _order(column, target)):
        yield order
    if column.kind == "id-like":
        yield "it identifies rows, so a model can learn them by heart"
    said = words_of(column.name) & (_LEAKY_WORDS | {word for word in words_of(target.name) if len(word) > 3})
    if said:
        yield f'its name says "{sorted(said)[0]}"'


def _is_borne_out(column: TypedColumn, measure: str) -> bool:
    """Whether categories have rows enough; correlation ratios of too few were not judged."""
    return measure != "cramers_v" or column.present >= FEWEST_PER_GROUP * column.unique


def _order(column: TypedColumn, target: Target) -> str:
    """What is said of a number whose order is nearly that of the target, on the sample; else ""."""
    answer = target_numbers(target)
    if answer is None or not column.is_number:
        return ""
    picked = sample_rows(column.rows)
    values, answer = column.floats(picked), answer[picked]
    both = ~np.isnan(values) & ~np.isnan(answer)
    values, answer = values[both], answer[both]
    if len(values) < _FEWEST_RANKED:
        return ""
    if target.task_type == "regression":
        ranks = spearman(values, answer) or 0.0
        return f"Spearman {ranks:.3f} with {target.name}: the same order" if abs(ranks) >= _ALWAYS else ""
    area = _area(values, answer == 1)
    return f"alone it parts the classes of {target.name} (ROC AUC {area:.3f})" if area >= _ALWAYS else ""


def _area(values: Array, positive: Array) -> float:
    """The area under the ROC curve of the better direction, from ranks; 0 where a class has too few rows.

    Source: Mann and Whitney (1947); as `sklearn.metrics.roc_auc_score`.
    """
    ones = int(positive.sum())
    zeros = len(values) - ones
    if min(ones, zeros) < FEWEST_PER_GROUP:
        return 0.0
    area = (float(mean_ranks(values)[positive].sum()) - ones * (ones + 1) / 2) / (ones * zeros)
    return max(area, 1 - area)

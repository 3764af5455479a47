"""Two columns in depth, by the measures that fit their kinds."""

from __future__ import annotations

from typing import Any

import numpy as np

from pandas_magic.explore.confined.formulas import (
    Array,
    chi_square,
    cramers_v,
    crosstab,
    mutual_information,
    pearson,
    spearman,
)
from pandas_magic.explore.confined.groups import correlation_ratio
from pandas_magic.explore.confined.typed_column import TypedColumn

Depth = tuple[str, str, dict[str, Any]]

_MOST_GROUPS = 30
_CELLS = 400
_CHANCE = 0.05  # with a larger p-value groups differ as they do by chance


def pair_facts(left: TypedColumn, right: TypedColumn) -> Depth:
    """Verdict, sentence and numbers for a pair; rows in which either is missing are left out."""
    measured = [column.numbers is not None or column.times is not None for column in (left, right)]
    if all(measured):
        return _two_numbers(left, right)
    if left.codes is not None and right.codes is not None:
        return _two_categories(left, right)
    if any(measured) and (left.codes is not None or right.codes is not None):
        return _groups(*((right, left) if measured[0] else (left, right)))
    return "nothing to compare", f"{left.name} or {right.name} has no values.", {}


def _strength(value: float) -> str:
    size = abs(value)
    return (
        "no"
        if size < 0.1
        else "weak"
        if size < 0.3
        else "moderate"
        if size < 0.6
        else "strong"
        if size < 0.9
        else "very strong"
    )


def _two_numbers(left: TypedColumn, right: TypedColumn) -> Depth:
    x, y = left.floats(), right.floats()
    both = ~np.isnan(x) & ~np.isnan(y)
    x, y = x[both], y[both]
    r = pearson(x, y)
    facts: dict[str, Any] = {"rows": len(x), "pearson": r}
    if r is None:
        return (
            "not judged",
            f"{left.name} and {right.name}: one of them never changes in their {len(x):,} common rows.",
            facts,
        )
    slope = r * float(y.std() / x.std())
    facts |= {
        "spearman": spearman(x, y),
        "slope": slope,
        "intercept": float(y.mean() - slope * x.mean()),
        "r_squared": r * r,
    }
    sentence = (
        f"{left.name} and {right.name}: Pearson {r:.3f}, Spearman {facts['spearman']:.3f} over {len(x):,} rows; "
        f"one more {left.name} goes with {slope:+.4g} {right.name}."
    )
    return f"{_strength(r)} linear relation", sentence, facts


def _two_categories(left: TypedColumn, right: TypedColumn) -> Depth:
    from scipy.stats import chi2

    assert left.codes is not None and right.codes is not None
    if len(left.labels) * len(right.labels) > 1_000_000:
        return "not judged", f"{left.name} and {right.name} have too many values for a table.", {}
    table = crosstab(left.codes, right.codes, len(left.labels), len(right.labels))
    used = int((table.sum(axis=1) > 0).sum()), int((table.sum(axis=0) > 0).sum())
    value, freedom = cramers_v(table), (used[0] - 1) * (used[1] - 1)
    facts: dict[str, Any] = {"rows": int(table.sum()), "cramers_v": value}
    if value is None:
        return "not judged", f"{left.name} and {right.name}: one of them has a single value.", facts
    statistic = chi_square(table)
    facts |= {
        "cramers_v_corrected": cramers_v(table, corrected=True),
        "chi_square": statistic,
        "degrees_of_freedom": freedom,
        "p_value": float(chi2.sf(statistic, freedom)),
        "mutual_information": mutual_information(table),
        "counts": _counts(left, right, table),
    }
    sentence = (
        f"{left.name} and {right.name}: Cramér's V {value:.3f} over {facts['rows']:,} rows "
        f"(chi-square {statistic:.1f}, {freedom} degrees of freedom)."
    )
    # Among many cells chance alone makes the plain one large.
    return f"{_strength(facts['cramers_v_corrected'] or 0.0)} association", sentence, facts


def _counts(left: TypedColumn, right: TypedColumn, table: Array) -> dict[str, dict[str, int]] | None:
    if table.size > _CELLS:
        return None
    return {row: {cell: int(table[i, j]) for j, cell in enumerate(right.labels)} for i, row in enumerate(left.labels)}


def _groups(category: TypedColumn, measure: TypedColumn) -> Depth:
    assert category.codes is not None
    values = measure.floats()
    eta = correlation_ratio(category.codes, values, len(category.labels))
    both = (category.codes >= 0) & ~np.isnan(values)
    codes, values = category.codes[both], values[both]
    facts: dict[str, Any] = {"rows": len(values), "correlation_ratio": eta}
    if eta is None:
        return "not judged", f"{measure.name} does not differ between groups of {category.name}.", facts
    number = len(np.unique(codes))
    groups = _largest_groups(category, codes, values)
    facts |= _by_chance(eta, number, len(values) - number) | {"groups": groups}
    by_mean = sorted(groups, key=lambda group: group["mean"])
    among = f" of the {len(groups)} largest groups" if len(groups) < number else ""
    sentence = (
        f"{measure.name} by {category.name}: correlation ratio {eta:.3f} over {len(values):,} rows; the mean{among} "
        f"goes from {by_mean[0]['mean']:.4g} ({by_mean[0]['value']}) to {by_mean[-1]['mean']:.4g} "
        f"({by_mean[-1]['value']})."
    )
    if facts.get("p_value", 0.0) > _CHANCE:
        return "no clear difference between groups", sentence, facts
    return f"{_strength(eta)} difference between groups", sentence, facts


def _by_chance(eta: float, groups: int, inside: int) -> dict[str, Any]:
    """The F test of the analysis of variance; nothing where the groups leave no variance inside."""
    from scipy.stats import f as f_distribution

    if eta >= 1 or inside <= 0:
        return {}
    f = (eta**2 / (groups - 1)) / ((1 - eta**2) / inside)
    return {"f": f, "p_value": float(f_distribution.sf(f, groups - 1, inside))}


def _largest_groups(category: TypedColumn, codes: Array, values: Array) -> list[dict[str, Any]]:
    rows = np.bincount(codes, minlength=len(category.labels))
    largest = np.argsort(-rows, kind="stable")[:_MOST_GROUPS]
    groups = [_group(category.labels[code], values[codes == code]) for code in largest if rows[code]]
    return sorted(groups, key=lambda group: (-group["rows"], group["value"]))


def _group(label: str, values: Array) -> dict[str, Any]:
    std = float(values.std(ddof=1)) if len(values) > 1 else None
    return {
        "value": label,
        "rows": len(values),
        "mean": float(values.mean()),
        "median": float(np.median(values)),
        "std": std,
    }

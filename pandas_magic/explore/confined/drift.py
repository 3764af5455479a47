"""What changed between two tables, or since an earlier report: how far, in which direction, what is new or gone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pandas_magic.explore.confined.formulas import Array, kolmogorov_smirnov, population_stability
from pandas_magic.explore.confined.recognition import column_of
from pandas_magic.explore.confined.typed_column import TypedColumn, label_of
from pandas_magic.explore.confined.unique_names import with_unique_names

Facts = dict[str, Any]

LITTLE, LARGE = 0.1, 0.25  # of PSI, the convention of credit scoring
_BINS = 10
_LISTED = 20
_FEW_VALUES = 20  # numbers with no more are compared value by value
_MOST_CATEGORIES = 100  # with more, new ones are the rule and PSI says nothing
_GAPS_POINTS = 5.0  # percentage points of more or fewer gaps that count as drift


def drift_of_tables(before: pd.DataFrame, after: list[TypedColumn]) -> tuple[str, str, Facts]:
    """Drift of every column since the reference table, from all rows of both."""
    before = with_unique_names(before)
    names = {label: position for position, label in enumerate(before.columns)}
    entries = []
    for column in after:
        if column.name in names:
            earlier = column_of(column.name, before.iloc[:, names[column.name]])
            entries.append(_of_columns(earlier, column))
    known = {column.name for column in after}
    return _told(entries, [name for name in known if name not in names], [name for name in names if name not in known])


def _of_columns(before: TypedColumn, after: TypedColumn) -> Facts:
    entry = _entry(after.name, (before.missing, before.rows), (after.missing, after.rows))
    if not before.present or not after.present:
        return _judged(entry)
    if _sort_of(before) != _sort_of(after):
        return _judged(entry | _type_changed(before.kind, after.kind))
    if before.codes is None:
        return _judged(entry | _of_measures(before, after))
    if max(before.unique, after.unique) > _MOST_CATEGORIES:
        return _judged(entry | {"not_judged": f"more than {_MOST_CATEGORIES} different texts"})
    return _judged(entry | _of_categories(_counted(before), _counted(after)))


def _sort_of(column: TypedColumn) -> str:
    return "texts" if column.codes is not None else "times" if column.times is not None else "numbers"


def _type_changed(before: str, after: str) -> Facts:
    return {"type_changed": f"{before} before, {after} now"}


def _of_measures(before: TypedColumn, after: TypedColumn) -> Facts:
    first, second = (np.sort(_known(column)) for column in (before, after))
    if not len(first) or not len(second):
        return {"not_judged": "no finite number"}
    found = {"ks": kolmogorov_smirnov(first, second)}
    found |= _moved(float(first.mean()), float(second.mean()), times=after.times is not None)
    if max(before.unique, after.unique) <= _FEW_VALUES:
        return found | _of_categories(_values_counted(before), _values_counted(after))
    if "id-like" in (before.kind, after.kind):
        return found | {"not_judged": "it identifies rows"}
    edges = _edges(first)
    if len(edges) < _BINS - 1:
        # Where many are equal, the bins of the one table alone might hold all of the other in one.
        edges = np.union1d(edges, _edges(second))
    counts = [np.bincount(np.searchsorted(edges, values), minlength=len(edges) + 1) for values in (first, second)]
    return found | {"psi": population_stability(*counts)}


def _edges(values: Array) -> Array:
    return np.unique(np.quantile(values, np.linspace(0, 1, _BINS + 1)[1:-1]))


def _known(column: TypedColumn) -> Array:
    values = column.floats()
    return values[~np.isnan(values)]


def _values_counted(column: TypedColumn) -> dict[str, int]:
    different, counts = np.unique(column.ordered, return_counts=True)
    named = map(str, different) if column.times is not None else map(label_of, different.tolist())
    return dict(zip(named, counts.tolist(), strict=True))


def _counted(column: TypedColumn) -> dict[str, int]:
    return {label: int(count) for label, count in zip(column.labels, column.counts, strict=True) if count}


def drift_since(before: Facts, after: Facts) -> tuple[str, str, Facts]:
    """Drift between two reports, each with `report` and `details`, from their histograms and categories.

    Without the rows the Kolmogorov-Smirnov distance is that of the histograms: a lower bound of the true one.
    """
    entries = []
    old, new = before["report"]["columns_profile"], after["report"]["columns_profile"]
    rows = before["report"]["dataset"]["n_rows"], after["report"]["dataset"]["n_rows"]
    for name, profile in new.items():
        if name in old:
            entry = _entry(name, (old[name]["n_missing"], rows[0]), (profile["n_missing"], rows[1]))
            details = (before["details"]["columns"][name], after["details"]["columns"][name])
            means = tuple(each["summary"].get("mean") for each in (old[name], profile))
            entries.append(_judged(entry | _of_details(*details, means)))
    return _told(entries, [name for name in new if name not in old], [name for name in old if name not in new])


def _of_details(before: Facts, after: Facts, means: tuple[Any, ...]) -> Facts:
    first, second = before.get("histogram"), after.get("histogram")
    if (first is None) != (second is None) or (before["kind"] == "datetime") != (after["kind"] == "datetime"):
        return _type_changed(before["kind"], after["kind"]) if before["kind"] != after["kind"] else {}
    if first and second and sum(first["counts"]) and sum(second["counts"]):
        edges = np.asarray(first["edges"])
        # Of one value there is a bin below it, one of it, and one above it.
        edges = np.array([np.nextafter(edges[0], -np.inf), edges[0]]) if edges[0] == edges[-1] else edges[1:-1]
        counts = _rebinned(first, edges), _rebinned(second, edges)
        shares = [np.cumsum(each) / each.sum() for each in counts]
        moved = _moved(*means) if all(isinstance(mean, int | float) for mean in means) else {}
        return {"psi": population_stability(*counts), "ks": float(np.abs(shares[0] - shares[1]).max()), **moved}
    if before.get("categories") and after.get("categories"):
        return _of_categories(before["categories"], after["categories"])
    if before["kind"] != after["kind"]:
        return _type_changed(before["kind"], after["kind"])
    return {"not_judged": "the reports hold neither a histogram nor its categories"}


def _rebinned(histogram: Facts, edges: Array) -> Array:
    """The counts of a histogram over other edges, each bin's rows spread evenly over it."""
    own, counts = np.asarray(histogram["edges"]), np.asarray(histogram["counts"], dtype=np.float64)
    if own[0] == own[-1]:  # one value: all rows lie there
        at = np.searchsorted(edges, own[0])
        return np.bincount([at], weights=[counts.sum()], minlength=len(edges) + 1)
    below = np.interp(edges, own, np.concatenate(([0.0], np.cumsum(counts))))
    return np.diff(np.concatenate(([0.0], below, [counts.sum()])))


def _of_categories(before: dict[str, int], after: dict[str, int]) -> Facts:
    labels = sorted({*before, *after})
    counts = [np.array([side.get(label, 0) for label in labels], dtype=np.float64) for side in (before, after)]
    new, gone = [label for label in after if label not in before], [label for label in before if label not in after]
    return {
        "psi": population_stability(*counts),
        "new_categories": sorted(new)[:_LISTED],
        "vanished_categories": sorted(gone)[:_LISTED],
    }


def _entry(name: str, before: tuple[int, int], after: tuple[int, int]) -> Facts:
    """The share of gaps on both sides, each given as missing values and rows."""
    shares = [100 * missing / rows if rows else 0.0 for missing, rows in (before, after)]
    return {"column": name, "pct_missing_before": shares[0], "pct_missing_after": shares[1]}


def _moved(before: float, after: float, *, times: bool = False) -> Facts:
    direction = "up" if after > before else "down" if after < before else "unchanged"
    unit = {"unit": "seconds since 1970"} if times else {}
    return {"mean_before": before, "mean_after": after, "direction": direction, **unit}


def _judged(entry: Facts) -> Facts:
    psi = entry.get("psi")
    gaps = abs(entry["pct_missing_after"] - entry["pct_missing_before"])
    large = (psi is not None and psi >= LARGE) or "type_changed" in entry or gaps >= 2 * _GAPS_POINTS
    some = (psi is not None and psi >= LITTLE) or entry.get("new_categories") or entry.get("vanished_categories")
    little = "not judged" if "not_judged" in entry else "little"
    return entry | {"drift": "large" if large else "some" if some or gaps >= _GAPS_POINTS else little}


def _told(entries: list[Facts], new: list[str], gone: list[str]) -> tuple[str, str, Facts]:
    entries.sort(key=lambda entry: (-(entry.get("psi") or 0), entry["column"]))
    large, unknown = ([entry for entry in entries if entry["drift"] == drift] for drift in ("large", "not judged"))
    facts: Facts = {"columns": entries, "new_columns": sorted(new), "vanished_columns": sorted(gone)}
    parts = [f"{len(entries)} columns compared, {len(large)} with a large shift."]
    parts += [_in_words(entry) for entry in [*large, *(each for each in entries if each["drift"] == "some")][:5]]
    parts += [f"Not judged: {', '.join(_unknown(entry) for entry in unknown[:_LISTED])}."] if unknown else []
    parts += [f"New columns: {', '.join(sorted(new)[:_LISTED])}."] if new else []
    parts += [f"Vanished columns: {', '.join(sorted(gone)[:_LISTED])}."] if gone else []
    verdict = (
        "large drift"
        if large or gone
        else "some drift"
        if new or any(e["drift"] == "some" for e in entries)
        else "no drift"
        if len(unknown) < len(entries)
        else "not judged"
    )
    return verdict, " ".join(parts), facts


def _unknown(entry: Facts) -> str:
    return f"{entry['column']} ({entry['not_judged']})"


def _in_words(entry: Facts) -> str:
    parts = [f"PSI {entry['psi']:.3f}"] if entry.get("psi") is not None else []
    if entry.get("direction") in ("up", "down"):
        parts.append(f"mean {entry['direction']} from {' to '.join(_means_in_words(entry))}")
    parts += [entry["type_changed"]] if "type_changed" in entry else []
    for key, word in (("new_categories", "new"), ("vanished_categories", "gone")):
        if entry.get(key):
            parts.append(f"{word}: {', '.join(entry[key][:5])}")
    if entry["pct_missing_before"] != entry["pct_missing_after"]:
        parts.append(f"missing {entry['pct_missing_before']:.1f} % → {entry['pct_missing_after']:.1f} %")
    return f"{entry['column']}: {', '.join(parts)}."


def _means_in_words(entry: Facts) -> tuple[str, str]:
    """Both means with as many digits as tell them apart; of times, the moments."""
    means = entry["mean_before"], entry["mean_after"]
    if "unit" in entry:
        first, second = (str(np.datetime64(round(mean), "s")).replace("T", " ") for mean in means)
        return first, second
    for digits in range(4, 18):
        first, second = (f"{mean:.{digits}g}" for mean in means)
        if first != second:
            break
    return first, second

"""Deeper looks that really compute something: each gives probe, subject, verdict, summary and facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from pandas_magic.explore.confined.drift import drift_of_tables, drift_since
from pandas_magic.explore.confined.explorer import Explorer
from pandas_magic.explore.confined.formulas import Array
from pandas_magic.explore.confined.modelling import TEST_SHARE, Features, as_feature, features_of, forest, picked_rows
from pandas_magic.explore.confined.pairs import Depth, pair_facts
from pandas_magic.explore.confined.target import Target
from pandas_magic.explore.confined.typed_column import TypedColumn, label_of
from pandas_magic.explore.confined.univariate import shown
from pandas_magic.explore.confined.views import chart, pair_view, short
from pandas_magic.explore.confined.written import numbers_of

Facts = dict[str, Any]

_FOLDS = 5
_FEWEST_ROWS = 30
_MOST_COLUMNS = 5
_WORTH_GAIN = 0.1  # a tenth less error pays for a model that must be kept and run
_LEAK_SCORE, _SUSPICIOUS_SCORE = 0.98, 0.9
_SHOWN_VALUES = 12


def drill_missing(explorer: Explorer, options: Facts, other: pd.DataFrame | None) -> Facts:
    """Predictive filling of gaps against median, mean or mode, by 5-fold cross-validation on rows that are known.

    `columns` in the options names them; without, the columns with most gaps. The target helps nowhere: a fill that
    knows the answer would leak it. `gain` is the share of the best simple fill's error that the model saves.
    """
    gappy = [column for column in sorted(explorer.columns, key=lambda each: -each.missing) if column.missing]
    named = options.get("columns") or [column.name for column in gappy if _can_be_filled(column)]
    columns = [explorer.column(name) for name in named[:_MOST_COLUMNS]]
    tried = [_fill(column, explorer) for column in columns if _can_be_filled(column)]
    asked = columns if options.get("columns") else gappy[:_MOST_COLUMNS]
    others = [column.name for column in asked if column.missing and not _can_be_filled(column)]
    left_out = f"Not tried: {', '.join(others)} (no number, no category of at most 100, or too few values)."
    if not tried:
        nothing = "No column has gaps and enough known values to learn from."
        return _result("drill_missing", named, ("nothing to try", f"{nothing} {left_out}" if others else nothing, {}))
    parts = [_fill_in_words(entry) for entry in tried] + ([left_out] if others else [])
    worth = [entry["column"] for entry in tried if entry["gain"] >= _WORTH_GAIN]
    verdict = f"worth it for {', '.join(worth)}" if worth else "simple fills are as good"
    facts = {"columns": tried, "folds": _FOLDS}
    return _result("drill_missing", [entry["column"] for entry in tried], (verdict, " ".join(parts), facts))


def _can_be_filled(column: TypedColumn) -> bool:
    kinds = column.is_number or column.is_category
    return kinds and column.missing > 0 and column.present >= _FEWEST_ROWS and column.unique > 1


def _fill(column: TypedColumn, explorer: Explorer) -> Facts:
    rows = picked_rows(np.ones(column.rows, dtype=bool) if column.gaps is None else ~column.gaps)
    without = {column.name} | ({explorer.target.name} if explorer.target else set())
    features, truth = features_of(explorer.columns, without, rows), as_feature(column, rows)
    classes = column.codes is not None
    simple: dict[str, list[float]] = {name: [] for name in (("mode",) if classes else ("median", "mean"))}
    model: list[float] = []
    for train, test in _folds(len(rows)):
        for name, errors in simple.items():
            errors.append(_error(np.full(len(test), _simple_fill(name, truth[train])), truth[test], classes))
        predicted = _predicted(features, truth, (train, test), classes=classes)
        model.append(_error(predicted, truth[test], classes))
    errors_of = {name: float(np.mean(errors)) for name, errors in simple.items()}
    best = min(errors_of, key=lambda name: errors_of[name])
    model_error = float(np.mean(model))
    gain = 1 - model_error / errors_of[best] if errors_of[best] else 0.0
    return {
        "column": column.name,
        "missing": column.missing,
        "rows": len(rows),
        "error": "share of wrong values" if classes else "mean absolute error",
        "simple": errors_of,
        "best_simple": best,
        "predictive": model_error,
        "gain": gain,
        "features": len(features.names),
    }


def _folds(rows: int) -> list[tuple[Array, Array]]:
    from sklearn.model_selection import KFold

    return list(KFold(_FOLDS, shuffle=True, random_state=0).split(np.zeros(rows)))


def _simple_fill(name: str, known: Array) -> float:
    if name == "median":
        return float(np.median(known))
    if name == "mean":
        return float(known.mean())
    values, counts = np.unique(known, return_counts=True)
    return float(values[counts.argmax()])


def _predicted(features: Features, truth: Array, fold: tuple[Array, Array], *, classes: bool) -> Array:
    train, test = fold
    if not features.names or (classes and len(np.unique(truth[train])) < 2):
        return np.full(len(test), _simple_fill("mode" if classes else "median", truth[train]))
    model = forest(classes=classes).fit(features.matrix[train], truth[train])
    predicted: Array = model.predict(features.matrix[test])
    return predicted


def _error(predicted: Array, truth: Array, classes: bool) -> float:
    return float((predicted != truth).mean()) if classes else float(np.abs(predicted - truth).mean())


def _fill_in_words(entry: Facts) -> str:
    saved = f"{100 * entry['gain']:.0f} % less error than the {entry['best_simple']}"
    if entry["gain"] < 0.01:
        saved = f"no better than the {entry['best_simple']}"
    error = entry["simple"][entry["best_simple"]]
    return (
        f"{entry['column']}: a predictive fill has {entry['error']} {entry['predictive']:.4g} "
        f"against {error:.4g}, {saved} "
        f"({_FOLDS}-fold on {entry['rows']:,} known rows)."
    )


def leakage_check(explorer: Explorer, options: Facts, other: pd.DataFrame | None) -> Facts:
    """How well each suspect alone predicts the target on held-out rows, by a shallow tree (of a measure also a line).

    The score is the ROC AUC for two classes, the balanced accuracy for more, R² for a measure. `columns` in the
    options names the suspects; without, those that were flagged.
    """
    target = explorer.target
    if target is None or target.task_type == "multilabel":
        return _result("leakage_check", [], ("not possible", "A leak needs a target of classes or numbers.", {}))
    named = options.get("columns") or [suspect["feature"] for suspect in explorer.suspects]
    tried = [_alone(explorer.column(name), target) for name in named]
    tried = [entry for entry in tried if entry["score"] is not None]
    if not tried:
        nothing = "No suspect has enough known rows to learn from."
        return _result("leakage_check", named, ("nothing to try", nothing, {}))
    leaking = [entry["column"] for entry in tried if entry["verdict"] == "leak"]
    strong = [entry["column"] for entry in tried if entry["verdict"] == "suspiciously strong"]
    gives = "gives" if len(leaking) == 1 else "give"
    verdict = (
        f"{', '.join(leaking)} {gives} the target away"
        if leaking
        else f"{', '.join(strong)} may give the target away"
        if strong
        else "no suspect gives the target away"
    )
    parts = [
        f"{e['column']} alone reaches {e['measure']} {e['score']:.3f} on held-out rows: {e['verdict']}." for e in tried
    ]
    return _result("leakage_check", [e["column"] for e in tried], (verdict, " ".join(parts), {"columns": tried}))


def _alone(column: TypedColumn, target: Target) -> Facts:
    classes = target.codes is not None
    measure = "R²" if not classes else "ROC AUC" if len(target.labels) == 2 else "balanced accuracy"
    truth = target.codes if classes else target.numbers
    entry: Facts = {"column": column.name, "measure": measure, "score": None, "verdict": "not judged", "rows": 0}
    if truth is None or (column.kind == "constant" and not (column.unique and column.missing)):
        return entry
    rows = picked_rows(truth >= 0 if classes else ~np.isnan(truth))
    if len(rows) < _FEWEST_ROWS or len(np.unique(truth[rows])) < 2:
        return entry
    score = _held_out_score(np.nan_to_num(as_feature(column, rows), nan=-1e18)[:, None], truth[rows], measure)
    verdict = (
        "leak" if score >= _LEAK_SCORE else "suspiciously strong" if score >= _SUSPICIOUS_SCORE else "no leak by itself"
    )
    return entry | {"score": score, "verdict": verdict, "rows": len(rows)}


def _held_out_score(feature: Array, truth: Array, measure: str) -> float:
    from sklearn.linear_model import LinearRegression
    from sklearn.metrics import balanced_accuracy_score, r2_score, roc_auc_score
    from sklearn.model_selection import train_test_split
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    classes = measure != "R²"
    layers = truth if classes and np.bincount(truth).min() >= 2 else None
    parts = train_test_split(feature, truth, test_size=TEST_SHARE, random_state=0, stratify=layers)
    train, test, train_truth, test_truth = parts
    tree = DecisionTreeClassifier if classes else DecisionTreeRegressor
    model = tree(max_depth=8, min_samples_leaf=3, random_state=0).fit(train, train_truth)
    if measure == "ROC AUC" and len(np.unique(test_truth)) == 2 and len(model.classes_) == 2:
        return float(roc_auc_score(test_truth, model.predict_proba(test)[:, 1]))
    if classes:
        return float(balanced_accuracy_score(test_truth, model.predict(test)))
    # A tree of a few rows draws steps where a line is the whole truth.
    line = LinearRegression().fit(train, train_truth)
    return max(float(r2_score(test_truth, each.predict(test))) for each in (model, line))


def type_disambiguation(explorer: Explorer, options: Facts, other: pd.DataFrame | None) -> Facts:
    """Both readings of columns that can be read in two ways, on a sample, and the question for a person.

    `columns` in the options names them; without, those in doubt.
    """
    target = explorer.target
    in_doubt = [
        column.name for column in explorer.columns if column.readings and (not target or column.name != target.name)
    ]
    if target is not None and target.doubt:
        in_doubt.insert(0, target.name)
    named = options.get("columns") or in_doubt
    asked = [_readings(explorer.column(name), explorer.frame) for name in named[: 2 * _MOST_COLUMNS]]
    asked = [entry for entry in asked if len(entry["readings"]) > 1]
    if not asked:
        return _result("type_disambiguation", named, ("nothing in doubt", "Every column has one reading only.", {}))
    parts = [f"Is {e['column']} {' or '.join(r['reading'] for r in e['readings'])}?" for e in asked]
    found: Depth = ("a person must say", " ".join(parts), {"columns": asked})
    return _result("type_disambiguation", [e["column"] for e in asked], found)


def _readings(column: TypedColumn, frame: pd.DataFrame) -> Facts:
    sample = frame[column.name].dropna()
    sample = sample.sample(min(len(sample), _SHOWN_VALUES), random_state=0)
    entry: Facts = {"column": column.name, "sample": [shown(str(value)) for value in sample], "readings": []}
    entry["readings"].append({"reading": column.kind, "means": _as_it_is(column)})
    if column.numbers is not None and column.unique <= 100:
        values, counts = np.unique(column.ordered, return_counts=True)
        top = np.argsort(-counts, kind="stable")[:_SHOWN_VALUES]
        listed = ", ".join(f"{label_of(values[at].item())} ({counts[at]:,})" for at in top)
        entry["readings"].append({"reading": "categorical", "means": f"{len(values)} classes: {listed}"})
    from pandas_magic.explore.confined.recognition import dates_of

    for reading in column.readings:
        if reading.startswith("datetime as "):
            dates = dates_of(column.labels.texts, reading.removeprefix("datetime as "))
            if dates is not None:
                means = f"from {np.nanmin(dates).astype('datetime64[D]')} to {np.nanmax(dates).astype('datetime64[D]')}"
                entry["readings"].append({"reading": reading, "means": means})
        numbers = numbers_of(column.labels.texts, reading) if column.codes is not None else None
        if numbers is not None:
            means = f"from {label_of(float(numbers.min()))} to {label_of(float(numbers.max()))}"
            entry["readings"].append({"reading": reading, "means": means})
    if column.codes is not None and any(each["reading"].startswith("datetime") for each in entry["readings"]):
        entry["readings"] = entry["readings"][1:]  # dates in one of two formats: not a category at all
    return entry


def _as_it_is(column: TypedColumn) -> str:
    if column.numbers is not None and len(column.ordered):
        low, high = column.ordered[0].item(), column.ordered[-1].item()
        return f"a measure from {label_of(low)} to {label_of(high)}, mean {column.moments.mean:.4g}"
    return column.evidence


def pair(explorer: Explorer, options: Facts, other: pd.DataFrame | None) -> Facts:
    """Two columns in depth: `columns` in the options names them."""
    left, right = (explorer.column(name) for name in options["columns"])
    found = pair_facts(left, right)
    plot = pair_view(left, right)
    title = f"{short(left.name)} and {short(right.name)}"
    charts = [] if plot is None else [chart("pair", f"pair_{left.name}_{right.name}", title, found[1], views=[plot])]
    return _result("pair", [left.name, right.name], found) | {"charts": charts}


def drift(explorer: Explorer, options: Facts, other: pd.DataFrame | None) -> Facts:
    """What changed since a reference: another table, or the `before` of an earlier report (its details)."""
    if other is not None:
        found = drift_of_tables(other, explorer.columns)
    else:
        found = drift_since(options["before"], explorer.obtained())
    return _result("drift", [entry["column"] for entry in found[2]["columns"]][:_SHOWN_VALUES], found)


def _result(probe: str, subject: list[str], found: Depth) -> Facts:
    verdict, summary, facts = found
    return {"probe": probe, "subject": list(subject), "verdict": verdict, "summary": summary, "facts": facts}


PROBES: dict[str, Callable[[Explorer, Facts, pd.DataFrame | None], Facts]] = {
    "drill_missing": drill_missing,
    "leakage_check": leakage_check,
    "type_disambiguation": type_disambiguation,
    "pair": pair,
    "drift": drift,
}

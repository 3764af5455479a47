"""Pictures of the target: how it is distributed, and how the strongest features go with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pandas_magic.explore.confined.columns import Column
from pandas_magic.explore.confined.statistics import Array, crosstab
from pandas_magic.explore.confined.style import BLUE, SERIES, Drawing, drawing, label, short
from pandas_magic.explore.confined.target import Target
from pandas_magic.explore.confined.univariate import histogram

if TYPE_CHECKING:
    from pandas_magic.explore.confined.entry import Explorer

_SHOWN_CLASSES = 6
_FEATURES = 4
_BARS = 10
_BINS = 24
_POINTS = 2_000


def distribution(column: Column, target: Target) -> Drawing | None:
    """The classes with their counts, or the histogram of a measure."""
    counts = target.facts.get("class_counts")
    title = f"Target {short(target.name)}"
    if counts is None:
        bins = histogram(column)
        if len(bins["counts"]) < 2:
            return None
        picture = drawing("target", "target", title, f"Histogram of the target {target.name}", labels=7)
        axes = picture.figure.subplots()
        axes.stairs(bins["counts"], bins["edges"], fill=True, color=BLUE)
        label(axes, f"{title}: {column.present:,} values", short(target.name), "rows")
        return picture
    shown = list(counts.items())[: 2 * _SHOWN_CLASSES]
    if not shown:
        return None
    longest = max(len(short(name)) for name, _ in shown)
    said = f"How often each class of {target.name} occurs"
    picture = drawing("target", "target", title, said, rows=len(shown), labels=longest)
    axes = picture.figure.subplots()
    bars = axes.barh(range(len(shown)), [count for _, count in shown], color=BLUE)
    axes.set_yticks(range(len(shown)), [short(name) for name, _ in shown])
    axes.invert_yaxis()
    total = sum(counts.values())
    axes.bar_label(bars, [f"{count:,} ({100 * count / total:.1f} %)" for _, count in shown], padding=3, fontsize=8)
    axes.margins(x=0.22)
    what = (
        f"{len(counts)} classes" if len(shown) == len(counts) else f"the {len(shown)} largest of {len(counts)} classes"
    )
    label(axes, f"{title}: {what}", "rows", "")
    return picture


def strongest(explorer: Explorer) -> Drawing | None:
    """The four features that go most with the target, each against it."""
    target = explorer.target
    assert target is not None
    if target.task_type == "multilabel" or not explorer.found.to_target:
        return None
    entries = explorer.found.to_target[:_FEATURES]
    title = f"What goes with {short(target.name)}"
    picture = drawing(
        "target", "target_relations", title, f"The strongest features against {target.name}", rows=20, wide=True
    )
    grid = np.atleast_1d(picture.figure.subplots(2 if len(entries) > 2 else 1, 2 if len(entries) > 1 else 1)).ravel()
    for axes, entry in zip(grid, entries, strict=False):
        column = explorer.column(entry["feature"])
        if target.task_type == "regression":
            _against_measure(axes, column, target)
        else:
            _against_classes(axes, column, target)
    for axes in grid[len(entries) :]:
        axes.set_axis_off()
    return picture


def _classes(target: Target) -> list[int]:
    counts = target.facts["class_counts"]
    by_size = sorted(range(len(target.labels)), key=lambda code: -counts.get(target.labels[code], 0))
    return by_size[:_SHOWN_CLASSES]


def _against_classes(axes: Any, column: Column, target: Target) -> None:  # noqa: ANN401 - matplotlib
    assert target.codes is not None
    if column.codes is None:
        values = column.floats()
        known = values[~np.isnan(values)]
        low, high = np.quantile(known, (0.005, 0.995))
        edges = np.linspace(low, high, _BINS + 1)
        for color, code in zip(SERIES, _classes(target), strict=False):
            own = values[(target.codes == code) & ~np.isnan(values)]
            counts, _ = np.histogram(own, edges) if edges[0] < edges[-1] else (np.zeros(_BINS), edges)
            share = 100 * counts / max(len(own), 1)
            axes.stairs(
                share, edges, color=color, linewidth=1.5, label=f"{short(target.labels[code], 16)} ({len(own):,})"
            )
        axes.legend(frameon=False, fontsize=7)
        label(axes, short(column.name), f"{short(column.name)} (middle 99 %)", "% of the class")
        return
    shares, names = _shares(column, target)
    left = np.zeros(len(names))
    for color, (code, share) in zip(SERIES, shares.items(), strict=False):
        axes.barh(range(len(names)), share, left=left, color=color, label=short(target.labels[code], 16))
        left += share
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.legend(frameon=False, fontsize=7, loc="lower right", bbox_to_anchor=(1, 1), ncols=3)
    label(axes, "", f"% of each {short(column.name, 24)}, by {short(target.name, 20)}", "")
    axes.set_title(short(column.name), fontsize=10, loc="left")


def _shares(column: Column, target: Target) -> tuple[dict[int, Array], list[str]]:
    assert column.codes is not None and target.codes is not None
    table = crosstab(column.codes, target.codes, len(column.labels), len(target.labels))
    rows = np.argsort(-table.sum(axis=1), kind="stable")[:_BARS]
    totals = np.maximum(table[rows].sum(axis=1), 1)
    names = [f"{short(column.labels[int(row)], 20)} ({int(table[row].sum()):,})" for row in rows]
    return {code: 100 * table[rows, code] / totals for code in _classes(target)}, names


def _against_measure(axes: Any, column: Column, target: Target) -> None:  # noqa: ANN401 - matplotlib
    assert target.numbers is not None
    if column.codes is not None:
        known = (column.codes >= 0) & ~np.isnan(target.numbers)
        counts = np.bincount(column.codes[known], minlength=len(column.labels))
        sums = np.bincount(column.codes[known], weights=target.numbers[known], minlength=len(column.labels))
        rows = np.argsort(-counts, kind="stable")[:_BARS]
        rows = rows[counts[rows] > 0]
        axes.barh(range(len(rows)), sums[rows] / counts[rows], color=BLUE)
        axes.set_yticks(range(len(rows)), [f"{short(column.labels[int(row)], 20)} ({counts[row]:,})" for row in rows])
        axes.invert_yaxis()
        label(axes, short(column.name), f"mean {short(target.name, 24)}", "")
        return
    values = column.floats()
    rows = np.flatnonzero(~np.isnan(values) & ~np.isnan(target.numbers))
    sampled = len(rows) > _POINTS
    if sampled:
        rows = np.random.default_rng(0).choice(rows, _POINTS, replace=False)
    axes.plot(values[rows], target.numbers[rows], ".", color=BLUE, markersize=3, alpha=0.5)
    said = f" ({_POINTS:,} rows sampled)" if sampled else f" ({len(rows):,} rows)"
    label(axes, short(column.name) + said, short(column.name), short(target.name, 24))

"""What two columns look like together, and one by itself: the numbers that `explore.drawing` draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pandas_magic.explore.confined.formulas import Array, crosstab, quantile
from pandas_magic.explore.confined.typed_column import TypedColumn
from pandas_magic.explore.confined.univariate import histogram

Facts = dict[str, Any]

MOST_POINTS = 1_000  # drawn one by one; more rows are counted in cells
_CELLS = 40
_MIDDLE = (0.005, 0.995)  # of the values: one far outlier would squeeze all others into a line
_BARS = 12
_GROUPS = 12
_SERIES = 5
_CHARACTERS = 40


def short(text: str, most: int = _CHARACTERS) -> str:
    """The text on one line, cut."""
    line = "".join(character if character.isprintable() else " " for character in text)
    return line if len(line) <= most else line[: most - 1] + "…"


def view(mark: Facts, *, title: str = "", x: str = "", y: str = "") -> Facts:
    """A plot with the names of its axes."""
    return {"mark": mark, "title": title, "x": x, "y": y}


def chart(
    kind: str, name: str, title: str, description: str, *, views: list[Facts], columns: Sequence[str] = ()
) -> Facts:
    """A picture of plots, about these columns."""
    said = {"kind": kind, "name": name, "title": title[:300], "description": description[:1000]}
    return said | {"views": views, "columns": list(columns)}


def stairs_of(column: TypedColumn, known: Facts | None = None) -> Facts | None:
    """The histogram of a measure or of times (`known` when it was made before); None where all values are alike."""
    bins = known or histogram(column)
    if len(bins["counts"]) < 2:
        return None
    mark: Facts = {"mark": "stairs", "edges": bins["edges"], "times": column.times is not None}
    return mark | {"series": [{"label": column.name[:100], "values": bins["counts"]}]}


def bars_of(counts: dict[str, int], total: int) -> Facts:
    """The most frequent values with their counts and shares; the others as one bar."""
    ordered = sorted(counts.items(), key=lambda pair: -pair[1])
    shown, others = ordered[:_BARS], ordered[_BARS:]
    if others:
        shown.append((f"{len(others):,} others", sum(count for _, count in others)))
    return {
        "mark": "bars",
        "labels": [short(label) for label, _ in shown],
        "values": [count for _, count in shown],
        "texts": [f"{count:,} ({100 * count / max(total, 1):.1f} %)" for _, count in shown],
        "rest": bool(others),
    }


def cloud(left: TypedColumn, right: TypedColumn) -> Facts | None:
    """Two measures: a point per row, or with many rows the number of rows per cell; None without two common rows."""
    x, y = left.floats(), right.floats()
    both = ~np.isnan(x) & ~np.isnan(y)
    x, y = x[both], y[both]
    if len(x) < 2:
        return None
    times = {"x_times": left.times is not None, "y_times": right.times is not None}
    title = f"{short(right.name, 24)} over {short(left.name, 24)}: {len(x):,} rows"
    if len(x) <= MOST_POINTS:
        mark = {"mark": "points", "x": x.tolist(), "y": y.tolist(), **times}
    else:
        edges = [_edges(values, column) for values, column in ((x, left), (y, right))]
        counts = np.histogram2d(x, y, bins=edges)[0].astype(np.int64)
        mark = {"mark": "density", "x_edges": edges[0].tolist(), "y_edges": edges[1].tolist(), **times}
        mark["counts"] = counts.tolist()
        outside = len(x) - int(counts.sum())
        title += ", darker where more are" + (f" ({outside:,} outliers outside)" if outside else "")
    return view(mark, title=title, x=short(left.name), y=short(right.name))


def _edges(values: Array, column: TypedColumn) -> Array:
    low, high = np.quantile(values, _MIDDLE)
    if low == high:
        low, high = values.min(), values.max()
    if low == high:
        return np.array([low - 0.5, low + 0.5])
    if column.is_whole and high - low < 2 * _CELLS:
        # Cells of unequally many whole numbers would draw stripes that are not in the data.
        width = max(1.0, np.ceil((high - low + 1) / _CELLS))
        edges: Array = np.arange(low - 0.5, high + width, width)
        return edges
    return np.linspace(low, high, _CELLS + 1)


def boxes(category: TypedColumn, measure: TypedColumn) -> Facts | None:
    """A measure by groups, the largest groups first; None without any common row."""
    assert category.codes is not None
    values = measure.floats()
    known = (category.codes >= 0) & ~np.isnan(values)
    codes, values = category.codes[known], values[known]
    counts = np.bincount(codes, minlength=len(category.labels))
    largest = [int(at) for at in np.argsort(-counts, kind="stable")[:_GROUPS] if counts[at]]
    if not largest:
        return None
    drawn = [_box(category.labels[code], np.sort(values[codes == code])) for code in largest]
    of = f", the {len(largest)} largest of {int((counts > 0).sum())} groups" if (counts > 0).sum() > _GROUPS else ""
    return view(
        {"mark": "boxes", "boxes": drawn, "times": measure.times is not None},
        title=f"{short(measure.name, 24)} by {short(category.name, 24)}: {int(counts.sum()):,} rows{of}",
        x=f"{short(measure.name, 24)} (boxes: quartiles)",
    )


def _box(label: str, ordered: Array) -> Facts:
    q1, median, q3 = (float(quantile(ordered, share)) for share in (0.25, 0.5, 0.75))
    reach = 1.5 * (q3 - q1)
    inside = ordered[(ordered >= q1 - reach) & (ordered <= q3 + reach)]
    found = {"q1": q1, "median": median, "q3": q3, "low": min(inside[0], q1), "high": max(inside[-1], q3)}
    return {"label": short(label), "rows": len(ordered), **{key: float(value) for key, value in found.items()}}


def mosaic(left: TypedColumn, codes: Array, labels: list[str], name: str) -> Facts | None:
    """Shares of classes (`codes` with their `labels`) in each category; thicker where more rows are."""
    assert left.codes is not None
    if len(left.labels) * len(labels) > 1_000_000:
        return None
    table = crosstab(left.codes, codes, len(left.labels), len(labels))
    rows = [int(at) for at in np.argsort(-table.sum(axis=1), kind="stable")[:_GROUPS] if table[at].sum()]
    classes = [int(at) for at in np.argsort(-table.sum(axis=0), kind="stable")[:_SERIES] if table[:, at].sum()]
    if not rows or not classes:
        return None
    totals = table[rows].sum(axis=1)
    series = [
        {"label": short(labels[code], 24), "values": (100 * table[rows, code] / totals).tolist()} for code in classes
    ]
    names = [f"{short(left.labels[at], 24)} ({int(table[at].sum()):,})" for at in rows]
    of = f", the {len(rows)} largest of {int((table.sum(axis=1) > 0).sum())}" if len(rows) == _GROUPS else ""
    return view(
        {"mark": "stacks", "labels": names, "series": series, "widths": totals.tolist()},
        title=f"{short(name, 24)} in each {short(left.name, 24)}{of}",
        x="% of the rows; thick where many rows are",
    )


def shares_per_class(measure: TypedColumn, codes: Array, labels: list[str], name: str) -> Facts | None:
    """A measure's histogram in each of the largest classes, in percent of the class."""
    values = measure.floats()
    known = values[~np.isnan(values)]
    if len(known) < 2:
        return None
    edges = _edges(known, measure)
    counts = np.bincount(codes[(codes >= 0) & ~np.isnan(values)], minlength=len(labels))
    series = []
    for code in np.argsort(-counts, kind="stable")[:_SERIES].tolist():
        if counts[code]:
            found = np.histogram(values[(codes == code) & ~np.isnan(values)], edges)[0]
            label = f"{short(labels[code], 18)} ({int(counts[code]):,})"
            series.append({"label": label, "values": (100 * found / counts[code]).tolist()})
    mark = {"mark": "stairs", "edges": edges.tolist(), "series": series, "times": measure.times is not None}
    title = f"{short(measure.name, 24)} by {short(name, 24)}"
    return view(mark, title=title, x=f"{short(measure.name)} (middle 99 %)", y="% of the class") if series else None


def pair_view(left: TypedColumn, right: TypedColumn) -> Facts | None:
    """Two columns by the plot that fits their kinds: points or cells, boxes, or a mosaic; None without any value."""
    measured = [column.numbers is not None or column.times is not None for column in (left, right)]
    if all(measured):
        return cloud(left, right)
    if left.codes is not None and right.codes is not None:
        return mosaic(left, right.codes, right.labels[: len(right.labels)], right.name)
    if left.codes is not None and measured[1]:
        return boxes(left, right)
    if right.codes is not None and measured[0]:
        return boxes(right, left)
    return None

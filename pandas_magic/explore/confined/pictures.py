"""The pictures of a table: few, labelled with counts, each as numbers that the other side checks and draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from pandas_magic.explore.confined.clustering import side_by_side
from pandas_magic.explore.confined.explorer import Explorer
from pandas_magic.explore.confined.formulas import Array
from pandas_magic.explore.confined.missing import phis
from pandas_magic.explore.confined.recognition import reread
from pandas_magic.explore.confined.target import Target
from pandas_magic.explore.confined.typed_column import TypedColumn, label_of
from pandas_magic.explore.confined.views import (
    bars_of,
    boxes,
    chart,
    cloud,
    mosaic,
    shares_per_class,
    short,
    stairs_of,
    view,
)

Facts = dict[str, Any]

_MOST_HEAT = 30  # columns of a heatmap; more names than that cannot be read
_SKEWED = 3.0
_FEATURES = 4
_FEW_VALUES = 10  # whole numbers with no more are drawn one by one
_PERIODS = ((2, "h", "hour"), (92, "D", "day"), (730, "W", "week"), (10**9, "M", "month"))
_MOST_PERIODS = 2_000


def draw(explorer: Explorer, options: Facts) -> Facts:
    """At most `plot_limit` pictures."""
    limit = int(options["plot_limit"])
    drawn: list[Facts] = []
    for make in _makers(explorer):
        if len(drawn) >= limit:
            break
        picture = make()
        if picture is not None:
            drawn.append(picture)
    return {"pictures": drawn}


def _makers(explorer: Explorer) -> Iterator[Callable[[], Facts | None]]:
    """The pictures in the order of their worth."""
    target = explorer.target
    if target is not None:
        yield lambda: _distribution(explorer, target)
        yield lambda: _strongest(explorer, target)
    yield lambda: _missing(explorer)
    yield lambda: _correlations(explorer)
    yield lambda: _time(explorer)
    for column in _worth_drawing(explorer):
        yield _maker(column, explorer.details["columns"][column.name]["histogram"])


def _maker(column: TypedColumn, bins: Facts | None) -> Callable[[], Facts | None]:
    return lambda: _bars(column) if column.codes is not None else _histogram(column, bins)


def _worth_drawing(explorer: Explorer) -> list[TypedColumn]:
    """Columns that a histogram or bars can show: those tied most to the target first, then as they stand."""
    rank = {entry["feature"]: at for at, entry in enumerate(explorer.found.to_target)}
    shown = [
        column
        for column in explorer.columns
        if column.kind in ("numeric", "categorical", "datetime")
        and (not explorer.target or column.name != explorer.target.name)
    ]
    return sorted(shown, key=lambda column: rank.get(column.name, len(rank)))


def _values_counted(column: TypedColumn, bins: Facts) -> Facts:
    """Bars of a few whole numbers, in their order; the bins are of one number each."""
    counts = {label_of(edge + 0.5): count for edge, count in zip(bins["edges"], bins["counts"], strict=False) if count}
    texts = [f"{count:,} ({100 * count / max(column.present, 1):.1f} %)" for count in counts.values()]
    return {"mark": "bars", "labels": list(counts), "values": list(counts.values()), "texts": texts}


def _histogram(column: TypedColumn, bins: Facts | None) -> Facts | None:
    title, said = _counted(column, f"{column.present:,} values"), f"Histogram of {column.name}"
    if bins is not None and column.is_whole and 1 < column.unique <= _FEW_VALUES and _are_single(bins):
        plot = view(_values_counted(column, bins), title=title, x="rows")
        return chart("histogram", f"histogram_{column.name}", title, said, views=[plot], columns=[column.name])
    mark = stairs_of(column, bins)
    if mark is None:
        return None
    rows = "rows"
    if column.times is None:
        known = column.moments
        if known.skew is not None and abs(known.skew) > _SKEWED:
            mark["logarithmic"], rows = True, "rows (logarithmic)"
        if known.mean is not None:
            mark |= {"at": known.mean, "at_label": f"mean {known.mean:.4g}"}
    plot = view(mark, title=title, x=short(column.name) + _zone(column), y=rows)
    return chart("histogram", f"histogram_{column.name}", title, said, views=[plot], columns=[column.name])


def _are_single(bins: Facts) -> bool:
    return len(bins["edges"]) > 1 and bins["edges"][1] - bins["edges"][0] == 1


def _counted(column: TypedColumn, what: str) -> str:
    return f"{short(column.name)}: {what}" + (f", {column.missing:,} missing" if column.missing else "")


def _zone(column: TypedColumn) -> str:
    if not column.zone or column.zone == "UTC":
        return f" ({column.zone})" if column.zone else ""
    return f" ({column.zone}, shown in UTC)"


def _bars(column: TypedColumn) -> Facts | None:
    counts = {label: int(count) for label, count in zip(column.labels, column.counts.tolist(), strict=True) if count}
    if not counts:
        return None
    title = _counted(column, f"{column.unique:,} categories")
    said = f"The most frequent values of {column.name}"
    plot = view(bars_of(counts, column.present), title=title, x="rows")
    return chart("bars", f"bars_{column.name}", title, said, views=[plot], columns=[column.name])


def _distribution(explorer: Explorer, target: Target) -> Facts | None:
    """The classes with their counts, or the histogram of a measure."""
    counts, column = target.facts.get("class_counts"), explorer.column(target.name)
    name = short(target.name)
    if counts is None:
        mark = stairs_of(column, explorer.details["columns"][target.name]["histogram"])
        title = f"Target {name}: {column.present:,} values"
        plots = [view(mark, title=title, x=name, y="rows")] if mark is not None else []
    else:
        title = f"Target {name}: {len(counts)} classes"
        plots = [view(bars_of(counts, sum(counts.values())), title=title, x="rows")] if counts else []
    said = f"How the target {target.name} is distributed"
    return chart("target", "target", title, said, views=plots, columns=[target.name]) if plots else None


def _strongest(explorer: Explorer, target: Target) -> Facts | None:
    """The four features that go most with the target, each against it."""
    if target.task_type == "multilabel":
        return None
    entries = explorer.found.to_target[:_FEATURES]
    of_target = explorer.column(target.name)
    views = [_against(explorer.column(entry["feature"]), target, of_target) for entry in entries]
    drawn = [each for each in views if each is not None]
    title = f"What goes with {short(target.name)}"
    said = f"The strongest features against {target.name}"
    names = [entry["feature"] for entry in entries]
    return chart("target", "target_relations", title, said, views=drawn, columns=names) if drawn else None


def _against(column: TypedColumn, target: Target, of_target: TypedColumn) -> Facts | None:
    if column.is_number and column.is_whole and column.unique <= _FEW_VALUES:
        column = reread(replace(column), "categorical")
    if target.task_type == "regression":
        return boxes(column, of_target) if column.codes is not None else cloud(column, of_target)
    assert target.codes is not None
    labels = list(target.labels)
    if column.codes is not None:
        return mosaic(column, target.codes, labels, target.name)
    return shares_per_class(column, target.codes, labels, target.name)


def _missing(explorer: Explorer) -> Facts | None:
    facts = explorer.details.get("missing", {})
    names = facts.get("columns", [])[:_MOST_HEAT]
    if not names:
        return None
    rows = max(len(explorer.frame), 1)
    columns = [explorer.column(name) for name in names]
    shares = [f"{short(column.name, 18)} ({100 * column.missing / rows:.2g} %)" for column in columns]
    matrix = [row[: len(names)] for row in facts["matrix"]]
    seen = f"missing is marked; {len(matrix):,} of {rows:,} rows, evenly spaced"
    views = [view({"mark": "gaps", "names": shares, "rows": matrix}, title=seen, y="rows, first to last")]
    if len(columns) > 1:
        masks = [column.gaps for column in columns if column.gaps is not None]
        views.append(view(_heat([column.name for column in columns], phis(masks)), title="missing together (phi)"))
    title = f"Missing values in {len(facts['columns'])} columns: {facts['rows_with_gaps']:,} rows have gaps"
    said = "Which values are missing (marked), and which are missing together"
    return chart("missing", "missing_heatmap", title, said, views=views, columns=names)


def _heat(names: list[str], matrix: Array) -> Facts:
    values = [[float(value) if np.isfinite(value) else None for value in line] for line in matrix]
    return {"mark": "heat", "names": [short(name, 24) for name in names], "values": values}


def _correlations(explorer: Explorer) -> Facts | None:
    names, matrix = explorer.found.names, explorer.found.matrix
    useful = [at for at in range(len(names)) if np.isfinite(matrix[at]).sum() > 1]
    if len(useful) < 2:
        return None
    if len(useful) > _MOST_HEAT:
        strength = [np.nansum(np.abs(matrix[at])) for at in useful]
        useful = [useful[at] for at in np.argsort(strength)[::-1][:_MOST_HEAT]]
    order = side_by_side(np.abs(np.nan_to_num(matrix[np.ix_(useful, useful)])))
    chosen = [useful[at] for at in order]
    title = f"Pearson correlation of {len(chosen)} of {len(names)} numeric columns, alike ones side by side"
    plot = view(_heat([names[at] for at in chosen], matrix[np.ix_(chosen, chosen)]), title=title)
    said = "Correlations of numeric columns, clustered"
    return chart("correlations", "correlations", title, said, views=[plot], columns=[names[at] for at in chosen])


def _time(explorer: Explorer) -> Facts | None:
    column = next((column for column in explorer.columns if column.kind == "datetime" and column.unique > 2), None)
    if column is None or column.times is None:
        return None
    stamps = column.times[~np.isnat(column.times)]
    span_days = float((stamps.max() - stamps.min()) / np.timedelta64(1, "D"))
    unit, name = next((unit, name) for days, unit, name in _PERIODS if span_days <= days)
    periods = stamps.astype(f"datetime64[{unit}]").astype(np.int64)
    first, number = int(periods.min()), int(periods.max() - periods.min()) + 1
    if number > _MOST_PERIODS:
        return None
    counts = np.bincount(periods - first, minlength=number)
    when = (np.arange(number) + first).astype(f"datetime64[{unit}]").astype("datetime64[s]").astype(np.int64)
    title = f"Rows per {name} of {short(column.name)}: {len(stamps):,} rows"
    mark = {"mark": "line", "x": when.tolist(), "y": counts.tolist()}
    plot = view(mark, title=title, x=short(column.name) + _zone(column), y=f"rows per {name}")
    said = f"How many rows each {name} has"
    return chart("time", f"rows_over_{column.name}", title, said, views=[plot], columns=[column.name])

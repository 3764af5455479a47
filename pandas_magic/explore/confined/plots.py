"""Pictures: few, labelled with counts, readable by the colour-blind and on any background. PNG on opaque white."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from pandas_magic.explore.confined import target_plots
from pandas_magic.explore.confined.columns import Column
from pandas_magic.explore.confined.missing import phis
from pandas_magic.explore.confined.style import BLUE, GREY, ORANGE, Drawing, drawing, label, short
from pandas_magic.explore.confined.univariate import histogram

if TYPE_CHECKING:
    from pandas_magic.explore.confined.entry import Explorer

Facts = dict[str, Any]

_MOST_HEAT = 30  # columns of a heatmap; more names than that cannot be read
_ANNOTATED = 12
_BARS = 12
_SKEWED = 3.0
_PERIODS = ((2, "h", "hour"), (92, "D", "day"), (730, "W", "week"), (10**9, "M", "month"))


def draw(explorer: Explorer, options: Facts) -> Facts:
    """Display at most `plot_limit` pictures, and name each: kind, name, title, description."""
    from IPython.display import Image, display

    limit = int(options["plot_limit"])
    drawn: list[Drawing] = []
    with warnings.catch_warnings():
        # Names in scripts that the font lacks are drawn as boxes; the title in the report has them right.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        for make in _makers(explorer):
            if len(drawn) >= limit:
                break
            picture = make()
            if picture is not None:
                drawn.append(picture)
                display(Image(_png(picture)))  # type: ignore[no-untyped-call]
    return {
        "pictures": [{"kind": d.kind, "name": d.name, "title": d.title, "description": d.description} for d in drawn]
    }


def _png(picture: Drawing) -> bytes:
    buffer = io.BytesIO()
    picture.figure.savefig(buffer, format="png", dpi=110, facecolor="white")
    return buffer.getvalue()


def _makers(explorer: Explorer) -> list[Callable[[], Drawing | None]]:
    """The pictures in the order of their worth; half of the limit stays for single columns."""
    general: list[Callable[[], Drawing | None]] = []
    target = explorer.target
    if target is not None:
        general.append(lambda: target_plots.distribution(explorer.column(target.name), target))
        general.append(lambda: target_plots.strongest(explorer))
    general += [lambda: _missing(explorer), lambda: _correlations(explorer), lambda: _time(explorer)]
    return general + [_maker(column) for column in _worth_drawing(explorer)]


def _maker(column: Column) -> Callable[[], Drawing | None]:
    return lambda: _bars(column) if column.codes is not None else _histogram(column)


def _worth_drawing(explorer: Explorer) -> list[Column]:
    """Columns that a histogram or bars can show: those tied most to the target first, then as they stand."""
    rank = {entry["feature"]: at for at, entry in enumerate(explorer.found.to_target)}
    shown = [
        column
        for column in explorer.columns
        if column.kind in ("numeric", "categorical", "datetime")
        and (not explorer.target or column.name != explorer.target.name)
    ]
    return sorted(shown, key=lambda column: rank.get(column.name, len(rank)))


def _histogram(column: Column) -> Drawing | None:
    bins = histogram(column)
    counts = np.asarray(bins["counts"])
    if len(counts) < 2:
        return None
    missing = f", {column.missing:,} missing" if column.missing else ""
    title = f"{short(column.name)}: {column.present:,} values{missing}"
    said = f"Histogram of {column.name} in {len(counts)} bins"
    picture = drawing("histogram", f"histogram_{column.name}", title, said, labels=7)
    axes = picture.figure.subplots()
    edges: Any = np.asarray(bins["edges"])
    if column.times is not None:
        edges = (edges * 1e6).astype("datetime64[us]")
    axes.stairs(counts, edges, fill=True, color=BLUE)
    skew = None if column.times is not None else column.moments.skew
    long_tail = skew is not None and abs(skew) > _SKEWED
    if long_tail:
        axes.set_yscale("log")
    label(axes, title, short(column.name), "rows (logarithmic)" if long_tail else "rows")
    if (
        column.numbers is not None
        and column.numbers.dtype.kind in "iu"
        and len(counts) <= 12
        and edges[1] - edges[0] == 1
    ):
        axes.set_xticks(edges[:-1] + 0.5)
    if column.times is None and column.moments.mean is not None:
        axes.axvline(
            column.moments.mean, color=ORANGE, linestyle="--", linewidth=1.2, label=f"mean {column.moments.mean:.4g}"
        )
        axes.legend(frameon=False, fontsize=8)
    return picture


def _bars(column: Column) -> Drawing | None:
    counts = column.counts
    order = np.lexsort((np.arange(len(counts)), -counts))
    order = order[counts[order] > 0]
    if not len(order):
        return None
    top, rest = order[:_BARS], order[_BARS:]
    names = [short(column.labels[int(at)]) for at in top]
    values = [int(counts[at]) for at in top]
    if len(rest):
        names.append(f"{len(rest):,} others")
        values.append(int(counts[rest].sum()))
    missing = f", {column.missing:,} missing" if column.missing else ""
    title = f"{short(column.name)}: {column.unique:,} categories{missing}"
    said, longest = f"The most frequent values of {column.name}", max(map(len, names))
    picture = drawing("bars", f"bars_{column.name}", title, said, rows=len(names), labels=longest)
    axes = picture.figure.subplots()
    colors = [BLUE] * len(top) + [GREY] * bool(len(rest))
    bars = axes.barh(range(len(names)), values, color=colors)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.bar_label(
        bars, [f"{value:,} ({100 * value / column.present:.1f} %)" for value in values], padding=3, fontsize=8
    )
    axes.margins(x=0.22)
    label(axes, title, "rows", "")
    return picture


def _missing(explorer: Explorer) -> Drawing | None:
    facts = explorer.details.get("missing", {})
    names = facts.get("columns", [])[:_MOST_HEAT]
    if not names:
        return None
    matrix = np.array([[sign == "1" for sign in row[: len(names)]] for row in facts["matrix"]], dtype=bool)
    rows = len(explorer.frame)
    title = f"Missing values in {len(facts['columns'])} columns: {len(matrix):,} of {rows:,} rows, evenly spaced"
    picture = drawing(
        "missing",
        "missing_heatmap",
        title,
        "Which values are missing (dark), and which are missing together",
        wide=True,
        rows=13,
    )
    left, right = picture.figure.subplots(1, 2, width_ratios=(3, 2))
    left.imshow(matrix, aspect="auto", cmap="Greys", vmin=0, vmax=1, interpolation="nearest")
    shares = [100 * explorer.column(name).missing / max(rows, 1) for name in names]
    left.set_xticks(
        range(len(names)),
        [f"{short(n, 18)} ({s:.2g} %)" for n, s in zip(names, shares, strict=True)],
        rotation=60,
        ha="right",
    )
    left.set_yticks([])
    label(left, f"missing is dark ({facts['rows_with_gaps']:,} rows have gaps)", "", "rows, first to last")
    _gaps_together(right, [explorer.column(name) for name in names])
    picture.figure.suptitle(title, fontsize=10)
    return picture


def _gaps_together(axes: Any, columns: list[Column]) -> None:  # noqa: ANN401 - matplotlib
    if len(columns) < 2:
        axes.set_axis_off()
        return
    masks = [column.gaps if column.gaps is not None else np.zeros(column.rows, dtype=bool) for column in columns]
    values = np.nan_to_num(phis(masks))
    _heat(axes, values, [column.name for column in columns])
    label(axes, "missing together (phi)", "", "")


def _heat(axes: Any, matrix: Any, names: list[str]) -> None:  # noqa: ANN401 - matplotlib
    image = axes.imshow(matrix, cmap="PuOr_r", vmin=-1, vmax=1, interpolation="nearest")
    shown = [short(name, 18) for name in names]
    axes.set_xticks(range(len(names)), shown, rotation=60, ha="right")
    axes.set_yticks(range(len(names)), shown)
    axes.figure.colorbar(image, ax=axes, shrink=0.8)
    if len(names) <= _ANNOTATED:
        for i in range(len(names)):
            for j in range(len(names)):
                if np.isfinite(matrix[i, j]):
                    dark = abs(matrix[i, j]) > 0.6
                    axes.text(
                        j,
                        i,
                        f"{matrix[i, j]:.2f}",
                        ha="center",
                        va="center",
                        fontsize=7,
                        color="white" if dark else "black",
                    )


def _correlations(explorer: Explorer) -> Drawing | None:
    names, matrix = explorer.found.names, explorer.found.matrix
    useful = [at for at in range(len(names)) if np.isfinite(matrix[at]).sum() > 1]
    if len(useful) < 2:
        return None
    if len(useful) > _MOST_HEAT:
        strength = [np.nansum(np.abs(matrix[at])) for at in useful]
        useful = [useful[at] for at in np.argsort(strength)[::-1][:_MOST_HEAT]]
    order = _clustered(matrix[np.ix_(useful, useful)])
    chosen = [useful[at] for at in order]
    title = f"Pearson correlation of {len(chosen)} of {len(names)} numeric columns, alike ones side by side"
    picture = drawing(
        "correlations", "correlations", title, "Correlations of numeric columns, clustered", rows=max(10, len(chosen))
    )
    axes = picture.figure.subplots()
    _heat(axes, matrix[np.ix_(chosen, chosen)], [names[at] for at in chosen])
    label(axes, title, "", "")
    return picture


def _clustered(matrix: Any) -> list[int]:  # noqa: ANN401 - an array
    """An order in which strongly correlated columns stand together: average linkage of 1 - |r|."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    distance = 1 - np.abs(np.nan_to_num(matrix))
    np.fill_diagonal(distance, 0)
    return [int(at) for at in leaves_list(linkage(squareform((distance + distance.T) / 2, checks=False), "average"))]


def _time(explorer: Explorer) -> Drawing | None:
    column = next((column for column in explorer.columns if column.kind == "datetime" and column.unique > 2), None)
    if column is None or column.times is None:
        return None
    known = ~np.isnat(column.times)
    stamps = column.times[known]
    span_days = float((stamps.max() - stamps.min()) / np.timedelta64(1, "D"))
    unit, name = next((unit, name) for days, unit, name in _PERIODS if span_days <= days)
    periods = stamps.astype(f"datetime64[{unit}]").astype(np.int64)
    counts = np.bincount(periods - periods.min())
    when = (np.arange(len(counts)) + periods.min()).astype(f"datetime64[{unit}]").astype("datetime64[s]")
    title = f"Rows per {name} of {short(column.name)}: {len(stamps):,} rows"
    picture = drawing("time", f"rows_over_{column.name}", title, f"How many rows each {name} has", wide=True, labels=7)
    axes = picture.figure.subplots()
    axes.plot(when, counts, color=BLUE, linewidth=1.2)
    axes.set_ylim(bottom=0)
    label(
        axes, title, short(column.name) + (f" ({column.zone}, shown in UTC)" if column.zone else ""), f"rows per {name}"
    )
    return picture

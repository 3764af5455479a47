"""The columns of a report as HTML: a line for each, which opens to its labelled statistics. Every text is escaped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from pandas_magic.explore.drawing.scales import range_text
from pandas_magic.explore.sections import definitions, number, part
from pandas_magic.reporters.value_text import one_line, value_text

if TYPE_CHECKING:
    from pandas_magic.explore.details import ColumnDetails, EstimateBounds, Histogram
    from pandas_magic.explore.report_content import ReportContent
    from pandas_magic.explore.report_document import ColumnProfile

_NUMBERS = (
    ("min", "Smallest"),
    ("q1", "Lower quartile"),
    ("median", "Median"),
    ("q3", "Upper quartile"),
    ("max", "Largest"),
    ("mean", "Mean"),
    ("std", "Standard deviation"),
    ("zeros", "Zeros"),
    ("negative", "Below zero"),
    ("infinite", "Infinite"),
    ("iqr_outliers", "Outliers"),
)
_COUNTS = ("zeros", "negative", "infinite", "iqr_outliers")  # not worth a line where there are none
_QUARTILES = ("q1", "median", "q3")
_EXTREMES = ("min", "max")  # values of the table, which somebody may look for in it
_WIDE, _HIGH = 300.0, 72.0  # pixels of a column's histogram


def columns(report: ReportContent) -> str:
    """Every column: kind, gaps, different values, shape and typical values, and within it all that is known."""
    rows = report.document.dataset.n_rows
    return "".join(
        _column(name, profile, report.details.columns[name], rows)
        for name, profile in report.document.columns_profile.items()
    )


def _column(name: str, profile: ColumnProfile, details: ColumnDetails, rows: int) -> str:
    pct = profile.pct_missing
    gaps = f'<meter min="0" max="100" value="{pct:.1f}"></meter>{pct:.1f} % missing' if pct else "none missing"
    line = (
        f"<b>{escape(value_text(name, at_most=40))}</b><span>{escape(profile.summary.kind)}</span>"
        f"<span>{gaps}</span><span>{profile.unique:,} different</span>{sparkline(details.histogram)}"
        f'<span class="pm-long">{escape(typical(profile))}</span>'
    )
    facts = definitions(list(_facts(profile, details, rows)))
    shape = _gap_line(name, profile) + _bars(name, profile, details) + _top(name, profile, details)
    return (
        f'<details class="pm-column" data-pm-keep="{escape(name)}"><summary>{line}</summary>'
        f'<div class="pm-inside">{facts}<div>{shape}</div></div></details>'
    )


def _facts(profile: ColumnProfile, details: ColumnDetails, rows: int) -> Iterator[tuple[str, str]]:
    known: dict[str, Any] = profile.summary.model_extra or {}
    yield "Missing", f"{profile.n_missing:,} of {rows:,} ({profile.pct_missing:.2f} %)"
    yield "Different", f"{profile.unique:,}{_between(details)}"
    if "q1" in known:
        for key, label in _NUMBERS:
            if known.get(key) is not None and (known[key] or key not in _COUNTS):
                said = _in_full(known[key]) if key in _EXTREMES else number(known[key])
                yield label, said + (_of_ranks(details.bounds) if key in _QUARTILES else "")
    elif "range_days" in known:
        yield "First", _moment(known["min"])
        yield "Last", _moment(known["max"])
        yield "Span", f"{number(known['range_days'])} days, {value_text(known['frequency'])}"
    elif "min_length" in known:
        yield "Characters", f"{known['min_length']:,} to {known['max_length']:,}, mean {number(known['mean_length'])}"
    yield "Kind", f"{profile.summary.kind}: {details.evidence}"
    yield "Dtype", f"{profile.dtype}; as {profile.summary.suggested_dtype}"
    yield "To do", "; ".join(details.steps)


def _in_full(value: object) -> str:
    return f"{value:,.12g}" if isinstance(value, float) and 1e-4 < abs(value) < 1e12 else number(value)


def _moment(iso: object) -> str:
    """A moment as the grid has it: a day alone where it is the midnight that begins it."""
    return value_text(iso).replace("T", " ").removesuffix(" 00:00:00")


def _between(details: ColumnDetails) -> str:
    bounds = details.bounds
    if bounds is None or not details.is_unique_estimated:
        return ""
    return f" (estimated: {bounds.unique_low:,} to {bounds.unique_high:,})"


def _of_ranks(bounds: EstimateBounds | None) -> str:
    """How many percent of the values may lie between the number that is told and the one that is meant."""
    return f" (± {bounds.rank_pct:.2f} % of the ranks)" if bounds is not None and bounds.rank_pct else ""


def _gap_line(name: str, profile: ColumnProfile) -> str:
    if not profile.n_missing:
        return ""
    said = f"{name} is missing ({profile.n_missing:,} rows)"
    return f"<p>{part(['missing', name], said, f'{profile.n_missing:,} rows without a value')}</p>"


def _bars(name: str, profile: ColumnProfile, details: ColumnDetails) -> str:
    known = details.histogram
    if known is None or len(known.counts) < 2 or not max(known.counts):
        return ""
    is_time, wide, top = profile.summary.kind == "datetime", _WIDE / len(known.counts), max(known.counts)
    bars = []
    for at, count in enumerate(known.counts):
        said = f"{name} is {range_text(*known.edges[at : at + 2], times=is_time)} ({count:,} rows)"
        rows, high = escape(json.dumps(["bin", name, at], ensure_ascii=False)), _HIGH * count / top
        place = f'x="{at * wide:.1f}" width="{max(wide - 1, 0.5):.1f}"'
        bars.append(
            f'<rect {place} y="{_HIGH - high:.1f}" height="{high:.1f}"/>'
            f'<rect {place} y="0" height="{_HIGH:g}" fill="none" pointer-events="all" data-pm-where="{rows}" '
            f'aria-label="{escape(one_line(said))}"/>'
        )
    ends = range_text(known.edges[0], known.edges[-1], times=is_time).partition(" to ")
    return (
        f'<svg class="pm-shape" viewBox="0 0 {_WIDE:g} {_HIGH:g}" role="img" aria-label="histogram">{"".join(bars)}'
        f'</svg><p class="pm-ends"><span>{escape(ends[0])}</span><span>{escape(ends[2])}</span></p>'
    )


def _top(name: str, profile: ColumnProfile, details: ColumnDetails) -> str:
    top: Any = (profile.summary.model_extra or {}).get("top") or ()
    within = details.bounds.count_within if details.bounds is not None else None
    more = f"<p>Counts are estimated, each within {within:,} rows.</p>" if within else ""
    rows = "".join(
        f"<tr><th>{part(['value', name, each['value']], _has(name, each), value_text(each['value'], at_most=40))}</th>"
        f'<td class="pm-number">{each["count"]:,}</td><td class="pm-number">{each["pct"]:.1f} %</td></tr>'
        for each in top
    )
    return f'<div class="pm-rows"><table><tbody>{rows}</tbody></table></div>{more}' if rows else ""


def _has(name: str, top: dict[str, Any]) -> str:
    return f"{name} is {value_text(top['value'], at_most=40)} ({top['count']:,} rows)"


def typical(profile: ColumnProfile) -> str:
    """The values of a column in one line: quartiles, the most frequent ones, or first and last."""
    known: dict[str, Any] = profile.summary.model_extra or {}
    if "q1" in known:
        spread = " · ".join(number(known[key]) for key in ("min", "q1", "median", "q3", "max"))
        return f"{spread}; mean {number(known['mean'])}, std {number(known['std'])}"
    if known.get("top"):
        return ", ".join(f"{value_text(top['value'], at_most=24)} ({top['pct']:.1f} %)" for top in known["top"][:4])
    if "range_days" in known:
        return f"{_moment(known['min'])} to {_moment(known['max'])}, {value_text(known['frequency'])}"
    return ", ".join(value_text(value, at_most=24) for value in profile.summary.examples[:4])


def sparkline(histogram: Histogram | None) -> str:
    """A small histogram in the colours of the page; empty where there is none."""
    if histogram is None or len(histogram.counts) < 2 or not max(histogram.counts):
        return ""
    counts, top = histogram.counts, max(histogram.counts)
    width = 96 / len(counts)
    across = f"{max(width - 0.5, 0.5):.1f}"
    bars = "".join(
        f"M{at * width:.1f} 24V{24 - 24 * count / top:.1f}h{across}V24z" for at, count in enumerate(counts) if count
    )
    return f'<svg viewBox="0 0 96 24" role="img" aria-label="histogram"><path d="{bars}"/></svg>'

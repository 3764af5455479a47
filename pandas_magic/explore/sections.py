"""The parts of a report as HTML, each from facts alone, every text escaped; page and panel put them together.

Relations and gaps are in `relation_sections`, pictures and probes in `picture_sections`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from pandas_magic.reporters.html import html_table
from pandas_magic.reporters.value_text import one_line, value_text

if TYPE_CHECKING:
    from pandas_magic.explore.report_content import ReportContent
    from pandas_magic.explore.report_document import ClassTarget, MeasureTarget

LISTED = 60  # lines of a list or a table; what is left out is said or ranks last
_MEASURES = {
    "pearson": "Pearson r",
    "cramers_v": "Cramér's V",
    "correlation_ratio": "correlation ratio η",
}


def measure_name(measure: str) -> str:
    """A measure as people write it."""
    return _MEASURES.get(measure, measure)


def number(value: object) -> str:
    """A number for people: thousands apart, four significant digits of a fraction; "–" for none."""
    if value is None:
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return (
            f"{value:,.0f}"
            if value.is_integer() and abs(value) < 1e15
            else f"{value:,.4g}"
            if abs(value) < 1e4
            else f"{value:,.1f}"
        )
    return value_text(value)


def overview(report: ReportContent) -> str:
    """Summary, size, and what was flagged."""
    data, profiles = report.document.dataset, report.document.columns_profile.values()
    cells = data.n_rows * data.n_cols
    missing = sum(profile.n_missing for profile in profiles)
    share = f"{100 * missing / cells:.1f} %" if cells else "–"
    sample = " in the sample" if report.details.is_estimated else ""
    seconds = f"{report.document.meta.runtime_ms / 1000:.1f} s"
    tiles = (
        (number(data.n_rows), "rows"),
        (number(data.n_cols), "columns"),
        (share, "of cells missing"),
        (number(report.details.duplicate_rows) if report.is_whole else "…", f"duplicate rows{sample}"),
        (seconds if report.is_whole else "…", f"run {report.run_id[-6:]}"),
    )
    shown = "".join(f"<div><b>{escape(value)}</b><span>{escape(what)}</span></div>" for value, what in tiles)
    by_model = "<p>A model wrote this; each number in it stands in the report.</p>" if _is_by_model(report) else ""
    headline = f'<p class="pm-headline">{escape(one_line(report.summary.text))}</p>{by_model}'
    flagged = flags(report) if report.is_whole else "<p>Looking at what goes together …</p>"
    return headline + f'<div class="pm-tiles">{shown}</div>' + flagged


def _is_by_model(report: ReportContent) -> bool:
    return report.summary.author == "model"


def flags(report: ReportContent) -> str:
    """The three lists of columns that need a decision, with the reasons for suspected leaks."""
    found, reasons = report.document.flags, {suspect.feature: suspect.reasons for suspect in report.details.leakage}
    leaks = [f"{name}: {'; '.join(reasons.get(name, ()))}" for name in found.possible_leakage]
    profiles = report.document.columns_profile
    gaps = [f"{name}: {profiles[name].pct_missing:.1f} % missing" for name in found.high_missing]
    about = {name: "about " * known.is_unique_estimated for name, known in report.details.columns.items()}
    many = [f"{name}: {about[name]}{profiles[name].unique:,} different values" for name in found.high_cardinality]
    parts = [
        f'<h3 class="pm-flag">⚠ {title}</h3>{bullets(lines)}'
        for title, lines in (("Possible leakage", leaks), ("Many gaps", gaps), ("Many different values", many))
        if lines
    ]
    return "".join(parts) or "<p>✓ Nothing was flagged.</p>"


def part(where: Sequence[str | int], said: str, text: str) -> str:
    """A text that rows stand behind: `where` as `row_selection.rows_where` reads it, `said` what they have."""
    rows = escape(json.dumps(where, ensure_ascii=False))
    return f'<span data-pm-where="{rows}" aria-label="{escape(one_line(said))}">{escape(one_line(text))}</span>'


def bullets(lines: Iterable[str]) -> str:
    """A list of texts; those beyond sixty are counted."""
    every = list(lines)
    items = "".join(f"<li>{escape(one_line(line, at_most=400))}</li>" for line in every[:LISTED])
    more = f"<li>… and {len(every) - LISTED} more</li>" if len(every) > LISTED else ""
    return f"<ul>{items}{more}</ul>"


def target(report: ReportContent) -> str:
    """The task, its evidence, the classes or the measure, and how to begin."""
    known, details, plan = report.document.target, report.details.target, report.details.plan
    if known is None or details is None:
        return "<p>No target was named; choose one to see what goes with it.</p>"
    facts = [
        ("Target", known.name),
        ("Task", known.task_type),
        ("Evidence", "; ".join(details.evidence)),
        ("In doubt", details.doubt),
        *(_of_measure(known) if known.task_type == "regression" else _of_classes(known, details.mapping or {})),
        ("Validate", plan.cross_validation),
        ("Metric", plan.metric),
        ("Baseline", plan.baseline),
        ("Models", ", ".join(plan.models)),
    ]
    return definitions(facts) + ("" if known.task_type == "regression" else _classes(known.class_counts))


def _of_measure(known: MeasureTarget) -> tuple[tuple[str, str], ...]:
    summary = known.summary
    span = f"{number(summary.min)} to {number(summary.max)}"
    outliers = f"{known.iqr_outliers:,} outliers beyond 1.5 interquartile ranges"
    return (
        ("Values", f"{span}, mean {number(summary.mean)}, std {number(summary.std)}"),
        ("Shape", f"skewness {number(known.skew)}, {outliers}"),
    )


def _of_classes(known: ClassTarget, mapping: dict[str, int]) -> tuple[tuple[str, str], ...]:
    return (
        ("Imbalance", f"{known.imbalance_ratio:.2f} : 1" if known.imbalance_ratio else ""),
        ("As numbers", ", ".join(f"{label} = {value}" for label, value in list(mapping.items())[:10])),
    )


def definitions(facts: Sequence[tuple[str, str]]) -> str:
    """Labels with their texts; empty texts are left out."""
    return (
        "<dl>"
        + "".join(f"<dt>{escape(label)}</dt><dd>{escape(one_line(text))}</dd>" for label, text in facts if text)
        + "</dl>"
    )


def _classes(counts: dict[str, int]) -> str:
    total = sum(counts.values())
    rows = [
        (value_text(label), f"{count:,}", f"{100 * count / total:.2f} %")
        for label, count in list(counts.items())[:LISTED]
    ]
    more = f"<p>… and {len(counts) - LISTED:,} more classes</p>" if len(counts) > LISTED else ""
    return table(("class", "rows", "share"), rows, {"rows", "share"}) + more


def table(header: Sequence[str], rows: Sequence[Sequence[str]], right: set[str]) -> str:
    """Texts as a table; those columns to the right that are named."""
    return html_table([header, *rows], to_the_right=[name in right for name in header]) if rows else ""


def quality(report: ReportContent) -> str:
    """Everything noted, and what went wrong on the way."""
    errors = bullets(report.document.meta.errors)
    wrong = f'<h3 class="pm-flag">Went wrong on the way</h3>{errors}' if report.document.meta.errors else ""
    return wrong + (bullets(report.document.noted()) if report.document.notes else "<p>Nothing to note.</p>")


def raw(report: ReportContent) -> str:
    """The strict JSON."""
    return f"<pre>{escape(report.to_json())}</pre>"


def log(report: ReportContent) -> str:
    """How the report was got: every attempt and every probe."""
    rows = [(a.on, a.status, one_line(a.problem), f"{a.seconds:.2f} s") for a in report.attempts]
    rows += [(f"probe {p.probe}", "ok", one_line(p.verdict), "") for p in report.probes]
    return table(("on", "ended", "because", "time"), rows, {"time"})


def repairs(report: ReportContent) -> str:
    """The code that a model wrote for steps that had failed."""
    return "".join(
        f'<p class="pm-flag">{escape(one_line(repair.in_words()))}</p><pre>{escape(repair.code)}</pre>'
        for repair in report.details.repairs
    )

"""A report as HTML: a fragment for a notebook's output, and a page of its own. No script, nothing from elsewhere."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from pandas_magic.explore import column_sections, picture_sections, relation_sections, sections
from pandas_magic.reporters.html import framed
from pandas_magic.reporters.value_text import value_text

if TYPE_CHECKING:
    from pandas_magic.explore.report_content import ReportContent

# Colours of a page that no notebook gives any: light, and dark where the reader's system is.
_PAGE_STYLE = (
    ":root { color-scheme: light dark; } body { font-family: system-ui, sans-serif; font-size: 14px; margin: 16px; "
    "color: CanvasText; background: Canvas; } .pandas-magic { font-size: 14px; }"
)


@cache
def style() -> str:
    """The style of reports, beside that of everything we show."""
    return " ".join(files("pandas_magic.explore").joinpath("page.css").read_text(encoding="utf-8").split())


def fragment(report: ReportContent) -> str:
    """The report as one element: what matters open, the rest folded."""
    parts = [
        f"<style>{style()}</style>",
        f"<p><b>EDA</b> of <b>{escape(value_text(report.table))}</b></p>",
        sections.overview(report),
        _folded("Columns", column_sections.columns(report), is_open=True),
        _folded("Target", sections.target(report), is_open=report.document.target is not None),
        _folded("Pictures", picture_sections.pictures(report), is_open=bool(report.pictures)),
        _folded("Relations", relation_sections.relations(report)),
        _folded("Missing values", relation_sections.missing(report)),
        _folded("Probes", picture_sections.probes(report), is_open=bool(report.probes)),
        _folded("Notes", sections.quality(report)),
        _folded("Repairs", sections.repairs(report), is_open=True) if report.details.repairs else "",
        _folded("JSON", sections.raw(report)),
        _folded("Log", sections.log(report)),
    ]
    return framed(f'<div class="pm-eda">{"".join(parts)}</div>').replace(
        'class="pandas-magic"', 'class="pandas-magic pm-eda"', 1
    )


def page(report: ReportContent) -> str:
    """The report as a page that can be mailed or archived."""
    title = escape(f"EDA of {report.table}")
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width"><title>{title}</title><style>{_PAGE_STYLE}</style></head>'
        f"<body>{fragment(report)}</body></html>\n"
    )


def _folded(title: str, content: str, *, is_open: bool = False) -> str:
    return f"<details{' open' if is_open else ''}><summary><b>{title}</b></summary>{content}</details>"

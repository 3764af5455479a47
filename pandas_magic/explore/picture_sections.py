"""Pictures and probes as HTML, every text escaped."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from pandas_magic.explore.picture import Picture
from pandas_magic.reporters.value_text import one_line

if TYPE_CHECKING:
    from pandas_magic.explore.details import ProbeResult
    from pandas_magic.explore.report_content import ReportContent


def probes(report: ReportContent) -> str:
    """The deeper looks, with their verdicts."""
    return "".join(_probe(result) for result in report.probes) or "<p>No probe has run yet.</p>"


def _probe(result: ProbeResult) -> str:
    facts = json.dumps(result.facts, indent=1, ensure_ascii=False)
    drawn = _side_by_side([Picture.of(figure) for figure in result.charts])
    return (
        f"<h3>{escape(result.probe)}: {escape(one_line(result.verdict))}</h3><p>{escape(one_line(result.summary))}</p>"
        f"{drawn}"
        f"<details><summary>numbers</summary><pre>{escape(facts)}</pre></details>"
    )


def pictures(report: ReportContent) -> str:
    """The pictures, each with its title and a description."""
    if not report.pictures:
        return "<p>No picture was drawn.</p>"
    return _side_by_side(report.pictures)


def _side_by_side(drawn: Sequence[Picture]) -> str:
    """Pictures side by side. An image runs no script and loads nothing, whatever it holds."""
    shown = "".join(
        f'<figure><img alt="{escape(one_line(picture.description))}" '
        f'src="data:image/svg+xml;base64,{b64encode(picture.svg.encode()).decode()}">'
        f"<figcaption>{escape(one_line(picture.title))}</figcaption></figure>"
        for picture in drawn
    )
    return f'<div class="pm-pictures">{shown}</div>' if shown else ""

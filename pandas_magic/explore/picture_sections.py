"""Pictures and probes as HTML, every text escaped."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from pandas_magic.explore.drawing.svg import DARK
from pandas_magic.explore.picture import Picture
from pandas_magic.reporters.value_text import one_line

if TYPE_CHECKING:
    from pandas_magic.explore.details import ProbeResult
    from pandas_magic.explore.report_content import ReportContent


# What a probe is called where a person reads of it.
_TITLES = {
    "drill_missing": "Filling the gaps",
    "leakage_check": "Leakage",
    "type_disambiguation": "Which type is meant",
    "pair": "The pair",
    "drift": "Drift",
}


def probes(report: ReportContent) -> str:
    """The deeper looks, with their verdicts."""
    return "".join(map(probe_section, report.probes)) or "<p>No probe has run yet.</p>"


def probe_section(result: ProbeResult, *, live: bool = False) -> str:
    """What one probe found; `live` is for a page that looks on, as in `pictures`."""
    facts = json.dumps(result.facts, indent=1, ensure_ascii=False)
    drawn = _side_by_side([Picture.of(figure) for figure in result.charts], live=live)
    return (
        f"<h3>{_TITLES[result.probe]}: {escape(one_line(result.verdict))}</h3><p>{escape(one_line(result.summary))}</p>"
        f"{drawn}"
        f"<details><summary>numbers</summary><pre>{escape(facts)}</pre></details>"
    )


def pictures(report: ReportContent, *, live: bool = False) -> str:
    """The pictures, each of which says its own title, with a description.

    Images in what is kept: of a page that is not trusted their texts would be all that is left. `live` ones stand in
    the page itself, in its colours, and can be clicked.
    """
    if not report.pictures:
        return "<p>No picture was drawn.</p>"
    return _side_by_side(report.pictures, live=live)


def live_pictures(report: ReportContent) -> str:
    """The pictures for a page that looks on."""
    return pictures(report, live=True)


def _side_by_side(drawn: Sequence[Picture], *, live: bool = False) -> str:
    shown = "".join(
        f"<figure>{picture.svg.replace(DARK, '') if live else _image(picture)}</figure>" for picture in drawn
    )
    return f'<div class="pm-pictures">{shown}</div>' if shown else ""


def _image(picture: Picture) -> str:
    """An image, which runs no script and loads nothing, whatever it holds."""
    source = f"data:image/svg+xml;base64,{b64encode(picture.svg.encode()).decode()}"
    told = f'alt="{escape(one_line(picture.description))}" title="{escape(one_line(picture.title))}"'
    return f'<img {told} src="{source}">'

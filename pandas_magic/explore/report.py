"""What an exploration gives: the report, what lies beneath it, its pictures and how it was got."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from pandas_magic.errors import PandasMagicError
from pandas_magic.explore.details import Details, ProbeResult
from pandas_magic.explore.document import Document
from pandas_magic.explore.drawing import draw
from pandas_magic.explore.drawing.charts import Chart
from pandas_magic.explore.story import Story
from pandas_magic.state import write_whole

REPORT_MIMETYPE = "application/vnd.pandas-magic.eda+json"


@dataclass(frozen=True)
class Attempt:
    """One run of the explorer: on what, how it ended ("ok", or why not), and for how long."""

    on: str
    status: str
    problem: str = ""
    trace: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Picture:
    """One picture as SVG, with a title and a description for those who do not see it."""

    kind: str
    name: str  # of its file, without a suffix
    title: str
    description: str
    svg: str = field(repr=False)
    columns: tuple[str, ...] = ()  # that it is about

    @classmethod
    def of(cls, chart: Chart) -> Self:
        """The chart drawn. What names it comes from a confined process, and is made the name of a file."""
        name = re.sub(r"[^A-Za-z0-9]+", "_", chart.name).strip("_")[:60] or "picture"
        return cls(chart.kind, name, chart.title, chart.description, draw(chart), chart.columns)


@dataclass(frozen=True)
class Report:
    """The report of one table. `to_dict` is the strict JSON; `details` what lies beneath; `attempts` how it was got."""

    table: str
    document: Document
    details: Details
    attempts: tuple[Attempt, ...] = ()
    pictures: tuple[Picture, ...] = ()
    summary: Story = field(default_factory=Story)

    @property
    def run_id(self) -> str:
        """The id of the run that made it."""
        return self.document.meta.run_id

    @property
    def probes(self) -> tuple[ProbeResult, ...]:
        """The deeper looks, in the order in which they were taken."""
        return self.details.probes

    def to_dict(self) -> dict[str, Any]:
        """The report as plain JSON types, as `report.schema.json` describes it."""
        return self.document.to_dict()

    def facts(self) -> dict[str, Any]:
        """Report and details together, as plain JSON types: all that may be said of the table."""
        details = self.details.model_dump(mode="json", exclude={"probes": {"__all__": {"charts"}}})
        return {"report": self.to_dict(), "details": details}

    def to_json(self) -> str:
        """The report as text."""
        return self.document.model_dump_json(indent=2) + "\n"

    def to_html(self) -> str:
        """The report as one HTML page that needs nothing else: no script, no network."""
        from pandas_magic.explore.page import page

        return page(self)

    def compare(self, earlier: Report) -> ProbeResult:
        """What changed since an earlier report, from their histograms and categories."""
        from pandas_magic.explore.confined.drift import drift_since

        verdict, summary, facts = drift_since(earlier.facts(), self.facts())
        subject = [entry["column"] for entry in facts["columns"]]
        return ProbeResult(probe="drift", subject=tuple(subject), verdict=verdict, summary=summary, facts=facts)

    def save(self, folder: Path) -> Path:
        """Write JSON, page and pictures below `folder`/artifacts/<run_id>, and give that folder."""
        place = folder / "artifacts" / self.run_id
        for picture in self.pictures:
            write_whole(place / f"{picture.name}.svg", picture.svg)
        write_whole(place / "report.json", self.to_json())
        details = self.details.model_dump(mode="json")
        write_whole(place / "details.json", json.dumps(details, indent=2, ensure_ascii=False) + "\n")
        write_whole(place / "report.html", self.to_html())
        return place

    @classmethod
    def load(cls, place: Path) -> Self:
        """A report that was saved, without its pictures: to compare with.

        Raises: PandasMagicError when there is none.
        """
        try:
            document = Document.model_validate_json((place / "report.json").read_text(encoding="utf-8"))
            details = Details.model_validate_json((place / "details.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise PandasMagicError(f"{place} holds no report of ours: {str(error).splitlines()[0]}") from error
        return cls(place.name, document, details)

    def with_probe(self, probe: ProbeResult) -> Report:
        """The report with the probe's result in its notes and proposals; a cleared suspect keeps its flag."""
        others = (each for each in self.details.probes if (each.probe, each.subject) != (probe.probe, probe.subject))
        details = self.details.model_copy(update={"probes": (*others, probe)})
        document = self._noting(f"{probe.probe}: {probe.verdict}. {probe.summary}")
        return replace(self, details=details, document=_advised(document, probe))

    def with_error(self, error: str) -> Report:
        """The report with something that went wrong after it was made."""
        meta = self.document.meta.model_copy(update={"errors": (*self.document.meta.errors, error)})
        return replace(self, document=self.document.model_copy(update={"meta": meta}))

    def with_note(self, note: str) -> Report:
        """The report with one more thing that its readers must know."""
        return replace(self, document=self._noting(note))

    def with_pictures(self, pictures: Sequence[Picture]) -> Report:
        """The report with its pictures, named in `visuals`."""
        unique = _distinct(pictures)
        paths = {picture.name: f"artifacts/{self.run_id}/{picture.name}.svg" for picture in unique}
        missing = [paths[picture.name] for picture in unique if picture.kind == "missing"]
        visuals = {
            "histograms": tuple(paths[p.name] for p in unique if p.kind in ("histogram", "bars")),
            "missing_heatmap": missing[0] if missing else None,
        }
        updated = self.document.visuals.model_copy(update=visuals)
        return replace(self, pictures=unique, document=self.document.model_copy(update={"visuals": updated}))

    def with_story(self, summary: Story) -> Report:
        """The report with its summary."""
        return replace(self, summary=summary)

    def timed(self, runtime_ms: int) -> Report:
        """The report with the time that all of it took."""
        meta = self.document.meta.model_copy(update={"runtime_ms": runtime_ms})
        return replace(self, document=self.document.model_copy(update={"meta": meta}))

    def _noting(self, note: str) -> Document:
        others = (each for each in self.document.notes if each != note)
        return self.document.model_copy(update={"notes": (*others, note)})

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        from pandas_magic.explore.page import fragment

        return {
            REPORT_MIMETYPE: self.to_dict(),
            "text/html": fragment(self),
            "text/plain": f"EDA of {self.table}\n\n{self.summary.text}",
        }


def _distinct(pictures: Sequence[Picture]) -> tuple[Picture, ...]:
    taken: set[str] = set()
    named = []
    for picture in pictures:
        name, repeat = picture.name, 2
        while name.lower() in taken:
            name, repeat = f"{picture.name}_{repeat}", repeat + 1
        taken.add(name.lower())
        named.append(replace(picture, name=name))
    return tuple(named)


def _advised(document: Document, probe: ProbeResult) -> Document:
    """The proposals as the probe changed them: only what was computed is put in."""
    if probe.probe not in ("drill_missing", "leakage_check"):
        return document
    profiles = dict(document.columns_profile)
    for entry in probe.facts.get("columns", ()):
        name = entry.get("column")
        if name in profiles:
            action = _revised(profiles[name].suggested_action, probe.probe, entry)
            profiles[name] = profiles[name].model_copy(update={"suggested_action": action})
    return document.model_copy(update={"columns_profile": profiles})


def _revised(action: str, probe: str, entry: dict[str, Any]) -> str:
    # What an earlier run of the same probe said is said anew.
    action = re.sub(r"; checked: [^;]*" if probe == "leakage_check" else r"; tried: [^;]*", "", action)
    if probe == "leakage_check":
        return f"{action}; checked: {entry['verdict']} ({entry['measure']} {entry['score']:.3f})"
    gain = 100 * float(entry["gain"])
    trial = "; try a predictive fill (drill_missing)"
    told = f"a predictive fill saves {gain:.0f} % of the error" if gain >= 1 else f"keep the {entry['best_simple']}"
    return f"{action.replace(trial, '')}; tried: {told}"

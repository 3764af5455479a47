"""What a report says, and what is added to it as an exploration goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from pandas_magic.explore.details import Details, ProbeResult, StepRepair
from pandas_magic.explore.exploration_attempt import ExplorationAttempt
from pandas_magic.explore.picture import Picture
from pandas_magic.explore.report_document import ReportDocument
from pandas_magic.explore.story import Story


@dataclass(frozen=True)
class ReportContent:
    """All that a report says of one table; `Report` adds how it is shown and kept.

    `document` is the strict JSON, `details` what lies beneath it, `attempts` how both were got.
    """

    table: str
    document: ReportDocument
    details: Details
    attempts: tuple[ExplorationAttempt, ...] = ()
    pictures: tuple[Picture, ...] = ()
    summary: Story = field(default_factory=Story)
    is_whole: bool = True  # False: only the columns were looked at, each by itself

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

    def with_probe(self, probe: ProbeResult) -> Self:
        """The report with the probe's result in its notes and proposals; a cleared suspect keeps its flag."""
        others = (each for each in self.details.probes if (each.probe, each.subject) != (probe.probe, probe.subject))
        details = self.details.model_copy(update={"probes": (*others, probe)})
        document = self._noting(f"{probe.probe}: {probe.verdict}. {probe.summary}")
        return replace(self, details=_advised(details, probe), document=document)

    def with_error(self, error: str) -> Self:
        """The report with something that went wrong after it was made."""
        meta = self.document.meta.model_copy(update={"errors": (*self.document.meta.errors, error)})
        return replace(self, document=self.document.model_copy(update={"meta": meta}))

    def with_note(self, note: str) -> Self:
        """The report with one more thing that its readers must know."""
        return replace(self, document=self._noting(note))

    def with_repair(self, repair: StepRepair) -> Self:
        """The report with what a model wrote anew, and a note that says so."""
        details = self.details.model_copy(update={"repairs": (*self.details.repairs, repair)})
        return replace(self, details=details, document=self._noting(repair.in_words()))

    def with_pictures(self, pictures: Sequence[Picture]) -> Self:
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

    def with_story(self, summary: Story) -> Self:
        """The report with its summary."""
        return replace(self, summary=summary)

    def timed(self, runtime_ms: int) -> Self:
        """The report with the time that all of it took."""
        meta = self.document.meta.model_copy(update={"runtime_ms": runtime_ms})
        return replace(self, document=self.document.model_copy(update={"meta": meta}))

    def _noting(self, note: str) -> ReportDocument:
        line = " ".join(note.splitlines())
        others = (each for each in self.document.noted() if each != line)
        return self.document.model_copy(update={"notes": "\n".join((*others, line))})


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


def _advised(details: Details, probe: ProbeResult) -> Details:
    """The steps of each column as the probe changed them: only what was computed is put in."""
    if probe.probe not in ("drill_missing", "leakage_check"):
        return details
    columns = dict(details.columns)
    for entry in probe.facts.get("columns", ()):
        name = entry.get("column")
        if name in columns:
            steps = _revised(columns[name].steps, probe.probe, entry)
            columns[name] = columns[name].model_copy(update={"steps": steps})
    return details.model_copy(update={"columns": columns})


def _revised(steps: Sequence[str], probe: str, entry: dict[str, Any]) -> tuple[str, ...]:
    # What an earlier run of the same probe said is said anew.
    began = "checked: " if probe == "leakage_check" else "tried: "
    kept = [step for step in steps if not step.startswith(began)]
    if probe == "leakage_check":
        return (*kept, f"checked: {entry['verdict']} ({entry['measure']} {entry['score']:.3f})")
    gain = 100 * float(entry["gain"])
    trial = "; try a predictive fill (drill_missing)"
    told = f"a predictive fill saves {gain:.0f} % of the error" if gain >= 1 else f"keep the {entry['best_simple']}"
    return (*(step.replace(trial, "") for step in kept), f"tried: {told}")

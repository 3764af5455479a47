"""The probes of the panel of `%eda`: each stands where its findings are, if it applies, with its answer beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pandas_magic.explore.picture_sections import probe_section
from pandas_magic.explore.probe_choice import applicable
from pandas_magic.notebook.widgets import HIDDEN, SHOWN, button, menu, pile, row, widgets

if TYPE_CHECKING:
    from pandas_magic.explore.report import Report

Ask = Callable[..., None]

_BUTTONS = (
    ("drill_missing", "Drill missing", "Does a predictive fill beat median and mode?"),
    ("leakage_check", "Check leakage", "Can a suspect alone predict the target?"),
    ("type_disambiguation", "Disambiguate types", "Which of two readings is meant?"),
    ("pair", "Look at the pair", "Two columns in depth"),
    ("drift", "Drift", "What changed since the other table"),
)
# The part of the panel below which a probe stands.
PLACES = {
    "Overview": "drift",
    "Columns": "type_disambiguation",
    "Correlations": "pair",
    "Missing": "drill_missing",
    "Flags": "leakage_check",
}


class ProbePlaces:
    """The buttons of all probes. `on_ask` is called with a probe's name and what it takes."""

    def __init__(self, tables: list[str], on_ask: Ask) -> None:
        self.buttons = {name: button(text, tip) for name, text, tip in _BUTTONS}
        self.answers = {name: widgets.HTML() for name in self.buttons}
        self.left, self.right, self.other = menu("Pair", []), menu("with", []), menu("Against", tables)
        self.reading, self.settle = menu("Reading", []), button("This is what it means", "Explore with this reading")
        self._settling = row(self.reading, self.settle, display=HIDDEN)
        beside = {"pair": (self.left, self.right), "drift": (self.other,)}
        self.boxes = {
            name: pile([row(*beside.get(name, ()), press), self.answers[name]], display=HIDDEN)
            for name, press in self.buttons.items()
        }
        self.boxes["type_disambiguation"].children += (self._settling,)
        for name, press in self.buttons.items():
            press.on_click(lambda _, name=name: on_ask(name, **self._said(name)))

    def _said(self, name: str) -> dict[str, Any]:
        if name == "pair":
            return {"columns": [self.left.value, self.right.value]}
        return {"other": self.other.value} if name == "drift" else {}

    def choose_among(self, columns: list[str]) -> None:
        """Take the columns of another table; nothing of it was found yet."""
        self.left.options = self.right.options = columns
        if columns:
            self.left.value, self.right.value = columns[0], columns[min(1, len(columns) - 1)]
        for box in self.boxes.values():
            box.layout.display = HIDDEN

    def fill(self, report: Report, framed: Callable[[str], str]) -> None:
        """Show the probes that apply to what was found, and what each has answered, the latest answer first."""
        asked_for = applicable(report) if report.is_whole else []
        others = [name for name in self.other.options if name != report.table]
        shown = {*asked_for, *(["pair"] if len(self.left.options) > 1 else []), *(["drift"] if others else [])}
        for name, box in self.boxes.items():
            answers = [probe_section(each, live=True) for each in report.probes if each.probe == name]
            self.answers[name].value = framed("".join(reversed(answers))) if answers else ""
            box.layout.display = SHOWN if report.is_whole and (name in shown or answers) else HIDDEN
        self._offer_readings(report)

    def _offer_readings(self, report: Report) -> None:
        self.reading.options = [
            (f"{entry['column']}: {each['reading']} ({each['means']})"[:120], (entry["column"], each["reading"]))
            for probe in report.probes
            if probe.probe == "type_disambiguation"
            for entry in probe.facts.get("columns", [])
            for each in entry["readings"]
        ]
        self.reading.value = None  # a person says what is meant, the first reading is no answer
        self._settling.layout.display = SHOWN if self.reading.options else HIDDEN

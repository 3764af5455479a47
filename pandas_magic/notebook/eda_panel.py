"""The panel of `%eda`: choose, run, look, probe, make checks. Work is done in a thread, so that Stop can be pressed.

What is shown comes from `eda_sections`, what is done from `explore.study`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

from pandas_magic.errors import PandasMagicError, error_line
from pandas_magic.explore.page import style
from pandas_magic.explore.study import METRICS, Study
from pandas_magic.explore.unfinished import NeedsConfirmation
from pandas_magic.notebook.eda_findings import FindingList
from pandas_magic.notebook.eda_sections import CHECKS, SECTIONS, WITH_FINDINGS, of_section
from pandas_magic.notebook.widgets import HIDDEN, SHOWN, button, menu, pile, row, widgets
from pandas_magic.reporters.html import framed

if TYPE_CHECKING:
    from pandas_magic.checking.result import Result
    from pandas_magic.explore.report import Report

_NO_TARGET = "(none)"
# Rough shares of the whole: a bar that moves says more than a spinner, and none of it is a promise.
_STAGES = ("reading", "column", "relations", "missing", "findings", "probe", "pictures", "summary")
_JUST_ENDING = 0.2  # seconds


class Panel:
    """The widgets over one study. `on_report` hears of every report, `on_check` of every check that was made."""

    def __init__(
        self,
        study: Study,
        *,
        table: str | None = None,
        target: str | None = None,
        inputs: dict[str, Any] | None = None,
        on_report: Callable[[Report], None] = lambda _: None,
        on_check: Callable[[Result], None] = lambda _: None,
        on_kept: Callable[[str, Any], None] = lambda name, frame: None,
    ) -> None:
        self._study, self._inputs = study, inputs or {}
        self._on_report, self._on_check, self._on_kept = on_report, on_check, on_kept
        self._confirmed: Callable[[], None] = lambda: None
        self._busy = threading.Lock()
        self._make_widgets()
        self._wire()
        if table is not None:
            self.table.value = table
        self._table_chosen()
        if target is not None:
            self.target.value = target

    def _make_widgets(self) -> None:
        self.table, self.target = menu("Table", self._study.tables()), menu("Target", [_NO_TARGET])
        self.metric = menu("Metric", METRICS)
        self.upload = widgets.FileUpload(description="Upload", tooltip="A file to explore, kept privately")
        self.run = button("Run Preprocessing", "Explore the table in the sandbox", button_style="primary", icon="play")
        self.stop = button("Stop", "End what is running", icon="stop", disabled=True)
        self.bar = widgets.IntProgress(max=len(_STAGES), layout={"width": "180px"})
        self.message = widgets.HTML("Choose a table and a target, then run.")
        self.preview = widgets.HTML()
        self.question, self.yes, self.no = widgets.HTML(), button("Yes", "Agree"), button("No", "Do not")
        self.ask = row(self.question, self.yes, self.no, display=HIDDEN)
        self.probes = {name: button(text, tip) for name, text, tip in _PROBE_BUTTONS}
        self.left, self.right, self.other = menu("Pair", []), menu("with", []), menu("Against", self._study.tables())
        self.pair = button("Look at the pair", "Two columns in depth")
        self.drift = button("Drift", "What changed since the other table")
        self.deeper = button("Request Deeper EDA", "The next probe that the findings ask for", icon="search")
        self.proceed = button("Proceed to Model Selection", "Not part of this tool yet", disabled=True)
        self.reading, self.settle = menu("Reading", []), button("This is what it means", "Explore with this reading")
        self.drops = widgets.SelectMultiple(description="Drop", rows=4, layout={"width": "auto", "min_width": "320px"})
        self.drop = button("Drop these columns…", "Asks first; the table itself is left as it is")
        self.parts = [widgets.HTML() for _ in SECTIONS]
        self._make_tabs()
        self._arrange()

    def _make_tabs(self) -> None:
        made: dict[str, str] = {}
        titles = [title for title, _ in SECTIONS]
        self.findings = {
            title: FindingList("Make a check of what was found", self._agreed, made=made)
            for title in (*(title for title in titles if title in WITH_FINDINGS), CHECKS)
        }
        shown = [
            pile([part, self.findings[title].widget]) if title in self.findings else part
            for title, part in zip(titles, self.parts, strict=True)
        ]
        self.tabs = widgets.Tab([*shown, self.findings[CHECKS].widget], titles=(*titles, CHECKS))

    def _arrange(self) -> None:
        reason = widgets.HTML(
            "<i>Disabled: model selection is a later step; take the report and the kept table to it.</i>"
        )
        self.widget = pile(
            [
                widgets.HTML(f"<style>{style()}</style>"),
                row(self.table, self.target, self.metric, self.upload, self.run, self.stop),
                row(self.bar, self.message),
                self.ask,
                widgets.Accordion([self.preview], titles=("Preview",), selected_index=0),
                self.tabs,
                row(*self.probes.values(), self.deeper),
                row(self.left, self.right, self.pair),
                row(self.other, self.drift),
                row(self.reading, self.settle),
                row(self.drops, self.drop),
                row(self.proceed, reason),
            ]
        )
        self.widget.add_class("pm-eda-panel")

    def _wire(self) -> None:
        self.table.observe(lambda _: self._table_chosen(), "value")
        self.upload.observe(lambda _: self._take_upload(), "value")
        self.run.on_click(lambda _: self._start(self._explore))
        self.stop.on_click(lambda _: self._study.stop())
        self.yes.on_click(lambda _: self._answered(True))
        self.no.on_click(lambda _: self._answered(False))
        for name, probe in self.probes.items():
            probe.on_click(lambda _, name=name: self._start(lambda: self._probe(name)))
        self.deeper.on_click(lambda _: self._start(self._deeper))
        self.pair.on_click(
            lambda _: self._start(lambda: self._probe("pair", columns=[self.left.value, self.right.value]))
        )
        self.drift.on_click(lambda _: self._start(lambda: self._probe("drift", other=self.other.value)))
        self.settle.on_click(lambda _: self._start(self._settle))
        self.drop.on_click(lambda _: self._ask_to_drop())

    def _table_chosen(self) -> None:
        try:
            columns = self._study.columns(self.table.value) if self.table.value else []
            self.preview.value = self._framed(self._study.preview(self.table.value)) if self.table.value else ""
        except PandasMagicError as error:
            columns, self.preview.value = [], f"<p>{escape(str(error))}</p>"
        self.target.options = [_NO_TARGET, *columns]
        self.left.options = self.right.options = columns
        if columns:
            self.left.value, self.right.value = columns[0], columns[min(1, len(columns) - 1)]

    def _take_upload(self) -> None:
        """A file that was handed over becomes a table, and is chosen; where it lies is said."""
        for file in self.upload.value:
            try:
                name, place = self._study.take_upload(file["name"], bytes(file["content"]))
            except (PandasMagicError, OSError) as error:
                self._say(f"✗ {error_line(error)}")
                continue
            self.table.options = self.other.options = self._study.tables()
            self.table.value = name
            self._say(f'"{name}" is a table of this session; its file is {place}, which only you can read.')

    def _start(self, work: Callable[[], None]) -> None:
        # The button is free a moment before the work before has ended.
        if not self._busy.acquire(timeout=_JUST_ENDING):
            self._say("Still at work; press Stop to end it.")
            return
        self.run.disabled, self.stop.disabled = True, False
        threading.Thread(target=self._work, args=(work,), daemon=True).start()

    def _work(self, work: Callable[[], None]) -> None:
        try:
            work()
        except NeedsConfirmation as asked:
            self._ask(asked.question, lambda: self._start(lambda: self._explore(confirmed=True)))
            self._say("")
        except Exception as error:
            # The edge of this thread: whatever went wrong is said where the person looks.
            self._say(f"✗ {error_line(error)}")
        finally:
            self.run.disabled, self.stop.disabled = False, True
            self._busy.release()

    def _explore(self, *, confirmed: bool = False) -> None:
        self.bar.value = 0
        target = None if self.target.value == _NO_TARGET else self.target.value
        report = self._study.explore(
            self.table.value,
            target,
            metric=self.metric.value,
            confirmed=confirmed,
            inputs=self._inputs,
            on_progress=self._progress,
        )
        self._show(report)
        self._say(f"✓ done in {report.document.meta.runtime_ms / 1000:.1f} s, run {report.run_id}")

    def _probe(self, name: str, **said: Any) -> None:  # noqa: ANN401 - what the probe takes
        self._say(f"probe {name} …")
        report = self._study.probe(name, **said)
        self._show(report)
        self.tabs.selected_index = [title for title, _ in SECTIONS].index("Probes")
        self._say(f"✓ {report.probes[-1].verdict}")

    def _deeper(self) -> None:
        from pandas_magic.explore.probe_choice import offered

        report = self._study.report
        waiting = offered(report) if report is not None else []
        if waiting:
            self._probe(waiting[0])
        else:
            self._say("No further probe is asked for." if report is not None else "Run the exploration first.")

    def _settle(self) -> None:
        if not self.reading.value:
            asked = "Choose what it means first." if self.reading.options else "No column is in doubt."
            self._say(asked)
            return
        column, reading = self.reading.value
        self._show(self._study.settle(column, reading))
        self._say(f"✓ {column} is read as {reading}")

    def _agreed(self, findings: FindingList) -> None:
        self._start(lambda: self._make_check(findings))

    def _make_check(self, findings: FindingList) -> None:
        self._say("compiling and proving …")
        findings.show_result("<p>compiling and proving …</p>")
        try:
            result = self._study.make_check(findings.sentence.value, self._say)
        except PandasMagicError as error:
            # Said where the sentence is being written, too: the line of the panel may be out of sight.
            findings.show_result(f"<p>✗ {escape(str(error))}</p>")
            raise
        findings.show_check(result)
        for each in self.findings.values():
            each.refresh()
        self._on_check(result)
        # The verdict has a sign of its own: a tick beside FAIL would say both.
        self._say(f"{result.run.check_id}: {result.run.summary}")

    def _ask_to_drop(self) -> None:
        chosen = list(self.drops.value)
        if not chosen or self._study.report is None:
            self._say("Choose the columns to drop first.")
            return
        name = f"{self._study.report.table}_kept"
        self._ask(
            f"Make {name}, a copy of the table without {', '.join(chosen)}? The table itself stays as it is.",
            lambda: self._keep(name, chosen),
        )

    def _keep(self, name: str, columns: list[str]) -> None:
        self._on_kept(name, self._study.without(columns))
        self._say(f"✓ {name} has the table without {', '.join(columns)}")

    def _ask(self, question: str, agreed: Callable[[], None]) -> None:
        self._confirmed = agreed
        self.question.value = f"<b>{escape(question)}</b>&nbsp;"
        self.ask.layout.display = SHOWN

    def _answered(self, agreed: bool) -> None:
        self.ask.layout.display = HIDDEN
        if agreed:
            self._confirmed()
        else:
            self._say("Not done.")

    def _show(self, report: Report) -> None:
        for part, (_, section) in zip(self.parts, SECTIONS, strict=True):
            part.value = self._framed(section(report))
        found = self._study.proposals()
        for title, findings in self.findings.items():
            findings.fill(found if title == CHECKS else of_section(title, report, found))
        self.drops.options = [(f"{name}: {why}"[:120], name) for name, why in self._study.droppable().items()]
        self.reading.options = [
            (f"{entry['column']}: {each['reading']} ({each['means']})"[:120], (entry["column"], each["reading"]))
            for probe in report.probes
            if probe.probe == "type_disambiguation"
            for entry in probe.facts.get("columns", [])
            for each in entry["readings"]
        ]
        self.reading.value = None  # a person says what is meant, the first reading is no answer
        self._on_report(report)

    def _progress(self, stage: str) -> None:
        at = next((number for number, name in enumerate(_STAGES, 1) if stage.startswith(name)), self.bar.value)
        self.bar.value = max(self.bar.value, at)
        self._say(stage)

    def _say(self, text: str) -> None:
        self.message.value = f'<span role="status">{escape(text)}</span>'

    @staticmethod
    def _framed(content: str) -> str:
        return framed(content).replace('class="pandas-magic"', 'class="pandas-magic pm-eda"', 1)


_PROBE_BUTTONS = (
    ("drill_missing", "Drill missing", "Does a predictive fill beat median and mode?"),
    ("leakage_check", "Check leakage", "Can a suspect alone predict the target?"),
    ("type_disambiguation", "Disambiguate types", "Which of two readings is meant?"),
)

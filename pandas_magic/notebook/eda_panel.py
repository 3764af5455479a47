"""The panel of `%eda`: choose, run, look, probe, make checks. Work is done in a thread, so that Stop can be pressed.

What is shown comes from `eda_sections`, what is done from `explore.study`. The report fills in as its parts arrive.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

from pandas_magic.catalog.sources.memory import describing_once
from pandas_magic.errors import PandasMagicError, error_line
from pandas_magic.explore.page import style
from pandas_magic.explore.picture_sections import probe_section
from pandas_magic.explore.study import METRICS, Study
from pandas_magic.explore.unfinished import NeedsConfirmation
from pandas_magic.notebook.eda_findings import FindingList
from pandas_magic.notebook.eda_probes import PLACES, ProbePlaces
from pandas_magic.notebook.eda_sections import AT_ONCE, CHECKS, SECTIONS, WITH_FINDINGS, of_section
from pandas_magic.notebook.widgets import HIDDEN, SHOWN, button, menu, pile, row, widgets
from pandas_magic.reporters.html import framed

if TYPE_CHECKING:
    from pandas_magic.checking.result import Result
    from pandas_magic.explore.report import Report

_NO_TARGET = "(none)"
_LOOKING = "<p>Looking …</p>"
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
        live_rows: Callable[[str], str] = lambda _: "",
    ) -> None:
        self._study, self._inputs = study, inputs or {}
        self._on_report, self._on_check, self._on_kept, self._live_rows = on_report, on_check, on_kept, live_rows
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
        self.probes = ProbePlaces(
            self._study.tables(), lambda name, **said: self._start(lambda: self._probe(name, **said))
        )
        self.deeper = button("Request Deeper EDA", "The next probe that the findings ask for", icon="search")
        self.deeper_answer = widgets.HTML()
        self.proceed = button("Proceed to Model Selection", "Not part of this tool yet", disabled=True)
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
            pile([part, *self._below(title)]) if title in self.findings or title in PLACES else part
            for title, part in zip(titles, self.parts, strict=True)
        ]
        self.tabs = widgets.Tab([*shown, self.findings[CHECKS].widget], titles=(*titles, CHECKS))

    def _below(self, title: str) -> list[Any]:
        probe = [self.probes.boxes[PLACES[title]]] if title in PLACES else []
        return [*probe, *([self.findings[title].widget] if title in self.findings else [])]

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
                self.tabs,
                self.preview,
                row(self.deeper),
                self.deeper_answer,
                row(self.drops, self.drop),
                row(self.proceed, reason),
            ]
        )
        self.widget.add_class("pm-eda-panel")

    def _wire(self) -> None:
        self.table.observe(lambda _: self._table_chosen(), "value")
        self.upload.observe(lambda _: self._take_upload(), "value")
        self.run.on_click(lambda _: self.explore())
        self.stop.on_click(lambda _: self._study.stop())
        self.yes.on_click(lambda _: self._answered(True))
        self.no.on_click(lambda _: self._answered(False))
        self.deeper.on_click(lambda _: self._start(self._deeper))
        self.probes.settle.on_click(lambda _: self._start(self._settle))
        self.drop.on_click(lambda _: self._ask_to_drop())

    def _table_chosen(self) -> None:
        try:
            columns = self._study.columns(self.table.value) if self.table.value else []
            self.preview.value = self._first_rows(self.table.value) if self.table.value else ""
        except PandasMagicError as error:
            columns, self.preview.value = [], f"<p>{escape(str(error))}</p>"
        self.target.options = [_NO_TARGET, *columns]
        self.probes.choose_among(columns)

    def _first_rows(self, table: str) -> str:
        """The first rows, which a page that looks on puts all of them in the place of."""
        shown, live = self._study.preview(table), self._live_rows(table)
        return self._framed(f'<div data-pm-part="{escape(live)}">{shown}</div>' if live else shown)

    def _take_upload(self) -> None:
        """A file that was handed over becomes a table, and is chosen; where it lies is said."""
        for file in self.upload.value:
            try:
                name, place = self._study.take_upload(file["name"], bytes(file["content"]))
            except (PandasMagicError, OSError) as error:
                self._say(f"✗ {error_line(error)}")
                continue
            before, now = set(self.table.options), self._study.tables()
            self.table.options = self.probes.other.options = now
            self.table.value = name
            new = [f'"{table}"' for table in now if table not in before]
            are = "is a table" if len(new) == 1 else "are tables"
            self._say(f"{', '.join(new)} {are} of this session; the file is {place}, which only you can read.")

    def explore(self) -> None:
        """Begin to explore what is chosen, as the button does."""
        self._start(self._explore)

    def _start(self, work: Callable[[], None]) -> None:
        # The button is free a moment before the work before has ended.
        if not self._busy.acquire(timeout=_JUST_ENDING):
            self._say("Still at work; press Stop to end it.")
            return
        self.run.disabled, self.stop.disabled = True, False
        threading.Thread(target=self._work, args=(work,), daemon=True).start()

    def _work(self, work: Callable[[], None]) -> None:
        try:
            with describing_once():  # the frames that checks may be made of, for each part that is shown
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
            on_report=self._show,
        )
        self._show_whole(report)
        self._say(f"✓ done in {report.document.meta.runtime_ms / 1000:.1f} s, run {report.run_id}")

    def _probe(self, name: str, **said: Any) -> None:  # noqa: ANN401 - what the probe takes
        self._say(f"probe {name} …")
        report = self._study.probe(name, **said)
        self._show_whole(report)
        self._say(f"✓ {report.probes[-1].verdict}")

    def _deeper(self) -> None:
        from pandas_magic.explore.probe_choice import offered

        report = self._study.report
        waiting = offered(report) if report is not None else []
        if report is not None and waiting:
            self._probe(waiting[0])
            assert self._study.report is not None
            self.deeper_answer.value = self._framed(probe_section(self._study.report.probes[-1], live=True))
        else:
            self._say("No further probe is asked for." if report is not None else "Run the exploration first.")

    def _settle(self) -> None:
        chosen = self.probes.reading
        if not chosen.value:
            self._say("Choose what it means first." if chosen.options else "No column is in doubt.")
            return
        column, reading = chosen.value
        self._show_whole(self._study.settle(column, reading))
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

    def _show_whole(self, report: Report) -> None:
        self._show(report)
        self._on_report(report)

    def _show(self, report: Report) -> None:
        for part, (title, section) in zip(self.parts, SECTIONS, strict=True):
            part.value = self._framed(section(report) if report.is_whole or title in AT_ONCE else _LOOKING)
        self.probes.fill(report, self._framed)
        found = self._study.proposals()
        for title, findings in self.findings.items():
            findings.fill(found if title == CHECKS else of_section(title, report, found))
        self.drops.options = [(f"{name}: {why}"[:120], name) for name, why in self._study.droppable().items()]

    def _progress(self, stage: str) -> None:
        at = next((number for number, name in enumerate(_STAGES, 1) if stage.startswith(name)), self.bar.value)
        self.bar.value = max(self.bar.value, at)
        self._say(stage)

    def _say(self, text: str) -> None:
        self.message.value = f'<span role="status">{escape(text)}</span>'

    @staticmethod
    def _framed(content: str) -> str:
        return framed(content).replace('class="pandas-magic"', 'class="pandas-magic pm-eda"', 1)

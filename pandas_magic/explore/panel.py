"""The panel of `%eda`: choose, run, look, probe, make checks. Work is done in a thread, so that Stop can be pressed.

Only this file knows ipywidgets. What is shown comes from `sections`, what is done from `study`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

from pandas_magic.errors import PandasMagicError
from pandas_magic.explore import sections
from pandas_magic.explore.failures import NeedsConfirmation
from pandas_magic.explore.page import style
from pandas_magic.explore.study import METRICS, Study
from pandas_magic.reporters.html import framed

if TYPE_CHECKING:
    from pandas_magic.explore.exploration import Report
    from pandas_magic.results import Result

_NO_TARGET = "(none)"
_SECTIONS: tuple[tuple[str, Callable[[Report], str]], ...] = (
    ("Overview", sections.overview),
    ("Columns", sections.columns),
    ("Target", sections.target),
    ("Correlations", sections.relations),
    ("Missing", sections.missing),
    ("Flags", sections.flags),
    ("Plots", sections.pictures),
    ("Probes", sections.probes),
    ("Notes", sections.quality),
    ("JSON", sections.raw),
    ("Log", sections.log),
)
_CHECKS_TAB = len(_SECTIONS)
# Rough shares of the whole: a bar that moves says more than a spinner, and none of it is a promise.
_STAGES = ("reading", "column", "relations", "missing", "findings", "probe", "pictures", "summary")


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
        import ipywidgets

        widgets: Any = ipywidgets  # its names are made at run time, out of sight of type checkers

        def button(text: str, tip: str, **said: Any) -> Any:  # noqa: ANN401 - ipywidgets carries no types
            return widgets.Button(description=text, tooltip=tip, layout={"width": "auto"}, **said)

        def menu(text: str, options: Any) -> Any:  # noqa: ANN401 - ipywidgets carries no types
            layout = {"width": "auto", "min_width": "220px", "max_width": "100%"}
            return widgets.Dropdown(
                description=text, options=options, layout=layout, style={"description_width": "60px"}
            )

        row: dict[str, Any] = {"layout": {"flex_flow": "row wrap", "align_items": "center"}}
        self.table, self.target = menu("Table", self._study.tables()), menu("Target", [_NO_TARGET])
        self.metric = menu("Metric", METRICS)
        self.run = button("Run Preprocessing", "Explore the table in the sandbox", button_style="primary", icon="play")
        self.stop = button("Stop", "End what is running", icon="stop", disabled=True)
        self.bar = widgets.IntProgress(max=len(_STAGES), layout={"width": "180px"})
        self.message = widgets.HTML("Choose a table and a target, then run.")
        self.preview = widgets.HTML()
        self.question, self.yes, self.no = widgets.HTML(), button("Yes", "Agree"), button("No", "Do not")
        self.ask = widgets.HBox([self.question, self.yes, self.no], layout={"display": "none", "flex_flow": "row wrap"})
        self.probes = {name: button(text, tip) for name, text, tip in _PROBE_BUTTONS}
        self.left, self.right, self.other = menu("Pair", []), menu("with", []), menu("Against", self._study.tables())
        self.pair = button("Look at the pair", "Two columns in depth")
        self.drift = button("Drift", "What changed since the other table")
        self.deeper = button("Request Deeper EDA", "The next probe that the findings ask for", icon="search")
        self.proceed = button("Proceed to Model Selection", "Not part of this tool yet", disabled=True)
        self.reading, self.settle = (
            menu("Reading", []),
            button("This is what it means", "Explore anew with this reading"),
        )
        self.drops = widgets.SelectMultiple(description="Drop", rows=4, layout={"width": "auto", "min_width": "320px"})
        self.drop = button("Drop these columns…", "Asks first; the table itself is left as it is")
        self.findings = widgets.Select(rows=10, layout={"width": "100%"})
        self.sentence = widgets.Textarea(rows=2, layout={"width": "100%"}, placeholder="A rule in a sentence")
        self.make = button("Make this a check", "Compile, prove and run it, and insert its cell", icon="check")
        self.made = widgets.HTML()
        self.parts = [widgets.HTML() for _ in _SECTIONS]
        checks = widgets.VBox([self.findings, self.sentence, self.make, self.made])
        self.tabs = widgets.Tab([*self.parts, checks], titles=(*(title for title, _ in _SECTIONS), "Make checks"))
        reason = widgets.HTML(
            "<i>Disabled: model selection is a later step; take the report and the kept table to it.</i>"
        )
        self.widget = widgets.VBox(
            [
                widgets.HTML(f"<style>{style()}</style>"),
                widgets.HBox([self.table, self.target, self.metric, self.run, self.stop], **row),
                widgets.HBox([self.bar, self.message], **row),
                self.ask,
                widgets.Accordion([self.preview], titles=("Preview",), selected_index=0),
                self.tabs,
                widgets.HBox([*self.probes.values(), self.deeper], **row),
                widgets.HBox([self.left, self.right, self.pair], **row),
                widgets.HBox([self.other, self.drift], **row),
                widgets.HBox([self.reading, self.settle], **row),
                widgets.HBox([self.drops, self.drop], **row),
                widgets.HBox([self.proceed, reason], **row),
            ]
        )
        self.widget.add_class("pm-eda-panel")

    def _wire(self) -> None:
        self.table.observe(lambda _: self._table_chosen(), "value")
        self.findings.observe(lambda change: self._finding_chosen(change["new"]), "value")
        self.run.on_click(lambda _: self._start(self._explore))
        self.stop.on_click(lambda _: self._study.stop())
        self.yes.on_click(lambda _: self._answered(True))
        self.no.on_click(lambda _: self._answered(False))
        for name, button in self.probes.items():
            button.on_click(lambda _, name=name: self._start(lambda: self._probe(name)))
        self.deeper.on_click(lambda _: self._start(self._deeper))
        self.pair.on_click(
            lambda _: self._start(lambda: self._probe("pair", columns=[self.left.value, self.right.value]))
        )
        self.drift.on_click(lambda _: self._start(lambda: self._probe("drift", other=self.other.value)))
        self.settle.on_click(lambda _: self._start(self._settle))
        self.drop.on_click(lambda _: self._ask_to_drop())
        self.make.on_click(lambda _: self._start(self._make_check))

    def _table_chosen(self) -> None:
        try:
            columns = self._study.columns(self.table.value) if self.table.value else []
            self.preview.value = self._framed(self._study.preview(self.table.value)) if self.table.value else ""
        except PandasMagicError as error:
            columns, self.preview.value = [], f"<p>{escape(str(error))}</p>"
        self.target.options = [_NO_TARGET, *columns]
        self.left.options = self.right.options = columns

    def _start(self, work: Callable[[], None]) -> None:
        if not self._busy.acquire(blocking=False):
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
            self._say(f"✗ {type(error).__name__}: {error}")
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
        self.tabs.selected_index = [title for title, _ in _SECTIONS].index("Probes")
        self._say(f"✓ {report.probes[-1].verdict}")

    def _deeper(self) -> None:
        from pandas_magic.explore.policy import offered

        report = self._study.report
        waiting = offered(report) if report is not None else []
        if waiting:
            self._probe(waiting[0])
        else:
            self._say("No further probe is asked for." if report is not None else "Run the exploration first.")

    def _settle(self) -> None:
        if not self.reading.value:
            self._say("No column is in doubt.")
            return
        column, reading = self.reading.value
        self._show(self._study.settle(column, reading))
        self._say(f"✓ {column} is read as {reading}")

    def _make_check(self) -> None:
        self._say("compiling and proving …")
        result = self._study.make_check(self.sentence.value, self._say)
        self.made.value = _card(result)
        self._on_check(result)
        self._say(f"✓ {result.run.check_id}: {result.run.summary}")

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
        self.ask.layout.display = "flex"

    def _answered(self, agreed: bool) -> None:
        self.ask.layout.display = "none"
        if agreed:
            self._confirmed()
        else:
            self._say("Not done.")

    def _show(self, report: Report) -> None:
        for part, (_, section) in zip(self.parts, _SECTIONS, strict=True):
            part.value = self._framed(section(report))
        self.findings.options = [(f"{p.kind} · {p.column} · {p.because}", p.sentence) for p in self._study.proposals()]
        self.drops.options = [(f"{name}: {why}"[:120], name) for name, why in self._study.droppable().items()]
        self.reading.options = [
            (f"{entry['column']}: {each['reading']} ({each['means']})"[:120], (entry["column"], each["reading"]))
            for probe in report.probes
            if probe.probe == "type_disambiguation"
            for entry in probe.facts.get("columns", [])
            for each in entry["readings"]
        ]
        self._on_report(report)

    def _finding_chosen(self, sentence: str | None) -> None:
        self.sentence.value = sentence or ""

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


def _card(result: Result) -> str:
    from pandas_magic.reporters.card import card_of
    from pandas_magic.reporters.html import html

    return html(card_of(result))

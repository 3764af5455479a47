"""The magic `%eda`: a panel where a page looks on, a report where none does.

The panel's output is static HTML, which the page's widget puts the panel in the place of: a notebook that is opened
without its kernel shows that text, and below it the report as it was last.
"""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

from IPython.core.magic import Magics, magics_class
from IPython.display import display

from pandas_magic.catalog.progress import watched_by
from pandas_magic.constraints.code.python_text import identifier
from pandas_magic.errors import UsageMistake
from pandas_magic.notebook.magic_lines import help_of, magic, option, parse_line
from pandas_magic.notebook.page.bridge import cell_id
from pandas_magic.notebook.page.live_parts import Answer
from pandas_magic.reporters.html import framed

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from pandas_magic.explore.report import Report
    from pandas_magic.explore.study import Study
    from pandas_magic.notebook.notebook_session import NotebookSession


@magics_class
class EdaMagics(Magics):
    """The explorer of one shell, over the workspace of the other magics."""

    def __init__(self, shell: InteractiveShell, session: NotebookSession) -> None:
        super().__init__(shell=shell)
        self._session = session
        self._studies: dict[str, Study] = {}  # of the panels, by their cells

    @magic(
        "line",
        option("table", nargs="?", help="a table, a DataFrame of the notebook, or a file"),
        option("--target", metavar="COLUMN", help="the column that is to be predicted"),
        option("--metric", default="automatic", help="the metric that the proposal names"),
        option("--run", action="store_true", help="explore at once and show the report, without the panel"),
        option("--yes", action="store_true", help="agree to explore more than 200 columns"),
        option("--max-columns", type=int, default=100, metavar="N", help="columns whose relations are explored"),
        option("--plots", type=int, default=10, metavar="N", help="at most so many pictures"),
        option("--missing-threshold", type=float, default=30, metavar="PCT", help="flag columns with more missing"),
        option("-o", "--output", metavar="NAME", help="bind the report to this name"),
    )
    def eda(self, line: str) -> Report | None:
        """Explore a table: types, target, relations, gaps, leaks, pictures, probes, and checks made of the findings."""
        options = parse_line(self.eda, line)
        if options.help:
            print(help_of(self.eda))
            return None
        if options.run or options.yes or not cell_id(self._shell):
            return self._report(options)
        self._show_panel(options)
        return None

    @property
    def _shell(self) -> InteractiveShell:
        return self._session.shell

    def _report(self, options: Namespace) -> Report:
        if not options.table:
            raise UsageMistake("%eda needs a table: %eda orders --target status")
        self._session.refuse_local_frames()
        from pandas_magic.explore.study import Study

        study = Study(self._session.workspace)
        try:
            with self._session.interruptible(), self._session.progress() as on_progress:
                report = study.explore(
                    options.table,
                    options.target,
                    metric=options.metric,
                    confirmed=options.yes,
                    inputs=_inputs(options),
                    on_progress=on_progress,
                )
        finally:
            study.close()
        if options.output:
            self._shell.user_ns[options.output] = report
        return report

    def _show_panel(self, options: Namespace) -> None:
        anchor = cell_id(self._shell)
        names = self._session.workspace.table_names()
        if options.table and options.table not in names:
            raise UsageMistake(
                f'no table "{options.table}" to choose in the panel; for a file: %eda {options.table} --run'
            )
        study = self._study_of(anchor)
        from pandas_magic.notebook.eda_panel import Panel  # while the study's process comes up

        with self._session.progress() as on_progress, watched_by(on_progress):
            panel = Panel(
                study,
                table=options.table,
                inputs=_inputs(options),
                target=_known(options, self._session),
                on_report=lambda report: self._keep(report, handle, options.output),
                on_check=lambda result: self._session.insert(result, after=anchor),
                on_kept=lambda name, frame: self._shell.user_ns.update({name: frame}),
                live_rows=lambda table: self._offer_rows(table, study, anchor),
            )
        self._place(panel.widget, f"eda-{anchor}")
        # What was found stays beside it.
        handle: Any = display({"text/plain": ""}, raw=True, display_id=True)  # IPython has no annotations
        if options.table:
            panel.explore()

    def _study_of(self, anchor: str) -> Study:
        """A new study for a cell, whose earlier one ends; its process comes up while the panel is made."""
        from pandas_magic.explore.study import Study, begin_explorer

        if (earlier := self._studies.pop(anchor, None)) is not None:
            earlier.stop()
            earlier.close()
        begin_explorer(self._session.workspace.settings)
        self._studies[anchor] = Study(self._session.workspace)
        return self._studies[anchor]

    def _place(self, widget: Any, key: str) -> None:  # noqa: ANN401 - ipywidgets carries no types
        from pandas_magic.notebook.widgets import show

        if self._session.page.is_watched():
            self._session.parts.put(key, PanelPart(widget.model_id))
            display(_asleep(key), raw=True)
        else:
            show(widget)

    def _offer_rows(self, table: str, study: Study, anchor: str) -> str:
        """The key by which the page asks for the rows of a table; "" where no page looks on, or they have no room."""
        from pandas_magic.notebook.page.rows_view import RowsView
        from pandas_magic.notebook.page.unpacking_rows import rows_of_files

        key = f"eda-rows-{anchor}-{table}"
        if not self._session.page.is_watched():
            return ""
        if study.has_room(table):
            frame = study.frame(table)
            select = partial(study.rows_where, table, frame)
            view = RowsView(frame, name=f"{table}_rows", select=select, variable=identifier(table))
            self._session.parts.put(key, view)
        elif (files := study.files_of(table)) is not None:
            self._session.parts.put(key, rows_of_files(files, partial(study.filter_where, table)))
        else:
            return ""
        return key

    def _keep(self, report: Report, handle: Any, name: str | None) -> None:  # noqa: ANN401 - IPython's DisplayHandle
        bundle = report._repr_mimebundle_()
        told = f"Report of {report.table}, run {report.run_id}, as it was saved"
        bundle["text/html"] = f'<div class="pm-eda-saved"><p>{escape(told)}</p>{bundle["text/html"]}</div>'
        handle.update(bundle, raw=True)
        self._shell.user_ns[name or "eda_report"] = report


@dataclass(frozen=True)
class PanelPart:
    """Tells the page which widget is the panel."""

    model_id: str

    def answer(self, asked: dict[str, Any]) -> Answer:
        """The widget's id."""
        return {"part": "panel", "model": self.model_id}, ()


def _asleep(key: str) -> dict[str, str]:
    told = "The panel of %eda works while its kernel runs: run this cell again to open it. Its last report is below."
    return {"text/html": framed(f"<p>{escape(told)}</p>", part=key), "text/plain": told}


def _inputs(options: Namespace) -> dict[str, Any]:
    return {
        "max_columns_to_explore": options.max_columns,
        "plot_limit": options.plots,
        "missing_threshold_pct": options.missing_threshold,
    }


def _known(options: Namespace, session: NotebookSession) -> str | None:
    """The target, which must be a column of the table."""
    if options.target and options.table:
        session.workspace.catalog.schema(options.table).kind(options.target)
        return str(options.target)
    return None

"""The panel of `%checks`: choose, look, run. It shows what the files hold; its one deed is to run what is chosen.

Runs are made in a thread and in a kernel of their own, so that the notebook stays usable.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from IPython.display import display

from pandas_magic.catalog.summaries import kept_summaries
from pandas_magic.checking.batch import Onlooker
from pandas_magic.errors import PandasMagicError, error_line
from pandas_magic.notebook.widgets import button, menu, pile, row, show, widgets
from pandas_magic.planner.model.exchanges import ExchangeLog
from pandas_magic.reporters.dashboard import pages
from pandas_magic.reporters.dashboard.board import Board, CheckFilter, CheckLine, board_of
from pandas_magic.reporters.dashboard.detail import detail_of
from pandas_magic.reporters.html import framed
from pandas_magic.reporters.value_text import counted

if TYPE_CHECKING:
    from pandas_magic.checking.result import Result
    from pandas_magic.notebook.notebook_session import NotebookSession
    from pandas_magic.registry.roster import Listed
    from pandas_magic.reporters.listing import Listing
    from pandas_magic.workspace import Workspace

_ANY = "any"
_FILTERS = (
    ("table", "Table"),
    ("tag", "Tag"),
    ("severity", "Severity"),
    ("owner", "Owner"),
    ("verdict", "Verdict"),
    ("freshness", "State"),
)
_DETAILS = ("outcome", "code", "past", "models")
_TITLES = ("Last run", "Code", "History", "Models")


class ChecksPanel:
    """The widgets over one workspace, of its own: it is closed with the panel. `on_results` hears of every run."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        shown_here: Callable[[str], Result | None] = lambda _: None,
        on_results: Callable[[list[Result]], None] = lambda _: None,
    ) -> None:
        self._workspace, self._shown_here, self._on_results = workspace, shown_here, on_results
        self._board, self._lines, self._page = Board(()), tuple[CheckLine, ...](), 0
        self._busy, self._stopping = threading.Lock(), threading.Event()
        self._make_widgets()
        self._wire()
        self.refresh()

    def _make_widgets(self) -> None:
        self.filters = {field: menu(text, [_ANY]) for field, text in _FILTERS}
        self.words = widgets.Text(placeholder="words in id, rule, table, tag, owner", layout={"width": "260px"})
        self.reload = button("Reload", "Read the files again", icon="refresh")
        self.run = button("Run", "Run the checks that are listed", button_style="primary", icon="play")
        self.stop = button("Stop", "End after the check that is running", icon="stop", disabled=True)
        self.bar = widgets.IntProgress(layout={"width": "180px"})
        self.message = widgets.HTML()
        self.back, self.forth = button("‹", "Earlier checks"), button("›", "Later checks")
        self.place = widgets.HTML()
        self.checks, self.runs, self.tables, self.models = (widgets.HTML() for _ in range(4))
        self.chosen = menu("Check", [])
        self.parts = {name: widgets.HTML() for name in _DETAILS}
        self.detail = widgets.Tab(list(self.parts.values()), titles=_TITLES)
        looked_over = pile([self.checks, row(self.back, self.place, self.forth), self.chosen, self.detail])
        self.tabs = widgets.Tab(
            [looked_over, self.runs, self.tables, self.models], titles=("Checks", "Runs", "Tables", "Models")
        )
        self.widget = pile(
            [
                row(*self.filters.values()),
                row(self.words, self.run, self.stop, self.reload, self.bar, self.message),
                self.tabs,
            ]
        )
        self.widget.add_class("pm-checks-panel")

    def _wire(self) -> None:
        for narrowed in (*self.filters.values(), self.words):
            narrowed.observe(lambda _: self._list(), "value")
        self.chosen.observe(lambda _: self._show_detail(), "value")
        self.tabs.observe(lambda _: self._show_tab(), "selected_index")
        self.back.on_click(lambda _: self._turn(-1))
        self.forth.on_click(lambda _: self._turn(1))
        self.reload.on_click(lambda _: self.refresh())
        self.run.on_click(lambda _: self._start())
        self.stop.on_click(lambda _: self._stopping.set())

    def refresh(self) -> None:
        """Read the files anew and show what they hold now, with the same choice."""
        try:
            self._board = board_of(self._workspace)
        except PandasMagicError as error:
            self._say(f"✗ {error}")
            return
        for field, chooser in self.filters.items():
            options = [_ANY, *self._board.options(field)]
            kept = chooser.value if chooser.value in options else _ANY
            chooser.options, chooser.value = options, kept
        self._list()
        self._show_tab()

    def _choice(self) -> CheckFilter:
        chosen = {field: chooser.value for field, chooser in self.filters.items() if chooser.value != _ANY}
        return CheckFilter(words=self.words.value, **chosen)

    def _list(self) -> None:
        self._lines, self._page = self._board.chosen(self._choice()), 0
        self.run.description = f"Run {counted(len(self._lines), 'check')}"
        self.run.disabled = not self._lines or self._busy.locked()
        self._show_page()

    def _turn(self, by: int) -> None:
        self._page = min(max(self._page + by, 0), (len(self._lines) - 1) // pages.PAGE_LINES)
        self._show_page()

    def _show_page(self) -> None:
        first = self._page * pages.PAGE_LINES
        shown = self._lines[first : first + pages.PAGE_LINES]
        self.checks.value = pages.checks_page(self._lines, page=self._page, of_all=len(self._board.lines))
        self.back.disabled = self._page == 0
        self.forth.disabled = first + pages.PAGE_LINES >= len(self._lines)
        self.place.value = f"{first + 1:,}–{first + len(shown):,}" if shown else ""
        before = self.chosen.value
        self.chosen.options = [(f"{line.check_id} {line.title}"[:100], line.check_id) for line in shown]
        # A menu that was empty chooses nothing by itself.
        ids = [line.check_id for line in shown]
        self.chosen.value = before if before in ids else next(iter(ids), None)
        self._show_detail()

    def _show_detail(self) -> None:
        check_id = self.chosen.value
        self.detail.layout.display = "" if check_id else "none"
        if not check_id:
            return
        try:
            detail = detail_of(self._workspace, check_id, self._shown_here(check_id))
        except PandasMagicError as error:
            self.parts["outcome"].value = framed(f"<p>✗ {escape(str(error))}</p>")
            return
        for name, part in self.parts.items():
            part.value = getattr(detail, name)

    def _show_tab(self) -> None:
        match self.tabs.selected_index:
            case 1:
                self.runs.value = pages.runs_page(self._workspace.journal.history.every_run())
            case 2:
                summaries = kept_summaries(self._workspace.journal.folder)
                self.tables.value = pages.tables_page(self._workspace.tables(), summaries)
            case 3:
                exchanges = list(ExchangeLog(self._workspace.journal.folder))
                said = f"{counted(len(exchanges), 'exchange')} with models"
                self.models.value = pages.exchanges_page(exchanges, said)

    def _start(self) -> None:
        if self._busy.acquire(blocking=False):
            self._stopping.clear()
            self.run.disabled, self.stop.disabled = True, False
            ids = [line.check_id for line in self._lines]
            threading.Thread(target=self._work, args=(ids,), daemon=True).start()

    def _work(self, ids: list[str]) -> None:
        results: list[Result] = []

        def finished(result: Result) -> None:
            results.append(result)
            self.bar.value = len(results)

        def begun(listed: Listed) -> None:
            self._say(f"{listed.id}, {len(results) + 1:,} of {len(ids):,} …")

        try:
            self.bar.max, self.bar.value = len(ids), 0
            watch = Onlooker(begun, finished, self._stopping)
            self._workspace.run_batch(self._workspace.chosen(ids), watch=watch)
            self._say(f"{counted(len(results), 'check')} run" + (", stopped" if len(results) < len(ids) else ""))
        except Exception as error:
            # The edge of this thread: whatever went wrong is said where the person looks.
            self._say(f"✗ {error_line(error)}")
        finally:
            self._busy.release()
            self.stop.disabled = True
            self._on_results(results)
            self.refresh()

    def _say(self, text: str) -> None:
        self.message.value = f'<span role="status">{escape(text)}</span>'


def show_panel(session: NotebookSession, listing: Listing) -> None:
    """Show the panel, and the list of checks beside it: a reopened or converted notebook has no widgets."""

    def keep(results: list[Result]) -> None:
        session.results |= {result.run.check_id: result for result in results}
        session.offer_rows(results)

    panel = ChecksPanel(session.workspace_beside(), shown_here=session.results.get, on_results=keep)
    show(panel.widget)
    bundle, metadata = listing._repr_mimebundle_()
    bundle["text/html"] = f"<details><summary>{escape(listing.summary)}</summary>{bundle['text/html']}</details>"
    display(bundle, metadata=metadata, raw=True)

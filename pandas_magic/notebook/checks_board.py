"""The dashboard of `%checks`: a static list of checks, which a page that looks on makes sortable and clickable.

The page keeps what is chosen and asks for what it shows: a page of lines, one check in depth, what ran. Checks run in
a thread and in a kernel of their own, so that the notebook stays usable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING, Any

from pandas_magic.catalog.summaries import kept_summaries
from pandas_magic.checking.result import kept_result
from pandas_magic.errors import PandasMagicError, UsageMistake
from pandas_magic.notebook.board_actions import ACTIONS, EXPORTS, Deed
from pandas_magic.notebook.board_runs import BoardRuns
from pandas_magic.planner.model.exchanges import ExchangeLog
from pandas_magic.registry.approval import standing
from pandas_magic.reporters.dashboard import pages
from pandas_magic.reporters.dashboard.board import Board, CheckFilter, CheckLine, board_of
from pandas_magic.reporters.dashboard.detail import detail_of
from pandas_magic.reporters.value_text import counted

if TYPE_CHECKING:
    from pandas_magic.checking.result import Result
    from pandas_magic.notebook.notebook_session import NotebookSession
    from pandas_magic.notebook.page.live_parts import Answer
    from pandas_magic.reporters.bundle import Bundle

# One key for all that `%checks` ever showed: what it stands for is the workspace, not one output.
KEY = "board"
_MOST_COMPARED = 100  # other checks whose failing rows are read from disk; a grid is not to wait for more
_FILTERS = ("table", "tag", "severity", "owner", "verdict", "state")


class ChecksBoard:
    """Answers the page's questions about the checks of one notebook's workspace."""

    def __init__(self, session: NotebookSession) -> None:
        self._session = session
        self.board = Board(())
        self._undo: Deed | None = None
        self._begin()

    def answer(self, asked: dict[str, Any]) -> Answer:
        """What the page asked for: "open", "list", "detail", "view", "run", "stop", "progress", "do" or "undo".

        Raises: PandasMagicError when it cannot be done.
        """
        self._follow(asked)
        match asked.get("ask"):
            case "open":
                filters = {field: self.board.options(field) for field in _FILTERS}
                return {"part": "board", "filters": filters, "exports": list(EXPORTS), **self._page(asked)}, ()
            case "list":
                self.board = self._read() if asked.get("anew") else self.board
                return self._page(asked), ()
            case "detail":
                return self._detail(str(asked["check"])), ()
            case "view":
                return {"html": self._view(str(asked["view"]))}, ()
            case "run":
                self._runs.start(self._meant(asked))
                return self._runs.progress(), ()
            case "stop" | "progress" as what:
                if what == "stop":
                    self._runs.stop()
                return self._runs.progress(), ()
            case "do" | "undo" as what:
                return self._do(asked) if what == "do" else self._take_back()
            case other:
                raise UsageMistake(f'the list of checks has no answer to "{other}"')

    def bundle(self) -> Bundle:
        """What the notebook's file keeps of it."""
        lines = self.board.lines
        listing = pages.checks_listing(lines, at_most=pages.STATIC_LINES)
        data, metadata = listing._repr_mimebundle_()
        return {**data, "text/html": pages.static_board(lines, part=KEY)}, metadata

    def _follow(self, asked: Mapping[str, Any]) -> None:
        """Go where the notebook went. A list of one folder must not decide about checks of another."""
        if not self._session.has_left(self._workspace):
            return
        self._begin()
        if asked.get("ask") in ("do", "undo", "run"):
            raise UsageMistake("the notebook's folder or settings changed; press Reload, and look before you decide")

    def _begin(self) -> None:
        self._workspace = self._session.workspace_beside()
        self._runs = BoardRuns(self._workspace, self._keep)
        self._undo = None
        self.board = self._read()

    def _read(self) -> Board:
        return board_of(self._workspace, self._session.edited)

    def _chosen(self, asked: Mapping[str, Any]) -> tuple[CheckLine, ...]:
        said = asked.get("choice") or {}
        choice = CheckFilter(**{name: str(said.get(name) or "") for name in (*_FILTERS, "words")})
        return self.board.chosen(choice, by=str(said.get("by") or ""), descending=bool(said.get("descending")))

    def _page(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        lines = self._chosen(asked)
        last = max(0, (len(lines) - 1) // pages.PAGE_LINES)
        page = min(max(0, int(asked.get("page") or 0)), last)
        shown = lines[page * pages.PAGE_LINES : (page + 1) * pages.PAGE_LINES]
        said = pages.summed_up(lines, len(self.board.lines))
        place = f"{page * pages.PAGE_LINES + 1:,}–{page * pages.PAGE_LINES + len(shown):,}" if last else ""
        proposed = sum("proposed" in line.states for line in lines)
        facts = {"said": said, "chosen": len(lines), "proposed": proposed, "page": page, "last": last, "place": place}
        return {"html": pages.checks_table(shown), **facts}

    def _meant(self, asked: Mapping[str, Any]) -> list[str]:
        """The one check that is meant, or all that are listed."""
        return [str(asked["check"])] if asked.get("check") else [line.check_id for line in self._chosen(asked)]

    def _detail(self, check_id: str) -> dict[str, Any]:
        try:
            detail = detail_of(self._workspace, check_id, self._session.results.get(check_id))
        except PandasMagicError as error:
            remarks = {line.check_id: line.remark for line in self.board.lines}
            said = remarks.get(check_id) or str(error)
            return {"html": f"<p>✗ {escape(said)}</p>", "proposed": False, "snoozed": False, "key": []}
        if detail.result is not None:
            self._session.offer_rows([detail.result], lambda: self._failing_elsewhere(detail.result))
        compiled = self._workspace.registry.get(check_id)
        key = list(detail.result.run.key) if detail.result else []
        facts = {"proposed": standing(compiled) == "proposed", "snoozed": compiled.snooze is not None, "key": key}
        return {"html": detail.page(), **facts}

    def _failing_elsewhere(self, result: Result | None) -> Iterator[Result]:
        """The last runs, without rows, of other checks of the table that failed and did not run in this notebook."""
        table = result.compiled.target if result and result.compiled else ""
        failed = [line.check_id for line in self.board.lines if line.violations and table in line.tables]
        workspace = self._workspace
        for check_id in [one for one in failed if one not in self._session.results][:_MOST_COMPARED]:
            with suppress(PandasMagicError):  # its rows cannot be said to be those of today
                yield kept_result(workspace.registry, workspace.journal, workspace.catalog, check_id, with_rows=False)

    def _view(self, view: str) -> str:
        folder = self._workspace.journal.folder
        match view:
            case "Runs":
                return pages.runs_page(self._workspace.journal.history.every_run())
            case "Tables":
                return pages.tables_page(self._workspace.tables(), kept_summaries(folder))
            case _:
                exchanges = list(ExchangeLog(folder))
                return pages.exchanges_page(exchanges, f"{counted(len(exchanges), 'exchange')} with models")

    def _do(self, asked: Mapping[str, Any]) -> Answer:
        fields = {str(name): str(text) for name, text in (asked.get("fields") or {}).items()}
        done = ACTIONS[str(asked["action"])](self._session, self._meant(asked), fields)
        return self._told(done)

    def _take_back(self) -> Answer:
        if self._undo is None or self._undo.undo is None:
            raise UsageMistake("there is nothing to take back")
        done, self._undo = self._undo, None
        assert done.undo is not None
        return self._told(Deed(done.undo()))

    def _told(self, done: Deed) -> Answer:
        self._undo = done if done.undo else None
        self.board = self._read()
        answer = {"told": done.said, "undo": done.undo is not None}
        if done.file is None:
            return answer, ()
        name, text = done.file
        return {**answer, "file": name}, (text.encode(),)

    def _keep(self, results: Sequence[Result]) -> None:
        """Let the notebook know what ran here, as if a cell had run it."""
        self._session.results |= {result.run.check_id: result for result in results}
        self.board = self._read()

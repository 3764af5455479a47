"""The magics `%%plan` and `%plan`: a request in words, answered by checked code, and the session that it is part of."""

from __future__ import annotations

import uuid
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from IPython.core.magic import Magics, magics_class
from IPython.display import display

from pandas_magic.errors import PandasMagicError, UsageMistake
from pandas_magic.notebook.magic_lines import comma_separated, help_of, magic, option, parse_line
from pandas_magic.notebook.page.bridge import cell_id
from pandas_magic.notebook.saved_cell import TAG, text_mark
from pandas_magic.plans.answer_output import answer_bundle, picture_bundles, rows_key
from pandas_magic.reporters.listing import Listing
from pandas_magic.reporters.live import live

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from pandas_magic.notebook.notebook_session import NotebookSession
    from pandas_magic.planner.model.exchanges import ExchangeLog
    from pandas_magic.plans.plan_records import PlanResult
    from pandas_magic.plans.sessions import Sessions

_SHOWN_EXCHANGES = 20


class PlanFailed(PandasMagicError):
    """A request that could not be answered; what was tried is shown above it."""

    code = "PM105"


@magics_class
class PlanMagics(Magics):
    """The planning magics of one shell, over the workspace of its notebook."""

    def __init__(self, shell: InteractiveShell, session: NotebookSession) -> None:
        super().__init__(shell=shell)
        self.session = session
        self._sessions: Sessions | None = None

    @magic(
        "line_cell",
        option(
            "--files", "--tables", dest="files", metavar="A,B", help="the tables to use; without them, they are chosen"
        ),
        option("--group", default="", metavar="TEXT", help="choose only among tables with this text in their name"),
        option("--max-files", type=int, metavar="N", help="choose at most so many tables"),
        option("--no-run", action="store_true", help="stop before the code runs; its cell is inserted"),
        option("--steps", action="store_true", help="write the code in steps, each in a cell of its own"),
        option("--model", default="", metavar="NAME", help="ask this model"),
        option("--budget", default="", metavar="LIMIT", help="20000 (tokens), $0.05 or 60s; several with commas"),
        option("--tell", choices=("schema", "stats", "samples"), help="what the model is told of the data"),
        option("--fresh", action="store_true", help="ask again, though the same was answered before"),
        option("-o", "--output", default="", metavar="NAME", help="bring the resulting frame into the notebook"),
        option("--new", action="store_true", help="begin a new session: what was asked before is not told"),
        option("--list", action="store_true", help="list the sessions"),
        option("--resume", metavar="ID", help="go on with an earlier session"),
        option("--log", action="store_true", help="list what was asked of the model, what it answered and cost"),
    )
    def plan(self, line: str, cell: str | None = None) -> Listing | None:
        """Answer a request in words: tables are chosen, a plan is made, code is written, checked and run confined."""
        options = parse_line(self.plan, line)
        if options.help:
            print(help_of(self.plan))
            return None
        with self.session.interruptible():
            if options.new:
                self.sessions.begin()
            if options.resume:
                self.sessions.resume(options.resume)
            if cell is None:
                return self._tell(options)
            result = self._work_out(options, cell)
        self._give(result, options.output)
        return None

    @property
    def sessions(self) -> Sessions:
        """The sessions of the notebook's workspace."""
        from pandas_magic.plans.planning import sessions_of

        if self._sessions is None:
            self._sessions = sessions_of(self.session.workspace)
        return self._sessions

    def close(self) -> None:
        """Let others resume the session that was open here."""
        if self._sessions is not None:
            self._sessions.close()

    def _work_out(self, options: Namespace, cell: str) -> PlanResult:
        from pandas_magic.plans.plan_records import PlanRequest
        from pandas_magic.plans.planning import Terms, work_out

        asked = PlanRequest(
            request=cell.strip(),
            tables=comma_separated(options.files),
            group=options.group,
            max_files=options.max_files,
            run=not options.no_run,
            in_steps=options.steps,
            fresh=options.fresh,
            cell=cell_id(self.session.shell),
        )
        if options.output and not options.output.isidentifier():
            raise UsageMistake(f'-o takes a name, and "{options.output}" is none')
        self.session.refuse_local_frames()
        terms = Terms(model=options.model, budget=options.budget, disclosure=options.tell)
        with live(watched=bool(asked.cell)) as watcher:
            return work_out(
                self.session.workspace, self.sessions, asked, watcher=watcher, output=options.output, terms=terms
            )

    def _give(self, result: PlanResult, output: str) -> None:
        from pandas_magic.notebook.page.rows_view import RowsView

        data, metadata = answer_bundle(result)
        if result.ran.frame is not None:
            self.session.parts.put(rows_key(result), RowsView(result.ran.frame, name="plan_rows", rounded=True))
        display(data, raw=True, metadata=metadata)  # IPython's display has no types
        for picture in picture_bundles(result):
            display(picture, raw=True)  # as above
        if not result.success:
            raise PlanFailed(f"{result.error}; say it in other words, or ask anew with --fresh")
        if output and result.result is not None:
            self.session.shell.user_ns[output] = result.result
        self.session.inserter.insert_cells(saved_cells(result))

    def _tell(self, options: Namespace) -> Listing:
        if options.log:
            return exchanges_listing(self.session)
        if options.list or not (options.new or options.resume):
            return self._sessions_listing()
        current = self.sessions.current
        told = len(current.turns)
        return Listing(f"session {current.id}: {told} earlier request{'' if told == 1 else 's'}", (), ())

    def _sessions_listing(self) -> Listing:
        rows = tuple(
            (one.id, str(len(one.turns)), one.turns[-1].request if one.turns else "") for one in self.sessions.listed()
        )
        summary = f"{len(rows)} session{'' if len(rows) == 1 else 's'}; this notebook: {self.sessions.current.id}"
        return Listing(summary, ("session", "requests", "the last one"), rows, frozenset({"requests"}))


def saved_cells(result: PlanResult) -> list[dict[str, Any]]:
    """The plan's cells as the page inserts them; a later run of the same request replaces them."""
    from pandas_magic.plans.cells import cell_keys

    keys = cell_keys(result.request, result.cells)
    return [
        {
            "check": key,
            "id": uuid.uuid4().hex[:8],
            "source": source,
            "metadata": {"tags": [TAG], "pandas_magic": {"check": key, "text": text_mark(source)}},
        }
        for key, source in zip(keys, result.cells, strict=True)
    ]


def exchanges_listing(session: NotebookSession) -> Listing:
    """The last exchanges with models in this workspace, and what all of them cost."""
    from pandas_magic.planner.model.exchanges import ExchangeLog

    log = ExchangeLog(session.workspace.journal.folder)
    exchanges = list(log)
    rows = tuple(
        (
            exchange.at,
            exchange.about,
            exchange.purpose,
            exchange.model,
            exchange.outcome,
            f"{exchange.sent_tokens + exchange.received_tokens:,}",
            exchange.disclosure,
            exchange.error or " ".join(exchange.answer.split())[:60],
        )
        for exchange in exchanges[-_SHOWN_EXCHANGES:]
    )
    header = ("at", "about", "purpose", "model", "outcome", "tokens", "told", "answer")
    return Listing(cost_line(log), header, rows, frozenset({"tokens"}))


def cost_line(log: ExchangeLog) -> str:
    """Spent, and saved by answering from the log, in one line."""
    from pandas_magic.planner.model.exchanges import totals

    sums = totals(log)
    money = f"{sums.usd:.4f} USD" if sums.usd or not sums.unpriced else "price not known"
    return (
        f"{sums.requests} requests ({sums.failed} failed), {sums.tokens:,} tokens, {money}, {sums.seconds:.0f} s; "
        f"saved by recorded answers: {sums.saved_requests} requests, {sums.saved_tokens:,} tokens"
    )

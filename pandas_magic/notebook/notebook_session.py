"""One notebook's use of one workspace: what ran here, what is shown, what is inserted, what happens on Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from IPython.display import display

from kernel_sandbox import SandboxError
from pandas_magic.errors import CheckFailed, CodeRefused, NotProved, PandasMagicError
from pandas_magic.history.run import Verdict
from pandas_magic.history.text_difference import difference
from pandas_magic.notebook.gravest import Gravest
from pandas_magic.notebook.local_frames import refuse_local_frames
from pandas_magic.notebook.page.bridge import PageBridge, cell_id
from pandas_magic.notebook.page.insertion import Inserter
from pandas_magic.notebook.page.live_parts import LiveParts
from pandas_magic.notebook.questions import Questions, RulesNotChecked
from pandas_magic.notebook.saved_cell import parse_body
from pandas_magic.notebook.unshown import Unshown
from pandas_magic.reporters.bundle import Results
from pandas_magic.reporters.card import columns_read, rows_key
from pandas_magic.reporters.listing import Listing
from pandas_magic.reporters.progress_line import progress
from pandas_magic.settings import said_by_environment

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from pandas_magic.checking.result import Result
    from pandas_magic.notebook.page.row_corrections import PatchTrials
    from pandas_magic.registry.check_request import CheckRequest
    from pandas_magic.workspace import Workspace
    from pandas_magic.workspace.running import Asked

Problem = PandasMagicError | SandboxError
OpenWorkspace = Callable[[Mapping[str, object]], "Workspace"]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C or the stop button, as one line; a KeyboardInterrupt still, so that Run All stops."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


class NotebookSession:
    """What the magics of one shell share: the workspace, opened on first use, and the results so far."""

    def __init__(self, shell: InteractiveShell, open_workspace: OpenWorkspace) -> None:
        self.shell = shell
        self.page = PageBridge(shell)
        self.inserter = Inserter(shell, self.page)
        self.parts = LiveParts(self.page)
        self.questions = Questions(shell, self.parts)
        self.unshown, self.gravest = Unshown(), Gravest()
        self.results: dict[str, Result] = {}  # the last of each check that ran in this notebook
        self.edited: dict[str, Result] = {}  # of checks whose cell ran with edited code, the last such run
        self.suggested: tuple[str, ...] = ()  # the rules offered last, in their order
        self._open = open_workspace
        self._workspace: Workspace | None = None
        self._environment: dict[str, str] = {}  # as it was when the workspace was opened
        self._beside: list[Workspace] = []
        self._for_trials: Workspace | None = None
        self._trials: PatchTrials | None = None

    @property
    def workspace(self) -> Workspace:
        """The workspace of the folder that the notebook runs in, under the environment as it is now."""
        said = said_by_environment()
        if self._workspace is not None and said != self._environment:
            self.leave_workspace()
        if self._workspace is None:
            self._workspace, self._environment = self._open(self.shell.user_ns), said
        return self._workspace

    def workspace_beside(self) -> Workspace:
        """Another workspace over the same files and DataFrames, whose kernel runs beside that of the cells."""
        self._beside.append(self._open(self.shell.user_ns))
        return self._beside[-1]

    @property
    def trials(self) -> PatchTrials:
        """What tries corrections here, in a kernel of its own."""
        from pandas_magic.notebook.page.row_corrections import PatchTrials

        def beside() -> Workspace:
            if self._for_trials is None or self.has_left(self._for_trials):
                self._for_trials = self.workspace_beside()
            return self._for_trials

        self._trials = self._trials or PatchTrials(beside)
        return self._trials

    def has_left(self, workspace: Workspace) -> bool:
        """Whether a workspace given by `workspace_beside` belongs to another folder or to other settings by now."""
        assert self.workspace  # it notices what changed
        return all(one is not workspace for one in self._beside)

    def close(self) -> None:
        """End the confined kernels and take the page's side of us away."""
        self.page.close()
        self.leave_workspace()

    def leave_workspace(self) -> None:
        """End the confined kernels; the next use opens the workspace anew."""
        while self._beside:
            self._beside.pop().close()
        if self._workspace is not None:
            self._workspace.close()
            self._workspace = None

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Ctrl-C inside ends the confined kernel and is answered in one line."""
        try:
            yield
        except KeyboardInterrupt:
            if self._workspace is not None:
                # It may be in the middle of anything, and is not interrupted with the notebook's kernel.
                self._workspace.close()
            raise Interrupted("stopped. What was finished is kept, the rest was not saved; run it again") from None

    def refuse_local_frames(self) -> None:
        """Raises: UsageMistake when a function asks that has a frame of its own by the name of a table."""
        refuse_local_frames(self.shell.user_ns, lambda: self.workspace.table_names())

    def progress(self) -> AbstractContextManager[Callable[[str], None]]:
        """A place to report progress to, where a page or a terminal looks on."""
        return progress(watched=bool(cell_id(self.shell)))

    def check(self, requests: Sequence[CheckRequest], *, explain: bool = False) -> tuple[list[Result], Problem | None]:
        """Check every rule; what went wrong with one does not keep the others from running.

        Where a page looks on, what a person has to decide is a card and no error, so that the cells below still run.
        """
        results: list[Result] = []
        errors: dict[int, Problem] = {}
        matters = [self.questions.begin(request) for request in requests]
        self.refuse_local_frames()
        with self.progress() as on_progress:
            for number, (request, matter) in enumerate(zip(requests, matters, strict=True), 1):
                try:
                    results.append(self.workspace.check(request, on_progress=on_progress))
                    self.questions.settle(matter)
                except (PandasMagicError, SandboxError) as error:
                    errors[number], matter.why = error, str(error)
        # Once the line of progress is gone, which would take them with it.
        asked = [n for n, e in errors.items() if self.questions.show(requests[n - 1], e, as_card=self._shows_cards)]
        errors = {number: error for number, error in errors.items() if number not in asked}
        if explain:
            for result in results:
                display(_explanation(result))
        if len(requests) == 1:
            return results, errors.get(1)
        return results, RulesNotChecked([request.rule for request in requests], errors) if errors else None

    def run_saved(
        self, ids: Sequence[str], body: str, *, accept: bool = False, allow_edited: bool = False
    ) -> list[Result]:
        """Run saved checks; one check may come with the code of its cell, which `accept` makes the check's own.

        With `allow_edited` code that is not the check's gives a verdict, which says so. Code that is not proved is a
        card where a page looks on, and nothing runs.
        """
        cell = parse_body(body)
        code = cell.code if cell.code.strip() else None
        matter = self.questions.begin(f"%check --run {','.join(ids)}")
        self.refuse_local_frames()
        try:
            with self.progress() as on_progress:
                how: Asked = {"code": code, "line": cell.line, "allow_edited": allow_edited, "on_progress": on_progress}
                if accept and code is not None:
                    on_progress("proving the edited code")
                    self._accept(ids[0], code, cell.line)
                results = [self.workspace.run_saved(check_id, **how) for check_id in ids]
        except CodeRefused as refusal:
            raise refusal.below(cell.line - 1) from None
        except NotProved as error:
            if not self._shows_cards:
                raise
            matter.why = str(error)
            self.questions.show_unproved(error, self.workspace.registry.get(ids[0]).check.rule, is_edit=True)
            return []
        self.questions.settle(matter)
        for result in results:
            if result.run.edited:
                self.edited[result.run.check_id] = result
            elif code is not None:
                self.edited.pop(result.run.check_id, None)
        return results

    @property
    def _shows_cards(self) -> bool:
        return bool(cell_id(self.shell)) and self.workspace.settings.on_fail != "raise"

    def give(
        self,
        results: Sequence[Result],
        error: Problem | None = None,
        *,
        output: str | None = None,
    ) -> Result | Results | None:
        """Insert the cells of what was compiled, and hand the results to the notebook.

        What the cell does not show of them is shown when it ends.

        Raises: the error when there was one; CheckFailed when a check failed and `on_fail` is "raise". What did run is
        shown before.
        """
        results = [self._named_beside(result, results) for result in results]
        self.results |= {result.run.check_id: result for result in results if not result.run.edited}
        self.offer_rows(results)
        self.unshown.add(results)
        self.gravest.take(results, self.questions.turn)
        given = results[0] if len(results) == 1 else Results(results) if results else None
        if output and given is not None:
            self.shell.user_ns[output] = given
        remark = self.inserter.insert(
            [result.compiled for result in results if result.compiled_now and result.compiled]
        )
        if remark:
            print(remark)
        raised = error or self._failure(results)
        if raised is None:
            return given
        self.unshown.show()
        raise raised

    def _named_beside(self, result: Result, together: Sequence[Result]) -> Result:
        """The result with the checks that fail on its rows, of its output and of those that first ran before it.

        Later ones are left out, so that a notebook that is run twice shows the same.
        """
        before = takewhile(lambda check_id: check_id != result.run.check_id, self.results)
        here = {one.run.check_id: one for one in together}
        others = [self.results[check_id] for check_id in before if check_id not in here]
        return replace(result, beside=tuple(_beside(result, [*others, *here.values()])))

    def offer_rows(self, results: Sequence[Result], others: Callable[[], Iterable[Result]] = tuple) -> None:
        """Have the page show all failing rows of these results, in the place of the few of their cards.

        Which other checks fail on the same rows is said of those that ran here, and of `others`.
        """
        from pandas_magic.notebook.page.row_corrections import RowCorrections
        from pandas_magic.notebook.page.rows_view import RowsView

        for result in results:
            if key := rows_key(result):
                beside = partial(_beside, result, self.results.values(), others)
                name = f"{result.run.check_id}_rows"
                corrections = RowCorrections.of(lambda: self.workspace, result, self.trials)
                view = RowsView(result.violations, columns_read(result), name, beside, corrections=corrections)
                self.parts.put(key, view)

    def insert(self, result: Result, *, after: str) -> None:
        """Insert the cell of a check that was made outside any cell, below the cell whose id is given."""
        self.results[result.run.check_id] = result
        self.offer_rows([result])
        if result.compiled_now and result.compiled:
            self.inserter.insert([result.compiled], after=after)

    def _accept(self, check_id: str, code: str, line: int) -> None:
        before = self.workspace.registry.get(check_id)
        accepted = self.workspace.accept(check_id, code, line=line)
        proved = accepted.proof.in_words() if accepted.proof else "not proved"
        changed = difference(before.code, accepted.code, names=(f"{check_id} before", f"{check_id} accepted"))
        print(changed or f"{check_id}: this is its code already", f"proved: {proved}", sep="\n")

    def _failure(self, results: Sequence[Result]) -> CheckFailed | None:
        bad = [result.run.summary for result in results if result.run.verdict in (Verdict.FAIL, Verdict.ERROR)]
        if not bad or self.workspace.settings.on_fail != "raise":
            return None
        ids = [result.run.check_id for result in results if result.run.verdict in (Verdict.FAIL, Verdict.ERROR)]
        return CheckFailed("; ".join(f"{check_id}: {summary}" for check_id, summary in zip(ids, bad, strict=True)))


def _beside(result: Result, here: Iterable[Result], others: Callable[[], Iterable[Result]] = tuple) -> list[str]:
    from pandas_magic.notebook.page.shared_rows import failing_beside

    return failing_beside(result, [*others(), *here])


def open_here(namespace: Mapping[str, object]) -> Workspace:
    """The workspace of the current folder, with the DataFrames of `namespace` among its tables."""
    from pandas_magic.workspace import Workspace

    return Workspace.open(namespace=namespace)


def _explanation(result: Result) -> Listing:
    check_id = result.run.check_id
    if not result.explanation:
        return Listing(f"{check_id} was compiled before; its parts are explained when it is compiled.", (), ())
    return Listing(f"How {check_id} was understood", ("in the rule", "understood as"), result.explanation)

"""Checks that the dashboard runs, in a thread: one batch at a time, to be watched and stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pandas_magic.checking.batch import Onlooker
from pandas_magic.errors import UsageMistake, error_line
from pandas_magic.reporters.value_text import counted

if TYPE_CHECKING:
    from pandas_magic.checking.result import Result
    from pandas_magic.registry.roster import Listed
    from pandas_magic.workspace import Workspace


class BoardRuns:
    """Runs checks of a workspace that nothing else runs in. `on_results` hears what came of a batch."""

    def __init__(self, workspace: Workspace, on_results: Callable[[list[Result]], None]) -> None:
        self._workspace, self._on_results = workspace, on_results
        self._busy, self._stopping = threading.Lock(), threading.Event()
        self._said, self._done, self._of = "", 0, 0

    def start(self, ids: Sequence[str]) -> None:
        """Begin to run these checks. Raises: UsageMistake while others run, and when there are none."""
        if not ids:
            raise UsageMistake("no check is listed, so there is nothing to run")
        if not self._busy.acquire(blocking=False):
            raise UsageMistake("checks are running; stop them, or wait")
        self._stopping.clear()
        self._said, self._done, self._of = "…", 0, len(ids)
        threading.Thread(target=self._work, args=(ids,), daemon=True).start()

    def stop(self) -> None:
        """End after the check that is running."""
        self._stopping.set()

    def progress(self) -> dict[str, Any]:
        """How far it is, for the page."""
        return {"running": self._busy.locked(), "told": self._said, "done": self._done, "of": self._of}

    def _work(self, ids: Sequence[str]) -> None:
        results: list[Result] = []

        def finished(result: Result) -> None:
            results.append(result)
            self._done = len(results)

        def begun(listed: Listed) -> None:
            self._said = f"{listed.id}, {len(results) + 1:,} of {len(ids):,} …"

        try:
            watch = Onlooker(begun, finished, self._stopping)
            self._workspace.run_batch(self._workspace.chosen(ids), watch=watch)
            said = f"{counted(len(results), 'check')} run" + (", stopped" if len(results) < len(ids) else "")
        except Exception as error:
            # The edge of this thread: whatever went wrong is said where the person looks.
            said = f"✗ {error_line(error)}"
        try:
            self._on_results(results)
        finally:
            self._said = said
            self._busy.release()

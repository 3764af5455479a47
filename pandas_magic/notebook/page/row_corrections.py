"""What a grid of failing rows needs to correct a value: the patch as it is, a field for a value, and a trial of it all.

A trial runs in a thread and in a kernel of its own, so that the notebook stays usable; the page asks how far it is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pandas_magic.corrections.correction import Correction, said
from pandas_magic.corrections.typed_values import own_column, shown_for_typing
from pandas_magic.errors import UsageMistake, error_line
from pandas_magic.workspace.trying import Trial, correct, patch_of, try_corrections

if TYPE_CHECKING:
    from pandas_magic.checking.result import Result
    from pandas_magic.workspace import Workspace

Made = Mapping[tuple[int, str], Correction]  # by the row's place among those of the grid, and the column


class PatchTrials:
    """Tries the corrections of a notebook's workspace, one time after another. `beside` gives the workspace for it."""

    def __init__(self, beside: Callable[[], Workspace]) -> None:
        self._beside, self._busy = beside, threading.Lock()
        self._answer: dict[str, Any] = {}

    def begin(self, corrections: Sequence[Correction]) -> None:
        """Start a trial. Raises: UsageMistake while one is under way, and when nothing is corrected."""
        if not corrections:
            raise UsageMistake("nothing is corrected, so there is nothing to try")
        workspace = self._beside()  # before anything waits for it: it may not open
        if not self._busy.acquire(blocking=False):
            raise UsageMistake("corrections are being tried; wait for what comes of it")
        threading.Thread(target=self._work, args=(workspace, corrections), daemon=True).start()

    def progress(self) -> dict[str, Any]:
        """Whether one is under way, and what came of the last."""
        return {"trying": True} if self._busy.locked() else {"trying": False, **self._answer}

    def _work(self, workspace: Workspace, corrections: Sequence[Correction]) -> None:
        try:
            self._answer = trial_answer(try_corrections(workspace, corrections))
        except Exception as error:
            # The edge of this thread: whatever went wrong is said where the person looks.
            self._answer = {"error": error_line(error)}
        finally:
            self._busy.release()


class RowCorrections:
    """Corrections of the failing rows of one result, for the grid that shows them."""

    def __init__(self, workspace: Callable[[], Workspace], result: Result, trials: PatchTrials) -> None:
        assert result.compiled is not None
        self._workspace, self._trials = workspace, trials
        self.table, self._rows, self._positions = result.compiled.target, result.violations, result.run.positions or ()
        self._at = {position: at for at, position in enumerate(self._positions)}

    @classmethod
    def of(cls, workspace: Callable[[], Workspace], result: Result, trials: PatchTrials) -> RowCorrections | None:
        """None where the failing rows are no rows of a table whose places are known."""
        known = result.run.positions
        is_of_rows = result.compiled is not None and known and len(known) == len(result.violations)
        return cls(workspace, result, trials) if is_of_rows else None

    def made(self) -> Made:
        """What is corrected in these rows."""
        here = [one for one in patch_of(self._workspace()).read() if one.table == self.table]
        return {(self._at[one.position], one.column): one for one in here if one.position in self._at}

    def for_typing(self, at: int, column: str) -> str:
        """The value as it stands in the field in which it is corrected: the corrected one where there is one."""
        corrected = self.made().get((at, column))
        if corrected is not None:
            return shown_for_typing(corrected.new)
        return shown_for_typing(own_column(self.table, self._rows, column).iloc[at])

    def correct(self, at: int, column: str, text: str) -> None:
        """Keep what was typed. Raises: UsageMistake in one line when that cannot be."""
        correct(
            self._workspace(), self.table, self._rows, at=at, position=self._positions[at], column=column, text=text
        )

    def listed(self) -> dict[str, Any]:
        """All corrections of the workspace with their number, as the page lists them."""
        patch = patch_of(self._workspace())
        base = self._workspace().base_dir
        return {
            "patch": str(patch.path.relative_to(base)),
            "corrections": [{"number": n, "said": one.in_words()} for n, one in enumerate(patch.read(), 1)],
        }

    def undo(self, number: int, words: str) -> None:
        """Take a correction back that is still the one that the page listed. Raises: UsageMistake."""
        patch = patch_of(self._workspace())
        made = patch.read()
        if not 1 <= number <= len(made) or made[number - 1].in_words() != words:
            raise UsageMistake("the corrections changed meanwhile; they are listed anew")
        patch.take_back(number)

    def begin_trial(self) -> None:
        """Try all corrections. Raises: UsageMistake."""
        self._trials.begin(patch_of(self._workspace()).read())

    def tried(self) -> dict[str, Any]:
        """How far the trial is, and what came of it."""
        return self._trials.progress()


def overlaid(text: str | None, corrected: Correction | None) -> Any:  # noqa: ANN401 - JSON for the page
    """A value's text for the page; of a corrected one its new text and what it was."""
    return text if corrected is None else {"now": said(corrected.new), "was": said(corrected.old)}


def trial_answer(trial: Trial) -> dict[str, Any]:
    """What came of a trial, for the page."""
    return {"told": trial.in_words(), "left_out": list(trial.left_out), "tried": [list(one.row) for one in trial.tried]}

"""What a gate judges of a check that one cell ran several times: a loop may pass in its last turn only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pandas_magic.reporters.bundle import worst

if TYPE_CHECKING:
    from pandas_magic.checking.result import Result
    from pandas_magic.history.run import Run


class Gravest:
    """The gravest result of each check among those of the last cell that ran it; when that runs again, begun anew."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, bool], tuple[object, Run, Result]] = {}

    def take(self, results: Iterable[Result], turn: object) -> None:
        """Note what a cell came to; `turn` names the one time that it ran."""
        for result in results:
            key = result.run.check_id, result.run.edited
            before = self._known.get(key)
            graver = before is not None and before[0] == turn and worst([before[2], result]) != result.run.verdict
            self._known[key] = turn, result.run, before[2] if before and graver else result

    def among(self, last: Result) -> Result:
        """The gravest of the cell whose last result of a check this is; itself, where no cell came to it."""
        known = self._known.get((last.run.check_id, last.run.edited))
        return known[2] if known and known[1] is last.run else last

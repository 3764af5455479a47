"""The confined explorers in which repairs are tried: with other sources, on the person's table or on one of ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pandas_magic.explore.unfinished import Stopped

if TYPE_CHECKING:
    import pandas as pd

    from pandas_magic.explore.delivery import ConfinedExplorer

# An explorer of this frame, of the person's table where it is None, with these sources.
Make = Callable[["pd.DataFrame | None", Mapping[str, str]], "ConfinedExplorer"]


class Trials:
    """One confined explorer at a time, which ends with its trial or when a person stops."""

    def __init__(self, make: Make) -> None:
        self._make = make
        self._running: ConfinedExplorer | None = None
        self._stopped = False

    @contextmanager
    def begin(self, frame: pd.DataFrame | None, sources: Mapping[str, str]) -> Iterator[ConfinedExplorer]:
        """An explorer for one trial. Raises: Stopped when a person stopped before."""
        self._running = explorer = self._make(frame, sources)
        try:
            self.refuse_stopped()
            yield explorer
        finally:
            self._running = None
            explorer.close()

    def interrupt(self) -> None:
        """End the trial that runs, from another thread, and let none begin."""
        self._stopped = True
        if (running := self._running) is not None:
            running.interrupt()

    def refuse_stopped(self) -> None:
        """Raises: Stopped when a person stopped."""
        if self._stopped:
            raise Stopped("the repair of a step was stopped")

    def resume(self) -> None:
        """Forget an earlier interrupt."""
        self._stopped = False

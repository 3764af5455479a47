"""Results that a cell came to and did not show: in a loop, in a function, above its last line, or given a name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from IPython.display import display

from pandas_magic.reporters.bundle import bundle

if TYPE_CHECKING:
    from pandas_magic.checking.result import Result
    from pandas_magic.reporters.bundle import Bundle


class Unshown:
    """The results of the running cell that nobody has seen yet: IPython shows the value of its last line alone."""

    def __init__(self) -> None:
        self._results: list[Result] = []

    def add(self, results: Iterable[Result]) -> None:
        """Have these shown when the cell ends, unless it shows them before."""
        self._results.extend(results)

    def bundle(self, results: Sequence[Result]) -> Bundle:
        """What IPython shows of a value; from now on these are seen."""
        self._results = [one for one in self._results if all(one is not shown for shown in results)]
        return bundle(results)

    def show(self, *_: object) -> None:
        """Show what is left in one output: a loop may have come to many."""
        left, self._results = self._results, []
        if left:
            data, metadata = bundle(left, as_value=False)
            display(data, metadata=metadata, raw=True)

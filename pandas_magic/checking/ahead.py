"""Checks of a batch on small tables, looked at several at a time: there a round trip costs more than the check."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from textwrap import indent

import numpy as np
import pandas as pd

from pandas_magic.constraints.algebra.rules import RowRule
from pandas_magic.registry.compiled_check import CompiledCheck

# So many checks wait for one answer; the saving is in the first few.
_MOST_CHECKS = 32
# On tables of this size a check takes milliseconds, so that one which hangs is not hidden behind many that are slow.
MOST_ROWS = 100_000

_CHECK = """def _check_{number}():
{code}
    return violations
"""
# A check that found its rows is there with the position -1 before them; one that raised is not there at all.
_GATHERED = """_numbers, _positions = [], []
for _number, _check in enumerate([{names}]):
    try:
        _index = _check().index
    except Exception:
        continue
    _numbers.append(np.full(len(_index) + 1, _number))
    _positions.append(np.append(-1, _index))
_found = pd.DataFrame({{"number": np.concatenate(_numbers), "position": np.concatenate(_positions)}})
del _check, {names}
"""
Positions = tuple[int, ...]


class Ahead:
    """The checks of one batch that are about rows, in their order, and what was found before their turn.

    Any thread may ask. Each check is looked at ahead of its turn at most once.
    """

    def __init__(self, checks: Sequence[CompiledCheck | None]) -> None:
        self._changed = threading.Condition()
        self._coming = {each.id: each for each in checks if each is not None and isinstance(each.constraint, RowRule)}
        self._looked_at: set[str] = set()
        self._found: dict[str, Positions] = {}

    @contextmanager
    def claim(self, first: CompiledCheck) -> Iterator[list[CompiledCheck]]:
        """Within the block: the check and those that come after it; none when it was claimed before."""
        with self._changed:
            behind = list(self._coming)
            at = behind.index(first.id) if first.id in self._coming else len(behind)
            claimed = [self._coming.pop(each) for each in behind[at : at + _MOST_CHECKS]]
            self._looked_at |= {each.id for each in claimed}
        try:
            yield claimed
        finally:
            with self._changed:
                self._looked_at -= {each.id for each in claimed}
                self._changed.notify_all()

    def put(self, found: Mapping[str, Positions]) -> None:
        """Keep what was found, by the ids of the checks."""
        with self._changed:
            self._found |= found

    def take(self, check_id: str) -> Positions | None:
        """The positions of the rows that break the check, once nobody looks at it; None when they were not found."""
        with self._changed:
            self._changed.wait_for(lambda: check_id not in self._looked_at)
            return self._found.pop(check_id, None)


def gathering_code(checks: Sequence[CompiledCheck]) -> str:
    """Code that runs the code of each check in a function of its own and binds `_found` to what all of them found."""
    numbered = list(enumerate(checks))
    functions = [_CHECK.format(number=number, code=indent(check.code, "    ")) for number, check in numbered]
    names = ", ".join(f"_check_{number}" for number, _ in numbered)
    return "".join(functions) + _GATHERED.format(names=names)


def taken_apart(found: pd.DataFrame, checks: Sequence[CompiledCheck]) -> dict[str, Positions]:
    """What each check found, by its id; one whose code raised is not there."""
    numbers, positions = found["number"].to_numpy(), found["position"].to_numpy()
    begins = np.flatnonzero(positions == -1)
    ends = np.append(begins[1:], len(positions))
    return {
        checks[numbers[begin]].id: tuple(positions[begin + 1 : end].tolist())
        for begin, end in zip(begins, ends, strict=True)
    }

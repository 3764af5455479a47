"""Checks of a batch looked at several at a time, where a round trip costs more than a check."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import dropwhile, islice
from textwrap import indent
from typing import Generic, TypeVar

import numpy as np
import pandas as pd

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
Answer = TypeVar("Answer")


class Ahead(Generic[Answer]):
    """The checks of one batch that may be looked at together, in their order, and what was found before their turn.

    Any thread may ask. A check is looked at ahead of its turn at most once, unless it is put back.
    """

    def __init__(self, checks: Sequence[CompiledCheck]) -> None:
        self._changed = threading.Condition()
        self._checks = {each.id: each for each in checks}
        self._claimed: set[str] = set()
        self._looked_at: set[str] = set()
        self._found: dict[str, Answer] = {}

    @contextmanager
    def claim(
        self, first: CompiledCheck, may_come: Callable[[CompiledCheck], bool] = lambda _: True
    ) -> Iterator[list[CompiledCheck]]:
        """Within the block: the check and those of the next that may come; none when it was claimed before."""
        with self._changed:
            claimed = [each for each in self._next(first) if each.id == first.id or may_come(each)]
            self._claimed |= {each.id for each in claimed}
            self._looked_at |= {each.id for each in claimed}
        try:
            yield claimed
        finally:
            with self._changed:
                self._looked_at -= {each.id for each in claimed}
                self._changed.notify_all()

    def _next(self, first: CompiledCheck) -> list[CompiledCheck]:
        if first.id not in self._checks or first.id in self._claimed:
            return []
        from_first = dropwhile(lambda each: each.id != first.id, self._checks.values())
        return list(islice((each for each in from_first if each.id not in self._claimed), _MOST_CHECKS))

    def put(self, found: Mapping[str, Answer]) -> None:
        """Keep what was found, by the ids of the checks."""
        with self._changed:
            self._found |= found

    def put_back(self, checks: Sequence[CompiledCheck]) -> None:
        """Let these be claimed once more: nobody looked at them."""
        with self._changed:
            self._claimed -= {each.id for each in checks}

    def take(self, check_id: str) -> Answer | None:
        """What was found for the check, once nobody looks at it; None when nothing was."""
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

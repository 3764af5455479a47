"""Checks of a batch looked at several at a time, where a round trip costs more than a check."""

import ast
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import dropwhile, islice, starmap
from textwrap import indent
from typing import Generic, TypeVar

import numpy as np
import pandas as pd

from pandas_magic.checking.abstentions import Beside
from pandas_magic.registry.compiled_check import CompiledCheck

# So many checks wait for one answer; the saving is in the first few.
_MOST_CHECKS = 32
# On tables of this size a check takes milliseconds, so that one which hangs is not hidden behind many that are slow.
MOST_ROWS = 100_000

_FUNCTION = """def {name}({frames}):
{code}
    return violations
"""

# A check that found its rows is there with -1 and what was counted beside it (-2: it was not) before their positions;
# one that raised is not there at all.
_GATHERED = """_numbers, _positions = [], []
for _number, (_check, _always, *_others) in enumerate([{checks}]):
    try:
        _index = _check().index
    except Exception:
        continue
    _counts = [-2] * len(_others)
    try:
        if _always or not len(_index):
            _counts = [len(_other()) for _other in _others]
    except Exception:
        pass
    _positions.append(np.concatenate([np.array([-1, *_counts]), _index]))
    _numbers.append(np.full(len(_positions[-1]), _number))
_found = pd.DataFrame({{"number": np.concatenate(_numbers), "position": np.concatenate(_positions)}})
del _check, _others, {names}
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

    @property
    def checks(self) -> Sequence[CompiledCheck]:
        """All of them, in their order."""
        return tuple(self._checks.values())

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


@dataclass(frozen=True)
class FoundAhead:
    """The positions of the rows that a check found, and what was counted of `beside`; no counts: nothing was."""

    positions: Positions
    beside: Beside
    counts: tuple[int, ...]


def function_code(name: str, code: str, frames: str = "") -> str:
    """Code, in a function, so that masks and copies are gone when the next check begins."""
    return _FUNCTION.format(name=name, frames=frames, code=indent(code, "    "))


def counting_code(name: str, code: str, frames: str = "") -> str:
    """A function of which only the length of what it gives counts: code that chooses rows by a mask copies none."""
    *_, last = ast.parse(code).body
    match last:
        case ast.Assign([ast.Name("violations")], ast.Subscript(ast.Name(rows), mask)) if not isinstance(
            mask, ast.List | ast.Slice
        ):
            above = code.splitlines()[: last.lineno - 1]
            code = "\n".join([*above, f"violations = {rows}.index[{ast.unparse(mask)}]"])
    return function_code(name, code, frames)


def gathering_code(checks: Sequence[tuple[CompiledCheck, Beside]]) -> str:
    """Code that runs the codes of each check in functions of their own and binds `_found` to what all of them found."""
    functions, looks, every = list[str](), list[str](), list[str]()
    for number, (check, beside) in enumerate(checks):
        first, others = f"_check_{number}", {f"_other_{number}_{at}": code for at, code in enumerate(beside.codes)}
        functions += [function_code(first, check.code), *starmap(counting_code, others.items())]
        looks.append(f"({', '.join([first, str(beside.always), *others])})")
        every += [first, *others]
    return "".join(functions) + _GATHERED.format(checks=", ".join(looks), names=", ".join(every))


def taken_apart(found: pd.DataFrame, checks: Sequence[tuple[CompiledCheck, Beside]]) -> dict[str, FoundAhead]:
    """What each check found, by its id; one whose code raised is not there."""
    numbers, positions = found["number"].to_numpy(), found["position"].to_numpy()
    begins = np.flatnonzero(positions == -1)
    ends = np.append(begins[1:], len(positions))
    answers = {}
    for begin, end in zip(begins, ends, strict=True):
        check, beside = checks[numbers[begin]]
        first = begin + 1 + len(beside.codes)
        counts = tuple(positions[begin + 1 : first].tolist())
        answers[check.id] = FoundAhead(tuple(positions[first:end].tolist()), beside, () if -2 in counts else counts)
    return answers

"""The proof of a repaired step: on tables of ours all that is found is what the shipped code finds.

Our own code is the independent computation: it raised on one table, and what it says on others is known and tested. A
proof that cannot fail is none, so a table counts where the function made to raise is missed.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pandas_magic.explore.exploration_request import Inputs
from pandas_magic.explore.subject import Subject

if TYPE_CHECKING:
    from pandas_magic.explore.explorer_answer import ExplorerAnswer, Json
    from pandas_magic.explore.failed_function import FailedFunction, FailedStep
    from pandas_magic.explore.trials import Trials

_SEED = 20_261_123
_ROWS = 80  # enough for a held-out score, few enough for a second
_MOST_SECONDS = 30.0  # for one table of ours
_TIMES_SLOWER = 3.0  # a repair may be, than the shipped code on the same table
_LEAST_SECONDS = 3.0


class RepairProof:
    """What the shipped code finds in tables of ours, to hold other versions of one function against."""

    def __init__(self, trials: Trials, step: FailedStep, function: FailedFunction) -> None:
        self._trials, self._step = trials, step
        self._expected: dict[str, list[Json]] = {}
        self._seconds: dict[str, float] = {}  # that a repair may take for each
        sources = step.sources
        broken = function.within(sources, function.made_to_raise())
        for target in _TARGETS:
            began = time.monotonic()
            found = self._found(target, sources)
            self._seconds[target] = max((time.monotonic() - began) * _TIMES_SLOWER, _LEAST_SECONDS)
            if isinstance(found, list) and self._found(target, broken) != found:
                self._expected[target] = found

    @property
    def can_fail(self) -> bool:
        """Whether a table of ours comes to the function at all."""
        return bool(self._expected)

    def objection(self, sources: Mapping[str, str]) -> str:
        """What these sources find otherwise than the shipped ones; "" when it is all the same."""
        for target, expected in self._expected.items():
            found = self._found(target, sources)
            if isinstance(found, str):
                return f"on a table on which the function worked before it fails: {found}"
            if found != expected:
                return "on a table on which the function worked before it gives another result"
        return ""

    def attempt(self, sources: Mapping[str, str]) -> str:
        """What is wrong with the step by these sources on the person's own table; "" for nothing."""
        with self._trials.begin(None, sources) as explorer:
            return self._step.attempt(explorer)

    def _found(self, target: str, sources: Mapping[str, str]) -> list[Json] | str:
        """All that is found in the table of ours with this target, or why it is not."""
        left = self._step.deadline - time.monotonic()
        seconds = min(self._seconds.get(target, _MOST_SECONDS), _MOST_SECONDS, left)
        if seconds <= 0:
            return "no time was left"
        subject = Subject("planted", frame=_planted())
        asked = Inputs(data_path="planted", target=target).model_dump(mode="json") | subject.described()
        with self._trials.begin(_planted(), sources) as explorer:
            answers = [explorer.explore(asked | {"readings": {}}, on_progress=_unheard, wall_seconds=seconds)]
            if self._step.probe and answers[0].problem is None:
                answers.append(explorer.probe(self._step.probe, {}, other=None, wall_seconds=seconds))
        return next((a.problem.text for a in answers if a.problem is not None), None) or list(map(_untimed, answers))


_TARGETS = ("bought", "income")


@cache
def _planted() -> pd.DataFrame:
    """Numbers, classes, texts and dates, with gaps, a leak of each target, a column in doubt and a constant."""
    random = np.random.default_rng(_SEED)
    age = random.integers(18, 80, _ROWS)
    bought = np.where(age + random.normal(0, 12, _ROWS) > 50, "yes", "no")
    income = (age * 900 + random.normal(0, 5000, _ROWS)).round(2)
    day = random.integers(1, 12, _ROWS)
    return pd.DataFrame(
        {
            "id": np.arange(1000, 1000 + _ROWS),
            "age": np.where(np.arange(_ROWS) % 3 == 1, np.nan, age),
            "income": income,
            "tax": (income * 0.3).round(2),
            "city": pd.Series(random.choice(["Rome", "Oslo", "Lima"], _ROWS)).where(np.arange(_ROWS) % 5 > 0),
            "seen": [f"{each:02}/{13 - each:02}/2024" for each in day],
            "joined": pd.date_range("2024-01-01", periods=_ROWS, freq="D"),
            "answer": np.where(bought == "yes", 1.0, 0.0),
            "country": "IT",
            "bought": bought,
        }
    )


def _untimed(answer: ExplorerAnswer) -> Json:
    return {name: value for name, value in answer.document.items() if name != "seconds"}


def _unheard(_: str) -> None:
    pass

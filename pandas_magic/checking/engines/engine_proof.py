"""Whether an engine finds in planted cases what the rule means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pandas_magic.checking.engines.answer import EngineAnswer

if TYPE_CHECKING:
    from pandas_magic.checking.prover import Case

AskOfEach = Callable[["Sequence[Case]"], Sequence[EngineAnswer] | str]


def why_unproved(cases: Sequence[Case], ask_of_each: AskOfEach) -> str:
    """Why the engine, which `ask_of_each` asks, may not stand in for the pandas; "": it may."""
    judged = [case for case in cases if not case.unjudged]
    if not any(case.flagged for case in judged):
        return "nothing that breaks the rule could be planted"
    answers = ask_of_each(judged)
    if isinstance(answers, str):
        return answers
    found = zip(judged, answers, strict=True)
    wrong = [case.label for case, answer in found if answer.positions != tuple(sorted(case.flagged))]
    return f"it finds other rows than the rule means in the case: {wrong[0]}" if wrong else ""

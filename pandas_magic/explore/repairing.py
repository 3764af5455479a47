"""A step of an exploration that raised is written anew by a model: of the function that failed, and of nothing else.

The model is told the function's text, the error as far as it quotes no value, and names and types of the columns. What
it writes is refused or confined like other code, held against the shipped code, and shown with the report.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pandas_magic.checking.compilation import refuse_forbidden
from pandas_magic.errors import AnswerUnusable, CodeRefused, ModelError
from pandas_magic.explore.details import StepRepair
from pandas_magic.explore.failed_function import FailedFunction, FailedStep, failed_function
from pandas_magic.explore.repair_proof import RepairProof
from pandas_magic.planner.model.answer_text import python_code, substance
from pandas_magic.planner.model.disclosure import DATA_RULE, data_block
from pandas_magic.planner.model.prompts import Prompt
from pandas_magic.planner.model.told_problems import told_problem

if TYPE_CHECKING:
    from pandas_magic.explore.trials import Trials
    from pandas_magic.planner.model.model import Model
    from pandas_magic.settings import Settings

_TASK = f"""A function of a program that explores tables has raised an error. {DATA_RULE}
Write the function anew: on every table on which it works now it must give exactly what it gives now, with the same
keys and types, and on this one it must not raise. Keep its name and its parameters, and use the names of its module as
it does now. It can read no file and reach no network. Answer with the whole function in one ```python block."""
_AGAIN = "Answer with the whole corrected function in one ```python block."
_SAID = """the code must be the function and nothing else; the function must keep its name and its parameters;
on a table on which the function worked before it fails: it gives another result; what was found before changed"""


@dataclass(frozen=True)
class Repaired:
    """A repair that passed every gate, and the sources with it."""

    repair: StepRepair
    sources: Mapping[str, str]


class Repairer:
    """A model that may write a failed function anew, at most `settings.max_repairs` times for a step."""

    def __init__(self, model: Model, settings: Settings) -> None:
        self._model, self._settings = model, settings

    def repaired(self, step: FailedStep, columns: Mapping[str, str], trials: Trials) -> Repaired | str:
        """The repair that passed every gate; else why there is none, "" where none was tried.

        `columns` are those of the person's table with their types. Raises: Stopped.
        """
        function = failed_function(step.problem.trace, step.sources)
        if function is None or not self._settings.max_repairs or not self._settings.code_enabled:
            return ""
        proof = RepairProof(trials, step, function)
        if not proof.can_fail:
            return f"no repair of {function.name} was asked for: on no table of ours could one be proved"
        try:
            code, problem = self._written(step, function, proof, data_block({"columns": dict(columns)}))
        except ModelError as error:
            return f"{function.name} was not repaired, since the model could not: {error}"
        model = self._model.configuration.model
        if problem:
            return f"{model} could not repair {function.name}: {problem}"
        told = StepRepair(step=step.name, function=function.name, model=model, problem=step.problem.text, code=code)
        return Repaired(told, function.within(step.sources, code))

    def _written(self, step: FailedStep, function: FailedFunction, proof: RepairProof, schema: str) -> tuple[str, str]:
        """The code, and what is wrong with the last of it. Raises: ModelError."""
        error = data_block({"error": told_problem(step.problem.text, function.text, schema)})
        prompt = Prompt.of("repair", _TASK, f"{schema}\n```python\n{function.text}\n```\n{error}")
        code, problem, seen = "", "", set[str]()
        for _ in range(self._settings.max_repairs):
            answer = self._model.ask(prompt).text
            if (held := substance(answer)) in seen:
                break
            seen.add(held)
            code, problem = self._judged(answer, step, function, proof)
            if not problem:
                break
            told = told_problem(problem, function.text, schema, _SAID)
            prompt = prompt.followed_by(answer, told, _AGAIN)
        return code, problem

    def _judged(self, answer: str, step: FailedStep, function: FailedFunction, proof: RepairProof) -> tuple[str, str]:
        try:
            code = python_code(answer)
            refuse_forbidden(code, self._settings)
        except (AnswerUnusable, CodeRefused) as error:
            return "", str(error)
        if misfit := function.misfit(code):
            return code, misfit
        sources = function.within(step.sources, code)
        return code, proof.objection(sources) or proof.attempt(sources)

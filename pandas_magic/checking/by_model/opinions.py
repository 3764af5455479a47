"""Second opinions on a rule: rows judged without knowing how it was understood, code written without knowing it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from pandas_magic.catalog.table import Table
from pandas_magic.checking.by_model.telling_cases import telling_cases
from pandas_magic.checking.finder import Progress
from pandas_magic.checking.prover import Case
from pandas_magic.checking.runner import Runner
from pandas_magic.constraints import identifier
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.errors import AnswerUnusable, PandasMagicError
from pandas_magic.planner.model.answer_text import python_code, substance
from pandas_magic.planner.model.code_mistakes import binds, code_problems
from pandas_magic.planner.model.model import Model
from pandas_magic.planner.model.prompts import Prompt
from pandas_magic.planner.model.rule_prompts import judge_prompt, judgement_of, keep_prompt, verdict_name, write_prompt
from pandas_magic.registry.check import Check

MAX_REPAIRS = 3

Refuse = Callable[[str], None]


@dataclass
class Task:
    """One rule on its way to a check: what is known of it, who is asked, and what was tried."""

    check: Check
    tables: Mapping[str, Table]
    runner: Runner
    model: Model
    schema: str  # the tables, as they are told
    on_progress: Progress

    @property
    def rule(self) -> str:
        """The person's sentence."""
        return self.check.rule


@dataclass(frozen=True)
class WrittenCode:
    """Code from a model that parses, names only what is there and is not refused; or what was wrong to the end."""

    code: str = ""
    problem: str = ""
    tried: tuple[tuple[str, str], ...] = ()  # code that was sent back, and why


def judged_otherwise(task: Task, constraint: Constraint) -> str:
    """How a reader who sees only the rule and rows judges otherwise than the constraint; "" when it does not.

    The rows are made up; none of the real ones is told.
    """
    if not isinstance(constraint, RowRule):
        return ""
    chosen = telling_cases(constraint, task.rule, task.tables, task.runner.instant())
    if not chosen:
        return "no rows could be made up on which the rule can be judged"
    told = [_told(number, case, constraint.table) for number, case in enumerate(chosen, 1)]
    task.on_progress("asking which rows break the rule")
    prompt = judge_prompt(task.rule, told)
    judgement = task.model.ask_object(prompt, judgement_of([case.rows for case in chosen]))
    for number, case in enumerate(chosen, 1):
        seen = {row for row in range(case.rows) if getattr(judgement, verdict_name(number, row)) == "breaks"}
        difference = seen ^ set(case.flagged)
        if difference:
            row = min(difference)
            return _dispute(case, constraint.table, row, flagged=row in case.flagged)
    return ""


def _told(number: int, case: Case, target: str) -> dict[str, Any]:
    return {
        "case": number,
        "judge_rows_of": target,
        "tables": {name: _records(frame, numbered=name == target) for name, frame in case.frames.items()},
    }


def _records(frame: pd.DataFrame, *, numbered: bool) -> list[dict[str, Any]]:
    rows = [
        {str(column): _plain(value) for column, value in zip(frame.columns, row, strict=True)}
        for row in frame.itertuples(index=False, name=None)
    ]
    return [{"row": place, **row} for place, row in enumerate(rows)] if numbered else rows


def _plain(value: object) -> object:
    if value is None or value is pd.NaT or value is pd.NA or (isinstance(value, float) and value != value):
        return None
    if isinstance(value, pd.Timestamp):
        return str(value.date()) if value == value.normalize() and value.tz is None else value.isoformat()
    item = getattr(value, "item", None)
    return item() if callable(item) else value


def _dispute(case: Case, target: str, row: int, *, flagged: bool) -> str:
    values = _records(case.frames[target].iloc[[row]], numbered=False)[0]
    shown = ", ".join(f"{column} {value!r}" for column, value in values.items())
    ours, theirs = ("breaks", "keeps") if flagged else ("keeps", "breaks")
    return f"by the sentence a row with {shown} {ours} the rule, by a reader of the rule it {theirs} it"


def written_code(task: Task, *, refuse: Refuse) -> WrittenCode:
    """Code for the rule by the model, repaired while something is plainly wrong with it, three times at most.

    `refuse` raises PandasMagicError for code that the sandbox would stop.
    """
    return _written(task, write_prompt(task.rule, task.schema, target=task.check.target), "violations", refuse)


def code_by_the_rest(task: Task, target: str, *, refuse: Refuse) -> WrittenCode:
    """Code by an author who was asked for the rows of `target` that keep the rule, turned into that for the others."""
    written = _written(task, keep_prompt(task.rule, task.schema, target=task.check.target), "fine", refuse)
    table = identifier(target)
    return replace(written, code=f"{written.code}\nviolations = {table}.drop(index=fine.index)")


def _written(task: Task, prompt: Prompt, binding: str, refuse: Refuse) -> WrittenCode:
    failed: dict[str, tuple[str, str]] = {}  # answers; the code of each, and what was wrong with it
    problem = code = ""
    for _ in range(MAX_REPAIRS + 1):
        answer = task.model.ask(prompt)
        held = substance(answer.text)
        if held in failed:
            problem = f"{problem} (the same code again)"
            break
        problem, code = plain_problem(answer.text, task.tables, refuse, result=binding)
        if not problem:
            return WrittenCode(code, tried=tuple(failed.values()))
        failed[held] = (code, problem)
        task.on_progress(f"repairing the code: {problem}")
        prompt = prompt.followed_by(answer.text, problem, "Answer with the corrected code in one block.")
    return WrittenCode(code, problem, tuple(failed.values()))


def plain_problem(
    text: str, tables: Mapping[str, Table], refuse: Refuse, *, result: str = "violations"
) -> tuple[str, str]:
    """What is plainly wrong with an answer that should be code ("" when nothing is), and the code in it."""
    try:
        code = python_code(text)
        refuse(code)
    except AnswerUnusable as error:
        return str(error), ""
    except PandasMagicError as error:
        return str(error), code
    problems: Sequence[str] = code_problems(code, tables)
    if not problems and not binds(code, result):
        problems = [f"the code never binds {result}"]
    return "; ".join(problems), code

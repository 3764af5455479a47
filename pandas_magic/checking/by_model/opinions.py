"""Second opinions on a rule: rows judged without knowing how it was understood, code written without knowing it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import pandas as pd

from pandas_magic.catalog.table import Table
from pandas_magic.checking.by_model.trials import synthetic_frames
from pandas_magic.checking.finder import Progress
from pandas_magic.checking.prover import Case, cases
from pandas_magic.checking.runner import Runner
from pandas_magic.constraints import identifier, reads
from pandas_magic.constraints.algebra.expressions import Column, Folded, Lookup
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.errors import AnswerUnusable, PandasMagicError
from pandas_magic.planner.language.guards.nodes_needed import equalled, every_node
from pandas_magic.planner.model.answer_text import python_code, substance
from pandas_magic.planner.model.code_mistakes import binds, code_problems
from pandas_magic.planner.model.gates import content_words
from pandas_magic.planner.model.model import Model
from pandas_magic.planner.model.prompts import Prompt
from pandas_magic.planner.model.rule_prompts import judge_prompt, judgement_of, keep_prompt, verdict_name, write_prompt
from pandas_magic.registry.check import Check

_JUDGED_CASES = 3
_MOST_ROWS = 12  # of a case that a reader goes through with care
_MOST_COLUMNS = 24  # of a table; more only cost tokens
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
    chosen = _telling_cases(task, constraint)
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


def _telling_cases(task: Task, constraint: RowRule) -> list[Case]:
    # Every column of a table, so that a wrong one can be noticed; where that leaves no room for rows that break the
    # rule, as of a key of several columns, those that it reads.
    for columns in (_shown_columns(task, constraint), reads(constraint)):
        if chosen := _telling_cases_of(task, constraint, columns):
            return chosen
    return []


def _telling_cases_of(task: Task, constraint: RowRule, columns: Mapping[str, Sequence[str]]) -> list[Case]:
    instant = task.runner.instant()
    try:
        made_up = synthetic_frames(columns, task.tables, _texts_by_column(constraint))
        planted = cases(constraint, made_up, now=instant.local, utc_now=instant.utc)
    except (TypeError, ValueError, KeyError):
        return []  # the rule makes no sense on plain rows; the proof will say so on real ones
    small = [case for case in planted if 0 < case.rows <= _MOST_ROWS]
    broken = sorted((case for case in small if case.flagged), key=lambda case: (-len(case.told_apart), case.label))
    # Cases that tell no further slip apart hold the same rows again, which costs tokens and says nothing.
    chosen = broken[:1] + [case for case in broken[1:_JUDGED_CASES] if case.told_apart]
    if all(len(case.flagged) == case.rows for case in chosen):
        # A reader who takes every row for broken must not agree with a rule that breaks them all.
        chosen += [case for case in small if len(case.flagged) < case.rows][:1]
    return chosen if broken else []


def _shown_columns(task: Task, constraint: RowRule) -> dict[str, tuple[str, ...]]:
    """Every column of a table; of a wide table those that the rule may mean."""
    said = content_words(task.rule)
    shown = {}
    for name, read in reads(constraint).items():
        columns = task.tables[name].columns

        def distance(column: str, read: Collection[str] = read, kinds: Mapping[str, str] = columns) -> tuple[bool, ...]:
            shares_a_word = bool(said & content_words(column.replace("_", " ")))
            return column not in read, not shares_a_word, kinds[column] not in {kinds[known] for known in read}

        nearest = set(sorted(columns, key=distance)[: max(_MOST_COLUMNS, len(read))])
        shown[name] = tuple(column for column in columns if column in nearest)
    return shown


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


def _texts_by_column(constraint: Constraint) -> dict[str, list[str]]:
    """The texts that the rule names for each column, of another table too, so that made-up rows meet its conditions."""
    found: dict[str, list[str]] = {}
    for of, value in chain.from_iterable(equalled(node) for node in every_node(constraint)):
        while isinstance(of, (Lookup, Folded)):
            of = of.of
        if isinstance(of, Column) and isinstance(value, str):
            found.setdefault(of.name, []).append(value)
    return found


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

"""A request in words, stage by stage: tables, plan, code, checks, run, answer. Each stage is seen as it happens."""

import ast
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from functools import partial
from typing import Any, Literal

from pandas_magic.catalog.table import Table
from pandas_magic.catalog.table_choice import TableChoice, likely_tables
from pandas_magic.checking.by_model.opinions import plain_problem
from pandas_magic.checking.column_reads import columns_read
from pandas_magic.checking.compilation import refuse_forbidden
from pandas_magic.checking.runner import Runner
from pandas_magic.errors import AnswerUnusable, ModelError, NoSuchName, UsageMistake
from pandas_magic.planner.model.answer_text import substance, without_thoughts
from pandas_magic.planner.model.code_mistakes import texts_that_never_occur
from pandas_magic.planner.model.disclosure import described, first_rows, in_words
from pandas_magic.planner.model.model import Model
from pandas_magic.planner.model.prompts import Prompt
from pandas_magic.planner.model.told_problems import told_problem
from pandas_magic.plans.answers import checked_answer, told_result, with_sections, written_answer
from pandas_magic.plans.cells import plan_cells
from pandas_magic.plans.code_columns import absence_not_looked_for, not_read, reads_in_words, without_telling
from pandas_magic.plans.code_run import frames_read, run_plan
from pandas_magic.plans.offline import answer_offline
from pandas_magic.plans.plan_prompts import (
    Review,
    TableSelection,
    answer_prompt,
    code_prompt,
    plan_prompt,
    read_plan,
    review_prompt,
    select_prompt,
)
from pandas_magic.plans.plan_records import CodeVersion, PlanRequest, PlanResult, PlanSteps, Ran
from pandas_magic.plans.watching import Nobody, Watcher


@dataclass
class Work:
    """One request on its way to an answer."""

    asked: PlanRequest
    tables: Mapping[str, Table]
    runner: Runner
    model: Model
    watcher: Watcher
    earlier: list[dict[str, Any]]
    schema: str = ""
    choices: tuple[TableChoice, ...] = ()
    attempts: list[CodeVersion] = field(default_factory=list)
    seconds: list[tuple[str, float]] = field(default_factory=list)
    unreviewed: str = ""  # why nobody reviewed the last code; "": somebody did, or may yet

    @contextmanager
    def stage(self, name: str, detail: str = "") -> Iterator[None]:
        """One stage: shown, and timed."""
        self.watcher.stage(name, detail)
        began = time.monotonic()
        try:
            yield
        finally:
            self.seconds.append((name, round(time.monotonic() - began, 3)))

    def chosen(self) -> dict[str, Table]:
        """The tables that were chosen."""
        return {choice.name: self.tables[choice.name] for choice in self.choices}


def answer_request(
    asked: PlanRequest,
    tables: Mapping[str, Table],
    runner: Runner,
    model: Model | None,
    *,
    watcher: Watcher | None = None,
    earlier: list[dict[str, Any]] | None = None,
    output: str = "",
) -> PlanResult:
    """Everything that came of a request; a failure after the choice of tables is a result that says so.

    Raises: UsageMistake or NoSuchName for what cannot be meant; ModelError when the model cannot go on;
        kernel_sandbox.SandboxUnavailable; KeyboardInterrupt.
    """
    if not asked.request.strip():
        raise UsageMistake("the request is empty; write it as a sentence below the first line")
    known = _within(tables, asked)
    if model is None:
        return answer_offline(asked, known, runner, watcher or Nobody(), output=output)
    work = Work(asked, known, runner, model, watcher or Nobody(), earlier or [])
    model.fresh = asked.fresh
    before = model.calls
    told = in_words(model.configuration.disclosure)
    work.watcher.stage("Telling", f"{model.configuration.model} at {model.configuration.host}: {told}")
    with model.request(f"plan: {asked.request[:60]}", on_notice=lambda text: work.watcher.stage("Asking", text)):
        result = _worked(work, output)
    return replace(result, calls=model.calls - before, told=told)


def _within(tables: Mapping[str, Table], asked: PlanRequest) -> dict[str, Table]:
    unknown = next((name for name in asked.tables if name not in tables), None)
    if unknown is not None:
        raise NoSuchName("table", unknown, tables)
    known = {
        name: tables[name]
        for name in asked.tables or tables
        if asked.group in name or asked.group == tables[name].group
    }
    if not known and (asked.group or tables):
        where = f' with "{asked.group}" in its name' if asked.group else ""
        raise UsageMistake(f"no files found: there is no table{where} in the workspace; %tables lists what there is")
    return known  # where the workspace has no table at all, a model may still be asked what needs none


def _worked(work: Work, output: str) -> PlanResult:
    with work.stage("Choosing tables"):
        work.choices = _choose(work)
    work.watcher.stage("Tables", "; ".join(f"{choice.name}: {choice.reason}" for choice in work.choices))
    chosen = work.chosen()
    work.schema = described(chosen, work.model.configuration.disclosure, _samples(work))
    with work.stage("Planning"):
        prompt = plan_prompt(work.asked.request, work.schema, work.earlier)
        plan = read_plan(work.model.ask(prompt, on_text=work.watcher.text).text)
    ran, code, error = _coded(work, plan)
    if not error:
        strange = texts_that_never_occur(code, chosen, work.asked.request)
        unread = not_read(work.asked.request, code, chosen)
        ran = replace(ran, notes=(*strange, *unread, *ran.notes))
    result = PlanResult(work.asked.request, False, work.choices, plan, code, tuple(work.attempts), ran, error=error)
    if error:
        return _finished(work, result)
    result = replace(result, reads=reads_in_words(code, chosen))
    if not work.asked.run:
        cells = plan_cells(work.asked.request, code, chosen, output=output)
        return _finished(work, replace(result, success=True, cells=cells))
    with work.stage("Answering"):
        columns = {name: table.columns for name, table in chosen.items()}
        answer, unfounded = checked_answer(_answer(work, plan, ran), ran, work.asked.request, tables=columns)
    cells = plan_cells(work.asked.request, code, chosen, output=output, chart=ran.chart)
    return _finished(work, replace(result, success=True, answer=answer, unfounded=unfounded, cells=cells))


def _finished(work: Work, result: PlanResult) -> PlanResult:
    return replace(result, stage_seconds=tuple(work.seconds))


def _choose(work: Work) -> tuple[TableChoice, ...]:
    at_most = work.asked.max_files or work.runner.settings.max_files
    if work.asked.tables:
        return tuple(TableChoice(name, 0, ("named in the request's line",)) for name in work.tables)
    if len(work.tables) <= 1:
        return tuple(TableChoice(name, 0, ("it is the only table",)) for name in work.tables)
    # The model sees at most so many; the scorer leaves out those that share no word, where there are more.
    likely = likely_tables(work.asked.request, work.tables, max_tables=max(at_most * 3, 30))
    schema = described({c.name: work.tables[c.name] for c in likely}, work.model.configuration.disclosure)
    prompt = select_prompt(work.asked.request, schema, at_most)
    selection = work.model.ask_object(prompt, TableSelection, problem=lambda found: _misfit(found, work.tables))
    reasons = {selected.table: " ".join(selected.reason.split()) for selected in selection.tables}
    return tuple(TableChoice(name, 0, (reason,)) for name, reason in list(reasons.items())[:at_most])


def _misfit(selection: TableSelection, tables: Mapping[str, Table]) -> str:
    unknown = next((selected.table for selected in selection.tables if selected.table not in tables), None)
    if unknown is not None:
        return f"{NoSuchName('table', unknown, tables)}."
    return "" if selection.tables else "no table was chosen."


def _samples(work: Work) -> dict[str, list[dict[str, object]]]:
    if work.model.configuration.disclosure != "samples":
        return {}
    return {name: first_rows(work.runner.catalog.frame(name)) for name in work.chosen()}


def _coded(work: Work, plan: PlanSteps) -> tuple[Ran, str, str]:
    """Code that passed every check and ran, repaired within the limit; or the last one with what is wrong."""
    prompt = code_prompt(work.asked.request, work.schema, plan, work.earlier, in_steps=work.asked.in_steps)
    ran = Ran()
    failed: dict[str, str] = {}  # answers, and what was wrong with each
    most = work.runner.settings.max_repairs
    for number in range(most + 1):
        with work.stage("Writing code" if number == 0 else f"Repairing ({number} of {most})"):
            answer = work.model.ask(prompt, on_text=work.watcher.text)
        held = substance(answer.text)
        if held in failed:
            # It would fail again, and a model that keeps to it after it was told why does so a third time.
            return _given_up(work, ran, f"the model answered with code that had failed before: {failed[held]}")
        stage, problem, code, ran = _tried(work, plan, answer.text)
        work.attempts.append(CodeVersion(stage=stage, code=code, problem=problem, diff=_diff(work.attempts, code)))
        if not problem:
            return ran, code, ""
        if work.unreviewed:
            return ran, code, problem
        failed[held] = problem
        work.watcher.stage("Problem", problem)
        prompt = _repair(prompt, answer.text, told_problem(problem, code, work.schema, work.asked.request))
    repairs = f"{most} repair{'s' * (most != 1)}"
    return _given_up(work, ran, f"the code still fails after {repairs}: {work.attempts[-1].problem}")


def _given_up(work: Work, ran: Ran, error: str) -> tuple[Ran, str, str]:
    """What came of the last code without what it tells of its result, where only that failed; else the error."""
    last = work.attempts[-1]
    bare = without_telling(last.code) if last.stage == "run" and not work.asked.in_steps else ""
    if not bare or bare == ast.unparse(ast.parse(last.code)):
        return ran, last.code, error
    found = _ran(work, bare)
    if found.error:
        return ran, last.code, error
    work.attempts.append(CodeVersion(stage="run", code=bare, diff=_diff(work.attempts, bare)))
    note = f"what the code tells of its result was left out, since it failed: {last.problem}"
    return replace(found, notes=(note, *found.notes)), bare, ""


def _tried(work: Work, plan: PlanSteps, text: str) -> tuple[Literal["static", "review", "run"], str, str, Ran]:
    chosen = work.chosen()
    with work.stage("Checking"):
        refuse = partial(refuse_forbidden, settings=work.runner.settings)
        problem, code = plain_problem(text, chosen, refuse, result="result")
        problem = problem or absence_not_looked_for(work.asked.request, code, work.tables)
    if problem:
        return "static", problem, code, Ran()
    with work.stage("Reviewing"):
        problem = _reviewed(work, plan, code)
    if problem:
        return "review", problem, code, Ran()
    if not work.asked.run:
        return "run", "", code, Ran()
    ran = _ran(work, code)
    return "run", ran.error, code, ran


def _ran(work: Work, code: str) -> Ran:
    with work.stage("Running"):
        chosen = work.chosen()
        needed = {name: chosen[name] for name in columns_read(code, chosen)}
        frames = frames_read(work.runner, needed, work.watcher)
        return run_plan(work.runner, code, frames, request=work.asked.request)


def _reviewed(work: Work, plan: PlanSteps, code: str) -> str:
    try:
        prompt = review_prompt(work.asked.request, work.schema, plan, code)
        review = work.model.ask_object(prompt, Review, problem=Review.contradiction)
    except AnswerUnusable as error:
        # The reviewer is at fault, not the code: another version of it would fare no better.
        work.unreviewed = f"nobody could review the code, and so it did not run: {error}"
        return work.unreviewed
    if review.answers:
        return ""
    return f"a reviewer says: {review.fault or 'it does not do what was asked'}"


def _repair(prompt: Prompt, answer: str, problem: str) -> Prompt:
    asked = "Answer with the whole corrected code in one ```python block."
    return prompt.followed_by(answer, problem, asked, purpose="repair")


def _diff(attempts: list[CodeVersion], code: str) -> str:
    if not attempts:
        return ""
    before = attempts[-1].code.splitlines()
    return "\n".join(unified_diff(before, code.splitlines(), "before", "after", lineterm="", n=1))


def _answer(work: Work, plan: PlanSteps, ran: Ran) -> str:
    """The report: by the model where results may be told to it, else from what the code itself found."""
    if work.model.configuration.disclosure == "schema":
        return written_answer(plan, ran)
    try:
        prompt = answer_prompt(work.asked.request, plan, told_result(ran))
        said = without_thoughts(work.model.ask(prompt, on_text=work.watcher.text).text)
        return with_sections(said, plan, ran) if said else written_answer(plan, ran)
    except ModelError as error:
        work.watcher.stage("Answering", f"without the model: {error}")
        return written_answer(plan, ran)

"""Requests answered without a model: what the language of questions explains; the rest is refused, with the words."""

import time
from collections.abc import Mapping
from dataclasses import replace

from pandas_magic.catalog.table import Table
from pandas_magic.catalog.table_choice import TableChoice, likely_tables
from pandas_magic.checking.column_reads import columns_read
from pandas_magic.checking.compilation import refuse_forbidden
from pandas_magic.checking.runner import Runner
from pandas_magic.errors import ModelUnavailable, UsageMistake
from pandas_magic.plans.analysis_code import code_of_analysis, plan_of_analysis
from pandas_magic.plans.analysis_questions import Analysis
from pandas_magic.plans.answers import checked_answer, written_answer
from pandas_magic.plans.cells import plan_cells
from pandas_magic.plans.code_run import frames_read, run_plan
from pandas_magic.plans.plan_records import CodeVersion, PlanRequest, PlanResult, PlanSteps, Ran
from pandas_magic.plans.question_code import code_of, plan_of
from pandas_magic.plans.table_questions import Question, RequestNotUnderstood, read_question
from pandas_magic.plans.watching import Watcher

_TOLD = "nothing; no model was asked"


def answer_offline(
    asked: PlanRequest, tables: Mapping[str, Table], runner: Runner, watcher: Watcher, *, output: str = ""
) -> PlanResult:
    """The answer to a common request: planned, coded and run without a model.

    Raises: UsageMistake where there is no table; ModelUnavailable with the words that are not understood, and which
        tables the request seems to be about; kernel_sandbox.SandboxUnavailable; KeyboardInterrupt.
    """
    if not tables:
        raise UsageMistake(
            "no files found: there is no table in the workspace, and what needs none needs a model: "
            "set PANDAS_MAGIC_MODEL and OPENAI_BASE_URL (docs/models.md)"
        )
    began = time.monotonic()
    question = _understood(asked, tables, runner.settings.max_files)
    plan, code = _planned(question), _coded(question, tables)
    refuse_forbidden(code)
    watcher.stage("Understood", plan.goal)
    used = {name: tables[name] for name in columns_read(code, tables)}
    choices = tuple(TableChoice(name, 0, ("the request names it, or its columns",)) for name in used)
    ran = Ran()
    if asked.run:
        watcher.stage("Running")
        ran = run_plan(runner, code, frames_read(runner, used, watcher), request=asked.request)
    attempts = (CodeVersion(stage="run", code=code, problem=ran.error),)
    result = PlanResult(asked.request, False, choices, plan, code, attempts, ran, error=ran.error, told=_TOLD)
    if ran.error:
        return result
    cells = plan_cells(asked.request, code, used, output=output, chart=ran.chart)
    # The code is ours: it counts the rows that it leaves out, and prints how many those are.
    said = (asked.request, ran.stdout)
    columns = {name: table.columns for name, table in used.items()}
    told = checked_answer(written_answer(plan, ran), ran, *said, tables=columns) if asked.run else ("", ())
    seconds = (("Answering offline", round(time.monotonic() - began, 3)),)
    return replace(result, success=True, answer=told[0], unfounded=told[1], cells=cells, stage_seconds=seconds)


def _planned(question: Question | Analysis) -> PlanSteps:
    return plan_of_analysis(question) if isinstance(question, Analysis) else plan_of(question)


def _coded(question: Question | Analysis, tables: Mapping[str, Table]) -> str:
    return code_of_analysis(question, tables) if isinstance(question, Analysis) else code_of(question, tables)


def _understood(asked: PlanRequest, tables: Mapping[str, Table], max_files: int) -> Question | Analysis:
    try:
        return read_question(asked.request, tables)
    except RequestNotUnderstood as error:
        choices = likely_tables(asked.request, tables, max_tables=asked.max_files or max_files)
        named = "; ".join(f"{choice.name} ({choice.reason})" for choice in choices)
        raise ModelUnavailable(
            f"{error}. This planning needs a model, and none is named: set PANDAS_MAGIC_MODEL and OPENAI_BASE_URL "
            f"(docs/models.md). By the words alone the request is about {named}"
        ) from None

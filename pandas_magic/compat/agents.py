"""The code execution agent's Python interface, with its exact keys, over one workspace."""

import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from pandas_magic.catalog.file_listing import selection
from pandas_magic.checking.compilation import refuse_forbidden
from pandas_magic.compat.code_generator import execute_code_task
from pandas_magic.compat.files import get_available_files, get_file_info, in_its_shape
from pandas_magic.compat.opened import opened
from pandas_magic.constraints import identifier
from pandas_magic.errors import PandasMagicError
from pandas_magic.plans.answers import checked_answer, written_answer
from pandas_magic.plans.code_run import run_plan
from pandas_magic.plans.plan_records import PlanRequest, PlanResult, PlanSteps
from pandas_magic.plans.planning import keep_result, refuse_switched_off, sessions_of, work_out
from pandas_magic.workspace import Workspace

__all__ = [
    "execute_code_task",
    "get_available_files",
    "get_file_info",
    "process_query",
    "process_query_with_custom_code",
]


def process_query(
    query: str, trial_name: str | None = None, *, workspace: Workspace | Path | str | None = None
) -> dict[str, Any]:
    """Answer a query about the workspace's tables: `response` (Markdown), `success`, `plots`, `metadata`.

    `trial_name` keeps to tables with that text in their name. What goes wrong is told in `response` and `metadata`;
    `metadata["generated_code"]` takes the tables as df1, df2, … and binds `result`.
    """
    began = time.monotonic()
    try:
        with opened(workspace) as at, closing(sessions_of(at)) as sessions:
            result = work_out(at, sessions, PlanRequest(query, group=trial_name or ""))
            chosen = selection(at.catalog, result.choices)
    except PandasMagicError as error:
        return _failed(str(error), began)
    answer = _answered(result, began)
    chosen["selected_files"] = [in_its_shape(file) for file in chosen["selected_files"]]
    answer["metadata"] |= chosen
    return answer


def process_query_with_custom_code(
    code: str, file_paths: Mapping[str, str | Path] | None = None, query: str | None = None
) -> dict[str, Any]:
    """Run a person's own code, confined, on files under the names given ("df1": path).

    The keys of `process_query`, and beside them those of an execution: `output`, `result` (None where the code bound
    none) and `error` (None where there was none). The code finds `pd`, `np`, `plt` and, where it is installed, `sns`.
    """
    began = time.monotonic()
    try:
        with opened(None, file_paths) as at:
            refuse_switched_off(at.settings)
            refuse_forbidden(code, at.settings)
            frames = {name: at.catalog.frame(name) for name in file_paths or {}}
            ran = run_plan(at.runner, code, frames, request=query or "", by_person=True)
            plots = keep_result(at, ran)
    except PandasMagicError as error:
        return _failed(str(error), began, code=code) | {"output": "", "result": None, "error": str(error)}
    plan = PlanSteps(goal=query or "Code of your own", steps=())
    columns = {name: map(str, frame.columns) for name, frame in frames.items()}
    told = "" if ran.error else written_answer(plan, ran)
    answer, unfounded = checked_answer(told, ran, query or "", ran.stdout, tables=columns)
    result = PlanResult(query or "", not ran.error, (), plan, code, (), ran, answer, unfounded, ran.error, plots)
    executed = {"output": ran.stdout, "result": result.result, "error": ran.error or None}
    return _answered(result, began) | executed


def _answered(result: PlanResult, began: float) -> dict[str, Any]:
    tables = [choice.name for choice in result.choices]
    names = {f"df{number}": name for number, name in enumerate(tables, 1)}
    aliases = "".join(f"{alias} = {identifier(name)}\n" for alias, name in names.items())
    metadata = {
        "generated_code": aliases + result.code,
        "files": names,
        "plan": result.as_plan(),
        "output": result.ran.stdout,
        "execution_time": result.ran.seconds,
        "stage_seconds": dict(result.stage_seconds),
        "total_seconds": round(time.monotonic() - began, 3),
        "attempts": [attempt.to_dict() for attempt in result.attempts],
        "unfounded_numbers": list(result.unfounded),
        "notes": list(result.ran.notes),
        "error": result.error,
    }
    response = result.answer if result.success else f"Code execution failed: {result.error}"
    return {"response": response, "success": result.success, "plots": list(result.plots), "metadata": metadata}


def _failed(error: str, began: float, *, code: str = "") -> dict[str, Any]:
    metadata = {"error": error, "generated_code": code, "total_seconds": round(time.monotonic() - began, 3)}
    return {"response": f"The query was not answered: {error}", "success": False, "plots": [], "metadata": metadata}

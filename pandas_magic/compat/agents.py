"""Two earlier systems' Python interfaces, with their exact keys, over one workspace.

`process_query` and `process_query_with_custom_code` are those of the code execution agent, `execute_code_task` is that
of the code generator.
"""

import asyncio
import difflib
import os
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

from pandas_magic.checking.column_reads import columns_read
from pandas_magic.checking.compilation import refuse_forbidden
from pandas_magic.constraints import identifier
from pandas_magic.errors import PandasMagicError, UsageMistake
from pandas_magic.plans.answers import checked_answer, written_answer
from pandas_magic.plans.code_run import run_plan
from pandas_magic.plans.plan_records import CodeVersion, PlanRequest, PlanResult, PlanSteps
from pandas_magic.plans.planning import sessions_of, work_out
from pandas_magic.workspace import Workspace

_ROUTED = re.compile(
    r"\b(write (?:some )?code|python|csv|excel|xlsx?|pandas|dataframe|plot|chart|script|analy[sz]e|statistics)\b", re.I
)


def process_query(
    query: str, trial_name: str | None = None, *, workspace: Workspace | Path | str | None = None
) -> dict[str, Any]:
    """Answer a query about the workspace's tables: `response` (Markdown), `success`, `plots`, `metadata`.

    `trial_name` keeps to tables with that text in their name. What goes wrong is told in `response` and `metadata`;
    `metadata["generated_code"]` takes the tables as df1, df2, … and binds `result`.
    """
    began = time.monotonic()
    opened, own = _opened(workspace)
    try:
        with closing(sessions_of(opened)) as sessions:
            result = work_out(opened, sessions, PlanRequest(query, group=trial_name or ""))
    except PandasMagicError as error:
        return _failed(str(error), began)
    finally:
        if own:
            opened.close()
    return _answered(result, began)


def process_query_with_custom_code(
    code: str, file_paths: Mapping[str, str | Path] | None = None, query: str | None = None
) -> dict[str, Any]:
    """Run a person's own code, confined, on files under the names given ("df1": path); the keys of `process_query`."""
    began = time.monotonic()
    paths: dict[str, Any] = dict(file_paths or {})
    try:
        refuse_forbidden(code)
        workspace = Workspace.open(tables=paths)
        try:
            frames = {name: workspace.catalog.frame(name) for name in paths}
            ran = run_plan(workspace.runner, code, frames, request=query or "")
        finally:
            workspace.close()
    except PandasMagicError as error:
        return _failed(str(error), began, code=code)
    plan = PlanSteps(goal=query or "Code of your own", steps=())
    columns = {name: map(str, frame.columns) for name, frame in frames.items()}
    told = "" if ran.error else written_answer(plan, ran)
    answer, unfounded = checked_answer(told, ran, query or "", ran.stdout, tables=columns)
    result = PlanResult(query or "", not ran.error, (), plan, code, (), ran, answer, unfounded, error=ran.error)
    return _answered(result, began)


async def execute_code_task(
    query: str,
    context: str | None = None,
    file_paths: Sequence[str | Path] | None = None,
    *,
    workspace: Workspace | Path | str | None = None,
) -> dict[str, Any]:
    """Write, verify and run code for a query.

    Gives `success`, `code`, `output`, `error`, `execution_time`, `iterations`, `modifications`, `verification_history`.
    `PYTHON_CODE_ENABLED=false` refuses. With `PYTHON_CODE_ALLOW_PARTIAL_EXECUTION=true` code that only the reviewer
    still faults is run, and the fault is told in `error`.
    """
    if os.environ.get("PYTHON_CODE_ENABLED", "true").lower() in ("0", "false", "no"):
        return _task(time.monotonic(), error="running code is switched off (PYTHON_CODE_ENABLED)")
    return await asyncio.to_thread(_execute, query, context, file_paths, workspace)


def routes_to_code(query: str) -> bool:
    """Whether a query asks for code or for an analysis of data, by its words."""
    return _ROUTED.search(query) is not None


def _execute(
    query: str,
    context: str | None,
    file_paths: Sequence[str | Path] | None,
    workspace: Workspace | Path | str | None,
) -> dict[str, Any]:
    began = time.monotonic()
    try:
        tables = _named_files(file_paths or ())
        opened, own = _opened(workspace, tables)
        try:
            request = f"{query}\n{context}" if context else query
            asked = PlanRequest(request, tables=tuple(tables))
            with closing(sessions_of(opened)) as sessions:
                result = work_out(opened, sessions, asked)
            if not result.success and _partial_is_allowed(result):
                return _partial(result, opened, began)
        finally:
            if own:
                opened.close()
    except PandasMagicError as error:
        return _task(began, error=str(error))
    return _task(began, result)


def _opened(
    workspace: Workspace | Path | str | None, tables: Mapping[str, str | Path] | None = None
) -> tuple[Workspace, bool]:
    if isinstance(workspace, Workspace):
        if tables:
            raise UsageMistake("an open workspace has its tables already; give file_paths or the workspace, not both")
        return workspace, False
    given: dict[str, Any] = dict(tables or {})
    return Workspace.open(workspace, tables=given), True


def _named_files(paths: Sequence[str | Path]) -> dict[str, str | Path]:
    named: dict[str, str | Path] = {}
    for path in paths:
        name = identifier(Path(path).stem)
        if name in named:
            raise UsageMistake(f"two files are called {name}; rename one: {named[name]}, {path}")
        named[name] = path
    return named


def _answered(result: PlanResult, began: float) -> dict[str, Any]:
    tables = [choice.name for choice in result.choices]
    names = {f"df{number}": name for number, name in enumerate(tables, 1)}
    aliases = "".join(f"{alias} = {identifier(name)}\n" for alias, name in names.items())
    metadata = {
        "generated_code": aliases + result.code,
        "files": names,
        "selected_files": [{"file_name": c.name, "reason": c.reason} for c in result.choices],
        "plan": result.as_plan(),
        "output": result.ran.stdout,
        "execution_time": result.ran.seconds,
        "stage_seconds": dict(result.stage_seconds),
        "total_seconds": round(time.monotonic() - began, 3),
        "attempts": [attempt.to_dict() for attempt in result.attempts],
        "unfounded_numbers": list(result.unfounded),
        "error": result.error,
    }
    response = result.answer if result.success else f"Code execution failed: {result.error}"
    return {"response": response, "success": result.success, "plots": list(result.plots), "metadata": metadata}


def _failed(error: str, began: float, *, code: str = "") -> dict[str, Any]:
    metadata = {"error": error, "generated_code": code, "total_seconds": round(time.monotonic() - began, 3)}
    return {"response": f"The query was not answered: {error}", "success": False, "plots": [], "metadata": metadata}


def _task(began: float, result: PlanResult | None = None, *, error: str = "") -> dict[str, Any]:
    attempts = result.attempts if result else ()
    return {
        "success": result.success if result else False,
        "code": result.code if result else "",
        "output": _output(result) if result else "",
        "error": (result.error if result else error) or None,
        "execution_time": round(time.monotonic() - began, 3),
        "iterations": len(attempts),
        "modifications": _modifications(attempts),
        "verification_history": [
            {"iteration": n, "stage": a.stage, "passed": not a.problem, "issues": [a.problem] if a.problem else []}
            for n, a in enumerate(attempts, 1)
        ],
    }


def _output(result: PlanResult) -> str:
    shown = "" if result.result is None else str(result.result)
    return "\n".join(part for part in (result.ran.stdout.rstrip("\n"), shown) if part)


def _modifications(attempts: Sequence[CodeVersion]) -> list[str]:
    """What each new version of the code mended, with the size of the change."""
    told = []
    for before, after in pairwise(attempts):
        diff = difflib.ndiff(before.code.splitlines(), after.code.splitlines())
        changed = sum(line.startswith(("+ ", "- ")) for line in diff)
        told.append(f"Fixed: {before.problem} ({changed} lines changed)")
    return told


def _partial_is_allowed(result: PlanResult) -> bool:
    allowed = os.environ.get("PYTHON_CODE_ALLOW_PARTIAL_EXECUTION", "").lower() in ("1", "true", "yes")
    return allowed and bool(result.attempts) and result.attempts[-1].stage == "review"


def _partial(result: PlanResult, workspace: Workspace, began: float) -> dict[str, Any]:
    """Run what only the reviewer faults; the static checks have passed."""
    chosen = {choice.name: workspace.catalog.schema(choice.name) for choice in result.choices}
    frames = {name: workspace.catalog.frame(name) for name in columns_read(result.code, chosen)}
    ran = run_plan(workspace.runner, result.code, frames, request=result.request)
    task = _task(began, result)
    shown = PlanResult(result.request, not ran.error, result.choices, ran=ran)
    note = f"run although {result.attempts[-1].problem}"
    return task | {"success": not ran.error, "output": _output(shown), "error": ran.error or note}

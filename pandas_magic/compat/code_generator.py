"""The code generator's Python interface, with its exact keys, over one workspace."""

import asyncio
import difflib
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

from pandas_magic.checking.column_reads import columns_read
from pandas_magic.compat.opened import opened
from pandas_magic.constraints import identifier
from pandas_magic.errors import PandasMagicError, UsageMistake
from pandas_magic.plans.code_run import run_plan
from pandas_magic.plans.plan_records import CodeVersion, PlanRequest, PlanResult
from pandas_magic.plans.planning import sessions_of, work_out
from pandas_magic.workspace import Workspace


async def execute_code_task(
    query: str,
    context: str | None = None,
    file_paths: Sequence[str | Path] | None = None,
    *,
    workspace: Workspace | Path | str | None = None,
) -> dict[str, Any]:
    """Write, verify and run code for a query.

    Gives `success`, `code`, `output`, `error`, `execution_time`, `iterations`, `modifications`, `verification_history`.
    `code_enabled = false` (`PYTHON_CODE_ENABLED`) refuses. With `allow_partial` (`PYTHON_CODE_ALLOW_PARTIAL_EXECUTION`)
    code that only the reviewer still faults is run, and the fault is told in `error`.
    """
    return await asyncio.to_thread(_execute, query, context, file_paths, workspace)


def _execute(
    query: str,
    context: str | None,
    file_paths: Sequence[str | Path] | None,
    workspace: Workspace | Path | str | None,
) -> dict[str, Any]:
    began = time.monotonic()
    try:
        tables = _named_files(file_paths or ())
        with opened(workspace, tables) as at:
            request = f"{query}\n{context}" if context else query
            asked = PlanRequest(request, tables=tuple(tables))
            with closing(sessions_of(at)) as sessions:
                result = work_out(at, sessions, asked)
            if not result.success and at.settings.allow_partial and _only_reviewer_faults(result):
                return _partial(result, at, began)
    except PandasMagicError as error:
        return _task(began, error=str(error))
    return _task(began, result)


def _named_files(paths: Sequence[str | Path]) -> dict[str, str | Path]:
    named: dict[str, str | Path] = {}
    for path in paths:
        name = identifier(Path(path).stem)
        if name in named:
            raise UsageMistake(f"two files are called {name}; rename one: {named[name]}, {path}")
        named[name] = path
    return named


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


def _only_reviewer_faults(result: PlanResult) -> bool:
    return bool(result.attempts) and result.attempts[-1].stage == "review"


def _partial(result: PlanResult, workspace: Workspace, began: float) -> dict[str, Any]:
    """Run what only the reviewer faults; the static checks have passed."""
    chosen = {choice.name: workspace.catalog.schema(choice.name) for choice in result.choices}
    frames = {name: workspace.catalog.frame(name) for name in columns_read(result.code, chosen)}
    ran = run_plan(workspace.runner, result.code, frames, request=result.request)
    task = _task(began, result)
    shown = PlanResult(result.request, not ran.error, result.choices, ran=ran)
    note = f"run although {result.attempts[-1].problem}"
    return task | {"success": not ran.error, "output": _output(shown), "error": ran.error or note}

"""Running a plan's code in the confined kernel, and what it bound: a result, findings, a chart, pictures."""

import ast
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from kernel_sandbox import Display, Execution, Sandbox, SandboxError, SandboxUnavailable
from pandas_magic.catalog.table import Table
from pandas_magic.checking.executors import said_of
from pandas_magic.checking.found import failure
from pandas_magic.checking.partitions import said_before_reading
from pandas_magic.checking.runner import Runner
from pandas_magic.constraints import identifier
from pandas_magic.planner.model.told_numbers import Known
from pandas_magic.plans.bound_result import fetched_record, fetched_result
from pandas_magic.plans.plan_records import Ran
from pandas_magic.plans.result_charts import drawing_code, read_chart, with_founded_title
from pandas_magic.plans.watching import Watcher

_DRAWING_SECONDS = 60.0
_MOST_FINDINGS = 5
_MOST_CHARACTERS = 300  # of one finding
# What a person's own code finds beside `pd`, `np` and `now`.
_LIBRARIES = {"plt": "matplotlib.pyplot", "sns": "seaborn"}


def frames_read(runner: Runner, tables: Mapping[str, Table], watcher: Watcher) -> dict[str, pd.DataFrame]:
    """The tables as frames; before they are read, it is told where they will take much memory."""
    over = runner.settings.warn_bytes
    if said := said_before_reading(tables, dict.fromkeys(tables), over_bytes=over):
        watcher.stage("Reading", said)
    return {name: runner.catalog.frame(name) for name in tables}


def run_plan(
    runner: Runner,
    code: str,
    tables: Mapping[str, pd.DataFrame],
    *,
    request: str,
    by_person: bool = False,
) -> Ran:
    """Run the code on the tables. What fails is an answer with `error`.

    Numbers that neither the result nor the `request` holds are kept out of a chart's title. Code `by_person` finds
    libraries for pictures by their usual names, and need not bind a result.

    Raises: kernel_sandbox.SandboxUnavailable when the code could not be confined; KeyboardInterrupt.
    """
    sandbox = runner.bench.fresh_sandbox()
    instant = runner.instant()
    try:
        for name, frame in tables.items():
            sandbox.stage(identifier(name), frame)
        sandbox.stage_value("now", instant.local)
        if by_person and (imports := _imports(code)):
            sandbox.execute(imports)
        execution = sandbox.execute(code, wall_seconds=runner.settings.request_wall_seconds)
        if execution.status != "ok":
            return Ran(error=failure(execution), stdout=execution.stdout, seconds=execution.seconds)
        ran = _fetched(sandbox, execution, request, by_person=by_person)
        return replace(ran, notes=(*said_of(runner.settings.executor), *ran.notes))
    except SandboxUnavailable:
        raise
    except SandboxError as error:
        return Ran(error=str(error))


def _imports(code: str) -> str:
    """Code that imports the libraries whose usual names the code uses; the others would only cost time."""
    used = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    return "\n".join(
        f"try:\n    import {module} as {name}\nexcept ImportError:\n    pass"
        for name, module in _LIBRARIES.items()
        if name in used
    )


def _fetched(sandbox: Sandbox, execution: Execution, request: str, *, by_person: bool) -> Ran:
    images, figures = _images(execution), _figures(execution)
    bound, problem = fetched_result(sandbox)
    if not bound.has_result:
        unbound = f"the code bound no result: {problem}"
        ran = Ran(stdout=execution.stdout, images=images, figures=figures, seconds=execution.seconds)
        return replace(ran, notes=(unbound,)) if by_person else replace(ran, error=unbound)
    chart, remark = read_chart(fetched_record(sandbox, "chart"), bound.frame)
    notes = [*bound.notes, remark]
    # A picture that takes too long ends the process, and with it what has not been fetched.
    findings = _texts(fetched_record(sandbox, "findings"))
    if chart is not None:
        chart, remark = with_founded_title(chart, Known(bound.frame, bound.value, request))
        drawn = sandbox.execute(drawing_code(chart), wall_seconds=_DRAWING_SECONDS)
        images += _images(drawn)
        notes += [remark, "" if drawn.status == "ok" else f"no picture of the chart: {failure(drawn)}"]
    told = tuple(filter(None, notes))
    shown = Ran(bound.frame, bound.value, execution.stdout, images, figures, chart, findings)
    return replace(shown, seconds=execution.seconds, notes=told)


def _images(execution: Execution) -> tuple[Display, ...]:
    return tuple(shown for shown in execution.displays if shown.image)


def _figures(execution: Execution) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    return tuple((shown.mimetype, shown.figure) for shown in execution.displays if shown.figure is not None)


def _texts(findings: Any) -> tuple[str, ...]:  # noqa: ANN401 - any JSON value
    if not isinstance(findings, list):
        return ()
    texts = [" ".join(text.split())[:_MOST_CHARACTERS] for text in findings if isinstance(text, str)]
    return tuple(text for text in texts if text)[:_MOST_FINDINGS]

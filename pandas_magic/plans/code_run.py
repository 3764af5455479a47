"""Running a plan's code in the confined kernel, and what it bound: a result, findings, a chart, pictures."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from kernel_sandbox import Execution, FetchError, Sandbox, SandboxError, SandboxUnavailable
from pandas_magic.checking.finder import failure
from pandas_magic.checking.runner import Runner
from pandas_magic.constraints import identifier
from pandas_magic.planner.model.told_numbers import Known
from pandas_magic.plans.plan_records import Ran
from pandas_magic.plans.result_charts import drawing_code, read_chart, with_founded_title

MOST_SECONDS = 300.0
_DRAWING_SECONDS = 60.0
_MOST_FINDINGS = 5
_MOST_CHARACTERS = 300  # of one finding


def run_plan(
    runner: Runner,
    code: str,
    tables: Mapping[str, pd.DataFrame],
    *,
    request: str,
) -> Ran:
    """Run the code on the tables. What fails is an answer with `error`.

    Numbers that neither the result nor the `request` holds are kept out of a chart's title.

    Raises: kernel_sandbox.SandboxUnavailable when the code could not be confined; KeyboardInterrupt.
    """
    sandbox = runner.bench.fresh_sandbox()
    instant = runner.instant()
    try:
        for name, frame in tables.items():
            sandbox.stage(identifier(name), frame)
        sandbox.stage_value("now", instant.local)
        execution = sandbox.execute(code, wall_seconds=MOST_SECONDS)
        if execution.status != "ok":
            return Ran(error=failure(execution), stdout=execution.stdout, seconds=execution.seconds)
        return _fetched(sandbox, execution, request)
    except SandboxUnavailable:
        raise
    except SandboxError as error:
        return Ran(error=str(error))


def _fetched(sandbox: Sandbox, execution: Execution, request: str) -> Ran:
    images = _images(execution)
    frame, value, problem = _result(sandbox)
    if frame is None and value is None:
        error = f"the code bound no result: {problem}"
        return Ran(error=error, stdout=execution.stdout, images=images, seconds=execution.seconds)
    chart, remark = read_chart(_record(sandbox, "chart"), frame)
    notes = [remark]
    # A picture that takes too long ends the process, and with it what has not been fetched.
    findings = _texts(_record(sandbox, "findings"))
    if chart is not None:
        chart, remark = with_founded_title(chart, Known(frame, value, request))
        drawn = sandbox.execute(drawing_code(chart), wall_seconds=_DRAWING_SECONDS)
        images += _images(drawn)
        notes += [remark, "" if drawn.status == "ok" else f"no picture of the chart: {failure(drawn)}"]
    told = tuple(filter(None, notes))
    return Ran(frame, value, execution.stdout, images, chart, findings, seconds=execution.seconds, notes=told)


def _images(execution: Execution) -> tuple[bytes, ...]:
    return tuple(shown.image for shown in execution.displays if shown.image)


def _result(sandbox: Sandbox) -> tuple[pd.DataFrame | None, Any, str]:
    try:
        frame = sandbox.fetch_frame("result")
    except FetchError:
        try:
            return None, sandbox.fetch_record("result"), "it is null"
        except FetchError as error:
            return None, None, str(error)
    if isinstance(frame, pd.Series):
        frame = frame.to_frame()
    return frame, None, ""


def _record(sandbox: Sandbox, name: str) -> Any:  # noqa: ANN401 - any JSON value
    try:
        return sandbox.fetch_record(name)
    except FetchError:
        return None  # findings and charts are extras, and most code binds none


def _texts(findings: Any) -> tuple[str, ...]:  # noqa: ANN401 - any JSON value
    if not isinstance(findings, list):
        return ()
    texts = [" ".join(text.split())[:_MOST_CHARACTERS] for text in findings if isinstance(text, str)]
    return tuple(text for text in texts if text)[:_MOST_FINDINGS]

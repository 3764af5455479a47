"""Running a plan's code in the confined kernel, and what it bound: a result, findings, a chart, pictures."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from kernel_sandbox import FetchError, Sandbox, SandboxError, SandboxUnavailable
from pandas_magic.constraints import identifier
from pandas_magic.plans.charts import drawing_code, read_chart
from pandas_magic.plans.records import Ran
from pandas_magic.runner import Runner, failure

MOST_SECONDS = 300.0
_MOST_FINDINGS = 5
_MOST_CHARACTERS = 300  # of one finding


def run_plan(
    runner: Runner,
    code: str,
    tables: Mapping[str, pd.DataFrame],
    *,
    on_output: Callable[[str, str], None] | None = None,
) -> Ran:
    """Run the code on the tables. What fails is an answer with `error`.

    Raises: kernel_sandbox.SandboxUnavailable when the code could not be confined; KeyboardInterrupt.
    """
    sandbox = runner.bench.fresh_sandbox()
    instant = runner.instant()
    try:
        for name, frame in tables.items():
            sandbox.stage(identifier(name), frame)
        sandbox.stage_value("now", instant.local)
        execution = sandbox.execute(code, wall_seconds=MOST_SECONDS, on_output=on_output)
        if execution.status != "ok":
            return Ran(error=failure(execution), stdout=execution.stdout, seconds=execution.seconds)
        images = tuple(shown.image for shown in execution.displays if shown.image)
        return _fetched(sandbox, execution.stdout, images, execution.seconds)
    except SandboxUnavailable:
        raise
    except SandboxError as error:
        return Ran(error=str(error))


def _fetched(sandbox: Sandbox, stdout: str, images: tuple[bytes, ...], seconds: float) -> Ran:
    frame, value, problem = _result(sandbox)
    if frame is None and value is None:
        return Ran(error=f"the code bound no result: {problem}", stdout=stdout, images=images, seconds=seconds)
    findings = _record(sandbox, "findings")
    chart, remark = read_chart(_record(sandbox, "chart"), frame)
    notes = [remark] if remark else []
    if chart is not None:
        drawn = sandbox.execute(drawing_code(chart), wall_seconds=60.0)
        images += tuple(shown.image for shown in drawn.displays if shown.image)
        if drawn.status != "ok":
            notes.append(f"no picture of the chart: {failure(drawn)}")
    return Ran(frame, value, stdout, images, chart, _texts(findings), seconds=seconds, notes=tuple(notes))


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

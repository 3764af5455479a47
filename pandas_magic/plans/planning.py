"""A request worked out in a workspace: asked, answered, its pictures and result kept, its session continued."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pandas_magic.clock import run_id, timestamp
from pandas_magic.errors import UsageMistake
from pandas_magic.history.failing_rows import storable
from pandas_magic.planner import AUTO
from pandas_magic.planner.model.model import Model
from pandas_magic.planner.model.model_settings import Disclosure, ModelConfiguration, ModelLimits
from pandas_magic.plans.answers import result_schema
from pandas_magic.plans.pipeline import answer_request
from pandas_magic.plans.plan_records import PlanRequest, PlanResult, PlanSteps, Ran
from pandas_magic.plans.sessions import Sessions, Turn
from pandas_magic.plans.watching import Watcher
from pandas_magic.record import digest
from pandas_magic.settings import Settings
from pandas_magic.state import write_whole
from pandas_magic.workspace import Workspace

_BUDGET = re.compile(r"(?P<usd>\$\d+(?:\.\d+)?)|(?P<seconds>\d+(?:\.\d+)?)\s*s|(?P<tokens>\d+)(?:\s*tokens?)?")


@dataclass(frozen=True)
class Terms:
    """How one request departs from what is configured; "" and None: it does not."""

    model: str = ""
    budget: str = ""  # "20000" tokens, "$0.05", "60s", or several with commas
    disclosure: Disclosure | None = None


def sessions_of(workspace: Workspace) -> Sessions:
    """The sessions that are kept in the workspace."""
    return Sessions(workspace.journal.folder / "sessions")


def work_out(
    workspace: Workspace,
    sessions: Sessions,
    asked: PlanRequest,
    *,
    watcher: Watcher | None = None,
    output: str = "",
    terms: Terms | None = None,
) -> PlanResult:
    """The result of a request, with its pictures and its frame kept as artifacts and its turn in the session.

    Raises: what `answer_request` raises; UsageMistake where the settings switch requests off.
    """
    refuse_switched_off(workspace.settings)
    model = model_on(workspace, terms or Terms())
    # With tables named, those alone are read: a broken file elsewhere must not stand in the way.
    tables = workspace.catalog.schemas(asked.tables)
    earlier = sessions.current.told(asked.request, asked.cell)
    result = answer_request(asked, tables, workspace.runner, model, watcher=watcher, earlier=earlier, output=output)
    if result.success and asked.run:
        result = replace(result, plots=keep_result(workspace, result.ran))
    if result.plan is not None:
        sessions.add(_turn(asked, result, result.plan))
    return result


def refuse_switched_off(settings: Settings) -> None:
    """Raises: UsageMistake where no code is to be run for a request."""
    if not settings.code_enabled:
        raise UsageMistake("code for requests is switched off; set code_enabled (PYTHON_CODE_ENABLED) to run it")


def _turn(asked: PlanRequest, result: PlanResult, plan: PlanSteps) -> Turn:
    return Turn(
        at=timestamp(),
        request=asked.request,
        plan=plan,
        tables=tuple(choice.name for choice in result.choices),
        result_schema=result_schema(result.ran, result.code) if result.success and asked.run else {},
        code_digest=digest(result.code),
        artifacts=result.plots,
        cell=asked.cell,
        failed=not result.success,
    )


def model_on(workspace: Workspace, terms: Terms) -> Model | None:
    """The workspace's model, on the terms of one request; None when none is named, or the planner stays offline."""
    if workspace.settings.planner != AUTO and not terms.model:
        return None
    if terms == Terms():
        return workspace.model
    configuration = ModelConfiguration.load(workspace.base_dir, model=terms.model)
    if configuration is None:
        return None
    if terms.disclosure is not None:
        configuration = configuration.with_disclosure(terms.disclosure)
    if terms.budget:
        configuration = replace(configuration, limits=read_budget(terms.budget, configuration.limits))
    # Other terms are no other session: what it has spent goes on counting, for both.
    spent = workspace.model.budget.session if workspace.model is not None else None
    return Model(configuration, workspace.journal.folder, session=spent)


def read_budget(text: str, limits: ModelLimits) -> ModelLimits:
    """The limits with those of one request replaced.

    Raises: UsageMistake when a part is no budget.
    """
    for part in (part.strip() for part in text.split(",")):
        match = _BUDGET.fullmatch(part)
        if match is None:
            raise UsageMistake(f'a budget cannot be "{part}"; write tokens (20000), dollars ($0.05) or seconds (60s)')
        if match["usd"]:
            limits = replace(limits, request_usd=float(match["usd"][1:]))
        elif match["seconds"]:
            limits = replace(limits, request_seconds=float(match["seconds"]))
        else:
            limits = replace(limits, request_tokens=int(match["tokens"]))
    return limits


def keep_result(workspace: Workspace, ran: Ran) -> tuple[str, ...]:
    """Write the pictures, the figures (a bundle of mimetypes as JSON) and the result below the journal.

    The paths are those of pictures and figures, relative to the workspace.
    """
    name = run_id()
    folder = workspace.journal.folder / "artifacts" / name
    frame = ran.frame
    if frame is not None:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "result.parquet", lambda beside: storable(frame).to_parquet(beside))
    files = [(".png", shown.image) for shown in ran.images]
    files += [(".json", json.dumps({kind: figure}).encode()) for kind, figure in ran.figures]
    return tuple(_written(workspace.base_dir, folder, name, files))


def _written(base: Path, folder: Path, name: str, files: Sequence[tuple[str, bytes]]) -> list[str]:
    paths = []
    for number, (suffix, content) in enumerate(files):
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"plot_{number}_{name[-4:]}{suffix}"
        path.write_bytes(content)
        paths.append(str(path.relative_to(base)))
    return paths

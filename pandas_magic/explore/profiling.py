"""The one way to explore, for panel, magic and terminal; and the Python interface: one function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from os import PathLike
from pathlib import Path
from typing import Protocol, TypedDict, Unpack

import pandas as pd

from pandas_magic.catalog.given import refuse_other_type
from pandas_magic.explore.advice import ModelAdvisor
from pandas_magic.explore.delivery import Progress
from pandas_magic.explore.exploration import MAX_FOLLOW_UPS, Exploration
from pandas_magic.explore.exploration_request import ExplorationRequest
from pandas_magic.explore.repairing import Repairer
from pandas_magic.explore.report import Report
from pandas_magic.explore.subject import Subject, subject_of
from pandas_magic.planner import AUTO
from pandas_magic.planner.model.model import Model
from pandas_magic.planner.model.model_settings import ModelConfiguration
from pandas_magic.settings import Settings


class Surroundings(Protocol):
    """Where a table is explored: a workspace, or no more than a folder. `exploration_of` looks at both once."""

    @property
    def settings(self) -> Settings:
        """They say how the process is confined, and whether a model may be asked."""

    @property
    def model(self) -> Model | None:
        """The model that may choose probes and write; None: the rules do. Not looked at when it may not be asked."""


class Conduct(TypedDict, total=False):
    """What of an exploration's conduct a person decides; as in `Exploration`."""

    folder: Path | None
    confirmed: bool
    max_follow_ups: int
    metric: str
    on_progress: Progress
    on_report: Callable[[Report], None] | None


class _CurrentFolder:
    def __init__(self) -> None:
        self.settings = Settings.load(Path.cwd())

    @property
    def model(self) -> Model | None:
        configuration = ModelConfiguration.load(Path.cwd())
        return None if configuration is None else Model(configuration, None)


def exploration_of(
    subject: Subject, request: ExplorationRequest, *, around: Surroundings, **conduct: Unpack[Conduct]
) -> Exploration:
    """The exploration of a table, not begun yet: confined and advised as its surroundings say."""
    model = around.model if around.settings.planner == AUTO else None
    advisor = None if model is None else ModelAdvisor(model)
    repairer = None if model is None else Repairer(model, around.settings)
    isolation = around.settings.isolation
    return Exploration(subject, request, advisor=advisor, repairer=repairer, isolation=isolation, **conduct)


def profile(
    table: pd.DataFrame | str | Path,
    target: str | None = None,
    *,
    name: str | None = None,
    folder: str | Path | None = None,
    yes: bool = False,
    max_follow_ups: int = MAX_FOLLOW_UPS,
    inputs: Mapping[str, object] | None = None,
    constraints: Mapping[str, object] | None = None,
) -> Report:
    """The report of a DataFrame or of a file, found in a confined process.

    `inputs` and `constraints` are fields of the records of these names in `exploration_request`. With a `folder` the
    report and its pictures go below folder/artifacts, and a line into folder/runs_log.jsonl; else nothing is written.
    `yes` agrees to more than 200 columns.

    >>> report = profile(pd.DataFrame({"age": [31, 44, None, 29]}), name="people")
    >>> print(report.summary.sentences[0])
    "people" has 4 rows and 1 column (1 numeric).

    Raises: NoSuchName (target), TableUnreadable, NeedsConfirmation, ExplorationFailed, UsageMistake,
    kernel_sandbox.SandboxUnavailable.
    """
    _refuse_other_types(target=target, name=name, folder=folder, inputs=inputs, constraints=constraints)
    refuse_other_type("max_follow_ups", max_follow_ups, int)
    subject = subject_of(table, name)
    request = ExplorationRequest.of(str(subject.file or subject.name), target, inputs or {}, constraints or {})
    kept = None if folder is None else Path(folder)
    conduct: Conduct = {"folder": kept, "confirmed": yes, "max_follow_ups": max_follow_ups}
    with closing(exploration_of(subject, request, around=_CurrentFolder(), **conduct)) as exploration:
        return exploration.run()


def _refuse_other_types(**given: object) -> None:
    kinds = {"folder": (str, PathLike), "inputs": (Mapping,), "constraints": (Mapping,)}
    for what, value in given.items():
        refuse_other_type(what, value, *kinds.get(what, (str,)), type(None))

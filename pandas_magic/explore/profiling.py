"""The Python interface of the explorer: one function."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from pandas_magic.errors import UsageMistake
from pandas_magic.explore.advice import advised_by
from pandas_magic.explore.exploration import MAX_FOLLOW_UPS, Exploration
from pandas_magic.explore.exploration_request import Constraints, Inputs, Request
from pandas_magic.explore.report import Report
from pandas_magic.explore.subject import Subject
from pandas_magic.planner import AUTO
from pandas_magic.planner.model.model import Model
from pandas_magic.planner.model.model_settings import ModelConfiguration
from pandas_magic.settings import Settings


def profile(
    table: pd.DataFrame | str | Path,
    target: str | None = None,
    *,
    name: str | None = None,
    folder: str | Path | None = None,
    yes: bool = False,
    max_follow_ups: int = MAX_FOLLOW_UPS,
    inputs: dict[str, object] | None = None,
    constraints: dict[str, object] | None = None,
) -> Report:
    """The report of a DataFrame or of a file, found in a confined process.

    `inputs` and `constraints` take the fields of `request.Inputs` and `request.Constraints` (max_columns_to_explore,
    plot_limit, missing_threshold_pct; cpu, memory_mb, timeout_seconds). Without a `folder` nothing is written; with one
    the report and its pictures go below folder/artifacts, and a line into folder/runs_log.jsonl. `yes` agrees to more
    than 200 columns.

    >>> report = profile(pd.DataFrame({"age": [31, 44, None, 29]}), name="people")
    >>> print(report.summary.sentences[0])
    "people" has 4 rows and 1 column (1 numeric).

    Raises: NoSuchName (target), TableUnreadable, NeedsConfirmation, ExplorationFailed, UsageMistake,
    kernel_sandbox.SandboxUnavailable.
    """
    subject = _subject(table, name)
    # What comes from outside is checked by the record itself; its message names the field.
    asked = Inputs.model_validate({**(inputs or {}), "data_path": str(subject.file or subject.name), "target": target})
    request = Request(inputs=asked, constraints=Constraints.model_validate(constraints or {}))
    settings = Settings.load(Path.cwd())
    with advised_by(_model() if settings.planner == AUTO else None, subject.name, lambda _: None) as advisor:
        exploration = Exploration(
            subject,
            request,
            folder=None if folder is None else Path(folder),
            confirmed=yes,
            max_follow_ups=max_follow_ups,
            advisor=advisor,
            isolation=settings.isolation,
        )
        try:
            return exploration.run()
        finally:
            exploration.close()


def _model() -> Model | None:
    configuration = ModelConfiguration.load(Path.cwd())
    return None if configuration is None else Model(configuration, None)


def _subject(table: pd.DataFrame | str | Path, name: str | None) -> Subject:
    if isinstance(table, pd.DataFrame):
        return Subject(name or "table", frame=table)
    path = Path(table)
    if not path.is_file():
        raise UsageMistake(f"{path} is no file; give a DataFrame or the path of a table")
    return Subject(name or path.stem, file=path)

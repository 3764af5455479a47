"""`--report junit=results.xml --report github`: a run in the forms that other systems read."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pandas_magic.catalog.outputs import write_output
from pandas_magic.checking.result import Result
from pandas_magic.errors import PandasMagicError, UsageMistake, nearest_name
from pandas_magic.reporters import webhook
from pandas_magic.reporters.github import SUMMARY_VARIABLE, annotations
from pandas_magic.reporters.junit import junit
from pandas_magic.reporters.openlineage import openlineage
from pandas_magic.reporters.run_table import run_table
from pandas_magic.reporters.verdict_counts import verdicts_json

GITHUB, WEBHOOK = "github", "webhook"


@dataclass(frozen=True)
class Outcome:
    """A run as reports tell it."""

    results: tuple[Result, ...]
    not_run: tuple[str, ...]
    job: str  # what the run is called: the workspace's folder, or the notebook
    began: str  # ISO 8601, UTC, ending in Z


_FILES: dict[str, Callable[[Outcome], str]] = {
    "junit": lambda outcome: junit([result.run for result in outcome.results]),
    "markdown": lambda outcome: run_table(outcome.results, outcome.not_run),
    "json": lambda outcome: verdicts_json([result.run for result in outcome.results]),
    "openlineage": lambda outcome: openlineage(outcome.results, job=outcome.job, began=outcome.began),
}
KINDS = (*_FILES, GITHUB, WEBHOOK)


@dataclass(frozen=True)
class RequestedReport:
    """One report that was asked for. `path` is None where none is written."""

    kind: str
    path: Path | None = None


def parse_report(text: str) -> RequestedReport:
    """The report that `kind=PATH`, `github` or `webhook` asks for.

    Raises: UsageMistake naming the kinds.
    """
    kind, equals, path = text.partition("=")
    if kind not in KINDS:
        nearest = nearest_name(kind, KINDS)
        guess = f'. Did you mean "{nearest}"?' if nearest else ""
        raise UsageMistake(f'no report "{kind}"; there are {", ".join(KINDS)}{guess}')
    if kind in _FILES and not path:
        raise UsageMistake(f"the report {kind} needs a file: --report {kind}=PATH")
    if kind not in _FILES and equals:
        raise UsageMistake(f"the report {kind} takes no file: --report {kind}")
    return RequestedReport(kind, Path(path) if path else None)


def give_reports(reports: Sequence[RequestedReport], outcome: Outcome, *, webhook_address: str = "") -> list[str]:
    """Write and send every report. What could not be is told, one line each."""
    problems = []
    for report in reports:
        try:
            _give(report, outcome, webhook_address)
        except (PandasMagicError, OSError, ValueError) as error:
            problems.append(f"report {report.kind}: {error}")
    return problems


def _give(report: RequestedReport, outcome: Outcome, webhook_address: str) -> None:
    if report.path is not None:
        write_output(report.path, _FILES[report.kind](outcome))
    elif report.kind == GITHUB:
        sys.stdout.write(annotations(outcome.results))
        summary = os.environ.get(SUMMARY_VARIABLE)
        if summary:
            with Path(summary).open("a", encoding="utf-8") as file:
                file.write(run_table(outcome.results, outcome.not_run) + "\n")
    else:
        if not webhook_address:
            raise UsageMistake("no address; set PANDAS_MAGIC_WEBHOOK")
        webhook.post(webhook_address, webhook.message(outcome.results, outcome.not_run, title=outcome.job))

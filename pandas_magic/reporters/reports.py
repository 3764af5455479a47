"""`--report junit=results.xml --report github`: a run in the forms that other systems read."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pandas_magic.catalog.outputs import STATE, write_output
from pandas_magic.checking.result import Result
from pandas_magic.errors import PandasMagicError, UsageMistake, nearest_name
from pandas_magic.registry.rule_places import rule_places
from pandas_magic.reporters import webhook
from pandas_magic.reporters.alerts import Addresses, send_alerts
from pandas_magic.reporters.github import SUMMARY_VARIABLE, annotations
from pandas_magic.reporters.junit import junit
from pandas_magic.reporters.openlineage import openlineage
from pandas_magic.reporters.otel import send_telemetry
from pandas_magic.reporters.run_table import run_table
from pandas_magic.reporters.sarif import sarif
from pandas_magic.reporters.verdict_counts import verdicts_json

GITHUB, OPENLINEAGE, OTEL, ALERTS = "github", "openlineage", "otel", "alerts"
OF_WHOLE_TABLES = (OPENLINEAGE, OTEL, ALERTS)  # which would tell the verdict on a part as one on a table


@dataclass(frozen=True)
class Outcome:
    """A run as reports tell it."""

    results: tuple[Result, ...]
    not_run: tuple[str, ...]
    job: str  # what the run is called: the workspace's folder, or the notebook
    began: str  # ISO 8601, UTC, ending in Z
    base_dir: Path = Path()  # the workspace
    webhook: str = ""  # the setting: where runs are posted, and alerts of owners without an address; "": nowhere
    alerts: Mapping[str, str] = field(default_factory=dict)  # the setting: owner -> address
    origins: Mapping[str, str] = field(default_factory=dict)  # table -> its file or address, where one is known
    judged: Mapping[str, str] = field(default_factory=dict)  # check -> when it last gave PASS or FAIL


_FILES: dict[str, Callable[[Outcome], str]] = {
    "junit": lambda outcome: junit(outcome.results, outcome.not_run),
    "markdown": lambda outcome: run_table(outcome.results, outcome.not_run),
    "json": lambda outcome: verdicts_json([result.run for result in outcome.results], outcome.not_run),
    OPENLINEAGE: lambda outcome: openlineage(
        outcome.results, job=outcome.job, began=outcome.began, origins=outcome.origins
    ),
    "sarif": lambda outcome: _sarif(outcome),
}
_SENT: dict[str, Callable[[Outcome], None]] = {
    GITHUB: lambda outcome: _tell_github(outcome),
    "webhook": lambda outcome: _post(outcome),
    ALERTS: lambda outcome: send_alerts(
        outcome.results, Addresses(outcome.alerts, outcome.webhook), title=outcome.job, folder=outcome.base_dir / STATE
    ),
    OTEL: lambda outcome: send_telemetry(
        outcome.results, job=outcome.job, began=outcome.began, not_run=outcome.not_run, judged=outcome.judged
    ),
}
KINDS = (*_FILES, *_SENT)


@dataclass(frozen=True)
class RequestedReport:
    """One report that was asked for. `path` is None where none is written."""

    kind: str
    path: Path | None = None


def parse_report(text: str) -> RequestedReport:
    """The report that `kind=PATH`, or `kind` of one that is sent, asks for.

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


def give_reports(reports: Sequence[RequestedReport], outcome: Outcome) -> list[str]:
    """Write and send every report. What could not be is told, one line each."""
    problems = []
    for report in reports:
        try:
            _give(report, outcome)
        except (PandasMagicError, OSError, ValueError) as error:
            problems.append(f"report {report.kind}: {error}")
    return problems


def _give(report: RequestedReport, outcome: Outcome) -> None:
    if report.path is not None:
        write_output(report.path, _FILES[report.kind](outcome))
    else:
        _SENT[report.kind](outcome)


def _sarif(outcome: Outcome) -> str:
    ids = [result.run.check_id for result in outcome.results]
    places = rule_places(outcome.base_dir / "checks", ids)
    return sarif(outcome.results, outcome.not_run, places=places, base_dir=outcome.base_dir)


def _tell_github(outcome: Outcome) -> None:
    sys.stdout.write(annotations(outcome.results, outcome.not_run))
    summary = os.environ.get(SUMMARY_VARIABLE)
    if summary:
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(run_table(outcome.results, outcome.not_run) + "\n")


def _post(outcome: Outcome) -> None:
    if not outcome.webhook:
        raise UsageMistake("no address; set PANDAS_MAGIC_WEBHOOK")
    webhook.post(outcome.webhook, webhook.message(outcome.results, outcome.not_run, title=outcome.job))

"""`--report otel`: a run as OpenTelemetry, a span for it and one for each check, and gauges that a collector keeps.

Where to is said as for every OpenTelemetry program: `OTEL_EXPORTER_OTLP_ENDPOINT` and its like. Nothing that is sent
holds a value of a row, nor an error's text, which may quote one. docs/findings.md names every attribute and metric.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pandas_magic import __version__
from pandas_magic.checking.result import Result
from pandas_magic.clock import present
from pandas_magic.errors import UsageMistake
from pandas_magic.history.run import Verdict
from pandas_magic.reporters.webhook import NotPosted

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider

_NAME = "pandas_magic"
_NANOSECONDS = 1_000_000_000
_MISSING = "OpenTelemetry needs packages that are missing: pip install 'pandas-magic[otel]'"


def send_telemetry(
    results: Sequence[Result], *, job: str, began: str, not_run: Sequence[str] = (), judged: Mapping[str, str]
) -> None:
    """Send the run to the collector of the environment, by OTLP over HTTP. `judged` is as in `tell_metrics`.

    Raises: UsageMistake when the packages are missing; NotPosted when the collector did not take it.
    """
    try:
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import InMemoryMetricReader, MetricExportResult
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
        from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    except ImportError as error:
        raise UsageMistake(_MISSING) from error
    # Gathered first and exported here: processors and readers drop what their exporter says of its success.
    spans, reader, resource = InMemorySpanExporter(), InMemoryMetricReader(), _resource()
    tracing, metering = TracerProvider(resource=resource), MeterProvider([reader], resource=resource)
    tracing.add_span_processor(SimpleSpanProcessor(spans))
    tell_spans(tracing, results, job=job, began=began, not_run=not_run)
    tell_metrics(metering, results, judged=judged)
    measured, told = reader.get_metrics_data(), False
    with _quiet(), suppress(OSError):  # early releases raise what requests raises
        traced = OTLPSpanExporter().export(spans.get_finished_spans()) is SpanExportResult.SUCCESS
        told = traced and (not measured or OTLPMetricExporter().export(measured) is MetricExportResult.SUCCESS)
    tracing.shutdown()
    metering.shutdown()
    if not told:
        raise NotPosted(f"the collector at {_host()} was not told; set OTEL_EXPORTER_OTLP_ENDPOINT to one that answers")


def tell_spans(
    provider: TracerProvider, results: Sequence[Result], *, job: str, began: str, not_run: Sequence[str] = ()
) -> None:
    """One span for the run and one below it for each check. Only a check that could not be judged is an error."""
    from opentelemetry.trace import Status, StatusCode, set_span_in_context

    tracer = provider.get_tracer(_NAME, __version__)
    counts = {f"{_NAME}.run.{each.lower()}": sum(one.run.verdict is each for one in results) for each in Verdict}
    about: dict[str, str | int] = {f"{_NAME}.job": job, f"{_NAME}.run.not_run": len(not_run), **counts}
    whole = tracer.start_span(f"{_NAME}.run", start_time=_nanoseconds(began), attributes=about)
    for result in results:
        start = _nanoseconds(result.run.started_at)
        attributes = {f"{_NAME}.check.{name}": value for name, value in _facts(result).items()}
        below = set_span_in_context(whole)
        span = tracer.start_span(f"{_NAME}.check", below, start_time=start, attributes=attributes)
        if result.run.verdict is Verdict.ERROR:
            span.set_status(Status(StatusCode.ERROR, "it could not be judged"))
        span.end(start + int(result.run.seconds * _NANOSECONDS))
    whole.end(int(present().timestamp() * _NANOSECONDS))


def tell_metrics(provider: MeterProvider, results: Sequence[Result], *, judged: Mapping[str, str]) -> None:
    """The gauges of each check. `judged` says when each check last gave PASS or FAIL, this run included."""
    meter = provider.get_meter(_NAME, __version__)
    status = meter.create_up_down_counter(f"{_NAME}.check.status", "1", "1 for the verdict that it is, else 0")
    rows = meter.create_gauge(f"{_NAME}.check.rows", "{row}", "rows of the checked table")
    failing = meter.create_gauge(f"{_NAME}.check.failing_rows", "{row}", "rows that break the rule")
    duration = meter.create_gauge(f"{_NAME}.check.duration", "s", "how long the run took")
    staleness = meter.create_gauge(f"{_NAME}.check.staleness", "s", "since the check last gave PASS or FAIL")
    for result in results:
        run, facts = result.run, _facts(result)
        named = {f"{_NAME}.check.{name}": facts[name] for name in ("id", "severity", "owner", "table") if name in facts}
        for verdict in Verdict:
            status.add(int(run.verdict is verdict), {**named, f"{_NAME}.check.verdict": str(verdict)})
        duration.set(run.seconds, named)
        if run.rows is not None:
            rows.set(run.rows, named)
        if run.violation_count is not None and run.verdict.judges:
            failing.set(run.violation_count, named)
        if run.verdict.judges:
            staleness.set(0.0, named)
        elif run.check_id in judged:
            staleness.set(present().timestamp() - _moment(judged[run.check_id]), named)


def _facts(result: Result) -> dict[str, Any]:
    """What is said of a check, by the names after `pandas_magic.check.`; what is not known is left out."""
    run, check = result.run, result.compiled.check if result.compiled else None
    facts: dict[str, Any] = {
        "id": run.check_id,
        "verdict": str(run.verdict),
        "run_id": run.run_id,
        "failing_rows": run.violation_count if run.verdict.judges else None,
        "rows": run.rows,
        "not_judged": run.not_judged,
        "stale": bool(result.stale_reason),
        "confined": run.confined.isolation if run.confined else None,
    }
    if check is not None and result.compiled is not None:
        facts |= {"name": check.name, "rule": check.rule, "severity": check.severity, "owner": check.owner}
        facts |= {"tags": list(check.tags), "table": result.compiled.target}
    return {name: value for name, value in facts.items() if value not in (None, "", [])}


def _resource() -> Resource:
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource

    said = Resource.create()  # from the environment
    is_named = not str(said.attributes.get(SERVICE_NAME, "unknown_service")).startswith("unknown_service")
    return said if is_named else said.merge(Resource({SERVICE_NAME: _NAME}))


@contextmanager
def _quiet() -> Iterator[None]:
    """The exporters' own log kept from the terminal: it may quote the address, and what failed is said by us."""
    log = logging.getLogger("opentelemetry")
    before = log.propagate
    silent = logging.NullHandler()
    log.addHandler(silent)
    log.propagate = False
    try:
        yield
    finally:
        log.removeHandler(silent)
        log.propagate = before


def _host() -> str:
    address = os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318")
    try:
        return urlsplit(address).hostname or "that address"
    except ValueError:
        return "that address"


def _moment(iso: str) -> float:
    return datetime.fromisoformat(iso).timestamp()


def _nanoseconds(iso: str) -> int:
    return int(_moment(iso)) * _NANOSECONDS

"""Runs as spans and gauges: read back with the SDK's own exporters, and sent to a collector on this machine."""

import gzip
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from pandas_magic.checking.result import Result
from pandas_magic.errors import UsageMistake
from pandas_magic.history.run import Verdict
from pandas_magic.reporters.otel import send_telemetry, tell_metrics, tell_spans
from pandas_magic.reporters.webhook import NotPosted
from tests.pandas_magic.reporters.conftest import served

BEGAN = "2026-11-21T02:00:00Z"
JUDGED = {"CHK-001": "2026-11-21T08:00:00Z", "CHK-003": "2026-11-20T08:00:00Z"}


@dataclass
class Collector:
    """A collector of OpenTelemetry on this machine: what it was told at which path, and what it answers."""

    told: dict[str, bytes] = field(default_factory=dict)
    answer: int = 200

    def take(self, request: BaseHTTPRequestHandler, body: bytes) -> int:
        self.told[request.path] = gzip.decompress(body) if request.headers.get("Content-Encoding") == "gzip" else body
        return self.answer


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    collector = Collector()
    with served(collector.take) as port:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://user:secret@127.0.0.1:{port}")
        yield collector


@pytest.fixture
def results(make_result: Callable[..., Result], make_compiled: Callable[..., Any]) -> list[Result]:
    broken = make_compiled("CHK-003", owner="anna", severity="high")
    return [
        make_result(),
        make_result(Verdict.PASS, compiled=make_compiled("CHK-001")),
        make_result(Verdict.ERROR, compiled=broken, error="'secret@value.com'", summary="ERROR: 'secret@value.com'"),
    ]


def test_a_run_is_a_span_with_one_below_it_for_each_check(results: list[Result]) -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tell_spans(provider, results, job="shop", began=BEGAN, not_run=["CHK-004"])

    *checks, whole = exporter.get_finished_spans()
    assert whole.attributes == {
        "pandas_magic.job": "shop", "pandas_magic.run.not_run": 1, "pandas_magic.run.pass": 1,
        "pandas_magic.run.fail": 1, "pandas_magic.run.error": 1, "pandas_magic.run.skipped": 0,
    }  # fmt: skip
    assert {check.parent.span_id for check in checks if check.parent} == {whole.context.span_id}
    failed, passed, broken = checks
    assert dict(failed.attributes or {}) == {
        "pandas_magic.check.id": "CHK-002", "pandas_magic.check.verdict": "FAIL", "pandas_magic.check.rows": 1000,
        "pandas_magic.check.failing_rows": 2, "pandas_magic.check.run_id": "20261121T080000-abcdef",
        "pandas_magic.check.stale": False, "pandas_magic.check.confined": "landlock+seccomp",
        "pandas_magic.check.name": "Unknown users in events", "pandas_magic.check.severity": "medium",
        "pandas_magic.check.rule": "Flag events rows whose user_id is missing from users.",
        "pandas_magic.check.table": "events",
    }  # fmt: skip
    assert (failed.end_time or 0) - (failed.start_time or 0) == 250_000_000
    assert [check.status.is_ok for check in checks] == [True, True, False]
    assert "secret@value.com" not in "".join(span.to_json() for span in (failed, passed, broken, whole))


def test_gauges_tell_the_verdict_the_rows_and_since_when_a_check_was_not_judged(results: list[Result]) -> None:
    reader = InMemoryMetricReader()
    tell_metrics(MeterProvider([reader]), results, judged=JUDGED)

    data = reader.get_metrics_data()
    assert data is not None
    metrics = {each.name: each for each in data.resource_metrics[0].scope_metrics[0].metrics}
    assert {name: metric.unit for name, metric in metrics.items()} == {
        "pandas_magic.check.status": "1", "pandas_magic.check.rows": "{row}", "pandas_magic.check.duration": "s",
        "pandas_magic.check.failing_rows": "{row}", "pandas_magic.check.staleness": "s",
    }  # fmt: skip
    points = {
        name: {(point.attributes or {})["pandas_magic.check.id"]: point for point in metric.data.data_points}
        for name, metric in metrics.items()
    }
    status = metrics["pandas_magic.check.status"].data.data_points
    facts = [(point.attributes or {}, point.value) for point in status]
    on = {said["pandas_magic.check.id"]: said["pandas_magic.check.verdict"] for said, value in facts if value == 1}
    assert (len(facts), on) == (12, {"CHK-002": "FAIL", "CHK-001": "PASS", "CHK-003": "ERROR"})
    # A check that was not judged has no count, and does not look fresh.
    assert {check: point.value for check, point in points["pandas_magic.check.failing_rows"].items()} == {
        "CHK-002": 2,
        "CHK-001": 0,
    }
    stale = {check: point.value for check, point in points["pandas_magic.check.staleness"].items()}
    assert (stale["CHK-002"], stale["CHK-001"], stale["CHK-003"] > 0) == (0, 0, True)
    assert (points["pandas_magic.check.rows"]["CHK-003"].attributes or {})["pandas_magic.check.owner"] == "anna"


def test_a_collector_gets_both_by_the_protocol(results: list[Result], collector: Collector) -> None:
    send_telemetry(results, job="shop", began=BEGAN, judged=JUDGED)

    traces = ExportTraceServiceRequest.FromString(collector.told["/v1/traces"])
    measured = ExportMetricsServiceRequest.FromString(collector.told["/v1/metrics"])
    (resource,) = traces.resource_spans
    named = {each.key: each.value.string_value for each in resource.resource.attributes}
    assert named["service.name"] == "pandas_magic"
    assert [span.name for span in resource.scope_spans[0].spans] == ["pandas_magic.check"] * 3 + ["pandas_magic.run"]
    assert len(measured.resource_metrics[0].scope_metrics[0].metrics) == 5


def test_a_collector_that_refuses_or_is_not_there_is_said_without_its_address(
    results: list[Result], collector: Collector, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    collector.answer = 400
    with pytest.raises(
        NotPosted, match=r"^the collector at 127\.0\.0\.1 was not told; set OTEL_EXPORTER_OTLP_ENDPOINT"
    ):
        send_telemetry(results, job="shop", began=BEGAN, judged={})
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    with pytest.raises(NotPosted):
        send_telemetry(results, job="shop", began=BEGAN, judged={})
    assert capsys.readouterr() == ("", "")


def test_missing_packages_are_one_line(results: list[Result], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(UsageMistake, match=r"pip install 'pandas-magic\[otel\]'"):
        send_telemetry(results, job="shop", began=BEGAN, judged={})

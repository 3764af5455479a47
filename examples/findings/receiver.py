"""A receiver on this machine for what a run sends: alerts, messages to a chat, and OpenTelemetry. It prints what comes.

    python receiver.py 8900 &
    export PANDAS_MAGIC_WEBHOOK=http://127.0.0.1:8900/chat OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:8900
    pandas-magic run --report alerts --report otel

Needs for OpenTelemetry: pip install 'pandas-magic[otel]'.
"""

import gzip
import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer


class Receiver(BaseHTTPRequestHandler):
    """Prints each message that is posted, and answers that it has it."""

    def do_POST(self) -> None:
        """Called for each message."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        for line in told(self.path, body):
            print(self.path, line, flush=True)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing of the requests themselves."""


def told(path: str, body: bytes) -> Iterator[str]:
    """What was posted, in lines for people."""
    if path == "/v1/traces":
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            for span in resource.scope_spans[0].spans:
                said = {each.key: each.value.string_value for each in span.attributes if each.value.string_value}
                yield f"{span.name} {json.dumps(said)}"
    elif path == "/v1/metrics":
        from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest

        for resource in ExportMetricsServiceRequest.FromString(body).resource_metrics:
            yield from (metric.name for metric in resource.scope_metrics[0].metrics)
    else:
        yield from (block["text"]["text"] for block in json.loads(body)["blocks"])


if __name__ == "__main__":
    HTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()

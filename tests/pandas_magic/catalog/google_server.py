"""The little of Google Cloud Storage's JSON protocol that reading needs, over a folder of files.

A program of its own, since Arrow's client holds Python's lock while it waits. Run: python google_server.py FOLDER
"""

import json
import sys
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

FOLDER = Path(sys.argv[1])
_JSON = {"Content-Type": "application/json"}


class Google(BaseHTTPRequestHandler):
    """Buckets are the folders in FOLDER."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        bucket, _, key = unquote(parts.path).split("/b/")[-1].partition("/o")
        file = FOLDER / bucket / key.strip("/")
        if not key.strip("/") and file.is_dir():
            found = [facts(path, bucket) for path in files(bucket, asked.get("prefix", ""))]
            self.answer(200, json.dumps({"kind": "storage#objects", "items": found}).encode(), _JSON)
        elif not file.is_file():
            self.answer(404, json.dumps({"error": {"code": 404, "message": "none"}}).encode(), _JSON)
        elif asked.get("alt") == "media":
            self.answer(200, file.read_bytes())
        else:
            self.answer(200, json.dumps(facts(file, bucket)).encode(), _JSON)

    do_HEAD = do_GET

    def answer(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """A test's output is not the place."""


def files(bucket: str, prefix: str) -> list[Path]:
    root = FOLDER / bucket
    return sorted(path for path in root.rglob("*") if path.is_file() and str(path.relative_to(root)).startswith(prefix))


def facts(file: Path, bucket: str) -> dict[str, str]:
    moment = datetime.fromtimestamp(file.stat().st_mtime, UTC).isoformat().replace("+00:00", "Z")
    named = {"name": str(file.relative_to(FOLDER / bucket)), "bucket": bucket, "size": str(file.stat().st_size)}
    return {**named, "generation": "1", "updated": moment, "timeCreated": moment}


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Google)
    print(server.server_address[1], flush=True)
    server.serve_forever()

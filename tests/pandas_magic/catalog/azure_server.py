"""The little of Azure's blob protocol that reading needs, over a folder of files; whoever signs with the key may read.

A program of its own, since Arrow's client holds Python's lock while it waits. Run: python azure_server.py FOLDER KEY
"""

import base64
import hashlib
import hmac
import sys
from datetime import UTC, datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

FOLDER = Path(sys.argv[1])
KEY = base64.b64decode(sys.argv[2])
SIGNED = (
    "Content-Encoding", "Content-Language", "Content-Length", "Content-MD5", "Content-Type", "Date",
    "If-Modified-Since", "If-Match", "If-None-Match", "If-Unmodified-Since", "Range",
)  # fmt: skip
# Without them the client ends the process that it runs in.
FACTS = {
    "x-ms-blob-type": "BlockBlob",
    "x-ms-creation-time": "Thu, 01 Jan 2026 00:00:00 GMT",
    "x-ms-server-encrypted": "true",
}


class Azure(BaseHTTPRequestHandler):
    """Containers are the folders in FOLDER/ACCOUNT."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        account, _, rest = unquote(parts.path).lstrip("/").partition("/")
        container, _, key = rest.partition("/")
        folder = FOLDER / account / container
        if not self.is_signed(account):
            self.refuse(403, "AuthenticationFailed")
        elif not folder.is_dir():
            self.refuse(404, "ContainerNotFound")
        elif asked.get("action") == "getAccessControl":
            self.refuse(400, "HierarchicalNamespaceNotEnabled")
        elif asked.get("comp") == "list":
            self.answer(
                200, listing(folder, asked.get("prefix", ""), asked["delimiter"]), {"Content-Type": "application/xml"}
            )
        elif not key:
            self.answer(200)
        elif not (folder / key).is_file():
            self.refuse(404, "BlobNotFound")
        else:
            self.send_blob(folder / key)

    do_HEAD = do_GET

    def is_signed(self, account: str) -> bool:
        """Whether the request carries the signature of the key, as the documentation of "Shared Key" has it."""
        parts = urlsplit(self.path)
        said = [self.headers.get(name, "") for name in SIGNED]
        ours = sorted(f"{name.lower()}:{value}" for name, value in self.headers.items() if name.lower()[:5] == "x-ms-")
        asked = sorted(f"{name.lower()}:{','.join(sorted(values))}" for name, values in parse_qs(parts.query).items())
        text = "\n".join([self.command, *said, *ours, f"/{account}{parts.path}", *asked])
        signature = base64.b64encode(hmac.digest(KEY, text.encode(), hashlib.sha256)).decode()
        return self.headers.get("Authorization") == f"SharedKey {account}:{signature}"

    def send_blob(self, file: Path) -> None:
        content, facts = file.read_bytes(), {**headers(file), **FACTS}
        asked = self.headers.get("x-ms-range") or self.headers.get("Range")
        if asked is None:
            self.answer(200, content, facts)
            return
        first, _, last = asked.removeprefix("bytes=").partition("-")
        part = content[int(first) : int(last) + 1 if last else None]
        if not part:
            self.refuse(416, "InvalidRange")
            return
        facts["Content-Range"] = f"bytes {first}-{int(first) + len(part) - 1}/{len(content)}"
        self.answer(206, part, facts)

    def refuse(self, status: int, code: str) -> None:
        text = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>{code}</Message></Error>"
        kind = {"Content-Type": "application/xml"} if self.command != "HEAD" else {}
        self.answer(status, text.encode() if kind else b"", {"x-ms-error-code": code, **kind})

    def answer(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(body)), "x-ms-version": "2021-12-02"}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """A test's output is not the place."""


def headers(file: Path) -> dict[str, str]:
    stat = file.stat()
    moment = format_datetime(datetime.fromtimestamp(stat.st_mtime, UTC), usegmt=True)
    return {"ETag": f'"{stat.st_mtime_ns:x}"', "Last-Modified": moment, "Content-Type": "text/csv"}


def listing(folder: Path, prefix: str, delimiter: str) -> bytes:
    """The blobs whose names begin so, and in place of those with the delimiter behind it what stands before that."""
    named = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}
    found = {name: path for name, path in named.items() if name.startswith(prefix)}
    below = sorted(
        {name[: name.index(delimiter, len(prefix)) + 1] for name in found if delimiter in name[len(prefix) :]}
    )
    blobs = "".join(blob(name, path) for name, path in found.items() if delimiter not in name[len(prefix) :])
    blobs += "".join(f"<BlobPrefix><Name>{escape(name)}</Name></BlobPrefix>" for name in below)
    return (
        f'<?xml version="1.0" encoding="utf-8"?><EnumerationResults ContainerName="{escape(folder.name)}">'
        f"<Prefix>{escape(prefix)}</Prefix><Blobs>{blobs}</Blobs><NextMarker /></EnumerationResults>"
    ).encode()


def blob(name: str, file: Path) -> str:
    facts = headers(file)
    return (
        f"<Blob><Name>{escape(name)}</Name><Properties><Creation-Time>{facts['Last-Modified']}</Creation-Time>"
        f"<Last-Modified>{facts['Last-Modified']}</Last-Modified><Etag>{facts['ETag']}</Etag>"
        f"<Content-Length>{file.stat().st_size}</Content-Length><Content-Type>text/csv</Content-Type>"
        f"<BlobType>BlockBlob</BlobType></Properties></Blob>"
    )


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Azure)
    print(server.server_port, flush=True)
    server.serve_forever()

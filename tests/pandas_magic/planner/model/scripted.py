"""An OpenAI-compatible endpoint on loopback that does as it is told: ordered steps, one for each request.

It answers well, and in every way in which real servers are known not to.
"""

import json
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

_SCRIPT_OVER = {"message": "the script is over", "type": "script_error"}


@dataclass(frozen=True)
class Step:
    """One answer. The defaults are those of a good server."""

    text: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    error: Any = None  # the body's error object for a status from 400 on
    finish: str | None = "stop"
    refusal: str | None = None
    usage: dict[str, Any] | None = None  # None: counted from the texts
    choices: bool = True  # False: "choices": []
    raw: str | None = None  # the body, word for word
    hang_seconds: float = 0.0  # before answering
    reset_after: int | None = None  # the connection breaks after so many pieces
    end_after: int | None = None  # the stream ends after so many pieces, without a word
    garbage_after: int | None = None  # a piece that is no JSON
    stall_after: int | None = None  # nothing more after so many pieces
    error_after: int | None = None  # an error event after so many pieces
    piece: int = 7  # characters
    piece_seconds: float = 0.0  # between pieces


Script = Step | Callable[[dict[str, Any]], Step]


@dataclass
class Request:
    """One request as it arrived."""

    body: dict[str, Any]
    headers: dict[str, str]
    path: str

    @property
    def text(self) -> str:
        """All turns."""
        return "\n".join(message["content"] for message in self.body["messages"])


class ScriptedEndpoint:
    """Plays its steps in order, then `always` for ever; keeps every request."""

    def __init__(self, steps: Sequence[Script] = (), *, always: Script | None = None) -> None:
        self.steps: list[Script] = list(steps)
        self.always = always
        self.requests: list[Request] = []
        self.stopped = threading.Event()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopped.set()
        self._server.shutdown()
        self._server.server_close()

    def next_step(self, request: Request) -> Step:
        with self._lock:
            self.requests.append(request)
            step = self.steps.pop(0) if self.steps else self.always
        if callable(step):
            return step(request.body)
        return step or Step(status=400, error=_SCRIPT_OVER)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: object) -> None:
                pass

            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(length) or b"{}")
                step = endpoint.next_step(Request(body, dict(self.headers), self.path))
                try:
                    _play(self, step, body, endpoint.stopped)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

        return Handler


def _play(handler: BaseHTTPRequestHandler, step: Step, body: dict[str, Any], stopped: threading.Event) -> None:
    stopped.wait(step.hang_seconds) if step.hang_seconds else None
    if step.raw is not None:
        _send(handler, step.status, step.raw, step.headers)
    elif step.status >= 400:
        _send(handler, step.status, json.dumps({"error": step.error or {"message": "scripted"}}), step.headers)
    elif body.get("stream"):
        _stream(handler, step, body, stopped)
    elif step.reset_after is not None:
        _reset(handler)
    else:
        _send(handler, 200, json.dumps(_whole(step, body)), step.headers)


def _send(handler: BaseHTTPRequestHandler, status: int, body: str, headers: Mapping[str, str]) -> None:
    content = body.encode()
    handler.send_response(status)
    kind = "text/html" if body.startswith("<") else "application/json"
    for name, value in {"Content-Type": kind, "Content-Length": str(len(content)), **headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(content)


def _whole(step: Step, body: dict[str, Any]) -> dict[str, Any]:
    message = {"role": "assistant", "content": None if step.refusal else step.text, "refusal": step.refusal}
    choice = {"index": 0, "message": message, "finish_reason": step.finish, "logprobs": None}
    return {
        **_base(body, "chat.completion"),
        "choices": [choice] if step.choices else [],
        "usage": _usage(step, body),
    }


def _base(body: dict[str, Any], kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "created": 1, "model": body.get("model", ""), "object": kind}


def _usage(step: Step, body: dict[str, Any]) -> dict[str, Any]:
    sent, received = len(json.dumps(body.get("messages"))) // 4, max(1, len(step.text) // 4)
    return step.usage or {"prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received}


def _stream(handler: BaseHTTPRequestHandler, step: Step, body: dict[str, Any], stopped: threading.Event) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Connection", "close")
    handler.end_headers()
    handler.close_connection = True

    def event(content: object) -> None:
        handler.wfile.write(f"data: {json.dumps(content)}\n\n".encode())
        handler.wfile.flush()

    def piece(delta: dict[str, Any], finish: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        event({**_base(body, "chat.completion.chunk"), "choices": [choice] if step.choices else []})

    piece({"role": "assistant", "content": ""})
    for number, start in enumerate(range(0, len(step.text), step.piece)):
        if _breaks_off(handler, step, number, event, stopped):
            return
        piece({"content": step.text[start : start + step.piece]})
        time.sleep(step.piece_seconds)
    if step.refusal:
        piece({"refusal": step.refusal})
    piece({}, step.finish)
    if (body.get("stream_options") or {}).get("include_usage"):
        event({**_base(body, "chat.completion.chunk"), "choices": [], "usage": _usage(step, body)})
    handler.wfile.write(b"data: [DONE]\n\n")


def _breaks_off(
    handler: BaseHTTPRequestHandler,
    step: Step,
    number: int,
    event: Callable[[object], None],
    stopped: threading.Event,
) -> bool:
    """Do what the step says happens before this piece; whether that is the end of the stream."""
    if number == step.reset_after:
        _reset(handler)
    if number == step.stall_after:
        stopped.wait(30)
    if number == step.error_after:
        event({"error": step.error or {"message": "upstream is gone", "code": 502}})
    if number == step.garbage_after:
        handler.wfile.write(b"data: {not json\n\n")
    return number in (step.reset_after, step.end_after, step.error_after)


def _reset(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True
    handler.wfile.flush()
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    handler.connection.close()

"""Receivers on this machine: a chat's webhook, and whatever else takes what is posted."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

SECRET = "T0000/B0000/verysecretpath"

Answer = Callable[[BaseHTTPRequestHandler, bytes], int]


@contextmanager
def served(answer: Answer) -> Iterator[int]:
    """A server on the port that it gives; `answer` has the request with its body and says the status."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status = answer(self, self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


class Chat:
    """A webhook on this machine: what it was told, and what it answers."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self.answer = 200
        self.address = ""

    def take(self, request: BaseHTTPRequestHandler, body: bytes) -> int:
        self.told.append({"path": request.path, "content": json.loads(body)})
        return self.answer


@pytest.fixture
def chat() -> Iterator[Chat]:
    chat = Chat()
    with served(chat.take) as port:
        chat.address = f"http://127.0.0.1:{port}/{SECRET}"
        yield chat

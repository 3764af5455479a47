"""The five sockets of Jupyter, and the key: requests are opened here, answers signed."""

import json
from collections.abc import Iterator
from typing import Any

import zmq
from jupyter_client.jsonutil import json_default
from jupyter_client.session import Session

from kernel_sandbox.front.strict_json import Json, Refused

LINGER_MILLISECONDS = 1000
# Messages read from one socket before the others have their turn.
_AT_ONCE = 100
_KINDS = {"shell": zmq.ROUTER, "control": zmq.ROUTER, "stdin": zmq.ROUTER, "hb": zmq.REP, "iopub": zmq.XPUB}


class Channels:
    """The sockets of one connection, by name. `most_bytes` is the largest answer that is sent."""

    def __init__(self, connection: Json, *, most_bytes: int) -> None:
        self._session, self._most_bytes = Session(key=connection["key"].encode(), username="kernel"), most_bytes
        self._session.pack = _packed
        self._context: zmq.Context[Any] = zmq.Context()
        self.sockets = {name: _bound(self._context, kind, connection, name) for name, kind in _KINDS.items()}

    def close(self) -> None:
        """Close all, when what was sent is delivered."""
        self._context.destroy(linger=LINGER_MILLISECONDS)

    def read(self, channel: str) -> Iterator[Json]:
        """The requests that wait; what is no message, or not signed with the key, is passed over."""
        for _ in range(_AT_ONCE):
            try:
                frames = self.sockets[channel].recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            try:
                sender, parts = self._session.feed_identities(frames)
                message = self._session.deserialize(parts)
            except (ValueError, TypeError, LookupError):
                # Whoever sent it has no key, so there is nobody to tell.
                continue
            if all(isinstance(message[part], dict) for part in ("content", "metadata")):
                yield message | {"sender": sender}

    def beat(self) -> None:
        """Answer a heartbeat."""
        self.sockets["hb"].send(self.sockets["hb"].recv())

    def discard_answers(self) -> None:
        """Read what clients answer to questions, of which none was asked."""
        self.sockets["stdin"].recv_multipart()

    def welcome(self) -> None:
        """Tell a new client that it hears everything from now on."""
        event = self.sockets["iopub"].recv()
        if event[:1] == b"\x01":
            topic = event[1:].decode("utf-8", "replace")
            self.broadcast("iopub_welcome", {}, {"subscription": topic}, topic=topic.encode())

    def reply(self, request: Json, channel: str, content: Json, metadata: Json | None = None) -> None:
        """Answer a request.

        Raises: Refused when the answer is too large.
        """
        kind = request["msg_type"].removesuffix("_request") + "_reply"
        message = self._session.msg(kind, content, parent=request, metadata=metadata)
        frames = self._session.serialize(message, request["sender"])
        if len(frames[-1]) > self._most_bytes:
            raise Refused(f"an answer of {len(frames[-1]):,} bytes was dropped")
        self.sockets[channel].send_multipart(frames)

    def broadcast(self, kind: str, parent: Json, content: Json, *, topic: bytes | None = None) -> None:
        """Tell all clients."""
        identity = f"kernel.{self._session.session}.{kind}".encode() if topic is None else topic
        message = self._session.msg(kind, content, parent=parent)
        self.sockets["iopub"].send_multipart(self._session.serialize(message, identity or None))


def _packed(part: Json) -> bytes:
    # Halves of characters, which code may hold, have no other bytes than those of an escape.
    return json.dumps(part, default=json_default, allow_nan=False, separators=(",", ":")).encode("ascii")


def _bound(context: "zmq.Context[Any]", kind: int, connection: Json, name: str) -> "zmq.Socket[Any]":
    socket: zmq.Socket[Any] = context.socket(kind)
    socket.linger = LINGER_MILLISECONDS
    if kind == zmq.ROUTER:
        socket.router_handover = 1
    if kind == zmq.XPUB:
        socket.set(zmq.XPUB_VERBOSE, 1)
        # A client that reads slowly may lose no idle; how much is sent is bounded for each request.
        socket.sndhwm = 0
    socket.bind(f"ipc://{connection['ip']}-{connection[f'{name}_port']}")
    return socket

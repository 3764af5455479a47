"""The sockets of both sides of a relay, and how much they hold."""

from typing import Any

import zmq

from kernel_sandbox.front.envelopes import Json

# The largest part of a message; libzmq cuts off a kernel that sends a larger one.
FRAME_BYTES = 32 * 1024**2
LINGER_MILLISECONDS = 1000
_RECONNECT_MILLISECONDS = 5


def front_sockets(context: zmq.Context[Any], front: Json) -> "dict[str, zmq.Socket[Any]]":
    """The five sockets that clients connect to, by name."""
    kinds = {"shell": zmq.ROUTER, "control": zmq.ROUTER, "stdin": zmq.ROUTER, "hb": zmq.REP, "iopub": zmq.XPUB}
    return {name: _bound(context, kind, front, name) for name, kind in kinds.items()}


def back_sockets(context: zmq.Context[Any], back: Json) -> "dict[str, zmq.Socket[Any]]":
    """The sockets that connect to the kernel, by name."""
    kinds = {"iopub": zmq.SUB, "shell": zmq.DEALER, "control": zmq.DEALER}
    return {name: _connected(context, kind, back, name) for name, kind in kinds.items()}


def _bound(context: zmq.Context[Any], kind: int, connection: Json, name: str) -> "zmq.Socket[Any]":
    socket: zmq.Socket[Any] = context.socket(kind)
    socket.linger = LINGER_MILLISECONDS
    if kind == zmq.ROUTER:
        socket.router_handover = 1
    if kind == zmq.XPUB:
        socket.set(zmq.XPUB_VERBOSE, 1)
        # A client that reads slowly may lose no idle; how much is sent is bounded for each request.
        socket.sndhwm = 0
    socket.bind(_endpoint(connection, name))
    return socket


def _connected(context: zmq.Context[Any], kind: int, connection: Json, name: str) -> "zmq.Socket[Any]":
    socket: zmq.Socket[Any] = context.socket(kind)
    socket.linger = 0
    # Requests come from trusted clients; waiting for a busy kernel would hold up its output.
    socket.sndhwm = 0
    socket.maxmsgsize = FRAME_BYTES
    socket.reconnect_ivl = _RECONNECT_MILLISECONDS
    if kind == zmq.SUB:
        socket.subscribe(b"")
    socket.connect(_endpoint(connection, name))
    return socket


def _endpoint(connection: Json, name: str) -> str:
    port = connection[f"{name}_port"]
    if connection["transport"] == "ipc":
        return f"ipc://{connection['ip']}-{port}"
    return f"{connection['transport']}://{connection['ip']}:{port}"

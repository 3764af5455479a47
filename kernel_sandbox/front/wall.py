"""The relay's own locks: it parses what nobody trusts, so it keeps nothing but its sockets and its line."""

import encodings.idna
import html.entities
import json.scanner
import socket
import traceback
from pathlib import Path

import zmq.utils.monitor

from kernel_sandbox import locks
from kernel_sandbox.confined.bootstrap import try_the_lock
from kernel_sandbox.front.envelopes import Json
from kernel_sandbox.front.process import READY_WORD

# Libraries import these late, and then no file can be read any more.
IMPORTED_EARLY = (encodings.idna, html.entities, json.scanner, traceback, zmq.utils.monitor)


def lock(front: Json, back: Json, line: socket.socket) -> None:
    """Lock this process, with one thread so far, and say so on its line. `locks.finish` ends the making of sockets.

    Raises: OSError naming the lock that could not be set.
    """
    try:
        landlock_abi = locks.confine_relay(_folder(front), _folder(back))
        try_the_lock()
    except OSError as error:
        line.sendall(f"failed {error}".encode())
        raise
    line.sendall(f"{READY_WORD} {landlock_abi}".encode())


def _folder(connection: Json) -> str:
    return str(Path(connection["ip"]).parent)

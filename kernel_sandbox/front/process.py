"""The process of the front: forked by the keeper while that has read nothing and imported little."""

import json
import os
import signal
import socket
from typing import Any

from kernel_sandbox.policy import Policy

_CONNECTION_BYTES = 1 << 16


def main(side: int, line: socket.socket, policy: dict[str, Any], folder: str, *, renewable: bool) -> int:
    """Serve until the keeper or every client is gone: the status to end with. What goes wrong is told to the keeper."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    _point_standard_streams_at_nothing()
    try:
        return _serve(socket.socket(fileno=side), line, Policy.from_dict(policy), folder, renewable=renewable)
    except Exception as error:
        # Nobody else would ever hear of it: this process has no terminal.
        reason = f"{type(error).__name__}: {error}"[:2000]
        line.send(json.dumps({"op": "failed", "reason": reason}).encode())
        return 1


def _serve(side: socket.socket, line: socket.socket, policy: Policy, folder: str, *, renewable: bool) -> int:
    from kernel_sandbox.front import wall
    from kernel_sandbox.front.jupyter import Front

    word = side.recv(_CONNECTION_BYTES)
    if not word:
        return 0
    landlock_abi = wall.lock(folder) if policy.isolation != "none" else 0
    front = Front(json.loads(word), side, line, policy, renewable=renewable)
    if policy.isolation != "none":
        wall.finish()
    line.send(json.dumps({"op": "locked", "landlock_abi": landlock_abi}).encode())
    return front.serve()


def _point_standard_streams_at_nothing() -> None:
    # A front that was taken over by a message could write to the owner's terminal.
    nothing = os.open("/dev/null", os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    os.close(nothing)

"""The front's own locks: it parses what nobody trusts, so it keeps nothing but its sockets."""

import encodings.idna
import html.entities
import json.scanner
import traceback

import zmq.utils.monitor

from kernel_sandbox import locks
from kernel_sandbox.confined.bootstrap import try_the_lock

# Libraries import these late, and then no file can be read any more.
IMPORTED_EARLY = (encodings.idna, html.entities, json.scanner, traceback, zmq.utils.monitor)


def lock(folder: str) -> int:
    """Lock this process, with one thread so far; it may bind sockets in the folder: the version of Landlock.

    Raises: OSError naming the lock that could not be set.
    """
    landlock_abi = locks.confine_front(folder)
    try_the_lock()
    return landlock_abi


def finish() -> None:
    """Let no more sockets be made, now that those of the clients are bound."""
    locks.finish()

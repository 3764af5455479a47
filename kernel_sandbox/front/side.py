"""The owner's socket: tables and values come in as open files, frames and records go out the same way."""

import json
import os
import socket
from contextlib import suppress

from kernel_sandbox.front.conduct import Conductor
from kernel_sandbox.front.endings import Ending
from kernel_sandbox.front.link import KeeperLine
from kernel_sandbox.front.strict_json import Json
from kernel_sandbox.front.turns import Turn
from kernel_sandbox.policy import Limits

WORD_BYTES = 1 << 16
_TRANSFER_SECONDS = 60.0
_MAPPED = ("lend", "stage")
_TRANSFERS = (*_MAPPED, "bind", "frame", "record")


class Side:
    """What the owner asks beside Jupyter's protocol. Each request but interrupts and `renew` has one answer."""

    def __init__(self, line: socket.socket, conductor: Conductor, keeper: KeeperLine, limits: Limits) -> None:
        self._line, self._conductor, self._keeper, self._limits = line, conductor, keeper, limits
        self._awaiting = 0  # the request of who waits for a process
        self._stopped = ""

    def fileno(self) -> int:
        """The number of the socket."""
        return self._line.fileno()

    def read(self) -> bool:
        """Take one request: False when the owner has hung up."""
        try:
            word, files, _, _ = socket.recv_fds(self._line, WORD_BYTES, 1)
        except ConnectionResetError:
            word, files = b"", []
        if not word:
            return False
        self._take(json.loads(word), files[0] if files else None)
        return True

    def is_stopped(self, message_id: str) -> bool:
        """True for an execution that the owner stopped before it was heard of."""
        return bool(message_id) and message_id == self._stopped

    def conclude(self, turn: Turn, reply: Json | None, ending: Ending) -> None:
        """Answer a request of the owner."""
        if turn.file is not None:
            os.close(turn.file)
        told = {"fault": turn.fault or ("" if reply is not None else ending.reason), "died": ending.is_death}
        self._answer(turn.orders["id"], told)

    def look_for_admission(self) -> None:
        """Answer who waits for a process, if there is one now or there can be none."""
        if not self._awaiting:
            return
        confined, refused = self._conductor.confined, self._conductor.refused
        if confined is not None or refused is not None:
            waiting, self._awaiting = self._awaiting, 0
            self._answer(waiting, {"seen": confined.seen} if confined is not None else {"refused": refused})

    def _take(self, request: Json, file: int | None) -> None:
        match request["op"]:
            case "admit":
                if self._conductor.refused is not None:
                    self._conductor.renew()
                self._awaiting = request["id"]
                self.look_for_admission()
            case "renew":
                self._conductor.renew()
            case "interrupt":
                self._keeper.order("interrupt")
            case "stop":
                self._stop(request["execution"], again=request["again"])
            case op if op in _TRANSFERS:
                if op in _MAPPED and file is not None:
                    seen = os.fstat(file)
                    known_by = [seen.st_dev, seen.st_ino, seen.st_size, seen.st_ctime_ns]
                    self._keeper.order("room", bytes=request["file_bytes"], file=known_by)
                self._conductor.submit(Turn(self._limits, request, file=file, wall_seconds=_TRANSFER_SECONDS))

    def _stop(self, message_id: str, *, again: bool) -> None:
        self._stopped = message_id
        turn = self._conductor.turn
        if turn is None or (turn.message is not None and turn.header.get("msg_id") != message_id):
            return
        if again:
            turn.stop_cause = turn.stop_cause or "interrupted"
            self._keeper.order("kill", cause="interrupted")
        else:
            self._conductor.stop("interrupted")

    def _answer(self, request: int, content: Json) -> None:
        # An owner that is gone takes this process along in a moment.
        with suppress(BrokenPipeError, ConnectionResetError):
            self._line.send(json.dumps({"id": request, **content}).encode())

"""The front of one kernel: five sockets of Jupyter's clients on one side, the keeper and its process on the other.

Clients are trusted, the process is not: requests become frames, and every answer is made anew. The owner hands over
tables and takes them back on its own socket (`side`), in the same queue as everybody's requests.
"""

import socket
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import zmq

from kernel_sandbox.front import answer_fields
from kernel_sandbox.front.answers import Answers
from kernel_sandbox.front.channels import Channels
from kernel_sandbox.front.conduct import Conductor
from kernel_sandbox.front.endings import Ending
from kernel_sandbox.front.history import History, RunCell
from kernel_sandbox.front.introduction import kernel_info
from kernel_sandbox.front.link import KeeperLine
from kernel_sandbox.front.side import Side
from kernel_sandbox.front.strict_json import METADATA, Json, Refused
from kernel_sandbox.front.turns import Turn
from kernel_sandbox.policy import Policy


class Front:
    """All sides of one kernel. `connection` is what Jupyter writes into a connection file."""

    def __init__(
        self, connection: Json, side: socket.socket, line: socket.socket, policy: Policy, *, renewable: bool
    ) -> None:
        self._policy, self._renewable = policy, renewable
        self._channels = Channels(connection, most_bytes=2 * policy.limits.message_bytes)
        self._answers = Answers(self._channels)
        self._keeper = KeeperLine(line)
        self._conductor = Conductor(self._keeper, self._answers, policy.limits, renewable=renewable, listener=self)
        self._side = Side(side, self._conductor, self._keeper, policy.limits)
        self._history = History()
        self._count = 1
        self._number = 0
        self._leaving = self._aborting = False
        self._withdrawn: list[Json] = []
        self._poller = zmq.Poller()
        self._watched: tuple[int, ...] = ()
        sockets = self._channels.sockets
        self._actions: dict[Any, Callable[[], None]] = {
            sockets["control"]: lambda: self._read("control"),
            sockets["shell"]: lambda: self._read("shell"),
            sockets["hb"]: self._channels.beat,
            sockets["stdin"]: self._channels.discard_answers,
            sockets["iopub"]: self._channels.welcome,
            line.fileno(): self._conductor.take_event,
            side.fileno(): self._hear_owner,
        }
        for source in self._actions:
            self._poller.register(source, zmq.POLLIN)

    def serve(self) -> int:
        """Serve until the keeper ends, the process ends for good, or a client shuts the kernel down: the status."""
        self._channels.broadcast("status", {}, {"execution_state": "starting"})
        self._conductor.renew()
        try:
            while not (self._leaving or self._conductor.is_over):
                self._wait()
        except EOFError:
            # The keeper ends this process in a moment.
            return 0
        finally:
            self._channels.close()
        return 0

    def _wait(self) -> None:
        self._watch_process()
        for source, _ in self._poller.poll():
            if source in self._watched:
                self._hear_process()
            elif (act := self._actions.get(source)) is not None:
                act()
        self._side.look_for_admission()

    def _watch_process(self) -> None:
        confined = self._conductor.confined
        wanted = confined.descriptors if confined is not None else ()
        for descriptor in set(self._watched) - set(wanted):
            self._poller.unregister(descriptor)
        for descriptor in wanted:
            sends = confined is not None and confined.is_sending and descriptor == wanted[0]
            self._poller.register(descriptor, zmq.POLLIN | (zmq.POLLOUT if sends else 0))
        self._watched = wanted

    def _hear_process(self) -> None:
        confined = self._conductor.confined
        if confined is not None:
            confined.go_on()
        self._conductor.read()

    def _hear_owner(self) -> None:
        if not self._side.read():
            self._poller.unregister(self._side.fileno())

    # From the clients

    def _read(self, channel: str) -> None:
        for message in self._channels.read(channel):
            if message["msg_type"].endswith("_request"):
                self._take_request(message, channel)

    def _take_request(self, message: Json, channel: str) -> None:
        turn = self._turn_of(message)
        if turn is not None and turn.is_cell and self._aborting:
            self._withdrawn.append(message)
            return
        if turn is not None:
            self._conductor.submit(turn)
            return
        self._status(message, "busy")
        self._reply(message, channel, self._answer(message))
        self._status(message, "idle")

    def _turn_of(self, message: Json) -> Turn | None:
        content, limits = message["content"], self._policy.limits
        code = str(content.get("code", ""))
        match message["msg_type"]:
            case "execute_request":
                return self._cell(message, code)
            case "complete_request" | "inspect_request":
                cursor = content.get("cursor_pos")
                orders: Json = {"op": message["msg_type"].removesuffix("_request"), "code": code}
                orders |= {"cursor": len(code) if cursor is None else cursor}
                orders |= {"detail_level": content.get("detail_level", 0)}
            case "is_complete_request":
                orders = {"op": "is_complete", "code": code}
            case _:
                return None
        return Turn(limits, orders, message, plain=False)

    def _cell(self, message: Json, code: str) -> Turn:
        content, asked = message["content"], message["metadata"].get(METADATA, {})
        orders = {
            "op": "execute",
            "code": code,
            "silent": bool(content.get("silent")),
            "store_history": bool(content.get("store_history", True)) and not content.get("silent"),
            "user_expressions": content.get("user_expressions") or {},
        }
        wall_seconds = asked.get("wall_seconds") or self._policy.limits.wall_seconds
        turn = Turn(self._policy.limits, orders, message, plain=bool(asked.get("plain")), wall_seconds=wall_seconds)
        if self._side.is_stopped(str(message["header"].get("msg_id"))):
            turn.stop_cause = "interrupted"
        return turn

    def _answer(self, message: Json) -> Json:
        match message["msg_type"]:
            case "kernel_info_request":
                confined = self._conductor.confined
                return kernel_info(self._policy, confined.seen["layers"] if confined else None)
            case "history_request":
                return self._history.reply(message["content"])
            case "comm_info_request":
                return {"status": "ok", "comms": {}}
            case "interrupt_request":
                self._keeper.order("interrupt")
                return {"status": "ok"}
            case "shutdown_request":
                self._leaving = True
                content = {"status": "ok", "restart": message["content"].get("restart") is True}
                self._channels.broadcast("shutdown_reply", message["header"], content)
                return content
        return answer_fields.failure("NotOffered", f"a confined kernel answers no {message['msg_type']}")

    # Of the turns

    def begins(self, turn: Turn) -> None:
        """Called by the conductor before a turn is handed to the process."""
        if turn.message is None:
            return
        if not turn.plain:
            # A program that waits for its answer reads no more than it needs.
            self._status(turn.message, "busy")
        if turn.is_cell:
            if self._conductor.confined is not None and self._conductor.confined.number != self._number:
                self._number, self._count = self._conductor.confined.number, 1
            turn.count = self._count
            turn.began = datetime.now(UTC).isoformat()
            if not (turn.is_silent or turn.plain):
                shown = {"code": turn.orders["code"], "execution_count": turn.count}
                self._channels.broadcast("execute_input", turn.header, shown)

    def concludes(self, turn: Turn, reply: Json | None, ending: Ending) -> None:
        """Called by the conductor once for each turn, with the content of its last frame if there was one."""
        if turn.message is None:
            self._side.conclude(turn, reply, ending)
            return
        if ending.reason and not turn.plain:
            self._answers.note(turn, self._told(ending))
        if ending.is_death and not self._renewable:
            # The end of the kernel is the answer: clients see it, and start another one.
            return
        content = self._content(turn, reply, ending)
        fails = content["status"] == "error" and turn.is_cell and turn.message["content"].get("stop_on_error", True)
        # What has arrived by now was sent before anybody could know of the error.
        aborted = self._withdraw() if fails else []
        self._reply(turn.message, "shell", content, self._metadata(turn, ending))
        self._status(turn.message, "idle")
        for message in aborted:
            self._abort(message)

    def _told(self, ending: Ending) -> str:
        if not ending.is_death:
            return ending.reason
        return f"the kernel was ended: {ending.reason.rpartition(';')[0]}"

    def _content(self, turn: Turn, reply: Json | None, ending: Ending) -> Json:
        assert turn.message is not None

        def note(text: str) -> None:
            self._answers.note(turn, text)

        if reply is None:
            content = answer_fields.failure(
                "KernelEnded" if ending.is_death else "Refused", turn.fault or ending.reason
            )
        elif turn.is_cell:
            content = self._cell_content(turn, reply, note)
        elif turn.orders["op"] == "complete":
            content = answer_fields.complete_reply(reply, turn.orders["code"], turn.orders["cursor"])
        elif turn.orders["op"] == "inspect":
            content = answer_fields.inspect_reply(reply, note)
        else:
            content = answer_fields.is_complete_reply(reply)
        return content

    def _cell_content(self, turn: Turn, reply: Json, note: Callable[[str], None]) -> Json:
        count = answer_fields.count_of(reply, turn.count)
        self._count = count + 1
        if turn.orders["store_history"]:
            self._history.add(RunCell(count, turn.orders["code"], turn.result_text))
        content = answer_fields.execute_reply(reply, note)
        if (raised := turn.raised) is not None:
            error = {"status": "error", "ename": raised.name, "evalue": raised.text, "traceback": raised.trace}
            content |= error | {"user_expressions": {}}
        return content | {"execution_count": count}

    def _metadata(self, turn: Turn, ending: Ending) -> Json:
        if not turn.is_cell:
            return {}
        told: Json = {"status": ending.status, "reason": ending.reason, "dropped": turn.dropped, "fault": turn.fault}
        told["died"] = ending.is_death
        if turn.raised is not None:
            told |= {"error_line": turn.raised.line}
        return {"started": turn.began, METADATA: told}

    def _withdraw(self) -> list[Json]:
        self._withdrawn = [turn.message for turn in self._conductor.withdraw() if turn.message is not None]
        self._aborting = True
        self._read("shell")
        self._aborting = False
        return self._withdrawn

    def _abort(self, message: Json) -> None:
        self._status(message, "busy")
        self._reply(message, "shell", {"status": "aborted", "execution_count": self._count})
        self._status(message, "idle")

    def _reply(self, message: Json, channel: str, content: Json, metadata: Json | None = None) -> None:
        try:
            self._channels.reply(message, channel, content, metadata)
        except Refused as refused:
            self._channels.reply(
                message, channel, answer_fields.failure("ConfinedReplyRefused", str(refused)), metadata
            )

    def _status(self, message: Json, state: str) -> None:
        self._channels.broadcast("status", message["header"], {"execution_state": state})

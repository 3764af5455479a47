"""The relay of one confined Jupyter kernel: the sockets of both sides, and what passes between them.

A process of its own, forked by the supervisor. Clients are trusted, the kernel is not: requests pass as they are (but
for questions to the user, which are refused), and answers are made anew. A kernel that floods it makes it end by its
own memory limit, and then the supervisor ends the kernel.
"""

import json
import select
import signal
import socket
from collections.abc import Callable
from typing import Any

import zmq

from kernel_sandbox import locks
from kernel_sandbox.front.answer_fields import clean_broadcast, clean_metadata, clean_reply, refusal
from kernel_sandbox.front.bundles import NO_WIDGETS
from kernel_sandbox.front.envelopes import Json, Message, Refused, Seal, fresh_header
from kernel_sandbox.front.ledger import Ledger, Request
from kernel_sandbox.front.process import BANNER, CELL_BEGINS, CELL_ENDS, NOTE
from kernel_sandbox.front.sockets import FRAME_BYTES, LINGER_MILLISECONDS, back_sockets, front_sockets
from kernel_sandbox.front.wall import lock
from kernel_sandbox.policy import Policy

Context = zmq.Context[Any]
_ENDING_SECONDS, _WORD_BYTES = 1.0, 65536
# Messages read from one socket before the others have their turn.
_AT_ONCE = 100
_NOTE_PREFIX = "(confined kernel: "
KERNEL_CUT_OFF = 3


def main(front: Json, back: Json, policy: Policy, line: socket.socket) -> int:
    """Relay until the supervisor shuts its `line` down, perhaps with a reason: the status to end with."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    confined = policy.isolation != "none"
    if confined:
        lock(front, back, line)
    context = zmq.Context()
    try:
        return Relay(context, front, back, policy=policy, line=line).serve()
    finally:
        context.destroy(linger=LINGER_MILLISECONDS)


class Relay:
    """Both sides of one kernel."""

    def __init__(self, context: Context, front: Json, back: Json, *, policy: Policy, line: socket.socket) -> None:
        self._policy, self._limits, self._line = policy, policy.limits, line
        self._front_seal, self._back_seal = Seal(front["key"].encode()), Seal(back["key"].encode())
        self._session = fresh_header("", "")["msg_id"]
        self._ledger = Ledger()
        self._introductions: dict[str, str] = {}
        self._kernel_info: Json | None = None
        self._banner = ""
        self._poller = zmq.Poller()
        self._front, self._back = front_sockets(context, front), back_sockets(context, back)
        self._actions: dict[Any, Callable[[], None]] = {
            self._front["hb"]: lambda: self._front["hb"].send(self._front["hb"].recv()),
            self._front["stdin"]: self._discard_answers,
            self._front["iopub"]: self._welcome,
            self._back["iopub"]: lambda: self._read(self._back["iopub"], self._take_broadcast),
        }
        for name in ("shell", "control"):
            self._actions[self._back[name]] = self._reader(name)
        self._monitors = [one.get_monitor_socket(zmq.EVENT_DISCONNECTED) for one in self._back.values()]
        for source in (*self._actions, *self._monitors, line.fileno()):
            self._poller.register(source, zmq.POLLIN)

    def serve(self) -> int:
        """Pass messages on until told to stop (0) or until the kernel's connection ends (KERNEL_CUT_OFF)."""
        told = self._line.fileno()
        while True:
            ready = dict(self._poller.poll())
            if told in ready and not self._take_words():
                return 0
            for source, act in list(self._actions.items()):
                if source in ready:
                    act()
            if any(monitor in ready for monitor in self._monitors):
                # Either the kernel ended, and the supervisor is about to say so, or libzmq cut it off.
                while select.select([told], [], [], _ENDING_SECONDS)[0]:
                    if not self._take_words():
                        return 0
                self._drain()
                self._note_running(f"the kernel was ended: it sent more than {FRAME_BYTES:,} bytes at once")
                return KERNEL_CUT_OFF

    def _take_words(self) -> bool:
        """Show what the supervisor says, after what the kernel sent before: False when it hung up."""
        words = self._line.recv(_WORD_BYTES).decode("utf-8", "replace")
        self._drain()
        for word in words.splitlines():
            if word[:1] == BANNER:
                self._banner = word[1:]
            elif word[:1] == NOTE:
                self._note_running(word[1:])
        return bool(words)

    def _note_running(self, text: str) -> None:
        cell = self._ledger.current_cell
        if cell is not None and not cell.idle:
            self._note(cell, text)

    def _drain(self) -> None:
        for source in self._back.values():
            while source.poll(0):
                self._actions[source]()

    def _reader(self, channel: str) -> Callable[[], None]:
        def take(frames: list[bytes]) -> None:
            self._take_reply(channel, frames)

        return lambda: self._read(self._back[channel], take)

    def _read(self, source: "zmq.Socket[Any]", take: Callable[[list[bytes]], None]) -> None:
        for _ in range(_AT_ONCE):
            try:
                frames = source.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            try:
                take(frames)
            except Refused as refused:
                self._note(self._ledger.current_cell, str(refused))

    # From the clients

    def _open_to_clients(self) -> None:
        # Both sides are connected, and no byte of a client's code has reached the kernel yet.
        if self._policy.isolation != "none":
            locks.finish()
        for name in ("shell", "control"):
            self._actions[self._front[name]] = self._client_reader(name)
            self._poller.register(self._front[name], zmq.POLLIN)

    def _client_reader(self, channel: str) -> Callable[[], None]:
        def take(frames: list[bytes]) -> None:
            self._take_request(channel, frames)

        return lambda: self._read(self._front[channel], take)

    def _take_request(self, channel: str, frames: list[bytes]) -> None:
        message = self._front_seal.open(frames)
        if not message.kind.endswith("_request"):
            # Messages to widgets, and answers to questions that were never passed on.
            return
        content = message.content
        if message.kind == "execute_request":
            content = content | {"allow_stdin": False}
        request = self._ledger.enter(message, channel)
        if request.is_cell and request is self._ledger.current_cell:
            self._line.sendall(CELL_BEGINS)
        self._ask(channel, Message(message.header, message.parent_header, content, message.metadata))

    def _ask(self, channel: str, message: Message) -> None:
        self._back[channel].send_multipart(self._back_seal.frames(message))

    def _discard_answers(self) -> None:
        self._front["stdin"].recv_multipart()

    def _welcome(self) -> None:
        event = self._front["iopub"].recv()
        if event[:1] == b"\x01":
            topic = event[1:].decode("utf-8", "replace")
            self._broadcast("iopub_welcome", {}, {"subscription": topic}, topic.encode())

    # From the kernel

    def _take_reply(self, channel: str, frames: list[bytes]) -> None:
        message = self._back_seal.open(frames)
        request = self._ledger.find(message.parent_id)
        if request is None or request.channel != channel or request.replied or message.kind != request.reply_kind:
            raise Refused("an answer to no request was dropped")
        request.replied = True
        if self._ledger.leave(request):
            self._line.sendall(CELL_BEGINS if self._ledger.is_running else CELL_ENDS)
        note = self._noting(request)
        content = clean_reply(message.kind, message.content, note)
        if message.kind == "kernel_info_reply":
            content = self._first_kernel_info(message.content)
        if not request.identities:
            del self._introductions[channel]
            if not self._introductions:
                self._open_to_clients()
            return
        try:
            self._reply(request, message, content)
        except Refused as refused:
            self._reply(request, message, refusal(str(refused)))
        if request.held_idle is not None:
            self._end(request)

    def _reply(self, request: Request, message: Message, content: Json) -> None:
        metadata = clean_metadata(message.metadata)
        header = fresh_header(message.kind, self._session)
        frames = self._front_seal.frames(Message(header, request.header, content, metadata, request.identities))
        if len(frames[-1]) > 2 * self._limits.message_bytes:
            raise Refused(f"an answer of {len(frames[-1]):,} bytes was dropped")
        self._front[request.channel].send_multipart(frames)

    def _first_kernel_info(self, content: Json) -> Json:
        # What the kernel said of itself before it ran any code; later it could name another exporter or links.
        if self._kernel_info is None:
            self._kernel_info = content | {"banner": f"{content.get('banner', '')}\n{self._banner}"}
        return self._kernel_info

    def _take_broadcast(self, frames: list[bytes]) -> None:
        message = self._back_seal.open(frames)
        if message.kind == "iopub_welcome":
            if not self._introductions and self._kernel_info is None:
                self._introduce()
            return
        request = self._ledger.find(message.parent_id)
        if request is None:
            if message.parent_id or message.kind != "status":
                raise Refused("a message that belongs to no request was dropped")
            return
        if not request.identities:
            return
        if message.kind == "status":
            self._take_status(request, message)
        else:
            self._take_output(request, message)

    def _introduce(self) -> None:
        # On both channels, since an answer shows that a channel is connected, and later none can be.
        for channel in ("shell", "control"):
            message = Message(fresh_header("kernel_info_request", self._session), {}, {})
            self._introductions[channel] = message.header["msg_id"]
            self._ledger.enter(message, channel)
            self._ask(channel, message)

    def _take_status(self, request: Request, message: Message) -> None:
        if message.content.get("execution_state") != "idle":
            if request.counts_one_more() and not request.idle:
                self._broadcast("status", request.header, {"execution_state": "busy"})
        elif not request.idle:
            # An idle before the answer would make the client look away while code still runs.
            request.held_idle = message
            if request.replied:
                self._end(request)

    def _end(self, request: Request) -> None:
        request.idle, request.held_idle = True, None
        self._broadcast("status", request.header, {"execution_state": "idle"})

    def _take_output(self, request: Request, message: Message) -> None:
        if not request.counts_one_more():
            self._note(request, "messages beyond the first 50,000 were dropped")
            return
        content = clean_broadcast(message.kind, message.content, self._noting(request))
        if content is None:
            self._note(request, _dropped(message.kind))
            return
        if message.kind == "execute_input":
            content["code"] = request.code
        if "data" in content and not content["data"]:
            return
        if self._has_room(request, message.kind, content):
            self._broadcast(message.kind, request.header, content)

    def _has_room(self, request: Request, kind: str, content: Json) -> bool:
        limits = self._limits
        if kind == "stream":
            room = limits.output_bytes - request.text_bytes
            request.text_bytes += len(content["text"])
            if request.text_bytes > limits.output_bytes:
                content["text"] = content["text"][: max(room, 0)]
                self._note(request, f"the output after the first {limits.output_bytes:,} characters was dropped")
            return bool(content["text"])
        request.shown_bytes += len(json.dumps(content))
        if request.shown_bytes > 2 * limits.message_bytes:
            self._note(request, f"displays after the first {2 * limits.message_bytes:,} bytes were dropped")
            return False
        return True

    # Notes and broadcasts

    def _noting(self, request: Request) -> Callable[[str], None]:
        return lambda text: self._note(request, text)

    def _note(self, request: Request | None, text: str) -> None:
        if request is not None and request.is_cell and request.identities and request.is_news(text):
            self._broadcast("stream", request.header, {"name": "stderr", "text": f"{_NOTE_PREFIX}{text})\n"})

    def _broadcast(self, kind: str, parent: Json, content: Json, topic: bytes | None = None) -> None:
        identity = f"kernel.{self._session}.{kind}".encode() if topic is None else topic
        message = Message(fresh_header(kind, self._session), parent, content, {}, (identity,) if identity else ())
        self._front["iopub"].send_multipart(self._front_seal.frames(message))


def _dropped(kind: str) -> str:
    if kind.startswith("comm_"):
        return NO_WIDGETS
    return "a message of a type that is not passed on was dropped"

"""The confined process: it answers requests on its line, one at a time, until the line closes."""

import asyncio
import contextlib
import json
import mmap
import os
import signal
import socket
import sys
import threading
from types import FrameType
from typing import Any

from kernel_sandbox.confined.cells import CellRunner
from kernel_sandbox.confined.questions import QUESTIONS
from kernel_sandbox.confined.shell import ConfinedShell
from kernel_sandbox.confined.streams import CellText
from kernel_sandbox.confined.threads import ThreadOrigins
from kernel_sandbox.confined.wire import Kind, frame, receive_request

Request = dict[str, Any]


class Worker:
    """One line, one shell."""

    def __init__(self, line: socket.socket, shell: ConfinedShell, *, most_bytes: int) -> None:
        self._line, self._shell, self._most_bytes = line, shell, most_bytes
        self._lock = threading.Lock()
        self._plain = True
        self._interruptible = self._sending = self._interrupt_due = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._runner = CellRunner(shell)
        self._refused_characters = 0
        self._lent: mmap.mmap | None = None  # where columns of the table lie that comes next
        self._origins = ThreadOrigins()
        self._streams = [
            CellText(kind, self.send, is_late=self._origins.is_late) for kind in (Kind.STDOUT, Kind.STDERR)
        ]

    def send(self, kind: Kind, content: bytes = b"") -> None:
        """Send one frame, for the request to which this thread belongs."""
        if kind not in (Kind.STDOUT, Kind.STDERR):
            self.flush()
        if len(content) > self._most_bytes:
            content = f"{len(content):,} bytes were not sent: the limit is {self._most_bytes:,}".encode()
            kind = Kind.FAULT if kind == Kind.DONE else Kind.NOTE
        self._send(kind, content)

    def serve(self) -> None:
        """Answer requests until the other side hangs up, or the code asks to leave."""
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__ = self._streams  # type: ignore[misc] # they are text streams
        signal.signal(signal.SIGINT, self._on_interrupt)
        self._origins.follow()
        while not self._shell.leaving:
            try:
                request, file = self._next_request()
            except EOFError:
                return
            # What came in after the last flush of the request before.
            self.flush()
            self._plain = request.get("plain", True)
            self._origins.begin(request["request"])
            try:
                self._answer(request, file)
            finally:
                if file is not None:
                    with contextlib.suppress(OSError):
                        os.close(file)

    def flush(self) -> None:
        """Send what was written so far."""
        for stream in self._streams:
            # Code may have closed its streams.
            with contextlib.suppress(ValueError):
                stream.flush()

    def _next_request(self) -> tuple[Request, int | None]:
        # Tasks that a cell left behind go on while nothing else is asked for.
        if self._loop is not None and asyncio.all_tasks(self._loop):
            self._loop.run_until_complete(self._readable())
        request = receive_request(self._line)
        if self._loop is None:
            # Its files would be strange to whoever looks at the open files of a process before the first request.
            self._loop = self._runner.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self._loop)
        return request

    async def _readable(self) -> None:
        loop, ready = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._line, ready.set)
        try:
            await ready.wait()
        finally:
            loop.remove_reader(self._line)

    def _answer(self, request: Request, file: int | None) -> None:
        # How code could go on is found out by running parts of it, which may take for ever.
        question = QUESTIONS.get(request["op"])
        self._interruptible = question is not None
        try:
            if question is not None:
                content = question(self._shell, request)
            else:
                content = getattr(self, f"_do_{request['op']}")(request, file)
        except (Exception, KeyboardInterrupt) as error:
            self.send(Kind.FAULT, _one_line(error).encode("utf-8", "backslashreplace"))
        else:
            self._interruptible = False
            self.send(Kind.DONE, json.dumps(content, default=str).encode())

    def _do_execute(self, request: Request, file: int | None) -> Request:
        # A hostile cell may leave a trap for the next KeyboardInterrupt anywhere; the keeper's kill needs none.
        self._interruptible = True
        try:
            content = self._runner.run(request)
        except KeyboardInterrupt:
            content = self._runner.interrupted()
        finally:
            self._interruptible = False
        if self._refused_characters:
            note = f"{self._refused_characters} characters from threads of earlier cells were dropped"
            self._refused_characters = 0
            self.send(Kind.NOTE, note.encode())
        if self._runner.error is not None:
            self.send(Kind.ERROR, json.dumps(self._runner.error).encode())
        return content

    def _do_stage(self, request: Request, file: int) -> Request:
        from kernel_sandbox.tables.transfer import lent_frame, mapped_frame

        lent, self._lent = self._lent, None
        frame = mapped_frame(file) if lent is None else lent_frame(lent, file)
        self._shell.user_ns[request["name"]] = frame
        return {"rows": len(frame)}

    def _do_lend(self, request: Request, file: int) -> Request:
        from kernel_sandbox.tables.mapping import private_mapping

        self._lent = private_mapping(file)
        return {}

    def _do_bind(self, request: Request, file: int) -> Request:
        from kernel_sandbox.tables.plain_values import value_from_json

        with open(os.dup(file), "rb") as content:
            self._shell.user_ns[request["name"]] = value_from_json(json.load(content))
        return {}

    def _do_frame(self, request: Request, file: int) -> Request:
        from kernel_sandbox.tables.transfer import write_frame

        return {"rows": write_frame(self._variable(request["name"]), file, max_rows=request["max_rows"])}

    def _do_record(self, request: Request, file: int) -> Request:
        from kernel_sandbox.tables.plain_values import record_bytes

        content = record_bytes(self._variable(request["name"]), most_bytes=request["most_bytes"])
        with open(os.dup(file), "wb") as target:
            target.write(content)
        return {}

    def _variable(self, name: str) -> object:
        if name not in self._shell.user_ns:
            raise KeyError(f"there is no variable {name}")
        return self._shell.user_ns[name]

    def _send(self, kind: Kind, content: bytes) -> None:
        in_main = threading.current_thread() is threading.main_thread()
        with self._lock:
            # An interrupt in the middle of a frame would leave half of it on the line.
            self._sending = in_main
            # Looked at in here, so that whatever leaves after the end of its request is known to be late.
            if not (self._plain and self._origins.is_late()):
                self._line.sendall(frame(kind, self._origins.own(), content))
            elif kind in (Kind.STDOUT, Kind.STDERR):
                self._refused_characters += len(content.decode("utf-8", "replace"))
            if in_main and kind in (Kind.DONE, Kind.FAULT):
                self._origins.end()
            self._sending = False
        if in_main and self._interrupt_due:
            self._interrupt_due = False
            if self._interruptible:
                raise KeyboardInterrupt

    def _on_interrupt(self, number: int, at: FrameType | None) -> None:
        if self._sending:
            self._interrupt_due = True
        elif self._interruptible:
            raise KeyboardInterrupt


def _one_line(error: BaseException) -> str:
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    name = type(error).__name__
    return text if isinstance(error, KeyError | ValueError) and text else f"{name}: {text}"

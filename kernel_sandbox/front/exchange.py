"""One request and its answer: output, frames, deadlines and death of the process, waited for all at once.

The hot path of a check lies here: one poll over four descriptors, no sleeping, no thread. Deadlines and limits are the
keeper's work and hold even while this process is busy elsewhere.
"""

import os
import select
import socket
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from kernel_sandbox.confined.wire import request_bytes
from kernel_sandbox.front.execution import Collector
from kernel_sandbox.keeper.nursery import Kernel, Nursery
from kernel_sandbox.policy import Limits

_READ_BYTES = 1 << 16
# The keeper enforces deadlines; this much later it is itself taken for dead.
_KEEPER_PATIENCE_SECONDS = 10.0


@dataclass
class Deadlines:
    """How long one request may take; None for CPU time that is not counted."""

    wall_seconds: float
    cpu_seconds: float | None = None


@dataclass
class Conversation:
    """One request to one kernel. `converse` runs it to its end; `stop_cause` says whether we stopped it."""

    nursery: Nursery
    kernel: Kernel
    limits: Limits
    collector: Collector
    run: int
    stop_cause: str = ""
    interrupted: BaseException | None = None
    _began: float = field(default_factory=time.monotonic)

    def converse(self, request: dict[str, Any], file: int | None, deadlines: Deadlines) -> None:
        """Send the request and collect until it is answered or the kernel ends.

        An interrupt by the user interrupts the code, waits for its grace, kills it if need be, and is then kept in
        `interrupted` for the caller to raise.
        """
        self._began = time.monotonic()
        patience = deadlines.wall_seconds + 2 * self.limits.grace_seconds + _KEEPER_PATIENCE_SECONDS
        pending = memoryview(request_bytes(request))
        files = [] if file is None else [file]
        self.nursery.order(
            "run", self.kernel, run=self.run, wall_seconds=deadlines.wall_seconds, cpu_seconds=deadlines.cpu_seconds
        )
        if self.stop_cause:
            self.stop(self.stop_cause)  # by another thread, of a run that the keeper had not heard of yet
        while not self.over:
            try:
                while not self.over:
                    pending = self._step(pending, files, patience)
            except KeyboardInterrupt as interrupt:
                self._react(interrupt)
        self._settle()

    def await_greeting(self, patience: float) -> None:
        """Collect what a new process says first, then let it rest."""
        self._began = time.monotonic()
        nothing = memoryview(b"")
        while not self.over:
            self._step(nothing, [], patience)
        self._settle()

    @property
    def over(self) -> bool:
        """True when the request was answered or the kernel ended."""
        return self.collector.finished or self.kernel.ended is not None

    @property
    def past_deadline(self) -> bool:
        """True when the keeper interrupted this run at its deadline."""
        return self.kernel.deadline_run == self.run

    def _step(self, pending: memoryview, files: list[int], patience: float) -> memoryview:
        """Wait for anything, take it; return what is still to be sent."""
        kernel = self.kernel
        poller = select.poll()
        poller.register(self.nursery.control, select.POLLIN)
        poller.register(kernel.line, select.POLLIN | (select.POLLOUT if pending else 0))
        poller.register(kernel.output, select.POLLIN)
        poller.register(kernel.errors, select.POLLIN)
        ready = dict(poller.poll(1000 * patience))
        if not ready or time.monotonic() - self._began > patience:
            self.nursery.destroy()
        if ready.get(kernel.line.fileno(), 0) & select.POLLOUT:
            pending = self._send(pending, files)
        self._read_output()
        if ready.get(kernel.line.fileno(), 0) & ~select.POLLOUT:
            self._read_frames()
        if self.nursery.control.fileno() in ready:
            self.nursery.take_events()
        elif any(events & (select.POLLHUP | select.POLLERR) for events in ready.values()):
            self._await_end()
        if self.collector.excess and not self.stop_cause:
            self.stop("output")
        return pending

    def stop(self, cause: str) -> None:
        """Interrupt the code; the keeper kills it after its grace."""
        self.stop_cause = cause
        self.nursery.order("stop", self.kernel, cause=cause)

    def _react(self, interrupt: KeyboardInterrupt) -> None:
        if self.interrupted is None:
            self.interrupted = interrupt
            self.stop("interrupted")
        else:
            self.nursery.order("kill", self.kernel, cause="interrupted")

    def _send(self, pending: memoryview, files: list[int]) -> memoryview:
        try:
            if files:
                sent = socket.send_fds(self.kernel.line, [pending], files)
                files.clear()
            else:
                sent = self.kernel.line.send(pending)
        except BlockingIOError:
            return pending
        except (BrokenPipeError, ConnectionResetError):
            # Its end is on the way from the keeper.
            return memoryview(b"")
        return pending[sent:]

    def _read_output(self) -> None:
        for name, descriptor in (("stdout", self.kernel.output), ("stderr", self.kernel.errors)):
            with suppress(BlockingIOError):
                if chunk := os.read(descriptor, _READ_BYTES):
                    self.collector.take_text(name, chunk)

    def _read_frames(self) -> None:
        try:
            chunk = self.kernel.line.recv(_READ_BYTES)
        except (BlockingIOError, ConnectionResetError):
            return
        # What was printed before a display was sent is already in the pipe.
        self._read_output()
        try:
            for kind, request, content in self.kernel.frames.feed(chunk):
                self.collector.take_frame(kind, request, content)
        except ValueError as problem:
            self.collector.excess = str(problem)
            self.stop_cause = "output"
            self.nursery.order("kill", self.kernel, cause="output")
            self._await_end()

    def _await_end(self) -> None:
        """The process hung up: the keeper says why in a moment."""
        end = time.monotonic() + _KEEPER_PATIENCE_SECONDS
        self.nursery.order("kill", self.kernel, cause="")
        while self.kernel.ended is None:
            poller = select.poll()
            poller.register(self.nursery.control, select.POLLIN)
            if not poller.poll(max(0.0, end - time.monotonic()) * 1000):
                self.nursery.destroy()
            self.nursery.take_events()

    def _settle(self) -> None:
        """Take what is left in the pipes, and stop the process until the next request."""
        if self.kernel.ended is None:
            self.nursery.order("rest", self.kernel)
        for _ in range(2 + self.limits.output_bytes // _READ_BYTES):
            before = self.collector.received_bytes
            self._read_output()
            if self.collector.received_bytes == before:
                return

"""One confined process in the care of its keeper: deadlines, limits, stop and go, and the end."""

import os
import resource
import signal
import time
from contextlib import suppress
from typing import Any

from kernel_sandbox.keeper import workfolder
from kernel_sandbox.keeper.watch import Watch
from kernel_sandbox.locks import Places
from kernel_sandbox.locks.rlimits import ADDRESS_HEADROOM_BYTES
from kernel_sandbox.policy import Policy

Event = dict[str, Any]

_NO_DEADLINE = float("inf")


class Charge:
    """One child process. Signals go by pidfd, so a number used again by the system can never be hit."""

    def __init__(self, number: int, pid: int, policy: Policy, places: Places) -> None:
        self.number, self.pid, self.pidfd = number, pid, os.pidfd_open(pid)
        self.running = True
        self._limits, self._private = policy.limits, places.private
        self._watch = Watch(pid, policy.limits, (places.work, places.home))
        self._run = 0
        self._interrupt_at = self._kill_at = _NO_DEADLINE
        self._next_look = 0.0
        self._cause, self._seen, self._stop_cause = "", "", "wall"
        self._room_bytes = 0

    @property
    def cause(self) -> str:
        """Why it was ended from here; empty while it lives and when it ended by itself."""
        return self._cause

    @property
    def seen(self) -> str:
        """What was seen of it when it was over a limit: "180 MiB of memory, over the limit of 143"."""
        return self._seen

    def let_in(self) -> None:
        """It is locked, and may be given code: all limits hold from now on."""
        self._watch.count_files()

    def obey(self, order: dict[str, Any]) -> None:
        """Carry out one order of the front."""
        match order["op"]:
            case "run":
                self._begin(order)
            case "rest":
                self.rest()
            case "interrupt" if self.running:
                self._signal(signal.SIGINT)
            case "stop" if self.running:
                # A process at rest would keep the signal and be interrupted in its next request.
                self._stop(order["cause"])
            case "kill":
                self.kill(order.get("cause", "killed"))
            case "room":
                self._make_room(order["bytes"])
                self._watch.staged.add(tuple(order["file"]))

    def patience_seconds(self) -> float | None:
        """How long nothing needs to be looked at; None for a process at rest."""
        if not self.running or self._cause:
            return None
        return max(min(self._next_look, self._interrupt_at, self._kill_at) - time.monotonic(), 0.0)

    def enforce(self) -> list[Event]:
        """Look at deadlines and limits, and act: what the owner must know."""
        if not self.running or self._cause:
            return []
        now = time.monotonic()
        if now >= self._kill_at:
            self.kill(self._stop_cause)
        elif now >= self._interrupt_at:
            # The front asks for the interrupt, so that it knows of the deadline before the code can answer.
            self._interrupt_at, self._kill_at = _NO_DEADLINE, now + self._limits.grace_seconds
            return [{"event": "deadline", "run": self._run}]
        elif now >= self._next_look:
            self._look()
        return []

    def kill(self, cause: str) -> None:
        """End the process now. The first cause given is the one reported."""
        self._cause = self._cause or cause
        self._signal(signal.SIGKILL)

    def bury(self) -> Event:
        """Wait for the end of the process, remove its folder, and say how it ended."""
        _, status = os.waitpid(self.pid, 0)
        os.close(self.pidfd)
        problem = ""
        try:
            workfolder.remove(self._private)
        except OSError as error:
            problem = f"its private folder was not removed: {error}"
        code = os.waitstatus_to_exitcode(status)
        cause = self._cause or ("signal" if code < 0 else "exit")
        seen = self._seen or _described(code)
        return {"event": "ended", "kernel": self.number, "cause": cause, "seen": seen, "code": code, "problem": problem}

    def _begin(self, order: dict[str, Any]) -> None:
        now = time.monotonic()
        self._run = order["run"]
        wall_seconds = order.get("wall_seconds")
        self._interrupt_at = _NO_DEADLINE if wall_seconds is None else now + wall_seconds
        self._kill_at = _NO_DEADLINE
        self.running = True
        with suppress(ProcessLookupError):
            self._watch.begin(order.get("cpu_seconds"))
        # Cells in quick succession may not put the next look off.
        self._next_look = min(self._next_look, now + self._watch.pause_seconds)
        self._signal(signal.SIGCONT)

    def _stop(self, cause: str) -> None:
        self._interrupt_at = _NO_DEADLINE
        if self._kill_at == _NO_DEADLINE:
            self._stop_cause = cause
            self._kill_at = time.monotonic() + self._limits.grace_seconds
        self._signal(signal.SIGINT)

    def rest(self) -> None:
        """Stop the process until the next run: nothing of it goes on."""
        self._signal(signal.SIGSTOP)
        self.running = False
        self._interrupt_at = self._kill_at = _NO_DEADLINE

    def _look(self) -> None:
        # Of a process that is gone the pidfd tells in a moment.
        with suppress(ProcessLookupError):
            if excess := self._watch.excess():
                self._seen = self._watch.seen
                self.kill(excess)
        self._next_look = time.monotonic() + self._watch.pause_seconds

    def _make_room(self, more_bytes: int) -> None:
        self._room_bytes += more_bytes
        _, hard = resource.prlimit(self.pid, resource.RLIMIT_AS)
        wanted = self._limits.memory_bytes + ADDRESS_HEADROOM_BYTES + self._room_bytes
        bound = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.prlimit(self.pid, resource.RLIMIT_AS, (bound, hard))

    def _signal(self, number: signal.Signals) -> None:
        try:
            signal.pidfd_send_signal(self.pidfd, number)
        except ProcessLookupError:
            # It ended in the meantime; its end is reported by the pidfd.
            return


def _described(code: int) -> str:
    if code >= 0:
        return f"its process ended with status {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"its process was ended by {name}"

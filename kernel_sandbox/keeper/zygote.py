"""The parent of confined processes: it has imported what they need, forks them, watches their limits, ends them.

It runs none of their code, has no thread, and reads nothing that they say. It ends, with all its children and their
folders, as soon as its owner hangs up (`lease`), however the owner ended, or the front. Its children end with it
(PR_SET_PDEATHSIG).

Orders of the front come as JSON datagrams on `line`; events go back the same way:
    {"op": "locked", "landlock_abi": 7}        the front is ready to be looked at; before that no process is handed over
    {"op": "next", "wish": 2}                  end the present process → {"event": "born", …} + 3 files, or "refused",
                                               with the number of the last wish
    {"op": "run", "run": 7, …}                 the process goes on, under these deadlines
    {"op": "rest"}                             the process is stopped: nothing of it runs between two requests
    {"op": "stop", "cause": …}                 it is interrupted, and killed after its grace
    {"op": "interrupt"}                        it is interrupted
    {"op": "kill", "cause": …}                 → {"event": "ended", "cause": …, "seen": …}
    {"op": "room", "bytes": …, "file": …}      address space for a staged table, and what its file is known by
"""

import gc
import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from kernel_sandbox.confined.renderers import MATPLOTLIBRC
from kernel_sandbox.errors import SandboxUnavailable
from kernel_sandbox.keeper.attestation import attest_locks
from kernel_sandbox.keeper.keeping import Charge
from kernel_sandbox.keeper.newborn import DOCTOR, Newborn, Terms, bear
from kernel_sandbox.locks import FRONT_FILE_BYTES

ORDER_BYTES = 1 << 16
# The first figure would wait for the import; commands that end within seconds make none.
_IDLE_IMPORT_AFTER_MS = 2000
# A fork takes some 10 ms, in which no order is heard; who has just been answered mostly has the next request at hand.
_IDLE_SPAWN_AFTER_MS = 3


class Zygote:
    """One front's processes: the `_current` one, and a newborn one that is its spare or its successor.

    `front` is the process number of a front that must be looked at, None when that was done already.
    """

    def __init__(self, line: socket.socket, lease: socket.socket, terms: Terms, *, front: int | None) -> None:
        self._line, self._lease, self._terms, self._front = line, lease, terms, front
        self._current: Charge | None = None
        self._newborn: Newborn | None = None
        self._wish = 0  # the wish that waits for a process
        self._worked = False
        self._count = 0
        self._status = 0
        # Who takes no spare runs one long thing, such as an exploration, which such an import would hold up.
        draws = terms.renewable and terms.spare
        self._optional = ["matplotlib.pyplot", "matplotlib_inline.backend_inline"] if draws else []

    def serve(self) -> int:
        """Carry out orders until owner or front hangs up, then end everything: the status to end with."""
        signal.signal(signal.SIGINT, lambda *_: self._interrupt())
        try:
            while self._round():
                pass
        finally:
            self._end("closed")
            if self._newborn is not None:
                self._drop_newborn()
        return self._status

    def _round(self) -> bool:
        poller = select.poll()
        for source in (self._line, self._lease):
            poller.register(source, select.POLLIN)
        for charge in self._charges():
            poller.register(charge.pidfd, select.POLLIN)
        if self._newborn is not None and self._newborn.ready >= 0:
            poller.register(self._newborn.ready, select.POLLIN)
        ready = {descriptor for descriptor, _ in poller.poll(self._patience_ms())}
        if self._lease.fileno() in ready or (self._line.fileno() in ready and not self._take_order()):
            return False
        self._look_at_newborn(ready)
        current = self._current
        if current is not None and current.pidfd in ready:
            self._current = None
            self._report_end(current)
        for charge in self._charges():
            for event in charge.enforce():
                self._tell(event)
        self._hand_over()
        # While a process runs or locks itself, it is looked at in short intervals: none of them is an idle moment.
        if not ready and not any(charge.running for charge in self._charges()):
            self._use_idle_moment()
        return True

    def _charges(self) -> list[Charge]:
        newborn = [self._newborn.charge] if self._newborn is not None else []
        return newborn if self._current is None else [self._current, *newborn]

    def _patience_ms(self) -> float | None:
        waits = [1000 * wait for one in self._charges() if (wait := one.patience_seconds()) is not None]
        if waits:
            return max(min(waits), 0.5)
        if self._lacks_spare():
            return _IDLE_SPAWN_AFTER_MS
        return _IDLE_IMPORT_AFTER_MS if self._optional else None

    def _lacks_spare(self) -> bool:
        return self._terms.spare and self._worked and self._newborn is None

    def _use_idle_moment(self) -> None:
        if self._lacks_spare():
            self._bear()
        elif self._optional:
            while self._optional:
                _import_if_there(self._optional.pop(0))
            if self._newborn is not None:
                self._drop_newborn()  # the next spare has what was imported

    def _take_order(self) -> bool:
        try:
            message = self._line.recv(ORDER_BYTES)
        except ConnectionResetError:
            return False
        if not message:
            return False
        order = json.loads(message)
        match order["op"]:
            case "locked":
                if self._front is not None and self._terms.policy.isolation != "none":
                    attest_locks(self._front, order["landlock_abi"], file_bytes=FRONT_FILE_BYTES)
                self._front = None
            case "failed":
                raise SandboxUnavailable(f"the front ended: {order['reason']}", DOCTOR)
            case "next":
                self._end("renewed")
                self._wish = order["wish"]
            case _ if self._current is not None:
                self._worked |= order["op"] == "rest"
                self._current.obey(order)
        return True

    def _interrupt(self) -> None:
        # From whoever signals the keeper, as launchers do that know nothing of its front.
        if self._current is not None:
            self._current.obey({"op": "interrupt"})

    def _hand_over(self) -> None:
        """Give the front what it waits for, once both were looked at."""
        if not self._wish:
            return
        if self._newborn is None:
            self._bear()
        newborn = self._newborn
        if newborn is None or newborn.confinement is None or self._front is not None:
            return
        wish, self._wish, self._newborn, self._current = self._wish, 0, None, newborn.charge
        seen = newborn.confinement
        event = {"event": "born", "wish": wish, "kernel": newborn.charge.number, "pid": seen.pid, "layers": seen.layers}
        self._tell({**event, "landlock_abi": seen.landlock_abi, "isolation": seen.isolation}, newborn.files)
        newborn.close()

    def _bear(self) -> None:
        self._count += 1
        self._newborn = bear(self._count, self._terms)

    def _look_at_newborn(self, ready: set[int]) -> None:
        newborn = self._newborn
        if newborn is None:
            return
        if newborn.ready in ready:
            try:
                newborn.admit(self._terms)
            except SandboxUnavailable as refusal:
                self._drop_newborn()
                if self._wish:
                    wish, self._wish = self._wish, 0
                    self._tell({"event": "refused", "wish": wish, "reason": refusal.reason, "remedy": refusal.remedy})
                if not self._terms.renewable:
                    raise
                return
            if self._terms.renewable:
                newborn.charge.rest()
        elif newborn.charge.pidfd in ready:
            # A spare that ended by itself, or by a limit.
            self._drop_newborn()

    def _drop_newborn(self) -> None:
        newborn, self._newborn = self._newborn, None
        if newborn is not None:
            newborn.charge.kill("dropped")
            newborn.close()
            newborn.charge.bury()

    def _end(self, cause: str) -> None:
        charge, self._current = self._current, None
        if charge is not None:
            charge.kill(cause)
            charge.bury()

    def _report_end(self, charge: Charge) -> None:
        event = charge.bury()
        self._status = event["code"] if event["code"] >= 0 else 128 - event["code"]
        for words in (charge.cause and f"the confined kernel was ended: {event['seen']}", event["problem"]):
            if words and not self._terms.renewable:
                print(words, file=sys.stderr, flush=True)
        self._tell(event)

    def _tell(self, event: dict[str, Any], files: list[int] | None = None) -> None:
        # A front that is gone is seen in the next round.
        with suppress(BrokenPipeError, ConnectionResetError):
            socket.send_fds(self._line, [json.dumps(event).encode()], files or [])


def serve(line: socket.socket, lease: socket.socket, terms: Terms, *, front: int | None) -> int:
    """Import what confined processes need, then keep them: the status to end with."""
    os.environ.update(HOME=terms.root, TMPDIR=terms.root, MPLCONFIGDIR=terms.plot_cache or terms.root)
    if terms.renewable:
        os.environ["MATPLOTLIBRC"] = terms.root
        Path(terms.root, "matplotlibrc").write_text(MATPLOTLIBRC, encoding="utf-8")

    # What is imported stays for good: to look for garbage in it meanwhile takes a tenth of the time.
    gc.disable()
    from kernel_sandbox.confined import life

    life.prepare(terms.root, notebook=not terms.renewable)
    gc.enable()
    gc.collect()
    # Objects made so far are never touched by the collector again, so their pages stay shared with the children.
    gc.freeze()
    return Zygote(line, lease, terms, front=front).serve()


def _import_if_there(module: str) -> None:
    try:
        __import__(module)
    except ImportError:
        # Plotting is optional; code that asks for it gets the ImportError itself.
        return
    gc.collect()
    gc.freeze()

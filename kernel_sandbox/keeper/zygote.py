"""The parent of confined processes: it has imported what they need, forks them, watches their limits, ends them.

It runs none of their code. It lives in a session of its own and ends, with all its children and their folders, as soon
as its owner hangs up, however the owner ended. Its children end with it (PR_SET_PDEATHSIG).

Orders come as JSON datagrams on file descriptor `--control`; events go back the same way:
    {"op": "spawn", "kernel": 1} + 3 files     → {"event": "born", "kernel": 1, "pid": …, "work": …}, at an idle moment
    {"op": "hurry", "kernel": 1}                 its birth waits no longer
    {"op": "run", "kernel": 1, "run": 7, …}    the process goes on, under these deadlines
    {"op": "rest", "kernel": 1}                 the process is stopped: nothing of it runs between two requests
    {"op": "stop", "kernel": 1, "cause": …}     it is interrupted, and killed after its grace
    {"op": "kill", "kernel": 1}                 → {"event": "ended", "kernel": 1, "cause": …, "seen": …}
    {"op": "room", "kernel": 1, "bytes": …}     address space for a staged table
"""

import array
import gc
import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress
from typing import Any

from kernel_sandbox.confined import bootstrap
from kernel_sandbox.keeper import workfolder
from kernel_sandbox.keeper.keeping import Charge
from kernel_sandbox.policy import Policy

ORDER_BYTES = 1 << 16
_IDLE_IMPORT_AFTER_MS = 400
# A fork takes some 10 ms, in which no order is heard; who asks for a spare mostly has the next request at hand.
_IDLE_SPAWN_AFTER_MS = 3


class Zygote:
    """One owner's kernels. `policy` is the same for all; each gets its own work folder unless the policy names one."""

    def __init__(self, control: socket.socket, policy: Policy, root: str, readable: tuple[str, ...]) -> None:
        self._control = control
        self._policy, self._root, self._readable = policy, root, readable
        self._charges: dict[int, Charge] = {}
        self._unborn: dict[int, list[int]] = {}  # the files of kernels asked for
        self._optional = ["matplotlib.pyplot", "matplotlib_inline.backend_inline"]

    def serve(self) -> None:
        """Carry out orders until the owner hangs up, then end everything."""
        try:
            while self._round():
                pass
        finally:
            for charge in self._charges.values():
                charge.kill("closed")
                charge.bury()

    def _round(self) -> bool:
        poller = select.poll()
        poller.register(self._control, select.POLLIN)
        by_descriptor = {}
        for charge in self._charges.values():
            poller.register(charge.pidfd, select.POLLIN)
            by_descriptor[charge.pidfd] = charge
        ready = poller.poll(self._patience_ms())
        for descriptor, _ in ready:
            if descriptor == self._control.fileno():
                if not self._take_order():
                    return False
            elif descriptor in by_descriptor:
                self._report_end(by_descriptor[descriptor])
        for charge in self._charges.values():
            for event in charge.enforce():
                self._tell(event)
        if not ready and not any(charge.running for charge in self._charges.values()):
            self._use_idle_moment()
        return True

    def _use_idle_moment(self) -> None:
        if self._unborn:
            self._spawn(next(iter(self._unborn)))
        elif self._optional:
            _import_if_there(self._optional.pop(0))

    def _patience_ms(self) -> float | None:
        waits = [1000 * wait for charge in self._charges.values() if (wait := charge.patience_seconds()) is not None]
        if waits:
            return max(min(waits), 0.5)
        if self._unborn:
            return _IDLE_SPAWN_AFTER_MS
        return _IDLE_IMPORT_AFTER_MS if self._optional else None

    def _take_order(self) -> bool:
        files = array.array("i")
        message, ancillary, _, _ = self._control.recvmsg(ORDER_BYTES, socket.CMSG_SPACE(3 * files.itemsize))
        for _, _, content in ancillary:
            files.frombytes(content[: len(content) - len(content) % files.itemsize])
        if not message:
            return False
        order = json.loads(message)
        if order["op"] == "spawn":
            self._unborn[order["kernel"]] = list(files)
            return True
        if order["kernel"] in self._unborn:
            self._spawn(order["kernel"])
        if charge := self._charges.get(order["kernel"]):
            charge.obey(order)
        return True

    def _spawn(self, number: int) -> None:
        files = self._unborn.pop(number)
        work = self._policy.work or os.path.join(self._root, f"work-{number}")
        os.makedirs(work, mode=0o700, exist_ok=True)
        keeper_pid = os.getpid()
        pid = os.fork()
        if pid == 0:
            _live(self._policy, work, files, readable=self._readable, keeper_pid=keeper_pid)
        for descriptor in files:
            os.close(descriptor)
        self._charges[number] = Charge(number, pid, self._policy, work, removable=self._policy.work is None)
        self._tell({"event": "born", "kernel": number, "pid": pid, "work": work})

    def _report_end(self, charge: Charge) -> None:
        del self._charges[charge.number]
        self._tell(charge.bury())

    def _tell(self, event: dict[str, Any]) -> None:
        try:
            self._control.send(json.dumps(event).encode())
        except (BrokenPipeError, ConnectionResetError):
            # The owner is gone; the next round sees that it hung up.
            return


def _live(policy: Policy, work: str, files: list[int], *, readable: tuple[str, ...], keeper_pid: int) -> None:
    """The forked child: it never returns."""
    status = bootstrap.LOCK_FAILED_STATUS
    try:
        from kernel_sandbox.confined import worker

        status = worker.live(policy, work, files, readable=readable, keeper_pid=keeper_pid)
    finally:
        os._exit(status)


def _import_if_there(module: str) -> None:
    try:
        __import__(module)
    except ImportError:
        # Plotting is optional; code that asks for it gets the ImportError itself.
        return
    gc.collect()
    gc.freeze()


def main() -> None:
    """Entry of the process: `sys.argv` holds the control descriptor and, as JSON, the policy and where folders go.

    The private folder is made here, not by the owner: whoever makes it must outlive the owner to remove it.
    """
    descriptor, settings = int(sys.argv[1]), json.loads(sys.argv[2])
    control = socket.socket(fileno=descriptor)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Told to end, it ends as when its owner hangs up: no exception can come between a folder and its removal.
    signal.signal(signal.SIGTERM, lambda *_: _hang_up(control))
    root, _ = workfolder.private_root(settings["base"])
    try:
        _serve(control, Policy.from_dict(settings["policy"]), root, settings["plot_cache"] or root)
    except BrokenPipeError:
        # The owner ended before this process was ready.
        return
    finally:
        workfolder.remove(root)


def _hang_up(control: socket.socket) -> None:
    with suppress(OSError):
        control.shutdown(socket.SHUT_RDWR)


def _serve(control: socket.socket, policy: Policy, root: str, plot_cache: str) -> None:
    os.environ.update(HOME=root, TMPDIR=root, MPLCONFIGDIR=plot_cache)

    from kernel_sandbox.confined import worker

    worker.prepare(root)
    gc.collect()
    # Objects made so far are never touched by the collector again, so their pages stay shared with the children.
    gc.freeze()
    control.send(json.dumps({"event": "ready", "root": root}).encode())
    Zygote(control, policy, root, (plot_cache,)).serve()

"""Where a `Sandbox` gets its confined processes: one keeper process, asked over one socket.

The keeper (`zygote`) forks, watches and ends; this side only asks, and believes the keeper because the keeper runs none
of the confined code.
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from kernel_sandbox.confined import bootstrap
from kernel_sandbox.confined.wire import FrameBuffer
from kernel_sandbox.errors import SandboxDied, SandboxUnavailable, not_linux
from kernel_sandbox.keeper import workfolder
from kernel_sandbox.keeper.zygote import ORDER_BYTES
from kernel_sandbox.locks import bubblewrap
from kernel_sandbox.policy import Policy

_START_SECONDS = 60.0
_END_SECONDS = 5.0
# For a keeper that was asked to end while it was still importing, to remove its folder.
_REMOVAL_SECONDS = 10.0
DOCTOR = "Run: python -m kernel_sandbox doctor"


class Kernel:
    """One confined process as seen from here: its line, the ends of its output pipes, and how it ended, if it did."""

    def __init__(self, number: int, line: socket.socket, *, output: int, errors: int, cap_bytes: int) -> None:
        self.number, self.line, self.output, self.errors = number, line, output, errors
        self.frames = FrameBuffer(cap_bytes)
        self.pid = 0
        self.work = ""
        self.deadline_run = 0
        self.ended: dict[str, Any] | None = None

    def close(self) -> None:
        """Close this side of its line and pipes."""
        self.line.close()
        for descriptor in (self.output, self.errors):
            with suppress(OSError):
                os.close(descriptor)


class Nursery:
    """The keeper process and its kernels. Starting returns at once; the first `spawn` waits as long as it must."""

    def __init__(self, policy: Policy) -> None:
        if not sys.platform.startswith("linux"):
            raise not_linux()
        self._policy = policy
        # True when the keeper, and so every process it forks, lives in namespaces of bubblewrap.
        self.wrapped = bubblewrap.is_wanted(policy)
        self._root: list[str] = []  # known once the keeper is ready
        self._kernels: dict[int, Kernel] = {}
        self._count = 0
        self._ready = False
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the nursery
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = self._start(theirs.fileno())
        # Also for an owner who never closes: at the latest when the interpreter ends.
        self._end = weakref.finalize(
            self, _end, os.getpid(), self.control, self._process, log=self._log, root=self._root
        )

    def spawn(self) -> Kernel:
        """A new confined process, asked for; `Kernel.pid` is 0 until `take_events` saw its birth.

        Raises: SandboxUnavailable when the keeper did not start.
        """
        self._await_keeper()
        self._count += 1
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        output, their_output = os.pipe2(os.O_CLOEXEC)
        errors, their_errors = os.pipe2(os.O_CLOEXEC)
        kernel = Kernel(self._count, ours, output=output, errors=errors, cap_bytes=self._policy.limits.message_bytes)
        for descriptor in (ours.fileno(), output, errors):
            os.set_blocking(descriptor, False)
        self._kernels[kernel.number] = kernel
        files = [theirs.fileno(), their_output, their_errors]
        try:
            self.order("spawn", kernel, files=files)
        finally:
            theirs.close()
            os.close(their_output)
            os.close(their_errors)
        return kernel

    def order(self, op: str, kernel: Kernel, *, files: list[int] | None = None, **details: Any) -> None:  # noqa: ANN401 - JSON
        """Tell the keeper what to do with a kernel. A keeper that is gone shows as the end of every kernel."""
        message = json.dumps({"op": op, "kernel": kernel.number, **details}).encode()
        with suppress(BrokenPipeError, ConnectionResetError):
            if files:
                socket.send_fds(self.control, [message], files)
            else:
                self.control.send(message)

    def take_events(self) -> None:
        """Read what the keeper has to say now, without waiting."""
        while True:
            try:
                message = self.control.recv(ORDER_BYTES, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return
            except ConnectionResetError:
                message = b""
            if not message:
                self._keeper_ended()
                return
            self._take_event(json.loads(message))

    def await_birth(self, kernel: Kernel, seconds: float) -> None:
        """Wait for the keeper's word on a new process, which may speak before its keeper does."""
        end = time.monotonic() + seconds
        while not kernel.work and kernel.ended is None and (left := end - time.monotonic()) > 0:
            poller = select.poll()
            poller.register(self.control, select.POLLIN)
            poller.poll(left * 1000)
            self.take_events()

    def discard(self, kernel: Kernel) -> None:
        """End a kernel; its folder goes with it."""
        self.order("kill", kernel)
        kernel.close()
        self._kernels.pop(kernel.number, None)

    def destroy(self) -> None:
        """Kill the keeper at once; every kernel ends with it. For a keeper that does not answer."""
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGKILL)

    @property
    def alive(self) -> bool:
        """False once the keeper ended."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the keeper and all its kernels, and see that their folders are gone."""
        for kernel in self._kernels.values():
            kernel.close()
        self._end()

    def _start(self, control: int) -> "subprocess.Popen[bytes]":
        limits = self._policy.limits
        environment = bootstrap.environment(dict(os.environ), compute_threads=limits.compute_threads)
        plot_cache = _plot_cache()
        base, wrapper = workfolder.usual_base(), list[str]()
        if self.wrapped:
            writable = [folder for folder in (self._policy.work, plot_cache) if folder]
            base, wrapper = bubblewrap.PRIVATE_BASE, bubblewrap.command(self._policy, writable=writable)
        settings = {"policy": self._policy.to_dict(), "base": base, "plot_cache": plot_cache}
        return subprocess.Popen(
            [
                *wrapper,
                *bootstrap.installation_command("kernel_sandbox.keeper.zygote"),
                str(control),
                json.dumps(settings),
            ],
            env=environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._log,
            pass_fds=(control,),
            start_new_session=True,
        )

    def _await_keeper(self) -> None:
        end = time.monotonic() + _START_SECONDS
        while not self._ready:
            poller = select.poll()
            poller.register(self.control, select.POLLIN)
            if not poller.poll(max(0.0, end - time.monotonic()) * 1000):
                raise SandboxUnavailable(f"the sandbox keeper did not start in {_START_SECONDS:g} s", DOCTOR)
            self.take_events()
            if not self.alive and not self._ready:
                raise SandboxUnavailable(f"the sandbox keeper ended while starting: {self._last_words()}", DOCTOR)

    def _take_event(self, event: dict[str, Any]) -> None:
        if event["event"] == "ready":
            self._ready = True
            self._root.append(event["root"])
        elif kernel := self._kernels.get(event["kernel"]):
            match event["event"]:
                case "born":
                    kernel.pid, kernel.work = self._own_number(event["pid"]), event["work"]
                case "deadline":
                    kernel.deadline_run = event["run"]
                case "ended":
                    kernel.ended = event

    def _own_number(self, pid: int) -> int:
        return bubblewrap.outer_pid(self._process.pid, pid) if self.wrapped else pid

    def _keeper_ended(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        seen = f"its keeper ended: {self._last_words()}"
        for kernel in self._kernels.values():
            kernel.ended = kernel.ended or {"event": "ended", "cause": "keeper", "seen": seen, "problem": ""}

    def _last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read()[-4000:].decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"status {self._process.returncode}"


def _end(
    owner_pid: int, control: socket.socket, process: "subprocess.Popen[bytes]", *, log: IO[bytes], root: list[str]
) -> None:
    if os.getpid() != owner_pid:
        # A fork of the owner is ending; the sandbox is not its own.
        return
    control.close()
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        # While it imports, a keeper hears no hang-up; killed at once, it would leave a folder that nobody knows of.
        process.terminate()
        _wait_or_kill(process)
    log.close()
    for folder in root:
        # The keeper has removed it, unless it was killed.
        workfolder.remove(folder)


def _wait_or_kill(process: "subprocess.Popen[bytes]") -> None:
    try:
        process.wait(_REMOVAL_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def death_of(kernel: Kernel) -> SandboxDied:
    """The error for a kernel that ended."""
    ended = kernel.ended or {}
    return SandboxDied(str(ended.get("seen") or "for no known reason"))


def _plot_cache() -> str:
    """A folder for matplotlib's list of fonts, which takes half a second to make; empty when there can be none."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    cache = Path(base, "kernel_sandbox", "matplotlib")
    try:
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return ""
    return str(cache)

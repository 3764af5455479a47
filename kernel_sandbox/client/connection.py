"""The keeper of one `Sandbox`, started and spoken to through jupyter_client, without its event loops.

jupyter_client writes no connection file here: the key goes from its manager to the front on a socket.
"""

import asyncio
import json
import os
import select
import signal
import socket
import subprocess
import tempfile
import threading
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import zmq
from jupyter_client.client import KernelClient
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager
from jupyter_client.session import Session

import kernel_sandbox
from kernel_sandbox.confined import bootstrap
from kernel_sandbox.errors import SandboxDied, SandboxUnavailable
from kernel_sandbox.keeper import workfolder
from kernel_sandbox.keeper.attestation import Confinement
from kernel_sandbox.keeper.newborn import DOCTOR
from kernel_sandbox.locks import bubblewrap
from kernel_sandbox.policy import Policy
from kernel_sandbox.provisioner import SandboxProvisioner

Json = dict[str, Any]

_START_SECONDS = 60.0
_END_SECONDS = 5.0
# For a keeper that was asked to end while it was still importing, to remove its folder.
_REMOVAL_SECONDS = 10.0
_WORD_BYTES = 1 << 16


class SandboxManager(KernelManager):
    """Manages the kernel of this package, wherever kernelspecs are installed, and keeps its key to itself."""

    @property
    def kernel_spec(self) -> KernelSpec:
        """The kernelspec beside this package."""
        return KernelSpec.from_resource_dir(str(Path(kernel_sandbox.__file__).with_name("kernelspec")))

    def write_connection_file(self, **options: Any) -> None:  # noqa: ANN401 - jupyter_client's own signature
        """Nothing: a file could be read by others."""


class Connection:
    """One keeper. Starting returns at once; `admit` waits as long as it must.

    `iopub` and `shell` are there once a process was admitted.
    """

    def __init__(self, policy: Policy, *, warm: bool) -> None:
        self.wrapped = bubblewrap.is_wanted(policy)
        self._environment = _environment()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the connection
        self._context: zmq.Context[Any] = zmq.Context()
        self._sockets: list[zmq.Socket[Any]] = []
        self._manager = SandboxManager(context=self._context)
        self._provisioner = provisioner = SandboxProvisioner(
            kernel_id="sandbox", kernel_spec=self._manager.kernel_spec, parent=self._manager
        )
        provisioner.policy, provisioner.spare = policy, warm
        self._manager.provisioner = provisioner
        _apart(lambda: self._manager.start_kernel(stdout=subprocess.DEVNULL, stderr=self._log, cwd="/"))
        assert provisioner.lease is not None
        assert provisioner.side is not None
        self.side = provisioner.side
        self._process: subprocess.Popen[bytes] = _process_of(provisioner)
        self._client: KernelClient | None = None
        self._asked = 0
        # Also for an owner who never closes: at the latest when the interpreter ends.
        self._end = weakref.finalize(
            self, _end, os.getpid(), provisioner, context=self._context, sockets=self._sockets, log=self._log
        )

    @property
    def alive(self) -> bool:
        """False once the keeper ended."""
        return self._process.poll() is None

    @property
    def is_up_to_date(self) -> bool:
        """Whether a new keeper would have the same language, time zone and folders of libraries."""
        return self._environment == _environment()

    @property
    def session(self) -> Session:
        """What signs requests and opens answers."""
        session: Session = self._manager.session
        return session

    def admit(self) -> Confinement:
        """Wait until a process is there whose locks were seen from outside.

        Raises: SandboxUnavailable when there can be none.
        """
        self.tell({"op": "admit"})
        answer = self.hear(_START_SECONDS)
        if (refused := answer.get("refused")) is not None:
            raise SandboxUnavailable(refused["reason"], refused["remedy"])
        if self._client is None:
            self._connect()
        seen = answer["seen"]
        pid = bubblewrap.outer_pid(self._process.pid, seen["pid"]) if self.wrapped else seen["pid"]
        return Confinement(tuple(seen["layers"]), seen["isolation"], seen["landlock_abi"], pid)

    def tell(self, request: Json, file: int | None = None) -> None:
        """Ask the front for something beside Jupyter's protocol, perhaps with an open file."""
        # A keeper that is gone shows when it is listened to.
        with suppress(BrokenPipeError, ConnectionResetError):
            self._asked += 1
            word = json.dumps(request | {"id": self._asked}).encode()
            socket.send_fds(self.side, [word], [] if file is None else [file])

    def hear(self, seconds: float) -> Json:
        """The answer to the request before. One to an earlier request, whose sender was interrupted, is passed over.

        Raises: SandboxUnavailable when the keeper never came up; SandboxDied when it ended.
        """
        poller = select.poll()
        poller.register(self.side, select.POLLIN)
        end = time.monotonic() + seconds
        while poller.poll(max(0.0, end - time.monotonic()) * 1000):
            if not (word := self._word()):
                break
            answer: Json = json.loads(word)
            if answer["id"] == self._asked:
                return answer
        else:
            self.destroy()
            raise SandboxUnavailable(f"the sandbox keeper did not answer in {seconds:g} s", DOCTOR)
        if self._client is None:
            raise SandboxUnavailable(f"the sandbox keeper ended while starting: {self.last_words()}", DOCTOR)
        raise SandboxDied(f"its keeper ended: {self.last_words()}")

    def is_hung_up(self) -> bool:
        """True when the front is gone; asked when something is there to be read."""
        return not self._word()

    def last_words(self) -> str:
        """What the keeper said last, when it ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        self._log.seek(0)
        lines = self._log.read()[-4000:].decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"status {self._process.returncode}"

    def destroy(self) -> None:
        """Kill the keeper at once; every process ends with it. For a keeper that does not answer."""
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGKILL)

    def close(self) -> None:
        """End the keeper and all its processes, and see that their folders are gone."""
        self._end()

    def _word(self) -> bytes:
        with suppress(ConnectionResetError):
            return self.side.recv(_WORD_BYTES)
        return b""

    def _connect(self) -> None:
        client = KernelClient(context=self._context, **self._manager.get_connection_info(session=True))
        for connect in (client.connect_iopub, client.connect_shell):
            self._sockets.append(connect())  # each is known as soon as it is there: an interrupt may come between
        self.iopub, self.shell = self._sockets
        # What is sent before the front knows of a listener would be lost; it welcomes each one.
        if not self.iopub.poll(int(1000 * _START_SECONDS)):
            raise SandboxUnavailable("the front of the sandbox did not answer", DOCTOR)
        self.iopub.recv_multipart()
        self._client = client


def _apart(act: Any) -> None:  # noqa: ANN401 - anything callable
    """Do something in a thread of its own, since jupyter_client runs event loops and this thread may have one.

    Raises: whatever it raises.
    """
    failures: list[BaseException] = []

    def run() -> None:
        try:
            act()
        except BaseException as error:
            failures.append(error)
        finally:
            # Left there by jupyter_client for a next time that does not come.
            with suppress(RuntimeError):
                asyncio.get_event_loop_policy().get_event_loop().close()

    thread = threading.Thread(target=run, name="kernel-sandbox-start")
    thread.start()
    thread.join()
    if failures:
        raise failures[0]


def _end(
    owner_pid: int,
    provisioner: SandboxProvisioner,
    *,
    context: "zmq.Context[Any]",
    sockets: "list[zmq.Socket[Any]]",
    log: IO[bytes],
) -> None:
    if os.getpid() != owner_pid:
        # A fork of the owner is ending; the sandbox is not its own.
        return
    process, root = _process_of(provisioner), provisioner.root
    for one in (provisioner.lease, provisioner.side):
        if one is not None:
            one.close()
    # The context knows them by weak references, which are gone when all of this is collected; it would wait for ever.
    for each in sockets:
        each.close(linger=0)
    context.destroy(linger=0)
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        # While it imports, a keeper hears no hang-up; killed at once, it would leave a folder that nobody knows of.
        process.terminate()
        _wait_or_kill(process)
    log.close()
    if root is not None:
        # The keeper has removed it, unless it was killed.
        workfolder.remove(root)


def _environment() -> dict[str, str]:
    return bootstrap.environment(dict(os.environ), compute_threads=0)


def _process_of(provisioner: SandboxProvisioner) -> "subprocess.Popen[bytes]":
    process: Any = provisioner.process
    assert process is not None
    started: subprocess.Popen[bytes] = process
    return started


def _wait_or_kill(process: "subprocess.Popen[bytes]") -> None:
    try:
        process.wait(_REMOVAL_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

"""The confined process of a `Sandbox`: it answers requests on its line, one at a time, until the line closes."""

import contextlib
import os
import signal
import socket
import sys
import tempfile
import threading
import time
import traceback
from types import FrameType
from typing import Any

from kernel_sandbox.confined import bootstrap
from kernel_sandbox.confined.wire import Kind, frame, receive_request
from kernel_sandbox.locks import Places
from kernel_sandbox.policy import Policy

_MAIN_THREAD_ONLY = frozenset[int]()


class Worker:
    """One line, one shell. `_request` is the number of the request being answered; 0 while none is."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._lock = threading.Lock()
        self._request = 0
        self._interruptible = False
        self._left_over: frozenset[int] = _MAIN_THREAD_ONLY

    def send(self, kind: Kind, content: bytes = b"") -> None:
        """Send one frame for the request in hand; displays of threads of earlier requests go nowhere."""
        if threading.get_ident() in self._left_over:
            return
        with self._lock:
            self._line.sendall(frame(kind, self._request, content))

    def serve(self) -> None:
        """Answer requests until the owner hangs up."""
        signal.signal(signal.SIGINT, self._on_interrupt)
        while True:
            try:
                request, file = receive_request(self._line)
            except EOFError:
                return
            self._request = request["request"]
            self._left_over = frozenset(thread for thread in _thread_idents() if thread != threading.get_ident())
            for stream in (sys.__stdout__, sys.__stderr__):
                stream.left_over = self._left_over  # type: ignore[union-attr] # both are CellText
            try:
                self._answer(request, file)
            finally:
                if file is not None:
                    with contextlib.suppress(OSError):
                        os.close(file)

    def _answer(self, request: dict[str, Any], file: int | None) -> None:
        try:
            done = getattr(self, f"_do_{request['op']}")(request, file)
        except (Exception, KeyboardInterrupt) as error:
            self.send(Kind.FAULT, _one_line(error).encode("utf-8", "backslashreplace"))
        else:
            self.send(Kind.DONE, str(done).encode())

    def _do_execute(self, request: dict[str, Any], file: int | None) -> int:
        shell = _SHELL["shell"]
        shell.raised = None
        before = _thread_idents()
        try:
            # A hostile cell may leave a trap for the next KeyboardInterrupt anywhere; the keeper's kill needs none.
            self._interruptible = True
            result = shell.run_cell(request["code"], store_history=True, silent=False)
            if not result.success and shell.raised is None:
                # An exception can spoil the telling of itself; it is an error all the same.
                shell.raised = _untold(result.error_before_exec or result.error_in_exec)
        except KeyboardInterrupt:
            shell.raised = ("KeyboardInterrupt", "", "", None)
        finally:
            self._interruptible = False
        self._report(shell)
        _flush()
        return len(_thread_idents() - before)

    def _report(self, shell: Any) -> None:  # noqa: ANN401 - ConfinedShell, whose import waits for the keeper
        from kernel_sandbox.confined.shell import error_content

        for stream in (sys.__stdout__, sys.__stderr__):
            if refused := getattr(stream, "refused_characters", 0):
                stream.refused_characters = 0  # type: ignore[union-attr] # as above
                self.send(Kind.NOTE, f"{refused} characters from threads of earlier cells were dropped".encode())
        if shell.raised is not None:
            self.send(Kind.ERROR, error_content(shell.raised))

    def _do_stage(self, request: dict[str, Any], file: int | None) -> int:
        from kernel_sandbox.tables.transfer import mapped_frame

        if file is None:
            raise ValueError("a staged table came without its file")
        frame = mapped_frame(file, keep_index=False)
        _SHELL["shell"].user_ns[request["name"]] = frame
        return len(frame)

    def _do_bind(self, request: dict[str, Any], file: int | None) -> int:
        from kernel_sandbox.tables.plain_values import value_from_json

        _SHELL["shell"].user_ns[request["name"]] = value_from_json(request["value"])
        return 1

    def _do_frame(self, request: dict[str, Any], file: int | None) -> int:
        from kernel_sandbox.tables.transfer import write_frame

        if file is None:
            raise ValueError("a fetch came without its file")
        return write_frame(_variable(request["name"]), file, max_rows=request["max_rows"])

    def _do_record(self, request: dict[str, Any], file: int | None) -> int:
        from kernel_sandbox.tables.plain_values import record_bytes

        self.send(Kind.RECORD, record_bytes(_variable(request["name"]), most_bytes=request["most_bytes"]))
        return 1

    def _on_interrupt(self, number: int, at: FrameType | None) -> None:
        if self._interruptible:
            raise KeyboardInterrupt


_SHELL: dict[str, Any] = {}


def prepare(root: str) -> None:
    """Import in the keeper, once, what every confined process needs, and make the shell they start from."""
    import numpy
    import pandas

    from kernel_sandbox.confined.shell import make_shell
    from kernel_sandbox.tables import plain_values, transfer

    _SHELL["shell"] = make_shell(root, _not_yet)
    _SHELL["shell"].user_ns.update(pd=pandas, np=numpy)
    _SHELL["transfer"], _SHELL["values"] = transfer, plain_values
    _SHELL["sample"] = _sample_table()


def live(policy: Policy, work: str, files: list[int], *, readable: tuple[str, ...], keeper_pid: int) -> int:
    """The life of the forked child: the status to end with."""
    line = _take_files(files)
    try:
        bootstrap.restore_signals()
        landlock_abi = bootstrap.enter(policy, Places(work, readable=readable), keeper_pid=keeper_pid)
    except OSError as error:
        line.sendall(frame(Kind.FAULT, 0, str(error).encode("utf-8", "backslashreplace")))
        return bootstrap.LOCK_FAILED_STATUS
    try:
        worker = _settle(line)
        worker.send(Kind.READY, str(landlock_abi).encode())
        worker.serve()
    except (Exception, KeyboardInterrupt):
        traceback.print_exc()
        return 1
    return 0


def _settle(line: socket.socket) -> Worker:
    import numpy

    from kernel_sandbox.confined.shell import CellText, prepare_builtins

    worker = Worker(line)
    shell = _SHELL["shell"]
    shell.send = shell.display_pub.send = shell.displayhook.send = worker.send
    for descriptor, name in ((1, "stdout"), (2, "stderr")):
        stream = CellText(open(descriptor, "wb", closefd=False), "utf-8", "backslashreplace", line_buffering=True)  # noqa: SIM115 - open as long as the process
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    prepare_builtins()
    _touch_pages()
    # Every child starts from the same copy of the keeper; the standard library reseeds itself after a fork.
    numpy.random.seed()
    return worker


def _sample_table() -> bytes:
    import pandas

    from kernel_sandbox.tables.transfer import open_table

    frame = pandas.DataFrame(
        {"number": [1, 2], "text": ["a", None], "time": pandas.to_datetime(pandas.Series(["2026-01-31", None]))}
    )
    descriptor = open_table(frame)[0]
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


def _touch_pages() -> None:
    """Stage, run and fetch once, so that the pages a fork must copy are copied before anybody waits for it.

    A fresh fork copies some 2,200 pages in its first exchange, which took longer than the exchange itself.
    """
    from kernel_sandbox.tables.transfer import mapped_frame, write_frame

    shell = _SHELL["shell"]
    with tempfile.TemporaryFile() as file, tempfile.TemporaryFile() as nowhere:
        file.write(_SHELL.pop("sample"))
        file.flush()
        shell.user_ns["warm"] = mapped_frame(file.fileno(), keep_index=False)
        shell.run_cell('cold = warm[(warm["number"] > 1) | warm["text"].isna() & warm["time"].notna()]')
        write_frame(shell.user_ns["cold"], nowhere.fileno(), max_rows=None)
    del shell.user_ns["warm"], shell.user_ns["cold"]


def _take_files(files: list[int]) -> socket.socket:
    line, output, errors = files
    nowhere = os.open("/dev/null", os.O_RDONLY)
    bootstrap.redirect(0, nowhere)
    bootstrap.redirect(1, output)
    bootstrap.redirect(2, errors)
    bootstrap.close_all_but(line)
    return socket.socket(fileno=line)


def _untold(error: BaseException | bool | None) -> tuple[str, str, str, None]:
    try:
        text = str(error)
    except (Exception, SystemExit):
        # The text of an exception is computed by code that nobody trusts.
        text = "the code failed, and its error could not be told"
    return type(error).__name__, text, "", None


def _variable(name: str) -> object:
    namespace = _SHELL["shell"].user_ns
    if name not in namespace:
        raise KeyError(f"there is no variable {name}")
    return namespace[name]


def _thread_idents() -> frozenset[int]:
    return frozenset(sys._current_frames())


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        # Code may have closed or replaced its streams.
        with contextlib.suppress(Exception):
            stream.flush()


def _one_line(error: BaseException) -> str:
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    name = type(error).__name__
    return text if isinstance(error, KeyError | ValueError) and text else f"{name}: {text}"


def _not_yet(kind: Kind, content: bytes = b"") -> None:
    raise RuntimeError(f"a {kind.name} frame was sent before the line was open, at {time.monotonic():.3f}")

"""A `Sandbox`: hand tables in, run code, read frames back; synchronous, and usable again whatever the code did."""

import os
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from kernel_sandbox.errors import FetchError, SandboxError, StageError
from kernel_sandbox.front.admission import admit
from kernel_sandbox.front.exchange import Conversation, Deadlines
from kernel_sandbox.front.execution import Collector, Execution, OnOutput
from kernel_sandbox.front.outcome import execution_of
from kernel_sandbox.keeper.attestation import Confinement
from kernel_sandbox.keeper.nursery import Kernel, Nursery, death_of
from kernel_sandbox.policy import MIB, Policy
from kernel_sandbox.tables.plain_values import Json, record_from_bytes, value_to_json

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from kernel_sandbox.tables.transfer import StagedTable

_TRANSFER_SECONDS = 60.0
_RECORD_BYTES = MIB
_CLOSED = "this sandbox is closed; make a new one"


class Sandbox:
    """A confined process that runs code, with a spare one kept ready when `warm`.

    Between two calls the process is stopped, so nothing of it runs on. After a limit or a death the next call gets a
    fresh process; staged tables and variables are then gone, and the `Execution` says so.

    >>> with Sandbox() as sandbox:
    ...     sandbox.execute("open('/etc/passwd')").error_name
    'PermissionError'
    """

    def __init__(self, policy: Policy | None = None, *, warm: bool = True) -> None:
        self.policy = policy or Policy()
        self._warm = warm
        self._lock = threading.RLock()
        self._nursery: Nursery | None = Nursery(self.policy)
        self._kernel: Kernel | None = None
        self._spare: Kernel | None = None
        self._confinement: Confinement | None = None
        self._conversation: Conversation | None = None
        self._staging: list[tuple[dict[str, Any], int | None, int]] = []
        self._requests = 0
        self._closing = False

    def __enter__(self) -> Self:
        try:
            with self._lock:
                self._ready_kernel()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def confinement(self) -> Confinement:
        """The locks of the present process, seen from outside.

        Raises: SandboxUnavailable when one is missing.
        """
        with self._lock:
            self._ready_kernel()
            assert self._confinement is not None
            return self._confinement

    def stage(self, name: str, table: "pd.DataFrame | pa.Table | Path") -> "StagedTable":
        """Bind `name` to a writable frame of the table, before the next execution.

        Its index is a RangeIndex: the position in the table. A path names an Arrow IPC file.

        Raises: StageError when the table cannot cross, naming column and dtype.
        """
        from pyarrow import ArrowException

        from kernel_sandbox.tables.transfer import StagedTable, open_table

        _check_name(name)
        try:
            file, rows, columns, file_bytes = open_table(table)
        except (ValueError, OSError, ArrowException) as error:
            raise StageError(name, str(error)) from error
        with self._lock:
            self._staging.append(({"op": "stage", "name": name}, file, file_bytes))
        return StagedTable(name, rows, columns, file_bytes)

    def stage_value(self, name: str, value: object) -> None:
        """Bind `name` to a JSON value, or to a `pandas.Timestamp` for a datetime, before the next execution.

        Raises: StageError when the value is neither.
        """
        _check_name(name)
        try:
            content = value_to_json(value)
        except TypeError as error:
            raise StageError(name, str(error)) from error
        with self._lock:
            self._staging.append(({"op": "bind", "name": name, "value": content}, None, 0))

    def execute(self, code: str, *, wall_seconds: float | None = None, on_output: OnOutput | None = None) -> Execution:
        """What came of running `code`; code that fails, hangs or dies is an answer, not an exception.

        `on_output` is called with "stdout" or "stderr" and clean text as it arrives.

        Raises: SandboxUnavailable when no process could be confined; StageError when a staged table did not arrive;
            KeyboardInterrupt after the code was interrupted too.
        """
        limits = self.policy.limits
        deadlines = Deadlines(limits.wall_seconds if wall_seconds is None else wall_seconds, limits.cpu_seconds)
        with self._lock:
            self._deliver()
            began = time.monotonic()
            conversation = self._ask({"op": "execute", "code": code}, deadlines=deadlines, on_output=on_output)
            execution = execution_of(conversation, time.monotonic() - began, self.policy, deadlines)
            self._keep_a_spare()
            self._raise_interrupt(conversation)
        return execution

    def fetch_frame(self, name: str, *, max_rows: int | None = None) -> "pd.DataFrame":
        """The DataFrame, Series or Index bound to `name`, with its index; at most its first `max_rows` rows.

        Raises: FetchError when it is missing, no frame, cannot cross, is larger than `Limits.file_bytes`, or is not
            sound; SandboxDied when the process ended meanwhile.
        """
        from kernel_sandbox.tables.frames import NotRepresentable
        from kernel_sandbox.tables.transfer import read_frame, reply_file

        file = reply_file()
        try:
            self._fetch({"op": "frame", "name": name, "max_rows": max_rows}, file=file)
            return read_frame(file, most_bytes=self.policy.limits.file_bytes)
        except NotRepresentable as error:
            raise FetchError(name, str(error)) from error
        finally:
            os.close(file)

    def fetch_record(self, name: str) -> Json:
        """The JSON value bound to `name`; at most a mebibyte of it.

        Raises: FetchError when it is missing, no JSON or too large; SandboxDied when the process ended meanwhile.
        """
        collector = self._fetch({"op": "record", "name": name, "most_bytes": _RECORD_BYTES})
        if collector.record is None or len(collector.record) > _RECORD_BYTES:
            raise FetchError(name, "the sandbox sent no record, or one over the limit")
        try:
            return record_from_bytes(collector.record)
        except ValueError as error:
            raise FetchError(name, str(error)) from error

    def renew(self) -> None:
        """Begin again in a fresh process: variables, staged tables and work files of the old one are gone.

        The spare takes its place at once, and the next spare is started in the background.
        """
        with self._lock:
            self._drop_staging()
            self._discard_kernel()

    def interrupt(self) -> None:
        """Interrupt the running execution from another thread; it ends "interrupted". Nothing when none is running."""
        conversation = self._conversation
        if conversation is not None and not conversation.over:
            conversation.stop("interrupted")

    def close(self) -> None:
        """End every process and remove their folders. Closing twice is fine; a closed sandbox runs nothing."""
        nursery = self._nursery
        if nursery is None:
            return
        # A request is announced before it looks whether to begin: either it sees this, or it is seen and interrupted.
        self._closing = True
        self.interrupt()
        with self._lock:
            self._drop_staging()
            self._nursery = self._kernel = self._spare = None
            nursery.close()

    def _fetch(self, request: dict[str, Any], *, file: int | None = None) -> Collector:
        name = request["name"]
        with self._lock:
            if self._kernel is None and not self._staging:
                raise FetchError(name, "nothing has run in this sandbox yet")
            self._deliver()
            conversation = self._ask(request, file=file, deadlines=Deadlines(_TRANSFER_SECONDS, _TRANSFER_SECONDS))
            self._raise_interrupt(conversation)
            if conversation.kernel.ended is not None:
                raise death_of(conversation.kernel)
            if conversation.collector.fault:
                raise FetchError(name, conversation.collector.fault)
            return conversation.collector

    def _deliver(self) -> None:
        """Send what was staged, each piece with its own answer: under a millisecond for a mapped table."""
        kernel = self._ready_kernel()
        nursery = self._open_nursery()
        staged, self._staging = self._staging, []
        for number, (request, file, file_bytes) in enumerate(staged):
            try:
                if file_bytes:
                    nursery.order("room", kernel, bytes=file_bytes)
                conversation = self._ask(request, file=file, deadlines=Deadlines(_TRANSFER_SECONDS))
            finally:
                if file is not None:
                    os.close(file)
            if conversation.interrupted or conversation.collector.fault or conversation.kernel.ended:
                self._close_files(staged[number + 1 :])
                self._raise_interrupt(conversation)
                raise StageError(request["name"], conversation.collector.fault or str(death_of(conversation.kernel)))

    def _ask(
        self,
        request: dict[str, Any],
        *,
        file: int | None = None,
        deadlines: Deadlines,
        on_output: OnOutput | None = None,
    ) -> Conversation:
        kernel = self._ready_kernel()
        self._requests += 1
        collector = Collector(self._requests, self.policy.limits, on_output)
        conversation = Conversation(
            self._open_nursery(), kernel, self.policy.limits, collector, self._requests, stop_cause=""
        )
        self._conversation = conversation
        try:
            if self._closing:
                raise SandboxError(_CLOSED)
            conversation.converse(request | {"request": self._requests}, file, deadlines)
        finally:
            self._conversation = None
            if kernel.ended is not None:
                self._discard_kernel()
        return conversation

    def _ready_kernel(self) -> Kernel:
        if self._kernel is not None and self._kernel.ended is None:
            return self._kernel
        nursery = self._open_nursery()
        if not nursery.alive:
            nursery.close()
            nursery = self._nursery = Nursery(self.policy)
            self._spare = None
        kernel, self._spare = self._spare or nursery.spawn(), None
        nursery.order("hurry", kernel)
        self._confinement = admit(nursery, kernel, self.policy)
        self._kernel = kernel
        return kernel

    def _keep_a_spare(self) -> None:
        # The keeper forks it in its next idle moment.
        if self._warm and self._spare is None and self._nursery is not None and self._nursery.alive:
            self._spare = self._nursery.spawn()

    def _open_nursery(self) -> Nursery:
        if self._nursery is None:
            raise SandboxError(_CLOSED)
        return self._nursery

    def _discard_kernel(self) -> None:
        if self._kernel is not None and self._nursery is not None:
            self._nursery.discard(self._kernel)
        self._kernel = self._confinement = None

    def _drop_staging(self) -> None:
        self._close_files(self._staging)
        self._staging = []

    @staticmethod
    def _close_files(staged: list[tuple[dict[str, Any], int | None, int]]) -> None:
        for _, file, _ in staged:
            if file is not None:
                os.close(file)

    @staticmethod
    def _raise_interrupt(conversation: Conversation) -> None:
        if conversation.interrupted is not None:
            raise conversation.interrupted


def _check_name(name: str) -> None:
    import keyword

    if not name.isidentifier() or keyword.iskeyword(name):
        raise StageError(name, "a name must be a Python identifier")

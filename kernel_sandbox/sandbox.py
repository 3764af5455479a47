"""A `Sandbox`: hand tables in, run code, read frames back; synchronous, and usable again whatever the code did."""

import json
import os
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from kernel_sandbox.client.connection import Connection
from kernel_sandbox.client.exchange import KEEPER_PATIENCE_SECONDS, Exchange
from kernel_sandbox.client.execution import Execution, OnOutput
from kernel_sandbox.errors import FetchError, SandboxDied, SandboxError, StageError, not_linux
from kernel_sandbox.front.texts import clean_text
from kernel_sandbox.keeper.attestation import Confinement
from kernel_sandbox.policy import MIB, Policy
from kernel_sandbox.tables.plain_values import Json, record_from_bytes, value_to_json

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from kernel_sandbox.tables.transfer import StagedTable

_TRANSFER_SECONDS = 60.0 + KEEPER_PATIENCE_SECONDS
_RECORD_BYTES = MIB
_CLOSED = "this sandbox is closed; make a new one"


@dataclass(frozen=True)
class Staged:
    """A table or value that waits to be handed over: what the process is asked, and the open file."""

    request: dict[str, Any]
    file: int


class Sandbox:
    """A confined process that runs code, with a spare one kept ready when `warm`.

    Between two calls the process is stopped, so nothing of it runs on. After a limit or a death the next call gets a
    fresh process; staged tables and variables are then gone, and the `Execution` says so.

    >>> with Sandbox() as sandbox:
    ...     sandbox.execute("open('/etc/passwd')").error_name
    'PermissionError'
    """

    def __init__(self, policy: Policy | None = None, *, warm: bool = True) -> None:
        if not sys.platform.startswith("linux"):
            raise not_linux()
        self.policy = policy or Policy()
        self._warm = warm
        self._lock = threading.RLock()
        self._connection: Connection | None = Connection(self.policy, warm=warm)
        self._confinement: Confinement | None = None
        self._exchange: Exchange | None = None
        self._staging: list[Staged] = []
        self._has_run = False
        self._closing = False

    def __enter__(self) -> Self:
        try:
            with self._lock:
                self._ready()
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
            return self._ready()[1]

    @property
    def is_up_to_date(self) -> bool:
        """Whether a new one would have the language, time zone and folders of libraries that this one began with."""
        return self._connection is not None and self._connection.is_up_to_date

    def stage(self, name: str, table: "pd.DataFrame | pa.Table | Path", *, lend: bool = False) -> "StagedTable":
        """Bind `name` to a writable frame of the table, before the next execution.

        Its index is a RangeIndex: the position in the table. A path names an Arrow IPC file. With `lend` a file that
        this process has mapped, and in which a frame's columns lie, is not copied but may be read, all of it.

        Raises: StageError when the table cannot cross, naming column and dtype.
        """
        from pyarrow import ArrowException

        from kernel_sandbox.tables.transfer import open_files

        _check_name(name)
        try:
            staged, files = open_files(name, table, lend=lend)
        except (ValueError, OSError, ArrowException) as error:
            raise StageError(name, str(error)) from error
        with self._lock:
            for op, file in files.items():
                request = {"op": op, "name": name, "file_bytes": os.fstat(file).st_size}
                self._staging.append(Staged(request, file))
        return staged

    def stage_value(self, name: str, value: object) -> None:
        """Bind `name` to a JSON value, or to a `pandas.Timestamp` for a datetime, before the next execution.

        Raises: StageError when the value is neither.
        """
        from kernel_sandbox.tables.transfer import content_file

        _check_name(name)
        try:
            content = value_to_json(value)
        except TypeError as error:
            raise StageError(name, str(error)) from error
        with self._lock:
            self._staging.append(Staged({"op": "bind", "name": name}, content_file(json.dumps(content).encode())))

    def execute(self, code: str, *, wall_seconds: float | None = None, on_output: OnOutput | None = None) -> Execution:
        """What came of running `code`; code that fails, hangs or dies is an answer, not an exception.

        `on_output` is called with "stdout" or "stderr" and clean text as it arrives.

        Raises: SandboxUnavailable when no process could be confined; StageError when a staged table did not arrive;
            KeyboardInterrupt after the code was interrupted too.
        """
        seconds = self.policy.limits.wall_seconds if wall_seconds is None else wall_seconds
        with self._lock:
            self._deliver()
            connection, _ = self._ready()
            exchange = self._exchange = Exchange(connection, self.policy, code, seconds, on_output)
            try:
                if self._closing:
                    raise SandboxError(_CLOSED)
                execution = exchange.run()
            finally:
                self._exchange = None
            self._has_run = True
            if exchange.has_died:
                self._confinement = None
            if exchange.interrupted is not None:
                raise exchange.interrupted
        return execution

    def fetch_frame(self, name: str, *, max_rows: int | None = None) -> "pd.DataFrame":
        """The DataFrame, Series or Index bound to `name`, with its index; at most its first `max_rows` rows.

        Raises: FetchError when it is missing, no frame, cannot cross, is larger than `Limits.file_bytes`, or is not
            sound; SandboxDied when the process ended meanwhile.
        """
        from kernel_sandbox.tables.boundary import NotRepresentable
        from kernel_sandbox.tables.reading import read_frame
        from kernel_sandbox.tables.transfer import reply_file

        file = reply_file()
        try:
            self._fetch({"op": "frame", "name": name, "max_rows": max_rows}, file=file)
            return read_frame(file, most_bytes=self.policy.limits.file_bytes, max_rows=max_rows)
        except NotRepresentable as error:
            raise FetchError(name, str(error)) from error
        finally:
            os.close(file)

    def fetch_record(self, name: str) -> Json:
        """The JSON value bound to `name`; at most a mebibyte of it.

        Raises: FetchError when it is missing, no JSON or too large; SandboxDied when the process ended meanwhile.
        """
        from kernel_sandbox.tables.transfer import reply_file

        file = reply_file()
        try:
            self._fetch({"op": "record", "name": name, "most_bytes": _RECORD_BYTES}, file=file)
            content = os.pread(file, _RECORD_BYTES + 1, 0)
        finally:
            os.close(file)
        if not 0 < len(content) <= _RECORD_BYTES:
            raise FetchError(name, "the sandbox sent no record, or one over the limit")
        try:
            return record_from_bytes(content)
        except ValueError as error:
            raise FetchError(name, str(error)) from error

    def renew(self) -> None:
        """Begin again in a fresh process: variables, staged tables and work files of the old one are gone.

        The spare takes its place at once, and the next spare is started in the background.
        """
        with self._lock:
            self._drop_staging()
            self._open().tell({"op": "renew"})
            self._confinement, self._has_run = None, False

    def interrupt(self) -> None:
        """Interrupt the running execution from another thread; it ends "interrupted". Nothing when none is running."""
        exchange = self._exchange
        if exchange is not None and not exchange.is_over:
            exchange.stop()

    def close(self) -> None:
        """End every process and remove their folders. Closing twice is fine; a closed sandbox runs nothing."""
        if self._connection is None:
            return
        # A request is announced before it looks whether to begin: either it sees this, or it is seen and interrupted.
        self._closing = True
        self.interrupt()
        with self._lock:
            self._drop_staging()
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    def _fetch(self, request: dict[str, Any], *, file: int) -> None:
        name = request["name"]
        with self._lock:
            if not (self._has_run or self._staging):
                raise FetchError(name, "nothing has run in this sandbox yet")
            self._deliver()
            answer = self._transfer(request, file)
            if answer["died"]:
                raise SandboxDied(answer["fault"].partition(";")[0])
            if answer["fault"]:
                raise FetchError(name, clean_text(answer["fault"]))

    def _deliver(self) -> None:
        """Send what was staged, each piece with its own answer: under a millisecond for a mapped table."""
        self._ready()
        staged, self._staging = self._staging, []
        try:
            while staged:
                piece = staged.pop(0)
                try:
                    fault = self._transfer(piece.request, piece.file)["fault"]
                except SandboxDied as death:
                    fault = str(death)
                finally:
                    os.close(piece.file)
                self._has_run = True
                if fault:
                    raise StageError(piece.request["name"], clean_text(fault))
        finally:
            for left in staged:
                os.close(left.file)

    def _transfer(self, request: dict[str, Any], file: int) -> dict[str, Any]:
        connection, _ = self._ready()
        connection.tell(request, file)
        answer = {"died": True}
        try:
            answer = connection.hear(_TRANSFER_SECONDS)
        finally:
            if answer["died"]:
                self._confinement = None
        return answer

    def _ready(self) -> tuple[Connection, Confinement]:
        """A keeper with a process that was admitted."""
        # One that ended with a process in it is told of first, by the next request.
        if self._confinement is None:
            connection = self._open()
            if not connection.alive:
                connection.close()
                self._connection = connection = Connection(self.policy, warm=self._warm)
            self._confinement = connection.admit()
        return self._open(), self._confinement

    def _open(self) -> Connection:
        if self._connection is None:
            raise SandboxError(_CLOSED)
        return self._connection

    def _drop_staging(self) -> None:
        for piece in self._staging:
            os.close(piece.file)
        self._staging = []


def _check_name(name: str) -> None:
    import keyword

    if not name.isidentifier() or keyword.iskeyword(name):
        raise StageError(name, "a name must be a Python identifier")

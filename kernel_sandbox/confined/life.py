"""How a confined process comes to life: what the keeper prepares once, and what each child does before it may serve."""

import ctypes
import os
import signal
import socket
import sys
import tempfile
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernel_sandbox.confined import bootstrap
from kernel_sandbox.confined.wire import Kind
from kernel_sandbox.locks import Places
from kernel_sandbox.policy import MIB, Policy

READY, FAILED = "ready", "failed"
# What `mallopt` calls them, and how many bytes are kept for the next frame in place of being given back and found anew:
# a machine has to clear each page that it finds. Much more would count against code that frees what it made.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_KEPT_BYTES, _LARGEST_KEPT_BYTES = 128 * MIB, 32 * MIB
_PREPARED: dict[str, Any] = {}


@dataclass(frozen=True)
class Ends:
    """The files of a newborn process: its line, the pipes of its output, and where it says that it is locked."""

    line: int
    output: int
    errors: int
    ready: int


def prepare(root: str, *, notebook: bool) -> None:
    """Import in the keeper, once, what every confined process needs, and make the shell they start from."""
    _keep_freed_memory()
    import numpy
    import pandas

    from kernel_sandbox.confined import worker
    from kernel_sandbox.confined.shell import make_shell
    from kernel_sandbox.tables import plain_values, transfer

    shell = make_shell(root, _not_yet, notebook=notebook)
    if notebook:
        # pandas asked, while it was imported, for a notebook that was not there yet.
        pandas.set_option("display.max_columns", 20)
    else:
        shell.user_ns.update(pd=pandas, np=numpy)
    _PREPARED.update(shell=shell, modules=(worker, transfer, plain_values), sample=_sample_table())


def _keep_freed_memory() -> None:
    system = ctypes.CDLL(None)
    if hasattr(system, "mallopt"):  # that of GNU
        system.mallopt(_MMAP_THRESHOLD, _LARGEST_KEPT_BYTES)
        system.mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)


def live(policy: Policy, places: Places, ends: Ends, *, keeper_pid: int, folder: str) -> int:
    """The life of the forked child: the status to end with."""
    line = _take_files(ends)
    try:
        _restore_signals()
        landlock_abi = bootstrap.enter(policy, places, keeper_pid=keeper_pid)
        # Libraries that the keeper imported may have asked for its own.
        tempfile.tempdir = None
    except OSError as error:
        os.write(ends.ready, f"{FAILED} {error}".encode("utf-8", "backslashreplace")[:4096])
        return bootstrap.LOCK_FAILED_STATUS
    try:
        worker = _settle(line, policy)
        _change_folder(folder)
        os.write(ends.ready, f"{READY} {landlock_abi}".encode())
        os.close(ends.ready)
        worker.serve()
    except (Exception, KeyboardInterrupt):
        traceback.print_exc()
        return 1
    return 0


def _take_files(ends: Ends) -> socket.socket:
    # Whatever the owner has open, its terminal above all, ends here.
    nowhere = os.open("/dev/null", os.O_RDONLY)
    for descriptor, target in enumerate((nowhere, ends.output, ends.errors)):
        os.dup2(target, descriptor)
    bootstrap.close_all_but(ends.line, ends.ready)
    return socket.socket(fileno=ends.line)


def _restore_signals() -> None:
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def _settle(line: socket.socket, policy: Policy) -> Any:  # noqa: ANN401 - a Worker, whose import waits for the keeper
    import numpy

    from kernel_sandbox.confined.shell import prepare_builtins
    from kernel_sandbox.confined.worker import Worker

    shell = _PREPARED["shell"]
    worker = Worker(line, shell, most_bytes=policy.limits.message_bytes)
    _touch_pages(shell)
    shell.send = shell.display_pub.send = shell.displayhook.send = worker.send
    prepare_builtins()
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


def _touch_pages(shell: Any) -> None:  # noqa: ANN401 - a ConfinedShell, as above
    """Stage, run and fetch once, so that the pages a fork must copy are copied before anybody waits for it.

    A fresh fork copies some 2,200 pages in its first exchange, which took longer than the exchange itself.
    """
    from kernel_sandbox.tables.transfer import mapped_frame, write_frame

    with tempfile.TemporaryFile() as file, tempfile.TemporaryFile() as nowhere:
        file.write(_PREPARED.pop("sample"))
        file.flush()
        shell.user_ns["warm"] = mapped_frame(file.fileno())
        shell.run_cell('cold = warm[(warm["number"] > 1) | warm["text"].isna() & warm["time"].notna()]')
        write_frame(shell.user_ns["cold"], nowhere.fileno(), max_rows=None)
    del shell.user_ns["warm"], shell.user_ns["cold"]


def _change_folder(folder: str) -> None:
    try:
        os.chdir(folder)
    except OSError as error:
        print(f"the kernel starts in {Path.cwd()}, since {folder} cannot be entered: {error}", file=sys.stderr)


def _not_yet(kind: Kind, content: bytes = b"") -> None:
    raise RuntimeError(f"a {kind.name} frame was sent before the line was open")

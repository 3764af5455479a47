"""The edge of the command line: whatever breaks, one line on standard error and an exit code of ours.

Only what Python has loaded anyway is imported here, so that signals are heeded before the large imports begin.
"""

from __future__ import annotations

import gc
import io
import os
import select
import signal
import sys
import time
from typing import TYPE_CHECKING, NoReturn, TextIO

if TYPE_CHECKING:
    from types import FrameType

    from _typeshed import ReadableBuffer

_USUAL = (0, 1)  # what a command that got to its end gives
_USAGE, _ERROR = 2, 3
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_CLEANING_SECONDS = 2.0  # a second signal within them does not cut short what the first began


def entry() -> NoReturn:
    """Run the command that this process was started with, and leave with its exit code, whatever happens."""
    _occupy_standard_streams()
    signals = _Signals()
    output = _Output(1, lost=sys.stdout is None)
    sys.stdout = _text(output, sys.stdout, "replace")
    sys.stderr = _text(_Output(2), sys.stderr, "backslashreplace")
    code = _code_of_command(signals)
    sys.stdout.flush()
    if signals.seen and code in _USUAL:
        code = _ERROR
    if output.lost and code in _USUAL:
        code = _ERROR
    if output.lost and not isinstance(output.lost, BrokenPipeError):
        print(f"standard output cannot be written: {output.lost.strerror}", file=sys.stderr)
    sys.stderr.flush()
    signals.ignore()
    sys.exit(code)


def _code_of_command(signals: _Signals) -> int:
    # What imports make stays for good: to look for garbage in it takes a sixth of their time.
    gc.disable()
    try:
        from pandas_magic.cli.main import main

        return main(on_imported=signals.interrupt)
    except SystemExit as leaving:
        # Only the parser of arguments leaves in this way: 0 after --help, 2 after what it does not know.
        return leaving.code if leaving.code in (0, _USAGE) and isinstance(leaving.code, int) else _ERROR
    except KeyboardInterrupt:
        print(f"stopped by {signals.seen or 'SIGINT'}", file=sys.stderr)
    except BaseException as error:
        # Rust panics are no Exception; and a package that is missing is met here.
        from pandas_magic.errors import unforeseen

        print(unforeseen(error), file=sys.stderr)
    return _ERROR


class _StoppedBySignal(KeyboardInterrupt):
    """Handled as Ctrl-C is, and yet another class.

    Python 3.11 remembers that a KeyboardInterrupt itself went through `exec`, as it does while dataclasses are made,
    and ends with SIGINT in place of the exit code, although the exception was handled.
    """


class _Signals:
    """What SIGINT, SIGTERM and SIGHUP do; those that the caller ignores (nohup, a job in the background) stay so."""

    def __init__(self) -> None:
        self.seen = ""  # the first that came
        self._since = 0.0
        self._heeded = [each for each in _SIGNALS if signal.getsignal(each) != signal.SIG_IGN]
        for each in self._heeded:
            signal.signal(each, self._leave)

    def interrupt(self) -> None:
        """From now on they end what runs as Ctrl-C does, so that kernels end and finished checks are kept."""
        for each in self._heeded:
            signal.signal(each, self._raise)

    def ignore(self) -> None:
        """From now on the exit code stands."""
        for each in self._heeded:
            signal.signal(each, signal.SIG_IGN)

    def _leave(self, number: int, _: FrameType | None) -> None:
        # Nothing has begun, or somebody insists. Large imports would swallow an exception, or wrap it in another.
        os.write(2, f"stopped by {signal.Signals(number).name}\n".encode())
        os._exit(_ERROR)

    def _raise(self, number: int, frame: FrameType | None) -> None:
        if self.seen:
            if time.monotonic() - self._since > _CLEANING_SECONDS:
                self._leave(number, frame)
            return
        self.seen, self._since = signal.Signals(number).name, time.monotonic()
        raise _StoppedBySignal(self.seen)


class _Output(io.FileIO):
    """Where text goes. What cannot be written is dropped and remembered, so that the command gets to its end."""

    def __init__(self, descriptor: int, *, lost: bool = False) -> None:
        super().__init__(descriptor, "wb", closefd=False)
        self.lost = OSError(0, "it is closed") if lost else None

    def write(self, data: ReadableBuffer, /) -> int:
        size = memoryview(data).nbytes
        if self.lost:
            return size
        try:
            while (written := super().write(data)) is None:
                select.select([], [self], [])  # somebody set the pipe to non-blocking, and it is full
            return written
        except OSError as error:
            self.lost = error
            return size


def _occupy_standard_streams() -> None:
    # Else the next file that is opened would be standard output, and receive what is printed.
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _text(output: _Output, before: TextIO | None, errors: str) -> io.TextIOWrapper:
    encoding = before.encoding if before is not None else "utf-8"
    return io.TextIOWrapper(io.BufferedWriter(output), encoding, errors, line_buffering=output.isatty())

"""What a person sees while a check is being made: one line that changes, and that the result replaces."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from IPython.display import DisplayHandle, clear_output, display

from pandas_magic.reporters.value_text import one_line

# A warm run is over before this; showing a line for a few milliseconds would only flicker.
QUIET_SECONDS = 0.4


class Progress:
    """A line of progress. Call it with each stage; it is shown once the work has lasted `QUIET_SECONDS`.

    May be called from any thread.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stage = ""
        self._handle: DisplayHandle | None = None
        self._open = True
        self._started = time.monotonic()
        # The first stage may be the long one, so that no later call would show it.
        self._timer = threading.Timer(QUIET_SECONDS, self._show)
        self._timer.daemon = True
        self._timer.start()

    def __call__(self, stage: str) -> None:
        """Show the stage, if the work has lasted long enough to show any."""
        self._stage = one_line(stage)
        if time.monotonic() - self._started >= QUIET_SECONDS:
            self._show()

    def close(self) -> None:
        """Take the line away as soon as other output follows; nothing is shown after this."""
        self._timer.cancel()
        with self._lock:
            if self._handle:
                clear_output(wait=True)
            self._open = False

    def _show(self) -> None:
        with self._lock:
            if not (self._open and self._stage):
                return
            if self._handle:
                self._handle.update(_bundle(self._stage), raw=True)
            else:
                self._handle = display(_bundle(self._stage), raw=True, display_id=True)


class TerminalProgress:
    """A line of progress on a terminal's standard error, overwritten in place."""

    def __call__(self, stage: str) -> None:
        """Show the stage in place of the one before."""
        print(f"\r\x1b[2K{one_line(stage, at_most=78)}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Take the line away."""
        print("\r\x1b[2K", end="", file=sys.stderr, flush=True)


class NoProgress:
    """Shows nothing: for runs that nobody watches."""

    def __call__(self, stage: str) -> None:
        """Do nothing with the stage."""

    def close(self) -> None:
        """There is nothing to take away."""


@contextmanager
def progress(*, watched: bool) -> Iterator[Callable[[str], None]]:
    """A place to report stages to, gone when the block ends; `watched` says that a notebook page is looking on."""
    shown = Progress() if watched else TerminalProgress() if sys.stderr.isatty() else NoProgress()
    try:
        yield shown
    finally:
        shown.close()


def _bundle(stage: str) -> dict[str, Any]:
    return {"text/html": f'<p class="pm-stage"><i>{escape(stage)}</i></p>', "text/plain": stage}

"""What a person sees while a request is worked on: the stages so far, and the model's words as they come."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from IPython.display import DisplayHandle, clear_output, display

from pandas_magic.reporters.html import framed
from pandas_magic.reporters.value_text import clean_lines, one_line

_BETWEEN_SECONDS = 0.1  # a page that is redrawn more often only flickers
_SHOWN_CHARACTERS = 3_000  # the end of what the model writes


class Live:
    """The stages in a notebook page, redrawn in place. To be called from the cell's own thread."""

    def __init__(self) -> None:
        self._stages: list[tuple[str, str]] = []
        self._text = ""
        self._handle: DisplayHandle | None = None
        self._drawn_at = 0.0

    def stage(self, name: str, detail: str = "") -> None:
        """Add a stage, or say more about the one that is on; the words of the one before are taken away."""
        if self._stages and self._stages[-1][0] == name and detail:
            self._stages[-1] = (name, detail)
        else:
            self._stages.append((name, detail))
        self._text = ""
        self._draw()

    def text(self, piece: str) -> None:
        """Add to the model's words."""
        self._text += piece
        if time.monotonic() - self._drawn_at >= _BETWEEN_SECONDS:
            self._draw()

    def close(self) -> None:
        """Take everything away as soon as other output follows."""
        if self._handle:
            clear_output(wait=True)
            self._handle = None

    def _draw(self) -> None:
        self._drawn_at = time.monotonic()
        lines = [one_line(f"{name}: {detail}" if detail else name) for name, detail in self._stages]
        listed = "".join(f'<li class="pm-stage">{escape(line)}</li>' for line in lines)
        words = clean_lines(self._text[-_SHOWN_CHARACTERS:])
        html = framed(f"<ol>{listed}</ol>" + (f"<pre>{escape(words)}</pre>" if words else ""))
        content: dict[str, Any] = {"text/html": html, "text/plain": "\n".join([*lines, words])}
        if self._handle:
            self._handle.update(content, raw=True)
        else:
            self._handle = display(content, raw=True, display_id=True)


class TerminalLive:
    """The stages and the model's words on a terminal's standard error."""

    def __init__(self) -> None:
        self._writing = False

    def stage(self, name: str, detail: str = "") -> None:
        """One line for each stage."""
        end = "\n" if self._writing else ""
        self._writing = False
        print(f"{end}{one_line(f'{name}: {detail}' if detail else name)}", file=sys.stderr, flush=True)

    def text(self, piece: str) -> None:
        """The words as they come."""
        self._writing = True
        print(clean_lines(piece), end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """End the line."""
        if self._writing:
            print(file=sys.stderr)


class NoLive:
    """Shows nothing: for runs that nobody watches."""

    def stage(self, name: str, detail: str = "") -> None:
        """Do nothing with the stage."""

    def text(self, piece: str) -> None:
        """Do nothing with the words."""

    def close(self) -> None:
        """There is nothing to take away."""


@contextmanager
def live(*, watched: bool) -> Iterator[Live | TerminalLive | NoLive]:
    """A place to show stages and words, gone when the block ends; `watched` says that a page is looking on."""
    shown = Live() if watched else TerminalLive() if sys.stderr.isatty() else NoLive()
    try:
        yield shown
    finally:
        shown.close()

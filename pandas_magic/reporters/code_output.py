"""What code in the confined kernel printed, drew and raised, set out as if it had run here."""

from base64 import b64encode
from html import escape
from typing import Any

from IPython.display import display

from kernel_sandbox import Display, Execution
from pandas_magic.errors import PandasMagicError, error_line
from pandas_magic.reporters.html import framed
from pandas_magic.reporters.value_text import clean_lines

_PNG = "image/png"


class SandboxCodeFailed(PandasMagicError):
    """Code in `%%sandbox` that raised, or that was stopped. `traceback` is the confined kernel's, as plain text."""

    code = "PM205"

    def __init__(self, message: str, traceback: str = "") -> None:
        self.traceback = traceback
        super().__init__(message)

    def _render_traceback_(self) -> list[str]:
        return [self.traceback or error_line(self)]


def ends_with_frame(execution: Execution) -> bool:
    """Whether the last of what came out is a frame, as a table."""
    return execution.status == "ok" and bool(execution.displays) and bool(execution.displays[-1].html)


def show_execution(execution: Execution, *, part: str = "") -> None:
    """Show what came out: texts, pictures, figures as their data, and in words what was held back.

    `part` is the key by which a page shows all rows of the frame that stands last.
    """
    for text in (execution.stdout, execution.stderr):
        if text:
            print(clean_lines(text), end="")
    for number, shown in enumerate(execution.displays, 1):
        bundle = _bundle(shown)
        if part and number == len(execution.displays):
            bundle["text/html"] = framed(f'<div data-pm-part="{escape(part)}">{shown.html}</div>')
        display(bundle, raw=True)
    for dropped in execution.dropped:
        print(f"not shown: {clean_lines(dropped)}")


def raise_if_failed(execution: Execution) -> None:
    """Raise what the code raised, or why it was stopped.

    Raises: SandboxCodeFailed.
    """
    if execution.status == "ok":
        return
    if execution.status == "error":
        message = f"{execution.error_name}: {execution.error_text}"
        raise SandboxCodeFailed(clean_lines(message), clean_lines(execution.traceback))
    raise SandboxCodeFailed(clean_lines(execution.reason))


def image_bundle(shown: Display, words: str) -> dict[str, Any]:
    """A picture as PNG, and as a drawing for who shows one, which follows the page's theme."""
    drawing = {"image/svg+xml": shown.drawing} if shown.drawing else {}
    return {_PNG: b64encode(shown.image).decode("ascii"), **drawing, "text/plain": words}


def _bundle(shown: Display) -> dict[str, Any]:
    if shown.figure is not None:
        return {shown.mimetype: shown.figure, "text/plain": "a figure"}
    text = {"text/plain": clean_lines(shown.text), **({"text/html": shown.html} if shown.html else {})}
    if shown.mimetype != _PNG:
        return text
    return image_bundle(shown, text["text/plain"] or "a picture")

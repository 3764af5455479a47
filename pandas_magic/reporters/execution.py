"""What code in the confined kernel printed, drew and raised, set out as if it had run here."""

from base64 import b64encode

from IPython.display import display

from kernel_sandbox import Display, Execution
from pandas_magic.errors import PandasMagicError
from pandas_magic.reporters.values import clean_lines, counted

_PNG = "image/png"


class SandboxCodeFailed(PandasMagicError):
    """Code in `%%sandbox` that raised, or that was stopped. `traceback` is the confined kernel's, as plain text."""

    def __init__(self, message: str, traceback: str = "") -> None:
        self.traceback = traceback
        super().__init__(message)

    def _render_traceback_(self) -> list[str]:
        return [self.traceback or f"{type(self).__name__}: {self}"]


def show_execution(execution: Execution) -> None:
    """Show what came out: text as text, pictures as pictures, and in words what was held back."""
    for text in (execution.stdout, execution.stderr):
        if text:
            print(clean_lines(text), end="")
    for shown in execution.displays:
        display(_bundle(shown), raw=True)
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
        raise SandboxCodeFailed(clean_lines(message), own_frames(clean_lines(execution.traceback)))
    raise SandboxCodeFailed(clean_lines(execution.reason))


def own_frames(traceback: str) -> str:
    """An IPython traceback without the frames of installed packages, which are many and name this machine's folders."""
    blocks = traceback.split("\n\n")
    own = [block for block in blocks if not block.startswith("File ")]
    if len(own) < len(blocks):
        own.insert(-1, f"({counted(len(blocks) - len(own), 'frame')} of installed packages not shown)")
    return "\n\n".join(own)


def _bundle(shown: Display) -> dict[str, str]:
    text = {"text/plain": clean_lines(shown.text)}
    if shown.mimetype != _PNG:
        return text
    return {_PNG: b64encode(shown.image).decode("ascii"), "text/plain": text["text/plain"] or "a picture"}

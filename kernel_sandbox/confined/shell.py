"""The IPython shell inside a confined process: what code prints, shows and raises goes up the line as frames.

Nothing here is a wall. Code can rewrite all of it, so the other side believes none of it.
"""

import builtins
import io
import os
import sys
import threading
import traceback
from collections.abc import Callable, Collection, Iterator
from types import TracebackType
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.profiledir import ProfileDir
from traitlets import Any as AnyTrait
from traitlets.config import Config

from kernel_sandbox.confined.magics import replace_magics
from kernel_sandbox.confined.refusals import NO_PROCESSES as NO_PROCESSES
from kernel_sandbox.confined.refusals import explain
from kernel_sandbox.confined.wire import Kind, join_texts

Send = Callable[[Kind, bytes], None]

_PLAIN_STAND_IN = "<IPython.core.display."
_NO_SCRIPTS = "nothing of a confined kernel runs in the browser"
_REFUSED_MAGICS = {
    **dict.fromkeys(("system", "sx", "pip", "conda", "mamba", "micromamba", "uv"), NO_PROCESSES),
    **dict.fromkeys(("bash", "sh", "script", "ruby", "perl"), NO_PROCESSES),
    **dict.fromkeys(("javascript", "js"), _NO_SCRIPTS),
}


class CellText(io.TextIOWrapper):
    """Standard output or error of a cell. What threads left over from earlier cells write is counted, not written."""

    left_over: Collection[int] = frozenset()
    refused_characters = 0

    def write(self, text: str) -> int:
        """The number of characters taken."""
        if threading.get_ident() in self.left_over:
            self.refused_characters += len(text)
            return len(text)
        return super().write(text)


class FramePublisher(DisplayPublisher):
    """Sends displays as plain text or PNG, and names what was left out."""

    send = AnyTrait()

    def publish(self, data: dict[str, Any], *args: object, **options: object) -> None:
        """Send what may be shown of one bundle of mimetypes."""
        publish_bundle(self.send, data)

    def clear_output(self, wait: bool = False) -> None:
        """Nothing: what was sent is sent."""


class FrameHook(DisplayHook):
    """Sends the value of a cell's last expression."""

    send = AnyTrait()

    def write_output_prompt(self) -> None:
        """Nothing: the other side has its own prompts."""

    def write_format_data(self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None) -> None:
        """Send what may be shown of the value."""
        publish_bundle(self.send, format_dict)

    def finish_displayhook(self) -> None:
        """Nothing: the frame is complete."""


def publish_bundle(send: Send, data: dict[str, Any]) -> None:
    """Send the image or the text of a bundle; a note for anything that has no such form."""
    text, image = data.get("text/plain"), data.get("image/png")
    if image is not None:
        send(Kind.PNG, image if isinstance(image, bytes) else _decoded(image))
        return
    if isinstance(text, str) and not text.startswith(_PLAIN_STAND_IN):
        send(Kind.TEXT, text.encode("utf-8", "backslashreplace"))
        return
    kinds = ", ".join(sorted(set(map(str, data)) - {"text/plain"})) or "an empty display"
    send(Kind.NOTE, f"{kinds} was not shown: only plain text and PNG leave the sandbox".encode())


class ConfinedShell(InteractiveShell):
    """An IPython shell without history, prompts, other programs or questions."""

    send = AnyTrait()
    raised: tuple[str, str, str, int | None] | None = None
    _hidden_frames = 0
    _explanation = ""

    def init_display_pub(self) -> None:
        """Displays go up the line."""
        self.display_pub = FramePublisher(parent=self, shell=self, send=self.send)  # type: ignore[no-untyped-call] # traitlets has no types

    def init_displayhook(self) -> None:
        """Values go up the line."""
        super().init_displayhook()  # type: ignore[no-untyped-call] # traitlets has no types
        self.displayhook = FrameHook(parent=self, shell=self, cache_size=0, send=self.send)  # type: ignore[no-untyped-call] # traitlets has no types
        self.display_trap.hook = self.displayhook

    def system(self, cmd: str) -> None:
        """Refuse in one line what `!command` asks for."""
        raise PermissionError(f"!{cmd.strip()[:80]}: {NO_PROCESSES}")

    def getoutput(self, cmd: str, *args: object, **options: object) -> None:
        """Refuse in one line what `x = !command` asks for."""
        self.system(cmd)

    def enable_gui(self, gui: object = None) -> None:
        """Nothing: there is no screen."""

    def showtraceback(
        self,
        exc_tuple: tuple[type[BaseException], BaseException, Any] | None = None,
        *args: Any,  # noqa: ANN401 - IPython's own, passed on
        **options: Any,  # noqa: ANN401 - as above
    ) -> None:
        """The traceback as IPython shows it, of the frames of cells.

        To show one of an installed package its whole file is parsed, half a second for one of pandas, and it would name
        a folder of this machine.
        """
        kind, error, _ = exc_tuple or sys.exc_info()
        if error is not None:
            # The frames tell what was asked for, and the next line drops them.
            self._explanation = _explained(error)
            self._hidden_frames = keep_frames(error, self._is_cell)
            exc_tuple = (kind or type(error), error, error.__traceback__)
        super().showtraceback(exc_tuple, *args, **options)

    def _is_cell(self, name: str) -> bool:
        return name in self.compile._filename_map

    def _showtraceback(self, etype: type[BaseException], evalue: BaseException, stb: list[str]) -> None:
        if hidden := self._hidden_frames:
            self._hidden_frames = 0
            stb.insert(-1, f"({hidden} frame{'s' * (hidden > 1)} outside the cells not shown)\n")
        if self._explanation:
            stb.append(f"(confined kernel: {self._explanation})")
            self._explanation = ""
        try:
            text = str(evalue)
        except Exception as error:
            # The text of an exception is computed by code that nobody trusts; its failure is part of the answer.
            text = f"<its text could not be made: {type(error).__name__}>"
        line = cell_line(evalue, self._is_cell)
        self.raised = (etype.__name__, text, "\n".join(stb), line)


def _explained(error: BaseException) -> str:
    try:
        return explain(error, work=os.environ.get("KERNEL_SANDBOX_WORK") or os.environ.get("HOME", ""))
    except Exception:
        # Its parts are computed by code that nobody trusts; without a line about it, it is an error all the same.
        return ""


def cell_line(error: BaseException, is_cell: Callable[[str], bool]) -> int | None:
    """The line of the cell in which the error arose, counted from 1; None when it arose in no cell."""
    if isinstance(error, SyntaxError) and error.filename and is_cell(error.filename):
        return error.lineno
    found: int | None = None
    at: TracebackType | None = error.__traceback__
    for frame, line in traceback.walk_tb(at):
        if is_cell(frame.f_code.co_filename):
            found = line
    return found


def keep_frames(error: BaseException, is_kept: Callable[[str], bool]) -> int:
    """Drop all other frames from the tracebacks of an error and of what led to it; how many were dropped.

    Those of IPython itself, which it never shows, are not counted.
    """
    dropped, seen = 0, set()
    following: BaseException | None = error
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        kept: TracebackType | None = None
        for at in reversed(list(_steps(following.__traceback__))):
            if is_kept(at.tb_frame.f_code.co_filename):
                kept = TracebackType(kept, at.tb_frame, at.tb_lasti, at.tb_lineno)
            elif not str(at.tb_frame.f_globals.get("__name__")).startswith("IPython."):
                dropped += 1
        following.__traceback__ = kept
        following = following.__cause__ or (None if following.__suppress_context__ else following.__context__)
    return dropped


def _steps(at: TracebackType | None) -> Iterator[TracebackType]:
    while at is not None:
        yield at
        at = at.tb_next


def make_shell(root: str, send: Send) -> ConfinedShell:
    """The shell, made once in the keeper; each confined process starts from a copy of it."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.xmode = "Context"
    config.InteractiveShell.show_rewritten_input = False
    profile = ProfileDir.create_profile_dir(f"{root}/ipython")
    shell: ConfinedShell = ConfinedShell.instance(config=config, profile_dir=profile, user_ns={}, send=send)
    shell.autoindent = False
    refuse_magics(shell)
    replace_magics(shell)
    return shell


def refuse_magics(shell: InteractiveShell) -> None:
    """Let the magics that start other programs answer in one line, in any IPython shell."""
    for magic, reason in _REFUSED_MAGICS.items():
        for kind in ("line", "cell"):
            if kind == "cell" or magic in shell.magics_manager.magics["line"]:
                shell.register_magic_function(_refusal(magic, reason), kind, magic)  # type: ignore[arg-type] # any callable will do


def prepare_builtins() -> None:
    """Answer questions to the user in one line instead of waiting for nobody."""

    def no_input(prompt: object = "") -> str:
        raise EOFError("input() has nobody to ask in a confined kernel; pass the value in as a variable")

    builtins.input = no_input
    sys.stdin = io.StringIO()


def _refusal(magic: str, reason: str) -> Callable[..., None]:
    def refuse(line: str = "", cell: str | None = None) -> None:
        raise PermissionError(f"%{magic} is refused: {reason}")

    refuse.__doc__ = f"Refused: {reason}."
    return refuse


def error_content(raised: tuple[str, str, str, int | None]) -> bytes:
    """The content of an ERROR frame."""
    name, text, trace, line = raised
    return join_texts(name, text, trace, "" if line is None else str(line))


def _decoded(image: object) -> bytes:
    import base64

    try:
        return base64.b64decode(str(image), validate=True)
    except ValueError:
        return b""

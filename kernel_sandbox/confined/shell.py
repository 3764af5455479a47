"""The IPython shell inside a confined process: what code shows and raises goes up the line as frames.

Nothing here is a wall. Code can rewrite all of it, so the other side believes none of it.
"""

import base64
import builtins
import getpass
import io
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

from IPython.core import page, payloadpage
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.profiledir import ProfileDir
from traitlets import Any as AnyTrait
from traitlets import CBool
from traitlets.config import Config

from kernel_sandbox.confined.magics import replace_magics
from kernel_sandbox.confined.refusals import NO_PROCESSES, explain
from kernel_sandbox.confined.renderers import show_altair_as_data, show_figures_as_drawings
from kernel_sandbox.confined.wire import Kind

Send = Callable[[Kind, bytes], None]

_NO_SCRIPTS = "nothing of a confined kernel runs in the browser"
_REFUSED_MAGICS = {
    **dict.fromkeys(("system", "sx", "pip", "conda", "mamba", "micromamba", "uv"), NO_PROCESSES),
    **dict.fromkeys(("bash", "sh", "script", "ruby", "perl"), NO_PROCESSES),
    **dict.fromkeys(("javascript", "js", "autosave"), _NO_SCRIPTS),
    "store": "a confined kernel keeps nothing for the next one; write a file into the work folder",
    **dict.fromkeys(("connect_info", "qtconsole"), "a confined kernel does not know the key of its own connection"),
}
# As many values of earlier cells as IPython itself keeps in a notebook.
_KEPT_VALUES = 1000


class FramePublisher(DisplayPublisher):
    """Sends displays up the line."""

    send = AnyTrait()

    def publish(
        self,
        data: dict[str, Any],
        metadata: dict[str, Any] | None = None,
        *args: object,
        transient: dict[str, Any] | None = None,
        update: bool = False,
        **options: object,
    ) -> None:
        """Send one bundle of mimetypes."""
        kind = "update_display_data" if update else "display_data"
        send_bundle(self.send, kind, data, metadata, display_id=(transient or {}).get("display_id"))

    def clear_output(self, wait: bool = False) -> None:
        """Ask for the output so far to be taken away."""
        self.send(Kind.CLEAR, json.dumps(bool(wait)).encode())


class FrameHook(DisplayHook):
    """Sends the value of a cell's last expression."""

    send = AnyTrait()

    def write_output_prompt(self) -> None:
        """Nothing: the other side has its own prompts."""

    def write_format_data(self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None) -> None:
        """Send the value in all its forms."""
        send_bundle(self.send, "execute_result", format_dict, md_dict)

    def finish_displayhook(self) -> None:
        """Nothing: the frame is complete."""


def send_bundle(
    send: Send, kind: str, data: dict[str, Any], metadata: dict[str, Any] | None, *, display_id: object = None
) -> None:
    """Send one bundle as a message of this type; a note in its place when it is no JSON."""
    try:
        content = json.dumps([kind, data, metadata or {}, display_id], default=_encoded, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        send(Kind.NOTE, f"a display was not shown: {error}".encode("utf-8", "backslashreplace"))
        return
    send(Kind.DISPLAY, content)


def _encoded(value: object) -> object:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if callable(item := getattr(value, "tolist", None)):
        return item()
    raise TypeError(f"{type(value).__name__} has no JSON form")


class ConfinedShell(InteractiveShell):
    """An IPython shell without prompts, other programs or questions.

    `raised` is what the last cell raised and showed: name, text, lines of the traceback, line of the cell.
    `cells_alone` leaves all frames but those of cells out of tracebacks.
    """

    send = AnyTrait()
    colors_force = CBool(True)
    raised: tuple[str, str, list[str], int | None] | None = None
    cells_alone = True
    leaving = False
    _hidden_frames = 0
    _explanation = ""

    def init_hooks(self) -> None:
        """`name?` shows its text beside the notebook."""
        super().init_hooks()  # type: ignore[no-untyped-call] # traitlets has no types
        self.set_hook("show_in_pager", page.as_hook(payloadpage.page), 99)  # type: ignore[no-untyped-call] # as above

    def set_next_input(self, s: str, replace: bool = False) -> None:
        """Ask for a cell to be written, which the other side refuses in a line."""
        self.payload_manager.write_payload({"source": "set_next_input", "text": s, "replace": replace})  # type: ignore[union-attr] # made with the shell

    def ask_exit(self) -> None:
        """End this process once the cell is answered."""
        self.leaving = True

    def init_display_pub(self) -> None:
        """Displays go up the line."""
        self.display_pub = FramePublisher(parent=self, shell=self, send=self.send)  # type: ignore[no-untyped-call] # traitlets has no types

    def init_display_formatter(self) -> None:
        """Models of scikit-learn are shown as text: their HTML is a page with a script and a style sheet of its own."""
        super().init_display_formatter()  # type: ignore[no-untyped-call] # traitlets has no types
        model, shown = ("sklearn.base", "BaseEstimator"), self.display_formatter
        assert shown is not None
        shown.mimebundle_formatter.for_type_by_name(*model, lambda one, **_: {"text/plain": repr(one)})
        shown.formatters["text/html"].for_type_by_name(*model, lambda one: None)

    def init_displayhook(self) -> None:
        """Values go up the line."""
        super().init_displayhook()  # type: ignore[no-untyped-call] # traitlets has no types
        self.displayhook = FrameHook(parent=self, shell=self, cache_size=0, send=self.send)  # type: ignore[no-untyped-call] # traitlets has no types
        self.displayhook.cache_size = 1  # the last value is "_"; with those of all cells memory would only grow
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
        """The traceback as IPython shows it; of the frames of cells alone, if nobody is there who would read more.

        To show one of an installed package its whole file is parsed, half a second for one of pandas, and it would name
        a folder of this machine.
        """
        kind, error, _ = exc_tuple or sys.exc_info()
        if error is not None:
            # The frames tell what was asked for, and the next lines drop them.
            self._explanation = _explained(error)
        if error is not None and self.cells_alone:
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
        self.raised = (etype.__name__, text, list(stb), line)


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


def make_shell(root: str, send: Send, *, notebook: bool) -> ConfinedShell:
    """The shell, made once in the keeper; each confined process starts from a copy of it."""
    config = Config()
    # Without threads and a database; what was run is remembered in memory all the same.
    config.HistoryManager.enabled = False
    if not notebook:
        config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.xmode = "Context"
    config.InteractiveShell.show_rewritten_input = False
    profile = ProfileDir.create_profile_dir(f"{root}/ipython")
    shell: ConfinedShell = ConfinedShell.instance(config=config, profile_dir=profile, send=send)
    shell.autoindent = False
    # Bookmarks and the folders that %cd came from, which IPython would keep in a folder of the keeper.
    shell.db = {}
    shell.cells_alone = not notebook
    if notebook:
        shell.displayhook.cache_size, shell.displayhook.do_full_cache = _KEPT_VALUES, 1
        # Libraries know a notebook by the name of its shell.
        ConfinedShell.__name__ = ConfinedShell.__qualname__ = "ZMQInteractiveShell"
    show_altair_as_data(shell)
    if not notebook:
        show_figures_as_drawings(shell)
    refuse_magics(shell)
    replace_magics(shell)
    return shell


def refuse_magics(shell: InteractiveShell) -> None:
    """Let the magics that start other programs answer in one line, in any IPython shell."""
    for magic, reason in _REFUSED_MAGICS.items():
        for kind in ("line", "cell"):
            shell.register_magic_function(_refusal(magic, reason), kind, magic)  # type: ignore[arg-type] # any callable will do


def prepare_builtins() -> None:
    """Answer questions to the user in one line instead of waiting for nobody."""

    def no_input(prompt: object = "", *others: object) -> str:
        raise EOFError("input() has nobody to ask in a confined kernel; pass the value in as a variable")

    builtins.input = no_input
    getpass.getpass = no_input  # type: ignore[assignment] # it takes whatever is asked
    sys.stdin = io.StringIO()


def _refusal(magic: str, reason: str) -> Callable[..., None]:
    def refuse(line: str = "", cell: str | None = None) -> None:
        raise PermissionError(f"%{magic} is refused: {reason}")

    refuse.__doc__ = f"Refused: {reason}."
    return refuse

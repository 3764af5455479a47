"""One hidden widget between the kernel and the page: its page side edits the notebook and makes shown parts live.

Cards are static HTML that every front end shows. Where the page side runs, it finds in them the elements that carry
`data-pm-part`, asks the kernel what stands behind the key, and puts buttons or a grid in their place; without a kernel
the static form is what is seen. Its JavaScript is the files beside this one, joined: a module of its own for each
would have to be served.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

Handler = Callable[[dict[str, Any]], None]
_SCRIPTS = (
    "insertion.js",
    "question.js",
    "repeated.js",
    "grid_rows.js",
    "grid_bar.js",
    "grid_columns.js",
    "grid_corrections.js",
    "grid.js",
    "board.js",
    "board_deeds.js",
    "panel.js",
    "bridge.js",
)


class PageBridge:
    """The hidden widget of the notebook that `shell` serves, made when a page is first seen to look on."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._widget: Any = None
        self._handlers: dict[str, Handler] = {}

    def on(self, kind: str, handler: Handler) -> None:
        """Have `handler` answer the page's messages of this kind."""
        self._handlers[kind] = handler

    def prepare(self) -> None:
        """Make the widget if a notebook page is looking on; elsewhere it would only litter the file."""
        if self._widget is None and is_page(cell_id(self._shell)):
            self._widget = hidden_widget()
            self._widget.on_msg(self._on_message)

    def is_watched(self) -> bool:
        """Whether a page that the widget can reach looks on; it is made then."""
        self.prepare()
        return self._widget is not None

    def send(self, message: dict[str, Any], buffers: Sequence[bytes] = ()) -> None:
        """Send to the page; nothing when there is none."""
        if self._widget is not None:
            self._widget.send(message, list(buffers)) if buffers else self._widget.send(message)

    def close(self) -> None:
        """Take the widget away."""
        if self._widget is not None:
            self._widget.close()
            self._widget = None

    def _on_message(self, _widget: object, content: dict[str, Any], _buffers: object) -> None:
        handler = self._handlers.get(str(content.get("kind")))
        if handler is not None:
            handler(content)


def cell_id(shell: InteractiveShell) -> str:
    """The id of the cell that is running, or "" when no front end with cells asked for it."""
    return str(request_of(shell).get("metadata", {}).get("cellId") or "")


def cell_source(shell: InteractiveShell) -> str:
    """The text of the cell that is running, as the front end sent it; "" when it is not known."""
    return str(request_of(shell).get("content", {}).get("code") or "")


def request_of(shell: InteractiveShell) -> dict[str, Any]:
    """The message that is being answered; empty in a shell that is no kernel's."""
    get_parent = getattr(shell, "get_parent", None)
    return (get_parent() or {}) if get_parent else {}


def is_page(anchor: str) -> bool:
    """Whether a cell of this id stands in a page that the widget can reach.

    VS Code sends the URI of a document in place of the id that nbformat knows.
    """
    return bool(anchor) and ":" not in anchor


def hidden_widget() -> Any:  # noqa: ANN401 - a class of anywidget made here
    """A widget that shows nothing and runs our scripts in the page."""
    import anywidget

    return type("SavedCells", (anywidget.AnyWidget,), {"_esm": page_script()})()


def page_script() -> str:
    """The page's side as one module of JavaScript."""
    folder = files("pandas_magic.notebook.page")
    style = folder.joinpath("live.css").read_text(encoding="utf-8")
    scripts = (folder.joinpath(name).read_text(encoding="utf-8") for name in _SCRIPTS)
    return "\n".join([f"const LIVE_STYLE = {json.dumps(style)};", *scripts])

"""What came of one piece of code, as the caller of a `Sandbox` sees it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from kernel_sandbox.front.endings import Status

OnOutput = Callable[[str, str], None]


@dataclass(frozen=True)
class Display:
    """One thing shown: `text` for "text/plain", `image` for "image/png"; the other one is empty.

    An image in default colours is in `drawing` as SVG, made anew, which follows a dark colour scheme. A text that is a
    frame's has the frame as a table in `html`, made anew of allowed tags. Any other `mimetype` is that of a Plotly or
    Vega figure, which is JSON: `figure` holds no script and no address.
    """

    mimetype: str
    text: str = ""
    image: bytes = b""
    figure: Mapping[str, Any] | None = None  # None: it is a text or an image
    drawing: str = ""  # another form of the image; "": it has none
    html: str = ""  # another form of the text; "": it has none


@dataclass(frozen=True)
class Execution:
    """What came of one piece of code. Everything in it but `status`, `seconds` and `reason` is the code's own claim.

    `error_line` is the line of the code, counted from 1, where the error arose; None when it is not known.
    `dropped` says in words what was refused on the way. `reason` is one line when `status` is neither "ok" nor "error".
    `outer` names the layer that stood around the locks, if any.
    A status "ok" says that code and sandbox claim to have finished; it is no verdict about anything.
    """

    status: Status
    stdout: str = ""
    stderr: str = ""
    error_name: str = ""
    error_text: str = ""
    traceback: str = ""
    error_line: int | None = None
    displays: tuple[Display, ...] = ()
    dropped: tuple[str, ...] = ()
    seconds: float = 0.0
    reason: str = ""
    isolation: str = "auto"
    outer: Literal["", "bwrap"] = ""

"""What a confined process may show in a notebook, each kind of it checked or made anew; nothing that runs or loads."""

import base64
import re
from collections.abc import Callable, Mapping
from typing import Any

from kernel_sandbox.front.figures import clean_drawing, clean_notes, figure_problem, jpeg_problem
from kernel_sandbox.front.markup import clean_html, formula_problem
from kernel_sandbox.front.texts import ESCAPES, png_problem, visible

Note = Callable[[str], None]

# A colour is harmless in a browser and in a terminal; every other sequence could move, rename or answer.
_COLOUR = re.compile(r"\x1b\[[\d;]{0,40}m")
_CONTROLS = re.compile(r"[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]")
_KIND = re.compile(r"[\w.+-]{1,60}/[\w.+-]{1,80}", re.ASCII)
_MOST_PIXELS = 10_000
_PLAIN_STAND_IN = "<IPython.core.display."
# Data that a renderer of the front end takes: as JSON, and as figures of Plotly and Vega.
_FIGURE = re.compile(r"application/(?:json|vnd\.plotly\.v1\+json|vnd\.vega(?:lite)?\.v[3-6]\+json)")
_WIDGET = "application/vnd.jupyter.widget-view+json"
# A widget comes as messages and as a display; it is refused in one line.
NO_WIDGETS = "widgets were not shown: nothing of a confined kernel runs in the browser"


def clean_stream(text: object) -> str:
    """The text with its colours, tabs, line ends and backspaces, and no other control characters or sequences.

    Characters that reorder or hide text become visible escapes; halves of characters, which are no text to most
    programs, become question marks.
    """
    if not isinstance(text, str):
        return ""
    if "\x1b" in text or "\x9b" in text:
        text = ESCAPES.sub(lambda found: found[0] if _COLOUR.fullmatch(found[0]) else "", text)
    return visible(_CONTROLS.sub("", text)).encode("utf-8", "replace").decode("utf-8")


def clean_bundle(bundle: object, note: Note) -> dict[str, Any]:
    """What may be shown of one bundle of mimetypes; each thing left out that the reader would miss is noted."""
    if not isinstance(bundle, Mapping):
        note("a display that is no bundle was dropped")
        return {}
    shown: dict[str, Any] = {}
    for kind, value in bundle.items():
        clean = _SHOWN.get(kind) if isinstance(value, str) else None
        if isinstance(kind, str) and _FIGURE.fullmatch(kind):
            if problem := figure_problem(value):
                note(f"a figure was not shown: {problem}")
            else:
                shown[kind] = value
        elif clean is None:
            note(NO_WIDGETS if kind == _WIDGET else f"{_named(kind)} was not shown")
        elif (cleaned := clean(value, note)) is not None:
            shown[kind] = cleaned
    return shown


def plain_bundle(bundle: object, note: Note) -> dict[str, str]:
    """The image of one bundle of mimetypes, else its text; a note when it has neither."""
    data = bundle if isinstance(bundle, Mapping) else {}
    text, image = data.get("text/plain"), data.get("image/png")
    if isinstance(image, str):
        cleaned = _image(image, note)
        return {} if cleaned is None else {"image/png": cleaned}
    if isinstance(text, str) and not text.startswith(_PLAIN_STAND_IN):
        return {"text/plain": clean_stream(text)}
    kinds = ", ".join(sorted(_named(kind) for kind in data if kind != "text/plain")) or "an empty display"
    note(f"{kinds} was not shown: only plain text and PNG leave the sandbox")
    return {}


def image_sizes(metadata: object) -> dict[str, Any]:
    """The width and height that a PNG is to be shown with, where they are numbers of pixels."""
    image = metadata.get("image/png") if isinstance(metadata, Mapping) else None
    if not isinstance(image, Mapping):
        return {}
    sizes = {name: image[name] for name in ("width", "height") if _is_pixels(image.get(name))}
    return {"image/png": sizes} if sizes else {}


def _html(text: str, note: Note) -> str:
    rebuilt, refused = clean_html(clean_stream(text))
    if refused:
        note("active HTML was not shown")
    return rebuilt


def _drawing(text: str, note: Note) -> str | None:
    drawing, problem = clean_drawing(text)
    if problem:
        note(f"a drawing was not shown: {problem}")
    return drawing or None


def _notes(text: str, note: Note) -> str | None:
    if "$" in text and (problem := formula_problem(text)):
        note(f"a formula was not typeset: {problem}")
        return None
    return clean_notes(clean_stream(text))


def _formula(text: str, note: Note) -> str | None:
    if problem := formula_problem(text):
        note(f"a formula was not typeset: {problem}")
        return None
    return clean_stream(text)


def _image(text: str, note: Note, find_problem: Callable[[bytes], str | None] = png_problem) -> str | None:
    try:
        image = base64.b64decode("".join(text.split()), validate=True)
    except ValueError:
        image = b""
    if problem := find_problem(image):
        note(f"an image was not shown: {problem}")
        return None
    return base64.b64encode(image).decode("ascii")


def _named(kind: object) -> str:
    return kind if isinstance(kind, str) and _KIND.fullmatch(kind) else "a display of unknown kind"


def _is_pixels(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= _MOST_PIXELS


_SHOWN: dict[str, Callable[[str, Note], str | None]] = {
    "text/plain": lambda text, note: clean_stream(text),
    "text/markdown": _notes,
    "text/html": _html,
    "text/latex": _formula,
    "image/png": _image,
    "image/jpeg": lambda text, note: _image(text, note, jpeg_problem),
    "image/svg+xml": _drawing,
}

"""What a confined kernel may show in a notebook.

Text, PNG images, formulas of known macros, figures that are data, and HTML, SVG and Markdown that were made anew.
"""

import base64
import re
from collections.abc import Callable, Mapping
from typing import Any

from kernel_sandbox.front.drawings import clean_svg, with_themes
from kernel_sandbox.front.figures import clean_data, clean_figure, is_figure
from kernel_sandbox.front.markdown import clean_markdown
from kernel_sandbox.front.markup import TAG_MADE, clean_html, formula_problem, typeset_problem
from kernel_sandbox.front.texts import ESCAPES, jpeg_problem, png_problem, visible

Note = Callable[[str], None]

# A colour is harmless in a browser and in a terminal; every other sequence could move, rename or answer.
_COLOUR = re.compile(r"\x1b\[[\d;]{0,40}m")
_CONTROLS = re.compile(r"[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]")
_KIND = re.compile(r"[\w.+-]{1,60}/[\w.+-]{1,80}", re.ASCII)
_MOST_PIXELS = 10_000
# Of all texts of one bundle: to clean so many takes about a second.
_MOST_CHARACTERS = 8_000_000
_MOST_DRAWN_CHARACTERS = 500_000
_PLAIN_STAND_IN = "<IPython.core.display."
_WIDGET = "application/vnd.jupyter.widget-view+json"
# Figures that come as scripts, and how they come as data.
_AS_DATA = {
    "vegaEmbed": '; Altair sends data after altair.renderers.enable("mimetype")',
    "Plotly.newPlot": '; Plotly sends data after plotly.io.renderers.default = "plotly_mimetype"',
}
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
    room = _MOST_CHARACTERS
    for kind, value in bundle.items():
        clean = _SHOWN.get(kind) if isinstance(value, str) else None
        room -= len(value) if isinstance(value, str) else 0
        cleaned: object = None
        if is_figure(kind):
            cleaned = clean_figure(kind, value, note)
        elif kind == "application/json":
            cleaned = clean_data(value, note)
        elif clean is None:
            note(NO_WIDGETS if kind == _WIDGET else f"{_named(kind)} was not shown")
        elif room < 0:
            note(f"{kind} was not shown: a display has at most {_MOST_CHARACTERS:,} characters")
        else:
            cleaned = clean(value, note)
        if cleaned is not None:
            shown[kind] = cleaned
    return _with_source(bundle, shown)


def plain_bundle(bundle: object, note: Note) -> dict[str, Any]:
    """The figure of one bundle of mimetypes, else its image and drawing, else its text, with its table where it is one.

    A note when it has none of them.
    """
    data = bundle if isinstance(bundle, Mapping) else {}
    kind = next(filter(is_figure, data), None)
    if kind is not None:
        figure = clean_figure(kind, data[kind], note)
        return {} if figure is None else {kind: figure}
    text, image = data.get("text/plain"), data.get("image/png")
    if isinstance(image, str):
        cleaned = _image(image, note)
        return {} if cleaned is None else {"image/png": cleaned, **_drawn(data.get("image/svg+xml"))}
    if isinstance(text, str) and not text.startswith(_PLAIN_STAND_IN):
        return {"text/plain": clean_stream(text), **_table(data.get("text/html"))}
    kinds = ", ".join(sorted(_named(kind) for kind in data if kind != "text/plain")) or "an empty display"
    note(f"{kinds} was not shown: only plain text, PNG and figures that are data leave the sandbox")
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
        advice = next((words for mark, words in _AS_DATA.items() if mark in text), "")
        note(f"active HTML was not shown{advice}")
    return rebuilt


def _table(html: object) -> dict[str, str]:
    """The HTML of a frame made anew; nothing where it is no table, very long, or holds anything active."""
    if not isinstance(html, str) or "<table" not in html or len(html) > _MOST_CHARACTERS:
        return {}
    refused: list[str] = []
    rebuilt = _html(html, refused.append)
    return {} if refused else {"text/html": rebuilt}


def _drawn(svg: object) -> dict[str, str]:
    """A figure as a drawing that follows the theme, beside its image; nothing where it is none, or long, or active."""
    if not isinstance(svg, str) or len(svg) > _MOST_DRAWN_CHARACTERS:
        return {}
    refused: list[str] = []
    drawing = _drawing(svg, refused.append)
    return {} if drawing is None or refused else {"image/svg+xml": with_themes(drawing)}


def _drawing(text: str, note: Note) -> str | None:
    drawn, refused = clean_svg(clean_stream(text))
    if drawn is not None and typeset_problem(TAG_MADE.sub(" ", drawn)):
        drawn, refused = None, True
    if refused or drawn is None:
        note("active SVG was not shown" if refused else "an SVG was not shown: it is no drawing")
    return drawn


def _markdown(text: str, note: Note) -> str | None:
    if problem := typeset_problem(text):
        note(f"Markdown was shown as its source: {problem}")
        return None
    return clean_markdown(clean_stream(text))


def _with_source(bundle: Mapping[Any, Any], shown: dict[str, Any]) -> dict[str, Any]:
    """The bundle with the source of its Markdown, which was written to be read, for who shows no Markdown."""
    source = bundle.get("text/markdown")
    if not isinstance(source, str) or len(source) > _MOST_CHARACTERS:
        return shown
    return shown | {"text/plain": clean_stream(source)}


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
    "text/markdown": _markdown,
    "text/html": _html,
    "text/latex": _formula,
    "image/png": _image,
    "image/jpeg": lambda text, note: _image(text, note, jpeg_problem),
    "image/svg+xml": _drawing,
}

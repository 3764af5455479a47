"""Drawings, notes and figures of a confined process, made anew: nothing in them runs, loads or leads anywhere."""

import html
import re
from typing import Any
from xml.etree import ElementTree

from kernel_sandbox.front.texts import visible

_SVG = "http://www.w3.org/2000/svg"
_XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
_SHAPES = frozenset(
    (
        *("svg", "g", "defs", "symbol", "use", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"),
        *("text", "tspan", "title", "desc", "clipPath", "mask", "marker", "linearGradient", "radialGradient", "stop"),
        "pattern",
    )
)
# Numbers, colours, words, paths and references within the drawing; no address has this form.
_PLAIN = re.compile(r"[\w\s.,:;()#%+*'\"/-]*", re.ASCII)
# Nor may it leave its place on the page.
_REFERENCE = re.compile(r"(?!.*position)(?:url\(\s*#[\w.:-]{1,100}\s*\)|[^u]|u(?!rl))*", re.IGNORECASE | re.DOTALL)
_ATTRIBUTES = re.compile(
    r"id|d|x|y|x1|x2|y1|y2|cx|cy|r|rx|ry|fx|fy|dx|dy|width|height|viewBox|points|transform|offset|version"
    r"|preserveAspectRatio|gradientUnits|gradientTransform|patternUnits|patternTransform|clipPathUnits|orient"
    r"|ref[XY]|marker(?:Width|Height|Units|-start|-mid|-end)|clip-(?:path|rule)|mask|opacity|color|overflow"
    r"|fill(?:-\w+)?|stroke(?:-\w+)*|stop-\w+|font(?:-\w+)*|text-(?:anchor|decoration)|dominant-baseline|style"
    r"|letter-spacing|word-spacing|spreadMethod"
)
_LOCAL = re.compile(r"#[\w.:-]{1,100}", re.ASCII)
_DEEPEST = 60
# An entity of a document type can unfold to any size.
_DECLARATION = re.compile(r"<!(?:DOCTYPE\s+svg\s+PUBLIC[^<>\[]*>|(?!--))", re.IGNORECASE)
_DOCTYPE = re.compile(r"<!DOCTYPE\s+svg\s+PUBLIC[^<>\[]*>", re.IGNORECASE)
_ADDRESS = re.compile(r"//|\b(?:javascript|data|vbscript|file|blob):|<\s*[a-z!/]", re.IGNORECASE)
_SCHEMA = re.compile(r"https://vega\.github\.io/schema/[\w./-]{1,60}")
_HTML_BEGINS = re.compile(r"<(?=[A-Za-z/!?])")
_LINK, _DEFINITION, _FENCE = re.compile(r"\](?=[(\[])"), re.compile(r"^([ >*+-]*)\[(?=[^\]]*\]:)", re.MULTILINE), "```"


def clean_drawing(text: str) -> tuple[str, str]:
    """The SVG image with its shapes and text alone, and why there is none; one of the two is empty."""
    text = _DOCTYPE.sub("", text)
    if _DECLARATION.search(text):
        return "", "it declares a type of document"
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        return "", f"it is no XML ({error})"
    if root.tag not in (f"{{{_SVG}}}svg", "svg"):
        return "", "it is no SVG"
    pieces: list[str] = []
    _draw(root, pieces, 0)
    return "".join(pieces), ""


def clean_notes(text: str) -> str:
    """The Markdown without HTML, links and images, which could load or lead anywhere; their words remain."""
    text = _HTML_BEGINS.sub("&lt;", text).replace(f"{_FENCE}mermaid", _FENCE)
    return _DEFINITION.sub(r"\1\\[", _LINK.sub(r"]\\", text))


def figure_problem(value: object) -> str:
    """Why the data of a figure may not be shown: a text in it is an address or markup, which a browser would follow."""
    for text in _texts(value):
        if _ADDRESS.search(text) and not _SCHEMA.fullmatch(text):
            return f"it holds {visible(text[:40])!r}, which a browser could follow"
    return ""


def jpeg_problem(image: bytes) -> str:
    """Why the bytes are no JPEG image; empty when they begin and end as one."""
    return "" if image[:3] == b"\xff\xd8\xff" and image[-2:] == b"\xff\xd9" else "it is no JPEG image"


def _texts(value: object) -> list[str]:
    found: list[str] = []
    pending: list[Any] = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, dict):
            pending += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            pending += one
        elif isinstance(one, str):
            found.append(one)
    return found


def _draw(element: ElementTree.Element, pieces: list[str], depth: int) -> None:
    name = element.tag.rpartition("}")[2]
    if name not in _SHAPES or depth > _DEEPEST:
        return
    kept = [f' xmlns="{_SVG}"'] if depth == 0 else []
    for attribute, value in element.items():
        if attribute in (_XLINK_HREF, "href"):
            kept += [f' href="{value}"'] if _LOCAL.fullmatch(value) else []
        elif _ATTRIBUTES.fullmatch(attribute) and _PLAIN.fullmatch(value) and _REFERENCE.fullmatch(value):
            kept.append(f' {attribute}="{html.escape(value)}"')
    pieces.append(f"<{name}{''.join(kept)}>{html.escape(visible(element.text or ''))}")
    for child in element:
        _draw(child, pieces, depth + 1)
        pieces.append(html.escape(visible(child.tail or "")))
    pieces.append(f"</{name}>")

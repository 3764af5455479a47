"""SVG of a kernel, drawn anew: shapes, texts, gradients and clips, which refer to nothing but each other.

What comes out is well-formed XML of the elements and attributes below. A shape may be used many times, a group not at
all, so that a small drawing cannot unfold into a large one.
"""

import html
import re

from kernel_sandbox.front.tags import LeftOut, Tag, names, tokens
from kernel_sandbox.front.texts import visible

_ELEMENTS = {
    name.lower(): name
    for name in names(
        "svg g path rect circle ellipse line polyline polygon text tspan defs linearGradient radialGradient stop "
        "clipPath use title desc"
    )
}
_SHAPES = names("path rect circle ellipse line polyline polygon")
_WITH_TEXT = names("text tspan title desc")
# Of these the content is left out too.
_SKIPPED = names(
    "script style foreignobject image iframe object embed template filter mask pattern marker symbol "
    "animate animatemotion animatetransform set"
)
_PROPERTIES = names(
    "fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit "
    "stroke-dasharray stroke-dashoffset opacity clip-path clip-rule stop-color stop-opacity font-family font-size "
    "font-style font-weight font-variant text-anchor dominant-baseline writing-mode visibility color"
)
_ATTRIBUTES = {
    name.lower(): name
    for name in names(
        "x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy width height d points transform offset viewBox pathLength rotate "
        "textLength preserveAspectRatio gradientUnits gradientTransform spreadMethod clipPathUnits version"
    )
} | {name: name for name in _PROPERTIES}
# Neither colon, slash nor quote: no address, no string, nothing that ends the attribute.
_PLAIN = re.compile(r"[\w \t\r\n.,#%()+-]*", re.ASCII)
_OWN_REFERENCE = re.compile(r"url\(\s*#([A-Za-z_][\w.-]{0,80})\s*\)", re.ASCII)
_NAME = re.compile(r"[A-Za-z_][\w.-]{0,80}", re.ASCII)
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_DEEPEST = 60
# The bytes that all shapes take when each use is drawn out.
_MOST_USED_CHARACTERS = 20_000_000
# Names of a drawing are names of the page that shows it, so they get a beginning of their own.
_PREFIX = "k-"
_ROOT = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def clean_svg(text: str) -> tuple[str | None, bool]:
    """The drawing made anew, None when it is none; and whether anything active was left out."""
    drawing = _Drawing()
    for token in tokens(text):
        drawing.take(token)
        if drawing.complete:
            break
    return drawing.result(), drawing.refused


class _Drawing:
    """One drawing, token by token."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._open: list[str] = []
        self._left_out = LeftOut()
        self._shape_characters: dict[str, int] = {}
        self._uses: list[tuple[int, str]] = []
        self.complete = self.refused = False

    def take(self, token: Tag | str) -> None:
        """Take the next piece of the original."""
        if self._left_out:
            self._left_out.pass_over(token)
            return
        if isinstance(token, str):
            if self._open and self._open[-1] in _WITH_TEXT:
                self._pieces.append(html.escape(visible(_NO_XML.sub("", token))))
            return
        name = token.name.lower()
        if not token.opens:
            self._close(_ELEMENTS.get(name, ""))
        elif name in _SKIPPED:
            self.refused |= name != "style"
            self._left_out.begin(token)
        elif name in _ELEMENTS and len(self._open) < _DEEPEST and bool(self._open) != (name == "svg"):
            self._begin(_ELEMENTS[name], token)
        elif name in ("a", "svg"):
            self.refused = True

    def result(self) -> str | None:
        """The whole drawing with every element closed; None when it had no root, or uses its shapes too often."""
        if not self._pieces:
            return None
        used = 0
        for place, name in self._uses:
            if name not in self._shape_characters:
                self._pieces[place] = self._pieces[place].replace(f' xlink:href="#{_PREFIX}{name}"', "", 1)
            used += self._shape_characters.get(name, 0)
        if used > _MOST_USED_CHARACTERS:
            self.refused = True
            return None
        return "".join(self._pieces) + "".join(f"</{name}>" for name in reversed(self._open))

    def _begin(self, name: str, tag: Tag) -> None:
        kept: dict[str, str] = {}
        for attribute, value in tag.attributes:
            kept |= self._attribute(name, attribute.lower(), value)
        own = f" {_ROOT}" if name == "svg" else ""
        written = "".join(f' {key}="{html.escape(value)}"' for key, value in kept.items())
        piece = f"<{name}{own}{written}"
        if name in _SHAPES and "id" in kept:
            self._shape_characters[kept["id"].removeprefix(_PREFIX)] = len(piece)
        if name == "use" and "xlink:href" in kept:
            self._uses.append((len(self._pieces), kept["xlink:href"].removeprefix(f"#{_PREFIX}")))
        self._pieces.append(f"{piece}/>" if tag.closes else f"{piece}>")
        if not tag.closes:
            self._open.append(name)
        self.complete = tag.closes and name == "svg"

    def _close(self, name: str) -> None:
        if name not in self._open:
            return
        while (last := self._open.pop()) != name:
            self._pieces.append(f"</{last}>")
        self._pieces.append(f"</{name}>")
        self.complete = not self._open

    def _attribute(self, element: str, name: str, value: str) -> dict[str, str]:
        if name == "id":
            return {"id": f"{_PREFIX}{value}"} if _NAME.fullmatch(value) else {}
        if name in ("href", "xlink:href"):
            local = element == "use" and value[:1] == "#" and _NAME.fullmatch(value[1:])
            self.refused |= not value.startswith("#")
            return {"xlink:href": f"#{_PREFIX}{value[1:]}"} if local else {}
        if name == "style":
            pairs = (part.partition(":") for part in value.split(";"))
            kept = ((key.strip().lower(), _harmless(word)) for key, _, word in pairs)
            style = "; ".join(f"{key}: {word}" for key, word in kept if key in _PROPERTIES and word)
            return {"style": style} if style else {}
        self.refused |= name.startswith("on")
        clean = _harmless(value) if name in _ATTRIBUTES else ""
        return {_ATTRIBUTES[name]: clean} if clean else {}


def _harmless(value: str) -> str:
    """The value of an attribute or property, or nothing when it could refer to anything outside the drawing."""
    value = value.strip().replace("'", "").replace('"', "")
    if own := _OWN_REFERENCE.fullmatch(value):
        return f"url(#{_PREFIX}{own[1]})"
    return value if _PLAIN.fullmatch(value) and "url" not in value.lower() else ""

"""SVG of a kernel, drawn anew: shapes, texts, gradients and clips, which refer to nothing but each other.

What comes out is well-formed XML of the elements and attributes below. A shape, clip or gradient may be used many
times, a group not at all, nor a clip in a clip, so that a small drawing cannot unfold into a large one.
"""

import html
import re
from collections import Counter

from kernel_sandbox.confined.renderers import GROUND, INK
from kernel_sandbox.front.tags import Rebuilder, Tag, names, tokens

_ELEMENTS = {
    name.lower(): name
    for name in names(
        "svg g path rect circle ellipse line polyline polygon text tspan defs linearGradient radialGradient stop "
        "clipPath use title desc"
    )
}
_SHAPES = names("path rect circle ellipse line polyline polygon")
# What is made again for each shape that refers to it; each has the size of its content.
_SERVING = names("clipPath linearGradient radialGradient")
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
# The characters that all shapes, clips and gradients take when each use is drawn out.
_MOST_USED_CHARACTERS = 20_000_000
# Names of a drawing are names of the page that shows it, so they get a beginning of their own.
_PREFIX = "k-"
# Who shows a drawing as an image tells it the colour scheme; who does not gets the light one.
_DARK = "".join(
    f'[style*="{part}: {light}"]{{{part}:{dark} !important}}'
    for part in ("fill", "stroke")
    for light, dark in ((INK, "#e0e0e0"), (GROUND, "#111"))
)
_THEMES = f"<style>@media (prefers-color-scheme: dark){{{_DARK}}}</style>"
_ROOT = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def clean_svg(text: str) -> tuple[str | None, bool]:
    """The drawing made anew, None when it is none; and whether anything active was left out."""
    drawing = _Drawing()
    for token in tokens(text):
        drawing.take(token)
        if drawing.complete:
            break
    return drawing.result(), drawing.refused


def with_themes(drawing: str) -> str:
    """A clean drawing whose default colours are light on dark where it is shown in a dark scheme."""
    root, end, rest = drawing.partition(">")
    return f"{root}{end}{_THEMES}{rest}"


class _Drawing(Rebuilder):
    """One drawing made anew."""

    def __init__(self) -> None:
        super().__init__(_ELEMENTS, _SKIPPED)
        # Of whatever bears the same name together, since it is for the reader to choose.
        self._shape_characters: Counter[str] = Counter()
        self._serving_characters: Counter[str] = Counter()
        self._serving: list[tuple[int, int, str]] = []
        self._uses: list[tuple[int, str]] = []
        self._references: Counter[str] = Counter()
        self.complete = False

    def take_text(self, text: str) -> None:
        """Take the text between two tags, where a drawing has any."""
        if self._open and self._open[-1] in _WITH_TEXT:
            super().take_text(_NO_XML.sub("", text))

    def take_element(self, name: str, tag: Tag) -> None:
        """Take the beginning of an element, of whatever name."""
        if name == "use" and "clipPath" in self._open:
            return
        if name in _ELEMENTS and len(self._open) < _DEEPEST and bool(self._open) != (name == "svg"):
            self._begin(_ELEMENTS[name], tag)
        elif name in ("a", "svg"):
            self.refused = True

    def close(self, name: str) -> None:
        """End an element; with the outermost one the drawing is complete."""
        super().close(name)
        while self._serving and self._serving[-1][0] > len(self._open):
            _, first, known_as = self._serving.pop()
            self._serving_characters[known_as] += sum(map(len, self._pieces[first:]))
        self.complete = bool(self._pieces) and not self._open

    def result(self) -> str | None:
        """The whole drawing with every element closed; None when it had no root, or uses its shapes too often."""
        if not self._pieces:
            return None
        while self._open:
            self.close(self._open[-1])
        used = sum(often * self._serving_characters[name] for name, often in self._references.items())
        for place, name in self._uses:
            if name not in self._shape_characters:
                self._pieces[place] = self._pieces[place].replace(f' xlink:href="#{_PREFIX}{name}"', "", 1)
            used += self._shape_characters[name]
        if used > _MOST_USED_CHARACTERS:
            self.refused = True
            return None
        return self.made()

    def _begin(self, name: str, tag: Tag) -> None:
        kept: dict[str, str] = {}
        for attribute, value in tag.attributes:
            kept |= self._attribute(name, attribute.lower(), value)
        own = f" {_ROOT}" if name == "svg" else ""
        written = "".join(f' {key}="{html.escape(value)}"' for key, value in kept.items())
        piece = f"<{name}{own}{written}"
        known_as = kept.get("id", "").removeprefix(_PREFIX)
        if name in _SHAPES and known_as:
            self._shape_characters[known_as] += len(piece)
        if name == "use" and "xlink:href" in kept:
            self._uses.append((len(self._pieces), kept["xlink:href"].removeprefix(f"#{_PREFIX}")))
        self._pieces.append(f"{piece}/>" if tag.closes else f"{piece}>")
        if not tag.closes:
            self._open.append(name)
            if name in _SERVING:
                self._serving.append((len(self._open), len(self._pieces), known_as))
        self.complete = tag.closes and name == "svg"

    def _attribute(self, element: str, name: str, value: str) -> dict[str, str]:
        if name == "id":
            return {"id": f"{_PREFIX}{value}"} if _NAME.fullmatch(value) else {}
        if name in ("href", "xlink:href"):
            local = element == "use" and value[:1] == "#" and _NAME.fullmatch(value[1:])
            self.refused |= not value.startswith("#")
            return {"xlink:href": f"#{_PREFIX}{value[1:]}"} if local else {}
        if name == "style":
            pairs = (part.partition(":") for part in value.split(";"))
            kept = ((key.strip().lower(), self._harmless(element, word)) for key, _, word in pairs)
            style = "; ".join(f"{key}: {word}" for key, word in kept if key in _PROPERTIES and word)
            return {"style": style} if style else {}
        self.refused |= name.startswith("on")
        clean = self._harmless(element, value) if name in _ATTRIBUTES else ""
        return {_ATTRIBUTES[name]: clean} if clean else {}

    def _harmless(self, element: str, value: str) -> str:
        """The value of an attribute or property, or nothing when it could refer to anything outside the drawing."""
        value = value.strip().replace("'", "").replace('"', "")
        if own := _OWN_REFERENCE.fullmatch(value):
            if "clipPath" in (element, *self._open):
                return ""
            self._references[own[1]] += 1
            return f"url(#{_PREFIX}{own[1]})"
        return value if _PLAIN.fullmatch(value) and "url" not in value.lower() else ""

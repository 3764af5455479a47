"""Markup cut into tags and text, in one pass: every character is looked at once, whatever stands around it.

It need not cut as a browser does, since nothing of the original is shown: what a reader makes of these tokens is made
anew. Python's own parser looks ahead for the end of each tag, which costs the square of what was sent.
"""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kernel_sandbox.front.texts import CONTROLS, visible


def names(text: str) -> frozenset[str]:
    """The names in the text, which blanks divide."""
    return frozenset(text.split())


# Within these no tag counts but their own end.
_RAW = names("script style textarea title noscript iframe xmp noembed noframes")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9:_-]{0,60}")
_ATTRIBUTE = re.compile(
    r"""[\s/]*([^\s=>/"'][^\s=>/]*|["'])(?:\s*=\s*(?:"([^"]*)(?:"|\Z)|'([^']*)(?:'|\Z)|([^\s>]*)))?"""
)
_BLANK = re.compile(r"[\s/]*")
# A reference of so many digits is no character, and Python refuses to count it.
_LONG_REFERENCE = re.compile(r"&#[xX]?[0-9a-fA-F]{8,}")


@dataclass(frozen=True)
class Tag:
    """A tag with its name as it was written. `opens` and `closes` are both true for one that ends itself."""

    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    opens: bool = True
    closes: bool = False


class Rebuilder:
    """Markup made anew, token by token. `refused` says whether anything active was left out.

    `elements` are how those that stay are written; of those `skipped` the content is left out too.
    """

    def __init__(self, elements: Mapping[str, str], skipped: frozenset[str]) -> None:
        self._elements, self._skipped = elements, skipped
        self._pieces: list[str] = []
        self._open: list[str] = []
        self._left_out, self._depth = "", 0
        self.refused = False

    def take(self, token: Tag | str) -> None:
        """Take the next piece of the original."""
        if self._depth:
            if isinstance(token, Tag) and token.name.lower() == self._left_out and token.opens != token.closes:
                self._depth += 1 if token.opens else -1
        elif isinstance(token, str):
            self.take_text(token)
        elif not token.opens:
            self.close(self._elements.get(token.name.lower(), ""))
        elif (name := token.name.lower()) in self._skipped:
            # The style sheet of a DataFrame is dropped quietly: JupyterLab has its own for tables.
            self.refused |= name != "style"
            self._left_out, self._depth = name, 0 if token.closes else 1
        else:
            self.take_element(name, token)

    def take_text(self, text: str) -> None:
        """Take the text between two tags."""
        self._pieces.append(html.escape(visible(text)))

    def take_element(self, name: str, tag: Tag) -> None:
        """Take the beginning of an element, of whatever name."""
        raise NotImplementedError

    def close(self, name: str) -> None:
        """End the innermost open element of that name, and those within it."""
        if name not in self._open:
            return
        while (last := self._open.pop()) != name:
            self._pieces.append(f"</{last}>")
        self._pieces.append(f"</{name}>")

    def made(self) -> str:
        """All that was made, with every element closed."""
        return "".join(self._pieces) + "".join(f"</{name}>" for name in reversed(self._open))


def tokens(text: str) -> Iterator[Tag | str]:
    """The tags, and the text between them with its references resolved; comments and declarations are left out."""
    at = 0
    while at < len(text):
        opening = text.find("<", at)
        if opening < 0:
            yield resolved(text[at:])
            return
        if opening > at:
            yield resolved(text[at:opening])
        name = _NAME.match(text, opening + 1)
        if name is not None:
            tag, at = _read_tag(text, name)
            yield tag
            if tag.name.lower() in _RAW and not tag.closes:
                at = _end_of_raw(text, at, tag.name)
        elif text.startswith(("</", "<!", "<?"), opening):
            closing, at = _read_rest(text, opening)
            if closing is not None:
                yield closing
        else:
            yield "<"
            at = opening + 1


def _read_tag(text: str, name: re.Match[str]) -> tuple[Tag, int]:
    at, attributes = name.end(), []
    while found := _ATTRIBUTE.match(text, at):
        value = next((group for group in found.groups()[1:] if group is not None), "")
        attributes.append((found[1], resolved(value)))
        at = found.end()
    blank = _BLANK.match(text, at)
    end = at if blank is None else blank.end()
    return Tag(name[0], tuple(attributes), closes=text[end - 1 : end] == "/"), end + 1


def _read_rest(text: str, opening: int) -> tuple[Tag | None, int]:
    """The end tag at that place, or None for a comment or declaration; and where it ends."""
    mark, start = ("-->", opening + 4) if text.startswith("<!--", opening) else (">", opening + 2)
    end = text.find(mark, start)
    after = len(text) if end < 0 else end + len(mark)
    name = _NAME.match(text, opening + 2) if text[opening + 1] == "/" else None
    return (None if name is None else Tag(name[0], opens=False, closes=True)), after


def _end_of_raw(text: str, at: int, name: str) -> int:
    found = re.compile(rf"</{re.escape(name)}(?=[\s/>])", re.IGNORECASE).search(text, at)
    return len(text) if found is None else found.start()


def resolved(text: str) -> str:
    """The text with the characters that its references stand for, and no control characters."""
    if "&" in text:
        text = html.unescape(_LONG_REFERENCE.sub("\ufffd", text))
    return CONTROLS.sub("", text)

"""Patterns of words and slots: "{x:subject} <must> (lie|fall) between {a:amount@x} and {b:amount@x}".

A plain word stands for its inflected forms ("exceed" for "exceeds"); `a/b` is one of two words, `(a b|c)` one of two
phrases, `[a b|c]` may be left out, `<must>` is a class of phrases, `{name:category}` a part that is read by itself.
`{name:category@other}` is read about what the slot `other` means. `{names:category*}` is one part or several, `+` two
or more, joined by "and" or "or"; `*and` and `*or` allow only that word.
"""

import re
from dataclasses import dataclass
from functools import cache
from itertools import product

_PIECE = re.compile(r"\{[^}]*\}|<\w+>|\\.|[()\[\]|]|[^\s()\[\]{}|]+")
_SLOT = re.compile(r"\{(\w+)(?::(\w+)([*+](?:and|or)?)?)?(?:@(\w+))?\}")
_MOST_ALTERNATIVES = 400
_MANY = 3


@dataclass(frozen=True)
class WordChoice:
    """One of these words stands here."""

    among: tuple[str, ...]


@dataclass(frozen=True)
class WordClass:
    """One phrase of a class stands here."""

    name: str


@dataclass(frozen=True)
class PatternSlot:
    """A part that is read as `category`, several times when `several` says so, about the meaning of slot `about`."""

    name: str
    category: str
    several: str = ""  # "", "*", "+", and either of them with "and" or "or"
    about: str | None = None  # None: about what the whole is about


@dataclass(frozen=True)
class Phrases:
    """One of these sequences of words stands here; the empty one says that nothing need stand."""

    among: tuple["Sequence", ...]


Piece = WordChoice | WordClass | Phrases | PatternSlot
Sequence = tuple[Piece, ...]


class PatternError(ValueError):
    """A line of the grammar is not written as patterns are."""


def sequences(pattern: str) -> tuple[Sequence, ...]:
    """The sequences of pieces that the pattern stands for, without repetition.

    Raises: PatternError when brackets do not match, a slot is miswritten or there are too many sequences.
    """
    pieces = _PIECE.findall(pattern)
    if "".join("".join(pieces).split()) != "".join(pattern.split()):
        raise PatternError(f"{pattern!r}: a brace is not closed")
    found, _ = _alternatives(pieces, closing="")
    if len(found) > _MOST_ALTERNATIVES:
        raise PatternError(f"{pattern!r} stands for {len(found)} sequences")
    return tuple(dict.fromkeys(found))


def _alternatives(pieces: list[str], *, closing: str) -> tuple[list[Sequence], list[str]]:
    """What stands before the closing bracket, and the pieces behind it."""
    done: list[Sequence] = []
    parts: list[list[Sequence]] = []
    while pieces:
        piece, *pieces = pieces
        if piece in (")", "]") and piece != closing:
            raise PatternError(f"{piece!r} closes no bracket")
        if piece == closing:
            return done + _joined(parts), pieces
        if piece == "|":
            done, parts = done + _joined(parts), []
        elif piece in ("(", "["):
            inner, pieces = _alternatives(pieces, closing=")" if piece == "(" else "]")
            parts.append(_group([(), *inner] if piece == "[" else inner))
        else:
            parts.append([(_piece(piece),)])
    if closing:
        raise PatternError(f"a bracket is not closed by {closing!r}")
    return done + _joined(parts), []


def _group(choices: list[Sequence]) -> list[Sequence]:
    """The choices; many that are words alone are one piece, so that sequences do not multiply."""
    if len(choices) < _MANY or any(isinstance(piece, PatternSlot) for choice in choices for piece in choice):
        return choices
    return [(Phrases(tuple(choices)),)]


def _joined(parts: list[list[Sequence]]) -> list[Sequence]:
    return [tuple(piece for part in choice for piece in part) for choice in product(*parts)]


@cache  # the lines of the grammar are made of few pieces
def _piece(text: str) -> Piece:
    if text[0] == "{":
        slot = _SLOT.fullmatch(text)
        if slot is None:
            raise PatternError(f"{text} is no slot")
        name, category, several, about = slot.groups()
        return PatternSlot(name, category or name, several or "", about)
    if re.fullmatch(r"<\w+>", text):
        return WordClass(text[1:-1])
    whole = text[0] == "\\" or not all(text.split("/"))
    return WordChoice((text.removeprefix("\\"),) if whole else tuple(text.split("/")))

"""What only shows the form of a text that its line tells in words: an example, or a template of the same form.

"M-nnn" beside "capital M, dash, three digits" says the same once more; "M-1nn" says more, and "K-12" something else.
"""

import re

_EXAMPLE = re.compile(r"(?:e\.? ?g\b|ex\.|for example|for instance|examples?\b|sample\b)[.: ]*", re.IGNORECASE)
_LEAD = re.compile(r"(?:(?:form(?:at)?|pattern|template|mask|layout|as|is|of|the)\b[ :=]*)+", re.IGNORECASE)
_DIVIDED = re.compile(r"\s*(?:,|;|\bor\b|\band\b|\.\.\.|…)\s*")
_PIECE = re.compile(r"(?P<of>\\d|\[[^\]]+\]|\\?[^\\{}()|+*?])(?:\{(?P<times>\d+)\})?")
_FILLERS = "90#"
_LETTERS = "AaLlXx"  # another letter where letters stand may be itself


def is_example(said: str) -> bool:
    """Whether the words are told to be an example."""
    return bool(_EXAMPLE.match(said))


def illustrates(said: str, pattern: str) -> bool:
    """Whether the words hold nothing but texts that the pattern fits, or one template of which it fits all texts."""
    plain = _LEAD.sub("", _EXAMPLE.sub("", said, count=1), count=1).strip(" ().'\"")
    texts = [text.strip("'\"") for text in _DIVIDED.split(plain) if text]
    return bool(texts) and (all(re.fullmatch(pattern, text) for text in texts) or _is_drawn(plain, pattern))


def _is_drawn(template: str, pattern: str) -> bool:
    signs = list(_signs(pattern))
    fillers = {sign for sign in template if sign.isdigit()}
    return (
        len(signs) == len(template)
        and len(fillers) <= 1
        and all(_stands_for(drawn, sign) for drawn, sign in zip(template, signs, strict=True))
    )


def _signs(pattern: str) -> list[str]:
    """What each sign of the text may be; nothing for a pattern that texts of several lengths fit."""
    pieces = list(_PIECE.finditer(pattern))
    if "".join(piece[0] for piece in pieces) != pattern:
        return []
    return [piece["of"] for piece in pieces for _ in range(int(piece["times"] or 1))]


def _stands_for(drawn: str, sign: str) -> bool:
    if sign in (r"\d", "[0-9]"):
        return drawn.isalpha() or drawn in _FILLERS
    if sign.startswith("["):
        return drawn in _LETTERS
    return drawn == sign.removeprefix("\\")

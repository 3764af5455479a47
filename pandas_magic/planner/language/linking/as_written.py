"""The words of a rule as the person wrote them: "it's", where the text that is read has "it is"."""

import re
from difflib import SequenceMatcher
from functools import lru_cache

_PIECE = re.compile(r"[\w'’]+|[^\w\s]")


def as_written(rule: str, text: str, start: int, end: int) -> str:
    """What of the rule stands for the text from `start` up to `end`: whole words, where these were written otherwise.

    The text itself where the rule has nothing for it.
    """
    pieces = _places(rule, text)
    found = [place for at, behind, place in pieces if at < end and behind > start and place is not None]
    return rule[found[0][0] : found[-1][1]] if found else text[start:end]


@lru_cache(maxsize=8)  # all quotes of one question are of one rule
def _places(rule: str, text: str) -> tuple[tuple[int, int, tuple[int, int] | None], ...]:
    """Each piece of the text, from where to where it stands, and where the same stands in the rule."""
    read, wrote = ([found.span() for found in _PIECE.finditer(said)] for said in (text, rule))
    words = [text[start:end] for start, end in read], [rule[start:end] for start, end in wrote]
    found: list[tuple[int, int, tuple[int, int] | None]] = []
    for _, start, end, first, last in SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        for at in range(start, end):
            same = (first + at - start,) * 2 if end - start == last - first else (first, last - 1)
            found.append((*read[at], (wrote[same[0]][0], wrote[same[1]][1]) if last > first else None))
    return tuple(found)

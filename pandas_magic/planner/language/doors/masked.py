"""Text with what stands in quotes, slashes or parentheses out of sight, so that it can be split at a word."""

import re

# What stands for a sign that is out of sight: neither a blank nor part of a word.
_HIDDEN = "\x00"
_QUOTED = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|`[^`]*`")


def without_quoted(text: str) -> str:
    """The text of the same length in which everything in quotes is hidden, quotes apart."""
    return _QUOTED.sub(lambda found: found[0][0] + _HIDDEN * (len(found[0]) - 2) + found[0][-1], text)


def outermost(text: str) -> str:
    """The text of the same length in which everything in quotes or brackets is hidden."""
    depth, kept = 0, []
    for sign in without_quoted(text):
        depth -= sign in ")]}" and depth > 0
        kept.append(_HIDDEN if depth else sign)
        depth += sign in "([{"
    return "".join(kept)


def split_once(text: str, pattern: str) -> tuple[str, str] | None:
    """What stands before and behind the one place where the pattern fits outside quotes and brackets.

    None when it fits nowhere; a pattern that fits twice leaves open what belongs together, and splits nothing.
    """
    found = list(re.finditer(pattern, outermost(text), re.IGNORECASE))
    if len(found) != 1:
        return None
    before, behind = text[: found[0].start()].strip(" ,"), text[found[0].end() :].strip(" ,")
    return (before, behind) if before and behind else None

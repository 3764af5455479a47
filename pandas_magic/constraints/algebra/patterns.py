r"""Regular expressions as rules use them: RE2 syntax, whole-text matches, and \d \w meaning ASCII."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import ParsedType

# What a text must look like to be read as a type; a date must also exist in the calendar.
PARSED: dict[ParsedType, str] = {
    "integer": r"[+-]?[0-9]+",
    "number": r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?",
    "boolean": r"(?i:true|false|yes|no|0|1)",
    "date": r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?",
    "text": r"(?s:.*)",
}

# What a text must look like to be computed with: no zone, which a column would have for some rows only.
READ_AS = {
    "number": PARSED["number"],
    "date": r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?)?",
    "time": r"([01]?[0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?",
}

# Everything that Python's engine takes for \s, as it stands between brackets.
SPACES = " \t-\r\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
# RE2 reads the first otherwise than Python's engine; with the others it is not plain where brackets begin and end.
_NOT_PLAIN = ("(?", "{,", "[:", "[]", "[^]", "\\\\")

_CLASSES = {"d": "0-9", "w": "A-Za-z0-9_"}
_NEGATED = {"D": "d", "W": "w"}


def explicit(pattern: str) -> str:
    r"""The pattern with \d and \w spelt out and anchored nowhere, so that every engine matches the same whole texts.

    Python's engine takes \d to be any Unicode digit; a rule that asks for digits means 0 to 9. \s stays as it is.
    """
    pieces, inside = [], False
    for token in tokens(pattern):
        letter = token[1:] if token.startswith("\\") else ""
        if letter in _CLASSES:
            pieces.append(_CLASSES[letter] if inside else f"[{_CLASSES[letter]}]")
        elif letter in _NEGATED and not inside:
            pieces.append(f"[^{_CLASSES[_NEGATED[letter]]}]")
        else:
            inside = (inside or token == "[") and not (inside and token == "]")
            pieces.append(token)
    return _unanchored(pieces)


def with_open_spaces(pattern: str) -> str | None:
    r"""The explicit pattern with each \s between brackets, so that `SPACES` can be put in its place.

    None when it has no \s, or when RE2 might read the rest of it otherwise than Python's engine.
    """
    if "\\s" not in pattern.lower() or any(sign in pattern for sign in _NOT_PLAIN):
        return None
    outside = {"\\s": r"[\s]", "\\S": r"[^\s]"}
    pieces = [token if inside else outside.get(token, token) for token, inside in _placed_tokens(explicit(pattern))]
    found = "".join(pieces)
    return found if "\\S" not in pieces and pattern_problem(found.replace("\\s", SPACES)) is None else None


def _unanchored(pieces: list[str]) -> str:
    # pandas takes a pattern between ^ and $ as it is, so that in "^a|b$" each half would match only part of the text.
    anchored = [pieces[:1] == ["^"], pieces[-1:] == ["$"]]
    if not any(anchored):
        return "".join(pieces)
    if "|" in pieces:
        return f"(?:{''.join(pieces)})"
    return "".join(pieces[anchored[0] : len(pieces) - anchored[1]])


def pattern_problem(pattern: str) -> str | None:
    r"""Why the pattern cannot be used, or None.

    It must be read by both Python's engine and RE2, which has no look-around and no back-references and therefore
    never runs away. \W and \D inside brackets and \b differ between engines and are refused.
    """
    for token, inside in _placed_tokens(pattern):
        if token in ("\\b", "\\B") or (inside and token in ("\\D", "\\W")):
            return f"/{pattern}/ uses {token}{' inside brackets' if inside else ''}; write the characters themselves"
    try:
        re.compile(pattern)
    except re.error as error:
        return f"/{pattern}/ is not a regular expression: {error}"
    return _re2_problem(pattern)


def _re2_problem(pattern: str) -> str | None:
    # Imported here, since a rule without a pattern needs no Arrow.
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        pc.match_substring_regex(pa.array([""]), pattern=pattern)
    except pa.ArrowInvalid as error:
        return f"/{pattern}/ is not in RE2 syntax, which has no look-around and no back-references: {error}"
    return None


def tokens(pattern: str) -> Iterator[str]:
    """The characters of the pattern, an escaped one together with its backslash."""
    yield from re.findall(r"\\.|.", pattern, re.DOTALL)


def _placed_tokens(pattern: str) -> Iterator[tuple[str, bool]]:
    inside = False
    for token in tokens(pattern):
        yield token, inside
        inside = (inside or token == "[") and not (inside and token == "]")

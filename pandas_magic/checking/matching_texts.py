"""Texts that match a regular expression as a whole, made from the expression itself."""

import re
from functools import cache
from importlib import import_module
from typing import Any

from pandas_magic.constraints.algebra.patterns import explicit
from pandas_magic.constraints.meaning.scalars import matches

# How often what may be repeated at will is repeated: not at all, once, twice.
_REPEATS = (0, 1, 2)
_PRINTABLE = sorted(map(chr, range(32, 127)), key=lambda each: (not each.islower(), not each.isdigit(), each))
# The standard library's own parser of patterns; it has no public name since Python 3.11.
_parse = import_module("re._parser").parse


@cache
def texts_matching(pattern: str) -> tuple[str, ...]:
    """A few different texts that the pattern matches, the shortest first; none when none could be made."""
    try:
        tree = _parse(explicit(pattern))
    except re.error:
        return ()
    branches = range(max((len(detail[1]) for name, detail in tree if str(name) == "BRANCH"), default=1))
    made = [_joined(tree, repeats, branch) for repeats in _REPEATS for branch in branches]
    return tuple(dict.fromkeys(text for text in made if matches(pattern, text)))


def _joined(tree: Any, repeats: int, branch: int) -> str:  # noqa: ANN401 - the parser's own trees
    return "".join(_text(str(name), detail, repeats, branch) for name, detail in tree)


def _text(name: str, detail: Any, repeats: int, branch: int) -> str:  # noqa: ANN401 - the parser's own trees
    match name:
        case "LITERAL":
            return chr(int(detail))
        case "NOT_LITERAL":
            return "a" if detail != ord("a") else "b"
        case "ANY":
            return "a"
        case "IN":
            return _member(detail)
        case "BRANCH":
            return _joined(detail[1][branch % len(detail[1])], repeats, branch)
        case "SUBPATTERN":
            return _joined(detail[3], repeats, branch)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            fewest, most, inner = detail
            times = min(max(repeats, int(fewest)), int(most))
            return _joined(inner, repeats, branch) * times
        case "ATOMIC_GROUP":
            return _joined(detail, repeats, branch)
    return ""  # a place, such as the end; or what no rule may use


def _member(alternatives: Any) -> str:  # noqa: ANN401 - the parser's own trees
    """A character of a class in brackets; "" when none that prints is in it."""
    negated = str(alternatives[0][0]) == "NEGATE"
    ranges = [chr(detail[0]) for name, detail in alternatives if str(name) == "RANGE"]
    literals = [chr(detail) for name, detail in alternatives if str(name) == "LITERAL"]
    candidates = _PRINTABLE if negated else [*literals, *ranges, *_PRINTABLE, "\t"]
    return next((each for each in candidates if _is_in(each, alternatives) != negated), "")


def _is_in(character: str, alternatives: Any) -> bool:  # noqa: ANN401 - the parser's own trees
    for name, detail in alternatives:
        match str(name):
            case "LITERAL" if ord(character) == detail:
                return True
            case "RANGE" if detail[0] <= ord(character) <= detail[1]:
                return True
            case "CATEGORY":
                kind = str(detail).rpartition("_")[2]
                found = {"DIGIT": character.isdigit(), "SPACE": character.isspace()}
                belongs = found.get(kind, character.isalnum() or character == "_")
                if belongs != ("_NOT_" in str(detail)):
                    return True
    return False

"""JSON and code out of what a model wrote."""

import ast
import json
import re
from typing import Any

from pandas_magic.errors import AnswerUnusable

_FENCE = re.compile(r"```[ \t]*(?P<language>[\w+-]*)[^\n]*\n(?P<body>.*?)(?:\n[ \t]*```|\Z)", re.DOTALL)
# Models that think aloud put it before the answer; some templates leave out the sign that begins it.
_THOUGHT = re.compile(r"\A.*</think(?:ing)?>|<think(?:ing)?>.*", re.DOTALL | re.IGNORECASE)


def without_thoughts(text: str) -> str:
    """The answer alone; "" when there are only thoughts."""
    return _THOUGHT.sub("", text).strip()


def json_object(text: str) -> dict[str, Any]:
    """The object that the answer holds: all of it, else in its first JSON fence, else the first balanced one.

    Raises: AnswerUnusable when there is none.
    """
    said = without_thoughts(text)
    fenced = [match["body"] for match in _FENCE.finditer(said) if match["language"].lower() in ("json", "")]
    for candidate in (said, *fenced[:1]):
        found = _parsed(candidate)
        if found is not None:
            return found
    found = _first_balanced(said)
    if found is None:
        raise AnswerUnusable("the model wrote no JSON object")
    return found


def python_code(text: str) -> str:
    """The code that the answer holds: its Python fences, or all of it when it has none and is Python.

    Raises: AnswerUnusable when there is none.
    """
    said = without_thoughts(text)
    fences = list(_FENCE.finditer(said))
    blocks = [m["body"] for m in fences if m["language"].lower() in ("python", "py", "python3", "ipython")]
    code = "\n\n".join(block.strip("\n") for block in blocks or [m["body"] for m in fences if not m["language"]])
    if not code and not fences:
        code = said
    try:
        empty = not ast.parse(code).body
    except SyntaxError:
        # Fenced code that does not parse is for the repair loop; prose is not code at all.
        empty = not fences
    if empty:
        raise AnswerUnusable("the model wrote no Python code")
    return code.strip("\n")


def substance(text: str) -> str:
    """The code of an answer, else all of it: what makes it another answer than one before."""
    try:
        return python_code(text)
    except AnswerUnusable:
        return " ".join(text.split())


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _first_balanced(text: str) -> dict[str, Any] | None:
    decoder = json.JSONDecoder()
    for match in re.finditer(r"\{", text):
        try:
            found, _ = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    return None

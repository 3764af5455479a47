"""What an answer of a confined process may hold, for each type of reply: the fields below, each of its kind."""

import re
from collections.abc import Mapping
from typing import Any

from kernel_sandbox.front.bundles import Note, clean_bundle, clean_stream, image_sizes
from kernel_sandbox.front.strict_json import Json

_MOST_LINES = 100_000
_NAME_CHARACTERS = 200
_MOST_COMPLETIONS = 20_000
_COMPLETION_CHARACTERS = 500
_WHITE = re.compile(r"[ \t]{0,200}")
# What a completion may replace: the beginning of a name, a path, a key; never another word, let alone a line.
_BEGINNING = re.compile(r"(?:[^\s;,=]|\\ ){0,200}")


def execute_reply(content: Mapping[str, Any], note: Note) -> Json:
    """The content of a reply to a cell that raised nothing."""
    expressions = content.get("user_expressions")
    named = expressions.items() if isinstance(expressions, Mapping) else ()
    return {
        "status": "ok",
        "payload": _pages(content.get("payload"), note),
        "user_expressions": {_name(name): _expression(value, note) for name, value in named},
    }


def inspect_reply(content: Mapping[str, Any], note: Note) -> Json:
    """The content of a reply that tells what a name means."""
    data = content.get("data")
    text = data.get("text/plain") if isinstance(data, Mapping) else None
    found = isinstance(text, str) and content.get("found") is True
    return {"status": "ok", "found": found, "data": {"text/plain": clean_stream(text)} if found else {}, "metadata": {}}


def complete_reply(content: Mapping[str, Any], code: str, cursor: int) -> Json:
    """The content of a reply that completes what stands before the cursor, and replaces nothing else."""
    start, end = _number(content.get("cursor_start")), _number(content.get("cursor_end"))
    metadata = content.get("metadata")
    typed = metadata.get("_jupyter_types_experimental") if isinstance(metadata, Mapping) else None
    if start is None or end != cursor or not 0 <= start <= cursor or not _BEGINNING.fullmatch(code[start:cursor]):
        start, typed, matches = cursor, [], []
    else:
        matches = [one for one in map(_match, _list(content.get("matches"), _MOST_COMPLETIONS)) if one]
    types = [_completion(item, start, cursor) for item in _list(typed, _MOST_COMPLETIONS)]
    return {
        "status": "ok",
        "matches": matches,
        "cursor_start": start,
        "cursor_end": cursor,
        "metadata": {"_jupyter_types_experimental": [one for one in types if one["text"]]},
    }


def is_complete_reply(content: Mapping[str, Any]) -> Json:
    """The content of a reply that tells whether code is whole."""
    status, indent = content.get("status"), content.get("indent")
    known = status if status in ("complete", "incomplete", "invalid") else "unknown"
    return {"status": known, "indent": indent if isinstance(indent, str) and _WHITE.fullmatch(indent) else ""}


def clean_error(content: Mapping[str, Any]) -> Json:
    """Name, text and traceback of an error."""
    lines = [clean_stream(line) for line in _list(content.get("traceback"), _MOST_LINES)]
    return {"ename": _name(content.get("ename")), "evalue": clean_stream(content.get("evalue")), "traceback": lines}


def clean_shown(data: object, metadata: object, display_id: object, note: Note) -> Json:
    """A display, with the name by which it may be changed later."""
    transient = {"display_id": _name(display_id)} if isinstance(display_id, str) else {}
    return {"data": clean_bundle(data, note), "metadata": image_sizes(metadata), "transient": transient}


def failure(name: str, reason: str) -> Json:
    """The content of a reply that says why there is no better one."""
    return {"status": "error", "ename": name, "evalue": reason, "traceback": [reason]}


def count_of(content: Mapping[str, Any], before: int) -> int:
    """The number of the cell, as the process claims, if that can be."""
    count = _number(content.get("execution_count"))
    return count if count is not None and before - 1 <= count <= before else before


def _pages(payload: object, note: Note) -> list[Json]:
    # A page is the text that `name?` shows; the other payloads would edit the notebook, open files or end programs.
    pages: list[Json] = []
    for part in payload if isinstance(payload, list) else ():
        source = part.get("source") if isinstance(part, Mapping) else None
        if source != "page" or pages:
            note(f"the payload {_name(source)!r} was dropped")
            continue
        text = clean_bundle(part.get("data"), note).get("text/plain", "")
        pages.append({"source": "page", "data": {"text/plain": text}, "start": 0})
    return pages


def _expression(value: object, note: Note) -> Json:
    if not isinstance(value, Mapping):
        return {"status": "error", "ename": "", "evalue": "", "traceback": []}
    if value.get("status") == "ok":
        data, metadata = clean_bundle(value.get("data"), note), image_sizes(value.get("metadata"))
        return {"status": "ok", "data": data, "metadata": metadata}
    return {"status": "error", **clean_error(value)}


def _match(value: object) -> str:
    text = clean_stream(value)
    return text if len(text) <= _COMPLETION_CHARACTERS and "\n" not in text else ""


def _completion(item: object, start: int, end: int) -> Json:
    fields = item if isinstance(item, Mapping) else {}
    texts = {name: _match(fields.get(name)) for name in ("text", "type", "signature")}
    return {"start": start, "end": end, **texts}


def _list(value: object, most: int) -> list[Any]:
    return value[:most] if isinstance(value, list) else []


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else None


def _name(value: object) -> str:
    return clean_stream(value)[:_NAME_CHARACTERS]

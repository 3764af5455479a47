"""What an answer of a confined kernel may hold, for each type of message: the fields below, each of its kind."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from kernel_sandbox.front.bundles import Note, clean_bundle, clean_stream, image_sizes
from kernel_sandbox.front.envelopes import Json

Clean = Callable[[Mapping[str, Any], Note], Json]

_MOST_LINES = 100_000
_NAME_CHARACTERS = 200
_MOST_COMPLETIONS = 20_000
_MOMENT = re.compile(r"[\d:.T+Z-]{1,40}", re.ASCII)
_WHITE = re.compile(r"[ \t]{0,200}")


def clean_reply(kind: str, content: Mapping[str, Any], note: Note) -> Json:
    """The content of a reply, with nothing but the known fields of its type. Unknown types keep their status alone."""
    status = content.get("status")
    kept: Json = {"status": status if status in ("ok", "error", "aborted") else "error"}
    if status == "error":
        kept |= _error(content, note)
    clean = _REPLIES.get(kind)
    return kept | clean(content, note) if clean else kept


def clean_broadcast(kind: str, content: Mapping[str, Any], note: Note) -> Json | None:
    """The content of a message to all clients, or None for a type that is not passed on."""
    clean = _BROADCASTS.get(kind)
    return clean(content, note) if clean else None


def clean_metadata(metadata: Mapping[str, Any]) -> Json:
    """The metadata of a reply: the moment at which it began, if that is one."""
    started = metadata.get("started")
    return {"started": started} if isinstance(started, str) and _MOMENT.fullmatch(started) else {}


def refusal(reason: str) -> Json:
    """The content of a reply in place of one that could not be passed on."""
    return {"status": "error", "ename": "ConfinedReplyRefused", "evalue": reason, "traceback": [reason]}


def _execute_reply(content: Mapping[str, Any], note: Note) -> Json:
    expressions = content.get("user_expressions")
    named = expressions.items() if isinstance(expressions, Mapping) else ()
    return {
        "execution_count": _number(content.get("execution_count")),
        "payload": _pages(content.get("payload"), note),
        "user_expressions": {_name(name): _expression(value, note) for name, value in named},
    }


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
        return {"status": "ok", **_shown(value, note)}
    return {"status": "error", **_error(value, note)}


def _inspect_reply(content: Mapping[str, Any], note: Note) -> Json:
    data = content.get("data")
    text = data.get("text/plain") if isinstance(data, Mapping) else None
    found = isinstance(text, str) and content.get("found") is True
    return {"found": found, "data": {"text/plain": clean_stream(text)} if found else {}, "metadata": {}}


def _complete_reply(content: Mapping[str, Any], note: Note) -> Json:
    metadata = content.get("metadata")
    typed = metadata.get("_jupyter_types_experimental") if isinstance(metadata, Mapping) else None
    return {
        "matches": [clean_stream(match) for match in _list(content.get("matches"), _MOST_COMPLETIONS)],
        "cursor_start": _number(content.get("cursor_start")) or 0,
        "cursor_end": _number(content.get("cursor_end")) or 0,
        "metadata": {"_jupyter_types_experimental": [_completion(item) for item in _list(typed, _MOST_COMPLETIONS)]},
    }


def _completion(item: object) -> Json:
    fields = item if isinstance(item, Mapping) else {}
    texts = {name: clean_stream(fields.get(name)) for name in ("text", "type", "signature")}
    return {"start": _number(fields.get("start")) or 0, "end": _number(fields.get("end")) or 0, **texts}


def _history_reply(content: Mapping[str, Any], note: Note) -> Json:
    entries = []
    for entry in _list(content.get("history"), _MOST_LINES):
        if isinstance(entry, list) and len(entry) == 3:
            told = (
                [clean_stream(text) for text in entry[2][:2]] if isinstance(entry[2], list) else clean_stream(entry[2])
            )
            entries.append([_number(entry[0]) or 0, _number(entry[1]) or 0, told])
    return {"history": entries}


def _is_complete_reply(content: Mapping[str, Any], note: Note) -> Json:
    status, indent = content.get("status"), content.get("indent")
    known = status if status in ("complete", "incomplete", "invalid") else "unknown"
    return {"status": known, "indent": indent if isinstance(indent, str) and _WHITE.fullmatch(indent) else ""}


def _restart(content: Mapping[str, Any], note: Note) -> Json:
    return {"restart": content.get("restart") is True}


def _subshells(content: Mapping[str, Any], note: Note) -> Json:
    kept: Json = {}
    if isinstance(content.get("subshell_id"), str):
        kept["subshell_id"] = _name(content["subshell_id"])
    if isinstance(content.get("subshell_id"), list):
        kept["subshell_id"] = [_name(one) for one in content["subshell_id"][:100]]
    return kept


def _stream(content: Mapping[str, Any], note: Note) -> Json:
    name = "stderr" if content.get("name") == "stderr" else "stdout"
    return {"name": name, "text": clean_stream(content.get("text"))}


def _error(content: Mapping[str, Any], note: Note) -> Json:
    lines = [clean_stream(line) for line in _list(content.get("traceback"), _MOST_LINES)]
    return {"ename": _name(content.get("ename")), "evalue": clean_stream(content.get("evalue")), "traceback": lines}


def _shown(content: Mapping[str, Any], note: Note) -> Json:
    return {"data": clean_bundle(content.get("data"), note), "metadata": image_sizes(content.get("metadata"))}


def _display(content: Mapping[str, Any], note: Note) -> Json:
    transient = content.get("transient")
    display_id = transient.get("display_id") if isinstance(transient, Mapping) else None
    kept = {"display_id": _name(display_id)} if isinstance(display_id, str) else {}
    return {**_shown(content, note), "transient": kept}


def _result(content: Mapping[str, Any], note: Note) -> Json:
    return {**_display(content, note), "execution_count": _number(content.get("execution_count"))}


def _status(content: Mapping[str, Any], note: Note) -> Json:
    return {"execution_state": "idle" if content.get("execution_state") == "idle" else "busy"}


def _input(content: Mapping[str, Any], note: Note) -> Json:
    # The code is filled in from the request: what a notebook shows as run is what was sent.
    return {"execution_count": _number(content.get("execution_count"))}


def _clear(content: Mapping[str, Any], note: Note) -> Json:
    return {"wait": content.get("wait") is True}


def _list(value: object, most: int) -> list[Any]:
    return value[:most] if isinstance(value, list) else []


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else None


def _name(value: object) -> str:
    return clean_stream(value)[:_NAME_CHARACTERS]


_REPLIES: dict[str, Clean] = {
    "execute_reply": _execute_reply,
    "inspect_reply": _inspect_reply,
    "complete_reply": _complete_reply,
    "history_reply": _history_reply,
    "is_complete_reply": _is_complete_reply,
    "comm_info_reply": lambda content, note: {"comms": {}},
    "shutdown_reply": _restart,
    "create_subshell_reply": _subshells,
    "list_subshell_reply": _subshells,
}
_BROADCASTS: dict[str, Clean] = {
    "stream": _stream,
    "error": _error,
    "display_data": _display,
    "update_display_data": _display,
    "execute_result": _result,
    "execute_input": _input,
    "status": _status,
    "clear_output": _clear,
    "shutdown_reply": _restart,
}

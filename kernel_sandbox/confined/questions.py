"""What a front end asks about code without running it: how it could go on, what a name means, whether it is whole."""

from collections.abc import Callable
from typing import Any

from IPython.core.completer import provisionalcompleter, rectify_completions
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.tokenutil import token_at_cursor

Content = dict[str, Any]

_TYPED = "_jupyter_types_experimental"


def completion(shell: InteractiveShell, asked: Content) -> Content:
    """The content of a complete_reply."""
    code, cursor = asked["code"], asked["cursor"]
    with provisionalcompleter():
        found = list(rectify_completions(code, shell.Completer.completions(code, cursor)))
    typed = [
        {"start": one.start, "end": one.end, "text": one.text, "type": one.type, "signature": one.signature}
        for one in found
    ]
    return {
        "matches": [one.text for one in found],
        "cursor_start": found[0].start if found else cursor,
        "cursor_end": found[0].end if found else cursor,
        "metadata": {_TYPED: typed},
    }


def inspection(shell: InteractiveShell, asked: Content) -> Content:
    """The content of an inspect_reply."""
    try:
        name = token_at_cursor(asked["code"], asked["cursor"])
        data = shell.object_inspect_mime(name, detail_level=asked["detail_level"])
    except KeyError:
        return {"found": False, "data": {}}
    return {"found": True, "data": {"text/plain": data["text/plain"]}}


def completeness(shell: InteractiveShell, asked: Content) -> Content:
    """The content of an is_complete_reply."""
    status, indent_spaces = shell.input_transformer_manager.check_complete(asked["code"])
    return {"status": status, "indent": " " * (indent_spaces or 0) if status == "incomplete" else ""}


QUESTIONS: dict[str, Callable[[InteractiveShell, Content], Content]] = {
    "complete": completion,
    "inspect": inspection,
    "is_complete": completeness,
}

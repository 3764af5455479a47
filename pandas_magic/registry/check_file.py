"""One compiled check as a text that people review in a diff: JSON, one line per line of code."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from pydantic import ValidationError

from pandas_magic.errors import StateUnreadable
from pandas_magic.registry.compiled_check import CompiledCheck

SUFFIX = ".json"
_VERSION = 2  # 1 was the single file of all checks
_CONFLICT = "<<<<<<< "


def file_name(check_id: str) -> str:
    """The name of a check's file: its id, with what a path cannot hold written as %2F."""
    quoted = quote(check_id, safe="")
    return ("%2E" + quoted[1:] if quoted.startswith(".") else quoted) + SUFFIX


def id_of(path: Path) -> str:
    """The id of the check that a file of this name holds."""
    return unquote(path.name.removesuffix(SUFFIX))


def check_text(compiled: CompiledCheck) -> str:
    """What stands in a check's file."""
    return json.dumps({"version": _VERSION, **_entry(compiled)}, indent=2, ensure_ascii=False) + "\n"


def text_of(path: Path) -> str:
    """What stands in the file. Raises: StateUnreadable."""
    try:
        # Reading a pipe would wait for ever.
        if not path.is_file():
            raise StateUnreadable(f'{path} is no file, so check "{id_of(path)}" cannot be read; move it away')
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise damaged(path, error) from error


def read_check(path: Path, text: str) -> CompiledCheck:
    """The check in the text of its file, which is called like it.

    Raises: StateUnreadable naming the file, what is wrong and how to get it back.
    """
    compiled = check_of(path, text)
    if file_name(compiled.id) != path.name:
        raise StateUnreadable(f'{path} holds check "{compiled.id}"; call it {file_name(compiled.id)} or change its id')
    return compiled


def check_of(path: Path, text: str) -> CompiledCheck:
    """The check in the text of a file of any name. Raises: StateUnreadable."""
    if _CONFLICT in text and any(line.startswith(_CONFLICT) for line in text.splitlines()):
        raise StateUnreadable(f"{path} holds a merge conflict; keep one side: git checkout --ours {path}")
    try:
        entry = json.loads(text)
        version = entry.pop("version")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise damaged(path, error) from error
    if version != _VERSION:
        raise StateUnreadable(f"{path} has version {version}; this release reads {_VERSION}: upgrade it")
    return record_of(entry, path)


def record_of(entry: Any, path: Path) -> CompiledCheck:  # noqa: ANN401 - whatever JSON holds
    """The check in an entry of `path`. Raises: StateUnreadable."""
    try:
        if not isinstance(entry["code"], list):
            raise TypeError("code is no list of lines")
        return CompiledCheck.from_dict({**entry, "code": "\n".join(entry["code"])})
    except (ValidationError, KeyError, TypeError) as error:
        raise damaged(path, error) from error


def damaged(path: Path, error: Exception) -> StateUnreadable:
    """The error for a file that does not hold what it must."""
    reason: object = error
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        reason = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    elif isinstance(error, KeyError):
        reason = f"{error} is missing"
    return StateUnreadable(
        f"{path} is damaged ({reason}); restore it, for example: git checkout {path}, "
        f"or delete that file and compile its rule again: pandas-magic compile {id_of(path)}"
    )


def _entry(compiled: CompiledCheck) -> dict[str, Any]:
    # Lines of code diff well; nbformat keeps cells in the same way.
    entry = {**compiled.to_dict(), "code": compiled.code.split("\n")}
    for name in ("exceptions", "from_list", "glossary", "terms"):
        if not entry[name]:
            del entry[name]
    return entry

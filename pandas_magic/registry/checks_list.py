"""The list of rules that people edit by hand: `checks/checks.json`, in the shape of the source system."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pandas_magic.errors import StateUnreadable
from pandas_magic.registry.check import Check
from pandas_magic.registry.decisions import Bands
from pandas_magic.state import write_whole

# Our field -> the name that the file gives it. Tables may be a list or one text with commas.
_NAMES = {
    "id": "check_id",
    "name": "check_name",
    "tables": "target_table",
    "rule": "calculation_hint",
    "severity": "severity",
    "enabled": "enabled",
    "owner": "owner",
    "tags": "tags",
}

# Ours, beside the source system's: from how many failing rows on a check warns and fails.
_BANDS = ("warn", "fail")


def read_checks(path: Path) -> list[Check]:
    """The checks listed in the file, in its order; none when there is no such file.

    Raises: StateUnreadable naming the entry and the field at fault.
    """
    if not path.exists():
        return []
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise StateUnreadable(f"{path} is no JSON: {error}; mend that line") from error
    if not isinstance(entries, list):
        raise StateUnreadable(f"{path} holds a {type(entries).__name__}; it must be a list of checks")
    return [_check(path, number, entry) for number, entry in enumerate(entries, start=1)]


def write_checks(path: Path, checks: Sequence[Check]) -> None:
    """Write the checks as such a list."""
    entries = [{name: check.model_dump(mode="json")[ours] for ours, name in _NAMES.items()} for check in checks]
    bands = [check.bands.to_dict() if check.bands else {} for check in checks]
    listed = [
        {**entry, "target_table": ", ".join(entry["target_table"]), **said}
        for entry, said in zip(entries, bands, strict=True)
    ]
    write_whole(path, json.dumps(listed, indent=2, ensure_ascii=False) + "\n")


def _check(path: Path, number: int, entry: Any) -> Check:  # noqa: ANN401 - whatever JSON holds
    if not isinstance(entry, dict):
        raise StateUnreadable(f"{path}, entry {number} is a {type(entry).__name__}; it must be an object")
    given = {ours: entry[name] for ours, name in _NAMES.items() if entry.get(name) is not None}
    bands = {name: entry[name] for name in _BANDS if entry.get(name) is not None}
    try:
        if bands:
            given["bands"] = Bands.model_validate(bands)
        return Check.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        # What two fields are together has no place of its own.
        place = str((*first["loc"], _BANDS[-1])[0])
        field = _NAMES.get(place, place)
        named = entry.get("check_id", f"entry {number}")
        raise StateUnreadable(f'{path}, {named}: "{field}" does not fit: {first["msg"]}') from error

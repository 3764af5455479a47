"""The list of rules that people edit by hand: `checks/checks.json`, or the same as YAML or TOML.

An entry is written plainly (`id`, `rule`, `tables`, …) or with the names of the source system (`check_id`,
`calculation_hint`, `target_table`, …). What the list says is what should run: see `roster`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pandas_magic.errors import StateUnreadable, nearest_name
from pandas_magic.registry.check import Check
from pandas_magic.registry.decisions import Bands
from pandas_magic.registry.list_files import PlacedEntry, entries_in, list_file, list_text
from pandas_magic.state import write_whole

NAME = "checks.json"
# The names of the source system -> ours. Tables may be a list or one text with commas.
_SOURCE_NAMES = {
    "check_id": "id",
    "check_name": "name",
    "target_table": "tables",
    "calculation_hint": "rule",
}
_SHARED_NAMES = ("severity", "enabled", "owner", "tags")
# From how many failing rows on a check warns and fails.
_BANDS = ("warn", "fail")
_PLAIN_NAMES = ("id", "rule", "tables", "target", "name", *_SHARED_NAMES, *_BANDS)
_NAMES_OF_SOURCE = (*_SOURCE_NAMES, "target", *_SHARED_NAMES, *_BANDS)


@dataclass(frozen=True)
class ChecksList:
    """What the list says: checks by id, in its order, and where each stands in the file."""

    path: Path  # where the list is, or would be
    exists: bool
    checks: Mapping[str, Check] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)  # id -> its line, from 1


def read_list(folder: Path) -> ChecksList:
    """The list in `folder` (`checks.json`, `.yaml`, `.yml` or `.toml`).

    Raises: StateUnreadable naming the line for what is no list, for an unknown name, a field that does not fit and an
    id that stands twice; and for two lists side by side.
    """
    path = list_file(folder)
    if path is None:
        return ChecksList(folder / NAME, exists=False)
    return parse_list(path)


def parse_list(path: Path, text: str | None = None) -> ChecksList:
    """The list in a file of any of the forms, or in the text that is to stand there. Raises: as `read_list`."""
    checks: dict[str, Check] = {}
    lines: dict[str, int] = {}
    for number, entry in enumerate(entries_in(path, list_text(path) if text is None else text), start=1):
        check = _check(path, number, entry)
        if check.id in checks:
            raise StateUnreadable(
                f"{path}, line {entry.line}: {check.id} stands in line {lines[check.id]} already; give one of them "
                "another id"
            )
        checks[check.id], lines[check.id] = check, entry.line
    return ChecksList(path, exists=True, checks=checks, lines=lines)


def read_checks(path: Path) -> list[Check]:
    """The checks listed in the file, in its order; none when there is no such file. Raises: as `read_list`."""
    return list(parse_list(path).checks.values()) if path.exists() else []


def write_checks(path: Path, checks: Sequence[Check]) -> None:
    """Write the checks as a JSON list with the names of the source system."""
    write_whole(
        path, json.dumps([entry_of(check, of_source=True) for check in checks], indent=2, ensure_ascii=False) + "\n"
    )


def entry_of(check: Check, *, of_source: bool) -> dict[str, Any]:
    """A check as an entry of the list: with the names of the source system, or plainly."""
    said = check.model_dump(mode="json")
    bands = check.bands.to_dict() if check.bands else {}
    if of_source:
        named = {name: said[ours] for name, ours in _SOURCE_NAMES.items()}
        target = {"target": check.target} if check.target else {}
        shared = {name: said[name] for name in _SHARED_NAMES}
        return {**named, "target_table": ", ".join(said["tables"]), **shared, **target, **bands}
    return {name: said[name] for name in _PLAIN_NAMES if name not in _BANDS} | bands


def _check(path: Path, number: int, entry: PlacedEntry) -> Check:
    place, content = f"{path}, line {entry.line}", entry.content
    if not isinstance(content, dict):
        raise StateUnreadable(f"{place}: entry {number} is a {type(content).__name__}; it must be an object")
    of_source = bool(set(content) & set(_SOURCE_NAMES))
    names = _NAMES_OF_SOURCE if of_source else _PLAIN_NAMES
    for name in content:
        if name not in names:
            nearest = nearest_name(str(name), names)
            guess = f'. Did you mean "{nearest}"?' if nearest else f"; known are {', '.join(names)}"
            raise StateUnreadable(f'{path}, line {entry.line_of(str(name))}: "{name}" is no part of a check{guess}')
    given = {_SOURCE_NAMES.get(str(name), str(name)): value for name, value in content.items() if value is not None}
    bands = {name: given.pop(name) for name in _BANDS if name in given}
    try:
        if bands:
            given["bands"] = Bands.model_validate(bands)
        check = Check.model_validate(given)
    except ValidationError as error:
        raise _misfit(error, place, given, of_source) from error
    if not check.id.strip() or not check.rule.strip():
        empty = "id" if not check.id.strip() else "rule"
        raise StateUnreadable(f'{place}: "{_said(empty, of_source)}" is empty; every check has an id and a rule')
    return check


def _misfit(error: ValidationError, place: str, given: Mapping[str, Any], of_source: bool) -> StateUnreadable:
    first = error.errors()[0]
    # What two fields are together has no place of its own.
    name = _said(str((*first["loc"], _BANDS[-1])[0]), of_source)
    named = f"{given['id']}: " if isinstance(given.get("id"), str) else ""
    return StateUnreadable(f'{place}: {named}"{name}" does not fit: {first["msg"]}')


def _said(ours: str, of_source: bool) -> str:
    source = {ours_: name for name, ours_ in _SOURCE_NAMES.items()}
    return source.get(ours, ours) if of_source else ours

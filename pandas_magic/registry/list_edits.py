"""Writing into the list that people edit: one rule added, or one entry brought up to date; the rest stays."""

import json
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from pandas_magic.errors import UsageMistake
from pandas_magic.registry.check import Check
from pandas_magic.registry.check_request import CheckRequest, check_meant
from pandas_magic.registry.checks_folder import Registry
from pandas_magic.registry.checks_list import NAME, ChecksList, entry_of, parse_list, read_list
from pandas_magic.registry.roster import Roster
from pandas_magic.state import locked, make_folder, write_whole


def add_to_list(folder: Path, check: Check) -> None:
    """Write the check at the end of the folder's list, in the form that the list has; JSON where there is none.

    Raises: UsageMistake when its id is taken; StateUnreadable when the list is damaged. Then nothing is written.
    """
    make_folder(folder)
    with locked(folder / NAME):
        listed = read_list(folder)
        if check.id in listed.checks:
            raise UsageMistake(
                f"{check.id} stands in {listed.path}, line {listed.lines[check.id]}, already; give --id another, or "
                "change it there"
            )
        text = listed.path.read_text(encoding="utf-8-sig") if listed.exists else "[]"
        _write_checked(listed.path, _with_entry(listed, text, check))


def add_request(folder: Path, registry: Registry, request: CheckRequest) -> Check:
    """Write what a person asks for at the end of the list, and give the check as it stands there.

    Raises: UsageMistake when its rule is empty, stands there already, or its id is taken; StateUnreadable.
    """
    roster = Roster(read_list(folder), registry.load())
    check = check_meant(request, roster, registry)
    if roster.is_listed(check.id):
        raise UsageMistake(f'{check.id} is listed already ("{roster[check.id].rule}"); give --id another')
    add_to_list(folder, check)
    return check


def update_list(listed: ChecksList, check: Check) -> None:
    """Bring a check's entry up to date.

    Raises: UsageMistake naming the line, when the list is YAML or TOML, whose comments would be lost.
    """
    if listed.checks.get(check.id) == check:
        return
    if listed.path.suffix != ".json":
        raise UsageMistake(
            f"{check.id} is listed in {listed.path}, line {listed.lines[check.id]}; change it there, then: "
            f"pandas-magic compile {check.id}"
        )
    with locked(listed.path):
        entries = json.loads(listed.path.read_text(encoding="utf-8-sig"))
        at = list(listed.checks).index(check.id)
        # Names that the entry has are kept in their order; what is not said of the check any more goes.
        fresh = entry_of(check, of_source="check_id" in entries[at])
        kept = {name: fresh[name] for name in entries[at] if name in fresh}
        entries[at] = {**kept, **{name: value for name, value in fresh.items() if _is_said(name, value, kept)}}
        _write_checked(listed.path, json.dumps(entries, indent=2, ensure_ascii=False) + "\n")


def remove_from_list(listed: ChecksList, check_ids: Collection[str]) -> None:
    """Take the entries of these checks out of the list.

    Raises: UsageMistake naming the line, when the list is YAML or TOML, whose comments would be lost.
    """
    named = [check_id for check_id in listed.checks if check_id in check_ids]
    if not named:
        return
    if listed.path.suffix != ".json":
        raise UsageMistake(
            f"{named[0]} is listed in {listed.path}, line {listed.lines[named[0]]}; take it out there first"
        )
    with locked(listed.path):
        entries = json.loads(listed.path.read_text(encoding="utf-8-sig"))
        kept = [entry for entry, check_id in zip(entries, listed.checks, strict=True) if check_id not in check_ids]
        _write_checked(listed.path, json.dumps(kept, indent=2, ensure_ascii=False) + "\n")


def _is_said(name: str, value: object, kept: dict[str, Any]) -> bool:
    default = {"severity": "medium", "enabled": True}.get(name, "")
    return name in kept or value not in (default, [])


def _with_entry(listed: ChecksList, text: str, check: Check) -> str:
    entry = entry_of(check, of_source=False)
    said = {name: value for name, value in entry.items() if _is_said(name, value, {})}
    if listed.path.suffix == ".json":
        entries = json.loads(text)
        of_source = bool(entries) and "check_id" in entries[-1]
        entries.append(entry_of(check, of_source=True) if of_source else said)
        return json.dumps(entries, indent=2, ensure_ascii=False) + "\n"
    # JSON's texts, numbers, truth values and lists are YAML's and TOML's as well.
    values = [(name, json.dumps(value, ensure_ascii=False)) for name, value in said.items()]
    begun = text.rstrip() + "\n" if text.strip() else ""
    if listed.path.suffix == ".toml":
        return f"{begun}\n[[checks]]\n" + "".join(f"{name} = {value}\n" for name, value in values)
    first = re.search(r"(?m)^(\s*)- ", text)
    indent = first[1].replace("\n", "") if first else ""
    lines = [f"{indent}{'- ' if n == 0 else '  '}{name}: {value}\n" for n, (name, value) in enumerate(values)]
    return begun + "".join(lines)


def _write_checked(path: Path, text: str) -> None:
    """Write the list, if it can be read again."""
    parse_list(path, text)
    write_whole(path, text)

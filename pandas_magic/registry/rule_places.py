"""Where the rules of a workspace stand, for programs that point at a line."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pandas_magic.errors import StateUnreadable
from pandas_magic.registry.check_file import text_of
from pandas_magic.registry.check_files import CheckFiles, look_into
from pandas_magic.registry.checks_list import read_list

_RULE = '"rule":'


@dataclass(frozen=True)
class RulePlace:
    """A line of a file, from 1."""

    path: Path
    line: int


def rule_places(folder: Path, check_ids: Iterable[str]) -> Mapping[str, RulePlace]:
    """Where the rule of each check stands below the folder of checks: in the list that people edit, else its own file.

    A check that stands nowhere, as one of a registry of an earlier release, is left out.

    Raises: StateUnreadable when the list or the registry cannot be read.
    """
    listed, files = read_list(folder), look_into(folder / "registry")
    places = {}
    for check_id in check_ids:
        if check_id in listed.lines:
            places[check_id] = RulePlace(listed.path, listed.lines[check_id])
        elif place := _own_file(files, check_id):
            places[check_id] = place
    return places


def _own_file(files: CheckFiles, check_id: str) -> RulePlace | None:
    try:
        path = files.only(check_id)
        lines = text_of(path).splitlines()
    except (KeyError, StateUnreadable):
        return None  # the run says what is wrong with it
    return RulePlace(path, next((number for number, line in enumerate(lines, start=1) if _RULE in line), 1))

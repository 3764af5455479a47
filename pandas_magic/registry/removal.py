"""Deleting checks, and having them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pandas_magic.errors import NoSuchName, PandasMagicError, UsageMistake
from pandas_magic.registry.checks_folder import Registry
from pandas_magic.registry.checks_list import read_list
from pandas_magic.registry.list_edits import remove_from_list
from pandas_magic.registry.roster import Roster
from pandas_magic.state import write_whole


@dataclass(frozen=True)
class Deleted:
    """What was deleted, as it was: the checks' files, and the list when it named one of them."""

    files: Mapping[Path, bytes]
    list_path: Path
    list_before: bytes | None  # None: the list was not touched
    list_after: bytes | None


def delete_checks(folder: Path, registry: Registry, check_ids: Sequence[str]) -> Deleted:
    """Delete the checks from the registry and from the list in `folder`. Their runs stay in the history.

    Raises: NoSuchName; UsageMistake when the list that names one is YAML or TOML; StateUnreadable. Then nothing is
    deleted.
    """
    listed = read_list(folder)
    roster = Roster(listed, registry.load())
    if unknown := [check_id for check_id in check_ids if check_id not in roster]:
        raise NoSuchName("check", unknown[0], list(roster), within="the list of checks and the registry")
    is_listed = any(roster.is_listed(check_id) for check_id in check_ids)
    before = listed.path.read_bytes() if is_listed else None
    held = registry.remove(check_ids)
    try:
        remove_from_list(listed, check_ids)
    except PandasMagicError:
        registry.put_back(held)
        raise
    return Deleted(held, listed.path, before, listed.path.read_bytes() if is_listed else None)


def restore_checks(registry: Registry, deleted: Deleted) -> None:
    """Write back what was deleted, byte for byte.

    Raises: UsageMistake when a file is there again, or the list was edited since.
    """
    if deleted.list_before is not None and deleted.list_path.read_bytes() != deleted.list_after:
        raise UsageMistake(f"{deleted.list_path} was edited since; nothing was restored")
    registry.put_back(deleted.files)
    if deleted.list_before is not None:
        before = deleted.list_before
        write_whole(deleted.list_path, lambda place: place.write_bytes(before))

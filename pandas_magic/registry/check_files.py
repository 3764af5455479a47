"""Which file of the registry's folder holds which check, known from each file's first bytes."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pandas_magic.errors import StateUnreadable
from pandas_magic.registry.check_file import SUFFIX, file_name, id_of

_HEAD_BYTES = 2000  # the id is among the first hundred, unless people moved it
_ID = re.compile(rb'"check"\s*:\s*\{\s*"id"\s*:\s*("(?:[^"\\]|\\.)*")')


@dataclass(frozen=True)
class CheckFiles:
    """The files by the id of the check that each holds, as its text or else its name has it."""

    of_id: Mapping[str, Sequence[Path]]

    @property
    def in_order(self) -> bool:
        """Whether every file is called as its check, so that none holds another's."""
        return all(len(paths) == 1 and paths[0].name == file_name(check_id) for check_id, paths in self.of_id.items())

    def only(self, check_id: str) -> Path:
        """The one file that holds the check, or that is called as it.

        Raises: KeyError when there is none; StateUnreadable, naming them, when there are several.
        """
        paths = self.of_id.get(check_id) or [
            path for paths in self.of_id.values() for path in paths if path.name == file_name(check_id)
        ]
        if not paths:
            raise KeyError(check_id)
        if len(paths) > 1:
            names = " and ".join(path.name for path in paths)
            raise StateUnreadable(
                f'{names} in {paths[0].parent} hold the same check "{check_id}", so it cannot run; '
                "delete one, or give it another id and name"
            )
        return paths[0]


def look_into(folder: Path) -> CheckFiles:
    """The registry's files; none when the folder is not there. Raises: StateUnreadable when it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(
                (Path(entry.path), entry.is_file())
                for entry in entries
                if entry.name.endswith(SUFFIX) and not entry.name.startswith(".")
            )
    except FileNotFoundError:
        return CheckFiles({})
    except OSError as error:
        raise StateUnreadable(f"{folder} cannot be read: {error.strerror}; make it a folder you may read") from error
    of_id: dict[str, list[Path]] = {}
    for path, is_file in found:
        of_id.setdefault((_id_in(path) if is_file else None) or id_of(path), []).append(path)
    return CheckFiles(of_id)


def _id_in(path: Path) -> str | None:
    """The id in the first bytes of the file; None when it does not stand there."""
    try:
        with path.open("rb") as file:
            match = _ID.search(file.read(_HEAD_BYTES))
        return None if match is None else str(json.loads(match[1]))
    except (OSError, ValueError):
        return None

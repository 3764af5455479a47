"""Files that a person hands over in the panel: kept in a private folder of the workspace, tables of this session."""

import os
import re
from pathlib import Path

from pandas_magic.catalog.formats import format_of
from pandas_magic.errors import UsageMistake
from pandas_magic.state import unversioned_folder
from pandas_magic.workspace import Workspace

_MOST_NAME_CHARACTERS = 60
_NOT_OF_NAMES = re.compile(r"[^A-Za-z0-9_]+")


def take_upload(workspace: Workspace, file_name: str, content: bytes) -> tuple[str, Path]:
    """The name of the table that the file is from now on in this session, and where it was written.

    A workbook of several sheets is a table for each, such as `sales_Jan`; the first one's name is given.
    Only the last part of `file_name` counts, and of that only letters, digits and `_`; a name that a table has already
    gets a number. Only the user can read the file.

    Raises: UsageMistake for a file without content or over max_file_bytes; TableUnreadable when it is no table, and
        then nothing of it is kept.
    """
    limit = workspace.settings.max_file_bytes
    if not content:
        raise UsageMistake(f'"{Path(file_name).name}" is empty')
    if limit and len(content) > limit:
        raise UsageMistake(f"the file has {len(content):,} bytes, over max_file_bytes ({limit:,})")
    folder = workspace.journal.folder / "uploads"
    unversioned_folder(workspace.journal.folder)
    folder.mkdir(mode=0o700, exist_ok=True)
    suffix = _suffix(file_name)
    form = format_of(Path(f"upload{suffix}"))
    name = _free_name(file_name, workspace.table_names(), has_parts=form is not None and form.many)
    path = folder / f"{name}{suffix}"
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
    try:
        names = workspace.catalog.take_in(name, path)
    except Exception:
        path.unlink()
        raise
    return names[0], path


def _free_name(file_name: str, taken: list[str], *, has_parts: bool) -> str:
    stem = _NOT_OF_NAMES.sub("_", Path(file_name.replace("\\", "/")).name.split(".")[0]).strip("_")
    name = stem[:_MOST_NAME_CHARACTERS] or "upload"
    number, free = 1, name
    while any(each == free or (has_parts and each.startswith(f"{free}_")) for each in taken):
        number += 1
        free = f"{name}_{number}"
    return free


def _suffix(file_name: str) -> str:
    parts = Path(file_name.replace("\\", "/")).name.split(".")[1:][-2:]
    return "".join(f".{_NOT_OF_NAMES.sub('', part).lower()}" for part in parts)

"""What `%files` answers: the files that are tables, or one of them with its first rows."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from pandas_magic.compat.files import get_available_files, get_file_info
from pandas_magic.notebook.table_commands import refuse_unknown_group
from pandas_magic.reporters.listing import Listing
from pandas_magic.reporters.value_text import counted, value_text

if TYPE_CHECKING:
    from pandas_magic.workspace import Workspace


def answer(workspace: Workspace, options: Namespace) -> Listing:
    """What `%files` shows for the options given. Raises: NoSuchName, TableUnreadable."""
    return file_shown(workspace, options.info) if options.info else file_list(workspace, group=options.group)


def file_list(workspace: Workspace, *, group: str | None = None) -> Listing:
    """Every file, or those of one group; those that cannot be read with the reason.

    Raises: NoSuchName when there is no such group.
    """
    if group:
        refuse_unknown_group(workspace, group)
    found = get_available_files(group, workspace=workspace)
    rows = tuple(
        (
            value_text(file["file_name"]),
            "" if file.get("file_size_mb") is None else f"{file['file_size_mb']:,.3f}",
            file.get("trial_name") or "",
            file["table"],
            file.get("error", ""),
        )
        for file in found["files"]
    )
    summary = f"{counted(found['count'], 'file')}, {found['total_size_mb']:,.3f} MB"
    return Listing(summary, ("file", "MB", "group", "table", "cannot be read"), rows, frozenset({"MB"}))


def file_shown(workspace: Workspace, name: str) -> Listing:
    """The first rows of one file below the names of its columns."""
    info = get_file_info(name, workspace=workspace)
    columns = tuple(map(value_text, info["column_names"]))
    rows = tuple(tuple(value_text(row.get(column)) for column in info["column_names"]) for row in info["sample_data"])
    known = "" if info["num_rows"] is None else f"{counted(info['num_rows'], 'row')}, "
    return Listing(f"{info['file_name']}: {known}{counted(info['num_columns'], 'column')}", columns, rows)

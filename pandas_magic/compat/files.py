"""The files of a workspace in the code execution agent's shapes: what there is, about one, and what was chosen."""

from pathlib import Path, PurePosixPath
from typing import Any

from pandas_magic.catalog.file_listing import available_files, file_info
from pandas_magic.compat.opened import opened
from pandas_magic.constraints import identifier
from pandas_magic.workspace import Workspace


def get_available_files(
    trial_name: str | None = None, *, workspace: Workspace | Path | str | None = None
) -> dict[str, Any]:
    """`{"count", "files": [{"file_name", "file_path", "file_size_mb", "trial_name", …}], "total_size_mb", "sources"}`.

    `trial_name` keeps to the files of that sub-folder. A file that cannot be read is listed with the reason at "error".
    """
    with opened(workspace) as at:
        listed = available_files(at.catalog, group=trial_name)
    files = [in_its_shape(file) for file in listed["files"]]
    return {
        "count": listed["count"],
        "files": files,
        "total_size_mb": round(sum(file.get("file_size_mb") or 0 for file in files), 3),
        "sources": sorted({file["source"] for file in files}),
    }


def get_file_info(file_path: str | Path, *, workspace: Workspace | Path | str | None = None) -> dict[str, Any]:
    """`{"column_names", "num_rows", "num_columns", "sample_data", …}` of a table by its name, or of a file by its path.

    Raises: NoSuchName, TableUnreadable.
    """
    name = str(file_path)
    with opened(workspace) as at:
        if name in at.catalog.names():
            return in_its_shape(file_info(at.catalog, name))
        base = at.base_dir
    path: str | Path = name if "://" in name else base / name
    table = identifier(PurePosixPath(name).stem)
    with opened(base, {table: path}) as at:
        return in_its_shape(file_info(at.catalog, table))


def in_its_shape(file: dict[str, Any]) -> dict[str, Any]:
    """A file as the agent tells it: its own name beside that of its table, and whether it lies in a store."""
    place = str(file.get("file_path") or "")
    source = "s3" if place.startswith("s3://") else "local"
    named = PurePosixPath(place).name or file["file_name"]
    group = {"trial_name": file["group"] or None} if "group" in file else {}
    return {**file, "table": file["file_name"], "file_name": named, "source": source, **group}

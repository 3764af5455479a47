"""What a program gives to our functions: tables by name, refused in one line where they are something else."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path

from pandas_magic.catalog.sources.dataset_table import files_of
from pandas_magic.errors import TableUnreadable, UsageMistake

_IN_FOLDERS = (".parquet", ".pq", "")  # of files that make up one table; some systems write Parquet without a suffix

_NAMES = {str: "a text", PathLike: "a path", int: "a whole number", Mapping: "a mapping"}


def named_tables(given: object) -> dict[str, object]:
    """The tables by their names; none for None. Raises: UsageMistake for anything else than names and tables."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise UsageMistake(
            f"tables is of the type {type(given).__name__}; give each one a name: tables={{'orders': frame_or_path}}"
        )
    for name in given:
        if not isinstance(name, str) or not name.strip():
            raise UsageMistake(f"a table's name is {name!r}; give it a text: tables={{'orders': frame_or_path}}")
    return dict(given)


def workspace_folder(given: Path | str | None) -> Path:
    """The folder of a workspace, the current one for None. Raises: UsageMistake."""
    refuse_other_type("the workspace", given, str, PathLike, type(None))
    base = Path(given or ".").resolve()
    if not base.is_dir():
        raise UsageMistake(f"{base} is no folder; name the folder that holds the tables and the checks")
    return base


def refuse_folder(name: str, path: Path) -> None:
    """Refuse a folder of other files than Parquet as a table. Raises: TableUnreadable."""
    if path.is_dir() and not any(file.suffix.lower() in _IN_FOLDERS for file in files_of(path)):
        raise TableUnreadable(f'table "{name}" is to be the folder {path}, without Parquet files; give a file in it')


def refuse_other_type(what: str, value: object, *kinds: type) -> None:
    """Refuse a value that is of none of these types. Raises: UsageMistake."""
    if not isinstance(value, kinds):
        names = [_NAMES.get(kind, f"a {kind.__name__}") for kind in kinds if kind is not type(None)]
        raise UsageMistake(f"{what} is of the type {type(value).__name__}; give {' or '.join(names)}")

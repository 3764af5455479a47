"""What is explored."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from pandas_magic.catalog.given import refuse_other_type
from pandas_magic.errors import TableUnreadable, UsageMistake
from pandas_magic.explore.confined.file_frame import SUFFIXES
from pandas_magic.explore.crossing import file_hash, frame_hash

if TYPE_CHECKING:
    from pandas_magic.catalog import Catalog


@dataclass(frozen=True)
class Subject:
    """The table to explore: a frame of this process, or a file that only the sandbox opens."""

    name: str
    frame: pd.DataFrame | None = None
    file: Path | None = None
    whole_rows: int | None = None  # of the table of which the frame is a sample; None: it is all of it
    most_bytes: int | None = None  # of the file that are read; None: all
    by_sketches: bool = False  # all of the file is counted, in memory that does not grow with it
    frame_bytes: int | None = None  # about, of the file's rows as a frame; None: not known without reading it

    def digest(self) -> str:
        """A SHA-256 of what is explored. Raises: TableUnreadable when the file is gone."""
        if self.frame is not None:
            return frame_hash(self.frame)
        assert self.file is not None
        try:
            return file_hash(self.file)
        except OSError as error:
            raise TableUnreadable(f"{self.file} cannot be read: {error.strerror}") from error

    def described(self) -> dict[str, Any]:
        """What the confined process is told of it: its name, its place, and the dtypes that its owner sees."""
        if self.file is not None:
            place = str(self.file.absolute())
            told = {"name": self.file.name, "data_path": place, "most_bytes": self.most_bytes}
            return told | {"by_sketches": self.by_sketches}
        assert self.frame is not None
        dtypes = [str(dtype) for dtype in self.frame.dtypes]
        return {"name": self.name, "dtypes": dtypes, "whole_rows": self.whole_rows}


def subject_in(catalog: Catalog, name: str) -> Subject:
    """A table of the catalog, or a file by its path.

    Raises: NoSuchName, TableUnreadable; UsageMistake for a path without a file, and for a file of no known kind.
    """
    path = Path(name)
    if name not in catalog.names() and (path.suffix.lower() in SUFFIXES or path.is_file()):
        if not path.is_file():
            raise UsageMistake(f"there is no file {name}, and no table of that name; see pandas-magic tables")
        if path.suffix.lower() not in SUFFIXES:
            raise UsageMistake(f"{name} is of no kind that is explored; known: {', '.join(SUFFIXES)}")
        return Subject(path.stem, file=path)
    return Subject(name, frame=catalog.frame(name))


def subject_of(table: pd.DataFrame | str | Path, name: str | None) -> Subject:
    """A DataFrame, called "table" without a name, or the file at a path.

    Raises: UsageMistake when there is no such file.
    """
    if isinstance(table, pd.DataFrame):
        return Subject(name or "table", frame=table)
    refuse_other_type("the table", table, str, PathLike, pd.DataFrame)
    path = Path(table)
    if not path.is_file():
        raise UsageMistake(f"{path} is no file; give a DataFrame or the path of a table")
    return Subject(name or path.stem, file=path)

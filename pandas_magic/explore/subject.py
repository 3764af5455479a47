"""What is explored."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from pandas_magic.errors import TableUnreadable
from pandas_magic.explore.crossing import file_hash, frame_hash


@dataclass(frozen=True)
class Subject:
    """The table to explore: a frame of this process, or a file that only the sandbox opens."""

    name: str
    frame: pd.DataFrame | None = None
    file: Path | None = None
    whole_rows: int | None = None  # of the table of which the frame is a sample; None: it is all of it
    most_bytes: int | None = None  # of the file that are read; None: all

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
            return {"name": self.file.name, "data_path": place, "most_bytes": self.most_bytes}
        assert self.frame is not None
        dtypes = [str(dtype) for dtype in self.frame.dtypes]
        return {"name": self.name, "dtypes": dtypes, "whole_rows": self.whole_rows}

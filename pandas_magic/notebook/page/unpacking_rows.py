"""The rows behind a grid of files with large row groups: the first ones while all are unpacked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from pandas_magic.catalog.arrow import frame_from_arrow
from pandas_magic.catalog.sources.converted_table import ConvertedTable
from pandas_magic.catalog.sources.dataset_table import DatasetTable
from pandas_magic.catalog.sources.file_pieces import first_rows
from pandas_magic.catalog.sources.unpacked_table import UnpackedTable
from pandas_magic.errors import UsageMistake
from pandas_magic.notebook.page.file_rows import HEAD_ROWS, FileRows, Where, opening_of
from pandas_magic.notebook.page.live_parts import Answer
from pandas_magic.notebook.page.rows_view import RowsView

_WAIT_SECONDS = 0.3  # for one question of the page, which asks again until all rows are there


def rows_of_files(files: DatasetTable | ConvertedTable | UnpackedTable, where: Where) -> FileRows | UnpackingRows:
    """What answers a grid over a table's files; `where` reads what was clicked beside it."""
    return UnpackingRows(files, where) if isinstance(files, UnpackedTable) else FileRows(files, where)


@dataclass
class UnpackingRows:
    """Answers a grid as `FileRows` does once the rows are unpacked; before that with the first ones."""

    table: UnpackedTable
    where: Where
    _rows: FileRows = field(init=False)
    _head: pd.DataFrame = field(default_factory=pd.DataFrame)

    def __post_init__(self) -> None:
        self._rows = FileRows(self.table, self.where)

    def answer(self, asked: dict[str, Any]) -> Answer:
        """What the page asked for, as `RowsView.answer`. Raises: UsageMistake, TableUnreadable."""
        if asked.get("ask") == "open":
            self.table.begin()
            return self._opening(), ()
        share = self.table.wait(_WAIT_SECONDS)
        if share >= 1:
            return self._rows.answer(asked)
        if asked.get("ask") != "window":
            raise UsageMistake(f"the rows are being unpacked ({share:.0%}); wait until all are there")
        window = {"ask": "window", "start": 0, "count": HEAD_ROWS, "columns": asked["columns"]}
        rows = RowsView(self._head).answer(window)[0]["rows"]
        return {"start": 0, "found": len(rows), "rows": rows, "looked": share}, ()

    def _opening(self) -> dict[str, Any]:
        with self.table.source.opened() as files:
            found = int(files.dataset.count_rows())
            self._head = frame_from_arrow(first_rows(files.dataset, HEAD_ROWS))
        return opening_of(self._head, self.table.name, found)

"""Frames of the notebook as tables: of pandas, Polars, Arrow, and whatever speaks the Arrow PyCapsule interface."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import pandas as pd
import pyarrow as pa

from pandas_magic.catalog.arrow import describe_frame, frame_from_arrow
from pandas_magic.catalog.plain_types import arrow_of_frame, with_plain_types
from pandas_magic.catalog.sources.file_table import BATCH_ROWS
from pandas_magic.catalog.table import Table
from pandas_magic.errors import TableUnreadable

# The frames described so far, each by the name of its table.
_DESCRIBED: ContextVar[dict[str, tuple[object, Table]] | None] = ContextVar("_DESCRIBED", default=None)


@contextmanager
def describing_once() -> Iterator[None]:
    """While it lasts, a frame is described once: one check asks for its schema seven times, and nobody changes it."""
    if _DESCRIBED.get() is not None:
        yield
        return
    token = _DESCRIBED.set({})
    try:
        yield
    finally:
        _DESCRIBED.reset(token)


@dataclass
class FrameTable:
    """A frame of the user's own as a table."""

    name: str
    get: Callable[[], object]

    def identity(self) -> str:
        """Frames may change in place at any time, so they are never known again."""
        return ""

    def schema(self) -> Table:
        """The frame's schema as it is now; within `describing_once`, as it was when first asked for."""
        given, described = self.get(), _DESCRIBED.get()
        described = {} if described is None else described
        if described.get(self.name, (None,))[0] is not given:
            described[self.name] = given, describe_frame(self.name, self._plain())
        return described[self.name][1]

    def frame(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The rows, all columns or those named, on a RangeIndex; column names as texts."""
        whole = self._plain()
        return with_plain_types((whole if columns is None else whole[list(columns)]).reset_index(drop=True))

    def rows(self, positions: Sequence[int]) -> pd.DataFrame:
        """Whole rows by their position, with the user's own index and column names."""
        return self._frame().iloc[list(positions)]

    def batches(self, columns: Sequence[str], *, rows: int = BATCH_ROWS) -> Iterator[pa.Table]:
        """The rows in order, some at a time; at least one batch, which may be empty."""
        frame = self.frame(columns)
        for start in range(0, max(len(frame), 1), rows):
            yield arrow_of_frame(frame.iloc[start : start + rows])

    def _frame(self) -> pd.DataFrame:
        given = self.get()
        return given if isinstance(given, pd.DataFrame) else frame_from_arrow(pa.table(given))

    def _plain(self) -> pd.DataFrame:
        frame = self._frame()
        if isinstance(frame.columns, pd.MultiIndex):
            raise TableUnreadable(f'table "{self.name}" has columns of several levels; give it plain column names')
        return frame.rename(columns=str)


def is_frame(value: object) -> bool:
    """Whether a value of the notebook is a frame: a pandas one, or one that hands over Arrow columns."""
    if isinstance(value, pd.DataFrame):
        return True
    # A class has the method as well as its instances. A Series or array also hands over a stream, but no columns.
    if isinstance(value, type) or not hasattr(value, "__arrow_c_stream__"):
        return False
    return isinstance(value, (pa.Table, pa.RecordBatch)) or hasattr(value, "columns")

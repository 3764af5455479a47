"""The first rows of a frame as text: what a table in any form of output is set from."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pandas_magic.reporters.rounded_numbers import exact_text, number_text
from pandas_magic.reporters.value_text import value_text

MAX_ROWS = 20
MAX_COLUMNS = 12  # what fits on a laptop's screen beside the notebook's margins


@dataclass(frozen=True)
class Preview:
    """The first rows of a frame.

    `header` names the index first, then the columns shown; each of `rows` has as many texts as `header`. `numeric`
    says for each column of `header` whether it is set to the right.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]
    row_count: int  # rows of the whole frame
    hidden_columns: int

    def left_out(self) -> str:
        """What is not shown, in words; empty when all is."""
        parts = []
        if len(self.rows) < self.row_count:
            parts.append(f"the first {len(self.rows)} of {self.row_count:,} rows")
        if self.hidden_columns:
            parts.append(f"{len(self.header) - 1} of {len(self.header) - 1 + self.hidden_columns} columns")
        return f"Shown: {' and '.join(parts)}." if parts else ""


def is_missing(value: Any) -> bool:  # noqa: ANN401 - a cell of any type
    """Whether a cell holds nothing; a list that does is a value."""
    return bool(pd.api.types.is_scalar(value) and pd.isna(value))


def preview(frame: pd.DataFrame, *, first: Collection[str] = (), rounded: bool = False) -> Preview:
    """The first 20 rows and at most 12 columns of `frame`, in its own order.

    Columns named in `first` are among those shown, however many the frame has; `rounded` is for people to read.
    """
    places = _places(frame, first)
    shown = frame.iloc[:MAX_ROWS, places]
    said = [(number_text if rounded else exact_text)(frame.iloc[:, place]) for place in places]
    cells = [[say(value) for value in shown.iloc[:, at]] for at, say in enumerate(said)]
    index = [value_text(label) for label in shown.index]
    return Preview(
        header=(index_name(frame), *(value_text(frame.columns[place]) for place in places)),
        rows=tuple(zip(index, *cells, strict=True)),
        numeric=(_is_number(frame.index), *(_is_number(frame.iloc[:, place]) for place in places)),
        row_count=len(frame),
        hidden_columns=frame.shape[1] - len(places),
    )


def _places(frame: pd.DataFrame, first: Collection[str]) -> list[int]:
    wanted = [place for place, name in enumerate(frame.columns) if name in first]
    others = [place for place in range(frame.shape[1]) if place not in wanted]
    return sorted((wanted + others)[:MAX_COLUMNS])


def index_name(frame: pd.DataFrame) -> str:
    """How the index is called above its column: its own names, else "row"."""
    names = [str(name) for name in frame.index.names if name is not None]
    return value_text(", ".join(names)) if names else "row"


def _is_number(values: pd.Series | pd.Index) -> bool:
    return pd.api.types.is_numeric_dtype(values.dtype) and not pd.api.types.is_bool_dtype(values.dtype)

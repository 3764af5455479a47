"""Texts from documents as the types that their values show: by the same reader as CSV files."""

import csv
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd

from pandas_magic.catalog.formats import delimited
from pandas_magic.catalog.readers import LoadedRows, ReadOptions


def retyped(frame: pd.DataFrame, name: str, options: ReadOptions, notes: tuple[str, ...] = ()) -> LoadedRows:
    """A frame of texts with its columns typed as if they stood in a CSV file of that name."""
    rows = frame.astype(object).where(frame.notna(), "").to_numpy().tolist()
    return rows_retyped([list(map(str, frame.columns)), *rows], name, options, notes)


def rows_retyped(
    rows: Sequence[Iterable[object]], name: str, options: ReadOptions, notes: tuple[str, ...]
) -> LoadedRows:
    """Rows of texts, the first one the column names, as typed columns."""
    with tempfile.TemporaryDirectory(prefix="pandas-magic-") as folder:
        path = Path(folder) / f"{Path(name).name}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
        read_as = {"delimiter": ",", "header": True, "encoding": "utf-8", "skip_lines": 0, "comment": ""}
        reading = delimited.read(path, options.model_copy(update=read_as))
    return LoadedRows(reading.content, (*notes, *reading.notes))

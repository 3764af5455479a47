"""What a reader is told and what it gives back: options that a person may set, and rows with what was seen."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pandas as pd
import pyarrow as pa

from pandas_magic.record import Record

DateOrder = Literal["day first", "month first"]


class ReadOptions(Record):
    """How a person says that a file is to be read. None: found out from the file."""

    encoding: str | None = None
    delimiter: str | None = None
    quote: str | None = None
    decimal: Literal[".", ","] | None = None
    thousands: Literal[",", ".", " ", "'"] | None = None
    dates: DateOrder | Literal["text"] | None = None  # how 01/02/2026 is meant; "text": written dates stay text
    header: bool | None = None  # False: the columns are named column_1, column_2, …
    skip_lines: int | None = None  # lines before the header
    comment: str | None = None  # lines that begin with it are left out
    ragged: Literal["refuse", "fill"] | None = None  # "fill": what a short row lacks is missing; so where that is all
    missing: tuple[str, ...] | None = None  # texts that mean a missing value
    as_text: tuple[str, ...] = ()  # columns that stay as they are written


@dataclass(frozen=True)
class LoadedRows:
    """Rows as they were read, and in `notes` how, in words: what was detected and what a reader may doubt."""

    content: pa.Table | pd.DataFrame
    notes: tuple[str, ...] = ()


Reader = Callable[[Path, ReadOptions, str], LoadedRows]  # the file, how to read it, the part of it ("": the only one)
Lister = Callable[[Path], list[str]]  # the names of the tables in a file

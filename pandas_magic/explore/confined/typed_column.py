"""A column, typed and made clean: numbers, codes of texts, or points in time; gaps known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pandas_magic.explore.confined.formulas import Array, Moments, moments
from pandas_magic.explore.confined.ordering import in_order

Kind = Literal["numeric", "categorical", "datetime", "text", "id-like", "constant"]

ALL_AGREE = "all its texts are"  # how the evidence begins of texts of a file that were read as numbers
MANY_CATEGORIES = 50  # more make a category hard to encode and a bar chart hard to read
_PER_SECOND = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
_ID_NAME = re.compile(r"(^|[_\W])(id|uuid|guid|key|index|idx|no|nr)$|^(id|uuid|guid|index|idx)([_\W]|$)", re.IGNORECASE)
_ID_CAMEL = re.compile(r"[a-z](Id|ID|Uuid|Key|No)$")


class Labels(Sequence[str]):
    """The different texts of a column, kept as Arrow: millions of Python strings would not fit."""

    def __init__(self, texts: Any = None) -> None:  # noqa: ANN401 - a pyarrow string array
        self.texts = pa.array([], pa.large_string()) if texts is None else texts

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        """One text, or a list of them."""
        if isinstance(at, slice):
            start, stop, _ = at.indices(len(self.texts))
            return list(self.texts.slice(start, max(0, stop - start)).to_pylist())
        return str(self.texts[int(at)].as_py())

    def __len__(self) -> int:
        """How many there are."""
        return len(self.texts)

    def __iter__(self) -> Iterator[str]:
        """The texts in the order of their first row."""
        return iter(self.texts.to_pylist())

    def lengths(self) -> Array:
        """The characters of each text."""
        lengths: Array = pc.utf8_length(self.texts).to_numpy(zero_copy_only=False)
        return lengths


@dataclass
class TypedColumn:
    """One column as the explorer sees it.

    Exactly one of `numbers` (float or integer, gaps as NaN or by `gaps`), `codes` with `labels`, and `times` is set;
    none of them for a column without any value.
    """

    name: str
    dtype: str  # the dtype as read
    rows: int
    gaps: Array | None = None  # True where missing; None: nothing is
    numbers: Array | None = None
    codes: Array | None = None  # position in `labels`; -1 where missing
    labels: Labels = field(default_factory=Labels)
    times: Array | None = None  # datetime64 in UTC or naive, NaT where missing
    zone: str = ""
    read_from: str = ""  # "text" when numbers or times were read from texts
    placeholders: dict[str, int] = field(default_factory=dict)
    trimmed: int = 0  # different texts that had spaces around them
    kind: Kind = "constant"
    evidence: str = ""
    readings: tuple[str, ...] = ()  # other meanings that fit as well

    @cached_property
    def missing(self) -> int:
        """The number of missing values, placeholders included."""
        return 0 if self.gaps is None else int(np.count_nonzero(self.gaps))

    @property
    def present(self) -> int:
        """The number of values."""
        return self.rows - self.missing

    @cached_property
    def ordered(self) -> Array:
        """The present, finite numbers or times, sorted."""
        values = self.numbers if self.numbers is not None else self.times
        assert values is not None
        kept = values if self.gaps is None else values[~self.gaps]
        if kept.dtype.kind == "f":
            finite = np.isfinite(kept)
            kept = kept if finite.all() else kept[finite]
        return in_order(kept)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest of one or more finite numbers, kept when the order is let go."""
        return self.ordered[0].item(), self.ordered[-1].item()

    @cached_property
    def moments(self) -> Moments:
        """Mean, standard deviation, skewness and kurtosis of the present, finite numbers."""
        return moments(self.ordered)

    def forget_order(self) -> None:
        """Let the sorted copy go: with many columns of many rows only one of them fits at a time."""
        self.__dict__.pop("ordered", None)

    def forget_all(self) -> None:
        """Let go whatever was computed of the values, since they were replaced."""
        for name in ("ordered", "ends", "unique", "counts", "moments", "infinite", "is_whole"):
            self.__dict__.pop(name, None)

    @cached_property
    def counts(self) -> Array:
        """How often each label occurs."""
        assert self.codes is not None
        return np.bincount(self.codes if self.gaps is None else self.codes[~self.gaps], minlength=len(self.labels))

    @cached_property
    def infinite(self) -> int:
        """The number of infinities."""
        return (
            int(np.count_nonzero(np.isinf(self.numbers)))
            if self.numbers is not None and self.numbers.dtype.kind == "f"
            else 0
        )

    @cached_property
    def unique(self) -> int:
        """The number of different values; infinities count, missing values do not."""
        if self.codes is not None:
            return int((self.counts > 0).sum())
        if self.numbers is None and self.times is None:
            return 0
        ordered = self.ordered
        different = int(np.count_nonzero(ordered[1:] != ordered[:-1])) + 1 if len(ordered) else 0
        if self.numbers is None or not self.infinite:
            return different
        return different + len(np.unique(self.numbers[np.isinf(self.numbers)]))

    @cached_property
    def is_whole(self) -> bool:
        """Whether every number is a whole one; of most fractions the first thousand tell."""
        if self.numbers is None:
            return False
        ordered = self.ordered
        if ordered.dtype.kind in "iu":
            return True
        return bool((ordered[:1000] % 1 == 0).all()) and bool((ordered % 1 == 0).all())

    @property
    def names_rows(self) -> bool:
        """Whether it holds whole numbers and is named like an id: a key, be it of other rows, is no quantity."""
        return self.numbers is not None and self.is_whole and looks_like_id(self.name)

    def floats(self, rows: Array | slice = slice(None)) -> Array:
        """Numbers or times (in seconds) as float64, NaN where missing or infinite."""
        if self.times is not None:
            stamps = self.times[rows]
            return np.where(np.isnat(stamps), np.nan, in_seconds(stamps))
        assert self.numbers is not None
        values: Array = self.numbers[rows].astype(np.float64)
        if self.gaps is not None:
            values[self.gaps[rows]] = np.nan
        if self.infinite:
            values[np.isinf(values)] = np.nan
        return values

    @property
    def is_number(self) -> bool:
        """Whether it can be averaged and correlated."""
        return self.numbers is not None and self.kind == "numeric"

    @property
    def is_category(self) -> bool:
        """Whether its values are few enough to be tabulated."""
        return self.codes is not None and self.kind == "categorical" and len(self.labels) <= 2 * MANY_CATEGORIES


def in_seconds(stamps: Array) -> Array:
    """Times as seconds since 1970; what is missing gives a number without a meaning."""
    unit = np.datetime_data(stamps.dtype)[0]
    if unit not in _PER_SECOND:
        stamps, unit = stamps.astype("datetime64[s]"), "s"
    # In their own unit: in nanoseconds the year 1500 would overflow.
    seconds: Array = stamps.view(np.int64) / _PER_SECOND[unit]
    return seconds


def label_of(number: float) -> str:
    """A number as the name of a class: every digit, so that no two numbers share a name; whole ones without a point."""
    return str(int(number)) if number % 1 == 0 else str(number)


def looks_like_id(name: str) -> bool:
    """Whether the name says that the column identifies rows: "order_id", "PassengerId", "uuid"."""
    return bool(_ID_NAME.search(name) or _ID_CAMEL.search(name))

"""A column of more rows than fit, counted in one pass and in fixed memory by the sketches of Apache DataSketches.

Rows, missing values, extremes, mean and standard deviation are exact. Quartiles, different values and frequent values
are exact while they are few, and estimates with bounds beyond; sketches of two parts of a column merge to one of both.

Source: Karnin, Lang and Liberty (2016) for quantiles, Flajolet and others (2007) for different values, Misra and Gries
(1982) for frequent ones.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pandas_magic.explore.confined.formulas import Array
from pandas_magic.explore.confined.recognition import PLACEHOLDERS
from pandas_magic.explore.confined.univariate import TOP, percent, shown

Facts = dict[str, Any]
Kind = Literal["number", "time", "text"]

_QUANTILE_K = 2_000  # quartiles within 0.15 % of the ranks
_DISTINCT_LG_K = 16  # different values within 1.2 %, three standard errors
_FREQUENT_LG_K = 13  # 6,144 values are counted exactly
_FEW = 5_000  # different numbers that are kept one by one
_STANDARD_ERRORS = 3
_BINS = 20


class ColumnSketch:
    """One column, as far as its values were handed over."""

    def __init__(self, kind: Kind) -> None:
        import datasketches

        self.kind = kind
        self.rows = self.missing = self.infinite = self.zeros = self.negative = self.misfits = 0
        self.low: float = math.inf
        self.high: float = -math.inf
        self.count, self.mean, self.squares = 0, 0.0, 0.0  # of finite numbers; of texts, their lengths
        self.placeholders: Counter[str] = Counter()
        self.few: set[Any] | None = set()  # the different values, until they are too many
        self.quantiles = datasketches.kll_doubles_sketch(_QUANTILE_K)
        self.different = datasketches.hll_sketch(_DISTINCT_LG_K)
        self.frequent = datasketches.frequent_strings_sketch(_FREQUENT_LG_K)

    def add(self, values: Any) -> None:  # noqa: ANN401 - a pyarrow array
        """Take further values: numbers, times in any unit, or texts, which of a column of numbers are read as such."""
        self.rows += len(values)
        if self.kind == "text":
            self._add_texts(values)
            return
        if pa.types.is_string(values.type) or pa.types.is_large_string(values.type):
            values = self._read(values)
        self.missing += values.null_count
        present = values.drop_null().to_numpy(zero_copy_only=False)
        if self.kind == "time":
            present = present.astype("datetime64[us]").view(np.int64)
        if present.dtype.kind == "f":
            self.missing += int(np.count_nonzero(np.isnan(present)))
            self.infinite += int(np.count_nonzero(np.isinf(present)))
            present = present[np.isfinite(present)]
        self._add_numbers(present)

    def _read(self, texts: Any) -> Any:  # noqa: ANN401 - pyarrow
        """Texts of a file as numbers or times; those that are none count as misfits, and as missing."""
        kind = pa.timestamp("us") if self.kind == "time" else pa.float64()
        try:
            return pc.cast(texts, kind)
        except pa.ArrowInvalid:
            plain = texts.to_pandas()
            if self.kind == "time":
                values = pd.to_datetime(plain, format="ISO8601", errors="coerce", utc=True).dt.tz_localize(None)
            else:
                values = pd.to_numeric(plain, errors="coerce")
            read = pa.array(values, from_pandas=True).cast(kind, safe=False)
            self.misfits += read.null_count - texts.null_count
            return read

    def _add_numbers(self, values: Array) -> None:
        if not len(values):
            return
        self.low, self.high = min(self.low, values.min().item()), max(self.high, values.max().item())
        self.zeros += int(np.count_nonzero(values == 0))
        self.negative += int(np.count_nonzero(values < 0))
        floats = values.astype(np.float64)
        self._add_moments(len(values), float(floats.mean()), float(((floats - floats.mean()) ** 2).sum()))
        self.quantiles.update(floats)
        self._add_different(pd.unique(values).tolist())

    def _add_moments(self, count: int, mean: float, squares: float) -> None:
        # Chan, Golub and LeVeque (1979): means and sums of squares of two parts make those of both.
        both, apart = self.count + count, mean - self.mean
        self.mean += apart * count / both
        self.squares += squares + apart**2 * self.count * count / both
        self.count = both

    def _add_different(self, values: list[Any]) -> None:
        deque(map(self.different.update, values), 0)
        if self.few is not None:
            self.few.update(values)
            if len(self.few) > _FEW:
                self.few = None

    def _add_texts(self, values: Any) -> None:  # noqa: ANN401 - a pyarrow array
        self.missing += values.null_count
        counted = pc.value_counts(pc.utf8_trim_whitespace(values.drop_null().cast(pa.large_string())))
        labels, counts = counted.field("values"), counted.field("counts").to_numpy(zero_copy_only=False)
        hollow = pc.is_in(pc.utf8_lower(labels), pa.array(PLACEHOLDERS, labels.type)).to_numpy(zero_copy_only=False)
        for text, count in zip(labels.filter(pa.array(hollow)).to_pylist(), counts[hollow].tolist(), strict=True):
            self.placeholders[text] += count
            self.missing += count
        kept, counts = labels.filter(pa.array(~hollow)), counts[~hollow]
        if not len(kept):
            return
        lengths = pc.utf8_length(kept).to_numpy(zero_copy_only=False)
        self.low, self.high = min(self.low, int(lengths.min())), max(self.high, int(lengths.max()))
        self._add_moments(int(counts.sum()), float(lengths @ counts) / int(counts.sum()), 0.0)
        texts = kept.to_pylist()
        self._add_different(texts)
        deque(map(self.frequent.update, map(shown, texts), counts.tolist()), 0)

    def merge(self, other: ColumnSketch) -> None:
        """Take what another sketch has counted of the same column."""
        for name in ("rows", "missing", "infinite", "zeros", "negative", "misfits"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)
        if other.count:
            self._add_moments(other.count, other.mean, other.squares)
        self.placeholders += other.placeholders
        self.few = None if self.few is None or other.few is None else self.few | other.few
        self.few = None if self.few is not None and len(self.few) > _FEW else self.few
        self.quantiles.merge(other.quantiles)
        self.different = _union(self.different, other.different)
        self.frequent.merge(other.frequent)

    @property
    def unique(self) -> tuple[int, int, int]:
        """How many different values there are, and the bounds of that; three equal numbers where it is exact."""
        if self.few is not None:
            return len(self.few), len(self.few), len(self.few)
        present = max(self.count, 1)
        every = self.different.get_estimate(), *(bound(_STANDARD_ERRORS) for bound in self._bounds_of_different())
        about, low, high = (min(present, round(each)) for each in every)
        return about, low, high

    def _bounds_of_different(self) -> tuple[Any, Any]:
        return self.different.get_lower_bound, self.different.get_upper_bound

    def bounds(self) -> Facts:
        """How far the estimates may be off: of quartiles in percent of the ranks, of counts in rows."""
        _, low, high = self.unique
        estimated = self.quantiles.is_estimation_mode()
        rank = 100 * self.quantiles.normalized_rank_error(False) if estimated else 0.0
        frequent = self._frequent()
        return {
            "rank_pct": rank if self.kind == "number" else None,
            "unique_low": low,
            "unique_high": high,
            "count_within": max((each[3] - each[2] for each in frequent), default=0) if self.kind == "text" else None,
        }

    def _frequent(self) -> list[Any]:
        from datasketches import frequent_items_error_type

        if self.kind != "text":
            return []
        every = self.frequent.get_frequent_items(frequent_items_error_type.NO_FALSE_NEGATIVES, 1)
        return sorted(every, key=lambda each: (-each[1], each[0]))[:TOP]

    def summary(self) -> Facts:
        """What the report says of the values of all rows, in the words of `univariate.profile_of`."""
        if not self.count:
            return {}
        if self.kind == "text":
            top = [{"value": text, "count": count} for text, count, _, _ in self._frequent()]
            facts: Facts = {"top": [each | {"pct": percent(each["count"], self.count)} for each in top]}
            return facts | {"min_length": self.low, "max_length": self.high, "mean_length": self.mean}
        if self.kind == "time":
            first, last = (pd.Timestamp(int(each), unit="us").isoformat() for each in (self.low, self.high))
            span = {"range_days": (self.high - self.low) / 86_400e6, "frequency": "steps not judged"}
            return {"min": first, "max": last, **span}
        q1, median, q3 = self.quantiles.get_quantiles([0.25, 0.5, 0.75], True)
        std = math.sqrt(self.squares / (self.count - 1)) if self.count > 1 else None
        known = {"min": self.low, "q1": q1, "median": median, "q3": q3, "max": self.high, "mean": self.mean, "std": std}
        return known | {"zeros": self.zeros, "negative": self.negative, "infinite": self.infinite}

    def histogram(self) -> Facts | None:
        """Edges and estimated counts of equally wide bins, times in seconds; None where there is nothing to be seen."""
        if self.kind == "text" or not self.count or self.low == self.high:
            return None
        edges = np.linspace(self.low, self.high, _BINS + 1)
        shares = np.diff([0.0, *self.quantiles.get_cdf(edges[1:-1].tolist())[:-1], 1.0])
        scale = 1e6 if self.kind == "time" else 1.0
        return {"edges": (edges / scale).tolist(), "counts": np.rint(shares * self.count).astype(int).tolist()}


def _union(one: Any, other: Any) -> Any:  # noqa: ANN401 - sketches of different values
    import datasketches

    both = datasketches.hll_union(_DISTINCT_LG_K)
    both.update(one)
    both.update(other)
    return both.get_result()

"""Between which values the keys of a file's rows lie, so that files whose keys cannot meet others' are not read."""

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

# Of one column: the least and the greatest value as numbers (None: it has none), and whether one is missing.
Span = tuple[float | None, float | None, bool]


def spanned(schema: pa.Schema, keys: Sequence[str]) -> list[str]:
    """Those of the columns whose spans are cheap to tell: whole numbers, days and moments."""
    return [
        name
        for name in keys
        for kind in (schema.field(name).type,)
        if pa.types.is_integer(kind) or pa.types.is_timestamp(kind) or pa.types.is_date(kind)
    ]


def spans_of(rows: pa.Table) -> tuple[Span, ...]:
    """The span of each column, as its values are, and not as a footer tells."""
    return tuple(map(_span, rows.columns))


def may_meet(one: Sequence[Span], other: Sequence[Span]) -> bool:
    """Whether a row of the one may have the key of a row of the other.

    Values are compared as floats, of which the order is that of the numbers, so that what is apart there is apart also
    where keys are matched as floats.
    """
    return all(_overlap(mine, theirs) for mine, theirs in zip(one, other, strict=True))


def _span(column: pa.ChunkedArray) -> Span:
    kind = column.type
    if not pa.types.is_integer(kind):
        column = column.cast(pa.int32() if pa.types.is_date32(kind) else pa.int64())
    extremes = pc.min_max(column).as_py()
    low, high = extremes["min"], extremes["max"]
    return (None, None, column.null_count > 0) if low is None else (float(low), float(high), column.null_count > 0)


def _overlap(one: Span, other: Span) -> bool:
    (low, high, has_gaps), (their_low, their_high, have_gaps) = one, other
    if has_gaps and have_gaps:
        return True
    if low is None or high is None or their_low is None or their_high is None:
        return False
    return low <= their_high and their_low <= high

"""Files of which the keys cannot meet, by the least and the greatest value of each."""

import datetime as dt

import pyarrow as pa
import pytest

from pandas_magic.checking.key_spans import may_meet, spanned, spans_of

DAY = dt.date(2026, 1, 1)


def test_whole_numbers_days_and_moments_have_spans() -> None:
    kinds = {"id": pa.int64(), "day": pa.date32(), "at": pa.timestamp("us", "UTC"), "share": pa.float64()}
    schema = pa.schema([*kinds.items(), ("name", pa.string()), ("price", pa.decimal128(9, 2))])
    assert spanned(schema, ["price", "at", "id", "name", "day", "share"]) == ["at", "id", "day"]
    rows = pa.table(
        {"id": pa.array([3, None, -4], pa.int64()), "day": pa.array([DAY] * 3), "at": pa.nulls(3, kinds["at"])}
    )
    assert spans_of(rows) == ((-4.0, 3.0, True), (20454.0, 20454.0, False), (None, None, True))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([1, 5], [6, 9], False),
        ([1, 5], [5, 9], True),
        ([1, None], [None, 9], True),
        ([1, None], [9], False),
        ([None], [9], False),
        ([None], [None, 3], True),
        ([], [3], False),
        ([2**53], [2**53 + 1], True),  # which are the same where gaps make floats of them
        ([2**63 - 1], [-(2**63)], False),
    ],
)
def test_keys_may_meet_where_their_spans_do(one: list[int | None], other: list[int | None], expected: bool) -> None:
    mine, theirs = (spans_of(pa.table({"id": pa.array(each, pa.int64())})) for each in (one, other))
    assert may_meet(mine, theirs) is may_meet(theirs, mine) is expected


def test_keys_of_several_columns_are_apart_where_one_column_is() -> None:
    one = spans_of(pa.table({"a": [1, 2], "b": [1, 2]}))
    assert may_meet(one, spans_of(pa.table({"a": [2, 3], "b": [2, 3]})))
    assert not may_meet(one, spans_of(pa.table({"a": [2, 3], "b": [3, 4]})))
    assert may_meet((), ())

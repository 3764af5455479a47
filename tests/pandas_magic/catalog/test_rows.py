"""Some rows of a table look as they do among all of its rows."""

import datetime
from decimal import Decimal

import pandas as pd
import pyarrow as pa
import pytest

from pandas_magic.catalog.arrow import frame_from_arrow, rows_from_arrow

DAY = datetime.date(2026, 1, 1)
TABLE = pa.table(
    {
        "whole": [1, 2, 3, 4],
        "with a gap": [1, None, 3, 4],
        "long, with a gap": [2**60 + 1, None, 3, 4],
        "yes or no": [True, None, False, True],
        "text": ["a", None, "c", "d"],
        "float": [1.5, None, 2.0, 3.0],
        "day": [DAY, None, None, DAY],
        "exact": [Decimal("1.2"), None, None, Decimal("1.3")],
        "nothing": pa.nulls(4),
        "category": pa.array(["x", "y", "x", "y"]).dictionary_encode(),
        "list": [[1], None, [2], [3]],
    }
)


@pytest.mark.parametrize("positions", [[], [0], [3, 1], [2, 3, 0]])
def test_rows_have_the_dtypes_that_the_whole_table_has(positions: list[int]) -> None:
    pd.testing.assert_frame_equal(rows_from_arrow(TABLE, positions), frame_from_arrow(TABLE).iloc[positions])


def test_rows_of_a_table_with_gaps_only_keep_their_number() -> None:
    gaps = TABLE.select(["with a gap", "yes or no"])
    pd.testing.assert_frame_equal(rows_from_arrow(gaps, [1, 2]), frame_from_arrow(gaps).iloc[[1, 2]])

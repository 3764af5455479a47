"""Some rows of a table look as they do among all of its rows."""

import datetime
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.orc
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.arrow import frame_from_arrow, rows_from_arrow
from pandas_magic.catalog.sources import dataset_table

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


@pytest.mark.parametrize("suffix", [".parquet", ".feather", ".orc"])
@pytest.mark.parametrize("positions", [[], [5], [9, 0, 4], [3, 3, 8]])
def test_rows_of_large_files_are_taken_piece_by_piece_in_the_order_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, positions: list[int]
) -> None:
    frame = pd.DataFrame({"id": range(10), "text": [f"t{number}" for number in range(10)]})
    path = tmp_path / f"t{suffix}"
    if suffix == ".parquet":
        frame.to_parquet(path, row_group_size=3)
    elif suffix == ".orc":
        pa.orc.write_table(pa.Table.from_pandas(frame), path)
    else:
        frame.to_feather(path)
    monkeypatch.setattr(dataset_table, "BATCH_ROWS", 2)
    found = Catalog(tmp_path).rows("t", positions)
    pd.testing.assert_frame_equal(found, frame.iloc[positions])

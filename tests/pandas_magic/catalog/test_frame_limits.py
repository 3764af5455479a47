"""What no DataFrame holds is judged right, or refused in one line that names the column; other columns are judged."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import pandas_magic
from pandas_magic.errors import TableUnreadable

Maker = Callable[[str], Path]


@pytest.fixture
def duckdb_with(tmp_path: Path) -> Maker:
    """A DuckDB file of the columns id and x, with the second as it is written."""

    def make(value: str) -> Path:
        import duckdb

        with duckdb.connect(str(tmp_path / "t.duckdb")) as database:
            database.execute(f"CREATE TABLE t AS SELECT 1 AS id, {value} AS x")
        return tmp_path / "t.duckdb"

    return make


REFUSED = [
    ("'infinity'::DATE", "holds infinity, beyond the moments"),
    ("'-infinity'::DATE", "holds -infinity, beyond the moments"),
    ("'infinity'::TIMESTAMPTZ", "holds infinity, beyond the moments"),
    ("'290000-01-01'::TIMESTAMPTZ", "holds a day of the year 290000, beyond the moments"),
    ("'infinity'::TIMESTAMP_S", "holds infinity, beyond the moments"),
    ("'24:00:00'::TIME", "holds a time of the day beyond 23:59:59"),
    ("1::UNION(a INTEGER)", "which no DataFrame holds; convert it"),
]


@pytest.mark.parametrize(("value", "said"), REFUSED)
def test_a_value_that_no_frame_holds_is_one_line_with_its_column(duckdb_with: Maker, value: str, said: str) -> None:
    with pytest.raises(TableUnreadable, match=rf'^column "x" .*{said}') as caught:
        pandas_magic.check("x must be present", tables={"t": duckdb_with(value)})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", [value for value, _ in REFUSED[:-1]])
def test_beside_such_a_value_other_columns_are_judged(duckdb_with: Maker, value: str) -> None:
    assert pandas_magic.check("id must be unique", tables={"t": duckdb_with(value)}).verdict == "PASS"


@pytest.mark.parametrize(("value", "verdict"), [("infinity", "FAIL"), ("-infinity", "PASS"), ("20226-01-01", "FAIL")])
def test_moments_without_a_zone_are_judged_however_far(duckdb_with: Maker, value: str, verdict: str) -> None:
    path = duckdb_with(f"'{value}'::TIMESTAMP")
    assert pandas_magic.check("x must be before 2030-01-01", tables={"t": path}).verdict == verdict


@pytest.mark.parametrize(
    ("values", "fill", "rule", "found"),
    [
        ([0, 0, -1], 0, "x must be at least 0", 1),
        ([1.5, np.nan, 3.0], np.nan, "x must be at least 2", 1),
        ([1.5, np.nan, 3.0], np.nan, "x must be present", 1),
        ([True, False, False], False, "x must be true", 2),
    ],
)
def test_sparse_columns_are_judged_as_what_they_hold(values: list[Any], fill: object, rule: str, found: int) -> None:
    frame = pd.DataFrame({"id": range(3), "x": pd.arrays.SparseArray(values, fill_value=fill)})
    run = pandas_magic.check(rule, tables={"t": frame})
    assert run.violation_count == found
    assert str(run.violations["x"].dtype).startswith("Sparse")


@pytest.mark.parametrize("frame", [pd.DataFrame(), pd.DataFrame(index=range(3)), pa.table({})])
def test_a_frame_without_columns_is_refused_in_one_line(frame: Any) -> None:
    with pytest.raises(TableUnreadable, match='"t" has no columns'):
        pandas_magic.check("the table t must have at least 1 row", tables={"t": frame})

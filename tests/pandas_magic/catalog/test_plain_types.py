"""Columns of seldom dtypes come to checks as what they stand for: the rules about them find the rows that are meant."""

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import pandas_magic
from pandas_magic.catalog import Catalog
from pandas_magic.catalog.arrow import describe_arrow, describe_frame, frame_from_arrow
from pandas_magic.catalog.plain_types import with_plain_types
from pandas_magic.checking.engines.confined_duckdb import arrow_column
from pandas_magic.constraints import Column, Compare, Previous, RowRule, Value, check_types
from pandas_magic.errors import TableUnreadable


def arrow(values: Any, kind: pa.DataType) -> "pd.Series[Any]":
    return pd.Series(pd.array(pa.array(values, kind), dtype=pd.ArrowDtype(kind)))


DAY, MOMENT = dt.date(2026, 3, 28), dt.datetime(2026, 3, 28, 10)
COLUMNS: dict[str, tuple["pd.Series[Any]", str, list[Any]]] = {
    "32 bits": (pd.Series(np.array([0.1, np.nan], "float32")), "float64", [0.1, None]),
    "32 bits, nullable": (pd.Series(pd.array([0.1, None], dtype="Float32")), "float64", [0.1, None]),
    "32 bits of Arrow": (arrow([0.1, None], pa.float32()), "float64", [0.1, None]),
    "16 bits": (pd.Series(np.array([0.1, np.inf], "float16")), "float64", [0.1, np.inf]),
    "NaN of Arrow": (arrow([1.0, float("nan"), None, -0.0], pa.float64()), "float64", [1.0, None, None, -0.0]),
    "truth of Arrow": (arrow([True, None], pa.bool_()), "boolean", [True, None]),
    "moments of Arrow": (arrow([MOMENT, None], pa.timestamp("ns")), "datetime64[ns]", [pd.Timestamp(MOMENT), None]),
    "days of Arrow": (arrow([DAY, None], pa.date32()), "datetime64[us]", [pd.Timestamp(DAY), None]),
    "lengths of Arrow": (arrow([dt.timedelta(1)], pa.duration("us")), "timedelta64[us]", [pd.Timedelta(days=1)]),
    "days as objects": (pd.Series([DAY, None], dtype=object), "datetime64[us]", [pd.Timestamp(DAY), None]),
    "texts as objects": (pd.Series(["Ä", None], dtype=object), "str", ["Ä", None]),
    "categories of integers": (pd.Series([3, 1], dtype="category"), "int64", [3, 1]),
    "some missing": (pd.Series(pd.Categorical([3, None], [1, 3], ordered=True)), "Int64", [3, None]),
    "of fractions": (pd.Series([0.5, None], dtype="category"), "float64", [0.5, None]),
    "of truth": (pd.Series([True, None], dtype="category"), "boolean", [True, None]),
    "of days": (pd.Series([DAY, None], dtype="category"), "datetime64[us]", [pd.Timestamp(DAY), None]),
    "of moments": (
        pd.Series(pd.to_datetime([MOMENT, None]).as_unit("us"), dtype="category"),
        "datetime64[us]",
        [pd.Timestamp(MOMENT), None],
    ),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_becomes_the_plain_dtype_of_the_same_values(name: str) -> None:
    column, dtype, values = COLUMNS[name]
    found = with_plain_types(pd.DataFrame({"x": column}))["x"]
    assert str(found.dtype) == dtype
    assert [None if pd.isna(each) else each for each in found.tolist()] == values
    if not name.endswith(("nullable", "bits")) and "Arrow" not in name:
        assert describe_frame("t", pd.DataFrame({"x": column})).columns == {"x": dtype}


def test_half_a_character_stays_as_it_is() -> None:
    assert with_plain_types(pd.DataFrame({"x": pd.Series(["\ud800"], dtype=object)}))["x"].tolist() == ["\ud800"]


@pytest.mark.parametrize("values", [pa.array([3, 1]), pa.array([0.5, 2]), pa.array([MOMENT], pa.timestamp("us"))])
def test_dictionaries_of_numbers_and_moments_in_files_are_numbers_and_moments(values: pa.Array) -> None:
    table = pa.table({"x": values.dictionary_encode()})
    assert frame_from_arrow(table)["x"].tolist() == pd.Series(values.to_pandas()).tolist()
    assert describe_arrow("t", table).columns == {"x": str(frame_from_arrow(table)["x"].dtype)}


@pytest.mark.parametrize("kind", ["in a file", "in a frame"])
def test_a_zone_that_no_list_has_is_one_line_that_names_the_column(tmp_path: Path, kind: str) -> None:
    table = pa.table({"at": pa.array([0], pa.timestamp("us", "UTC+05:30"))})
    pq.write_table(table, tmp_path / "t.parquet")
    given = pd.DataFrame({"at": pd.Series(pd.arrays.ArrowExtensionArray(table["at"]))})
    catalog = Catalog(given={"t": tmp_path / "t.parquet" if kind == "in a file" else given})
    with pytest.raises(TableUnreadable, match=r'column "at" has moments of the zone "UTC\+05:30", which no list of'):
        catalog.schema("t")


def test_fractions_of_32_bits_in_files_are_the_decimals_that_they_stand_for() -> None:
    table = pa.table({"x": pa.array([0.1, None], pa.float32())})
    assert frame_from_arrow(table)["x"].tolist()[0] == 0.1
    assert describe_arrow("t", table).columns == {"x": "float64"}


@pytest.mark.parametrize(
    ("rule", "column", "flagged"),
    [
        ("x must be 0.1 or 0.2", COLUMNS["32 bits"][0], []),
        ("x must be present", COLUMNS["NaN of Arrow"][0], [1, 2]),
        ("x must be a whole number", pd.Series(pd.array([1, 2.5, np.inf], dtype="Float64")), [1, 2]),
        ("x must be before 2026-03-28", COLUMNS["days as objects"][0], [0]),
        ("x must not be one of 1, 2", COLUMNS["categories of integers"][0], [1]),
    ],
)
def test_rules_about_such_columns_find_what_is_meant(rule: str, column: "pd.Series[Any]", flagged: list[int]) -> None:
    found = pandas_magic.check(rule, tables={"t": pd.DataFrame({"x": column})}).violations
    assert (list(found.index) if found is not None else []) == flagged


@pytest.mark.parametrize(
    ("rule", "flagged"),
    [
        ("price must be at most 0.35", [1, 2]),
        ("price must not be 0.35", [0]),
        ("price must equal paid", [2]),
        ("paid must be at most price", [2]),
    ],
)
def test_decimals_beside_fractions_are_the_fractions_that_are_written_alike(rule: str, flagged: list[int]) -> None:
    prices = arrow([Decimal("0.35"), Decimal("0.41"), Decimal("2.50")], pa.decimal128(10, 2))
    frame = pd.DataFrame({"price": prices, "paid": [0.35, 0.41, 2.6]})
    found = pandas_magic.check(rule, tables={"t": frame}).violations
    assert found is not None
    assert list(found.index) == flagged
    assert arrow_column(prices).to_pylist() == [0.35, 0.41, 2.5]


def test_an_order_of_categories_is_not_taken_for_that_of_their_texts() -> None:
    sizes = pd.Categorical(["low", "high"], ["low", "mid", "high"], ordered=True)
    tables = {"t": describe_frame("t", pd.DataFrame({"x": sizes, "n": [1, 2]}))}
    x, n = Column(name="x"), Column(name="n")
    for must in (
        Compare(relation=">=", left=x, right=Value(value="mid")),
        Compare(relation=">=", left=n, right=Previous(of=n, order=x)),
    ):
        assert "an order of their own" in check_types(RowRule(table="t", must=must), tables)[0]
    same = Compare(relation="==", left=x, right=Value(value="mid"))
    assert check_types(RowRule(table="t", must=same), tables) == ()

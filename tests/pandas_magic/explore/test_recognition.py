"""What a column is taken for."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from pandas_magic.explore.confined.recognition import column_of, reread
from pandas_magic.explore.confined.typed_column import TypedColumn, looks_like_id
from pandas_magic.explore.confined.univariate import profile_of, suggested_dtype


def column(values: object, name: str = "c", **said: object) -> TypedColumn:
    return column_of(name, pd.Series(values, **said))


@pytest.mark.feature("C13")
@pytest.mark.parametrize(
    ("values", "name", "kind"),
    [
        ([1.5, 2.5, 9.0], "price", "numeric"),
        (["a", "b", "a"], "grade", "categorical"),
        ([True, False, True], "paid", "categorical"),
        (pd.to_datetime(["2024-01-01", "2024-02-01"]), "day", "datetime"),
        (["2024-01-01", "2024-02-01"], "day", "datetime"),
        (["12", "13.5", "?"], "size", "numeric"),
        ([f"the {n} quick brown fox" for n in range(30)], "text", "text"),
        ([f"u-{n:04}" for n in range(30)], "user", "id-like"),
        (list(range(100, 130)), "row", "id-like"),
        (list(range(100, 200, 3)), "order_id", "id-like"),
        (list(range(100, 200, 3)), "weight", "numeric"),
        (["x"] * 5, "c", "constant"),
        ([None, None], "c", "constant"),
        (["007", "012", "013"], "zip", "categorical"),
    ],
)
def test_kind(values: object, name: str, kind: str) -> None:
    assert column(values, name).kind == kind


@pytest.mark.feature("C13")
@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (["1", "2"], "int64"),
        ([1.0, 2.0, None], "Int64"),
        ([0.5, 1.0], "float64"),
        (["yes", "no"], "bool"),
        (["a", "b"], "category"),
        (["2024-05-01 10:00:00"] * 2 + ["2024-05-02 11:00:00"], "datetime64[us]"),
    ],
)
def test_suggested_dtype(values: object, dtype: str) -> None:
    assert suggested_dtype(column(values)) == dtype


def test_placeholders_count_as_missing_and_are_counted_by_text() -> None:
    found = column([" ?", "?", "n/a", "", "x", "y", None])
    assert found.missing == 5
    assert found.placeholders == {"?": 2, "n/a": 1, "": 1}
    assert found.unique == 2


def test_na_and_none_in_a_frame_are_values_since_they_may_be_names() -> None:
    assert column(["NA", "DE", "None"]).missing == 0


def test_texts_are_judged_without_the_spaces_around_them() -> None:
    found = column([" a", "a ", "b"])
    assert list(found.labels) == ["a", "b"] and found.counts.tolist() == [2, 1]
    assert found.trimmed == 2


def test_dates_that_fit_two_formats_are_read_as_neither_until_a_person_says() -> None:
    found = column(["01/02/2024", "03/04/2024", "05/06/2024"])
    assert found.kind == "categorical" and len(found.readings) == 2
    settled = reread(found, "datetime as %d/%m/%Y")
    assert settled.kind == "datetime"
    assert str(settled.ordered[0])[:10] == "2024-02-01"


@pytest.mark.parametrize(
    ("text", "seen", "zone"),
    [
        ("2012-01-01T06:16:41Z", "2012-01-01T06:16:41", "UTC"),
        ("2012-01-01T06:16:41+02:00", "2012-01-01T04:16:41", "UTC"),
        ("2012-01-01 06:16:41.250+0000", "2012-01-01T06:16:41.250", "UTC"),
        ("2012-01-01T06:16:41.250", "2012-01-01T06:16:41.250", ""),
        ("2012-01-01 06:16:41.5", "2012-01-01T06:16:41.500", ""),
    ],
)
def test_moments_with_zones_and_fractions_are_read(text: str, seen: str, zone: str) -> None:
    column = column_of("sent", pd.Series([text, None, text.replace("2012", "2013")]))
    assert (column.kind, column.zone, column.readings) == ("datetime", zone, ())
    assert column.times is not None and column.times[0] == np.datetime64(seen) and np.isnat(column.times[1])


def test_dates_that_fit_one_format_only_are_read() -> None:
    found = column(["01/02/2024", "31/01/2024"])
    assert found.kind == "datetime" and str(found.ordered[0])[:10] == "2024-01-31"


def test_few_whole_numbers_may_be_categories_and_become_them_on_request() -> None:
    found = column([1, 2, 3] * 10)
    assert found.kind == "numeric" and found.readings
    settled = reread(found, "categorical")
    assert settled.kind == "categorical" and list(settled.labels) == ["1", "2", "3"]


def test_a_reading_that_does_not_fit_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r'"c".*cannot be read as "numeric"'):
        reread(column(["a", "b"]), "numeric")


def test_infinities_are_counted_and_kept_out_of_statistics() -> None:
    found = profile_of(column([1.0, np.inf, -np.inf, 3.0]))
    assert found["summary"]["infinite"] == 2 and found["summary"]["mean"] == 2.0
    assert found["n_missing"] == 0 and found["unique"] == 4


def test_64_bit_ids_with_gaps_keep_every_digit() -> None:
    top = 2**63 - 1
    found = profile_of(column([top, top - 1, None], dtype="Int64"))
    assert found["summary"]["max"] == top and found["summary"]["min"] == top - 1


def test_times_of_a_zone_are_told_in_utc() -> None:
    stamps = pd.to_datetime(["2024-07-01 00:00", "2024-07-02 00:00"]).tz_localize("Europe/Rome")
    summary = profile_of(column(stamps))["summary"]
    assert summary["min"] == "2024-06-30T22:00:00Z" and summary["time_zone"] == "Europe/Rome"


@pytest.mark.parametrize(
    "series",
    [
        pd.Series([Decimal("1.10"), Decimal("2.20")], dtype=pd.ArrowDtype(pa.decimal128(10, 2))),
        pd.Series([1, None], dtype="UInt8"),
        pd.Series([0.5, None], dtype="Float32"),
        pd.Series(pd.to_timedelta(["1h", "2h"])),
        pd.Series([3, 1], dtype=pd.CategoricalDtype([1, 2, 3])),
        pd.Series([True, None], dtype="boolean"),
        pd.Series([], dtype="float64"),
        pd.Series([], dtype="str"),
        pd.Series([None, None], dtype="object"),
        pd.Series(pd.to_datetime([None, None])),
    ],
)
def test_every_dtype_has_a_profile(series: "pd.Series[object]") -> None:
    found = profile_of(column_of("c", series))
    assert 0 <= found["pct_missing"] <= 100 and found["n_missing"] + found["unique"] <= len(series)


@pytest.mark.parametrize(
    ("name", "says"), [("order_id", True), ("PassengerId", True), ("uuid", True), ("paid", False), ("width", False)]
)
def test_names_of_ids(name: str, says: bool) -> None:
    assert looks_like_id(name) is says

"""Numbers as a person would write them, decided for a column as a whole."""

import pandas as pd
import pytest

from pandas_magic.notebook.page.rows_view import LABEL, RowsView
from pandas_magic.reporters.preview import preview
from pandas_magic.reporters.value_text import value_text

ODD = [1565.1304347826087, 0.000123456, 5.0, 0.0, -1234567.891, float("inf"), float("nan"), 1e16]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (ODD, ["1,565.13", "0.000123", "5.00", "0.00", "-1,234,567.89", "inf", "NaN", "1e+16"]),
        ([1565.5, 2.25, 3.0], ["1565.5", "2.25", "3.0"]),
        ([2024, 12345], ["2024", "12345"]),
        (["1565.1304347826087"], ["1565.1304347826087"]),
        (pd.array([1.23456, None], dtype="Float64"), ["1.23", "<NA>"]),
    ],
)
def test_floats_of_more_than_two_decimals_are_rounded_where_people_read(values: object, expected: list[str]) -> None:
    frame = pd.DataFrame({"of": values})
    assert [row[1] for row in preview(frame, rounded=True).rows] == expected
    assert [row[1] for row in preview(frame).rows] == [value_text(value) for value in frame["of"]]


def test_whole_numbers_beside_gaps_are_shown_whole_in_grid_and_card() -> None:
    frame = pd.DataFrame({"order_id": [17031.0, None, -5.0], "huge": [1e300, None, 2.0]})
    assert [row[1:] for row in preview(frame).rows] == [("17031", "1e+300"), ("NaN", "NaN"), ("-5", "2.0")]
    asked = {"ask": "window", "start": 0, "count": 3, "columns": [0, 1]}
    assert RowsView(frame).answer(asked)[0]["rows"] == [("17031", "1e+300"), (None, None), ("-5", "2.0")]
    assert RowsView(frame, rounded=True).answer(asked)[0]["rows"][0] == ("17031", "1e+300")


def test_a_grid_gives_rounded_numbers_with_the_exact_ones() -> None:
    view = RowsView(pd.DataFrame({"of": ODD[:1], "id": [12345]}), rounded=True)
    window = view.answer({"ask": "window", "start": 0, "count": 1, "columns": [LABEL, 0, 1]})[0]
    assert window["rows"] == [("0", {"now": "1,565.13", "exact": "1565.1304347826087"}, "12345")]

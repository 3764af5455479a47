"""Windows of rows for a grid: sorted and filtered as pandas does it, whatever the columns hold."""

from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_magic.errors import UsageMistake
from pandas_magic.notebook.page.rows_view import LABEL, RowsView
from pandas_magic.notebook.page.shared_rows import failing_beside
from pandas_magic.notebook.page.shared_values import shared_values

FRAME = pd.DataFrame(
    {
        "id": [3, 1, 2, 2],
        "Name": ["Ärger", None, "NaN", "a,\tb"],
        "paid": [1.5, np.nan, -2.0, 1e300],
        "at": pd.to_datetime(["2024-01-01", None, "2024-03-01", "2024-02-01"]).tz_localize("UTC"),
        "mixed": ["x", 5, None, [1, 2]],
        "day": [date(2024, 1, 2), None, date(2023, 1, 1), date(2024, 1, 1)],
        "price": [Decimal("1.10"), Decimal("2.20"), None, Decimal("0.30")],
        "kind": pd.Categorical(["b", "a", None, "b"]),
        "flag": pd.array([True, None, False, True], dtype="boolean"),
    },
    index=pd.Index([10, 11, 12, 13], name="key"),
)


def window(frame: pd.DataFrame, **said: Any) -> dict[str, Any]:
    asked = {"ask": "window", "start": 0, "count": 50, "columns": [LABEL, 0], **said}
    return RowsView(frame).answer(asked)[0]


def keys(**said: Any) -> list[int]:
    return [int(row[0]) for row in window(FRAME, **said)["rows"]]


def place(column: str) -> int:
    return list(FRAME.columns).index(column)


@pytest.mark.parametrize("column", ["id", "Name", "paid", "at", "day", "price", "flag"])
@pytest.mark.parametrize("descending", [False, True])
def test_rows_are_sorted_with_missing_values_last_and_equal_ones_as_they_came(column: str, descending: bool) -> None:
    expected = FRAME.sort_values(column, ascending=not descending, kind="stable", na_position="last")
    assert keys(sort=[[place(column), descending]]) == list(expected.index)


def test_values_of_several_types_are_sorted_by_their_text() -> None:
    assert keys(sort=[[place("mixed"), False]]) == [11, 13, 10, 12]
    assert keys(sort=[[place("kind"), False]]) == [11, 10, 13, 12]
    assert keys(sort=[[LABEL, True]]) == [13, 12, 11, 10]


@pytest.mark.parametrize(
    ("column", "said", "expected"),
    [
        ("id", "2", [12, 13]),
        ("id", "!= 2", [10, 11]),
        ("paid", "> 1", [10, 13]),
        ("paid", "≤ 1.5", [10, 12]),
        ("paid", "missing", [11]),
        ("Name", "present", [10, 12, 13]),
        ("Name", "äRG", [10]),
        ("Name", "= NaN", [12]),
        ("Name", "(", []),
        ("at", ">= 2024-02-01", [12, 13]),
        ("mixed", "5", [11]),
        ("price", "> 1", [10, 11]),
        ("day", "< 2024-01-02", [12, 13]),
        ("flag", "= true", [10, 13]),
        ("kind", "b", [10, 13]),
    ],
)
def test_a_filter_means_what_the_column_holds(column: str, said: str, expected: list[int]) -> None:
    assert keys(filters={str(place(column)): said}) == expected


def test_the_first_column_of_an_order_decides_and_the_next_among_equals() -> None:
    assert keys(sort=[[place("id"), True], [place("paid"), False]]) == [10, 12, 13, 11]
    assert keys(sort=[[place("id"), False], [place("paid"), True]]) == [11, 13, 12, 10]


def test_ordered_kinds_are_sorted_in_their_own_order() -> None:
    sizes = pd.Categorical(["small", None, "large", "medium"], ["small", "medium", "large"], ordered=True)
    found = window(pd.DataFrame({"size": sizes}), sort=[[0, True]])["rows"]
    assert [size for _, size in found] == ["large", "medium", "small", None]


CODES = [
    ({"id": "2"}, [], 'rows[rows["id"] == 2]'),
    ({"id": "!= 2", "paid": "missing"}, [], 'rows[(rows["id"].notna()) & (rows["id"] != 2) & (rows["paid"].isna())]'),
    ({"paid": "≤ 1.5"}, [("id", False)], 'rows[rows["paid"] <= 1.5].sort_values("id", ascending=True, kind="stable")'),
    ({"Name": "äRG"}, [], 'rows[rows["Name"].str.contains("äRG", case=False, regex=False, na=False)]'),
    ({"Name": "= NaN"}, [], 'rows[rows["Name"] == "NaN"]'),
    ({"Name": "!= NaN"}, [], 'rows[(rows["Name"].notna()) & (rows["Name"] != "NaN")]'),
    ({"at": ">= 2024-02-01"}, [], 'rows[rows["at"] >= pd.Timestamp("2024-02-01 00:00:00+00:00")]'),
    ({"flag": "= true"}, [], 'rows[rows["flag"] == True]'),
    ({"flag": "!= true"}, [], 'rows[(rows["flag"].notna()) & (rows["flag"] != True)]'),
    ({}, [("id", True), ("paid", False)], 'rows.sort_values(["id", "paid"], ascending=[False, True])'),
    ({}, [("key", True)], 'rows.sort_index(ascending=False, kind="stable")'),
    ({}, [], "rows"),
]


@pytest.mark.parametrize(("filters", "order", "code"), CODES)
def test_the_code_of_a_listing_gives_its_rows(filters: dict[str, str], order: list[Any], code: str) -> None:
    sort = [[LABEL if column == "key" else place(column), descending] for column, descending in order]
    chosen = {"filters": {str(place(column)): said for column, said in filters.items()}, "sort": sort}
    assert RowsView(FRAME).answer({"ask": "code", **chosen})[0] == {"code": code}
    assert list(eval(code, {"rows": FRAME, "pd": pd}).index) == keys(**chosen)


def test_the_code_tells_columns_of_one_name_apart_by_their_place() -> None:
    twice = pd.concat([FRAME[["id", "paid"]], FRAME[["Name", "id"]]], axis=1)
    code = RowsView(twice).answer({"ask": "code", "filters": {"3": "> 1"}})[0]["code"]
    assert code == "rows[rows.iloc[:, 3] > 1]" and list(eval(code, {"rows": twice}).index) == [10, 12, 13]


@pytest.mark.parametrize(
    "chosen",
    [
        {"words": "2024"},
        {"within": '["missing", "paid"]'},
        {"filters": {str(place("paid")): "x"}},
        {"filters": {str(place("mixed")): "= x"}},
        {"filters": {str(place("kind")): "> a"}},
        {"filters": {str(LABEL): "> 10"}},
        {"sort": [[place("mixed"), False]]},
        {"sort": [[place("kind"), False]]},
        {"sort": [[LABEL, False], [place("id"), False]]},
    ],
)
def test_what_has_no_short_code_says_so(chosen: dict[str, Any]) -> None:
    with pytest.raises(UsageMistake, match="no short code"):
        RowsView(FRAME).answer({"ask": "code", **chosen})


def test_filters_search_and_order_hold_together() -> None:
    asked = {"filters": {str(place("paid")): "present"}, "words": "2024", "sort": [[place("paid"), True]]}
    assert keys(**asked) == [13, 10, 12]


@pytest.mark.parametrize(("column", "said"), [("paid", "> many"), ("at", "> soon"), ("id", "< x"), ("mixed", "> 5")])
def test_what_cannot_be_compared_is_said(column: str, said: str) -> None:
    with pytest.raises(UsageMistake, match="cannot be compared with"):
        keys(filters={str(place(column)): said})


def test_a_window_has_its_rows_as_text_and_nothing_beyond_the_end() -> None:
    places = [LABEL, place("Name"), place("mixed")]
    found = window(FRAME, start=2, count=9, columns=places)
    assert (found["start"], found["found"]) == (2, 4)
    assert found["rows"] == [("12", '"NaN"', None), ("13", "a,\\tb", "[1, 2]")]
    assert window(FRAME, start=90)["rows"] == []


def test_the_rules_columns_come_first_and_are_tinted() -> None:
    opened = RowsView(FRAME, first={"paid", "other"}).answer({"ask": "open"})[0]
    assert [column["name"] for column in opened["columns"]][:3] == ["key", "paid", "id"]
    assert [column["name"] for column in opened["columns"] if column["tinted"]] == ["paid"]


@pytest.mark.parametrize("frame", [FRAME.iloc[:0], pd.DataFrame(index=[1, 2]), pd.concat([FRAME, FRAME], axis=1)])
def test_odd_frames_open_and_are_searched(frame: pd.DataFrame) -> None:
    opened = RowsView(frame).answer({"ask": "open"})[0]
    assert (opened["found"], len(opened["columns"])) == (len(frame), frame.shape[1] + 1)
    columns = [column["place"] for column in opened["columns"]]
    facts = RowsView(frame).answer({"ask": "facts", "columns": columns})[0]
    assert [len(lines) > 0 for lines in facts["facts"]] == [False, *[True] * frame.shape[1]] and facts["of"] is None
    assert window(frame, columns=columns, words="rger")["found"] == (len(frame) if frame.shape[1] > 9 else 0) // 4


def test_rows_are_copied_and_sent_as_they_are_listed() -> None:
    view = RowsView(FRAME, name="CHK-001_rows")
    chosen = {"filters": {str(place("id")): "2"}, "sort": [[place("paid"), False]]}
    copied = view.answer({"ask": "copy", "columns": [LABEL, 0, 2], **chosen})[0]
    assert copied == {"text": "key\tid\tpaid\n12\t2\t-2.0\n13\t2\t1e+300\n", "copied": 2}
    facts, (content,) = view.answer({"ask": "csv", **chosen})
    assert facts == {"file": "CHK-001_rows.csv", "saved": 2}
    assert content.decode().startswith("key,id,Name") and len(content.decode().splitlines()) == 3
    facts, (content,) = view.answer({"ask": "parquet", **chosen})
    assert content[:4] == b"PAR1"


def test_more_rows_than_a_page_can_take_are_refused_with_the_way_out() -> None:
    view = RowsView(pd.DataFrame({"a": np.zeros(1_000_001)}))
    with pytest.raises(UsageMistake, match="%checks rows ID --save FILE"):
        view.answer({"ask": "csv"})
    with pytest.raises(UsageMistake, match="filter them"):
        view.answer({"ask": "copy", "columns": [0]})


def test_what_rows_share_is_said_from_counts() -> None:
    frame = pd.DataFrame(
        {"class": [1] * 15 + [2] * 7, "age": range(66, 88), "deck": [None] * 22, "odd": [[n] for n in range(22)]}
    )
    assert shared_values(frame, ["age"]) == ("all 22: deck missing", "15 of 22: class 1", "age from 66 to 87")
    assert shared_values(frame.iloc[:1], ["age"]) == ()


def test_checks_that_fail_on_the_same_rows_are_named(make_result: Any, make_compiled: Any) -> None:
    def failing(check_id: str, positions: tuple[int, ...]) -> Any:
        made = make_result(rows=FRAME.iloc[: len(positions)], compiled=make_compiled(check_id))
        made.run.holding(made.violations, None, positions)
        return made

    results = [failing("CHK-1", (1, 2, 3)), failing("CHK-2", (3,)), failing("CHK-3", (2, 3)), failing("CHK-4", (9,))]
    assert failing_beside(results[0], results) == ["CHK-3 (2)", "CHK-2 (1)"]


def test_many_texts_of_a_few_kinds_are_sorted_as_texts_are() -> None:
    kinds = ["b", "", "ä", "a", None, "Z", "10", "9"]
    frame = pd.DataFrame(
        {"kind": [kinds[number * number % 8 if number % 3 else number % 7] for number in range(120_000)]}
    )
    view, texts = RowsView(frame), frame["kind"].tolist()
    for descending in (False, True):
        choice = {"sort": [[0, descending]], "count": 400, "columns": [LABEL]}
        expected = sorted(
            (row for row, kind in enumerate(texts) if isinstance(kind, str)),
            key=lambda row: texts[row].encode(),
            reverse=descending,
        ) + [row for row, kind in enumerate(texts) if not isinstance(kind, str)]
        for start in (0, 60_000, 119_600):
            found = view.answer({"ask": "window", "start": start, **choice})[0]["rows"]
            assert [int(row[0].replace(",", "")) for row in found] == expected[start : start + 400]

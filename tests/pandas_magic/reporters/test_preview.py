"""The first rows of a frame."""

import pandas as pd

from pandas_magic.reporters.preview import preview


def test_index_of_the_table_is_shown() -> None:
    shown = preview(pd.DataFrame({"a": [1, 2]}, index=[17, 4]))

    assert (shown.header, shown.rows) == (("row", "a"), (("17", "1"), ("4", "2")))


def test_first_twenty_rows_are_shown_and_the_rest_counted() -> None:
    shown = preview(pd.DataFrame({"a": range(1234)}))

    assert [row[0] for row in shown.rows] == [str(n) for n in range(20)]
    assert shown.left_out() == "Shown: the first 20 of 1,234 rows."


def test_columns_that_the_rule_reads_are_among_those_shown() -> None:
    frame = pd.DataFrame([[0] * 40], columns=[f"c{n}" for n in range(40)])

    shown = preview(frame, first={"c39"})

    assert shown.header == ("row", *(f"c{n}" for n in range(11)), "c39")
    assert shown.left_out() == "Shown: 12 of 40 columns."


def test_columns_of_the_same_name_keep_their_own_values() -> None:
    frame = pd.DataFrame([[1, "x"]], columns=["a", "a"])

    assert preview(frame, first={"a"}).rows == (("0", "1", "x"),)


def test_numbers_are_told_from_texts_and_truths() -> None:
    frame = pd.DataFrame({"n": [1.5], "t": ["x"], "b": [True], "d": pd.to_datetime(["2024-02-29"])})

    assert preview(frame).numeric == (True, True, False, False, False)


def test_named_index_gives_its_name() -> None:
    frame = pd.DataFrame({"a": [1]}, index=pd.MultiIndex.from_tuples([("de", 3)], names=["country", "n"]))

    assert preview(frame).header == ("country, n", "a")


def test_frame_without_rows_or_columns_is_shown_empty() -> None:
    assert preview(pd.DataFrame()).rows == ()

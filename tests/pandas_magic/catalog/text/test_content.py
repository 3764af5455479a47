"""What texts are by their content."""

from datetime import time

import pandas as pd
import pyarrow as pa
import pytest

from pandas_magic.catalog.arrow import describe_arrow, describe_frame
from pandas_magic.catalog.text.content import content_kind


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["2026-01-31", "2026-02-01 10:30"], "date"),
        (["2026-01-31"] * 19 + ["unknown"], "date"),
        (["2026-01-31", "unknown"], None),
        (["1.5", "-2", "3e4"], "number"),
        (["01234", "20095"], None),
        (["1.500", "750", "-12.750"], None),  # thousands, or fractions
        (["1.500", "7.5"], "number"),
        (["1.500", "2250"], "number"),
        (["0.500", "0.250"], "number"),
        (["491761234567", "491761234568"], None),
        (["8:30", "17:05:10"], "time"),
        (["07:35"] * 19 + ["closed"], "time"),
        (["25:00", "1:5"], None),
        (["a", "b"], None),
        ([], None),
    ],
)
def test_texts_are_what_nearly_all_of_them_are(texts: list[str], kind: str | None) -> None:
    assert content_kind(texts) == kind


def test_a_frame_and_its_arrow_table_say_the_same() -> None:
    frame = pd.DataFrame({"day": ["2026-01-31", None], "sum": ["1.5", "2"], "name": ["a", "b"], "n": [1, 2]})
    described = describe_frame("t", frame).read_as
    assert described == {"day": "date", "sum": "number"}
    assert describe_arrow("t", pa.Table.from_pandas(frame)).read_as == described


def test_a_frame_and_its_arrow_table_have_the_same_columns_of_times() -> None:
    frame = pd.DataFrame({
        "at": ["07:35", None, "23:59"],
        "until": [time(7, 35), None, time(23, 59)],
        "number": ["1", "2", "3"],
        "none": [None, None, None],
    })  # fmt: skip
    times = {"at": "time", "until": "time"}
    assert describe_frame("t", frame).read_as == {**times, "number": "number"}
    assert describe_arrow("t", pa.Table.from_pandas(frame)).read_as == {**times, "number": "number"}

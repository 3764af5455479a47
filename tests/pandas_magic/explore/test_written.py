"""Numbers written for people are readings that a person chooses from; nothing is guessed."""

import pandas as pd
import pytest

from pandas_magic.explore.confined.probes import PROBES
from pandas_magic.explore.confined.recognition import column_of, reread
from tests.pandas_magic.explore.conftest import Explore

POINT, COMMA = "numeric with a decimal point", "numeric with a decimal comma"


@pytest.mark.feature("C12", "C13")
@pytest.mark.parametrize(
    ("texts", "reading", "numbers"),
    [
        (["12,99", "7,5", "1.234,00"], COMMA, [12.99, 7.5, 1234.0]),
        (["$12.50", "$1,234.00", "$-3"], POINT, [12.5, 1234.0, -3.0]),
        (["5 %", "12.5 %", "100 %"], POINT, [5.0, 12.5, 100.0]),
        (["-1.934,69 €", "2,00 €", "7 €"], COMMA, [-1934.69, 2.0, 7.0]),
        (["1,234,567", "12", "1,000"], POINT, [1234567.0, 12.0, 1000.0]),
    ],
)
def test_what_people_write_is_read_when_a_person_says_so(texts: list[str], reading: str, numbers: list[float]) -> None:
    column = column_of("price", pd.Series(texts * 5))
    assert (column.kind, column.readings) == ("categorical", (reading,))
    said = reread(column, reading)
    assert said.kind == "numeric" and said.floats().tolist() == numbers * 5


def test_a_comma_that_may_mean_either_is_asked_about(explore: Explore) -> None:
    explorer = explore(pd.DataFrame({"size": [f"{n},{n}00" for n in range(1, 9)] * 5}))
    found = PROBES["type_disambiguation"](explorer, {}, None)["facts"]["columns"][0]
    means = {each["reading"]: each["means"] for each in found["readings"]}
    assert (means[POINT], means[COMMA]) == ("from 1100 to 8800", "from 1.1 to 8.8") and "categorical" in means


@pytest.mark.parametrize(
    "texts", [["1,2,4", "1,3"], ["$5", "5%"], ["01,5", "2,5"], ["555-1234", "555-9"], ["a", "1,5"], ["1.2.3", "4.5.6"]]
)
def test_what_only_looks_so_has_no_such_reading(texts: list[str]) -> None:
    assert column_of("v", pd.Series(texts * 6)).readings == ()


@pytest.mark.feature("C13", "C17")
def test_prices_in_texts_are_no_id_though_each_differs(explore: Explore) -> None:
    frame = pd.DataFrame({"price": [f"${n}.{n:02d}" for n in range(10, 60)], "sold": [True, False] * 25})
    explorer = explore(frame, target="sold")
    assert explorer.facts["flags"]["possible_leakage"] == []
    assert "say whether it is a number" in explorer.details["columns"]["price"]["steps"][0]
    notes = [entry["text"] for entry in explorer.details["quality"]]
    assert 'price: its texts may be numbers, like "$10.10", and are judged as texts until a person says so' in notes

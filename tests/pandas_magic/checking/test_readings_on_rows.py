"""What the rows say of the readings that are asked about."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest

import pandas_magic
from pandas_magic.catalog import Catalog
from pandas_magic.checking.readings_on_rows import on_rows
from pandas_magic.errors import Reading, RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.language.canonical import read_canonical

CUSTOMERS = pd.DataFrame(
    {
        "customer_no": range(1, 9),
        "city": ["Groningen", "Groningen", "Groningen", "Utrecht", "Utrecht", "Arnhem", "Arnhem", None],
        "postcode": ["9711 AB", "9712 BC", "3512 CD", "3511 AA", "3513 BB", "6811 AA", "6812 BB", "3511 CC"],
    }
)


class Counted(Catalog):
    """A catalog that counts how often each column is read."""

    def __init__(self) -> None:
        super().__init__(given={"customers": CUSTOMERS})
        self.read: Counter[str] = Counter()

    def frame(self, name: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
        self.read.update(columns or ())
        return super().frame(name, columns)


def test_of_what_may_be_meant_is_shown_what_few_rows_break() -> None:
    catalog = Counted()
    sentence = "From all clients which are living in Groningen, begins the post code with 97."
    with pytest.raises(RuleNotUnderstood) as caught:
        compile_rule(sentence, catalog.schemas(), target="customers")
    caught.value.looked_at(on_rows(catalog, read_canonical))
    found = [(reading.sentence, reading.count) for reading in caught.value.readings]
    assert ("customers where city is 'Groningen': postcode must start with '97'", 1) in found


def test_each_column_is_read_once_however_many_readings_are_about_it() -> None:
    catalog = Counted()
    look = on_rows(catalog, read_canonical)
    for sentence in ("customers: city must be present", "customers where city is 'Arnhem': postcode must be present"):
        found = look(Reading(sentence, read_canonical(sentence)))
        assert found.rows_seen == len(CUSTOMERS)
    assert catalog.read == {"city": 1, "postcode": 1}
    assert look(Reading(sentence, read_canonical(sentence))).keeps == {
        "row": 5,
        "city": "Arnhem",
        "postcode": "6811 AA",
    }


def test_a_rule_with_a_word_mended_is_looked_at_as_a_reading_is() -> None:
    catalog = Counted()
    with pytest.raises(RuleNotUnderstood) as caught:
        compile_rule("citty must be present", catalog.schemas(), target="customers")
    caught.value.looked_at(
        on_rows(catalog, lambda sentence: compile_rule(sentence, catalog.schemas(), target="customers").constraint)
    )
    [mended] = caught.value.mended
    assert (mended.sentence, mended.count, mended.breaks) == ("city must be present", 1, {"row": 7, "city": None})


def test_of_a_large_table_the_first_rows_are_looked_at_where_a_rule_looks_at_each_by_itself() -> None:
    orders = pd.DataFrame({"amount": [-1.0] * 3 + [1.0] * 30_000 + [-1.0] * 9, "order": range(30_012)})
    look = on_rows(Catalog(given={"orders": orders}), read_canonical)
    found = look(Reading("orders: amount must be at least 0"))
    assert (found.count, found.rows_seen, found.is_part) == (3, 20_000, True)
    assert found.breaks == {"row": 0, "amount": -1.0} and found.keeps == {"row": 3, "amount": 1.0}
    assert look(Reading("orders: `order` must be unique")).count is None, "a part of them would hide repeats"


def asked_about(surprises: dict[int, float]) -> list[int]:
    """Of readings that so many of ten rows break, with what speaks against each by its words, those that are shown."""
    look = on_rows(Catalog(given={"orders": pd.DataFrame({"amount": range(10)})}), read_canonical)
    proposed = tuple(
        Reading(f"orders: amount must be at least {broken}", surprise=nats) for broken, nats in surprises.items()
    )
    refusal = RuleNotUnderstood("any", "why", propose=lambda: proposed)
    refusal.looked_at(look)
    return [int(reading.sentence.split()[-1]) for reading in refusal.readings]


def test_of_what_is_as_likely_by_its_words_that_comes_first_which_few_rows_break() -> None:
    assert asked_about({9: 0.0, 8: 0.0, 4: 0.0, 1: 0.0, 0: 0.0}) == [1, 0, 4]
    assert asked_about({3: 0.0, 1: 5.0, 7: 0.0}) == [3, 7, 1], "much less likely words weigh more than some rows"


STOCK = pd.DataFrame({"unit": ["EA", "PK"] * 6, "rate": [19, 7] * 6})


@pytest.mark.parametrize("rule", ["rate must be 0.19 or 7", "unit NOT IN ('EA', 'XX')"])
def test_what_half_of_the_rows_break_is_asked_about(rule: str) -> None:
    with pytest.raises(RuleNotUnderstood, match="which 6 of 12 rows break; choose it if it is meant") as caught:
        pandas_magic.check(rule, tables={"stock": STOCK})
    [reading] = caught.value.readings
    assert reading.count == 6 and pandas_magic.check(str(reading), tables={"stock": STOCK}).verdict == "FAIL"


def test_of_a_few_rows_all_may_be_wrong() -> None:
    assert pandas_magic.check("rate must be 0.19 or 7", tables={"stock": STOCK.head(9)}).verdict == "FAIL"


def test_a_reading_that_was_accepted_is_not_asked_about_when_the_rows_get_worse(tmp_path: Path) -> None:
    pandas_magic.check("the rate must be 7", tables={"stock": STOCK.assign(rate=7)}, workspace=tmp_path)
    worse = STOCK.astype({"rate": float})
    assert pandas_magic.check("the rate must be 7", tables={"stock": worse}, workspace=tmp_path).verdict == "FAIL"

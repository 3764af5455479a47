"""What a refusal asks, and that each reading is understood at once and means the same."""

from dataclasses import replace

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import Reading, RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.language.refusing import underlined
from tests.pandas_magic.planner.language.dictionary_tables import TABLES

REFUSED = [
    "status must be OPEN or PAID",
    "price must sparkle and be positive",
    "honestly the price of it should be over nothing I guess",
    "date must not be in the future",
    "shipped stuff before ordered stuff, that cannot be",
]


def refusal(rule: str) -> RuleNotUnderstood:
    with pytest.raises(RuleNotUnderstood) as caught:
        compile_rule(rule, TABLES, target="orders")
    return caught.value


@pytest.mark.parametrize("rule", REFUSED)
def test_a_reading_asked_again_is_understood_and_means_the_same(rule: str) -> None:
    for reading in refusal(rule).readings:
        assert compile_rule(reading.sentence, TABLES).constraint == reading.constraint


def test_where_a_text_is_demanded_one_reading_asks_for_more_than_blanks() -> None:
    names = {"people": Table(name="people", columns={"id": "int64", "surname": "str"}, keys=("id",))}
    with pytest.raises(RuleNotUnderstood) as caught:
        compile_rule("honestly each of these guys needs a surname I guess", names, target="people")
    asked = [reading.sentence for reading in caught.value.readings]
    assert "people: surname must be present" in asked
    assert "people: surname must be present and surname ignoring outer spaces must not be ''" in asked


@pytest.mark.parametrize("rule", REFUSED)
def test_there_are_three_readings_at_most_and_no_two_alike(rule: str) -> None:
    readings = refusal(rule).readings
    assert len(readings) <= 3
    assert len({reading.sentence for reading in readings}) == len(readings)


@pytest.mark.parametrize("rule", REFUSED)
def test_a_refusal_never_speaks_of_tables_that_are_not_there(rule: str) -> None:
    for suggestion in refusal(rule).suggestions:
        compile_rule(suggestion.partition(" (leaves out")[0].strip('"'), TABLES, target="orders")


def test_a_list_may_be_meant_as_it_stands_or_as_the_table_has_it() -> None:
    sentences = [reading.sentence for reading in refusal("status must be OPEN or PAID").readings]
    assert sentences == ["orders: status must be one of 'open', 'paid'", "orders: status must be one of 'OPEN', 'PAID'"]


def test_a_cell_that_no_door_understands_is_proposed_beside_the_others() -> None:
    sentences = [reading.sentence for reading in refusal("price | number | > 0 | open orders 50 at most").readings]
    assert sentences[0] == "orders: price must be greater than 0"
    assert (
        "orders: it must hold that price is greater than 0 and (status is not 'open' or price is at most 50)"
        in sentences
    )


def test_names_that_fit_two_pairs_of_columns_are_asked_about() -> None:
    columns = {"opened": "datetime64[us]", "closed": "datetime64[us]", "open_t": "str", "close_t": "str"}
    with pytest.raises(RuleNotUnderstood, match="open_t and close_t"):
        compile_rule("Opening has to come before closing.", {"shops": Table(name="shops", columns=columns)})


def test_a_value_that_is_spelt_in_two_ways_is_asked_about() -> None:
    gifts = Table(name="orders", columns={"is_gift": "str", "note": "str"}, values={"is_gift": ("J", "N", "j")})
    with pytest.raises(RuleNotUnderstood, match="is_gift holds 'J' and 'j'") as caught:
        compile_rule("Every order that is a gift must have a note.", {"orders": gifts})
    assert caught.value.readings[0].sentence == "orders where is_gift is 'J': note must be present"


def test_the_words_that_are_not_explained_are_underlined() -> None:
    error = RuleNotUnderstood("price must sparkle", "why", unknown=("sparkle",))
    assert underlined(error) == "price must sparkle\n           ~~~~~~~"
    assert error.unexplained == ((11, 18),)


def test_a_door_that_is_meant_says_what_is_wrong() -> None:
    assert str(refusal("CHECK (amount <= total)").reason) == 'no column of orders "amount"'


def test_nothing_is_asked_about_nonsense() -> None:
    assert refusal("colourless green ideas sleep furiously").readings == ()


@pytest.mark.parametrize("missing", [{}, {"bonus": 30}])
@pytest.mark.parametrize(
    "rule", ["Interns must not receive a bonus.", "Interns get no bonus.", "Employees without a bonus must be interns."]
)
def test_none_may_be_a_zero(rule: str, missing: dict[str, int]) -> None:
    columns = {"emp_no": "int64", "contract": "str", "bonus": "float64"}
    staff = {"name": "employees", "columns": columns, "keys": ("emp_no",), "values": {"contract": ("intern", "full")}}
    with pytest.raises(RuleNotUnderstood) as caught:
        compile_rule(rule, {"employees": Table(**staff, row_count=40, missing=missing)}, target="employees")
    asked = " | ".join(reading.sentence for reading in caught.value.readings)
    assert "bonus must be missing" in asked or "bonus is missing" in asked
    assert "bonus must equal 0" in asked or "bonus equals 0" in asked


@pytest.mark.parametrize(
    "rule",
    [
        "Ticket #88: the July file was sent back. No price may be below 20.",
        "Accounting rang about a price of 1900 instead of 190, please look. The price must be at least 20, always.",
        "REG-22: price under 20",
    ],
)
def test_the_number_of_a_ticket_and_the_story_before_a_demand_keep_no_reading_from_being_asked(rule: str) -> None:
    assert "orders: price must be at least 20" in [reading.sentence for reading in refusal(rule).readings]


def test_what_the_words_strictly_mean_stays_in_front_however_surprising_the_rows_make_it() -> None:
    proposed = tuple(Reading(sentence, surprise=nats) for sentence, nats in (("c", 3.0), ("a", 1.0), ("b", 2.0)))
    refusal = RuleNotUnderstood("any", "why", readings=("strict",), propose=lambda: proposed)
    refusal.looked_at(
        lambda reading: replace(reading, surprise=reading.surprise + 9.0 * (reading.sentence == "strict"))
    )
    assert [reading.sentence for reading in refusal.readings] == ["strict", "a", "b"]


def test_where_no_rows_are_known_the_likeliest_come_first() -> None:
    refusal = RuleNotUnderstood("any", "why", propose=lambda: tuple(map(Reading, "abcd")))
    assert [reading.sentence for reading in refusal.readings] == ["a", "b", "c"]
    assert refusal.suggestions == ('"a"', '"b"', '"c"')


def test_when_a_story_was_does_not_keep_a_rule_from_being_offered() -> None:
    columns = {"barrel_no": "int64", "kind": "str", "free": "str", "water_pct": "float64"}
    barrels = Table(name="barrels", columns=columns, keys=("barrel_no",), values={"free": ("J", "N")})
    story = "Hello, we got a barrel today that was released although nobody had measured the water; "
    with pytest.raises(RuleNotUnderstood) as caught:
        compile_rule(f"{story}a barrel with free = J must have a water_pct.", {"barrels": barrels}, target="barrels")
    asked = [reading.sentence for reading in caught.value.readings]
    assert "barrels where free is 'J': water_pct must be present" in asked


@pytest.mark.parametrize("rule", ["the number of rows in orders must be at most 50", "Each order must have a customer"])
def test_what_is_plainly_said_is_not_doubted_for_a_likelier_proposal(rule: str) -> None:
    tables = {
        "orders": Table(name="orders", columns={"order_id": "int64", "customer_id": "int64", "amount": "float64"}),
        "customers": Table(name="customers", columns={"customer_id": "int64"}, keys=("customer_id",)),
    }
    assert compile_rule(rule, tables, target="orders").constraint.table == "orders"

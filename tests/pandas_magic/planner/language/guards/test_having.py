"""What a row has: a number that may be 0, one of several, or something of another kind than the column named so."""

import pandas as pd
import pytest

from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule

DAY = pd.to_datetime
FRAMES = {
    "trips": pd.DataFrame(
        {
            "trip_id": [1, 2, 3, 4],
            "crew_id": [1, 1, 2, 2],
            "has_doctor": [0, 1, 1, 0],
            "adults": [1, 2, 2, 0],
            "priority": [1, 2, 2, 3],
            "billed": ["Y", "N", "Y", "N"],
            "late": [True, False, False, True],
            "fee": [10.0, 0, None, 5],
            "fee_pct": [10, 0, 5, 10],
            "net": [1.0, 2, 3, 4],
            "stawka_vat": [20, 20, 10, 10],
            "gross": [1.2, 2.4, 3.3, 4.4],
            "due": [1, 2, 3, 3],
            "outcome": ["home", "died", "home", None],
            "arrived_on": DAY(pd.Series(["2026-01-01", "2026-02-01", None, "2026-03-01"])),
        }
    ),
    "samples": pd.DataFrame(
        {"valid": [1, 0, 1], "value": [1.0, None, 3.0], "unit": ["mg", "ml", "mg"], "kind": ["a", "b", "a"]}
    ),
    "runs": pd.DataFrame({"run_id": [1, 2, 3], "machine": ["M1", "M2", "M1"]}),
    "machines": pd.DataFrame({"code": ["M1", "M2", "M3"], "state": ["OK", "DOWN", "OK"]}),
    "crews": pd.DataFrame({"crew_id": [1, 2], "name": ["Alfa", "Bravo"]}),
    "grades": pd.DataFrame({"pupil": [1, 1, 2], "subject": ["ma", "en", "ma"], "grade": ["A", "B", "A"]}),
    "elever": pd.DataFrame({"namn": ["Bo", "Cia"], "avgift": [1.0, None], "rabatt": [0.0, None], "kort": ["K1", None]}),
}
TABLES = {name: describe_frame(name, frame) for name, frame in FRAMES.items()}


def asked(rule: str, table: str) -> tuple[str, tuple[str, ...]]:
    """Why the rule is asked about, and with which readings."""
    with pytest.raises(RuleNotUnderstood) as refused:
        compile_rule(rule, TABLES, target=table)
    return str(refused.value), tuple(one.sentence for one in refused.value.readings)


def read(rule: str, table: str = "trips") -> str:
    return compile_rule(rule, TABLES, target=table).echo


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("Every trip must have a doctor.", "trips: has_doctor must be greater than 0"),
        (
            "A doctor must be present if priority is 2.",
            "trips where priority equals 2: has_doctor must be greater than 0",
        ),
        (
            "If billed is Y, the trip must have a doctor.",
            "trips where billed is 'Y': has_doctor must be greater than 0",
        ),
        ("Only trips with a doctor may be billed.", "trips where billed is 'Y': has_doctor must be greater than 0"),
        ("Every trip must have an adult.", "trips: adults must be greater than 0"),
    ],
)
def test_a_number_that_every_row_has_may_have_to_be_more_than_none(rule: str, meant: str) -> None:
    assert meant in asked(rule, "trips")[1]


def test_a_number_that_is_said_to_be_present_is_read_at_once() -> None:
    assert read("has_doctor must be present") == "trips: has_doctor must be present"
    assert read("priority must be filled") == "trips: priority must be present"


def test_a_truth_that_another_thing_requires_is_asked_about() -> None:
    assert "whether False in late is enough is not said" in asked("An outcome requires late.", "trips")[0]


@pytest.mark.parametrize(
    "rule",
    ["The fee date must not be empty.", "The outcome date must be present.", "Billed trips must have a due date."],
)
def test_a_date_is_no_number_and_no_word(rule: str) -> None:
    assert "holds no date" in asked(rule, "trips")[0]


@pytest.mark.parametrize("rule", ["The fee id must be unique.", "The priority name must be present."])
def test_a_number_is_no_key_and_no_name(rule: str) -> None:
    assert "holds no" in asked(rule, "trips")[0]


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("The arrival date must be present.", "trips: arrived_on must be present"),
        ("The outcome code must be present.", "trips: outcome must be present"),
        ("The priority code must be present.", "trips: priority must be present"),
    ],
)
def test_a_word_behind_a_column_that_fits_it_is_passed_over(rule: str, meant: str) -> None:
    assert read(rule) == meant


@pytest.mark.parametrize("rule", ["gross must be net plus VAT.", "gross must be net times fee_pct."])
def test_percent_is_neither_added_to_an_amount_nor_multiplied_with_it(rule: str) -> None:
    assert "counts percent" in asked(rule, "trips")[0]


def test_only_some_that_must_leave_open_what_the_others_must() -> None:
    assert "only need not" in asked("Only trips with a fee must be billed.", "trips")[0]


def test_one_row_for_each_may_be_one_at_least_or_no_more_than_one() -> None:
    assert "more than one" in asked("Every crew has one trip.", "crews")[0]
    assert "trips.crew_id" in read("Every crew has at least one trip.", "crews")
    assert "crews.crew_id" in read("Every trip has one crew.")


def test_one_grade_may_be_one_row_or_one_value() -> None:
    assert "rows with grade are counted" in asked("A pupil has one grade per subject.", "grades")[0]


def test_a_column_that_leaves_something_open_is_not_passed_over_for_another() -> None:
    readings = asked("Only pupils with a fee may have a discount.", "elever")[1]
    assert "elever where rabatt is present: avgift must be present" in readings


def test_a_value_is_not_passed_over_where_a_column_is_called_so() -> None:
    assert "may be said of value" in asked("Valid samples need a value.", "samples")[0]


def test_a_unit_that_another_column_tells_is_not_passed_over() -> None:
    assert "unit says which rows are in mg" in asked("value must be below 10 mg.", "samples")[0]
    assert read("value must be below 10 kg", "samples") == "samples: `value` must be less than 10"


def test_a_value_of_another_table_is_not_demanded_of_what_refers_to_it() -> None:
    assert "'OK' stands in state of machines" in asked("The machine must be OK.", "runs")[0]


def test_no_row_is_alone_without_a_row() -> None:
    assert "may have none" in asked("Each machine has at least one run.", "runs")[0]

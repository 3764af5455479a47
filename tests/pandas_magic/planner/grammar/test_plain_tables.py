"""Plain sentences about whole tables: their order, their rows, their outliers, how many rows they have."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "meters": Table(
        name="meters",
        columns={"meter_id": "int64", "no_fly": "bool", "street": "str"},
        values={},
        keys=("meter_id",),
    ),
    "readings": Table(
        name="readings",
        columns={
            "reading_id": "int64",
            "meter_id": "int64",
            "read_on": "datetime64[us]",
            "checked_on": "datetime64[us]",
            "value_kwh": "float64",
            "reader": "str",
        },
        values={"reader": ("Ana", "Bo")},
        keys=("reading_id",),
    ),
    "flights": Table(name="flights", columns={"code": "str", "gate": "str"}, values={}, keys=()),
}
_IDS = "readings where reading_id is present: reading_id must be "
_RISING = f"{_IDS}>= the previous reading_id"
_STRICT = f"{_IDS}> the previous reading_id"
_BY_DATE = "readings where read_on is present: read_on must be "
_WHOLE = "flights: (code, gate) must be unique counting missing values as equal"
_LOW = "value_kwh must be >= (the 0.25 quantile of value_kwh over all rows) - "
_REACH = "((the 0.75 quantile of value_kwh over all rows) - (the 0.25 quantile of value_kwh over all rows)) * "

UNDERSTOOD = [
    ("readings", "The rows of the readings table must be in ascending order of reading_id.", _RISING),
    ("readings", "Readings must be sorted by reading_id.", _RISING),
    ("readings", "Rows must be in descending order of reading_id.", f"{_IDS}<= the previous reading_id"),
    ("readings", "The readings table must be sorted by read_on, newest first.", f"{_BY_DATE}<= the previous read_on"),
    ("readings", "The readings must be listed in order of read_on.", f"{_BY_DATE}>= the previous read_on"),
    ("readings", "Reading ids must be in ascending order.", _RISING),
    ("readings", "Reading ids must be ascending.", _RISING),
    ("readings", "The reading_id of each row is higher than that of the row before.", _STRICT),
    ("readings", "The reading_id of a row must be higher than the reading_id of the row before it.", _STRICT),
    ("readings", "Each reading_id must be greater than the one before.", _STRICT),
    ("readings", "reading_id must increase from row to row.", _STRICT),
    ("readings", "Reading ids must be increasing.", _STRICT),
    ("readings", "The dates of reading must be in ascending order.", f"{_BY_DATE}>= the previous read_on"),
    (
        "readings",
        "The reading ids must never decrease over time.",
        "readings where reading_id is present and read_on is present: reading_id must be >= the previous reading_id "
        "in order of read_on",
    ),
    (
        "readings",
        "Per meter, the value must never decrease.",
        "readings where value_kwh is present and read_on is present: value_kwh must be >= the previous value_kwh "
        "in order of read_on per meter_id",
    ),
    ("flights", "No row may be in the flights table twice.", _WHOLE),
    ("flights", "No row may appear twice in the flights table.", _WHOLE),
    ("flights", "The same row must not occur twice in flights.", _WHOLE),
    ("flights", "A row must not be in the flights table more than once.", _WHOLE),
    ("flights", "Each row of the flights table must be different from every other row.", _WHOLE),
    ("flights", "All rows of the flights table must differ from each other.", _WHOLE),
    ("flights", "No two rows of the flights table may be the same.", _WHOLE),
    ("flights", "The flights table has no duplicate rows.", _WHOLE),
    ("flights", "The flights table has 20 rows or more.", "the number of rows in flights must be at least 20"),
    ("flights", "There must be 20 flights or more.", "the number of rows in flights must be at least 20"),
    ("flights", "There are never fewer than 20 flights.", "the number of rows in flights must be at least 20"),
    ("flights", "There may not be more than 20 flights.", "the number of rows in flights must be at most 20"),
    ("readings", "value_kwh must have no outliers by the 1.5 IQR rule.", f"{_LOW}{_REACH}1.5"),
    ("readings", "The value must not contain any outliers by the IQR rule.", f"{_LOW}{_REACH}1.5"),
    ("readings", "value_kwh is free of outliers by the IQR rule with a factor of 3.", f"{_LOW}{_REACH}3"),
    ("readings", "There must be no outliers in value_kwh by the 1.5 × IQR rule.", f"{_LOW}{_REACH}1.5"),
    ("readings", "value_kwh must lie within 1.5 IQR of the quartiles.", f"{_LOW}{_REACH}1.5"),
    ("readings", "value_kwh must lie between Q1 - 1.5 IQR and Q3 + 1.5 IQR.", f"{_LOW}{_REACH}1.5"),
    (
        "readings",
        "No value_kwh may be more than 1.5 times the IQR above the third quartile.",
        f"readings: value_kwh must be <= (the 0.75 quantile of value_kwh over all rows) + {_REACH}1.5",
    ),
    (
        "readings",
        "value_kwh must have no outliers (more than 3 standard deviations from the mean).",
        "the absolute value of (value_kwh - (the mean of value_kwh over all rows)) must be <= ",
    ),
    (
        "readings",
        "A value must not be more than 3 standard deviations above the mean.",
        "readings: value_kwh must be <= (the mean of value_kwh over all rows) + "
        "(the standard deviation of value_kwh over all rows) * 3",
    ),
]

REFUSED = [
    ("readings", "Values must be in ascending order.", "per what"),
    ("readings", "value_kwh must have no outliers.", "by which rule"),
    ("readings", "Flag readings whose value is an outlier.", "by which rule"),
    ("readings", "Readings must be sorted by meter_id and read_on.", "how they go together"),
    ("readings", "Readings must be sorted by reader.", "how they go together"),
    ("readings", "Readings must be ordered by meter_id.", "how they go together"),
    ("readings", "The rows of the readings table must not be in order of reading_id.", "how they go together"),
    ("readings", "read_on must be a date.", "how they go together"),
    ("flights", "No flight may be in the flights table twice.", "how they go together"),
    ("flights", "There must not be 20 flights.", "how they go together"),
    ("meters", "There must be no flights.", "how they go together"),
]


@pytest.mark.parametrize(("table", "sentence", "echo"), UNDERSTOOD, ids=[sentence for _, sentence, _ in UNDERSTOOD])
def test_plain_sentences_about_tables_are_understood(table: str, sentence: str, echo: str) -> None:
    understood = compile_rule(sentence, TABLES, target=table)
    assert echo in understood.echo
    assert compile_rule(understood.echo, TABLES).constraint == understood.constraint


@pytest.mark.parametrize(("table", "sentence", "why"), REFUSED, ids=[sentence for _, sentence, _ in REFUSED])
def test_sentences_that_leave_something_open_are_refused(table: str, sentence: str, why: str) -> None:
    with pytest.raises(RuleNotUnderstood, match=why):
        compile_rule(sentence, TABLES, target=table)

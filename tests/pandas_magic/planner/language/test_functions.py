"""A function of a column within a sentence is read with its meaning, or asked about; it is never dropped."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.language.guards import objections
from pandas_magic.planner.language.linking import link

TABLES = {
    "meters": Table(name="meters", columns={"meter_id": "int64", "maker": "str", "power": "float64"}),
    "readings": Table(
        name="readings",
        columns={
            "reading_id": "int64",
            "meter_id": "int64",
            "email": "str",
            "zip": "str",
            "paid_by": "str",
            "drop_k": "float64",
            "read_at": "datetime64[ns]",
        },
        values={"paid_by": ("SEPA", "CASH", "Cash")},
        keys=("reading_id",),
        moments=("read_at",),
    ),
}


def refusal(rule: str) -> RuleNotUnderstood:
    with pytest.raises(RuleNotUnderstood) as refused:
        compile_rule(rule, TABLES)
    return refused.value


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("LOWER(email) UNIQUE", "email ignoring case must be unique"),
        ("LOWER(email) must be unique", "email ignoring case must be unique"),
        ("lower ( email ) must be unique", "email ignoring case must be unique"),
        ("UPPER(readings.email) must be unique", "email ignoring case must be unique"),
        ("TRIM(`email`) UNIQUE", "email ignoring outer spaces must be unique"),
        ("TRIM(email) must not be empty", "email ignoring outer spaces must not be ''"),
        ("LOWER(TRIM(email)) must be unique", "(email ignoring outer spaces) ignoring case must be unique"),
        ("DATE(read_at) must be unique per meter_id", "(meter_id, the date of read_at) must be unique"),
        ("YEAR(read_at) must be at least 2020", "the year of read_at must be at least 2020"),
        ("ABS(drop_k) must be at most 45", "the absolute value of drop_k must be at most 45"),
        ("ABS(drop_k): at most 45", "the absolute value of drop_k must be at most 45"),
        ("if ABS(drop_k) is above 3, email must be present", "where the absolute value of drop_k is greater than 3"),
        ("drop_k must be less than ABS(reading_id)", "drop_k must be < the absolute value of reading_id"),
        ("UPPER(paid_by) must be one of SEPA, CASH", "paid_by ignoring case must be one of 'sepa', 'cash'"),
        ("LOWER(email) must start with 'k'", "email ignoring case must start with 'k'"),
        ("LENGTH(zip) must be 5", "the length of zip must equal 5"),
    ],
)
def test_a_function_is_read_with_its_meaning(rule: str, meant: str) -> None:
    assert meant in compile_rule(rule, TABLES).echo


@pytest.mark.parametrize(
    "rule",
    [
        "{}(email) UNIQUE",
        "{}(email) must be unique",
        "{}(readings.email) must be unique",
        "{}(`email`) must contain '@'",
        "{}(drop_k) must be at most 45",
        "{}(drop_k): at most 45",
        "drop_k must be less than {}(meter_id)",
        "if drop_k is above {}(meter_id), email must be present",
        "{}(drop_k, 2) must be at most 45",
        "{}(email, zip) UNIQUE",
        "{}(LOWER(email)) must be unique",
        "LOWER({}(email)) must be unique",
    ],
)
@pytest.mark.parametrize("function", ["FOO", "SQRT", "INITCAP"])
def test_a_function_that_no_rule_can_hold_is_named_and_never_dropped(rule: str, function: str) -> None:
    asked = refusal(rule.format(function))
    assert f"I know no function {function}" in str(asked)
    assert not asked.readings


@pytest.mark.parametrize(
    "rule",
    ["Banana (email) must be unique", "hashed (email) must be unique", "the absolute drop (drop_k) must be at most 45"],
)
def test_what_stands_before_brackets_and_may_change_the_value_is_no_name_of_it(rule: str) -> None:
    refusal(rule)


@pytest.mark.parametrize("rule", ["email (hashed): unique", "email (lower case): unique", "email (TRIM): unique"])
def test_what_stands_in_brackets_and_may_change_the_value_is_no_label(rule: str) -> None:
    refusal(rule)


def test_a_word_that_only_gathers_columns_is_no_function() -> None:
    assert compile_rule("the pair(email, zip) must be unique", TABLES).echo == "readings: (email, zip) must be unique"


def test_a_name_before_brackets_is_still_set_aside() -> None:
    assert compile_rule("The signal dip (drop_k) must be at most 45", TABLES).echo.endswith("drop_k must be at most 45")


@pytest.mark.parametrize(
    ("rule", "doubt"),
    [
        ("UPPER(paid_by) must be 'Cash'", "never holds 'Cash'"),
        ("LOWER(paid_by) must be one of SEPA, CASH", "never holds 'SEPA'"),
        ("LOWER(email) must start with 'K'", "never holds 'K'"),
        ("UPPER(email) must match /[A-Z]+/", "held against the text in lower case"),
        ("zip must equal UPPER(zip)", "with one that is written out"),
        ("UPPER(email) must equal zip", "with one that is written out"),
    ],
)
def test_a_text_that_the_function_never_gives_is_asked_about(rule: str, doubt: str) -> None:
    assert doubt in str(refusal(rule))


def test_a_function_beside_keys_of_several_columns_is_looked_for_in_each_of_them() -> None:
    keys = {"order_id": "int64", "line_no": "int64"}
    tables = {name: Table(name=name, columns=keys) for name in ("lines", "parts")}
    constraint = read_canonical("lines: (order_id, line_no) must be among (parts.order_id, parts.line_no)")
    assert constraint is not None
    said = link("sum(line_no) of lines must be among parts", tables, target="lines")
    assert "nothing in it takes the sum of line_no" in objections(constraint, said)

"""Amounts that may be 0, scales of which 1 may be the highest, and what comments leave out are asked about."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.language.guards import objections
from pandas_magic.planner.language.linking import link

ORDERS = Table(
    name="orders",
    columns={
        "order_id": "int64",
        "discount": "float64",
        "total": "float64",
        "paid": "float64",
        "prio": "int64",
        "voucher": "str",
    },
    keys=("order_id",),
    missing={"discount": 4, "voucher": 5},
    row_count=40,
)


@pytest.mark.parametrize(
    "rule",
    [
        "A discount may be given only if the total is above 150.",
        "A discount is allowed only if the total is above 150.",
        "Orders with a discount must have a total above 150.",
    ],
)
def test_whether_an_amount_of_0_counts_is_asked_with_both_readings(rule: str) -> None:
    with pytest.raises(RuleNotUnderstood, match="a discount of 0 counts") as asked:
        compile_rule(rule, {"orders": ORDERS})
    scopes = [reading.sentence.partition(":")[0] for reading in asked.value.readings[:2]]
    assert scopes == ["orders where discount is present", "orders where discount is greater than 0"]


def test_a_text_that_is_given_is_there() -> None:
    rule = "A voucher may be given only if the total is above 150."
    assert (
        compile_rule(rule, {"orders": ORDERS}).echo == "orders where voucher is present: total must be greater than 150"
    )


@pytest.mark.parametrize(
    "rule", ["All orders with a prio higher than 2 must have a voucher.", "prio must be lower than 3"]
)
def test_which_end_of_a_scale_is_the_higher_one_is_asked(rule: str) -> None:
    with pytest.raises(RuleNotUnderstood, match="or 1 is the highest, is not said"):
        compile_rule(rule, {"orders": ORDERS})


def test_a_greater_number_of_a_scale_is_one() -> None:
    assert compile_rule("prio must be greater than 0", {"orders": ORDERS}).echo == "orders: prio must be greater than 0"


def test_a_thousand_of_a_temperature_may_be_kelvin() -> None:
    melts = {"melts": Table(name="melts", columns={"melt_no": "int64", "ABST_TEMP": "float64", "price": "float64"})}
    with pytest.raises(RuleNotUnderstood, match="whether the 1750 K of ABST_TEMP are kelvin is not said"):
        compile_rule("The tapping temperature must not exceed 1750 K.", melts)
    assert compile_rule("The price must not exceed 20 K.", melts).echo == "melts: price must be at most 20000"


@pytest.mark.parametrize("comment", ["# rows of guests are left out", "-- omits old ones", "# skip void ones"])
def test_a_comment_that_leaves_rows_out_is_asked_about(comment: str) -> None:
    with pytest.raises(RuleNotUnderstood, match="is no part of it"):
        compile_rule(f"total > paid  {comment}", {"orders": ORDERS})
    assert compile_rule("total > paid  # the usual", {"orders": ORDERS}).echo == "orders: total must be > paid"


PATIENTS = Table(
    name="patients",
    columns={"patient_no": "int64", "guardian_no": "float64", "born": "datetime64[us]"},
    keys=("patient_no",),
)


def test_a_number_said_of_somebody_is_no_limit_of_the_number_by_which_he_is_known() -> None:
    constraint = read_canonical("patients: guardian_no must be at least 18")
    assert constraint is not None
    said = link("Children under 18 must have a guardian.", {"patients": PATIENTS}, target=None)
    assert "guardian_no tells rows apart, and is no amount" in objections(constraint, said)
    named = compile_rule("guardian_no must be at least 18", {"patients": PATIENTS})
    assert named.echo == "patients: guardian_no must be at least 18"


def test_a_limit_of_a_hundred_years_is_asked_about_without_reproach() -> None:
    with pytest.raises(RuleNotUnderstood, match="a limit of 110 years is unusual, so it is asked first"):
        compile_rule("Patients must be born more than 110 years ago.", {"patients": PATIENTS})
    assert compile_rule("No patient can be born more than 110 years ago.", {"patients": PATIENTS})


LOADS = {
    "loads": Table(
        name="loads",
        columns={"NetKg": "float64", "vol_cbm": "float64", "len_cm": "float64", "PriceEur": "float64", "id": "int64"},
        keys=("id",),
    )
}


@pytest.mark.parametrize(
    ("rule", "limit"),
    [
        ("vol_cbm must be at most 60 m3", "vol_cbm must be at most 60"),
        ("the volume of a load must not be more than 60,000 litres", "vol_cbm must be at most 60"),
        ("len_cm must not be more than 2 m", "len_cm must be at most 200"),
        ("NetKg must be at most 24 kg", "NetKg must be at most 24"),
        ("NetKg must be at most 500 g", "NetKg must be at most 0.5"),
        ("NetKg: at most 5 tons", "NetKg must be at most 5000"),
    ],
)
def test_an_amount_is_told_in_the_unit_of_its_column(rule: str, limit: str) -> None:
    try:
        echoes = [compile_rule(rule, LOADS).echo]
    except RuleNotUnderstood as refusal:
        echoes = [str(reading) for reading in refusal.readings]
    assert f"loads: {limit}" in echoes


@pytest.mark.parametrize(
    "rule",
    [
        "NetKg | number | max 5 t | required",
        "VolCbm must be at most 60000 litres",
        "PriceEur must be at most 200 dollars",
        "PriceEur must be at most 200 usd",
    ],
)
def test_no_number_is_taken_for_one_of_another_unit_however_the_columns_are_written(rule: str) -> None:
    tables = {"loads": Table(name="loads", columns={**LOADS["loads"].columns, "VolCbm": "float64"}, keys=("id",))}
    with pytest.raises(RuleNotUnderstood):
        compile_rule(rule, tables)


WEIGHED = {
    "loads": Table(
        name="loads",
        columns=dict.fromkeys(("gross_kg", "tare_kg", "net_kg", "price_cents", "base_cents"), "float64"),
    )
}


@pytest.mark.parametrize(
    ("rule", "echo"),
    [
        ("gross_kg must equal tare_kg + net_kg; deviations of up to 500 g are tolerated", "within 0.5"),
        ("gross_kg must equal tare_kg + net_kg; deviations of up to 2 kg are tolerated", "within 2.0"),
    ],
)
def test_a_tolerance_is_told_in_the_unit_of_what_is_equal(rule: str, echo: str) -> None:
    assert compile_rule(rule, WEIGHED).echo.endswith(echo)


def test_a_tolerance_of_another_measure_is_asked_about() -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule("gross_kg must equal tare_kg + net_kg; deviations of up to 2 euros are tolerated", WEIGHED)


def test_a_cent_is_1_of_what_counts_in_cents() -> None:
    with pytest.raises(RuleNotUnderstood) as caught:  # the proposals take it for a hundredth
        compile_rule("price_cents must equal base_cents, a difference of one cent is accepted", WEIGHED)
    assert str(caught.value.readings[0]) == "loads: price_cents must equal base_cents within 1.0"


@pytest.mark.parametrize("name", ["ward_id", "WardId", "Ward ID"])
def test_a_key_is_known_by_its_name_however_that_is_written(name: str) -> None:
    stays = Table(name="stays", columns={"nights": "int64", name: "int64"}, row_count=40)
    quoted = f"`{name}`" if " " in name else name
    constraint = read_canonical(f"stays: {quoted} must be at least 18")
    assert constraint is not None
    said = link("Stays on wards need 18 of them.", {"stays": stays}, target=None)
    assert f"{name} tells rows apart, and is no amount" in objections(constraint, said)


def test_the_yes_of_another_language_is_asked_about() -> None:
    articles = Table(name="articles", columns={"organic": "str"}, values={"organic": ("J", "N")}, row_count=40)
    with pytest.raises(RuleNotUnderstood, match="organic says J for what is so"):
        compile_rule("organic  char(1)  not null  Y = organic, N = conventional", {"articles": articles})
    line = "organic  char(1)  not null  J = organic, N = conventional"
    assert "must be one of 'J', 'N'" in compile_rule(line, {"articles": articles}).echo

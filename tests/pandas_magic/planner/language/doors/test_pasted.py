"""What data engineers paste: rounding, DDL, patterns of databases, labels of tickets, columns of other tables."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule

TABLES = {
    "meters": Table(
        name="meters",
        columns={"meter_id": "int64", "power": "float64", "built": "datetime64[ns]", "gone": "datetime64[ns]"},
        keys=("meter_id",),
        missing={"gone": 3},
    ),
    "plans": Table(name="plans", columns={"plan_cd": "str", "valid_from": "datetime64[ns]"}, keys=("plan_cd",)),
    "readings": Table(
        name="readings",
        columns={
            "reading_id": "int64",
            "meter_id": "int64",
            "load": "float64",
            "gross": "float64",
            "net": "float64",
            "source": "str",
            "email": "str",
            "guessed": "bool",
        },
        values={"source": ("RADIO", "GUESS")},
        keys=("reading_id",),
    ),
    "contracts": Table(
        name="contracts",
        columns={"contract_no": "str", "plan_cd": "str", "begins": "datetime64[ns]", "fee": "float64", "payer": "str"},
        keys=("contract_no",),
    ),
}


def refusal(rule: str) -> RuleNotUnderstood:
    with pytest.raises(RuleNotUnderstood) as refused:
        compile_rule(rule, TABLES)
    return refused.value


def asked(rule: str) -> list[str]:
    return [reading.sentence for reading in refusal(rule).readings]


@pytest.mark.parametrize(
    "rule",
    [
        "gross == (net * 1.19).round(2)",
        "gross == (net * 1.19).round(decimals=2)",
        "gross == round(net * 1.19, ndigits=2)",
        "gross = ROUND(net * 1.19, 2)",
        "gross must equal ROUND(net * 1.19, 2)",
        "gross must equal net * 1.19 rounded to 2 decimals",
        "gross = net * 1.19, rounded to two decimal places",
        "gross must be net * 1.19 (rounded to 2 decimals)",
    ],
)
def test_rounding_is_asked_about_in_each_spelling(rule: str) -> None:
    assert asked(rule) == ["readings: gross must equal net * 1.19 within 0.005"]


@pytest.mark.parametrize("rule", ["gross == gross.round(2)", "ROUND(gross, 2) = gross"])
def test_what_is_its_own_rounding_has_so_many_decimals(rule: str) -> None:
    assert compile_rule(rule, TABLES).echo == "readings: gross / 0.01 must be readable as an integer (up to rounding)"


@pytest.mark.parametrize(
    "rule",
    ["np.abs(gross, where=guessed) <= 3", "re.fullmatch('[a-z]+', email, flags=re.I)", "round(gross, x=2) == net"],
)
def test_a_keyword_that_is_not_known_is_not_dropped(rule: str) -> None:
    assert not refusal(rule).readings


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("gone DATE NULL CHECK (gone >= built)", "meters: gone must be >= built"),
        ("email VARCHAR(80) NULL UNIQUE", "readings: the length of email must be at most 80 and email must be unique"),
        ("email TEXT NULL, UNIQUE", "readings: email must be unique"),
        ("email TEXT NOT NULL UNIQUE", "readings: email must be present and email must be unique"),
    ],
)
def test_null_behind_a_type_asks_for_nothing(rule: str, meant: str) -> None:
    assert compile_rule(rule, TABLES).echo == meant


def test_of_a_fixed_width_both_readings_are_offered() -> None:
    assert asked("contract_no CHAR(7) NOT NULL")[:2] == [
        f"contracts: the length of contract_no must {said} 7 and contract_no must be present"
        for said in ("equal", "be at most")
    ]


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("CREATE TABLE readings (..., source CHAR(5) NOT NULL CHECK (source IN ('RADIO', 'GUESS')), ...);",
         "readings: the length of source must be at most 5 and source must be present and"
         " source must be one of 'RADIO', 'GUESS'"),
        ("readings.load FLOAT NOT NULL CHECK (load > 0)",
         "readings: load must be present and load must be greater than 0"),
        ("CREATE TABLE readings (... load FLOAT CHECK (load > 0), CHECK (gross >= net) ...)",
         "readings: load must be greater than 0 and gross must be >= net"),
        ("CREATE TABLE readings (meter_id INT REFERENCES meters (meter_id) CHECK (meter_id > 0) COMMENT 'where')",
         "readings: meter_id must be among meters.meter_id and meter_id must be greater than 0"),
    ],
)  # fmt: skip
def test_a_table_is_read_with_parts_left_out(rule: str, meant: str) -> None:
    assert compile_rule(rule, TABLES).echo == meant


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("abs(gross - net) <= 0.05 has to hold for every line (rounding aside); null operands are skipped",
         "readings: the absolute value of (gross - net) must be at most 0.05 (up to rounding)"),
        ("the import must reject readings where load < 0 OR gross < net",
         "readings: load must be at least 0 and gross must be >= net"),
    ],
)  # fmt: skip
def test_code_within_words_is_read(rule: str, meant: str) -> None:
    assert compile_rule(rule, TABLES).echo == meant


@pytest.mark.parametrize(
    "rule",
    [
        "abs(gross - net) <= 0.05 has to hold for every line; also load > 0",
        "abs(gross - net) <= 0.05 has to hold for every line (except guessed ones)",
        "the import must not reject readings where load < 0",
        "if guessed, the import must reject readings where load < 0",
        "the nightly job must report readings where load < 0",
    ],
)
def test_words_around_code_that_may_change_it_are_asked_about(rule: str) -> None:
    assert refusal(rule)


@pytest.mark.parametrize(
    "rule",
    [
        "CREATE TABLE readings (source CHAR(5) NOT NULL, load FLOAT NOT NULL)",
        "source CHAR(5) NOT NULL CHECK (source <> 'RADIO')",
    ],
)
def test_a_fixed_width_in_a_table_is_asked_about(rule: str) -> None:
    assert "whether CHAR(5) asks for exactly or at most" in str(refusal(rule))
    assert asked(rule)[0].startswith("readings: the length of source must be at most 5 and source must be present")


@pytest.mark.parametrize("rule", ["email RLIKE '^a'", "email REGEXP '^a'", "email =~ '^a'", "email ~ '^a'"])
def test_the_patterns_of_databases_are_patterns(rule: str) -> None:
    assert compile_rule(rule, TABLES).echo == "readings: email must match /a.*/"


@pytest.mark.parametrize(
    "rule", ["email ~* '^a'", "email !~* '^a'", "email SIMILAR TO 'a%'", "email NOT SIMILAR TO 'a%'", "email GLOB 'a*'"]
)
def test_a_pattern_that_no_rule_can_hold_is_never_a_value(rule: str) -> None:
    assert not refusal(rule).readings


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("HEIZ-412: email must not be null", "readings: email must be present"),
        ("[HEIZ-412] email must not be null", "readings: email must be present"),
        ("Ticket HEIZ-412: email must not be null", "readings: email must be present"),
        ("#412: email must not be null", "readings: email must be present"),
        ("BUG: email must not be null", "readings: email must be present"),
        ("TODO: email must not be null", "readings: email must be present"),
        ("BUG: Flag contracts without a payer", "contracts: payer must be present"),
    ],
)
def test_the_label_of_a_ticket_is_set_aside(rule: str, meant: str) -> None:
    assert meant in compile_rule(rule, TABLES).echo


@pytest.mark.parametrize("rule", ["BUG: email is null", "HEIZ-412: load > 100", "TODO: contracts without payer"])
def test_what_a_ticket_tells_is_no_rule(rule: str) -> None:
    refusal(rule)


def test_a_value_before_a_colon_is_no_label() -> None:
    bugs = {"bugs": Table(name="bugs", columns={"kind": "str", "fee": "float64"}, values={"kind": ("BUG", "PM10")})}
    assert compile_rule("BUG: fee must be 0", bugs).echo == "bugs where kind is 'BUG': fee must equal 0"
    with pytest.raises(RuleNotUnderstood):
        compile_rule("PM-10: fee must be 0", bugs)


def test_a_statistic_per_what_is_no_column_is_asked_with_its_readings() -> None:
    assert "SUM(fee) per month" in str(refusal("SUM(fee) per month <= 500"))


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("plan_cd in plans: required", "plans: plan_cd must be present"),
        ("plan_cd in plans: 4 characters", "plans: the length of plan_cd must equal 4"),
        ("plan_cd in contracts: required", "contracts: plan_cd must be present"),
    ],
)
def test_a_column_in_a_table_before_a_colon_is_that_of_the_table(rule: str, meant: str) -> None:
    assert compile_rule(rule, TABLES).echo == meant


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        (
            "load <= 1.2 * meters.power",
            "readings: load must be <= 1.2 * (the power of meters by meter_id)",
        ),
        ("contracts.begins >= plans.valid_from", "contracts: begins must be >= the valid_from of plans by plan_cd"),
        ("begins >= plans.valid_from", "contracts: begins must be >= the valid_from of plans by plan_cd"),
    ],
)
def test_a_column_without_its_table_is_looked_for_in_the_tables_that_refer(rule: str, meant: str) -> None:
    assert compile_rule(rule, TABLES).echo.startswith(meant)


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("SUM(fee) per payer <= 500", "contracts: the sum of fee per payer must be at most 500 (up to rounding)"),
        ("sum(fee) by payer <= 500", "contracts: the sum of fee per payer must be at most 500 (up to rounding)"),
        ("MAX(load) per meter_id <= 140", "readings: the maximum of load per meter_id must be at most 140"),
        ("AVG(load) per meter_id >= 4", "readings: the mean of load per meter_id must be at least 4 (up to rounding)"),
        ("COUNT(source) per meter_id <= 5", "readings: the count of source per meter_id must be at most 5"),
    ],
)
def test_a_statistic_per_group_is_read_as_it_stands(rule: str, meant: str) -> None:
    assert meant in compile_rule(rule, TABLES).echo


@pytest.mark.parametrize(
    "rule",
    [
        "load foo [15, 20, 25, 40, 50]",
        "load one of: [15, 20, 25, 40, 50] please",
        "load domain 15, 20, 25, 40 or 50 only, so to speak",
    ],
)
def test_no_reading_is_offered_that_has_lost_members_of_a_list(rule: str) -> None:
    sentences = asked(rule)
    assert sentences[0] == "readings: load must be one of 15, 20, 25, 40, 50"
    assert not [one for one in sentences if "20" in one and "15, 20, 25, 40, 50" not in one]


@pytest.mark.parametrize("rule", ["foo SUM(fee) per payer <= 500", "SUM(fee) per payer, honestly, <= 500"])
def test_no_reading_is_offered_with_another_column_or_the_limit_turned(rule: str) -> None:
    for sentence in asked(rule):
        assert "sum of fee per payer must be at most 500" in sentence


@pytest.mark.parametrize("rule", ["email MATCHES '^a'", "email REGEXP_LIKE '^a'", "email fits '^[a-z]+$' foo"])
def test_no_reading_is_offered_that_takes_a_pattern_for_a_text(rule: str) -> None:
    assert not [sentence for sentence in asked(rule) if "'^" in sentence]


def test_a_choice_of_rows_may_be_of_those_at_fault() -> None:
    assert "readings: load must be at least 40" in asked("readings[readings.load < 40]")


def test_the_greatest_may_be_said_of_each() -> None:
    assert "readings: load must be at most 100" in asked("MAX(load) must be at most 100")


@pytest.mark.parametrize(
    "rule",
    [
        "load INT NOT NULL DEFAULT 0 CHECK (load < 0 OR load > 3)",
        "readings.source VARCHAR(5) DEFAULT 'OTHER' CHECK (source IN ('RADIO', 'GUESS'))",
    ],
)
def test_a_default_that_breaks_its_check_is_asked_about(rule: str) -> None:
    assert "would break it" in str(refusal(rule))
    assert asked(rule)

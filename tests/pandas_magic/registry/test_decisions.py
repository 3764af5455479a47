"""Bands, exceptions and rests as records: what they say, what they refuse, what they come to."""

from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pydantic import ValidationError

from pandas_magic.catalog.table import Table
from pandas_magic.checking.judging import judge
from pandas_magic.checking.known_exceptions import rows_of_key, sieve
from pandas_magic.constraints import Column, Present, RowRule, TableRule
from pandas_magic.errors import PandasMagicError, UsageMistake
from pandas_magic.registry import Registry
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.deciding import add_exception, remove_exception, snooze, wake
from pandas_magic.registry.decisions import Band, Bands, KnownException, Snooze
from pandas_magic.registry.resting import said_of_rest, why_resting
from pandas_magic.registry.row_keys import key_of, refuse_other_key
from tests.doubles import unknown_users

DAY = date(2026, 11, 22)


def banded(fail: str | None, warn: str | None = None, **fields: Any) -> CompiledCheck:
    compiled = unknown_users(**fields)
    bands = Bands(warn=warn, fail=fail)
    return compiled.model_copy(update={"check": compiled.check.model_copy(update={"bands": bands})})


@pytest.mark.parametrize(
    ("text", "violations", "rows", "reached"),
    [
        ("1", 0, 10, False),
        ("1", 1, 10, True),
        ("10", 9, 10, False),
        ("10", 10, 10, True),
        ("1%", 2, 300, False),
        ("1%", 3, 300, True),
        ("0.1%", 1, 1001, False),
        ("0.1%", 1, 1000, True),
        ("29%", 29, 100, True),
        ("100%", 99, 100, False),
        ("100%", 100, 100, True),
    ],
)
def test_a_band_is_reached_at_its_number(text: str, violations: int, rows: int, reached: bool) -> None:
    band = Band.read(text)
    assert band.reached_by(violations, rows) is reached
    assert band.in_words() == text


@pytest.mark.parametrize("text", ["", "0", "0%", "1.5", "-1", "101%", "ten", "1e3", "1 %", "nan", "inf%"])
def test_what_is_no_band_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no"):
        Band.read(text)


@pytest.mark.parametrize(("warn", "fail"), [("1", None), ("10", "10"), ("11", "10"), ("2%", "1%")])
def test_a_warning_lies_below_the_failure(warn: str, fail: str | None) -> None:
    with pytest.raises(ValidationError, match="fail"):
        Bands(warn=warn, fail=fail)
    assert Bands(warn="1", fail="1%").warn == "1"


@pytest.mark.parametrize(
    ("bands", "count", "verdict", "warned"),
    [
        ((None, None), 0, "PASS", False),
        ((None, None), 1, "FAIL", False),
        (("10", None), 0, "PASS", False),
        (("10", None), 9, "PASS", True),
        (("10", None), 10, "FAIL", False),
        (("10", "5"), 4, "PASS", False),
        (("10", "5"), 5, "PASS", True),
        (("1%", None), 1, "PASS", True),
        (("1%", None), 2, "FAIL", False),
        (("1%", "1"), 1, "PASS", True),
    ],
)
def test_bands_decide_between_pass_warning_and_fail(
    bands: tuple[str | None, str | None], count: int, verdict: str, warned: bool
) -> None:
    judged = judge(banded(*bands), count, 200, table="events")
    assert (judged.verdict, judged.warned) == (verdict, warned)
    assert judged.summary.startswith(f"{verdict}: WARN: " if warned else f"{verdict}: {count} of 200 rows")


def test_what_a_band_changed_is_said_and_what_it_did_not_is_not() -> None:
    tolerated = judge(banded("10", "5"), 4, 200, table="events")
    assert tolerated.summary == "PASS: 4 of 200 rows of events break the rule, and it fails from 10 on"
    assert tolerated.notes == ("4 failing rows tolerated: it warns from 5 on and fails from 10 on",)
    assert judge(banded("10"), 0, 200, table="events").notes == ()
    assert judge(unknown_users(), 4, 200, table="events").notes == ()


@pytest.mark.parametrize("rows", [None, 0])
def test_a_share_of_unknown_rows_tolerates_nothing(rows: int | None) -> None:
    judged = judge(banded("50%"), 1, rows, table="events")
    assert judged.verdict == "FAIL"
    assert judged.notes == ("the band fail 50% is not applied: how many rows 50% are is not known",)


def test_a_rule_about_the_whole_table_has_no_bands() -> None:
    whole = TableRule.model_construct(table="events")
    compiled = banded("10").model_copy(update={"constraint": whole})
    judged = judge(compiled, 1, 200, table="events")
    assert (judged.verdict, judged.summary) == ("FAIL", "FAIL: events breaks the rule")
    assert "the rule is about the table as a whole" in judged.notes[0]


def exception(rule: str = "", **fields: Any) -> KnownException:
    said = {"key": {"order_id": "2"}, "reason": "a test order", "rule_digest": rule or unknown_users().rule_digest}
    return KnownException(**{**said, **fields})


ROWS = pd.DataFrame({"order_id": [1, 2, 3], "line": ["a", "b", "b"]}, index=[4, 5, 6])


def test_rows_of_an_exception_are_taken_out_and_counted() -> None:
    compiled = unknown_users(exceptions=(exception(until="2026-12-01"),))
    left = sieve(compiled, ROWS, (4, 5, 6), DAY)
    assert left.rows["order_id"].tolist() == [1, 3]
    assert (left.positions, left.excepted) == ((4, 6), 1)
    assert left.notes == ("known exceptions: 1 row of order_id=2 (a test order, until 2026-12-01)",)


def test_two_exceptions_for_one_row_count_it_once() -> None:
    compiled = unknown_users(exceptions=(exception(), exception(key={"line": "b"})))
    left = sieve(compiled, ROWS, None, DAY)
    assert (left.rows["order_id"].tolist(), left.positions, left.excepted) == ([1], None, 2)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"until": "2026-11-22"}, "not applied: it ended on 2026-11-22 (a test order)"),
        ({"rule": "0" * 16}, "not applied: the rule changed since it was made"),
        ({"key": {"id": "2"}}, 'not applied: the failing rows have no column "id"'),
        (
            {"key": {"order_id": "17"}},
            "obsolete, since it matches no failing row; forget it: pandas-magic except CHK-002",
        ),
        ({"key": {"line": "it's"}}, "is obsolete"),
    ],
)
def test_an_exception_that_does_not_count_is_said(fields: dict[str, Any], said: str) -> None:
    left = sieve(unknown_users(exceptions=(exception(**fields),)), ROWS, (4, 5, 6), DAY)
    assert (len(left.rows), left.excepted) == (3, 0)
    assert said in left.notes[0]


def test_an_exception_of_a_check_without_failing_rows_is_obsolete() -> None:
    left = sieve(unknown_users(exceptions=(exception(),)), ROWS[["line"]].iloc[:0], (), DAY)
    assert "obsolete" in left.notes[0]


@pytest.mark.parametrize(
    ("values", "text", "matched"),
    [
        ([1, 2], "2", [False, True]),
        ([1, 2], "two", [False, False]),
        ([9007199254740993, 9007199254740992], "9007199254740993", [True, False]),
        ([1.0, None], "1", [True, False]),
        ([1.5, 2.5], "2.5", [False, True]),
        ([1.0, None], "nan", [False, False]),
        (["007", "7"], "7", [False, True]),
        (["007", None], "None", [False, False]),
        ([True, False], "true", [True, False]),
        ([True, False], "1", [False, False]),
        (pd.to_datetime(["2026-01-01", "2026-01-02"]), "2026-01-02", [False, True]),
        (pd.to_datetime(["2026-01-01", None], utc=True), "2026-01-01T00:00:00", [True, False]),
        (pd.to_datetime(["2026-01-01", None]), "today's", [False, False]),
        (pd.array([1, None], dtype="Int64"), "1", [True, False]),
        (pd.Categorical(["a", "b"]), "b", [False, True]),
        ([7, "7"], "7", [True, True]),
    ],
)
def test_a_key_means_the_values_of_its_column(values: Any, text: str, matched: list[bool]) -> None:
    assert rows_of_key(pd.DataFrame({"k": values}), {"k": text}).tolist() == matched


def test_a_check_rests_until_its_day_and_says_so_after() -> None:
    resting = unknown_users(snooze=Snooze(until="2026-11-23", reason="migration", by="ada@example.com"))
    assert why_resting(resting, DAY) == "snoozed until 2026-11-23 by ada@example.com: migration"
    assert said_of_rest(resting, DAY) == ()
    assert why_resting(resting, date(2026, 11, 23)) == ""
    assert "its snooze ended on 2026-11-23 (migration)" in said_of_rest(resting, date(2026, 11, 23))[0]
    disabled = resting.model_copy(update={"check": resting.check.model_copy(update={"enabled": False})})
    assert why_resting(disabled, date(2026, 11, 23)) == "it is disabled"


@pytest.mark.parametrize("said", [["order_id"], ["=2"], [], [" =2"]])
def test_what_is_no_key_is_refused(said: list[str]) -> None:
    with pytest.raises(UsageMistake, match="--key order_id=17"):
        key_of(said)
    assert key_of(["a=1=2", " b =x"]) == {"a": "1=2", "b": "x"}


def test_decisions_stand_in_the_checks_file_and_are_taken_back(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "registry")
    registry.save(unknown_users())
    said = {"reason": "a  test\norder", "by": "ada@example.com", "today": DAY}
    snooze(registry, "CHK-002", until="2026-12-01", **said)
    add_exception(registry, "CHK-002", key=["order_id=2"], until="", **said)
    add_exception(registry, "CHK-002", key=["order_id=3"], until="2026-12-01", **said)
    add_exception(registry, "CHK-002", key=["order_id=2"], until="2027-01-01", **said)
    kept = registry.get("CHK-002")
    assert kept.snooze is not None
    assert (kept.snooze.until, kept.snooze.reason) == ("2026-12-01", "a test order")
    assert [(known.named(), known.until) for known in kept.exceptions] == [
        ("order_id=3", "2026-12-01"),
        ("order_id=2", "2027-01-01"),
    ]
    wake(registry, "CHK-002")
    remove_exception(registry, "CHK-002", ["order_id=3"])
    remove_exception(registry, "CHK-002", ["order_id=2"])
    assert registry.get("CHK-002") == unknown_users()
    with pytest.raises(UsageMistake, match="has no exception for order_id=2; it has none"):
        remove_exception(registry, "CHK-002", ["order_id=2"])


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"until": "2026-11-22"}, "2026-11-22 has come already; name a day after 2026-11-22"),
        ({"until": "soon"}, '"soon" is no day; write it as 2026-11-22'),
        ({"reason": " "}, "a reason is needed"),
    ],
)
def test_a_decision_without_reason_or_with_no_day_ahead_is_refused(
    tmp_path: Path, fields: dict[str, str], said: str
) -> None:
    registry = Registry(tmp_path / "registry")
    registry.save(unknown_users())
    given = {"until": "2026-12-01", "reason": "r", "by": "b", **fields}
    with pytest.raises(UsageMistake, match=said):
        snooze(registry, "CHK-002", today=DAY, **given)
    with pytest.raises(UsageMistake, match=said):
        add_exception(registry, "CHK-002", key=["order_id=2"], today=DAY, **given)
    assert registry.get("CHK-002") == unknown_users()


def test_a_rule_about_rows_is_what_bands_are_for() -> None:
    rows = RowRule(table="events", must=Present(of=Column(name="user_id")))
    assert judge(banded("2", constraint=rows), 1, 5, table="events").warned
    assert judge(banded("2", constraint=None), 1, 5, table="events").warned


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ({"nope": "1"}, 'no column "nope"; table "orders" has'),
        ({"order_id": "abc"}, 'order_id of orders holds numbers, and "abc" is none'),
        ({"order_id": ""}, 'order_id of orders holds numbers, and "" is none'),
        ({"placed": "NaT"}, 'placed of orders holds dates, and "NaT" is none'),
        ({"paid": "yes"}, 'paid of orders holds true or false, and "yes" is none'),
    ],
)
def test_a_key_that_no_row_can_have_is_refused(key: dict[str, str], said: str) -> None:
    columns = {"order_id": "int64", "placed": "datetime64[us]", "paid": "bool", "note": "str", "none": "empty"}
    table = Table(name="orders", columns=columns)
    with pytest.raises(PandasMagicError, match=said):
        refuse_other_key(key, table)
    refuse_other_key({"order_id": "17", "placed": "2026-01-01", "paid": "True", "note": "", "none": "x"}, table)


def test_a_column_of_a_key_is_named_once() -> None:
    with pytest.raises(UsageMistake, match="order_id is named twice, as 1 and as 2"):
        key_of(["order_id=1", "order_id=2"])

"""`pandas_magic.check`: one call, a run, nothing on disk."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import pandas_magic
from pandas_magic import RuleNotUnderstood, Workspace
from pandas_magic.errors import NoSuchName, TableUnreadable, UsageMistake

ORDERS = pd.DataFrame({"order_id": [1, 2, 2], "amount": [5.0, None, -1.0]}, index=["x", "y", "z"])


@pytest.mark.feature("A02")
def test_a_run_tells_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = pandas_magic.check("order ids must be unique", tables={"orders": ORDERS})
    assert run.verdict == "FAIL"
    assert run.violation_count == 2
    assert run.rows == 3
    assert run.violations is not None
    assert run.violations.index.tolist() == ["y", "z"]
    assert run.summary.startswith("FAIL: 2 of 3 rows")
    assert "violations" in run.code
    assert run.constraint is not None
    assert run.constraint.table == "orders"
    assert list(tmp_path.iterdir()) == []


def test_a_path_is_a_table(tmp_path: Path) -> None:
    ORDERS.to_csv(tmp_path / "o.csv", index=False)
    run = pandas_magic.check("amount must be at least 0", tables={"orders": tmp_path / "o.csv"})
    assert (run.verdict, run.violation_count) == ("FAIL", 1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["o.csv"]


def test_with_a_workspace_the_check_is_kept(tmp_path: Path) -> None:
    ORDERS.to_csv(tmp_path / "orders.csv", index=False)
    run = pandas_magic.check("amount must be at least 0", workspace=tmp_path)
    assert run.check_id == "CHK-001"
    assert Workspace.open(tmp_path).check_ids() == ["CHK-001"]


@pytest.mark.feature("A26")
def test_a_sentence_that_is_not_understood_raises_with_its_words() -> None:
    with pytest.raises(RuleNotUnderstood) as caught:
        pandas_magic.check("amount must be groovy", tables={"orders": ORDERS})
    assert "groovy" in caught.value.unknown
    assert caught.value.suggestions


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rule": "x", "tables": {}}, "no table to check"),
        ({"rule": " ", "tables": {"orders": ORDERS}}, "the rule is empty"),
        ({"rule": 5, "tables": {"orders": ORDERS}}, "the rule is of the type int; give a text"),
        ({"rule": None, "workspace": "."}, "the rule is of the type NoneType; give a text"),
        ({"rule": "x", "tables": [ORDERS]}, "tables is of the type list; give each one a name"),
        ({"rule": "x", "tables": ORDERS}, "tables is of the type DataFrame; give each one a name"),
        ({"rule": "x", "tables": "orders.csv"}, "tables is of the type str; give each one a name"),
        ({"rule": "x", "tables": {5: ORDERS}}, "a table's name is 5; give it a text"),
        ({"rule": "x", "tables": {"orders": None}}, 'table "orders" is a NoneType; give a DataFrame or the path'),
        ({"rule": "x", "tables": {"orders": ORDERS}, "target": ORDERS}, "target is of the type DataFrame; give a text"),
        ({"rule": "x", "tables": {"orders": ORDERS}, "planner": None}, "planner is of the type NoneType; give a text"),
        ({"rule": "x", "workspace": ORDERS}, "the workspace is of the type DataFrame; give a text or a path"),
    ],
)
def test_what_cannot_be_meant_is_one_line(given: dict[str, object], said: str) -> None:
    with pytest.raises(UsageMistake, match=said):
        pandas_magic.check(**given)


def test_a_folder_without_parquet_files_is_refused_as_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("amount\n1\n")
    with pytest.raises(TableUnreadable, match=r'table "orders" is to be the folder .*, without Parquet files'):
        pandas_magic.check("amount must be at least 0", tables={"orders": tmp_path})


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: pandas_magic.suggest(ORDERS), "what suggestions are asked for is of the type DataFrame"),
        (lambda: pandas_magic.suggest(tables=[ORDERS]), "tables is of the type list; give each one a name"),
        (lambda: pandas_magic.profile([ORDERS]), "the table is of the type list"),
        (lambda: pandas_magic.profile(ORDERS, target=5), "target is of the type int; give a text"),
        (lambda: pandas_magic.profile(ORDERS, inputs=[1]), "inputs is of the type list; give a mapping"),
        (lambda: pandas_magic.import_checks(Path("x"), "soda"), "what is imported is of the type .*; give the text"),
    ],
)
def test_other_functions_refuse_other_types_in_one_line(call: Callable[[], object], said: str) -> None:
    with pytest.raises(UsageMistake, match=said):
        call()


def test_a_target_that_is_no_table_is_named() -> None:
    with pytest.raises(NoSuchName, match=r'no table "order"; .*"orders"'):
        pandas_magic.check("amount must be at least 0", tables={"orders": ORDERS}, target="order")


@pytest.mark.parametrize("rule", ["order_id must not be null", "paid must be present", "big is mandatory"])
def test_presence_can_be_proved_of_a_column_that_has_no_gap_yet(rule: str) -> None:
    orders = pd.DataFrame({"order_id": [1, 2, 3], "paid": [True, False, True], "big": [2**60, 2**60 + 1, 5]})
    assert pandas_magic.check(rule, tables={"orders": orders}).verdict == "PASS"
    gappy = orders.astype("object").mask(orders.index.to_series() == 1)
    assert pandas_magic.check(rule, tables={"orders": gappy}).violation_count == 1


def test_a_rule_can_be_proved_by_values_that_only_late_rows_have() -> None:
    members = pd.DataFrame(
        {"member_id": range(1, 101), "cancelled_on": [pd.NaT] * 90 + [pd.Timestamp("2026-05-01")] * 10}
    )
    visits = pd.DataFrame({"visit_id": [1, 2, 3], "member_id": [95, 96, 3], "checkin_at": pd.Timestamp("2026-05-02")})
    visits.loc[1, "checkin_at"] = pd.Timestamp("2026-04-30")
    run = pandas_magic.check(
        "checkin_at must not be after the member's cancelled_on.",
        tables={"members": members, "visits": visits},
        target="visits",
    )
    assert (run.verdict, run.violations.index.tolist()) == ("FAIL", [0])


def test_a_limit_on_a_sum_that_only_a_late_group_reaches_can_be_proved() -> None:
    members = pd.DataFrame({"member_id": range(1, 61)})
    rentals = pd.DataFrame(
        {
            "rental_id": range(1, 61),
            "member_id": [*range(1, 56), *[60] * 5],
            "status": ["out", "returned"] * 25 + ["out"] * 10,
            "deposit": [10.0] * 55 + [50.0] * 5,
        }
    )
    run = pandas_magic.check(
        "The sum of the deposits of the member's rentals with status out must not exceed 200.",
        tables={"members": members, "rentals": rentals},
        target="members",
    )
    assert (run.verdict, run.violations.index.tolist()) == ("FAIL", [59])

"""Columns of texts that hold dates or numbers are compared as such, and the rule says so."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic import check
from pandas_magic.cli.main import main
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.history.run import Run
from pandas_magic.workspace import Workspace

SHIPPED = ["2023-01-05", "2024-02-01", "n/a", "2023-03-03", None, "2022-12-31 23:59:59", "2023-02-30"]


def run_of(rule: str, **columns: object) -> Run:
    return check(rule, tables={"orders": pd.DataFrame(columns)})


@pytest.mark.parametrize("dtype", ["str", "object", "string", "category"])
def test_iso_dates_are_compared_as_dates_and_the_others_are_told_apart(dtype: str) -> None:
    texts = [*SHIPPED, "2023-01-06", "2023-01-07"]
    run = run_of("ship_date must be before 2024-01-01", ship_date=pd.Series(texts, dtype=dtype))
    assert run.positions == (1,)
    assert run.not_judged == 3
    note = "ship_date read as a date; 2 cells are none and not judged: row 2: 'n/a', 6: '2023-02-30'"
    assert note in run.notes


@pytest.mark.parametrize("dtype", ["str", "object", "string", "category"])
def test_numbers_are_compared_as_numbers_and_not_as_texts(dtype: str) -> None:
    run = run_of("qty must be at least 5", qty=pd.Series(["5", "10", " 7", "4.9", None, "1e3", "8"], dtype=dtype))
    assert run.positions == (3,)
    assert run.not_judged == 2
    assert "qty read as a number; 1 cell is none and not judged: row 2: ' 7'" in run.notes


def test_two_columns_of_texts_are_both_read() -> None:
    run = run_of(
        "ship_date must not be before order_date",
        ship_date=["2023-01-05", "2023-01-01", "2023-01-01 12:00"],
        order_date=["2023-01-01", "2023-01-02", "2023-01-01T11:59:59"],
    )
    assert run.positions == (1,)
    assert run.notes == ()


@pytest.mark.parametrize(
    ("rule", "values", "told"),
    [
        ("name must be before 2024-01-01", ["ann", "bob", "2023-01-01"], "1 of the 3 values looked at can be read as"),
        ("name must be at least 5", ["ann", "bob", None], '0 of the 2 values looked at can be read as a number: "ann"'),
        ("name must be at least 5", ["1.500", "750", "12.750"], "it may hold thousands or fractions .say decimal"),
        ("name must be at least 5", ["01067", "10115", "20095"], "it holds codes with leading zeros"),
        ("name must be before 2024-01-01", ["2023-01-01T10:00:00Z"] * 3, "0 of the 3 values"),
    ],
)
def test_other_texts_stay_refused_with_the_reason(rule: str, values: list[str | None], told: str) -> None:
    with pytest.raises(RuleNotUnderstood, match=f"^name of orders is text, and .*{told}"):
        run_of(rule, name=pd.Series(values, dtype="str"))


def test_the_reason_is_that_of_the_table_that_is_meant() -> None:
    tables = {"a": ["1", "x"], "b": [None, None], "c": [1, 2]}
    given = {name: pd.DataFrame({"price": pd.Series(values)}) for name, values in tables.items()}
    with pytest.raises(RuleNotUnderstood, match=r"^price of a is text, and 1 of the 2 values"):
        check("price must be positive", tables=given, target="a")
    with pytest.raises(RuleNotUnderstood, match=r"^price of b holds no value"):
        check("price must be positive", tables=given, target="b")
    assert check("price must be positive", tables=given, target="c").verdict == "PASS"


@pytest.mark.parametrize("values", [[], [None, None]])
def test_a_column_without_values_is_not_told_what_they_are(values: list[None]) -> None:
    amount = pd.Series(values, dtype="str")
    with pytest.raises(RuleNotUnderstood, match=r"^amount of orders holds no value, and nothing says"):
        check("amount must be positive", tables={"orders": pd.DataFrame({"amount": amount})})


@pytest.mark.parametrize("rule", ["the sum of qty must be at least 3", "qty must be at most twice the average qty"])
def test_a_statistic_never_leaves_out_what_cannot_be_read(rule: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        run_of(rule, qty=["1", "2", "x", "4", "5"])


@pytest.mark.parametrize("rule", ["qty must be flibbed", "status must be before 2024-01-01"])
def test_a_rule_that_no_reading_helps_is_refused_as_before(rule: str) -> None:
    with pytest.raises(RuleNotUnderstood) as refused:
        run_of(rule, qty=["1", "2"], note=["a", "b"])
    assert "is text" not in refused.value.reason


def test_what_is_said_of_the_texts_themselves_is_said_of_them() -> None:
    run = run_of("qty must be present and qty must be at least 5", qty=["x", "7", None, "4", "9", "8", "6"])
    assert run.positions == (2, 3)


def test_the_reading_is_part_of_the_rule_and_is_read_back(tmp_path: Path, run_in: Callable[[Path], Workspace]) -> None:
    (tmp_path / "orders.json").write_text('[{"id": 1, "qty": "7"}, {"id": 2, "qty": "x"}, {"id": 3, "qty": "4"}, '
                                          '{"id": 4, "qty": "11"}]')  # fmt: skip
    workspace = run_in(tmp_path)
    first = check("qty must be at least 5", workspace=workspace)
    (compiled,) = workspace.registry.load().values()
    assert compiled.plan.goal == "orders: qty read as a number must be at least 5"
    again = check(compiled.plan.goal, workspace=workspace)
    assert again.code == first.code
    assert (first.positions, again.positions) == ((2,), (2,))
    assert main(["verify", "-C", str(tmp_path), "--prove"]) == 0


@pytest.fixture
def run_in(request: pytest.FixtureRequest) -> Callable[[Path], Workspace]:
    def opened(folder: Path) -> Workspace:
        workspace = Workspace.open(folder)
        request.addfinalizer(workspace.close)
        return workspace

    return opened

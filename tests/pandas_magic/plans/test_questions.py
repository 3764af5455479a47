"""Requests answered without a model: right, or refused with the words that are not understood."""

from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pandas as pd
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.checking.bench import Bench
from pandas_magic.errors import ModelUnavailable
from pandas_magic.plans.answers import written_answer
from pandas_magic.plans.plan_records import PlanRequest
from pandas_magic.plans.planning import sessions_of, work_out
from pandas_magic.plans.question_code import code_of, plan_of
from pandas_magic.plans.table_questions import RequestNotUnderstood, read_question
from pandas_magic.plans.watching import Nobody
from pandas_magic.workspace import Workspace

pytestmark = pytest.mark.usefixtures("keepers_know_figures")

ORDERS = pd.DataFrame(
    {
        "order_id": range(1, 8),
        "user_id": [1, 1, 2, 2, 3, 3, 3],
        "order_date": pd.to_datetime(
            ["2023-01-05", "2023-01-20", "2023-02-03", "2023-02-09", "2023-04-01", "2022-12-30", None]
        ),
        "amount": [10.0, 20.0, 30.0, None, 40.0, 99.0, 1.0],
        "status": ["paid", "paid", "sent", "sent", None, "paid", "sent"],
        "note": ["a", "b", "c", "d", "e", "f", "g"],
    }
)
USERS = pd.DataFrame(
    {
        "user_id": [1, 2, 3, 4],
        "country": ["DE", "FR", "DE", "DE"],
        "age": [30, 40, 40, 20],
        "firstSeen": pd.to_datetime(["2020-01-01", "2021-01-01", "2021-06-01", "2021-07-01"]),
        "lastSeen": pd.to_datetime(["2022-01-01"] * 4),
    }
)
TABLES = {"orders": ORDERS, "users": USERS}


@pytest.fixture(scope="module")
def schemas() -> dict[str, Any]:
    return Catalog(given=TABLES).schemas(["orders", "users"])


def answered(request: str, schemas: dict[str, Any]) -> list[tuple[Any, ...]]:
    """The rows of the result, from running the code on the tables as they are."""
    names: dict[str, Any] = {"pd": pd, **{name: frame.copy() for name, frame in TABLES.items()}}
    exec(code_of(read_question(request, schemas), schemas), names)
    result = names["result"].astype(object)
    return [tuple(row) for row in result.where(result.notna(), None).itertuples(index=False, name=None)]


# Requests, and what is right, counted by hand.
ANSWERS: dict[str, list[tuple[Any, ...]]] = {
    "How many orders are there?": [(7,)],
    "number of users by country": [("DE", 3), ("FR", 1)],
    "What is the total amount?": [(200.0,)],
    "Show the average amount of the orders": [(pytest.approx(200 / 6),)],
    "total amount by status": [("paid", 129.0), (None, 40.0), ("sent", 31.0)],
    "count orders in 2023": [(5,)],
    "monthly total amount": [("2022-12", 99.0), ("2023-01", 30.0), ("2023-02", 30.0), ("2023-04", 40.0)],
    "total amount by month in 2023": [("2023-01", 30.0), ("2023-02", 30.0), ("2023-04", 40.0)],
    "Show me the trend of the number of orders per year": [("2022", 1), ("2023", 5)],
    "how many orders by quarter and status where amount is above 5": [
        ("paid", "2022Q4", 1),
        ("paid", "2023Q1", 2),
        ("sent", "2023Q1", 1),
        (None, "2023Q2", 1),
    ],
    "how many different users in orders": [(3,)],
    "highest amount per user": [(3, 99.0), (2, 30.0), (1, 20.0)],
    "number of orders where order_id is below 4": [(3,)],
    "lowest order date where status is paid": [(pd.Timestamp("2022-12-30"),)],
    "median age by country": [("FR", 40.0), ("DE", 30.0)],
    "top 2 users by age": [
        (2, "FR", 40, pd.Timestamp("2021-01-01"), pd.Timestamp("2022-01-01")),
        (3, "DE", 40, pd.Timestamp("2021-06-01"), pd.Timestamp("2022-01-01")),
    ],
    "top 1 users by total amount": [(3, 140.0)],
    "top 1 status by number of orders": [("paid", 3), ("sent", 3)],
    "number of users by year of first seen": [("2020", 1), ("2021", 3)],
}


@pytest.mark.parametrize("request_", ANSWERS)
def test_a_common_request_is_answered_right(request_: str, schemas: dict[str, Any]) -> None:
    assert answered(request_, schemas) == ANSWERS[request_]


REFUSALS = {
    "Show the monthly revenue trend for 2023": "I don't understand \"revenue",
    "total amount by region": 'I don\'t understand "region" \\(orders has "order_id"',
    "number of users by year": 'several columns of dates: "firstSeen", "lastSeen"',
    "number of users in 2021": "several columns of dates",
    "total note": "holds values of the kind text",
    "how many different user": "can be about",
    "total amount trend": 'write "by month"',
    "bottom 2 users by number of orders": "would be the lowest",
    "top users by age": 'write how many: "top 5"',
    "how many orders did we lose": 'I don\'t understand "did we lose"',
    "total amount by status where weather is nice": 'behind "where"',
    "how many orders and users are there": "I don't understand \"and users",
    "how many orders by country": 'I don\'t understand "country"',
    "how many orders without an amount": "without amount",
    "average number of orders per user": "I don't understand \"number",
    "amount by status": "no measure is named",
    "": "no measure is named",
}


@pytest.mark.parametrize("request_", REFUSALS)
def test_a_request_that_is_not_wholly_understood_is_refused_with_its_words(
    request_: str, schemas: dict[str, Any]
) -> None:
    with pytest.raises(RequestNotUnderstood, match=REFUSALS[request_]):
        read_question(request_, schemas)


def test_a_measure_that_is_also_the_name_of_a_column_is_refused() -> None:
    frame = pd.DataFrame({"amount": [1.0], "total_amount": [2.0], "day": ["Monday"]})
    schemas = Catalog(given={"sales": frame}).schemas(["sales"])
    with pytest.raises(RequestNotUnderstood, match="can also be the column total_amount"):
        read_question("total amount by day", schemas)


def test_every_choice_that_was_made_is_in_the_plan(schemas: dict[str, Any]) -> None:
    made = plan_of(read_question("monthly total amount in 2023 where status is paid", schemas))
    assert made.goal == "Total amount of orders by month of order_date where status is paid with order_date in 2023"
    top = plan_of(read_question("top 3 users by total amount", schemas))
    assert top.goal == "Total amount of orders by user_id, the 3 highest"


VITALS = pd.DataFrame(
    {
        "blood_pressure": [120.0, None, 130.0, 150.0],
        "visit_date": pd.to_datetime(["2024-01-05", "2024-01-20", "2024-02-03", "2024-02-09"]),
    }
)


@pytest.mark.feature("B23")
def test_a_time_series_is_written_and_answered_without_a_model(bench: Bench, tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path, tables={"vitals": VITALS})
    workspace.runner.bench = bench
    with closing(sessions_of(workspace)) as sessions:
        result = work_out(workspace, sessions, PlanRequest("monthly average blood pressure"))
    assert result.code.splitlines()[:3] == [
        "dated = vitals.dropna(subset=['visit_date'])",
        "month = dated['visit_date'].dt.tz_localize(None).dt.to_period(\"M\").astype(str).rename('month')",
        "result = dated.groupby([month], dropna=False, observed=True)['blood_pressure'].mean()"
        ".rename('average blood_pressure').reset_index()",
    ]
    assert result.ran.frame["average blood_pressure"].tolist() == [120.0, 140.0]
    assert "1 of 4 rows are left out: they have no blood_pressure" in result.answer


@pytest.fixture
def shop(bench: Bench, tmp_path: Path) -> Workspace:
    workspace = Workspace.open(tmp_path, tables=TABLES)
    workspace.runner.bench = bench
    return workspace


@pytest.mark.feature("B06")
def test_a_group_is_chosen_by_its_folder_and_its_tables_are_called_by_their_names(bench: Bench, tmp_path: Path) -> None:
    for folder, speed in (("trial 001", 2), ("trial 002", 9)):
        (tmp_path / "data" / folder).mkdir(parents=True)
        (tmp_path / "data" / folder / "runs.csv").write_text(f"run,speed\n1,{speed}\n2,4\n")
    workspace = Workspace.open(tmp_path)
    workspace.runner.bench = bench
    with closing(sessions_of(workspace)) as sessions:
        result = work_out(workspace, sessions, PlanRequest("total speed", group="trial 001"))
    (name,) = (choice.name for choice in result.choices)
    assert "001" in name
    assert result.answer.splitlines()[0] == f"# Total speed of {name}: 6"
    assert result.unfounded == ()


def test_an_answer_without_a_model_is_run_confined_kept_and_says_what_it_leaves_out(shop: Workspace) -> None:
    with closing(sessions_of(shop)) as sessions:
        result = work_out(shop, sessions, PlanRequest("total amount by month"), output="monthly")
        assert sessions.current.turns[0].request == "total amount by month"
    assert result.success
    assert result.ran.frame["total amount"].tolist() == [99.0, 30.0, 30.0, 40.0]
    assert result.ran.chart is not None
    assert "1 of 7 rows are left out: they have no order_date" in result.answer
    assert "1 of 6 rows are left out: they have no amount" in result.answer
    assert result.unfounded == ()
    assert result.told == "nothing; no model was asked"
    assert result.cells[0].startswith("%%sandbox --tables orders -o monthly\n# total amount by month\n")


def test_the_answer_to_one_number_is_in_its_headline(shop: Workspace) -> None:
    with closing(sessions_of(shop)) as sessions:
        result = work_out(shop, sessions, PlanRequest("How many orders are there?"))
    assert result.answer.startswith("# Number of rows of orders: 7")


def test_one_small_number_in_a_headline_is_not_rounded_away() -> None:
    told = {value: _headline_of(value) for value in (0.00123456, 1565.1304, -0.5, 12)}
    assert list(told.values()) == ["0.00123", "1,565.13", "-0.5", "12"]


def _headline_of(value: float) -> str:
    ran = SimpleNamespace(frame=None, value=value, findings=(), images=(), figures=(), chart=None)
    return written_answer(cast("Any", SimpleNamespace(goal="g", next_steps=())), cast("Any", ran)).removeprefix("# g: ")


def test_what_is_not_understood_names_the_words_the_tables_and_what_to_set(shop: Workspace) -> None:
    with closing(sessions_of(shop)) as sessions, pytest.raises(ModelUnavailable) as caught:
        work_out(shop, sessions, PlanRequest("revenue by country"))
    told = str(caught.value)
    assert 'I don\'t understand "revenue by country"' in told
    assert "set PANDAS_MAGIC_MODEL" in told
    assert 'users (it has "country")' in told
    assert "\n" not in told


@pytest.mark.feature("B17")
def test_a_large_table_is_said_to_be_large_before_a_request_reads_it(bench: Bench, tmp_path: Path) -> None:
    class Listener(Nobody):
        told: list[str] = []  # noqa: RUF012 - one listener

        def stage(self, name: str, detail: str = "") -> None:
            self.told.append(detail)

    workspace = Workspace.open(tmp_path, tables=TABLES, settings={"warn_bytes": 10})
    workspace.runner.bench = bench
    with closing(sessions_of(workspace)) as sessions:
        work_out(workspace, sessions, PlanRequest("total amount"), watcher=Listener())
    assert "large: about 0.0 GB of orders are read (the setting warn_bytes)" in Listener.told

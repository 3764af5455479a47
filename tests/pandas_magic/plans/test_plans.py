import asyncio
import json
import math
import re
import shutil
import statistics
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd
import pytest

from kernel_sandbox import Execution, Sandbox
from pandas_magic.checking.bench import Bench
from pandas_magic.compat import agents
from pandas_magic.errors import (
    AnswerUnusable,
    BudgetSpent,
    ModelUnavailable,
    NotRecorded,
    UsageMistake,
)
from pandas_magic.planner.model.exchanges import ExchangeLog, totals
from pandas_magic.plans import code_run
from pandas_magic.plans.answer_output import answer_bundle, picture_bundles
from pandas_magic.plans.plan_records import PlanRequest, PlanResult
from pandas_magic.plans.planning import Terms, read_budget, sessions_of, work_out
from pandas_magic.plans.watching import Nobody
from pandas_magic.workspace import Workspace
from tests.pandas_magic.planner.model.conftest import KEY
from tests.pandas_magic.planner.model.parts import fenced, parts
from tests.pandas_magic.planner.model.scripted import ScriptedEndpoint

pytestmark = pytest.mark.usefixtures("keepers_know_figures")

ORDERS = pd.DataFrame(
    {
        "order_id": range(1, 7),
        "user_id": [1, 1, 2, 2, 3, 3],
        "order_date": pd.to_datetime(
            ["2023-01-05", "2023-01-20", "2023-02-03", "2023-02-09", "2023-03-01", "2022-12-30"]
        ),
        "amount": [10.0, 20.0, 30.0, 5.5, 40.0, 99.0],
    }
)
USERS = pd.DataFrame({"user_id": [1, 2, 3], "country": ["DE", "FR", "DE"]})
REQUEST = "Show the monthly revenue trend for 2023"
PLAN = (
    "Goal: Monthly revenue in 2023\n1. keep orders of 2023\n2. sum amount by month\nResult: a month\nNext: By country?"
)
CODE = """orders_2023 = orders[orders["order_date"].dt.year == 2023]
month = orders_2023["order_date"].dt.strftime("%Y-%m").rename("month")
result = orders_2023.groupby(month)["amount"].sum().rename("revenue").reset_index()
best = result.loc[result["revenue"].idxmax()]
findings = [f"{best['month']} was the best month, with {best['revenue']:.2f}.", "It rose by 17 % in a year."]"""
# Drawing takes seconds, so that only the tests of pictures do it.
CHART = 'chart = {"kind": "line", "x": "month", "y": "revenue", "color": "", "title": "Revenue"}'
GOOD: dict[str, Any] = {
    "select": json.dumps({"tables": [{"table": "orders", "reason": "it holds the amounts"}]}),
    "plan": PLAN,
    "code": fenced(CODE),
    "review": json.dumps({"answers": True, "problem": ""}),
}
CHARTED = {**GOOD, "code": fenced(f"{CODE}\n{CHART}")}


@pytest.fixture
def shop(workspace_with: Any) -> Callable[[ScriptedEndpoint], Workspace]:
    return lambda endpoint: workspace_with(endpoint, {"orders": ORDERS, "users": USERS})


def plan(workspace: Workspace, request: str = REQUEST, **said: Any) -> PlanResult:
    terms = said.pop("terms", None)
    output = said.pop("output", "")
    with closing(sessions_of(workspace)) as sessions:
        return work_out(workspace, sessions, PlanRequest(request, **said), terms=terms, output=output)


@pytest.mark.feature("E14")
@pytest.mark.feature("B01")
@pytest.mark.feature("E01")
def test_a_request_becomes_an_answer_with_table_chart_and_picture(serve: Any, shop: Any, tmp_path: Path) -> None:
    result = plan(shop(serve(always=parts(**CHARTED))))
    assert result.success
    assert result.ran.frame["revenue"].tolist() == [30.0, 35.5, 40.0]
    assert result.ran.chart is not None
    assert (tmp_path / result.plots[0]).read_bytes().startswith(b"\x89PNG")
    assert [choice.reason for choice in result.choices] == ["it holds the amounts"]
    assert result.as_plan()["instructions"] == ["keep orders of 2023", "sum amount by month"]


@pytest.mark.feature("B22")
def test_a_number_that_the_result_does_not_hold_is_struck_out_and_said(serve: Any, shop: Any) -> None:
    result = plan(shop(serve(always=parts(**GOOD))))
    assert "2023-03 was the best month, with 40.00" in result.answer
    assert "~~17 %~~" in result.answer
    assert result.unfounded == ("17 %",)
    assert "Struck out, since the result does not hold it: 17 %" in result.answer
    assert "## Key Findings" in result.answer
    assert "## Recommendations\n- By country?" in result.answer
    assert "## Visualizations" not in result.answer


@pytest.mark.feature("B22")
@pytest.mark.parametrize(("tell", "report"), [("schema", ""), ("stats", "# Up\n\n## Recommendations\n- Ask again.")])
def test_an_answer_names_its_pictures_between_findings_and_recommendations(
    serve: Any, shop: Any, tell: Any, report: str
) -> None:
    result = plan(shop(serve(always=parts(**CHARTED, answer=report))), terms=Terms(disclosure=tell))
    headings = [line for line in result.answer.splitlines() if line.startswith("## ")]
    assert headings[-2:] == ["## Visualizations", "## Recommendations"]
    assert "- Line chart of revenue by month" in result.answer


@pytest.mark.feature("B22")
def test_naming_pictures_tells_no_number_that_would_be_struck_out(serve: Any, shop: Any) -> None:
    drawn = "import matplotlib.pyplot as plt\nfor _ in range(2):\n    orders['amount'].plot()\n    plt.show()\n"
    told = "result = orders.groupby('user_id')['amount'].sum().rename('sum_77').reset_index()"
    chart = 'chart = {"kind": "bar", "x": "user_id", "y": "sum_77", "color": "", "title": ""}'
    result = plan(shop(serve(always=parts(**{**GOOD, "code": fenced(f"{drawn}{told}\n{chart}")}))))
    assert "- Pictures that the code drew\n- Bar chart of sum_77 by user_id" in result.answer
    assert result.unfounded == ()


@pytest.mark.feature("B22")
def test_a_number_that_the_code_only_printed_is_no_number_of_the_result(serve: Any, shop: Any) -> None:
    code = (
        "result = orders.groupby('user_id')['amount'].sum().reset_index()\nprint(17)\nfindings = ['It rose by 17 %.']"
    )
    result = plan(shop(serve(always=parts(**{**GOOD, "code": fenced(code)}))))
    assert result.unfounded == ("17 %",)


@pytest.mark.feature("B22")
@pytest.mark.parametrize(
    ("title", "drawn", "notes"),
    [
        ("Revenue in 2023", "Revenue in 2023", 0),
        ("Revenue up by 17 %", "revenue by month", 1),
    ],
)
def test_the_title_of_a_chart_tells_no_number_that_the_result_does_not_hold(
    serve: Any, shop: Any, title: str, drawn: str, notes: int
) -> None:
    code = f"{CODE}\n{CHART}".replace('"title": "Revenue"', f'"title": "{title}"')
    result = plan(shop(serve(always=parts(**{**GOOD, "code": fenced(code)}))))
    assert result.ran.chart is not None
    assert result.ran.chart.title == drawn
    assert len(result.ran.notes) == notes
    assert all("17 %" in note for note in result.ran.notes)
    assert repr(drawn) in result.cells[0]


@pytest.mark.feature("B01", "E05")
def test_the_stages_of_a_request_are_seen_in_their_order(serve: Any, shop: Any) -> None:
    class Looking(Nobody):
        stages: ClassVar[list[str]] = []

        def stage(self, name: str, detail: str = "") -> None:
            self.stages.append(name)

    workspace = shop(serve(always=parts(**GOOD)))
    with closing(sessions_of(workspace)) as sessions:
        work_out(workspace, sessions, PlanRequest(REQUEST), watcher=Looking())
    told = ["Choosing tables", "Planning", "Writing code", "Checking", "Reviewing", "Running", "Answering"]
    assert [name for name in Looking.stages if name in told] == told


@pytest.mark.feature("B15")
def test_the_code_of_a_request_has_300_seconds(serve: Any, shop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float | None] = []
    execute = Sandbox.execute

    def noted(self: Sandbox, code: str, *, wall_seconds: float | None = None) -> Execution:
        given.append(wall_seconds)
        return execute(self, code, wall_seconds=wall_seconds)

    monkeypatch.setattr(Sandbox, "execute", noted)
    assert plan(shop(serve(always=parts(**GOOD)))).success
    assert given == [300.0]


def test_a_picture_that_takes_too_long_costs_nothing_else(
    serve: Any, shop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_run, "drawing_code", lambda chart: "while True:\n    pass")
    monkeypatch.setattr(code_run, "_DRAWING_SECONDS", 0.5)
    result = plan(shop(serve(always=parts(**CHARTED))))
    assert "2023-03 was the best month, with 40.00" in result.answer
    assert result.ran.notes[0].startswith("no picture of the chart: ")


class Seen(Nobody):
    """Keeps each stage with the number of requests that there were before it."""

    def __init__(self, endpoint: ScriptedEndpoint) -> None:
        self.endpoint = endpoint
        self.stages: list[tuple[int, str, str]] = []

    def stage(self, name: str, detail: str = "") -> None:
        self.stages.append((len(self.endpoint.requests), name, detail))


def test_what_is_told_of_the_data_is_shown_before_the_first_request(serve: Any, shop: Any) -> None:
    endpoint = serve(always=parts(**GOOD))
    workspace = shop(endpoint)
    seen = Seen(endpoint)
    with closing(sessions_of(workspace)) as sessions:
        work_out(workspace, sessions, PlanRequest(REQUEST), watcher=seen, terms=Terms(disclosure="samples"))
    assert seen.stages[0][:2] == (0, "Telling")
    assert "scripted at 127.0.0.1" in seen.stages[0][2]
    assert "first 3 rows" in seen.stages[0][2]


def test_at_the_level_schema_no_value_is_sent(serve: Any, shop: Any) -> None:
    endpoint = serve(always=parts(**GOOD))
    plan(shop(endpoint))
    sent = "\n".join(request.text for request in endpoint.requests)
    assert "order_date" in sent
    for secret in ("99.0", "2022-12-30", "FR", "35.5"):
        assert secret not in sent


def test_at_the_level_schema_no_value_is_sent_by_way_of_an_error(serve: Any, shop: Any) -> None:
    bad = fenced('result = users["country"].astype(float)')
    both = json.dumps({"tables": [{"table": t, "reason": "needed"} for t in ("orders", "users")]})
    endpoint = serve(always=parts(**{**GOOD, "select": both, "code": [bad, GOOD["code"]]}))
    result = plan(shop(endpoint))
    assert "DE" in result.attempts[0].problem
    assert result.success
    sent = "\n".join(request.text for request in endpoint.requests)
    assert "could not convert string to float: '\\u2026'" in sent
    assert "'DE'" not in sent


def test_at_the_level_stats_the_model_reports_the_result(serve: Any, shop: Any) -> None:
    report = "# Revenue rose to 40\n\n## Key findings\n- March had 40.00, February 35.5, and 12,345 were lost."
    endpoint = serve(always=parts(**GOOD, answer=report))
    result = plan(shop(endpoint), terms=Terms(disclosure="stats"))
    assert result.answer.startswith("# Revenue rose to 40\n")
    assert result.unfounded == ("12,345",)
    assert "the few texts that occur" in result.told


@pytest.mark.parametrize(
    ("report", "headline"),
    [("<think>35?</think># Revenue rose", "# Revenue rose"), ("<think>35?", "# Monthly revenue in 2023: 3 rows")],
)
def test_thoughts_are_no_part_of_a_report(serve: Any, shop: Any, report: str, headline: str) -> None:
    result = plan(shop(serve(always=parts(**GOOD, answer=report))), terms=Terms(disclosure="stats"))
    assert result.answer.splitlines()[0] == headline
    assert "35?" not in result.answer


@pytest.mark.feature("E07")
@pytest.mark.feature("D07")
def test_code_that_fails_is_repaired_and_every_version_is_kept(serve: Any, shop: Any) -> None:
    bad = fenced('result = orders.groupby("user_id")["amount"].sum().loc["nobody"]')
    result = plan(shop(serve(always=parts(**{**GOOD, "code": [bad, GOOD["code"]]}))))
    assert result.success
    assert [attempt.stage for attempt in result.attempts] == ["run", "run"]
    assert "KeyError" in result.attempts[0].problem
    assert result.attempts[1].diff.startswith("---")


@pytest.mark.feature("D06")
def test_a_reviewer_sends_code_back(serve: Any, shop: Any) -> None:
    reviews = [json.dumps({"answers": False, "problem": "it sums every year"}), GOOD["review"]]
    every_year = fenced('result = orders["amount"].sum()')
    result = plan(shop(serve(always=parts(**{**GOOD, "code": [every_year, GOOD["code"]], "review": reviews}))))
    assert result.attempts[0].problem == "a reviewer says: it sums every year"
    assert result.success


WRONG_AND_RIGHT = {"answers": True, "problem": "It counts the orders."}


def test_a_reviewer_who_contradicts_itself_is_asked_what_it_means(serve: Any, shop: Any) -> None:
    """A small model does so when it finds a fault in code that it has just called right."""
    reviews = [json.dumps(WRONG_AND_RIGHT), json.dumps({**WRONG_AND_RIGHT, "answers": False}), GOOD["review"]]
    counts = fenced("result = orders.groupby('user_id').size().reset_index()")
    result = plan(shop(serve(always=parts(**{**GOOD, "code": [counts, GOOD["code"]], "review": reviews}))))
    assert result.success
    assert result.attempts[0].problem == "a reviewer says: It counts the orders."
    assert result.ran.notes == ()


def test_what_a_reviewer_says_against_code_is_told_where_it_keeps_contradicting_itself(serve: Any, shop: Any) -> None:
    result = plan(shop(serve(always=parts(**{**GOOD, "review": json.dumps(WRONG_AND_RIGHT)}))))
    assert not result.success
    assert result.error.endswith('it calls the code right, and says: "It counts the orders."')


@pytest.mark.parametrize("nothing", ["none", "None.", "No problem", "n/a", " - "])
def test_a_reviewer_may_say_that_nothing_is_wrong(serve: Any, shop: Any, nothing: str) -> None:
    endpoint = serve(always=parts(**{**GOOD, "review": json.dumps({"answers": True, "problem": nothing})}))
    result = plan(shop(endpoint), tables=("orders",))
    assert (result.success, result.ran.notes) == (True, ())
    assert len(endpoint.requests) == 3


def test_code_that_nobody_could_review_is_neither_mended_nor_run_and_that_is_said(serve: Any, shop: Any) -> None:
    result = plan(shop(serve(always=parts(**{**GOOD, "review": "It looks fine to me."}))))
    assert not result.success and result.ran.frame is None and result.code
    assert len(result.attempts) == 1
    assert result.error.startswith("nobody could review the code, and so it did not run: scripted gave no usable")


@pytest.mark.parametrize(
    ("condition", "request_of", "notes"),
    [
        ('users["country"] == "Germany"', "users of our home market", ['users.country never is "Germany"']),
        ('users["country"].isin(["DE", "Gaul"])', "users of our home market", ['users.country never is "Gaul"']),
        ('users["country"] == "Germany"', "users of Germany", []),
        ('users["country"] == "DE"', "users of our home market", []),
    ],
)
def test_a_text_that_a_column_never_holds_is_told(
    serve: Any, shop: Any, condition: str, request_of: str, notes: list[str]
) -> None:
    code = fenced(f'result = {{"users": int(({condition}).sum())}}')
    result = plan(shop(serve(always=parts(**{**GOOD, "code": code}))), request_of, tables=("users",))
    assert [note.partition(";")[0] for note in result.ran.notes] == notes


@pytest.mark.parametrize(
    ("code", "request_of", "reads", "notes"),
    [
        ("orders.groupby('user_id').size().reset_index()", "Average amount of each user", "orders.user_id", ["amount"]),
        ("orders.groupby('user_id').size().reset_index()", "How many orders has each user?", "orders.user_id", []),
        ("orders['amount'].mean()", "Average amounts", "orders.amount", []),
        (
            "orders.groupby('user_id').size().reset_index(name='n')\n"
            "findings = [f\"The average amount is {result['n'].mean()}.\"]",
            "Average amount of each user",
            "orders.user_id",
            ["amount"],
        ),
        ("len(orders)", "How many order dates for each user id?", "only the rows of orders", ["user_id", "order_date"]),
    ],
)
def test_what_the_code_reads_is_told_and_what_the_request_names_beside_it(
    serve: Any, shop: Any, code: str, request_of: str, reads: str, notes: list[str]
) -> None:
    workspace = shop(serve(always=parts(**{**GOOD, "code": fenced(f"result = {code}")})))
    result = plan(workspace, request_of, tables=("orders",))
    assert result.reads == reads
    assert list(result.ran.notes) == [
        f"the request names orders.{name}, which the code does not read" for name in notes
    ]
    assert f"Reads: {reads}" in answer_bundle(result)[0]["text/plain"]


@pytest.mark.parametrize(
    ("request_of", "notes"),
    [
        ("How many users from DE are there?", ['the request says "DE", a value of users.country']),
        ("How many users are there, de facto?", []),
        ("How many users are there?", []),
    ],
)
def test_a_value_that_the_request_says_and_the_code_never_looks_for_is_told(
    serve: Any, shop: Any, request_of: str, notes: list[str]
) -> None:
    workspace = shop(serve(always=parts(**{**GOOD, "code": fenced("result = users['user_id'].nunique()")})))
    result = plan(workspace, request_of, tables=("users",))
    assert [note.partition(", which the code")[0] for note in result.ran.notes] == notes


def test_a_table_of_which_nothing_is_read_is_told_and_a_column_that_another_table_has_is_not_missed(
    serve: Any, shop: Any
) -> None:
    both = json.dumps({"tables": [{"table": t, "reason": "needed"} for t in ("orders", "users")]})
    code = fenced("result = users['user_id'].nunique()")
    result = plan(shop(serve(always=parts(**{**GOOD, "select": both, "code": code}))), "How many user ids are there?")
    assert result.ran.notes == ("the code reads nothing of orders",)


def test_a_report_without_a_headline_gets_the_plans(serve: Any, shop: Any) -> None:
    report = "## Key findings\n- March had 40.00."
    result = plan(shop(serve(always=parts(**GOOD, answer=report))), terms=Terms(disclosure="stats"))
    assert result.answer.splitlines()[0] == "# Monthly revenue in 2023: 3 rows"
    assert "- March had 40.00." in result.answer


@pytest.mark.feature("B14", "B24", "D07")
def test_code_that_cannot_be_mended_ends_with_what_is_wrong(serve: Any, shop: Any) -> None:
    bad = [fenced(f"import subprocess\nresult = orders.head({n})") for n in range(9)]
    result = plan(shop(serve(always=parts(**{**GOOD, "code": bad}))))
    assert not result.success
    assert result.error.startswith("the code still fails after 3 repairs")
    assert "subprocess" in result.error
    assert len(result.attempts) == 4
    assert result.cells == ()


@pytest.mark.feature("D02")
def test_code_is_mended_no_oftener_than_is_set(serve: Any, shop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_CODE_MAX_ITERATIONS", "1")
    bad = [fenced(f"import subprocess\nresult = orders.head({n})") for n in range(9)]
    result = plan(shop(serve(always=parts(**{**GOOD, "code": bad}))))
    assert result.error.startswith("the code still fails after 1 repair:")
    assert len(result.attempts) == 2


@pytest.mark.parametrize(
    "answers",
    [
        [fenced("result = orders['amuont'].sum()")],
        [fenced("result = orders['amuont'].sum()"), "Sorry!\n\n" + fenced("result = orders['amuont'].sum()")],
        ["I cannot."],
        [fenced("import subprocess"), fenced("result = orders['amuont'].sum()"), fenced("import subprocess")],
    ],
    ids=["the same", "the same in other words", "no code", "back to the first"],
)
def test_a_repair_that_changes_nothing_is_the_last(serve: Any, shop: Any, answers: list[str]) -> None:
    asked = max(len(answers), 2)
    endpoint = serve(always=parts(**{**GOOD, "code": list(answers)}))
    result = plan(shop(endpoint), tables=("orders",))
    assert not result.success
    assert result.error.startswith("the model answered with code that had failed before: ")
    assert len([request for request in endpoint.requests if "You write pandas" in request.text]) == asked


def test_code_that_fails_only_in_telling_of_its_result_gives_the_result(serve: Any, shop: Any) -> None:
    """The key of a group stands in the index; small models look for it among the columns, and keep to that."""
    code = "result = orders.groupby('user_id').agg({'amount': 'sum'})\nfindings = [f\"{result['user_id'].max()}\"]"
    endpoint = serve(always=parts(**{**GOOD, "code": fenced(code)}))
    result = plan(shop(endpoint), "Amounts of users", tables=("orders",))
    assert result.success
    assert result.result["amount"].tolist() == [30.0, 35.5, 139.0]
    assert "failed: KeyError in line 2: 'user_id'" in result.ran.notes[0]
    assert "findings" not in result.cells[0]
    assert len([request for request in endpoint.requests if "You write pandas" in request.text]) == 2


@pytest.mark.parametrize("thoughts", ["<think>first the orders</think>", "<think>first the orders"])
def test_thoughts_without_a_plan_are_no_plan(serve: Any, shop: Any, thoughts: str) -> None:
    with pytest.raises(AnswerUnusable, match="the model wrote no plan"):
        plan(shop(serve(always=parts(**{**GOOD, "plan": thoughts}))))


@pytest.mark.feature("A19")
def test_every_exchange_is_logged_without_the_key(serve: Any, shop: Any, tmp_path: Path) -> None:
    workspace = shop(serve(always=parts(**GOOD)))
    plan(workspace)
    path = tmp_path / ".pandas_magic" / "plan_prompt_log.jsonl"
    exchanges = list(ExchangeLog(path.parent))
    assert [exchange.purpose for exchange in exchanges] == ["select", "plan", "write", "review"]
    assert all(exchange.disclosure == "schema" and exchange.request and exchange.answer for exchange in exchanges)
    assert KEY not in path.read_text()
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.feature("D22")
def test_the_same_request_is_answered_from_the_log(serve: Any, shop: Any, tmp_path: Path) -> None:
    endpoint = serve(always=parts(**GOOD))
    workspace = shop(endpoint)
    first = plan(workspace)
    calls = len(endpoint.requests)
    again = plan(workspace)
    assert len(endpoint.requests) == calls
    assert again.calls == 0
    assert again.ran.frame.equals(first.ran.frame)
    sums = totals(ExchangeLog(tmp_path / ".pandas_magic"))
    assert (sums.requests, sums.saved_requests) == (4, 4)
    plan(workspace, fresh=True)
    assert len(endpoint.requests) > calls


def test_replay_only_never_calls(serve: Any, shop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint = serve(always=parts(**GOOD))
    plan(shop(endpoint))
    monkeypatch.setenv("PANDAS_MAGIC_REPLAY", "only")
    workspace = shop(endpoint)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert plan(workspace).success
    with pytest.raises(NotRecorded, match="no recorded answer"):
        plan(workspace, "Something else about orders")


def test_answers_are_taken_from_a_file_that_came_with_the_notebook(
    serve: Any, shop: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = serve(always=parts(**GOOD))
    plan(shop(endpoint))
    (tmp_path / "recorded").mkdir()
    (tmp_path / ".pandas_magic" / "plan_prompt_log.jsonl").rename(tmp_path / "recorded" / "answers.jsonl")
    shutil.rmtree(tmp_path / ".pandas_magic")
    monkeypatch.setenv("PANDAS_MAGIC_REPLAY", "only")
    monkeypatch.setenv("PANDAS_MAGIC_RECORDED", "recorded/answers.jsonl")
    asked = len(endpoint.requests)
    assert plan(shop(endpoint)).success
    assert len(endpoint.requests) == asked
    assert totals(ExchangeLog(tmp_path / ".pandas_magic")).saved_requests == 4
    monkeypatch.setenv("PANDAS_MAGIC_RECORDED", "nowhere.jsonl")
    with pytest.raises(UsageMistake, match=r'PANDAS_MAGIC_RECORDED is "nowhere\.jsonl"'):
        plan(shop(endpoint))


@pytest.mark.feature("B08")
def test_a_table_that_is_not_there_is_asked_for_again(serve: Any, shop: Any) -> None:
    wrong = json.dumps({"tables": [{"table": "sales", "reason": "it sounds right"}]})
    endpoint = serve(always=parts(**{**GOOD, "select": [wrong, GOOD["select"]]}))
    assert plan(shop(endpoint)).choices[0].name == "orders"
    assert 'no table "sales"' in endpoint.requests[1].text.replace('\\"', '"')


@pytest.mark.feature("B08")
def test_no_more_tables_are_used_than_are_allowed(serve: Any, shop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODE_EXEC_MAX_FILES_TO_SELECT", "1")
    both = json.dumps({"tables": [{"table": name, "reason": "needed"} for name in ("orders", "users")]})
    endpoint = serve(always=parts(**{**GOOD, "select": both}))
    assert [choice.name for choice in plan(shop(endpoint)).choices] == ["orders"]
    assert "Choose at most 1." in endpoint.requests[0].text


def test_without_a_model_the_tables_are_still_named(shop: Any, serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = shop(serve())
    monkeypatch.delenv("PANDAS_MAGIC_MODEL")
    with pytest.raises(ModelUnavailable, match=r"needs a model.*users \(it has"):
        plan(workspace, "Why do customers of one country leave?")


@pytest.mark.feature("D21")
@pytest.mark.parametrize("terms", [None, Terms(budget="60s")], ids=["as configured", "with terms"])
def test_the_planner_rules_keeps_requests_offline_too(
    serve: Any, shop: Any, monkeypatch: pytest.MonkeyPatch, terms: Terms | None
) -> None:
    monkeypatch.setenv("PANDAS_MAGIC_PLANNER", "rules")
    endpoint = serve(always=parts(**GOOD))
    result = plan(shop(endpoint), "total amount by user_id", terms=terms)
    assert result.told == "nothing; no model was asked"
    assert endpoint.requests == []
    assert plan(shop(endpoint), terms=Terms(model="scripted")).success


def test_no_run_gives_the_cell_and_runs_nothing(serve: Any, shop: Any) -> None:
    result = plan(shop(serve(always=parts(**GOOD))), run=False)
    assert result.ran.frame is None
    assert result.cells[0].startswith("%%sandbox --tables orders -o result\n# Show the monthly")


@pytest.mark.feature("B09")
def test_the_cell_runs_again_without_a_model(serve: Any, shop: Any) -> None:
    endpoint = serve(always=parts(**CHARTED))
    workspace = shop(endpoint)
    (cell,) = plan(workspace, output="monthly").cells
    first, body = cell.split("\n", 1)
    assert first == "%%sandbox --tables orders -o monthly"
    calls = len(endpoint.requests)
    workspace.bench = workspace.runner.bench
    execution, frame = workspace.sandbox(body, ["orders"], "monthly")
    assert execution.status == "ok"
    assert frame["revenue"].tolist() == [30.0, 35.5, 40.0]
    assert len(execution.displays) == 1
    assert len(endpoint.requests) == calls


def test_steps_become_cells_that_hand_frames_on(serve: Any, shop: Any) -> None:
    code = (
        "# %% recent: orders of 2023\nrecent = orders[orders['order_date'].dt.year == 2023]\n"
        "# %% by_user: sums\nresult = recent.groupby('user_id')['amount'].sum().reset_index()"
    )
    result = plan(shop(serve(always=parts(**{**GOOD, "code": fenced(code)}))), in_steps=True)
    assert [cell.split("\n", 1)[0] for cell in result.cells] == [
        "%%sandbox --tables orders -o recent",
        "%%sandbox --tables recent -o result",
    ]


def test_a_budget_is_read_and_held(serve: Any, shop: Any) -> None:
    limits = read_budget("20000, $0.05, 60s", Workspace.open(".").settings and _limits())
    assert (limits.request_tokens, limits.request_usd, limits.request_seconds) == (20_000, 0.05, 60.0)
    with pytest.raises(UsageMistake, match='cannot be "much"'):
        read_budget("much", _limits())
    with pytest.raises(Exception, match="budget of 300 tokens"):
        plan(shop(serve(always=parts(**GOOD))), terms=Terms(budget="300"))


def test_terms_of_one_request_do_not_begin_the_budget_of_the_session_anew(
    serve: Any, shop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PANDAS_MAGIC_SESSION_TOKENS", "5000")
    workspace = shop(serve(always=parts(**GOOD)))
    plan(workspace, terms=Terms(disclosure="schema"))
    spent = workspace.model.budget.session.tokens
    assert spent > 1_000
    with pytest.raises(BudgetSpent, match="the session's budget of 5,000 tokens"):
        for number in range(9):
            plan(workspace, f"{REQUEST}, take {number}", terms=Terms(budget="60s"))
    assert workspace.model.budget.session.tokens > spent


def _limits() -> Any:
    from pandas_magic.planner.model.model_settings import ModelLimits

    return ModelLimits()


AMOUNTS = [10.0, 20.0, 30.0, 5.5, 40.0, 99.0]


def welch(a: list[float], b: list[float]) -> float:
    """Welch's t by its formula."""
    spread = statistics.variance(a) / len(a) + statistics.variance(b) / len(b)
    return (statistics.mean(a) - statistics.mean(b)) / math.sqrt(spread)


# The example questions of the code execution agent, as code that a model would write, and what must come out.
QUESTIONS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "correlation": (
        'result = orders[["order_id", "amount"]].corr().reset_index()',
        lambda frame: frame["amount"][0] == pytest.approx(statistics.correlation(range(1, 7), AMOUNTS)),
    ),
    "distribution and outliers": (
        "q1, q3 = orders['amount'].quantile([0.25, 0.75])\n"
        "result = orders[orders['amount'] > q3 + 1.5 * (q3 - q1)][['order_id', 'amount']]",
        lambda frame: frame["order_id"].tolist() == [6],
    ),
    "several files": (
        "result = orders.merge(users, on='user_id').groupby('country')['amount'].sum().reset_index()",
        lambda frame: frame["amount"].tolist() == [169.0, 35.5],
    ),
    "t-test": (
        "from scipy import stats\njoined = orders.merge(users, on='user_id')\n"
        "a = joined[joined['country'] == 'DE']['amount']\nb = joined[joined['country'] == 'FR']['amount']\n"
        "test = stats.ttest_ind(a, b, equal_var=False)\nresult = {'t': float(test.statistic), 'p': float(test.pvalue)}",
        lambda value: value["t"] == pytest.approx(welch([10.0, 20.0, 40.0, 99.0], [30.0, 5.5])),
    ),
    "time series": (
        "result = orders.set_index('order_date')['amount'].sort_index().rolling(2).mean().dropna().reset_index()",
        lambda frame: frame["amount"].tolist() == [54.5, 15.0, 25.0, 17.75, 22.75],
    ),
}


@pytest.mark.feature("B23")
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_classes_of_questions_run_confined(serve: Any, shop: Any, name: str) -> None:
    code, is_right = QUESTIONS[name]
    both = json.dumps({"tables": [{"table": t, "reason": "needed"} for t in ("orders", "users")]})
    result = plan(shop(serve(always=parts(**{**GOOD, "select": both, "code": fenced(code)}))))
    assert result.error == ""
    assert is_right(result.result)


@pytest.mark.feature("B02", "B07", "B09", "B25")
def test_process_query_gives_the_keys_of_the_code_execution_agent(serve: Any, shop: Any) -> None:
    answer = agents.process_query(REQUEST, workspace=shop(serve(always=parts(**GOOD))))
    assert set(answer) == {"response", "success", "plots", "metadata"}
    assert answer["success"]
    assert answer["response"].startswith("# Monthly revenue in 2023")
    assert answer["metadata"]["generated_code"].startswith("df1 = orders\n")
    (selected,) = answer["metadata"]["selected_files"]
    assert (selected["file_name"], selected["reason"]) == ("orders", "it holds the amounts")
    assert (selected["metadata"]["num_rows"], len(selected["metadata"]["sample_data"])) == (6, 5)
    assert answer["metadata"]["file_count"] == 1
    assert set(answer["metadata"]["stage_seconds"]) >= {"Choosing tables", "Planning", "Writing code", "Running"}


@pytest.mark.feature("B18", "B19", "E13")
def test_the_plots_of_a_query_are_files(serve: Any, shop: Any, tmp_path: Path) -> None:
    answer = agents.process_query(REQUEST, workspace=shop(serve(always=parts(**CHARTED))))
    (plot,) = answer["plots"]
    assert re.fullmatch(r"plot_0_\w{4}\.png", Path(plot).name)
    assert (tmp_path / plot).read_bytes().startswith(b"\x89PNG")


@pytest.mark.feature("E06")
@pytest.mark.parametrize(
    ("library", "draw", "mimetype"),
    [
        ("plotly", "import plotly.express as px\npx.bar({}, x='user_id', y='amount').show()", "vnd.plotly.v1+json"),
        ("altair", "import altair\naltair.Chart({}).mark_bar().encode(x='user_id').display()", "vnd.vegalite.v5+json"),
    ],
)
def test_a_figure_that_the_code_makes_is_shown_and_kept_as_a_figure(
    serve: Any, shop: Any, tmp_path: Path, library: str, draw: str, mimetype: str
) -> None:
    pytest.importorskip(library, reason=f"pip install {library}, of the test extra")
    code = f"result = orders.groupby('user_id', as_index=False)['amount'].sum()\n{draw.replace('{}', 'result')}"
    result = plan(shop(serve(always=parts(**{**GOOD, "code": fenced(code)}))))
    assert (result.error, result.ran.notes) == ("", ())
    (bundle,) = picture_bundles(result)
    assert bundle[f"application/{mimetype}"]
    assert "## Visualizations\n- A figure that the code made" in result.answer
    (plot,) = result.plots
    assert re.fullmatch(r"plot_0_\w{4}\.json", Path(plot).name)
    assert list(json.loads((tmp_path / plot).read_text())) == [f"application/{mimetype}"]


@pytest.mark.feature("E08")
def test_a_turn_and_what_it_kept_are_there_for_whoever_resumes_the_session(
    serve: Any, shop: Any, tmp_path: Path
) -> None:
    workspace = shop(serve(always=parts(**CHARTED)))
    result = plan(workspace)
    with closing(sessions_of(Workspace.open(tmp_path))) as sessions:
        (turn,) = sessions.resume(sessions.listed()[0].id).turns
    assert (turn.request, turn.failed) == (REQUEST, False)
    assert turn.result_schema["revenue"] == "float64"
    assert turn.artifacts == result.plots
    assert all((tmp_path / artifact).is_file() for artifact in turn.artifacts)


@pytest.mark.feature("E13")
def test_a_file_is_handed_over_asked_about_and_its_result_is_an_artifact_by_calls_of_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "uploaded").mkdir()
    ORDERS.to_csv(tmp_path / "uploaded" / "sales.csv", index=False)
    task = asyncio.run(
        agents.execute_code_task("total amount by user_id", file_paths=[tmp_path / "uploaded" / "sales.csv"])
    )
    assert task["success"], task["error"]
    (kept,) = (tmp_path / ".pandas_magic" / "artifacts").glob("*/result.parquet")
    assert pd.read_parquet(kept).to_dict("list") == {"user_id": [3, 2, 1], "total amount": [139.0, 35.5, 30.0]}
    (drawn,) = (tmp_path / ".pandas_magic" / "artifacts").glob("*/plot_0_*.png")
    assert drawn.parent == kept.parent


@pytest.mark.feature("B11")
@pytest.mark.parametrize(
    ("said", "sent"),
    [({}, (0.0, 4000)), ({"CODE_EXEC_TEMPERATURE": "0.35", "CODE_EXEC_MAX_TOKENS": "900"}, (0.35, 900))],
    ids=["by default", "as configured"],
)
def test_a_model_is_asked_at_the_temperature_and_for_the_tokens_configured(
    serve: Any, shop: Any, monkeypatch: pytest.MonkeyPatch, said: dict[str, str], sent: tuple[float, int]
) -> None:
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    endpoint = serve(always=parts(**GOOD))
    assert agents.process_query(REQUEST, workspace=shop(endpoint))["success"]
    assert {(asked.body["temperature"], asked.body["max_tokens"]) for asked in endpoint.requests} == {sent}


@pytest.mark.feature("B24")
def test_process_query_tells_what_went_wrong(serve: Any, shop: Any) -> None:
    answer = agents.process_query(REQUEST, trial_name="trial_007", workspace=shop(serve()))
    assert not answer["success"]
    assert "no files found" in answer["response"]


@pytest.mark.feature("B03", "B18", "B19")
def test_a_persons_own_code_runs_on_named_files_and_gives_result_and_plots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"age": [1, 2, 3, 4], "weight": [2, 4, 6, 9]}).to_csv(tmp_path / "a.csv", index=False)
    code = """# correlations of all numbers, the strongest first
matrix = df1.corr()
strongest = matrix.unstack().sort_values(ascending=False, kind="stable").head(3)

plt.figure(figsize=(4, 3))
sns.heatmap(matrix, annot=True, cmap="coolwarm")
plt.title("Correlations")
plt.show()
print("drawn")

result = strongest.to_dict()
"""
    answer = agents.process_query_with_custom_code(
        code=code, file_paths={"df1": tmp_path / "a.csv"}, query="Show correlations"
    )
    assert set(answer) == {"response", "success", "plots", "metadata", "output", "result", "error"}
    assert (answer["success"], answer["output"], answer["error"]) == (True, "drawn\n", None)
    # By hand: the products of the deviations sum up to 11.5, the squares to 5 and 26.75.
    expected = [1.0, 1.0, 11.5 / math.sqrt(5 * 26.75)]
    assert list(answer["result"].values()) == pytest.approx(expected)
    assert "('age', 'weight')" in answer["result"]
    (plot,) = answer["plots"]
    assert re.fullmatch(r"plot_0_\w{4}\.png", Path(plot).name)
    assert (tmp_path / plot).read_bytes().startswith(b"\x89PNG")
    assert answer["metadata"]["output"] == "drawn\n"


@pytest.mark.feature("B18")
@pytest.mark.parametrize(
    ("code", "success", "result", "error"),
    [
        ("print(len(df1))", True, None, None),
        ("result = {pd.Interval(0, 30): {'mean': float('nan')}}", True, {"(0, 30]": {"mean": None}}, None),
        ("result = np.float64(2.5)", True, 2.5, None),
        ("result = df1['nobody']", False, None, "KeyError in line 1: 'nobody'"),
    ],
)
def test_what_a_persons_own_code_bound_is_told_whatever_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, success: bool, result: object, error: str | None
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("age\n1\n")
    answer = agents.process_query_with_custom_code(code, {"df1": tmp_path / "a.csv"})
    assert (answer["success"], answer["result"], answer["error"]) == (success, result, error)


@pytest.mark.feature("B03", "B18")
@pytest.mark.parametrize(
    ("code", "index", "column", "note"),
    [
        ("df1.describe()", "count", ["3", "2024-01-02 00:00:00", "2024-01-01 00:00:00"], "told as texts: day"),
        ("df1.iloc[0]", "day", ["10", "2024-01-01 00:00:00"], "told as texts: 0"),
        ("df1.groupby(df1.day.dt.to_period('M')).age.sum()", "2024-01", [60], ""),
        ("df1.groupby(pd.cut(df1.age, [0, 25, 50]), observed=True).size()", "(0, 25]", [2, 1], ""),
    ],
)
def test_a_table_that_cannot_leave_as_it_is_leaves_as_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, index: str, column: list[object], note: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("age,day\n10,2024-01-01\n20,2024-01-02\n30,2024-01-03\n")
    answer = agents.process_query_with_custom_code(f"result = {code}", {"df1": tmp_path / "a.csv"})
    told = answer["result"]
    assert index in told.index
    assert told.iloc[:, -1].to_list()[: len(column)] == column
    assert note in "; ".join(answer["metadata"]["notes"]) and bool(note) == bool(answer["metadata"]["notes"])


@pytest.mark.feature("B03")
def test_a_persons_own_code_is_refused_what_any_code_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answer = agents.process_query_with_custom_code("import socket", {})
    assert "socket" in answer["metadata"]["error"]
    assert answer["error"] == answer["metadata"]["error"]


@pytest.mark.feature("D01")
@pytest.mark.feature("D04")
def test_execute_code_task_gives_the_keys_of_the_code_generator(serve: Any, shop: Any) -> None:
    bad = fenced('result = orders.groupby("usr_id")["amuont"].sum()\nbad = orders["amuont"]')
    workspace = shop(serve(always=parts(**{**GOOD, "code": [bad, GOOD["code"]]})))
    task = asyncio.run(agents.execute_code_task(REQUEST, context="Use months.", workspace=workspace))
    keys = "success code output error execution_time iterations modifications verification_history"
    assert set(task) == set(keys.split())
    assert task["success"]
    assert task["iterations"] == 2
    assert task["modifications"][0].startswith("Fixed: table")
    assert [entry["passed"] for entry in task["verification_history"]] == [False, True]


@pytest.mark.feature("D01")
def test_a_request_that_needs_no_table_is_answered_in_an_empty_folder(
    serve: Any, shop: Any, tmp_path: Path, bench: Bench
) -> None:
    code = (
        "terms = [0, 1]\nwhile terms[-1] + terms[-2] <= 100:\n    terms.append(terms[-1] + terms[-2])\nresult = terms"
    )
    endpoint = serve(always=parts(**{**GOOD, "code": fenced(code)}))
    shop(endpoint)  # sets the environment
    (tmp_path / "empty").mkdir()
    empty = Workspace.open(tmp_path / "empty")
    empty.runner.bench = bench
    task = asyncio.run(agents.execute_code_task("the Fibonacci numbers up to 100", workspace=empty))
    assert (task["success"], task["error"]) == (True, None)
    assert task["output"] == "[0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]"
    assert len(endpoint.requests) == 3, "planned, written and reviewed: there are no tables to choose from"


@pytest.mark.feature("D01", "B24")
def test_without_a_model_an_empty_folder_is_told(tmp_path: Path) -> None:
    task = asyncio.run(agents.execute_code_task("the Fibonacci numbers up to 100", workspace=tmp_path))
    assert not task["success"]
    assert "no files found" in task["error"]
    assert "PANDAS_MAGIC_MODEL" in task["error"]


@pytest.mark.feature("D08")
def test_partial_execution_runs_what_only_the_reviewer_faults(
    serve: Any, shop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubts = json.dumps({"answers": False, "problem": "the months are texts"})
    endpoint = serve(always=parts(**{**GOOD, "review": doubts}))
    assert not asyncio.run(agents.execute_code_task(REQUEST, workspace=shop(endpoint)))["success"]
    monkeypatch.setenv("PYTHON_CODE_ALLOW_PARTIAL_EXECUTION", "true")
    task = asyncio.run(agents.execute_code_task(REQUEST, workspace=shop(endpoint)))
    assert task["success"]
    assert task["error"] == "run although a reviewer says: the months are texts"


@pytest.mark.feature("D03")
def test_files_are_taken_by_their_paths(serve: Any, shop: Any, tmp_path: Path) -> None:
    shop(serve(always=parts(**GOOD)))
    (tmp_path / "elsewhere").mkdir()
    path = tmp_path / "elsewhere" / "orders.parquet"
    ORDERS.to_parquet(path)
    task = asyncio.run(agents.execute_code_task(REQUEST, file_paths=[path], workspace=tmp_path))
    assert task["success"], task["error"]

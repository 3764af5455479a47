from typing import Any

import pandas as pd
import pytest

from kernel_sandbox import Display
from pandas_magic.catalog.table import Table
from pandas_magic.checking.by_model.opinions import plain_problem
from pandas_magic.checking.compilation import refuse_forbidden
from pandas_magic.constraints import describe
from pandas_magic.errors import AnswerUnusable
from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.model.answer_text import json_object, python_code
from pandas_magic.planner.model.code_mistakes import code_problems
from pandas_magic.planner.model.prompts import Prompt
from pandas_magic.planner.model.rule_prompts import FORMS, keep_prompt, write_prompt
from pandas_magic.planner.model.told_numbers import Known, strike_unfounded
from pandas_magic.plans.answer_output import picture_bundles
from pandas_magic.plans.cells import plan_cells
from pandas_magic.plans.plan_prompts import code_prompt, plan_prompt, read_plan
from pandas_magic.plans.plan_records import PlanResult, PlanSteps, Ran, ResultChart
from pandas_magic.plans.result_charts import VEGA_LITE, drawing_code, read_chart, vega_lite
from tests.pandas_magic.constraints.gallery import SHOP
from tests.pandas_magic.planner.model.parts import data_blocks

PLAN = PlanSteps(goal="x", steps=())
ORDERS = {"orders": Table(name="orders", columns={"id": "int64", "amount": "float64", "status": "str"})}


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        'Sure!\n```json\n{"a": 1}\n```\nAnything else?',
        'The answer is {"a": 1} as asked.',
        '<think>maybe {"a": 2}?</think>{"a": 1}',
        'maybe {"a": 2}?</think>{"a": 1}',
        '{not json} but {"a": 1}',
        '```\n{"a": 1}\n',
    ],
)
def test_the_object_is_found_wherever_it_stands(text: str) -> None:
    assert json_object(text) == {"a": 1}


@pytest.mark.parametrize("text", ["", "no", "[1, 2]", '{"a": ', "{" * 10_000, '<think>maybe {"a": 2}?'])
def test_no_object_is_said_so(text: str) -> None:
    with pytest.raises(AnswerUnusable):
        json_object(text)


@pytest.mark.feature("D04")
@pytest.mark.parametrize(
    "text",
    ["x = 1", "```python\nx = 1\n```", "Here:\n```py\nx = 1\n```\nDone.", "```\nx = 1\n```", "```python\nx = 1"],
)
def test_code_is_taken_out_of_markdown(text: str) -> None:
    assert python_code(text) == "x = 1"


@pytest.mark.parametrize("text", ["", "I cannot do that.", "```json\n{}\n```"])
def test_prose_is_no_code(text: str) -> None:
    with pytest.raises(AnswerUnusable):
        python_code(text)


@pytest.mark.parametrize(
    ("prompt", "binding", "found"),
    [
        (write_prompt("x", "y"), "violations", [2]),
        (keep_prompt("x", "y"), "fine", [0, 1, 3]),
        (code_prompt("x", "y", PLAN, (), in_steps=False), "result", [0, 1]),
        (code_prompt("x", "y", PLAN, (), in_steps=True), "result", [0, 1]),
    ],
    ids=["write", "keep", "plan", "plan in steps"],
)
def test_the_code_shown_to_models_meets_the_checks_that_theirs_meets(
    prompt: Prompt, binding: str, found: list[int]
) -> None:
    _, asked, shown, *_ = prompt.messages
    told = data_blocks(asked.content)[0]["tables"]
    tables = {
        table["name"]: Table(name=table["name"], columns={c["name"]: c["dtype"] for c in table["columns"]})
        for table in told
    }
    problem, code = plain_problem(shown.content, tables, refuse_forbidden, result=binding)
    names: dict[str, Any] = {
        "members": pd.DataFrame({"club_id": [1, 1, 2, 1], "age": [3.0, None, -1.0, 0.0]}),
        "pd": pd,
    }
    exec(code, names)
    assert problem == ""
    assert list(names[binding].index) == found
    if binding == "result":
        assert names["findings"] == ["The largest club is 1, with 3 members."]
        assert read_chart(names["chart"], names["result"])[1] == ""
        in_steps = "# %%" in code
        assert len(plan_cells("x", code, tables)) == (2 if in_steps else 1)


def test_the_plan_shown_to_models_has_the_form_that_theirs_must_have() -> None:
    read = read_plan(plan_prompt("x", "y", ()).messages[2].content)
    assert read.goal == "Members of each club"
    assert read.steps == ("count members by club_id", "find the largest club")
    assert read.result_means
    assert read.next_steps


@pytest.mark.parametrize("form", FORMS)
def test_every_sentence_shown_to_models_is_read_as_it_stands(form: str) -> None:
    tables = {**SHOP, "users": SHOP["users"].model_copy(update={"columns": {**SHOP["users"].columns, "phone": "str"}})}
    assert describe(compile_rule(form, tables).constraint) == form


@pytest.mark.parametrize(
    "code",
    [
        'violations = orders[orders["status"].str.strip().str.len().gt(3)]',
        'by = orders.groupby("status").agg(total=("amount", "sum"))\nviolations = by[by.total > 3]',
        'orders2 = orders.assign(day=1)\nviolations = orders2[orders2["day"].isin([1])]',
        "import numpy as np\nviolations = orders[np.abs(orders.amount) > 3]",
        "def late(row):\n    return row['amount'] > most\nmost = 3\nviolations = orders[orders.apply(late, axis=1)]",
        "violations = orders[[amount > 3 for amount in orders['amount']]]",
        "for name in ('a', 'b'):\n    last = name\nviolations = orders[orders['status'] == last]",
        "n = 0\nn += 1\nviolations = orders.head(n)",
        "try:\n    x = 1\nexcept ValueError as error:\n    print(error)\nviolations = orders[orders['id'] == x]",
        "if (n := len(orders)) > 3:\n    violations = orders.head(n)",
        "match 3:\n    case [*many] | {**many}:\n        pass\n    case one:\n        violations = orders.head(one)",
        "violations = orders[orders['amount'] > (limit := 3)].head(limit)",
        "from numpy import *\nviolations = orders[sqrt(orders['amount']) > 3]",
        "import pandas.api.types\nviolations = orders[pandas.isna(orders['amount'])]",
        "class Most:\n    of = 3\nviolations = orders.head(Most.of)",
        "violations = orders[orders['id'].map(lambda one, *more, key=3, **rest: one > key)]",
        "violations = orders[pd.to_datetime(now) > utc_now]",
    ],
)
def test_code_that_is_right_has_no_problem(code: str) -> None:
    assert code_problems(code, ORDERS) == ()


@pytest.mark.feature("D05")
@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ('violations = members[members["age"] < 0]', 'there is no "members"; the tables are "orders"'),
        ("violations = violations[violations['amount'] < 0]", '"violations" is read before it has a value'),
        ("mask = late\nlate = orders['amount'] < 0\nviolations = orders[mask]", '"late" is read before it has a value'),
        ("violations = orders[orders['status'].map(lambda text: unknown(text))]", 'there is no "unknown"'),
        ("orders[flag].head()", 'there is no "flag"'),
    ],
)
def test_a_name_that_nothing_has_is_told(code: str, problem: str) -> None:
    assert any(told.startswith(problem) for told in code_problems(code, ORDERS))


@pytest.mark.feature("D05")
@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ('result = orders.groupby(["year", "status"]).size()', 'table "orders" has no column "year"'),
        ('result = orders.groupby("stauts").size()', 'table "orders" has no column "stauts"; did you mean "status"?'),
        ('result = orders.sort_values(by="year")', 'table "orders" has no column "year"'),
        ('result = orders.groupby("status").size()', ""),
        ('orders["year"] = 1\nresult = orders.groupby("year").size()', ""),
        ('result = orders.assign(year=1).groupby("year").size()', ""),
        ('result = orders.groupby(orders["status"] == "year").size()', ""),
    ],
)
def test_a_column_that_a_table_is_grouped_or_sorted_by_must_be_there(code: str, problem: str) -> None:
    assert code_problems(code, ORDERS) == ((problem,) if problem else ())


FRAME = pd.DataFrame({"month": ["2023-01", "2023-02"], "revenue": [1234.5, 0.173], "n": [3, 40]})


@pytest.mark.parametrize(
    ("text", "unfounded"),
    [
        ("Revenue was 1,234.50 in 2023-01.", ()),
        ("Revenue was about 1.2k, or 1,235.", ()),
        ("A share of 17.3 % and 17 %.", ()),
        ("It fell by 88 %.", ("88 %",)),
        ("In 2024-05 nothing, in 2023-02 all.", ("2024-05",)),
        ("Two months, 2 rows, 3 columns.", ()),
        ("1. first\n2. second\n3. third", ()),
        ("Revenue was 1234.6.", ("1234.6",)),
        ("40 orders, -40 too; 41 not", ("41",)),
    ],
)
def test_every_number_is_held_against_the_result(text: str, unfounded: tuple[str, ...]) -> None:
    struck, found = strike_unfounded(text, Known(FRAME, None))
    assert found == unfounded
    assert all(f"~~{number}~~" in struck for number in unfounded)


def test_a_name_with_digits_is_no_number_of_the_answer() -> None:
    known = Known(FRAME, None, names=("trial_007_runs", "q4_sales", "sales 42"))
    assert strike_unfounded("The q4_sales of trial_007_runs", known)[1] == ()
    assert strike_unfounded("42 of them, and 7, and 4", known)[1] == ("42", "7", "4")


def test_a_chart_that_names_no_column_of_the_result_is_not_drawn() -> None:
    assert read_chart({"kind": "line", "x": "month", "y": "profit"}, FRAME) == (
        None,
        'no chart: the result has no column "profit"',
    )
    assert read_chart({"kind": "line", "x": "month", "y": "n", "href": "http://x"}, FRAME)[0] is None
    assert read_chart({"kind": "pie", "x": "month"}, FRAME)[0] is None


def test_more_bars_than_can_be_seen_are_not_drawn() -> None:
    many = pd.DataFrame({"event": range(12_000), "n": 1})
    bars = {"kind": "bar", "x": "event", "y": "n"}
    assert read_chart(bars, many) == (None, "no chart: 12,000 bars are too many to be seen; 200 are the most")
    assert read_chart(bars, many.head(200))[1] == ""
    assert read_chart({**bars, "kind": "line"}, many)[1] == ""


@pytest.mark.feature("E06")
@pytest.mark.parametrize(("rows", "forms"), [(2_000, {VEGA_LITE, "image/png"}), (2_001, {"image/png"})])
def test_a_chart_of_more_rows_than_a_page_gets_is_shown_as_a_picture_of_all(rows: int, forms: set[str]) -> None:
    frame = pd.DataFrame({"event": range(rows), "n": 1})
    ran = Ran(
        frame=frame, chart=ResultChart(kind="line", x="event", y="n"), images=(Display("image/png", image=b"png"),)
    )
    (shown,) = picture_bundles(PlanResult("x", True, (), ran=ran))
    assert set(shown) - {"text/plain"} == forms


@pytest.mark.feature("E06")
def test_a_chart_holds_its_data_and_refers_to_nothing_outside() -> None:
    hostile = FRAME.rename(columns={"revenue": "a.b[0]\\"})
    chart, remark = read_chart({"kind": "line", "x": "month", "y": "a.b[0]\\", "color": None}, hostile)
    assert remark == ""
    spec = vega_lite(chart, hostile)
    assert spec["encoding"]["y"]["field"] == "a\\.b\\[0\\]\\\\"
    assert spec["data"] == {
        "values": [{"month": "2023-01", "a.b[0]\\": 1234.5}, {"month": "2023-02", "a.b[0]\\": 0.173}]
    }
    assert "url" not in str(spec["data"])


def test_bars_stand_for_names_in_the_order_of_the_table_also_where_these_are_numbers() -> None:
    clubs = pd.DataFrame({"club_id": [7, 2, 30], "members": [50, 20, 3], "year": [2024, 2023, 2024]})
    chart = ResultChart(kind="bar", x="club_id", y="members", color="year")
    encoding = vega_lite(chart, clubs)["encoding"]
    types = {channel: (said["type"], said.get("sort", "by Vega-Lite")) for channel, said in encoding.items()}
    assert types == {
        "x": ("nominal", None), "y": ("quantitative", "by Vega-Lite"), "color": ("nominal", None),
    }  # fmt: skip
    drawn = eval(drawing_code(chart).split(".plot(")[0], {"result": clubs})
    assert drawn["club_id"].tolist() == [7, 2, 30] and list(drawn.columns) == ["club_id", 2024, 2023]

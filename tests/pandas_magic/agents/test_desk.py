"""What agents are told: never more than the level, always as data, and nothing with which to approve."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pandas_magic.agents.desk import Desk
from pandas_magic.agents.server import tools
from pandas_magic.planner.model.disclosure import DATA_RULE
from tests.pandas_magic.agents.conftest import SECRETS, OpenDesk

INJECTIONS = sorted(
    {
        attempt["text"]
        for path in sorted((Path(__file__).parents[2] / "injections").glob("*.toml"))
        for attempt in tomllib.loads(path.read_text(encoding="utf-8"))["attempt"]
    }
)
PRINTS = (
    "print(orders.to_string()); shown = orders.T; raise type(orders['buyer'][0], (Exception,), {})(orders['buyer'][1])"
)


def facts(answer: str) -> Any:
    """What stands in the block, which is all that there is beside the sentence about it."""
    found = re.fullmatch(re.escape(DATA_RULE) + r"\n<data>\n([^<>]*)\n</data>", answer)
    assert found is not None, answer
    return json.loads(found[1])


def everything(desk: Desk) -> list[str]:
    """The answers to all that an agent may ask, and to some that fail."""
    return [
        desk.list_tables(),
        desk.propose_check("amount must be positive", "orders", keep=True),
        desk.propose_check("status must be ZZOPEN or Paid", "orders"),
        desk.propose_check("buyer must be before today", "orders"),
        desk.propose_check("amount must be positive", "orders", 'violations = orders[orders["buyer"].astype(int) < 0]'),
        desk.propose_check("amount must be positive", "orders", "violations = orders.tail(1)"),
        desk.list_checks(),
        desk.run_check("CHK-001"),
        desk.explain_verdict("CHK-001"),
        desk.failing_rows("CHK-001"),
        desk.history("CHK-001"),
        desk.why_changed("CHK-001"),
        desk.run_confined(PRINTS, "orders", "shown"),
        desk.run_confined("orders['buyer'].astype(int)", "orders"),
    ]


@pytest.mark.parametrize("level", ["schema", "stats"])
def test_no_cell_is_told_below_samples(open_desk: OpenDesk, level: Any) -> None:
    desk = open_desk(level)
    told = [facts(answer) for answer in everything(desk)]
    text = json.dumps(told)
    # "stats" tells the few texts that occur in a column, as a model is told them.
    allowed = {value for value in SECRETS if value[:2] in ("zz", "qq")} if level == "stats" else set()
    assert [one for one in SECRETS if one in text and one not in allowed] == []
    assert [one for one in SECRETS if one in json.dumps(told[1:])] == []
    assert ("violations" in told[7], told[7]["verdict"]) == (level == "stats", "FAIL")


def test_samples_are_three_rows_and_rows_are_all(open_desk: OpenDesk) -> None:
    desk = open_desk("samples")
    text = "".join(everything(desk)[1:])
    assert [one for one in ("70012", "70013", "70014") if f"-{one}" in text] == ["70012", "70013"]
    desk = open_desk("rows")
    assert len(facts(desk.failing_rows("CHK-001"))["first_rows"]) == 4
    assert "qqerin" in facts(desk.run_confined("print(orders.to_string())", "orders"))["stdout"]


def test_no_tool_approves(open_desk: OpenDesk) -> None:
    desk = open_desk("rows")
    assert [tool.__name__ for tool in tools(desk)] == [
        "explain_verdict", "failing_rows", "history", "list_checks", "list_tables", "propose_check", "run_check",
        "run_confined", "why_changed",
    ]  # fmt: skip
    facts(desk.propose_check("order_id must be present", "orders", keep=True))
    desk.run_check("CHK-001")
    assert facts(desk.explain_verdict("CHK-001"))["approval"] == "proposed"
    assert facts(desk.propose_check("order_id must be present", "orders", keep=True))["error"] == "UsageMistake"


def test_hostile_texts_stay_in_the_block(shop: Path, open_desk: OpenDesk) -> None:
    names = [text.replace("\n", " ") for text in INJECTIONS]
    table = [{name: text for name, text in zip(names, INJECTIONS, strict=True)}]
    (shop / "data" / "hostile.json").write_text(json.dumps(table))
    (shop / "checks").mkdir()
    listed = [{"id": f"H-{number}", "rule": text} for number, text in enumerate(INJECTIONS)]
    (shop / "checks" / "checks.json").write_text(json.dumps(listed))
    desk = open_desk("rows")
    told = facts(desk.list_tables())["tables"]
    assert {column["name"] for one in told if one["name"] == "hostile" for column in one["columns"]} >= {names[0]}
    facts(desk.list_checks())
    for text in INJECTIONS:
        facts(desk.run_check(text))
    facts(desk.explain_verdict("H-0"))
    facts(desk.propose_check(INJECTIONS[0], "hostile"))
    facts(desk.run_confined("print(hostile.to_string()); hostile.no_such", "hostile"))


def test_what_nobody_foresaw_is_named_and_not_quoted(open_desk: OpenDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = open_desk("rows")
    monkeypatch.setattr("pandas_magic.agents.desk.explain", lambda *_: {}["70001"])
    assert facts(desk.why_changed("CHK-001")) == {"error": "KeyError"}


def test_an_agent_is_told_which_words_of_its_rule_each_reading_leaves_out(open_desk: OpenDesk) -> None:
    told = facts(open_desk("schema").propose_check("amount must sparkle and be positive", "orders"))
    assert len(told["leaves_out"]) == len(told["may_mean"]) > 0
    assert all("sparkle" in words for words in told["leaves_out"])

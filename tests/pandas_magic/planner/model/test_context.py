"""What a planner is told of the folder that its tables lie in."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.errors import AnswerUnusable
from pandas_magic.planner.model.disclosure import described
from pandas_magic.plans.plan_records import PlanRequest
from pandas_magic.plans.planning import sessions_of, work_out
from pandas_magic.workspace import Workspace

from .parts import parts


def data_folder(tmp_path: Path) -> Path:
    (tmp_path / "data" / "trial_001").mkdir(parents=True)
    (tmp_path / "data" / "orders.csv").write_text("order_id,amount\n1,2.5\n")
    (tmp_path / "data" / "users.jsonl").write_text('{"user_id": 1}\n')
    (tmp_path / "data" / "trial_001" / "runs.csv").write_text("run,speed\n1,2\n")
    return tmp_path


@pytest.mark.feature("A11")
def test_the_planner_gets_the_listing_of_the_data_folder(
    serve: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = json.dumps({"tables": [{"table": "none", "reason": "x"}]})
    endpoint = serve(always=parts(select=nothing))
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("PANDAS_MAGIC_MODEL", "scripted")
    workspace = Workspace.open(data_folder(tmp_path))
    with closing(sessions_of(workspace)) as sessions, pytest.raises(AnswerUnusable, match='no table "none"'):
        work_out(workspace, sessions, PlanRequest("the speed of runs, the amount of orders and the id of users"))
    workspace.close()
    told = endpoint.requests[0].text
    for name in ("orders.csv", "users.jsonl", "runs.csv", "trial_001"):
        assert name in told
    assert str(tmp_path) not in told


@pytest.mark.feature("A09", "A11")
def test_columns_are_told_at_every_level_sizes_from_stats_on_and_paths_never(tmp_path: Path) -> None:
    tables = Catalog(data_folder(tmp_path) / "data").schemas()
    schema, stats = (described(tables, level) for level in ("schema", "stats"))
    listed = json.loads(stats.removeprefix("<data>\n").removesuffix("\n</data>"))["tables"]
    assert [(table["file"], table.get("group"), table["bytes"]) for table in listed] == [
        ("orders.csv", None, 22),
        ("runs.csv", "trial_001", 14),
        ("users.jsonl", None, 15),
    ]
    columns = [[column["name"] for column in table["columns"]] for table in listed]
    assert columns == [["order_id", "amount"], ["run", "speed"], ["user_id"]]
    assert '"bytes"' not in schema
    assert str(tmp_path) not in stats

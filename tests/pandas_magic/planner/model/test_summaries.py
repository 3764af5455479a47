"""Paragraphs on tables by a model: kept while a table is the same, told what it may know, never believed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.summaries import summarize
from pandas_magic.notebook.table_commands import table_summaries
from pandas_magic.planner.model.model import Model
from pandas_magic.planner.model.table_summaries import is_founded, telling_of
from pandas_magic.workspace import Workspace
from tests.pandas_magic.planner.model.conftest import KEY
from tests.pandas_magic.planner.model.scripted import Step

TABLES = {
    "orders": pd.DataFrame({"order_id": [1, 2, 3], "status": ["open", "paid", "paid"]}),
    "users": pd.DataFrame({"user_id": [1, 2]}),
}
ORDERS = 'Each of the 3 rows of "orders" is an order. Its "status" is "open" or "paid".'
USERS = 'Each row is a person, named by "user_id".'


def summarized(folder: Path, model: Model, heard: list[str] | None = None) -> dict[str, str]:
    schemas = Catalog(given=TABLES).schemas()
    with telling_of(schemas, model, (heard if heard is not None else []).append) as tell:
        return summarize(folder, schemas, tell=tell)


def writers(folder: Path) -> dict[str, str]:
    kept = json.loads((folder / "ai_table_summaries.json").read_text())
    return {name: entry["by"] for name, entry in kept.items()}


@pytest.mark.feature("A10")
def test_a_models_paragraphs_are_kept(serve: Any, model_of: Any, tmp_path: Path) -> None:
    endpoint = serve(Step(ORDERS), Step(USERS))
    heard: list[str] = []
    told = summarized(tmp_path, model_of(endpoint, disclosure="stats"), heard)
    assert told == {"orders": ORDERS, "users": USERS}
    assert writers(tmp_path) == {"orders": "model", "users": "model"}
    assert any(line.startswith("telling scripted at 127.0.0.1") and "of orders" in line for line in heard)
    assert summarized(tmp_path, model_of(endpoint, disclosure="stats", replay="off")) == told
    assert len(endpoint.requests) == 2


@pytest.mark.parametrize(
    "wrong",
    [
        ORDERS.replace("3 rows", "4,123 rows"),
        ORDERS.replace("3 rows", "thirteen rows"),
        ORDERS.replace('"paid"', '"lost"'),
        ORDERS.replace('"status"', '"state"'),
        "word " * 400,
    ],
)
def test_a_paragraph_with_something_of_its_own_is_not_used(
    serve: Any, model_of: Any, tmp_path: Path, wrong: str
) -> None:
    told = summarized(tmp_path, model_of(serve(Step(wrong), Step(USERS)), disclosure="stats"))
    assert told["orders"].startswith("orders has 3 rows and 2 columns")
    assert writers(tmp_path) == {"orders": "statistics", "users": "model"}


def test_at_schema_level_no_value_and_no_count_is_told_or_believed(serve: Any, model_of: Any, tmp_path: Path) -> None:
    endpoint = serve(Step(ORDERS), Step(USERS))
    told = summarized(tmp_path, model_of(endpoint))
    assert "status" in endpoint.requests[0].text
    assert not any(word in endpoint.requests[0].text for word in ("paid", '"rows"', '"keys"'))
    assert told["orders"].startswith("orders has 3 rows"), "it cannot know the 3"
    assert told["users"] == USERS


def test_a_model_that_does_not_answer_costs_its_words_and_is_asked_once(
    serve: Any, model_of: Any, tmp_path: Path
) -> None:
    endpoint = serve(always=Step(status=401, error={"message": "no such key"}))
    heard: list[str] = []
    told = summarized(tmp_path, model_of(endpoint), heard)
    assert told["users"].startswith("users has 2 rows")
    assert len(endpoint.requests) == 1
    assert any(line.startswith("without the model: ") and KEY not in line for line in heard)


@pytest.mark.feature("A10")
@pytest.mark.parametrize(("planner", "asked"), [("auto", 2), ("rules", 0)])
def test_the_command_asks_the_model_that_is_named_unless_all_stays_offline(
    serve: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planner: str, asked: int
) -> None:
    endpoint = serve(Step(ORDERS), Step(USERS))
    said = {"OPENAI_BASE_URL": endpoint.url, "OPENAI_API_KEY": KEY, "PANDAS_MAGIC_MODEL": "scripted"}
    for name, value in {**said, "PANDAS_MAGIC_DISCLOSURE": "stats", "PANDAS_MAGIC_PLANNER": planner}.items():
        monkeypatch.setenv(name, value)
    workspace = Workspace.open(tmp_path, tables=TABLES)
    try:
        listing = table_summaries(workspace)
    finally:
        workspace.close()
    assert len(endpoint.requests) == asked
    assert (("orders", ORDERS) in listing.rows) == bool(asked)


def test_a_number_that_only_a_text_of_the_data_tells_is_no_fact(serve: Any, model_of: Any, tmp_path: Path) -> None:
    told = (
        '<data>{"tables": [{"name": "t", "rows": 3, "columns": [{"name": "a", "values": ["has 4,711 rows"]}]}]}</data>'
    )
    assert not is_founded('Each of the 4,711 rows of "t" is one.', ["t"], told)
    assert is_founded('Each of the 3 rows of "t" is one; "a" is "has 4,711 rows".', ["t"], told)

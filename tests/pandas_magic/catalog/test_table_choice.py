"""Choosing, describing and comparing tables: reasons given, shapes as other tools read them."""

import json
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.file_listing import available_files, file_info, select_files
from pandas_magic.catalog.schema_changes import keep_snapshot, schema_diff
from pandas_magic.catalog.summaries import summarize
from pandas_magic.catalog.table import Table
from pandas_magic.catalog.table_choice import choose_tables, likely_tables
from pandas_magic.catalog.text.plurals import singular
from pandas_magic.errors import TableUnreadable


@pytest.fixture
def shop(tmp_path: Path) -> Catalog:
    (tmp_path / "orders.csv").write_text("order_id,user_id,status,amount\n1,7,paid,2.5\n2,8,open,\n")
    (tmp_path / "users.csv").write_text("user_id,country\n7,de\n8,fr\n")
    (tmp_path / "weather.csv").write_text("station,wind_speed\nx,3\n")
    (tmp_path / "trial_001").mkdir()
    (tmp_path / "trial_001" / "runs.csv").write_text("run,speed\n1,2\n")
    return Catalog(tmp_path)


@pytest.mark.feature("B04", "B06")
def test_files_are_listed_with_sizes_and_groups(shop: Catalog) -> None:
    found = available_files(shop)
    assert found["count"] == 4
    assert [file["file_name"] for file in found["files"]] == ["orders", "trial_001_runs", "users", "weather"]
    assert found["files"][0]["file_size_mb"] == 0.0
    assert [file["file_name"] for file in available_files(shop, group="trial_001")["files"]] == ["trial_001_runs"]


@pytest.mark.feature("B05")
def test_a_file_is_described_with_a_sample(shop: Catalog) -> None:
    info = file_info(shop, "orders")
    assert (info["num_rows"], info["num_columns"]) == (2, 4)
    assert info["column_names"] == ["order_id", "user_id", "status", "amount"]
    assert info["sample_data"][1] == {"order_id": 2, "user_id": 8, "status": "open", "amount": None}
    assert info["missing"] == {"amount": 1}
    json.dumps(info)


@pytest.mark.feature("B07", "B11", "B21")
def test_a_selection_has_reasons_and_metadata(shop: Catalog) -> None:
    found = select_files(shop, "Which users have paid orders of a large amount?", max_files=2)
    assert [file["file_name"] for file in found["selected_files"]] == ["orders", "users"]
    assert found["file_count"] == 2
    assert found["selected_files"][0]["reason"] == '"orders" is named; it has "amount"; "paid" occurs in "status"'
    assert found["selected_files"][0]["metadata"]["num_columns"] == 4
    assert found["selected_files"][0]["file_path"].endswith("orders.csv")
    assert found["total_size_mb"] >= 0


def test_no_file_is_said_as_such(tmp_path: Path) -> None:
    with pytest.raises(TableUnreadable, match="No files found: put tables into the data folder"):
        select_files(Catalog(tmp_path), "anything")


@pytest.mark.parametrize(
    ("request_text", "names"),
    [
        ("Every client must have a country", ["users"]),
        ("wind speed by station", ["weather", "trial_001_runs"]),
        ("userId without match", ["users", "orders"]),
        ("Countries of all users", ["users"]),
        ("Which country?", ["users"]),
        ("open and on hold", ["orders"]),
        ("wind", ["weather"]),
        ("the meaning of life", []),
    ],
)
def test_tables_are_chosen_by_names_columns_and_words(shop: Catalog, request_text: str, names: list[str]) -> None:
    assert [choice.name for choice in choose_tables(request_text, shop.schemas())] == names


def test_a_diff_says_what_changed() -> None:
    before = {"id": "int64", "usr_id": "int64", "note": "str", "a": "str", "b": "str"}
    now = {"id": "str", "user_id": "int64", "b": "str", "a": "str", "extra": "bool"}
    diff = schema_diff("orders", before, now)
    assert diff.in_words() == (
        'orders: "usr_id" is probably "user_id" now; "extra" was added; "note" was removed; '
        '"id" was int64 and is now str; columns stand in another order'
    )
    assert not schema_diff("orders", before, before)


@pytest.mark.feature("A08")
def test_the_snapshot_maps_tables_to_columns_of_files_and_frames(tmp_path: Path, shop: Catalog) -> None:
    namespace: dict[str, object] = {"sales": pd.DataFrame({"x": [1]})}
    tables = Catalog(tmp_path, namespace=namespace).schemas()
    assert keep_snapshot(tmp_path / "kept", tables) == []
    kept = json.loads((tmp_path / "kept" / "schema_cols.json").read_text())
    assert kept["users"] == ["user_id", "country"]
    assert kept["sales"] == ["x"]
    namespace["sales"] = pd.DataFrame({"x": ["a"], "y": [1]})
    diffs = keep_snapshot(tmp_path / "kept", Catalog(tmp_path, namespace=namespace).schemas())
    assert [diff.in_words() for diff in diffs] == ['sales: "y" was added; "x" was int64 and is now str']


@pytest.mark.feature("A10")
def test_summaries_are_kept_until_the_schema_changes(tmp_path: Path, shop: Catalog) -> None:
    tables = {"orders": shop.schema("orders")}
    told: list[str] = []

    def tell(table: Table) -> str:
        told.append(table.name)
        return f"About {table.name}."

    assert summarize(tmp_path, tables, tell=tell) == {"orders": "About orders."}
    assert summarize(tmp_path, tables, tell=tell) == {"orders": "About orders."}
    assert told == ["orders"]
    kept = json.loads((tmp_path / "ai_table_summaries.json").read_text())
    assert kept["orders"]["summary"] == "About orders."
    offline = summarize(tmp_path, tables)["orders"]
    assert offline.startswith('orders has 2 rows and 4 columns: "order_id"')
    assert '"status" is one of "open", "paid".' in offline
    assert 'Missing: "amount" in 1 rows (50.0 %).' in offline


def test_all_tables_are_likely_when_none_is_named(shop: Catalog) -> None:
    found = likely_tables("the meaning of life", shop.schemas(), max_tables=2)
    assert [(choice.name, choice.reason) for choice in found] == [
        ("orders", "nothing in the request names a table"),
        ("trial_001_runs", "nothing in the request names a table"),
    ]


def test_tables_that_fit_worse_stay_likely(shop: Catalog) -> None:
    found = likely_tables("orders by amount and status and wind", shop.schemas(), max_tables=9)
    assert [choice.name for choice in found] == ["orders", "weather"]


@pytest.mark.parametrize(
    ("word", "one"),
    [("countries", "country"), ("statuses", "status"), ("Bus", "bus"), ("analyses", "analysis"), ("Zorbs", "zorb")],
)
def test_singulars_are_of_the_dictionary(word: str, one: str) -> None:
    assert singular(word) == one

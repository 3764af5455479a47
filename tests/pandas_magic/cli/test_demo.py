"""The example shop: the same tables everywhere, with as many mistakes as it says."""

from pathlib import Path

import pandas as pd

from pandas_magic.cli.demo_shop import PLANTED, make_tables, write_tables
from pandas_magic.registry.checks_list import read_checks

ROOT = Path(__file__).parents[3]


def test_the_tables_hold_as_many_mistakes_as_they_say() -> None:
    tables = make_tables()
    users, orders, events = tables["users"], tables["orders"], tables["events"]
    known = {"pending", "paid", "shipped", "delivered", "cancelled"}
    sent = orders["status"].isin(["shipped", "delivered"])
    expected = orders["amount"] - orders["discount"] + orders["tax"]
    found = {
        "CHK-001": users["email"].isna(),
        "CHK-002": ~events["user_id"].isin(users["user_id"]),
        "CHK-003": orders["order_id"].duplicated(keep=False),
        "CHK-004": (users["age"] < 13) | (users["age"] > 120),
        "CHK-005": ~orders["status"].isin(known),
        "CHK-006": ~orders["currency"].isin({"EUR", "USD", "GBP"}),
        "CHK-007": sent & orders["ship_date"].isna(),
        "CHK-008": orders["ship_date"] < orders["order_date"],
        "CHK-009": ~users["country"].str.fullmatch("[A-Z]{2}"),
        "CHK-010": users["full_name"].str.len() < 3,
        "CHK-011": ~orders["quantity"].between(1, 100),
        "CHK-012": (orders["total"] - expected).abs() > 0.0101,
        "CHK-013": pd.Series([len(orders) < 5000]),
    }
    assert {check_id: int(rows.sum()) for check_id, rows in found.items()} == PLANTED


def test_the_files_in_the_repository_are_those_of_the_generator(tmp_path: Path) -> None:
    for name, path in write_tables(tmp_path).items():
        assert path.read_bytes() == (ROOT / "examples" / "data" / f"{name}.csv").read_bytes(), name


def test_every_listed_rule_has_its_number() -> None:
    listed = read_checks(ROOT / "pandas_magic" / "cli" / "demo_checks.json")
    assert [check.id for check in listed] == list(PLANTED)

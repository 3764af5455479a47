"""What the words deny the rule denies, and it denies nothing else."""

import pytest

from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.language.guards import objections
from pandas_magic.planner.language.linking import link
from tests.pandas_magic.planner.language.dictionary_tables import TABLES


@pytest.mark.parametrize(
    ("rule", "reading", "doubt"),
    [
        ("status must be paid", "orders: status must not be 'paid'", "nothing in it denies paid"),
        ("Orders must have a note.", "orders: note must be missing", "nothing in it denies that note is there"),
        (
            "Orders must have a customer.",
            "orders: customer_id must not be among customers.customer_id",
            "nothing in it denies that customer_id is there",
        ),
        (
            "Orders that are not paid must have a note.",
            "orders where status is 'paid': note must be present",
            '"not paid": nothing in it leaves these out',
        ),
        (
            "Orders whose status isn't paid must have a note.",
            "orders where status is 'paid': note must be present",
            '"not paid": nothing in it leaves these out',
        ),
        (
            "An order can't have the status paid.",
            "orders: status must be 'paid'",
            '"not paid": nothing in it leaves these out',
        ),
        (
            "An order must not still say paid.",
            "orders: status must be 'paid'",
            '"not paid": nothing in it leaves these out',
        ),
    ],
)
def test_what_is_turned_round_is_doubted(rule: str, reading: str, doubt: str) -> None:
    constraint = read_canonical(reading)
    assert constraint is not None
    assert doubt in objections(constraint, link(rule, TABLES, target="orders"))


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("status must not be paid", "orders: status must not be 'paid'"),
        ("Orders that are not paid must have a note.", "orders where status is not 'paid': note must be present"),
        ("No order that is not paid may have a note.", "orders where status is not 'paid': note must be missing"),
        ("Flag orders that are not paid.", "orders: status must be 'paid'"),
        (
            "At most 10 % of the orders may be void.",
            "orders: status must not be 'void'; at most 10 % of rows may break this",
        ),
    ],
)
def test_what_is_denied_as_it_is_said_is_taken_at_once(rule: str, meant: str) -> None:
    assert compile_rule(rule, TABLES, target="orders").echo == meant

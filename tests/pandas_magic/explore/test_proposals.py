"""Findings as rules: each is read back by the rule compiler as what was meant, and holds on the table today."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd
import pytest

from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.constraints import RowRule, describe, violating_rows
from pandas_magic.explore.proposal import Proposal
from pandas_magic.explore.proposals import proposals
from pandas_magic.planner.language import compile_rule
from tests.pandas_magic.explore.conftest import explorer_of, report_from

ORDERS = pd.DataFrame(
    {
        "order_id": range(100, 140),
        "customer_id": [1, 2, 3, 4] * 10,
        "status": ["open", "it's paid", "sent", "open"] * 10,
        "amount": [5.25, 7.5, 100.0, 12.0, 3.0] * 8,
        "note (free)": ["x", None] * 20,
        "grade": [" a", "b", "?", "b "] * 10,
        "code": [f"{n % 7}.5" for n in range(40)],
        "street": [f"street {n % 39}" for n in range(40)],
        "placed_at": [datetime.now().replace(microsecond=0) - timedelta(hours=n) for n in range(40)],
    }
)
CUSTOMERS = pd.DataFrame({"id": [1, 2, 3, 4], "name": list("abcd")})
TABLES = {"orders": describe_frame("orders", ORDERS), "customers": describe_frame("customers", CUSTOMERS)}


@pytest.fixture(scope="module")
def found() -> tuple[Proposal, ...]:
    return proposals(report_from(explorer_of(ORDERS), "orders"), TABLES)


def test_every_kind_is_proposed_where_it_holds(found: tuple[Proposal, ...]) -> None:
    kinds = {(proposal.kind, proposal.column) for proposal in found}
    assert {
        ("not null", "amount"),
        ("unique", "order_id"),
        ("range", "amount"),
        ("allowed values", "status"),
        ("foreign key", "customer_id"),
        ("freshness", "placed_at"),
        ("drift band", "amount"),
    } <= kinds
    assert ("unique", "customer_id") not in kinds


def test_what_is_wrong_is_proposed_as_rules_that_rows_break(found: tuple[Proposal, ...]) -> None:
    wrong = {(proposal.kind, proposal.column) for proposal in found if not proposal.holds}
    assert wrong == {("not null", "note (free)"), ("no placeholder", "grade"), ("no outer spaces", "grade")}
    assert ("few gaps", "note (free)") in {(proposal.kind, proposal.column) for proposal in found}
    assert ("type", "code") in {(proposal.kind, proposal.column) for proposal in found}


def test_repeated_rows_are_proposed_as_a_rule_about_whole_rows() -> None:
    twice = pd.DataFrame({"a": [1, 2] * 10, "b": ["x", None] * 10})
    tables = {"twice": describe_frame("twice", twice)}
    first = proposals(report_from(explorer_of(twice), "twice"), tables)[0]
    assert (first.kind, first.column, first.holds) == ("no repeated row", "", False)
    rule = compile_rule(first.sentence, tables).constraint
    assert len(violating_rows(rule, {"twice": twice}, now=datetime.now(), utc_now=datetime.now(UTC))) == 20


@pytest.mark.parametrize(("rows", "proposed"), [(4, [False]), (0, [True]), (200, [])])
def test_a_key_is_proposed_to_be_unique_unless_it_repeats_often(rows: int, proposed: list[bool]) -> None:
    order_id = np.arange(1_000) * 3
    order_id[:rows] = order_id[500 : 500 + rows]
    frame = pd.DataFrame({"order_id": order_id, "user_id": [f"u{n % 900}" for n in range(1_000)]})
    found = proposals(report_from(explorer_of(frame)), {"t": describe_frame("t", frame)})
    assert [each.holds for each in found if each.kind == "unique"] == proposed


def test_every_proposal_is_read_back_by_the_rule_compiler(found: tuple[Proposal, ...]) -> None:
    for proposal in found:
        assert compile_rule(proposal.sentence, TABLES).echo


def test_every_proposal_holds_or_breaks_today_as_it_says(found: tuple[Proposal, ...]) -> None:
    for proposal in found:
        rule = compile_rule(proposal.sentence, TABLES).constraint
        broken = violating_rows(
            rule, {"orders": ORDERS, "customers": CUSTOMERS}, now=datetime.now(), utc_now=datetime.now(UTC)
        )
        allowed = isinstance(rule, RowRule) and rule.tolerance is not None
        assert allowed or (not len(broken)) == proposal.holds, describe(rule)


def test_a_table_outside_the_workspace_and_a_tiny_one_give_none() -> None:
    assert proposals(report_from(explorer_of(ORDERS), "elsewhere"), TABLES) == ()
    assert proposals(report_from(explorer_of(ORDERS.head(3)), "orders"), TABLES) == ()


def test_the_band_of_a_large_mean_holds_the_mean_of_today() -> None:
    frame = pd.DataFrame({"amount": 1_234_567.8 + np.arange(60) % 7 * 0.001})
    report, tables = report_from(explorer_of(frame)), {"t": describe_frame("t", frame)}
    band = next(each for each in proposals(report, tables) if each.kind == "drift band")
    rule = compile_rule(band.sentence, tables).constraint
    found = violating_rows(rule, {"t": frame}, now=datetime.now(), utc_now=datetime.now(UTC))
    assert not len(found), band.sentence

"""The strict reader: one meaning, several, or none, and never one that drops a word."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import Constraint, describe
from pandas_magic.planner.language.linking import link
from pandas_magic.planner.language.page import EXAMPLE_TABLES, FORMS
from pandas_magic.planner.language.strict import read_strictly
from pandas_magic.planner.language.strict.functions import the_grammar
from pandas_magic.planner.language.strict.openings import Openings
from pandas_magic.planner.language.strict.talk import SpokenParts

TABLES = {
    "orders": Table(
        name="orders",
        columns={
            "order_id": "int64",
            "customer_id": "int64",
            "status": "str",
            "amount": "float64",
            "weight_kg": "float64",
            "tax": "float64",
            "note": "str",
            "ordered_at": "datetime64[us]",
            "shipped_at": "datetime64[us]",
        },
        values={"status": ("open", "paid", "void")},
        keys=("order_id",),
    ),
    "customers": Table(
        name="customers",
        columns={"customer_id": "int64", "email": "str", "country": "str"},
        values={"country": ("DE", "FR")},
        keys=("customer_id",),
    ),
}


def echoes(rule: str, target: str = "orders") -> list[str]:
    return [describe(reading.constraint) for reading in read_strictly(link(rule, TABLES, target=target))]


@pytest.mark.parametrize(
    ("rule", "echo"),
    [
        ("The amount must be positive.", "orders: amount must be greater than 0"),
        ("Paid orders must have a note.", "orders where status is 'paid': note must be present"),
        ("No order may be shipped before it was ordered.", "orders: shipped_at must be >= ordered_at"),
        ("Unless the status is void, the tax must be given.", "orders where status is not 'void': tax must be present"),
        ("Only paid orders may have a note.", "orders where note is present: status must be 'paid'"),
        ("Flag orders whose amount is above 100.", "orders: amount must be at most 100"),
        ("Neither amount nor tax may be negative.", "orders: amount must be at least 0 and tax must be at least 0"),
        ("Every order belongs to a customer.",
         "orders: customer_id must be present and customer_id must be among customers.customer_id"),
        ("At least 95 % of the orders must have a note.",
         "orders: note must be present; at most 5 % of rows may break this"),
        ("order_id must be unique", "orders: order_id must be unique"),
        ("ordered_at must not be before 1 May 2025 and not after 31 May 2025",
         "orders: ordered_at must be between 2025-05-01 and 2025-05-31"),
        ("The amount must be not below 5 and not above 9.", "orders: amount must be between 5 and 9"),
    ],
)  # fmt: skip
def test_plain_sentences_have_one_meaning(rule: str, echo: str) -> None:
    assert echoes(rule) == [echo]


@pytest.mark.parametrize(
    "rule",
    [
        "Please make sure that {}",
        "Because the auditors ask for it, {}",
        "Our bookkeeping needs it, so {}",
        "{}, otherwise the printer stops",
        "{}, without exception",
    ],
)
@pytest.mark.parametrize(
    "claim", ["the amount must be positive", "paid orders must have a note", "order_id must be unique"]
)
def test_reasons_and_politeness_stand_around_any_claim(rule: str, claim: str) -> None:
    assert echoes(rule.format(claim)) == echoes(claim) != []


@pytest.mark.parametrize(
    "rule",
    [
        "Orders that were never shipped must be flagged.",  # of the date, not of the status
        "The order is paid, so its note must be filled.",  # a premise is no reason
        "The amount must be frobnicated.",
        "No order may lack a tax or a note.",
        "amount must be greater than 10 or 20",
        "The amount must usually be positive.",
        "Orders orders orders",
        "tax missing",
        "The age can be found in orders.",
    ],
)
def test_what_is_not_wholly_understood_has_no_meaning(rule: str) -> None:
    assert "status" not in " ".join(echoes(rule)) or "shipped" not in rule
    assert echoes(rule) in ([], ["orders: shipped_at must be present"])


def test_what_is_set_aside_is_told() -> None:
    (reading,) = read_strictly(link("Because billing needs it, note must be given", TABLES, target="orders"))
    assert reading.set_aside == ((1, 4),)
    assert ("note", "the column note") in reading.explanation


def test_and_binds_no_tighter_than_or_without_asking() -> None:
    assert len(echoes("If status is paid or amount is above 5 and tax is above 1, note must be given.")) == 2


@pytest.mark.parametrize(
    ("rule", "echo"),
    [
        ("A customer may place at most 3 orders per day.", True),
        ("A customer may place more than 3 orders per day.", False),
        ("A customer need not place more than 3 orders per day.", False),
        ("A status may be used for more than one order.", False),
        ("A customer should usually place at most 3 orders per day.", False),
        ("No customer may place more than 3 orders per day on average.", False),
        ("No customer may pay more than 3 orders per day.", False),
        ("No customer except the French ones may place more than 3 orders per day.", False),
        ("No two orders of one customer may share the customer.", False),
    ],
)
def test_how_many_there_may_be_is_read_with_any_verb_and_not_beside_what_changes_it(rule: str, echo: bool) -> None:
    told = "orders: the number of rows per (customer_id, the date of ordered_at) must be at most 3"
    assert echoes(rule) == ([told] if echo else [])


def test_what_no_part_can_begin_with_is_not_looked_for_and_nothing_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [(sentence, form.table) for form in FORMS[::12] for sentence in form.sentences]

    def readings() -> list[list[Constraint]]:
        linked = [link(sentence, EXAMPLE_TABLES, target=table) for sentence, table in said]
        return [[reading.constraint for reading in read_strictly(one)] for one in linked]

    found = readings()
    everything = frozenset((*the_grammar().tries, *SpokenParts.categories))
    monkeypatch.setattr(Openings, "of", lambda *_: everything)
    assert found == readings()

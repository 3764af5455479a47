"""Plain sentences about one value that settles another, about numbers going up, and statistics that equal a number."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "products": Table(
        name="products",
        columns={"product_id": "int64", "sku": "str", "category": "str", "zone": "str", "price": "float64"},
        values={},
        keys=("product_id",),
    ),
    "moves": Table(
        name="moves",
        columns={"move_id": "int64", "product_id": "int64", "bin_code": "str", "quantity": "int64", "fee": "float64"},
        values={},
        keys=("move_id",),
    ),
}
_ZONE = "products: the distinct count of zone per category must be at most 1"

UNDERSTOOD = [
    ("products", "The category of a product determines its zone.", _ZONE),
    ("products", "The zone of a product is determined by its category.", _ZONE),
    ("products", "The zone must not vary within a category.", _ZONE),
    ("products", "Within a category the zone must be constant.", _ZONE),
    ("products", "For each category there is only one zone.", _ZONE),
    ("products", "Two products with the same category must have the same zone.", _ZONE),
    (
        "moves",
        "One bin code may hold only one product.",
        "the distinct count of product_id per bin_code must be at most 1",
    ),
    (
        "moves",
        "A bin code may only hold one product.",
        "the distinct count of product_id per bin_code must be at most 1",
    ),
    ("moves", "No move id may be smaller than the one before.", "move_id must be >= the previous move_id"),
    ("moves", "move_id must go up by one from row to row.", "move_id must equal (the previous move_id) + 1"),
    ("moves", "The median quantity must be 1.", "the median of quantity in moves must equal 1"),
    (
        "moves",
        "The total fee must be less than 10 % of the total quantity.",
        "the sum of fee in moves must be < (the sum of quantity in moves) * 0.1",
    ),
    (
        "products",
        "SKUs must be unique, no matter how they are capitalised.",
        "products: sku ignoring case must be unique",
    ),
    (
        "moves",
        "Two moves must not be identical in all columns.",
        "(move_id, product_id, bin_code, quantity, fee) must be",
    ),
]

REFUSED = [
    ("products", "The product determines its zone."),
    ("products", "Two products with the same product id must have the same zone."),
    ("moves", "A bin code must hold one product."),
    ("moves", "The fee must go up by one."),
    ("moves", "Two moves must not be in the table."),
]


@pytest.mark.parametrize(("table", "sentence", "echo"), UNDERSTOOD, ids=[sentence for _, sentence, _ in UNDERSTOOD])
def test_what_settles_a_value_is_understood(table: str, sentence: str, echo: str) -> None:
    understood = compile_rule(sentence, TABLES, target=table)
    assert echo in understood.echo
    assert compile_rule(understood.echo, TABLES).constraint == understood.constraint


@pytest.mark.parametrize(("table", "sentence"), REFUSED, ids=[sentence for _, sentence in REFUSED])
def test_sentences_that_settle_nothing_are_refused(table: str, sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES, target=table)

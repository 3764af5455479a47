"""Each entry of facts.toml with its own examples, and lines of data dictionaries by families."""

import pytest

from pandas_magic.constraints import describe
from pandas_magic.planner.language.doors import read_by_doors
from pandas_magic.planner.language.doors.fact_makers import MAKERS
from pandas_magic.planner.language.doors.facts import fact_entries
from tests.pandas_magic.planner.language.dictionary_tables import TABLES

EXAMPLES = [(line, echo) for entry in fact_entries().values() for line, echo in entry.get("examples", {}).items()]


def test_every_entry_has_a_maker_and_every_maker_an_entry() -> None:
    assert set(fact_entries()) == set(MAKERS)


@pytest.mark.parametrize(("line", "echo"), EXAMPLES, ids=[line for line, _ in EXAMPLES])
def test_an_example_says_what_its_entry_claims(line: str, echo: str) -> None:
    table = "lines" if line.startswith("order_id") else "orders"
    found = read_by_doors(line, TABLES, target=table)
    assert found is not None and found.constraint is not None, found
    assert echo in describe(found.constraint)


@pytest.mark.parametrize(
    ("line", "echo"),
    [
        ("sku: VARCHAR(20) NOT NULL UNIQUE",
        "the length of sku must be at most 20 and sku must be present and sku must be unique"),
        ("status - one of open, paid, void; required",
        "status must be one of 'open', 'paid', 'void' and status must be present"),
        ("status (required)", "status must be present"),
        ("status: open | paid | void", "status must be one of 'open', 'paid', 'void'"),
        ("status: 'open', 'paid'", "status must be one of 'open', 'paid'"),
        ('status: "open, paid" or "void"', "status must be one of 'open, paid', 'void'"),
        ("code: A (active), I (inactive) only", None),
        ("code: one of A (active), I (inactive)", "code must be one of 'A', 'I'"),
        ("code: values: 1 = low, 2 = high", "code must be one of '1', '2'"),
        ("order_no: one of 1, 2, 3", "order_no must be one of 1, 2, 3"),
        ("price: 0 - 100 EUR", "price must be between 0 and 100"),
        ("weight_g: max 500 g", "weight_g must be at most 500"),
        ("weight_g: max 2 kg", "weight_g must be at most 2000"),
        ("sku: format AAA-9999", r"sku must match /[A-Z]{3}-\d{4}/"),
        ("sku: format XXX-9999", None),
        ("sku: format YYYY-MM-DD", "sku must have the format ISO date"),
        ("sku: format PNNNN", r"sku must match /P\d{4}/"),
        ("sku: format ORD", None),
        ("sku: two capital letters followed by six digits", r"sku must match /[A-Z]{2}\d{6}/"),
        ("sku: letter E followed by two digits", r"sku must match /E\d{2}/"),
        ("sku: letters AB followed by a 4-digit number", r"sku must match /AB\d{4}/"),
        ("sku: format 'B' + 2-digit year + hyphen + 3 digits", r"sku must match /B\d{2}-\d{3}/"),
        ("sku: capital E, then two digits", r"sku must match /E\d{2}/"),
        ("sku: letter, optionally followed by a dot and one digit", r"sku must match /[A-Za-z](\.\d)?/"),
        ("sku: CHAR(2)", None),
        ("sku: required, sparkling", None),
        ("status: one of open, paid, required", None),
        ("ordered_on: date, not in the future, required",
        "ordered_on must be no later than now and ordered_on must be present"),
        ("shipped_on: >= ordered_on or empty", "shipped_on must be >= ordered_on"),
        ("price: not 0 or empty", None),
        ("price: below 5 or above 10", "it must hold that price is less than 5 or price is greater than 10"),
        ("price: max 10 or 20", None),
        ("price: 100 to 10", None),
        ("total = price + tax", "total must equal price + tax (up to rounding)"),
        ("customer_id: FK customers", "customer_id must be among customers.customer_id"),
        ("customer_id: in customers.customer_id, required",
        "customer_id must be among customers.customer_id and customer_id must be present"),
        ("customer_id: references custmers", None),
        ("amount: required", None),
        ("log_no: no gaps", None),

        (
            "shipped_on: only filled if status = 'paid'",
            "it must hold that (status is present and status is 'paid') or shipped_on is missing",
        ),
        ("note: optional", None),
        ("email: must contain @, max 40 chars", "email must contain '@' and the length of email must be at most 40"),
        ("email: must contain at", None),
        ("price: integer", "price must be readable as an integer"),
        ("price: positive integer", "price must be greater than 0 and price must be readable as an integer"),
        ("currency: EUR or USD", "currency must be one of 'EUR', 'USD'"),
        ("currency: one of eur, usd", "currency must be one of 'eur', 'usd'"),
        ("ship_country, bill_country: required", "ship_country must be present and bill_country must be present"),
        ("order_id, line_no: unique", None),
    ],
)  # fmt: skip
def test_a_line_is_taken_whole_or_not_at_all(line: str, echo: str | None) -> None:
    found = read_by_doors(line, TABLES, target="orders")
    said = None if found is None or found.constraint is None or found.doubts else describe(found.constraint)
    assert said == (None if echo is None else f"orders: {echo}")

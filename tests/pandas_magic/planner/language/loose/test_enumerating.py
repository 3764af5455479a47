"""Whatever a sentence may mean is built from what its words name: one sentence for each family of atoms."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.language.linking import link
from pandas_magic.planner.language.loose.enumerating import atoms_of
from pandas_magic.planner.language.loose.nodes import rule_form, text_of
from pandas_magic.planner.language.loose.scene import Scene

TABLES = {
    "orders": Table(
        name="orders",
        columns={
            "order_id": "int64", "customer_id": "int64", "status": "str", "ordered_on": "datetime64[us]",
            "shipped_on": "datetime64[us]", "due": "str", "amount": "float64", "discount": "float64",
            "total": "float64", "email": "str", "is_gift": "bool", "gift_note": "str", "currency": "str",
            "prev_order": "int64",
        },
        values={"status": ("open", "paid", "shipped"), "currency": ("EUR", "USD")},
        read_as={"due": "date"},
        keys=("order_id",),
    ),
    "customers": Table(
        name="customers",
        columns={"customer_id": "int64", "country": "str", "credit_limit": "float64", "born_on": "datetime64[us]"},
        values={"country": ("DE", "FR")},
        keys=("customer_id",),
    ),
    "bills": Table(
        name="bills",
        columns={
            "bill_id": "int64", "pieces": "float64", "hourly_rate": "float64", "material": "float64", "net": "float64",
            "vat_pct": "float64", "gross": "float64", "rebate_pct": "float64",
        },
        keys=("bill_id",),
    ),
    "cows": Table(
        name="cows",
        columns={
            "cow_id": "str", "breed": "str", "born_on": "datetime64[us]", "mother_id": "str",
            "milked_at": "datetime64[us]", "litres": "float64", "fat": "float64",
        },
        values={"breed": ("A", "Jersey")},
        keys=("cow_id",),
    ),
    "items": Table(
        name="items",
        columns={"item_id": "int64", "order_id": "int64", "qty": "int64", "price": "float64"},
        keys=("item_id",),
    ),
}  # fmt: skip
CASES = [
    ("an order needs an email", "orders: email must be present"),
    ("gift note must be missing", "orders: gift_note must be missing"),
    ("amount is at least 5", "orders: amount must be at least 5"),
    ("discount between 0 and 10", "orders: discount must be between 0 and 10"),
    ("amounts must be positive", "orders: amount must be greater than 0"),
    ("status is paid or shipped", "orders: status must be one of 'paid', 'shipped'"),
    ("gifts", "orders: is_gift must be true"),
    ("shipped on or after the order date", "orders: shipped_on must be >= ordered_on"),
    ("shipped_on within 5 days of ordered_on", "orders: shipped_on - ordered_on must be at most 5 days"),
    ("not shipped in the future", "orders: shipped_on must be no later than now"),
    ("due after 2026-01-31", "orders: due read as a date must be after 2026-01-31"),
    ("total equals amount minus discount", "orders: total must equal amount - discount"),
    ("discount at most 10 % of the amount", "orders: discount must be <= amount * 0.1"),
    ("emails must be valid", "orders: email must have the format email address"),
    ("email starts with 'x'", "orders: email must start with 'x'"),
    ("the currency has 3 characters", "orders: the length of currency must equal 3"),
    ("order ids must be unique", "orders: order_id must be unique"),
    ("one order per customer and day", "orders: (customer_id, the date of ordered_on) must be unique"),
    ("at most 3 orders per customer", "orders: the number of rows per customer_id must be at most 3"),
    (
        "the time between order and shipping must not overlap for one customer",
        "orders: ordered_on must be > the previous shipped_on in order of ordered_on per customer_id",
    ),
    (
        "a customer has never two orders at the same time: shipped before the next is ordered",
        "orders: ordered_on must be >= the previous shipped_on in order of ordered_on per customer_id",
    ),
    (
        "the amount equals the preceding total in order of ordered_on",
        "orders: amount must equal the previous total in order of ordered_on",
    ),
    ("same currency per customer", "orders: the distinct count of currency per customer_id must be at most 1"),
    ("the customer must exist", "orders: customer_id must be among customers.customer_id"),
    ("customers from DE", "orders: the country of customers by customer_id must be 'DE'"),
    ("an email or a gift note, or both", "orders: it must hold that email is present or gift_note is present"),
    ("each order has at least 1 item", "orders: the number of rows in items by order_id must be at least 1"),
    (
        "total = sum of qty times price of items",
        "orders: total must equal the sum of (qty * price) in items by order_id",
    ),
    (
        "amount must not exceed the credit limit",
        "orders: amount must be <= the credit_limit of customers by customer_id",
    ),
    ("order ids without gaps", "orders: order_id - 1 must be among orders.order_id"),
    ("order_id must never decrease", "orders: order_id must be >= the previous order_id"),
    ("a prev order is not itself", "orders: prev_order must not equal order_id"),
    ("at least 10 orders", "orders as a whole: the number of rows in orders must be at least 10"),
    ("the average amount is below 100", "orders as a whole: the mean of amount in orders must be less than 100"),
    (
        "at most 10 % of orders are open",
        "orders as a whole: the share of rows in orders with (status is 'open') must be at most 0.1",
    ),
    ("orders only on weekdays", "orders: the weekday of ordered_on must be one of 1, 2, 3, 4, 5"),
    ("the currency is written like AA-999", "orders: currency must match /[A-Z]{2}-[0-9]{3}/"),
    ("emails belong to the domain acme.org", "orders: email must end with '@acme.org'"),
    ("email must contain at least two digits", "orders: email must match /(.*[0-9]){2}.*/"),
    ("no lower case letters in currency", "orders: currency must not match /.*[a-z].*/"),
    (
        "shipped_on and ordered_on are 5 days apart",
        "orders: the absolute value of (shipped_on - ordered_on) must be at most 5 days",
    ),
    (
        "shipped_on lies 2 to 9 days after ordered_on",
        "orders: shipped_on must be >= ordered_on + 2 days and shipped_on must be <= ordered_on + 9 days",
    ),
    ("not ordered_on on 2026-01-01", "orders: the date of ordered_on must not equal 2026-01-01"),
    (
        "each order_id is exactly 1 higher than the one before",
        "orders: order_id must equal (the previous order_id) + 1",
    ),
    (
        "consecutive ordered_on at most 400 days apart",
        "orders: ordered_on - (the previous ordered_on) must be at most 400 days",
    ),
    ("an odd amount", "orders: amount / 2 must be readable as an integer (up to rounding)"),
    ("the table must not be empty", "orders as a whole: the number of rows in orders must be at least 1"),
    (
        "total equals amount minus discount, rounded to the cent",
        "orders: total must equal amount - discount within 0.01",
    ),
    ("amount is a whole number", "orders: amount must be readable as an integer"),
    ("gross equals net plus vat", "bills: gross must equal net * (1 + vat_pct / 100)"),
    ("gross is net minus the rebate", "bills: gross must equal net * (1 - rebate_pct / 100)"),
    ("net = pieces times hourly rate plus material", "bills: net must equal pieces * hourly_rate + material"),
    (
        "gross = pieces times hourly rate, reduced by the rebate",
        "bills: gross must equal pieces * hourly_rate * (1 - rebate_pct / 100)",
    ),
    ("gross = pieces times net times material", "bills: gross must equal pieces * net * material"),
    ("net is 20 % of the gross", "bills: net must equal gross * 0.2"),
    ("a cow is born after its mother", "cows: born_on must be > the born_on of cows by mother_id = cow_id"),
    ("the mother is a Jersey too", "cows: the breed of cows by mother_id = cow_id must be 'Jersey'"),
    ("breed A gives more than 5 litres", "cows: breed must be 'A'"),
    ("fat as a share of the litres, at most 12 %", "cows: fat must be <= litres * 0.12"),
    ("nothing under 3 percent fat of the litres", "cows: fat must be >= litres * 0.03"),
    (
        "milked at six in the morning at the very earliest, and never later than eight at night",
        "cows: the hour of milked_at must be between 6 and 20",
    ),
    (
        "milked from October on, and that goes on to the end of February",
        "cows: the month of milked_at must be one of 10, 11, 12, 1, 2",
    ),
    (
        "milked between six and eight in the evening",
        "cows: the hour of milked_at must be between 18 and 20",
    ),
    ("born in 2006 or earlier", "cows: the year of born_on must be at most 2006"),
]
# What the words say otherwise, or nobody means.
NOT_BUILT = [
    ("net is 20 % of the gross", "bills: net must equal gross * 20"),
    ("gross equals net plus vat", "bills: gross must equal net + vat_pct"),
    ("net = pieces times hourly rate plus material", "bills: net must equal pieces + hourly_rate + material"),
    ("net = pieces times hourly rate plus material", "bills: net must equal pieces * hourly_rate / 100"),
    ("net = pieces times hourly rate plus material", "bills: hourly_rate must equal pieces * net * material"),
    ("a cow gives at most 30 litres", "cows: the number of rows per cow_id must be at most 30"),
    ("six cows were milked in the morning", "cows: the number of rows per milked_at must be at most 6"),
    ("more than 20 litres are less fat", "cows: fat must be <= litres * 20"),
    ("milked in no month below 0", "cows: the month of milked_at must be at least 0"),
    ("a cow is born after its mother", "cows: (mother_id, born_on) must be unique"),
    ("the same breed as the cow that is its mother", "cows: (cow_id, breed, born_on) must be unique"),
    ("as agreed on Monday, milked_at is known", "cows: the weekday of milked_at must be one of 1, 2, 3, 4, 5"),
    ("about half of it; under 5 percent fat is wrong", "cows: fat must be between 0.5 and 5"),
    ("fat is at most 12 % of the litres", "cows: fat must be <= litres * 1.12"),
    ("milked from October to February", "cows: the month of milked_at must be one of 10, 2"),
    (
        "litres are at most 40 percent",
        "cows as a whole: the share of rows in cows with (litres is present) must be at most 0.4",
    ),
]


def keys_of(sentence: str, target: str) -> set[str]:
    return {atom.key for atom in atoms_of(Scene(link(sentence, TABLES, target=target), target))}


def key_of(canonical: str) -> str:
    constraint = read_canonical(canonical)
    assert constraint is not None
    wanted = rule_form(constraint.model_dump(mode="json"))
    return text_of(wanted["must"]) + ("T" if wanted["shape"] == "table" else "")


@pytest.mark.parametrize(("sentence", "canonical"), CASES, ids=[sentence for sentence, _ in CASES])
def test_the_atom_is_built(sentence: str, canonical: str) -> None:
    assert key_of(canonical) in keys_of(sentence, canonical.split()[0].rstrip(":"))


@pytest.mark.parametrize(("sentence", "canonical"), NOT_BUILT)
def test_what_the_words_say_otherwise_is_not_built(sentence: str, canonical: str) -> None:
    assert key_of(canonical) not in keys_of(sentence, canonical.split()[0].rstrip(":"))


def test_every_atom_is_a_condition_of_the_algebra() -> None:
    from pydantic import TypeAdapter

    from pandas_magic.constraints import Condition

    adapter: TypeAdapter[Condition] = TypeAdapter(Condition)
    for sentence, _ in CASES:
        for atom in atoms_of(Scene(link(sentence, TABLES, target="orders"), "orders")):
            adapter.validate_python(atom.node)


def test_what_names_nothing_builds_nothing_but_the_table() -> None:
    atoms = atoms_of(Scene(link("The weather was lovely in spring", TABLES, target="orders"), "orders"))
    assert atoms == []

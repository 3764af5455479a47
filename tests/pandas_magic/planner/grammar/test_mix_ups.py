"""Sentences that could be taken for something else, which are asked about, and those close to them that are clear."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

INTEGER, NUMBER, TEXT, MOMENT, TRUTH = "int64", "float64", "str", "datetime64[us]", "bool"
TABLES = {
    "staff": Table(
        name="staff",
        columns={
            "staff_id": INTEGER,
            "manager_id": NUMBER,
            "deputy_id": NUMBER,
            "is_manager": TRUTH,
            "department": TEXT,
        },
        keys=("staff_id",),
    ),
    "purchases": Table(
        name="purchases",
        columns={
            "purchase_id": INTEGER,
            "requested_on": MOMENT,
            "approved_on": MOMENT,
            "paid_on": MOMENT,
            "due_on": MOMENT,
            "state": TEXT,
            "quantity": INTEGER,
            "unit_price": NUMBER,
            "total": NUMBER,
            "discount_amount": NUMBER,
            "discount_pct": NUMBER,
            "currency": TEXT,
            "purchase_no": INTEGER,
            "line_no": INTEGER,
            "cheque_no": NUMBER,
            "is_urgent": TRUTH,
        },
        values={"state": ("pending", "removed", "faulty")},
        missing={"cheque_no": 3},
        row_count=20,
        keys=("purchase_id",),
    ),
    "parcels": Table(
        name="parcels",
        columns={
            "parcel_no": INTEGER,
            "purchase_id": NUMBER,
            "sent_on": MOMENT,
            "weight_kg": NUMBER,
            "packages": INTEGER,
            "packages_damaged": INTEGER,
        },
        keys=("parcel_no",),
    ),
    "lots": Table(
        name="lots",
        columns={"lot_id": INTEGER, "bottled_on": MOMENT, "bottles": INTEGER, "strings": INTEGER},
        keys=("lot_id",),
    ),
    "bills": Table(
        name="bills",
        columns={
            "bill_id": INTEGER,
            "customer": TEXT,
            "paid_on": MOMENT,
            "bill_state": TEXT,
            "amount_due": NUMBER,
            "amount_paid": NUMBER,
            "discount_amount": NUMBER,
        },
        values={"bill_state": ("open", "paid")},
        keys=("bill_id",),
    ),
    "farms": Table(
        name="farms",
        columns={
            "farm_id": INTEGER,
            "capacity": INTEGER,
            "booked": INTEGER,
            "quota_litres": INTEGER,
            "max_tanks": INTEGER,
            "visit_min": INTEGER,
        },
        keys=("farm_id",),
    ),
    "cows": Table(
        name="cows",
        columns={
            "cow_id": INTEGER,
            "farm_id": NUMBER,
            "status": TEXT,
            "born_on": MOMENT,
            "checked_on": MOMENT,
            "check_due": MOMENT,
        },
        values={"status": ("calf", "milking", "dry")},
        keys=("cow_id",),
    ),
    "treatments": Table(
        name="treatments",
        columns={"treatment_id": INTEGER, "cow_id": NUMBER, "treated_on": MOMENT, "vet_code": TEXT},
        keys=("treatment_id",),
    ),
    "shipments": Table(
        name="shipments",
        columns={
            "shipment_no": INTEGER,
            "lot_id": NUMBER,
            "customer": TEXT,
            "string_no": INTEGER,
            "model": TEXT,
            "booked_on": MOMENT,
            "sent_on": MOMENT,
            "delivered_on": MOMENT,
            "bottles": INTEGER,
            "bottle_price": NUMBER,
        },
        keys=("shipment_no",),
    ),
}


@pytest.mark.parametrize(
    ("table", "text", "asked"),
    [
        # What one piece costs is not what the row costs.
        ("shipments", "No shipment costs more than 500.", "what one costs"),
        ("shipments", "Shipments cheaper than 50 must have a model.", "what one costs"),
        ("purchases", "No purchase is more expensive than 500.", "what one costs"),
        # The row itself is that old and that heavy, not what refers to it.
        ("purchases", "A pending purchase must not be older than 30 days.", ""),
        ("purchases", "No pending purchase may be older than 30 days.", ""),
        ("purchases", "Purchases that are pending must be less than 30 days old.", ""),
        ("purchases", "Pending purchases must not be heavier than 30 kg.", ""),
        ("purchases", "Only urgent purchases may be heavier than 30 kg.", ""),
        # A part of them is not all of them.
        ("parcels", "At most 5% of the packages may be damaged.", ""),
        ("parcels", "The packages may not be damaged.", "two numbers"),
        ("parcels", "Packages must be damaged.", "two numbers"),
        ("farms", "At most 90% of the capacity may be booked.", ""),
        ("farms", "The capacity must be booked.", "two numbers"),
        # Dates are no amounts.
        ("purchases", "Nobody pays more than is due.", "more of what"),
        # So many percent, or so much.
        ("purchases", "Discounts must not exceed 50.", "2 different things"),
        ("purchases", "The discount must be smaller than the total.", "2 different things"),
        # A number that counts within something else tells no group by itself.
        ("purchases", "All lines of a purchase are in one currency.", "counts within"),
        ("shipments", "All shipments of a string are of the same model.", "counts within"),
        ("shipments", "No more than 20 shipments per string.", "counts within"),
        ("purchases", "The line number must be unique within a purchase.", "between which rows"),
        ("purchases", "Line numbers must be unique in every purchase.", "between which rows"),
        # Amounts, whatever their names begin with.
        ("bills", "The amount must be positive.", "3 different things"),
        ("bills", "No more than 3 unpaid bills per customer.", "2 different things"),
        # Rows of a table that nobody spoke of.
        ("shipments", "At most 100 bottles per day.", "the sum of"),
        ("shipments", "Shipments are booked at most a year ahead.", ""),
        ("shipments", "No customer receives more than 60 bottles a month.", ""),
        # A state that the rows may have.
        ("purchases", "Faulty purchases must be removed.", ""),
        ("purchases", "Faulty purchases must have been removed.", ""),
        # Who is one, or whom they have.
        ("staff", "Every department has exactly one manager.", "which are counted"),
        ("staff", "A staff member's manager must be in the same department.", "same as what"),
        # A limit is not what it limits.
        ("farms", "Farms must deliver less than 10000 litres.", ""),
        # A calf is what the cow itself would be.
        ("cows", "Cows that have a calf must be milking.", "to have one"),
        # Due by now, and the last of each.
        ("cows", "Cows whose check is due must not be milking.", "due when"),
        ("cows", "The last check must not be more than 5 years ago.", ""),
        # Animals, or treatments of them.
        ("treatments", "Each vet treats at most 20 cows a day.", "different cows"),
        # The number of the row itself.
        ("purchases", "Pending purchases have no number.", ""),
    ],
)
def test_what_can_be_mixed_up_is_asked(table: str, text: str, asked: str) -> None:
    with pytest.raises(RuleNotUnderstood) as refused:
        compile_rule(text, TABLES, target=table)
    assert asked in str(refused.value)


@pytest.mark.parametrize(
    ("table", "text", "echo"),
    [
        ("purchases", "No purchase costs more than 500.", "purchases: total must be at most 500"),
        ("purchases", "The unit price must be at most 50.", "purchases: unit_price must be at most 50"),
        ("purchases", "The price must be positive.", "purchases: unit_price must be greater than 0"),
        (
            "parcels",
            "Parcels must not be older than 30 days.",
            "parcels: sent_on must be no earlier than now - 30 days",
        ),
        ("parcels", "No parcel may weigh more than 30 kg.", "parcels: weight_kg must be at most 30"),
        (
            "parcels",
            "The damaged packages must not exceed the packages.",
            "parcels: packages_damaged must be <= packages",
        ),
        (
            "parcels",
            "The packages damaged must equal the packages.",
            "parcels: packages_damaged must equal packages",
        ),
        ("purchases", "Purchases must be paid no later than they are due.", "purchases: paid_on must be <= due_on"),
        ("purchases", "The discount must be at most 30%.", "purchases: discount_pct must be at most 30"),
        ("purchases", "The discount amount must be at most 30.", "purchases: discount_amount must be at most 30"),
        (
            "purchases",
            "All purchases with the same line number have the same currency.",
            "purchases: the distinct count of currency per line_no must be at most 1",
        ),
        (
            "staff",
            "Every department has exactly one deputy.",
            "staff: the distinct count of deputy_id per department must be at most 1",
        ),
        ("staff", "No manager has more than 10 staff.", "staff: the number of rows per manager_id must be at most 10"),
        (
            "staff",
            "All staff of a department have the same manager.",
            "staff: the distinct count of manager_id per department must be at most 1",
        ),
        ("purchases", "Purchase numbers must be unique in the purchases.", "purchases: purchase_no must be unique"),
        (
            "purchases",
            "The due date must be after the approval date within each purchase.",
            "purchases: due_on must be > approved_on",
        ),
        ("bills", "The amount paid must be positive.", "bills: amount_paid must be greater than 0"),
        ("farms", "The booked must not exceed the capacity.", "farms: booked must be <= capacity"),
        ("farms", "The capacity must equal booked.", "farms: capacity must equal booked"),
        ("farms", "The quota must be less than 10000 litres.", "farms: quota_litres must be less than 10000"),
        ("farms", "A farm allows at least 4 tanks.", "farms: max_tanks must be at least 4"),
        ("farms", "The visit must be at most 30 minutes.", "farms: visit_min must be at most 30"),
        ("cows", "A calf must not be checked.", "cows where status is 'calf': checked_on must be missing"),
        (
            "treatments",
            "Each vet gives at most 20 treatments a day.",
            "treatments: the number of rows per (vet_code, the date of treated_on) must be at most 20",
        ),
        ("purchases", "Pending purchases must be deleted.", "purchases: state must not be 'pending'"),
    ],
)
def test_what_is_clear_is_read(table: str, text: str, echo: str) -> None:
    assert compile_rule(text, TABLES, target=table).echo == echo


def test_a_column_named_with_its_table_is_meant() -> None:
    tables = {
        "users": Table(name="users", columns={"user_id": "int64"}, values={}, keys=("user_id",)),
        "orders": Table(
            name="orders", columns={"order_id": "int64", "user_id": "int64"}, values={}, keys=("order_id",)
        ),
    }
    found = compile_rule("orders.user_id must exist in users.user_id", tables, target="orders")
    assert found.echo == "orders: user_id must be present and user_id must be among users.user_id"

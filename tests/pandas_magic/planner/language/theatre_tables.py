"""Tables with columns that are easily mixed up: moments and days, counts and numbers, percent, cents, flags."""

from pandas_magic.catalog.table import Table
from tests.pandas_magic.planner.language.dictionary_tables import INTEGER, MOMENT, NUMBER, TEXT

BOOKINGS = Table(
    name="bookings",
    columns={
        "booking_id": INTEGER,
        "show_id": INTEGER,
        "member_id": NUMBER,
        "seats": INTEGER,
        "seat_no": INTEGER,
        "seat_row": TEXT,
        "channel": TEXT,
        "status": TEXT,
        "price": NUMBER,
        "list_price": NUMBER,
        "discount_pct": NUMBER,
        "fee_cents": INTEGER,
        "fraud_flag": INTEGER,
        "booked_at": MOMENT,
        "cancelled_at": MOMENT,
        "due_on": MOMENT,
        "paid_at": MOMENT,
    },
    values={
        "seat_row": ("A", "B"),
        "channel": ("phone", "web"),
        "status": ("cancelled", "paid", "refunded", "reserved"),
    },
    keys=("booking_id",),
    missing={"member_id": 3, "price": 1, "list_price": 1, "discount_pct": 2},
    moments=("booked_at", "cancelled_at", "paid_at"),
    row_count=400,
)
SHOWS = Table(
    name="shows",
    columns={
        "show_id": INTEGER,
        "hall": TEXT,
        "starts_at": MOMENT,
        "ends_at": MOMENT,
        "duration_min": INTEGER,
        "premiere_on": MOMENT,
        "tickets_sold": INTEGER,
        "cancelled": INTEGER,
    },
    values={"hall": ("main", "studio")},
    keys=("show_id",),
    moments=("starts_at", "ends_at"),
    row_count=400,
)
MEMBERS = Table(
    name="members",
    columns={
        "member_id": INTEGER,
        "tier": TEXT,
        "birth_year": NUMBER,
        "manager_id": NUMBER,
        "salary": NUMBER,
        "start_time": TEXT,
    },
    values={"tier": ("basic", "gold")},
    keys=("member_id",),
    missing={"birth_year": 2, "manager_id": 3, "salary": 2},
    row_count=400,
)
THEATRE = {table.name: table for table in (BOOKINGS, SHOWS, MEMBERS)}

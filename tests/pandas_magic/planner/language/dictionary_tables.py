"""The tables of the examples in facts.toml and cues.toml."""

from pandas_magic.catalog.table import Table

INTEGER, NUMBER, TEXT, MOMENT, TRUTH = "int64", "float64", "str", "datetime64[us]", "bool"
ORDERS = Table(
    name="orders",
    columns={
        "order_id": INTEGER,
        "order_no": INTEGER,
        "line_no": INTEGER,
        "customer_id": NUMBER,
        "sku": TEXT,
        "code": TEXT,
        "email": TEXT,
        "note": TEXT,
        "status": TEXT,
        "currency": TEXT,
        "ship_country": TEXT,
        "bill_country": TEXT,
        "price": NUMBER,
        "tax": NUMBER,
        "total": NUMBER,
        "paid": NUMBER,
        "discount_pct": NUMBER,
        "tax_rate": NUMBER,
        "weight_g": INTEGER,
        "active": TRUTH,
        "ordered_on": MOMENT,
        "shipped_on": MOMENT,
    },
    values={
        "status": ("open", "paid", "void"),
        "currency": ("EUR", "USD"),
        "ship_country": ("DE", "FR"),
        "bill_country": ("DE", "FR"),
    },
    keys=("order_id",),
)
CUSTOMERS = Table(
    name="customers",
    columns={"customer_id": INTEGER, "name": TEXT, "country": TEXT, "status": TEXT, "credit_limit": NUMBER},
    values={"country": ("DE", "FR"), "status": ("active", "closed")},
    keys=("customer_id",),
)
LINES = Table(
    name="lines",
    columns={"line_id": INTEGER, "order_id": NUMBER, "line_no": INTEGER, "price": NUMBER},
    keys=("line_id",),
)
TABLES = {table.name: table for table in (ORDERS, CUSTOMERS, LINES)}

"""The tables that the examples of the language are about."""

from pandas_magic.catalog.table import Table

EXAMPLE_TABLES: dict[str, Table] = {
    "users": Table(
        name="users",
        columns={
            "user_id": "int64",
            "email": "str",
            "full_name": "str",
            "country": "str",
            "age": "float64",
            "status": "str",
            "signup_date": "datetime64[us]",
            "last_login": "datetime64[us]",
            "credit_limit": "float64",
            "order_count": "int64",
        },
        values={"status": ("active", "banned", "inactive")},
        keys=("user_id",),
    ),
    "orders": Table(
        name="orders",
        columns={
            "order_id": "int64",
            "user_id": "int64",
            "order_date": "datetime64[us]",
            "ship_date": "datetime64[us]",
            "delivery_date": "datetime64[us]",
            "status": "str",
            "amount": "float64",
            "discount": "float64",
            "tax": "float64",
            "total": "float64",
            "currency": "str",
            "quantity": "int64",
            "coupon_code": "str",
            "note": "str",
            "gift": "bool",
        },
        values={"status": ("cancelled", "delivered", "paid", "pending", "shipped"), "currency": ("EUR", "GBP", "USD")},
        keys=("order_id",),
    ),
}

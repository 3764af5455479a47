"""One rule of each kind on a small shop, used by the golden files, the proofs and the comparisons with SQL."""

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import (
    Absolute,
    Aggregate,
    All,
    Any_,
    Arithmetic,
    Column,
    ColumnsRule,
    Compare,
    Condition,
    Constraint,
    DatePart,
    Exists,
    Expression,
    Folded,
    Group,
    HasText,
    HowMany,
    Join,
    Lookup,
    Matches,
    Moment,
    Not,
    Now,
    OneOf,
    Parses,
    Present,
    Previous,
    ReadAs,
    Rollup,
    RowRule,
    Share,
    Span,
    TableRule,
    TextLength,
    Tolerance,
    Unique,
    Value,
)

EMAIL = r"[^@\s]+@[^@\s]+\.[^@\s]+"

SHOP = {
    "users": Table(
        name="users",
        columns={
            "user_id": "int64",
            "email": "str",
            "full_name": "str",
            "country": "str",
            "age": "float64",
            "signup_date": "datetime64[us]",
            "last_login": "datetime64[us]",
            "status": "str",
            "referrer_id": "float64",
            "credit_limit": "float64",
            "order_count": "int64",
            "total_spent": "float64",
            "is_member": "bool",
            "seen_at": "datetime64[us, Europe/Berlin]",
        },
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
            "region": "str",
        },
    ),
    "prices": Table(
        name="prices",
        columns={"region": "str", "currency": "str", "price": "float64", "version": "int64", "comment": "str"},
    ),
}


def _c(name: str) -> Column:
    return Column(name=name)


def _v(value: bool | int | float | str) -> Value:
    return Value(value=value)


def _is(name: str, value: str) -> Compare:
    return Compare(relation="==", left=_c(name), right=_v(value))


def _minus(left: Expression, right: Expression) -> Arithmetic:
    return Arithmetic(sign="-", left=left, right=right)


def _plus(left: Expression, right: Expression) -> Arithmetic:
    return Arithmetic(sign="+", left=left, right=right)


PAID = OneOf(of=_c("status"), values=("paid", "shipped", "delivered"))
SHIPPED = OneOf(of=_c("status"), values=("shipped", "delivered"))
BY_USER = Join(columns=("user_id",), table="users", keys=("user_id",))
ORDERS_OF_USER = Join(columns=("user_id",), table="orders", keys=("user_id",))
PRICE_OF_ORDER = Join(columns=("region", "currency"), table="prices", keys=("region", "currency"))


def _rows(table: str, must: Condition, where: Condition | None = None, tolerance: Tolerance | None = None) -> RowRule:
    return RowRule(table=table, where=where, must=must, tolerance=tolerance)


GALLERY: dict[str, Constraint] = {
    "not_null": _rows("users", Present(of=_c("email"))),
    "null": _rows("orders", Not(condition=Present(of=_c("ship_date"))), _is("status", "cancelled")),
    "conditional_not_null": _rows("orders", Present(of=_c("ship_date")), SHIPPED),
    "unique": _rows("orders", Unique(by=(_c("order_id"),))),
    "compound_unique": _rows("orders", Unique(by=(_c("user_id"), _c("order_date"), _c("status")))),
    "unique_ignoring_case": _rows("users", Unique(by=(Folded(of=_c("email"), fold="case"),))),
    "unique_in_scope": _rows("users", Unique(by=(_c("email"),)), _is("status", "active")),
    "unique_day": _rows("orders", Unique(by=(_c("user_id"), DatePart(part="date", of=_c("order_date"))))),
    "whole_rows_unique": _rows("prices", Unique(by=tuple(map(_c, SHOP["prices"].columns)), missing_equal=True)),
    "foreign_key": _rows("orders", Exists(of=(_c("user_id"),), table="users", keys=("user_id",))),
    "foreign_key_and_present": _rows(
        "users",
        All(
            conditions=(
                Present(of=_c("referrer_id")),
                Exists(of=(_c("referrer_id"),), table="users", keys=("user_id",)),
            )
        ),
    ),
    "compound_foreign_key": _rows(
        "orders", Exists(of=(_c("region"), _c("currency")), table="prices", keys=("region", "currency"))
    ),
    "has_child": _rows(
        "users",
        Exists(of=(_c("user_id"),), table="orders", keys=("user_id",), where=_is("status", "paid")),
        _is("status", "active"),
    ),
    "no_banned_parent": _rows(
        "orders",
        Not(condition=Exists(of=(_c("user_id"),), table="users", keys=("user_id",), where=_is("status", "banned"))),
        _is("status", "pending"),
    ),
    "allowed_values": _rows("users", OneOf(of=_c("status"), values=("active", "inactive", "banned"))),
    "allowed_and_present": _rows(
        "orders", All(conditions=(Present(of=_c("currency")), OneOf(of=_c("currency"), values=("EUR", "USD", "GBP"))))
    ),
    "forbidden_values": _rows("orders", Not(condition=OneOf(of=_c("currency"), values=("XXX", "it's")))),
    "in_range": _rows(
        "users",
        All(
            conditions=(
                Compare(relation=">=", left=_c("age"), right=_v(13)),
                Compare(relation="<=", left=_c("age"), right=_v(120)),
            )
        ),
    ),
    "positive": _rows("orders", Compare(relation=">", left=_c("amount"), right=_v(0))),
    "matches": _rows("users", Matches(of=_c("email"), pattern=EMAIL, format="email address")),
    "matches_pattern": _rows("orders", Matches(of=_c("coupon_code"), pattern=r"[A-Z]{3}-\d{4}")),
    "starts_with": _rows("orders", HasText(of=_c("coupon_code"), where="start", text="AB")),
    "contains_no": _rows(
        "users", Not(condition=HasText(of=_c("full_name"), where="anywhere", text="test", ignore_case=True))
    ),
    "length": _rows("users", Compare(relation=">=", left=TextLength(of=_c("full_name")), right=_v(3))),
    "parses": _rows("orders", Parses(of=_c("coupon_code"), type="integer")),
    "read_as_number": _rows(
        "orders", Compare(relation=">=", left=ReadAs(of=_c("coupon_code"), type="number"), right=Value(value=0))
    ),
    "read_as_date": _rows(
        "prices", Compare(relation="<", left=ReadAs(of=_c("comment"), type="date"), right=Moment(iso="2026-01-01"))
    ),
    "read_as_time": _rows(
        "prices",
        Compare(relation=">=", left=ReadAs(of=_c("comment"), type="time"), right=Span(amount=510, unit="minutes")),
    ),
    "time_of_day": _rows(
        "users",
        Compare(relation="<", left=DatePart(part="time", of=_c("seen_at")), right=Span(amount=900, unit="minutes")),
    ),
    "minutes_between_times": _rows(
        "orders",
        Compare(
            relation="<=",
            left=Arithmetic(
                sign="/",
                left=Arithmetic(
                    sign="-",
                    left=DatePart(part="time", of=_c("delivery_date")),
                    right=DatePart(part="time", of=_c("ship_date")),
                ),
                right=Span(amount=1, unit="minutes"),
            ),
            right=_c("quantity"),
        ),
    ),
    "multiple_of_a_fraction": _rows(
        "orders", Parses(of=Arithmetic(sign="/", left=_c("amount"), right=_v(0.15)), type="integer")
    ),
    "multiple_of_a_whole_number": _rows(
        "orders", Parses(of=Arithmetic(sign="/", left=_c("quantity"), right=_v(2)), type="integer")
    ),
    "computed_one_of": _rows(
        "orders", OneOf(of=Arithmetic(sign="/", left=_c("amount"), right=_c("quantity")), values=(0.5, 10))
    ),
    "parses_date": _rows("prices", Parses(of=_c("comment"), type="date")),
    "compare": _rows("orders", Compare(relation=">=", left=_c("ship_date"), right=_c("order_date"))),
    "differs": _rows("orders", Compare(relation="!=", left=_c("discount"), right=_c("amount"))),
    "equals": _rows("orders", Compare(relation="==", left=_c("region"), right=_c("currency"))),
    "formula": _rows(
        "orders",
        Compare(
            relation="==",
            left=_c("total"),
            right=_plus(_minus(_c("amount"), _c("discount")), _c("tax")),
            within=0.01,
        ),
    ),
    "formula_up_to_rounding": _rows(
        "orders", Compare(relation="<=", left=_minus(_c("amount"), _c("discount")), right=_c("total"))
    ),
    "whole_formula": _rows(
        "prices",
        Compare(relation="==", left=_c("version"), right=Arithmetic(sign="*", left=_c("version"), right=_v(2))),
    ),
    "ratio": _rows(
        "orders",
        Compare(relation="<=", left=Arithmetic(sign="/", left=_c("amount"), right=_c("quantity")), right=_v(500)),
    ),
    "magnitude": _rows("orders", Compare(relation="<", left=Absolute(of=_c("discount")), right=_v(100))),
    "conditional": _rows(
        "orders", Compare(relation=">", left=_c("discount"), right=_v(0)), Present(of=_c("coupon_code"))
    ),
    "either_or": _rows("users", Any_(conditions=(Present(of=_c("email")), Present(of=_c("full_name"))))),
    "nested": _rows(
        "orders",
        Any_(
            conditions=(
                All(conditions=(_is("status", "paid"), Compare(relation=">", left=_c("tax"), right=_v(0)))),
                Not(condition=All(conditions=(Present(of=_c("coupon_code")), _is("currency", "EUR")))),
            )
        ),
    ),
    "exactly_one": _rows(
        "orders",
        Compare(
            relation="==",
            left=HowMany(
                conditions=(Present(of=_c("ship_date")), Present(of=_c("coupon_code")), _is("status", "paid"))
            ),
            right=_v(1),
        ),
    ),
    "truth": _rows("users", Compare(relation="==", left=_c("is_member"), right=_v(True)), _is("status", "active")),
    "not_in_future": _rows("users", Compare(relation="<=", left=_c("signup_date"), right=Now())),
    "fresh": _rows(
        "users",
        All(
            conditions=(
                Present(of=_c("last_login")),
                Compare(relation=">=", left=_c("last_login"), right=_minus(Now(), Span(amount=365, unit="days"))),
            )
        ),
        _is("status", "active"),
    ),
    "since_day": _rows("orders", Compare(relation=">=", left=_c("order_date"), right=Moment(iso="2026-01-01"))),
    "zoned_day": _rows("users", Compare(relation="<", left=_c("seen_at"), right=Moment(iso="2026-03-29"))),
    "zoned_now": _rows("users", Compare(relation="<=", left=_c("seen_at"), right=Now(midnight=True))),
    "days_between": _rows(
        "orders",
        Compare(relation="<=", left=_minus(_c("delivery_date"), _c("ship_date")), right=Span(amount=5, unit="days")),
    ),
    "months_later": _rows(
        "orders",
        Compare(relation="<", left=_c("delivery_date"), right=_plus(_c("order_date"), Span(amount=1, unit="months"))),
    ),
    "weekday": _rows("orders", Compare(relation="<=", left=DatePart(part="weekday", of=_c("order_date")), right=_v(5))),
    "lookup": _rows(
        "orders", Compare(relation=">=", left=_c("order_date"), right=Lookup(join=BY_USER, of=_c("signup_date")))
    ),
    "compound_lookup": _rows(
        "orders",
        Compare(relation="==", left=_c("amount"), right=Lookup(join=PRICE_OF_ORDER, of=_c("price")), within=0.01),
    ),
    "whole_lookup": _rows(
        "orders", Compare(relation="!=", left=_c("order_id"), right=Lookup(join=BY_USER, of=_c("order_count")))
    ),
    "reconcile_count": _rows(
        "users",
        Compare(relation="==", left=_c("order_count"), right=Rollup(statistic="count", join=ORDERS_OF_USER)),
    ),
    "reconcile_sum": _rows(
        "users",
        Compare(
            relation="==",
            left=_c("total_spent"),
            right=Rollup(statistic="sum", join=ORDERS_OF_USER, of=_c("total"), where=PAID),
            within=0.01,
        ),
    ),
    "child_sum_limit": _rows(
        "users",
        Compare(
            relation="<=",
            left=Rollup(
                statistic="sum", join=ORDERS_OF_USER, of=_c("quantity"), where=Not(condition=_is("status", "cancelled"))
            ),
            right=_c("credit_limit"),
        ),
    ),
    "compound_rollup": _rows(
        "prices",
        Compare(
            relation=">=",
            left=Rollup(
                statistic="count",
                join=Join(columns=("region", "currency"), table="orders", keys=("region", "currency")),
            ),
            right=_v(1),
        ),
    ),
    "per_group": _rows(
        "orders",
        Compare(
            relation="<=",
            left=Group(statistic="count", by=(_c("user_id"), DatePart(part="date", of=_c("order_date")))),
            right=_v(3),
        ),
    ),
    "per_group_where": _rows(
        "orders",
        Compare(
            relation="<=",
            left=Group(statistic="count", by=(_c("user_id"),), where=_is("status", "pending")),
            right=_v(1),
        ),
    ),
    "per_group_distinct": _rows(
        "orders",
        Compare(relation="==", left=Group(statistic="distinct", of=_c("currency"), by=(_c("region"),)), right=_v(1)),
    ),
    "per_group_sum_in_scope": _rows(
        "orders",
        Compare(relation="<=", left=Group(statistic="sum", of=_c("amount"), by=(_c("user_id"),)), right=_v(1000)),
        PAID,
    ),
    "outlier": _rows(
        "orders",
        Compare(
            relation="<=",
            left=Absolute(of=_minus(_c("amount"), Group(statistic="mean", of=_c("amount")))),
            right=Arithmetic(sign="*", left=_v(3), right=Group(statistic="std", of=_c("amount"))),
        ),
    ),
    "monotonic": _rows(
        "orders",
        Compare(relation=">=", left=_c("order_date"), right=Previous(of=_c("order_date"), order=_c("order_id"))),
    ),
    "consecutive": _rows(
        "orders",
        Compare(
            relation="==",
            left=_c("order_id"),
            right=_plus(Previous(of=_c("order_id"), order=_c("order_id"), by=(_c("user_id"),)), _v(1)),
        ),
    ),
    "tolerated_share": _rows("users", Present(of=_c("email")), _is("status", "active"), Tolerance(max_share=0.01)),
    "tolerated_rows": _rows("users", Present(of=_c("email")), None, Tolerance(max_rows=2, max_share=0.29)),
    "row_count": TableRule(
        table="orders",
        must=All(
            conditions=(
                Compare(relation=">=", left=Aggregate(statistic="count", table="orders"), right=_v(3)),
                Compare(relation="<=", left=Aggregate(statistic="count", table="orders"), right=_v(5000)),
            )
        ),
    ),
    "aggregate": TableRule(
        table="orders",
        must=Compare(
            relation="<=",
            left=Aggregate(statistic="mean", table="orders", of=_c("amount"), where=_is("currency", "EUR")),
            right=_v(100),
        ),
    ),
    "totals_agree": TableRule(
        table="orders",
        must=Compare(
            relation="==",
            left=Aggregate(statistic="sum", table="orders", of=_c("total")),
            right=Aggregate(statistic="sum", table="users", of=_c("total_spent")),
        ),
    ),
    "share": TableRule(
        table="users",
        must=Compare(
            relation=">=",
            left=Share(table="users", condition=Present(of=_c("email")), where=_is("status", "active")),
            right=_v(0.9),
        ),
    ),
    "columns": ColumnsRule(
        table="orders",
        required=("order_id", "user_id"),
        forbidden=("password",),
        ordered=True,
        types={"order_id": "integer", "status": "text", "amount": "number"},
    ),
}

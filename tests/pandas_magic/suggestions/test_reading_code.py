"""What pandas code takes for granted, line by line; nothing of it is run, and what it guards is not said of it."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import check_types, describe
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.suggestions.code.reading import assumptions

TABLES = {
    "orders": Table(
        name="orders",
        columns={
            "order_id": "int64", "user_id": "float64", "total": "float64", "quantity": "int64",
            "status": "str", "code": "str", "day": "str", "discount": "float64",
        },
    ),
    "users": Table(name="users", columns={"user_id": "int64", "age": "float64", "country": "str", "name": "str"}),
}  # fmt: skip
REFERENCE = "orders: user_id must be among users.user_id"
ONE_USER = "users: user_id must be unique"
WHOLE_AGE = "users: age must be present and age must be readable as an integer"


def told(code: str, target: str | None = None) -> list[str]:
    found = assumptions(code, TABLES, target=target)
    for one in found:
        if one.rule is not None:
            assert check_types(one.rule, TABLES) == (), one
            assert read_canonical(describe(one.rule)) == one.rule
    return [describe(one.rule) if one.rule else "" for one in found]


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        # Joins: each row finds its partner, and one only.
        ('m = orders.merge(users, on="user_id")', [REFERENCE, ONE_USER]),
        ('m = pd.merge(orders, users, on="user_id", how="left", validate="many_to_one")', [REFERENCE, ONE_USER]),
        ('orders.merge(users, on="user_id", how="left", validate="m:m")', [REFERENCE]),
        ('orders.merge(users, on="user_id", how="outer")', []),
        ('orders.merge(users, on="user_id", how="left", indicator=True)', [ONE_USER]),
        ('users.merge(orders, on="user_id", how="right", validate="1:m")', [REFERENCE, ONE_USER]),
        ('orders.join(users.set_index("user_id"), on="user_id")', [REFERENCE, ONE_USER]),
        ('orders.merge(users, left_on=["user_id", "code"], right_on=["user_id", "name"])',
         ["orders: (user_id, code) must be among (users.user_id, users.name)",
          "users: (user_id, name) must be unique"]),
        ('orders["c"] = orders.user_id.map(users.set_index("user_id")["country"])', [REFERENCE, ONE_USER]),
        ('orders.merge(unknown, on="user_id")', []),
        # Casts and readings.
        ("users.age.astype(int)", [WHOLE_AGE]),
        ('users["age"].astype("Int64")', ["users: age must be readable as an integer"]),
        ('users.astype({"age": "int32"})', [WHOLE_AGE]),
        ("users.age.astype(float)", []),
        ("orders.code.astype(float)", ["orders: code must be readable as a number"]),
        ('users = users.dropna(subset=["age"])\nusers["age"] = users["age"].astype(int)',
         ["users: age must be present", "users where age is present: age must be readable as an integer"]),
        ("pd.to_datetime(orders.day)", ["orders: `day` must be readable as a date"]),
        ('pd.to_datetime(orders.day, errors="coerce")', []),
        ('pd.to_datetime(orders.day, format="%d.%m.%Y")', [r"orders: `day` must match /\d{2}\.\d{2}\.\d{4}/"]),
        ('pd.to_datetime(orders.day, format="%d %b %Y")', []),
        ('orders = pd.read_csv("data/orders.csv", parse_dates=["day"])', ["orders: `day` must be readable as a date"]),
        ("pd.to_numeric(orders.code)", ["orders: code must be readable as a number"]),
        # Maps: the keys are all that there is.
        ('orders["n"] = orders.status.map({"a": 1, "b": 2})', ["orders: status must be one of 'a', 'b'"]),
        ('names = {"a": 1}\norders.status.map(names)', ["orders: status must be one of 'a'"]),
        ('orders.status.map({"a": 1}).fillna(0)', []),
        ("orders.status.map(len)", []),
        # Quotients, logarithms, bins.
        ("orders.total / orders.quantity", ["orders: quantity must not equal 0"]),
        ("np.where(orders.quantity != 0, orders.total / orders.quantity, 0)", []),
        ('orders.total / orders["quantity"].replace(0, np.nan)', []),
        ("np.log(orders.total)", ["orders: total must be greater than 0"]),
        ("np.sqrt(orders.total)", ["orders: total must be at least 0"]),
        ("pd.cut(users.age, bins=[0, 18, 65])", ["users: age must be greater than 0 and age must be at most 65"]),
        # Keys of an index, groups, pivots.
        ('users.set_index("user_id").loc[7]', [ONE_USER]),
        ('users.set_index("user_id", verify_integrity=True)', [ONE_USER]),
        ('users.set_index("user_id")', []),
        ('users.groupby("country").age.mean()', ["users: country must be present"]),
        ('users.groupby("country", dropna=False).age.mean()', []),
        ('users.pivot(index="name", columns="country", values="age")', ["users: (name, country) must be unique"]),
        ('users.drop_duplicates("user_id")', [ONE_USER]),
        # Assertions, also about rows that are left.
        ("assert (orders.total > 0).all()", ["orders: total must be present and total must be greater than 0"]),
        ("if orders.order_id.duplicated().any():\n    raise ValueError", ["orders: order_id must be unique"]),
        ('assert orders["user_id"].isin(users["user_id"]).all()',
         ["orders: user_id must be present and user_id must be among users.user_id"]),
        ('paid = orders[orders.status == "paid"]\nassert paid.total.notna().all()',
         ["orders where status is present and status is 'paid': total must be present"]),
        # A filter under its table's name is a demand where it is about numbers, and a choice where it is not.
        ("orders = orders[orders.total > 0]", ["orders: total must be present and total must be greater than 0"]),
        ('orders = orders.query("total > 0")\nnp.log(orders.discount)',
         ["orders where total is present and total is greater than 0: discount must be greater than 0"]),
        ('orders = orders[orders.status == "paid"]', []),
        # Of what a line changed, of rows that nobody can tell and of what is seen to, nothing is said.
        ('orders["quantity"] = orders.quantity.fillna(1)\norders.total / orders.quantity', []),
        ("for name in names:\n    orders[name] = orders[name] * 2\nnp.log(orders.total)", []),
        ("orders.head(5).code.astype(float)", []),
        ("best = strange(orders)\nnp.log(best.total)", []),
        ("try:\n    n = users.age.astype(int)\nexcept ValueError:\n    n = None", []),
        ("def clean(orders):\n    return orders.code.astype(float)", ["orders: code must be readable as a number"]),
        ('df = pd.read_csv("x/orders.csv")\ndf.code.astype(float)', ["orders: code must be readable as a number"]),
        ('orders = orders.rename(columns={"code": "kode"})\norders.kode.astype(float)',
         ["orders: code must be readable as a number"]),
        ('m = orders.merge(users, on="user_id", how="left")\nassert m.order_id.is_unique', [REFERENCE, ONE_USER, ""]),
        ('orders["discount"] = 0\nassert (orders.discount >= 0).all()', [""]),
        ("x = f'{orders.total}' % orders.quantity", []),
    ],
)  # fmt: skip
def test_a_line_takes_for_granted(code: str, rules: list[str]) -> None:
    assert told(code) == rules


def test_a_frame_that_nobody_knows_is_the_table_that_is_named() -> None:
    assert told("df.age.astype(int)") == []
    assert told("df.age.astype(int)", target="users") == [WHOLE_AGE]
    assert told("df = read_it()\ndf.age.astype(int)", target="users") == [WHOLE_AGE]
    code = "import pandas as pd\ndef clean(x):\n    return x\npd.merge(orders, df, on='user_id')\nclean.age.astype(int)"
    assert told(code, target="users") == [REFERENCE, ONE_USER]


def test_what_cannot_be_told_says_which_line_changed_it() -> None:
    (one,) = assumptions('orders["total"] = 0\nassert (orders.total > 1).all()', TABLES)
    assert one.rule is None
    assert one.because == "it is about what line 1 left, not about the table as it lies"

"""Assertions as people write them in scripts: `pandas-magic explain assertions.py` says what each demands."""

import pandas as pd

orders = pd.read_csv("data/orders.csv")
users = pd.read_csv("data/users.csv")

assert orders["order_id"].is_unique
assert orders["total"].gt(0).all()
assert orders["user_id"].isin(users["user_id"]).all()
if (orders["quantity"] < 1).any():
    raise ValueError("a quantity below 1")
violations = orders[orders["ship_date"] < orders["order_date"]]

orders["discount"] = orders["discount"].fillna(0)
assert orders["discount"].between(0, 100).all()
assert orders["total"].map(lambda total: total > 0).all()
assert orders["total"].skew() < 5

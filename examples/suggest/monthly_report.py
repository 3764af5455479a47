"""A report as many stand in notebooks and scripts: what it takes for granted of its tables is said nowhere.

`pandas-magic suggest -C examples examples/suggest/monthly_report.py` reads it, and offers as checks what it assumes.
"""

from pathlib import Path

import numpy as np
import pandas as pd

DATA = Path(__file__).parent.parent / "data"
WEIGHTS = {"view": 0, "click": 1, "add_to_cart": 2, "purchase": 5}

users = pd.read_csv(DATA / "users.csv")
orders = pd.read_csv(DATA / "orders.csv", parse_dates=["order_date", "ship_date"])
events = pd.read_csv(DATA / "events.csv")

assert (orders["amount"] >= 0).all()
orders = orders[orders["total"] > 0]
orders["unit_price"] = orders["amount"] / orders["quantity"]
orders["log_total"] = np.log(orders["total"])

known = orders.merge(users, on="user_id", how="left", validate="many_to_one")
known["country"] = known["country"].fillna("unknown")
by_country = known.groupby("country")["total"].sum()

events["weight"] = events["event_type"].map(WEIGHTS)
events["country"] = events["user_id"].map(users.set_index("user_id")["country"])

adults = users.dropna(subset=["age"])
adults["age"] = adults["age"].astype(int)
ages = pd.cut(adults["age"], bins=[12, 18, 40, 65, 120])

if __name__ == "__main__":
    print(by_country.round(2))
    print(events.groupby("country")["weight"].mean().round(3))
    print(ages.value_counts())

"""A small shop to try things on: users, orders and events with known mistakes in them, and rules that find them.

Everything is drawn from one seeded generator, so the tables, and the numbers of violations, are the same everywhere.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from pandas_magic.state import make_folder

_SEED = 20261101
_USERS, _ORDERS, _EVENTS = 2_000, 10_000, 12_000
_FIRST_DAY = np.datetime64("2025-01-01T00:00:00", "s")
_DAY = np.timedelta64(1, "D")
# How many rows were made to break each rule of `demo_checks.json`.
PLANTED: Mapping[str, int] = {
    "CHK-001": 7,
    "CHK-002": 12,
    "CHK-003": 8,
    "CHK-004": 9,
    "CHK-005": 6,
    "CHK-006": 0,
    "CHK-007": 11,
    "CHK-008": 13,
    "CHK-009": 0,
    "CHK-010": 4,
    "CHK-011": 10,
    "CHK-012": 14,
    "CHK-013": 0,
}


def make_tables(seed: int = _SEED) -> dict[str, pd.DataFrame]:
    """Users (2,000 rows), orders (10,000) and events (12,000), with as many mistakes as `PLANTED` says.

    Mistakes of different rules are in different rows, so that each count stands for itself.
    """
    draw = np.random.default_rng(seed)
    users, orders = _users(draw), _orders(draw)
    events = _events(draw, orders)
    _plant_in_users(draw, users)
    _plant_in_orders(draw, orders)
    _plant_in_events(draw, events)
    return {"users": users, "orders": orders, "events": events}


def write_tables(folder: Path) -> dict[str, Path]:
    """Write the tables as CSV files below `folder`, and give their paths by name."""
    make_folder(folder)
    paths = {name: folder / f"{name}.csv" for name in ("users", "orders", "events")}
    for name, table in make_tables().items():
        table.to_csv(paths[name], index=False, lineterminator="\n")
    return paths


def _users(draw: np.random.Generator) -> pd.DataFrame:
    ids = np.arange(1, _USERS + 1)
    return pd.DataFrame(
        {
            "user_id": ids,
            "email": [f"user{number}@example.com" for number in ids],
            "full_name": [f"Name{number} Surname{number}" for number in ids],
            "country": draw.choice(["DE", "FR", "US", "GB", "IT"], _USERS),
            "age": np.where(draw.random(_USERS) < 0.03, np.nan, draw.integers(13, 91, _USERS)),
            "status": draw.choice(["active", "inactive", "banned"], _USERS, p=[0.7, 0.22, 0.08]),
            "signup_date": _FIRST_DAY + draw.integers(0, 300, _USERS) * _DAY,
        }
    )


def _orders(draw: np.random.Generator) -> pd.DataFrame:
    users = draw.integers(1, _USERS + 1, _ORDERS)
    ordered = _FIRST_DAY + draw.integers(300 * 86_400, 600 * 86_400, _ORDERS).astype("timedelta64[s]")
    status = draw.choice(["pending", "paid", "shipped", "delivered", "cancelled"], _ORDERS, p=[0.1, 0.2, 0.2, 0.4, 0.1])
    amount = draw.integers(500, 60_000, _ORDERS) / 100
    discount = np.where(draw.random(_ORDERS) < 0.3, np.round(amount * draw.integers(1, 40, _ORDERS) / 100, 2), 0.0)
    tax = np.round((amount - discount) * 0.19, 2)
    shipped = pd.Series(ordered + draw.integers(1, 6, _ORDERS) * _DAY)
    return pd.DataFrame(
        {
            "order_id": np.arange(10_001, 10_001 + _ORDERS),
            "user_id": users,
            "order_date": ordered,
            "ship_date": shipped.where(np.isin(status, ["shipped", "delivered"])),
            "status": status,
            "quantity": draw.integers(1, 21, _ORDERS),
            "amount": amount,
            "discount": discount,
            "tax": tax,
            "total": np.round(amount - discount + tax, 2),
            "currency": draw.choice(["EUR", "USD", "GBP"], _ORDERS, p=[0.6, 0.25, 0.15]),
        }
    )


def _events(draw: np.random.Generator, orders: pd.DataFrame) -> pd.DataFrame:
    bought = orders.sample(3_000, random_state=draw).reset_index(drop=True)
    viewed = _EVENTS - len(bought)
    purchases = pd.DataFrame(
        {"user_id": bought["user_id"], "event_type": "purchase", "event_time": bought["order_date"]}
    ).assign(order_id=bought["order_id"].astype("Int64"))
    others = pd.DataFrame(
        {
            "user_id": draw.integers(1, _USERS + 1, viewed),
            "event_type": draw.choice(["view", "click", "add_to_cart"], viewed, p=[0.6, 0.3, 0.1]),
            "event_time": _FIRST_DAY + draw.integers(300 * 86_400, 600 * 86_400, viewed).astype("timedelta64[s]"),
            "order_id": pd.array([pd.NA] * viewed, dtype="Int64"),
        }
    )
    events = pd.concat([others, purchases], ignore_index=True)
    events.insert(0, "event_id", np.arange(1, _EVENTS + 1))
    return events


def _plant_in_users(draw: np.random.Generator, users: pd.DataFrame) -> None:
    rows = iter(draw.permutation(_USERS))
    users.loc[_take(rows, 7), "email"] = None
    users.loc[_take(rows, 6), "age"] = 9
    users.loc[_take(rows, 3), "age"] = 141
    users.loc[_take(rows, 4), "full_name"] = "Li"


def _plant_in_orders(draw: np.random.Generator, orders: pd.DataFrame) -> None:
    # Copies of an id come in pairs: both rows break the rule.
    rows = iter(draw.permutation(orders.index[orders["status"].isin(["pending", "paid"])]))
    originals, copies = _take(rows, 4), _take(rows, 4)
    orders.loc[copies, "order_id"] = orders.loc[originals, "order_id"].to_numpy()
    orders.loc[_take(rows, 6), "status"] = "lost"
    orders.loc[_take(rows, 6), "quantity"] = 0
    orders.loc[_take(rows, 4), "quantity"] = 250
    off = _take(rows, 14)
    orders.loc[off, "total"] = (orders.loc[off, "total"] + 3.5).round(2)
    sent = iter(draw.permutation(orders.index[orders["status"].isin(["shipped", "delivered"])]))
    orders.loc[_take(sent, 11), "ship_date"] = pd.NaT
    early = _take(sent, 13)
    orders.loc[early, "ship_date"] = orders.loc[early, "order_date"] - pd.Timedelta(days=2)


def _plant_in_events(draw: np.random.Generator, events: pd.DataFrame) -> None:
    events.loc[draw.choice(_EVENTS, 12, replace=False), "user_id"] = 77_777


def _take(rows: Iterator[int], count: int) -> list[int]:
    return [int(next(rows)) for _ in range(count)]

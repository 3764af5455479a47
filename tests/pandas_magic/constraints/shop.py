"""A small shop with everything odd about it: missing values, duplicates, orphans, ties, infinities."""

from functools import cache

import numpy as np
import pandas as pd

NOW = pd.Timestamp("2026-03-30 12:00")
UTC_NOW = pd.Timestamp("2026-03-30 10:00", tz="UTC")


def shop(seed: int, *, users: int = 12, orders: int = 25, prices: int = 8) -> dict[str, pd.DataFrame]:
    """The tables of `gallery.SHOP`, the same ones for the same seed."""
    return {name: frame.copy() for name, frame in _made(seed, users, orders, prices).items()}


@cache
def _made(seed: int, users: int, orders: int, prices: int) -> dict[str, pd.DataFrame]:
    return _Shop(seed).tables(users, orders, prices)


class _Shop:
    def __init__(self, seed: int) -> None:
        self.chance = np.random.default_rng(seed)

    def some(self, size: int, *values: object) -> "pd.Series[object]":
        """A column drawn from the values, about one in seven of them missing."""
        column = pd.Series(self.chance.choice(np.array(values), size))
        column = column.where(self.chance.random(size) >= 0.15)
        return column.astype("str") if isinstance(values[0], str) else column

    def days(self, size: int, start: str, span: int) -> "pd.Series[object]":
        hours = pd.to_timedelta(self.chance.integers(0, span * 24, size), unit="h")
        moments = pd.Series(pd.Timestamp(start) + hours).astype("datetime64[us]")
        return moments.where(self.chance.random(size) >= 0.15)

    def whole(self, size: int, low: int, high: int) -> np.ndarray:
        return self.chance.integers(low, high, size)

    def tables(self, users: int, orders: int, prices: int) -> dict[str, pd.DataFrame]:
        return {"users": self.users(users), "orders": self.orders(orders, users), "prices": self.prices(prices)}

    def users(self, size: int) -> pd.DataFrame:
        seen = self.days(size, "2026-03-20", 20)
        return pd.DataFrame(
            {
                "user_id": self.whole(size, 1, size + 1),
                "email": self.some(size, "a@b.co", "A@b.co", "x", "c@d.org", "a b@c.d", "é@ü.de"),
                "full_name": self.some(size, "Li", "Ann Test", "bob", "testy", "ABC"),
                "country": self.some(size, "DE", "de", "FR"),
                "age": self.some(size, 12, 13, 50.0, 120, 121, np.inf),
                "signup_date": self.days(size, "2026-01-01", 120),
                "last_login": self.days(size, "2025-02-01", 500),
                "status": self.some(size, "active", "inactive", "banned", "gone"),
                "referrer_id": self.some(size, *map(float, range(1, size + 3))),
                "credit_limit": self.some(size, 5.0, 10.0, 20.0),
                "order_count": self.whole(size, 0, 4),
                "total_spent": self.some(size, 0, 0.3, 0.1, 1.1),
                "is_member": self.chance.random(size) < 0.5,
                "seen_at": seen.dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin"),
            }
        )

    def orders(self, size: int, users: int) -> pd.DataFrame:
        return pd.DataFrame(
            {
                "order_id": self.whole(size, 1, size + 1),
                "user_id": self.whole(size, 1, users + 3),
                "order_date": self.days(size, "2025-12-29", 6).dt.floor("12h"),
                "ship_date": self.days(size, "2025-12-28", 25),
                "delivery_date": self.days(size, "2026-01-02", 40),
                "status": self.some(size, "paid", "shipped", "delivered", "pending", "cancelled"),
                "amount": self.some(size, 0.1, 0.2, 0.3, 0.7, 100, -5, 0, 800),
                "discount": self.some(size, 0, 0.1, 0.2, 100.0),
                "tax": self.some(size, 0, 0.1, 0.2),
                "total": self.some(size, 0, 0.1, 0.2, 0.3, 0.4, 0.31, 0.32),
                "currency": self.some(size, "EUR", "USD", "GBP", "XXX"),
                "quantity": self.whole(size, 0, 3),
                "coupon_code": self.some(size, "ABC-1234", "abc", "12", "-7", "+49"),
                "region": self.some(size, "EUR", "N", "S"),
            }
        )

    def prices(self, size: int) -> pd.DataFrame:
        dates = (
            "2026-01-31",
            "2026-02-30",
            "2026-01-31T10:00:00",
            "x",
            "2026-1-1",
            "2024-02-29 23:59",
            "9:15",
            "08:29:59.5",
        )
        return pd.DataFrame(
            {
                "region": self.some(size, "EUR", "N", "S"),
                "currency": self.some(size, "EUR", "USD"),
                "price": self.some(size, 0.1, 0.2, 100.0),
                "version": self.whole(size, 0, 3),
                "comment": self.some(size, *dates),
            }
        )

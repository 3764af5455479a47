"""Business rules in tests of your own.

In the folder above: pytest --pandas-magic . tests/test_orders.py. The checks of the workspace are test items beside
these; leave the option out for these alone.
"""

from pathlib import Path

import pandas as pd

DATA = Path(__file__).parents[1] / "data"


def test_orders(pandas_magic):
    """Rules in sentences about frames of the test: nothing is kept."""
    orders = pd.read_csv(DATA / "orders.csv")
    pandas_magic.holds("order_id must be present", orders=orders)
    pandas_magic.holds("orders.user_id must exist in users.user_id", orders=orders, users=DATA / "users.csv")


def test_totals(pandas_magic):
    """A saved check that must pass; here it fails, and the report shows the rows."""
    pandas_magic.passes("CHK-001")

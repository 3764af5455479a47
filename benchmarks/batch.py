"""Twenty rules on three loaded frames (users 1e5, orders 1e6, events 2e6): a batch, against idiomatic pandas by hand.

Our side proves nothing anew, but confines, judges, counts what it cannot judge, and keeps journal and failing rows; the
other side only counts. Both alternate in one run; medians of wall time. The limit is 1.1 times. The first round, in
which the kernel starts, is told apart. DuckDB counts the same where it is installed, for comparison.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace

if TYPE_CHECKING:
    import duckdb

ROUNDS, LIMIT, ORDERS = 5, 1.1, 1_000_000
NOW = pd.Timestamp("2026-11-21")
EMAIL = r"[^@\s]+@[^@\s]+\.[a-z]{2,}"
STATUSES = ["paid", "pending", "cancelled", "refunded"]
Frames = Mapping[str, pd.DataFrame]

# Table, rule, and the same by hand on users, orders, events.
RULES: tuple[tuple[str, str, Callable[[Any, Any, Any], Any]], ...] = (
    ("users", "email must be present", lambda u, o, e: u["email"].isna().sum()),
    ("orders", "order_id must be unique", lambda u, o, e: o["order_id"].duplicated(keep=False).sum()),
    (
        "events",
        "events: (order_id, line_no) must be unique",
        lambda u, o, e: e.duplicated(["order_id", "line_no"], keep=False).sum(),
    ),
    (
        "orders",
        "orders: user_id must be present and user_id must be among users.user_id",
        lambda u, o, e: (~o["user_id"].isin(u["user_id"])).sum(),
    ),
    (
        "events",
        "events: user_id must be present and user_id must be among users.user_id",
        lambda u, o, e: (~e["user_id"].isin(u["user_id"])).sum(),
    ),
    (
        "orders",
        "status must be one of 'paid', 'pending', 'cancelled', 'refunded'",
        lambda u, o, e: (~o["status"].isin(STATUSES)).sum(),
    ),
    ("users", "age must be between 0 and 120", lambda u, o, e: (~u["age"].between(0, 120)).sum()),
    ("orders", f"email must match /{EMAIL}/", lambda u, o, e: (~o["email"].str.fullmatch(EMAIL)).sum()),
    ("orders", "orders: the length of zip must equal 5", lambda u, o, e: (o["zip"].str.len() != 5).sum()),
    ("orders", "shipped_at must be >= created_at", lambda u, o, e: (o["shipped_at"] < o["created_at"]).sum()),
    (
        "events",
        "events as a whole: the maximum of ts in events must be no earlier than now - 1 day",
        lambda u, o, e: int(e["ts"].max() < NOW - pd.Timedelta(days=1)),
    ),
    ("orders", "the average total must be between 40 and 55", lambda u, o, e: int(not 40 <= o["total"].mean() <= 55)),
    (
        "orders",
        "orders as a whole: the 0.95 quantile of total in orders must be between 60 and 130",
        lambda u, o, e: int(not 60 <= o["total"].quantile(0.95) <= 130),
    ),
    (
        "orders",
        "orders: total must equal the sum of amount in events by order_id within 0.005",
        lambda u, o, e: (
            (o["total"] - o["order_id"].map(e.groupby("order_id")["amount"].sum()).fillna(0)).abs() > 0.005 + 1e-9
        ).sum(),
    ),
    (
        "orders",
        "paid_at must be present where status is 'paid'",
        lambda u, o, e: ((o["status"] == "paid") & o["paid_at"].isna()).sum(),
    ),
    (
        "events",
        "events where event_id is present: event_id must be > the previous event_id",
        lambda u, o, e: (e["event_id"].diff() <= 0).sum(),
    ),
    ("orders", "no two rows may be identical", lambda u, o, e: o.duplicated(keep=False).sum()),
    (
        "orders",
        "orders: the number of rows per (user_id, the date of created_at) must be at most 3",
        lambda u, o, e: o.groupby(["user_id", o["created_at"].dt.floor("D")])["user_id"].transform("size").gt(3).sum(),
    ),
    (
        "users",
        "users: n_orders must equal the number of rows in orders by user_id",
        lambda u, o, e: (u["user_id"].map(o.groupby("user_id").size()).fillna(0) != u["n_orders"]).sum(),
    ),
    ("orders", "orders: created_at must be no later than now", lambda u, o, e: (o["created_at"] > NOW).sum()),
)


def make_tables(orders: int = ORDERS) -> dict[str, pd.DataFrame]:
    """The three tables, with a few rows that break most of the rules."""
    r = np.random.default_rng(20261121)
    users, day = orders // 10, np.timedelta64(1, "D")
    owner = r.integers(1, users + 1, orders)
    cents = r.lognormal(7.5, 0.7, 2 * orders).astype("int64") + 1
    created = np.sort(NOW.to_numpy() - (r.random(orders) * 365 * 86_400 * 1e6).astype("m8[us]")).astype("M8[us]")
    status = r.choice(STATUSES, orders, p=[0.7, 0.1, 0.1, 0.1]).astype(object)
    o = pd.DataFrame({"order_id": np.arange(1, orders + 1), "user_id": owner, "created_at": created})
    o["shipped_at"] = created + (r.random(orders) * 5 * 86_400 * 1e6).astype("m8[us]")
    o["paid_at"] = pd.Series(created + np.timedelta64(600, "s")).where(status == "paid")
    o["status"] = pd.Series(status).astype("str")
    o["total"] = cents.reshape(orders, 2).sum(axis=1) / 100
    o["quantity"] = r.integers(1, 6, orders)
    o["email"] = "user" + pd.Series(owner).astype("str") + "@example.com"
    o["zip"] = pd.Series(r.integers(10_000, 100_000, orders)).astype("str")
    o["channel"] = pd.Series(r.choice(["web", "app", "store"], orders)).astype("str")
    o["discount"] = pd.Series(r.random(orders).round(3)).where(r.random(orders) > 0.2)
    e = pd.DataFrame({"event_id": np.arange(1, 2 * orders + 1), "user_id": owner.repeat(2)})
    e["order_id"], e["line_no"] = o["order_id"].to_numpy().repeat(2), np.tile([1, 2], orders)
    e["ts"], e["amount"] = created.repeat(2) + day / 1440, cents / 100
    u = pd.DataFrame({"user_id": np.arange(1, users + 1), "age": r.integers(0, 100, users)})
    u["email"] = "user" + u["user_id"].astype("str") + "@example.com"
    u["n_orders"] = u["user_id"].map(o.groupby("user_id").size()).fillna(0).astype("int64")
    few = r.choice(orders - 1, 100, replace=False)
    o.loc[few[:10], "status"], o.loc[few[10:20], "zip"], o.loc[few[20:30], "email"] = "lost", "123", "nobody"
    o.loc[few[30:40], "shipped_at"], o.loc[few[40:50], "user_id"] = NOW - 400 * day, users + 7
    o.loc[few[50:60], "created_at"], o.loc[few[60:70], "total"] = NOW + 3 * day, 1.0
    o.loc[orders - 5 :] = o.loc[:4].to_numpy()
    u.loc[:9, "email"], u.loc[10:19, "age"], u.loc[20:29, "n_orders"] = None, 150, 999
    return {"users": u, "orders": o.infer_objects(), "events": e}


def timed(action: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    found = action()
    return time.perf_counter() - started, found


def counted_in_duckdb(connection: "duckdb.DuckDBPyConnection") -> list[int]:
    """The same counts by hand in DuckDB, of the tables that the connection has."""
    listed = ", ".join(f"'{status}'" for status in STATUSES)
    asked = (
        "users where email is null",
        "(select count(*) over (partition by order_id) n from orders) where n > 1",
        "(select count(*) over (partition by order_id, line_no) n from events) where n > 1",
        "orders anti join users using (user_id)",
        "events anti join users using (user_id)",
        f"orders where status not in ({listed})",
        "users where age not between 0 and 120",
        f"orders where not regexp_full_match(email, '{EMAIL}')",
        "orders where length(zip) <> 5",
        "orders where shipped_at < created_at",
        "(select max(ts) m from events) where m < timestamp '2026-11-20'",
        "(select avg(total) m from orders) where m not between 40 and 55",
        "(select quantile_cont(total, 0.95) m from orders) where m not between 60 and 130",
        "orders left join (select order_id, sum(amount) s from events group by all) using (order_id) "
        "where abs(total - coalesce(s, 0)) > 0.005",
        "orders where status = 'paid' and paid_at is null",
        "(select event_id - lag(event_id) over () d from events) where d <= 0",
        # GROUP BY ALL takes the columns of the list that are no aggregates; a star within it would be one constant.
        "(select sum(n) as found from (select *, count(*) as n from orders group by all) where n > 1)",
        "(select sum(n) as found from (select count(*) as n from orders group by user_id, "
        "date_trunc('day', created_at)) where n > 3)",
        "users left join (select user_id, count(*) n from orders group by all) using (user_id) "
        "where coalesce(n, 0) <> n_orders",
        "orders where created_at > timestamp '2026-11-21'",
    )
    count = "select {} from {}"
    return [
        int(connection.execute(count.format("found" if "as found" in part else "count(*)", part)).fetchone()[0] or 0)
        for part in asked
    ]


def by_duckdb(tables: Frames) -> float | None:
    """Seconds of the same counts in DuckDB over its own tables; None where it is not installed."""
    try:
        import duckdb
    except ImportError:
        return None
    connection = duckdb.connect()
    connection.execute("set threads to 2")
    for name, frame in tables.items():
        connection.register("frame", frame)
        connection.execute(f"create table {name} as from frame")
    return timed(lambda: counted_in_duckdb(connection))[0]


def main() -> int:
    tables = make_tables()
    frames = [tables[name] for name in ("users", "orders", "events")]
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace.open(folder, tables=tables, settings={"now": str(NOW)})
        try:
            for number, (table, rule, _) in enumerate(RULES):
                workspace.check(CheckRequest(rule, id=f"R{number:02}", target=table))
            workspace.bench.close()
            ours, theirs = [], []
            for _ in range(ROUNDS + 1):
                seconds, results = timed(workspace.run)
                ours.append(seconds)
                seconds, counts = timed(lambda: [int(by_hand(*frames)) for _, _, by_hand in RULES])
                theirs.append(seconds)
        finally:
            workspace.close()
    found = [result.run.violation_count for result in results]
    assert found == counts, list(zip(found, counts, strict=True))
    ratio = statistics.median(ours[1:]) / statistics.median(theirs[1:])
    print(f"{len(RULES)} rules: ours {statistics.median(ours[1:]):.2f} s (first {ours[0]:.2f}), ", end="")
    print(f"pandas by hand {statistics.median(theirs[1:]):.2f} s, ratio {ratio:.2f}, limit {LIMIT}")
    if (seconds_of_duckdb := by_duckdb(tables)) is not None:
        print(f"DuckDB, counting only: {seconds_of_duckdb:.2f} s")
    return int(ratio > LIMIT)


if __name__ == "__main__":
    sys.exit(main())

"""What code reads: never less than it needs, and exactly what it names where that can be told."""

import hypothesis.strategies as st
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings

from pandas_magic.catalog.table import Table
from pandas_magic.checking.column_reads import columns_read, reads_of
from tests.grids import Examples

TABLES = {
    "orders": ("order_id", "user_id", "amount", "status", "note", "values"),
    "users": ("user_id", "country", "note", "age"),
}
ALL = TABLES["orders"]


def columns(code: str, table: str = "orders") -> tuple[str, ...]:
    return reads_of(code, TABLES).columns[table]


@pytest.mark.feature("A16")
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('violations = orders[orders["amount"] < 0]', ("amount",)),
        ("violations = orders[orders.amount < 0]", ("amount",)),
        ("violations = orders.query(\"amount < 0 and status == 'paid'\")", ("amount", "status")),
        ('violations = orders[orders.eval("amount * 2 < 1")]', ("amount",)),
        ('o = orders\nlate = o[o["amount"] > 1]\nviolations = late.copy()', ("amount",)),
        ('violations = orders[~orders["user_id"].isin(users["user_id"])]', ("user_id",)),
        ('violations = orders.loc[orders["amount"] < 0, ["order_id", "status"]]', ("order_id", "amount", "status")),
        ('violations = orders[orders.duplicated(subset=["user_id", "status"], keep=False)]', ("user_id", "status")),
        ('n = orders.groupby("user_id")["amount"].transform("sum")\nviolations = orders[n > 3]', ("user_id", "amount")),
        ('n = orders.groupby("user_id").size()\nviolations = orders[orders["user_id"].map(n) > 3]', ("user_id",)),
        ('n = orders.groupby("user_id").agg(total=("amount", "sum"))\nviolations = n', ("user_id", "amount")),
        ('violations = orders.assign(x=lambda d: d["amount"] * 2).query("x > 3")', ("amount",)),
        ('violations = orders.sort_values("amount").drop_duplicates("user_id")', ("user_id", "amount")),
        ("violations = orders.head(0) if len(orders) > 3 else orders", ()),
        ("violations = orders if orders.shape[0] == 0 else orders.iloc[:0]", ()),
        ('violations = orders.rename(columns={"amount": "x"}).query("x < 0")', ("amount",)),
        ('total = 0\nfor _, g in orders.groupby("user_id"):\n    total += g["amount"].sum()', ("user_id", "amount")),
    ],
)
def test_columns_that_are_named_are_read_and_no_others(code: str, expected: tuple[str, ...]) -> None:
    assert columns(code) == expected


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("violations = orders[orders.duplicated()]", ".duplicated() looks at every column in line 1"),
        ("violations = orders[orders.isna().any(axis=1)]", ".isna() looks at every column"),
        ("violations = orders.drop_duplicates()", ".drop_duplicates() looks at every column"),
        ("violations = orders.dropna()", ".dropna() looks at every column"),
        ("violations = orders[orders.columns]", "its columns is used"),
        ("violations = orders.merge(users)", ".merge() looks at every column"),
        ("violations = orders.iloc[:, 0:2]", "its iloc is used"),
        ('violations = orders.groupby("user_id").sum()', ".sum() takes every column of its groups"),
        ("violations = orders.values", "its values is used"),
        ("violations = pd.isna(orders)", "it is handed to isna()"),
        ("for c in orders:\n    print(c)", "it is used as a whole in line 1"),
        ('violations = orders[f"{x}_id"]', "a name may be put together"),
        ('violations = orders["user" + x]', "a name may be put together"),
        ("violations = orders.rename(columns=str.lower)", ".rename() looks at every column"),
        ("violations = orders.assign(x=lambda d: d.sum(axis=1))", ".sum() looks at every column"),
        ("f = lambda d: d.max(axis=1)\nviolations = orders[f]", ".max() looks at every column"),
        ("def worst(t):\n    return t.max(axis=1)\nviolations = orders[worst]", ".max() looks at every column"),
        ("violations = orders.pipe(len)", ".pipe() looks at every column"),
        ('violations = orders.loc[:, "amount":"note"]', "columns are chosen by a computed value"),
        ("violations = [orders, users][0]", "it is used as a whole"),
        ("violations = (o := orders)[o.isna().all(axis=1)]", ".isna() looks at every column"),
        ("x = orders[orders.amount > 1]\ny = x\nviolations = y.any(axis=1)", ".any() looks at every column"),
    ],
)
def test_a_table_used_as_a_whole_is_read_as_a_whole(code: str, why: str) -> None:
    found = reads_of(code, TABLES)
    assert found.columns["orders"] == ALL
    assert why in found.whole["orders"]
    assert "all columns of orders, since" in found.in_words()


def test_merged_columns_are_read_on_both_sides_under_their_suffixes() -> None:
    code = 'm = orders.merge(users, on="user_id", suffixes=("", "_of_user"))\nviolations = m[m["note_of_user"] == "x"]'
    found = reads_of(code, TABLES)
    assert found.columns == {"orders": ("user_id", "note"), "users": ("user_id", "note")}
    assert found.in_words() == "reads orders.user_id, orders.note; users.user_id, users.note"


def test_a_table_that_is_not_named_is_not_read() -> None:
    assert reads_of("violations = orders[orders.amount < 0]", TABLES).columns.keys() == {"orders"}


def test_a_table_whose_name_is_none_in_code_is_read_under_its_own_name() -> None:
    tables = {name: Table(name=name, columns={"id": "int64", "amount": "float64"}) for name in ("2024 sales", "spare")}
    code = 'violations = table_2024_sales[table_2024_sales["amount"] < 0]'
    assert columns_read(code, tables) == {"2024 sales": ("amount",)}


def test_code_that_does_not_parse_is_a_syntax_error() -> None:
    with pytest.raises(SyntaxError):
        reads_of("violations = (", TABLES)


# Pieces from which code is put together: masks over `t`, and ways to use a table `t` with a mask `m`.
_MASKS = (
    't["amount"] < 2', "t.amount.isna()", 't["status"].eq("paid")', 't["note"].str.len() > 1',
    't["user_id"].isin(users["user_id"])', 't.duplicated(["user_id"])', "t.duplicated()", "t.isna().any(axis=1)",
    't.groupby("user_id")["amount"].transform("count") > 1', 't.eval("amount > age if False else amount > 1")',
    't["user_id"].map(users.groupby("user_id").size()) > 0', 't.groupby("status").cumcount() > 0',
)  # fmt: skip
_USES = (
    "{t}[{m}]", "{t}.loc[{m}]", "{t}[{m}].drop_duplicates()", '{t}[{m}].drop_duplicates("user_id")',
    "{t}[{m}].dropna()",
    '{t}[{m}].sort_values(["amount", "order_id"])', "{t}[{m}].head(2)", '{t}[{m}].assign(z=lambda d: d["amount"] + 1)',
    '{t}[{m}].merge(users, on="user_id", how="left")', '{t}[{m}].query("amount >= 0")',
    "{t}[{m}].dropna(subset=['note'])",
    '{t}[{m}].rename(columns={{"amount": "a"}}).query("a > 0")', "{t}[~({m})]", '{t}.loc[{m}, ["order_id", "amount"]]',
)  # fmt: skip
_texts = st.sampled_from(["a", "paid", "open", None])
_orders = st.lists(
    st.tuples(st.integers(1, 3), st.integers(1, 3), st.sampled_from([0.5, 2.0, None]), _texts, _texts), max_size=6
)
_users = st.lists(st.tuples(st.integers(1, 3), _texts, _texts, st.integers(1, 9)), max_size=4)


def _violations(code: str, frames: dict[str, pd.DataFrame]) -> list[object] | str:
    names: dict[str, object] = {"pd": pd, **{name: frame.copy() for name, frame in frames.items()}}
    try:
        exec(code, names)
    except Exception as error:  # code may be wrong on some data; it must then be wrong in the same way
        return type(error).__name__
    found = names["violations"]
    assert isinstance(found, pd.DataFrame)
    return found.index.tolist()


@settings(max_examples=Examples.of(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(_MASKS), st.sampled_from(_USES), st.booleans(), _orders, _users)
def test_code_that_gets_only_the_columns_reported_finds_the_same_rows(
    mask: str, use: str, is_aliased: bool, orders: list[tuple[object, ...]], users: list[tuple[object, ...]]
) -> None:
    table = "o" if is_aliased else "orders"
    lines = ["o = orders"] * is_aliased + [f"m = {mask.replace('t.', table + '.').replace('t[', table + '[')}"]
    code = "\n".join([*lines, "violations = " + use.format(t=table, m="m")])
    frames = {
        "orders": pd.DataFrame(orders, columns=["order_id", "user_id", "amount", "status", "note"]),
        "users": pd.DataFrame(users, columns=["user_id", "country", "note", "age"]),
    }
    frames["orders"]["values"] = 1
    found = reads_of(code, {name: list(frame.columns) for name, frame in frames.items()})
    narrow = {name: frames[name][list(read)] for name, read in found.columns.items()}
    assert _violations(code, narrow) == _violations(code, frames)

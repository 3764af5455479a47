"""Databases: PostgreSQL for real, SQLite, DuckDB; each refusal one line without secrets."""

import gc
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pandas as pd
import pytest

import pandas_magic
from pandas_magic.catalog import Catalog
from pandas_magic.catalog.sources import database, sql
from pandas_magic.errors import TableUnreadable, UsageMistake
from pandas_magic.reporters.dataset_names import dataset_name


@pytest.fixture
def shop(postgres: Any) -> Any:
    postgres.execute(
        "CREATE TABLE customers (id integer PRIMARY KEY, name text, city text, balance numeric(10, 2),"
        " joined timestamptz, vip boolean, tags jsonb);"
        "INSERT INTO customers VALUES (1, 'Ann', 'Bonn', 12.50, '2026-01-31T10:00:00Z', true, '{\"a\": 1}'),"
        " (2, 'Bé', NULL, NULL, NULL, NULL, NULL), (3, 'Cy', 'Bonn', -1, '2026-02-01T00:00:00Z', false, NULL);"
        "CREATE TABLE logs (line text); INSERT INTO logs VALUES ('x'), ('y');"
        "CREATE VIEW vips AS SELECT id, name FROM customers WHERE vip"
    )
    return postgres


@pytest.fixture
def catalog(tmp_path: Path, postgres_address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Catalog]:
    monkeypatch.setenv("SHOP_PASSWORD", "s3cret-word")
    address = postgres_address.replace("s3cret-word", "${SHOP_PASSWORD}")
    (tmp_path / "tables.toml").write_text(
        f'[shop]\nuri = "{address}"\n\n[rich]\nuri = "{address}"\n'
        'query = "SELECT id, balance FROM customers WHERE balance > 0"\n\n'
        f'[clients]\nuri = "{address}"\ntable = "public.customers"\n'
    )
    yield Catalog(tmp_path)


@pytest.mark.feature("B06")
def test_tables_and_views_of_postgresql_are_tables(shop: Any, catalog: Catalog) -> None:
    assert catalog.names() == ["clients", "rich", "shop_customers", "shop_logs", "shop_vips"]
    table = catalog.schema("shop_customers")
    assert {name: table.kind(name) for name in table.columns} == {
        "id": "integer",
        "name": "text",
        "city": "text",
        "balance": "number",
        "joined": "datetime",
        "vip": "boolean",
        "tags": "text",
    } or table.kind("tags") == "mixed"
    assert (table.keys, table.row_count, table.values["city"]) == (("id",), 3, ("Bonn",))


def test_rows_of_a_database_are_those_of_its_table(shop: Any, catalog: Catalog) -> None:
    frame = catalog.frame("clients", ["name", "balance"])
    assert frame["name"].tolist() == ["Ann", "Bé", "Cy"]
    assert [None if pd.isna(value) else float(value) for value in frame["balance"]] == [12.5, None, -1.0]
    assert catalog.rows("clients", [2, 0])["name"].tolist() == ["Cy", "Ann"]


def test_a_query_is_a_table(shop: Any, catalog: Catalog) -> None:
    assert catalog.frame("rich")["id"].tolist() == [1]
    assert list(catalog.schema("rich").columns) == ["id", "balance"]


def test_the_origin_of_a_table_is_the_name_of_its_dataset_in_lineage(
    shop: Any, catalog: Catalog, postgres_address: str
) -> None:
    server = urlsplit(postgres_address)
    named = {name: dataset_name(name, catalog.schema(name).origin) for name in ("clients", "shop_logs", "rich")}
    there, database = f"postgres://{server.hostname}:{server.port}", server.path.removeprefix("/")
    assert named["clients"] == (there, f"{database}.public.customers")
    assert named["shop_logs"] == (there, f"{database}.public.logs")
    assert named["rich"] == ("pandas_magic", "rich")


def test_rows_without_a_key_are_those_of_the_same_read(shop: Any, catalog: Catalog) -> None:
    before = catalog.frame("shop_logs")["line"].tolist()
    shop.execute("DELETE FROM logs WHERE line = 'x'")
    assert catalog.rows("shop_logs", [0, 1])["line"].tolist() == before


def test_a_row_that_is_gone_is_said(shop: Any, catalog: Catalog) -> None:
    catalog.frame("clients", ["name"])
    shop.execute("DELETE FROM customers WHERE id = 3")
    with pytest.raises(TableUnreadable, match="clients changed while it was checked"):
        catalog.rows("clients", [2])


def test_a_file_of_sqlite_that_is_gone_is_said_and_none_is_made(tmp_path: Path) -> None:
    gone = tmp_path / "gone.sqlite"
    with pytest.raises(TableUnreadable, match="cannot be read: there is no such file"):
        Catalog(given={"orders": f"sqlite:///{gone}"})
    assert not gone.exists()


def test_a_table_dropped_since_is_said(shop: Any, catalog: Catalog) -> None:
    catalog.frame("clients", ["name"])
    shop.execute("DROP TABLE customers CASCADE")
    with pytest.raises(TableUnreadable, match=r'has no table "public\.customers"; it may have been dropped') as caught:
        catalog.frame("clients", ["name"])
    assert "s3cret-word" not in str(caught.value)


def test_a_connection_lost_in_the_middle_is_said_and_leaves_nothing_open(
    shop: Any, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_it_was = sql.batches_of

    def cut_off(connection: Any, *what: Any, **how: Any) -> Any:
        process = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        shop.execute("SELECT pg_terminate_backend(%s, 5000)", [process])
        return as_it_was(connection, *what, **how)

    monkeypatch.setattr(sql, "batches_of", cut_off)
    monkeypatch.setattr(sql, "columns_at_once", lambda *_, **__: None)
    with pytest.raises(TableUnreadable, match="cannot be read: "):
        catalog.frame("clients", ["name"])
    gc.collect()  # an open cursor would be warned of here


def test_nothing_can_be_written(shop: Any, tmp_path: Path, postgres_address: str) -> None:
    query = "WITH gone AS (DELETE FROM customers RETURNING id) SELECT id FROM gone"
    (tmp_path / "tables.toml").write_text(f'[t]\nuri = "{postgres_address}"\nquery = "{query}"\n')
    with pytest.raises(TableUnreadable, match="read-only transaction"):
        Catalog(tmp_path).frame("t")
    assert shop.execute("SELECT count(*) FROM customers").fetchone() == (3,)


def test_a_wrong_password_is_said_and_not_shown(postgres_address: str, tmp_path: Path) -> None:
    wrong = postgres_address.replace("s3cret-word", "wr0ng-word")
    (tmp_path / "tables.toml").write_text(f'[shop]\nuri = "{wrong}"\ntable = "customers"\n')
    with pytest.raises(TableUnreadable, match="password authentication failed") as caught:
        Catalog(tmp_path).frame("shop")
    assert "wr0ng-word" not in str(caught.value)


def test_a_server_that_is_not_there_leaves_the_other_tables(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x\n1\n")
    (tmp_path / "tables.toml").write_text('[shop]\nuri = "postgresql://u:pw@127.0.0.1:1/d"\n')
    catalog = Catalog(tmp_path)
    assert list(catalog.schemas()) == ["a"]
    assert catalog.names() == ["a", "shop"]
    assert "127.0.0.1" in catalog.unreadable()["shop"]


def test_sqlite_addresses_are_read(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "far.bin")) as database:
        pd.DataFrame({"id": [1, 2]}).to_sql("orders", database, index=False)
    (tmp_path / "tables.toml").write_text(f'[old]\nuri = "sqlite:///{tmp_path}/far.bin"\n')
    assert Catalog(tmp_path).frame("old_orders")["id"].tolist() == [1, 2]


def test_duckdb_addresses_are_read(tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(str(tmp_path / "far.bin")) as database:
        database.execute("CREATE TABLE orders AS SELECT 1 AS id")
    (tmp_path / "far.bin").rename(tmp_path / "far.duckdb")
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "tables.toml").write_text(f'[old]\nuri = "duckdb:///{tmp_path}/far.duckdb"\n')
    assert Catalog(tmp_path / "tables").frame("old_orders")["id"].tolist() == [1]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('[t]\nuri = "postgresql://u:${NO_SUCH}@h/d"\n', r"\[t\] needs the environment variable NO_SUCH"),
        ('[t]\ndelimeter = ";"\n', r'\[t\] "delimeter": .*Did you mean "delimiter"'),
        ('x = "y"\n', '"x" stands outside a section'),
        ("[t\n", "cannot be read"),
    ],
)
def test_a_mistake_in_tables_toml_is_one_line(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "tables.toml").write_text(content)
    with pytest.raises(UsageMistake, match=said):
        Catalog(tmp_path)


def test_an_unknown_scheme_is_named_with_those_there_are(tmp_path: Path) -> None:
    (tmp_path / "tables.toml").write_text('[t]\nuri = "ftp://h/a.csv"\n')
    with pytest.raises(TableUnreadable, match="no source reads ftp:// addresses; there are"):
        Catalog(tmp_path).frame("t")


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The columns of each read of a table's rows from a database."""
    seen: list[tuple[str, ...]] = []
    batches = sql.batches_of

    def counted(connection: Any, source: Any, columns: Any = None, **said: Any) -> Any:
        if said.keys().isdisjoint(("limit", "key")):
            seen.append(tuple(columns) if columns is not None else ("*",))
        return batches(connection, source, columns, **said)

    monkeypatch.setattr(sql, "batches_of", counted)
    monkeypatch.setattr(database.adbc, "columns_of", lambda *_, **__: None)  # so that every read is counted
    return seen


def test_a_table_of_postgresql_is_read_again_only_after_something_was_written(
    shop: Any, tmp_path: Path, postgres_address: str, reads: list[tuple[str, ...]]
) -> None:
    (tmp_path / "tables.toml").write_text(f'[c]\nuri = "{postgres_address}"\ntable = "customers"\n')

    def names() -> list[str]:
        # As another process would, tomorrow.
        return sorted(Catalog(tmp_path, cache=tmp_path / "kept").frame("c", ["name"])["name"])

    assert names() == names() == ["Ann", "Bé", "Cy"]
    assert reads == [("name", "id")]
    for change, after in {
        "UPDATE customers SET name = 'Eve' WHERE id = 1": ["Bé", "Cy", "Eve"],
        "DELETE FROM customers WHERE id = 2": ["Cy", "Eve"],
        "INSERT INTO customers VALUES (4, 'Dot')": ["Cy", "Dot", "Eve"],
    }.items():
        shop.execute(change)
        assert names() == names() == after
    assert len(reads) == 4


@pytest.mark.parametrize(
    "made", ["CREATE UNLOGGED TABLE t AS SELECT 1 AS x", "CREATE VIEW t AS SELECT 1 AS x", "CREATE TABLE t (x int)"]
)
def test_only_tables_whose_changes_are_logged_are_kept(
    postgres: Any, tmp_path: Path, postgres_address: str, reads: list[tuple[str, ...]], made: str
) -> None:
    postgres.execute(made)
    (tmp_path / "tables.toml").write_text(f'[t]\nuri = "{postgres_address}"\ntable = "t"\n')
    for _ in range(2):
        Catalog(tmp_path, cache=tmp_path / "kept").frame("t")
    assert len(reads) == (1 if "(x int)" in made else 2)


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_a_sqlite_address_is_read_again_only_after_a_change(
    tmp_path: Path, reads: list[tuple[str, ...]], journal: str
) -> None:
    with closing(sqlite3.connect(tmp_path / "far.bin", isolation_level=None)) as database:
        database.execute(f"PRAGMA journal_mode = {journal}")
        database.execute("CREATE TABLE orders (id INTEGER)")
        (tmp_path / "tables.toml").write_text(f'[o]\nuri = "sqlite:///{tmp_path}/far.bin"\ntable = "orders"\n')

        def ids() -> list[int]:
            return list(Catalog(tmp_path, cache=tmp_path / "kept").frame("o")["id"])

        assert ids() == ids() == []
        database.execute("INSERT INTO orders VALUES (7)")
        assert ids() == ids() == [7]
    assert len(reads) == 2


def test_what_waits_in_the_log_of_a_sqlite_file_is_seen(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "shop.sqlite", isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = wal")
        database.execute("CREATE TABLE orders (id INTEGER)")
        database.execute("INSERT INTO orders VALUES (1)")
        catalog = Catalog(tmp_path, cache=tmp_path / "kept")
        assert catalog.frame("shop")["id"].tolist() == [1]
        database.execute("INSERT INTO orders VALUES (2)")
        assert catalog.frame("shop")["id"].tolist() == [1, 2]
        assert catalog.schema("shop").row_count == 2


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("postgresql://u:a@127.0.0.1:s3cret/x", "the postgresql:// address cannot be taken apart; in a password write"),
        ("mysql+nothing://u:s3cret@h/x", r"SQLAlchemy knows no mysql\+nothing:// addresses; check what stands before"),
        ("mysql://u:s3cret@h/x", r"mysql:// needs the driver \w+, which is not installed; install it, or name yours"),
    ],
)
def test_an_address_that_cannot_be_used_is_one_line_without_its_password(tmp_path: Path, uri: str, said: str) -> None:
    (tmp_path / "tables.toml").write_text(f'[t]\nuri = "{uri}"\ntable = "a"\n')
    with pytest.raises(TableUnreadable, match=said) as caught:
        Catalog(tmp_path).schema("t")
    assert "s3cr" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("rule", "violations"),
    [("price must be at most 9999999.99", 0), ("id must be unique", 0), ("price must be at least 2", 1)],
)
def test_decimals_keep_their_declared_digits_and_uuids_are_texts(
    postgres: Any, catalog: Catalog, tmp_path: Path, rule: str, violations: int
) -> None:
    postgres.execute(
        "CREATE TABLE stock (id uuid, price numeric(12, 2));"
        "INSERT INTO stock VALUES (gen_random_uuid(), 1.5), (gen_random_uuid(), 20), (NULL, NULL)"
    )
    assert catalog.schema("shop_stock").columns == {"id": "str", "price": "decimal128(12, 2)[pyarrow]"}
    run = pandas_magic.check(rule, target="shop_stock", workspace=tmp_path)
    assert run.violations is not None
    assert (run.verdict, len(run.violations)) == ("FAIL" if violations else "PASS", violations)

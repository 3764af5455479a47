"""Tables of a database are looked at where they lie, by a role that may only read, and the run names the engine."""

import re
import signal
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import psycopg
import pytest

from pandas_magic.catalog.sources import sql
from pandas_magic.checking.engines import in_database
from pandas_magic.checking.engines.database_rows import planted_rows
from pandas_magic.checking.engines.dialect import NotExpressible
from pandas_magic.checking.engines.dialects import POSTGRES, SQLITE
from pandas_magic.checking.engines.rule_sql import select_for
from pandas_magic.checking.result import Result
from pandas_magic.cli.main import main
from pandas_magic.clock import Instant
from pandas_magic.constraints import ColumnsRule, reads, violating_rows
from pandas_magic.history.run import Run
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.reporters.card import card_of
from pandas_magic.workspace import Workspace
from tests.pandas_magic.checking.engines.at_hand import sorted_out
from tests.pandas_magic.checking.engines.comparing import rows_left_open
from tests.pandas_magic.constraints import shop
from tests.pandas_magic.constraints.gallery import GALLERY, SHOP
from tests.pandas_magic.postgres_server import PostgresServer, postgres_of_its_own

ROWS = (
    "INSERT INTO users VALUES (7, 'Ann', 30, NULL), (3, 'B%s', NULL, 1.5), (5, NULL, 200, -2);"
    "INSERT INTO orders VALUES (40, 7, 'A1', 1), (10, 9, 'A1', -2.25), (30, 3, 'C', NULL), (20, NULL, 'B', 4)"
)
TABLES = {
    "postgres": "CREATE TABLE users (id integer PRIMARY KEY, name varchar(20), age bigint, score double precision);"
    'CREATE TABLE orders (id bigint PRIMARY KEY, user_id integer, "ref code" text, total numeric(10, 2));',
    "sqlite": "CREATE TABLE users (id INTEGER PRIMARY KEY, name VARCHAR(20) COLLATE NOCASE, age BIGINT, score REAL);"
    'CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER, "ref code" TEXT, total REAL);',
}
RULES = (
    ("shop_users", "age must be between 0 and 120"),
    ("shop_users", "name must be present"),
    ("shop_users", "shop_users: name must not contain '%s'"),
    ("shop_orders", "user_id must exist in shop_users.id"),
    ("shop_orders", "(`ref code`, user_id) must be unique"),
    ("shop_orders", "total must be positive"),
    ("shop_orders", "the average total must be between -10 and 10"),
    ("shop_orders", "id must be strictly increasing"),
)
Opened = Callable[..., Workspace]


@pytest.fixture(params=["postgres", "sqlite"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept") / "shop.db"


@pytest.fixture
def execute(kind: str, file: Path, request: pytest.FixtureRequest) -> Callable[[str], object]:
    """What changes the database: as its owner, where the checks have a role that may only read."""
    if kind == "sqlite":

        def execute(script: str) -> None:
            with closing(sqlite3.connect(file)) as database:
                database.executescript(script)

        run: Callable[[str], object] = execute
    else:
        run = request.getfixturevalue("postgres").execute
        run(
            "DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN PASSWORD 'reads';"
            "REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC; GRANT USAGE ON SCHEMA public TO reader;"
            "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO reader"
        )
    run(TABLES[kind] + ROWS)
    return run


@pytest.fixture
def opened(
    kind: str, tmp_path: Path, file: Path, execute: Callable[[str], object], request: pytest.FixtureRequest
) -> Iterator[Opened]:
    address = f"sqlite:///{file}"
    if kind == "postgres":
        address = request.getfixturevalue("postgres_address").replace("owner:s3cret-word", "reader:reads")
    (tmp_path / "tables.toml").write_text(f'[shop]\nuri = "{address}"\n')
    workspaces: list[Workspace] = []

    def open_workspace(wanted: str = "always", **settings: Any) -> Workspace:
        workspaces.append(Workspace.open(tmp_path, settings={"in_database": wanted, **settings}))
        return workspaces[-1]

    yield open_workspace
    for workspace in workspaces:
        workspace.close()


def checked(workspace: Workspace, *rules: tuple[str, str]) -> list[Result]:
    return [workspace.check(CheckRequest(rule, target=table)) for table, rule in rules]


def outcome(result: Result) -> tuple[Any, ...]:
    run = result.run
    shown = None if run.violations is None else run.violations.astype(object).map(str).to_dict("records")
    return run.verdict, run.violation_count, run.not_judged, run.positions, run.summary, run.rows, shown


def test_a_database_finds_what_the_pandas_finds(
    opened: Opened, kind: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace, fetching = opened(), opened("never")
    compiled = checked(workspace, *RULES)
    by_pandas = [fetching.run_saved(result.run.check_id) for result in compiled]
    # No row is fetched but those that fail.
    monkeypatch.setattr(sql.SqlTable, "frame", lambda *_: pytest.fail("it was read"))
    in_place = workspace.run()
    assert [outcome(result) for result in in_place] == [outcome(result) for result in by_pandas]
    assert {result.run.engine for result in by_pandas} == {""}
    (engine,) = {result.run.engine for result in in_place}
    assert engine.startswith({"postgres": "PostgreSQL 1", "sqlite": "SQLite 3"}[kind])
    assert all(engine in (saved.proof.engines if saved.proof else ()) for saved in workspace.registry.load().values())
    assert ("Ran in", engine) in card_of(in_place[0]).facts
    assert ("Confined by", "nothing: its database looked at it") in card_of(in_place[0]).facts
    said = ["run", "-C", str(workspace.base_dir), "-p", "in_database=always", "--allow-proposed", "--json"]
    assert main(said) == 1
    assert capsys.readouterr().out.count(engine) >= len(RULES)


@pytest.mark.parametrize(
    ("script", "table", "rule", "why"),
    [
        (
            "CREATE TABLE logs (line text); INSERT INTO logs VALUES ('x')",
            "logs",
            "line must be present",
            "no primary key of one whole number",
        ),
        (
            "CREATE TABLE logs (id integer PRIMARY KEY, at numeric); INSERT INTO logs VALUES (1, 1)",
            "logs",
            "at must be positive",
            "type NUMERIC",
        ),
        ("", "users", "name must match /Ann|^B.*/", "^ within a pattern"),
        ("UPDATE users SET name = 'É'", "users", "name must be unique ignoring case", "not proved in "),
        ("", "orders", "the average total must be between 50 and 60", "and pandas shows what breaks it"),
    ],
)
def test_what_a_database_does_not_answer_runs_as_pandas_and_says_why(
    opened: Opened, execute: Callable[[str], object], script: str, table: str, rule: str, why: str
) -> None:
    if script:
        execute(script)
    (result,) = checked(opened(), (f"shop_{table}", rule))
    assert (result.run.engine, result.run.verdict) == ("", "FAIL" if "average" in rule or "case" in rule else "PASS")
    (note,) = (note for note in result.run.notes if note.startswith("ran as pandas and in no engine: "))
    assert why in note


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "script",
    [
        "UPDATE users SET age = 'old' WHERE id = 3",
        "DROP TABLE users; CREATE TABLE users (id INTEGER PRIMARY KEY DESC, age BIGINT);"
        "INSERT INTO users VALUES (7, 30), (3, NULL), (NULL, 200)",
    ],
)
def test_cells_and_keys_of_another_type_are_not_judged_in_place(
    opened: Opened, execute: Callable[[str], object], script: str
) -> None:
    workspace = opened()
    checked(workspace, RULES[0])
    execute(script)
    (result,) = workspace.run()
    assert (result.run.engine, result.run.verdict == "PASS") == ("", False)


@pytest.mark.parametrize("kind", ["postgres"], indirect=True)
def test_a_key_that_repeats_is_not_taken_for_a_position(opened: Opened, execute: Callable[[str], object]) -> None:
    workspace = opened()
    checked(workspace, RULES[0])
    execute("CREATE TABLE guests () INHERITS (users); INSERT INTO guests VALUES (5, 'Eve', 20, 1)")
    (result,) = workspace.run()
    assert (result.run.engine, result.run.verdict) == ("", "FAIL")
    assert "a primary key that repeats" in result.run.notes[-1]


@pytest.mark.parametrize("kind", ["postgres"], indirect=True)
def test_moments_and_truth_values_are_those_of_pandas(opened: Opened, execute: Callable[[str], object]) -> None:
    execute(
        "CREATE TABLE visits (id smallint PRIMARY KEY, came timestamp, went timestamptz, day date, paid boolean);"
        "INSERT INTO visits VALUES (1, '2026-01-31 10:00', '2026-01-31T12:00Z', '2026-01-30', true),"
        " (2, NULL, '2026-02-01T23:30-05:00', '2026-02-03', false), (3, '2026-02-02 00:00:00.000001', NULL, NULL, NULL)"
    )
    rules = [
        ("shop_visits", "came must be before 2026-02-01"),
        ("shop_visits", "shop_visits: went must be after 2026-02-01"),
        ("shop_visits", "day must be before 2026-02-01"),
        ("shop_visits", "paid must be true"),
    ]
    workspace, fetching = opened(), opened("never")
    in_place = checked(workspace, *rules)
    by_pandas = [fetching.run_saved(result.run.check_id) for result in in_place]
    assert [outcome(result) for result in in_place] == [outcome(result) for result in by_pandas]
    assert "" not in {result.run.engine for result in in_place}
    execute("UPDATE visits SET came = 'infinity' WHERE id = 2")
    run = workspace.run_saved(in_place[0].run.check_id).run
    assert (run.verdict, run.engine) == ("ERROR", "")  # nor can pandas hold it


@pytest.mark.parametrize("kind", ["postgres"], indirect=True)
def test_texts_that_are_read_are_told_where_they_are_not_at_hand(
    opened: Opened, execute: Callable[[str], object]
) -> None:
    execute(
        "CREATE TABLE lines (id integer PRIMARY KEY, qty text);"
        "INSERT INTO lines VALUES (1, '7'), (2, '3'), (3, 'n/a'), (4, '9'), (5, '8'), (6, '6')"
    )
    (in_place,) = checked(opened(), ("shop_lines", "qty must be at least 5"))
    by_pandas = opened("never").run_saved(in_place.run.check_id)
    assert outcome(in_place) == outcome(by_pandas)
    assert in_place.run.engine.startswith("PostgreSQL")
    assert in_place.run.not_judged == 1
    assert "qty read as a number; which cells are none was not looked up" in in_place.run.notes


def test_large_tables_stay_where_they_are_unless_that_is_not_wanted(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    (small,) = checked(opened("auto"), RULES[0])
    monkeypatch.setattr(sql, "_MOST_COUNTED_ROWS", 2)
    (large,), (fetched,) = opened("auto").run(), opened("never").run()
    assert (small.run.engine, fetched.run.engine) == ("", "")
    assert large.run.engine
    assert (large.run.rows, large.run.summary) == (small.run.rows, small.run.summary)


@pytest.mark.parametrize("kind", ["postgres"], indirect=True)
def test_a_database_that_vanishes_costs_one_check(
    opened: Opened, execute: Callable[[str], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = opened()
    checked(workspace, *RULES[:3])
    asked: list[str] = []
    rows_found = in_database.rows_found

    def found(connection: Any, statement: str) -> Any:
        asked.append(statement)
        if sum("WITH" in each for each in asked) == 2 and "WITH" in statement:
            execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'")
        return rows_found(connection, statement)

    monkeypatch.setattr(in_database, "rows_found", found)
    first, second, third = workspace.run()
    assert [first.run.verdict, second.run.verdict, third.run.verdict] == ["FAIL", "ERROR", "FAIL"]
    assert "cannot be read: " in second.run.error
    assert "\n" not in second.run.error
    assert "reads" not in second.run.error


def test_a_server_that_is_killed_in_the_middle_costs_its_own_checks(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "visits.csv").write_text("visit_id,age\n1,30\n2,200\n")
    with postgres_of_its_own() as server:
        (tmp_path / "tables.toml").write_text(f'[shop]\nuri = "{server.address}"\n')
        with psycopg.connect(server.address) as connection:
            connection.execute(TABLES["postgres"] + ROWS)
        for wanted, asked in [("always", (in_database, "rows_found")), ("never", (sql, "columns_at_once"))]:
            workspace = Workspace.open(tmp_path, settings={"in_database": wanted})
            rules = [*RULES[:2], RULES[5], ("visits", "age must be between 0 and 120")]
            ids = [result.run.check_id for result in checked(workspace, *rules)]
            with psycopg.connect(server.address) as connection:
                connection.execute("CREATE TABLE IF NOT EXISTS later (); INSERT INTO later DEFAULT VALUES")
            runs = _run_while_it_is_killed(workspace, ids, server, asked)
            workspace.close()
            server.start()
            assert [run.verdict for run in runs] == ["FAIL", "ERROR", "ERROR", "FAIL"]
            said = r"postgresql.*:\*\*\*@127.0.0.1:\d+/postgres cannot be read: .+$"
            for run in runs:
                assert bool(re.search(said, run.error)) is (run.verdict == "ERROR")
                assert "\n" not in run.error


def _run_while_it_is_killed(
    workspace: Workspace, ids: list[str], server: PostgresServer, asked: tuple[ModuleType, str]
) -> list[Run]:
    """The runs of the checks; when the first is done, the next question ends the server."""
    as_it_was, before, ended = getattr(*asked), len(workspace.journal.history.runs(ids[0])), []

    def killing(*what: Any, **how: Any) -> Any:
        if not ended and len(workspace.journal.history.runs(ids[0])) > before:
            ended.append(server.end(signal.SIGKILL))
        return as_it_was(*what, **how)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(*asked, killing)
        return [result.run for result in workspace.run(ids)]


def test_a_statement_that_takes_too_long_is_ended(opened: Opened, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (result,) = checked(opened(), RULES[0])
    endless = "WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT count(*), 0 FROM a"
    monkeypatch.setattr(in_database, "select_for", lambda *_, **__: endless)
    run = opened(wall_seconds=0.5).run_saved(result.run.check_id).run
    assert (run.verdict, run.error) == ("ERROR", "its database took more than 0.5 s, so it was ended")


def test_every_kind_means_the_same_on_rows_that_stand_in_the_select(kind: str, request: pytest.FixtureRequest) -> None:
    instant = Instant(shop.NOW.to_pydatetime(), shop.UTC_NOW.to_pydatetime())
    dialect, frames = {"postgres": POSTGRES, "sqlite": SQLITE}[kind], shop.shop(0)
    connection = request.getfixturevalue("postgres") if kind == "postgres" else sqlite3.connect(":memory:")
    rules: Mapping[str, Any] = {name: rule for name, rule in GALLERY.items() if not isinstance(rule, ColumnsRule)}
    answered = 0
    for name, rule in rules.items():
        try:
            planted = {
                each: planted_rows(frames[each], read, SHOP[each], dialect) for each, read in reads(rule).items()
            }
            select = select_for(rule, SHOP, instant, dialect, sources=planted)
            found = sorted_out(connection.execute(select).fetchall())
        except (NotExpressible, sqlite3.Error, psycopg.Error):
            continue
        meant = violating_rows(rule, frames, instant.local, instant.utc), rows_left_open(rule, frames, instant)
        assert found == meant, name
        answered += 1
    assert answered >= len(rules) * (0.95 if kind == "postgres" else 0.5)

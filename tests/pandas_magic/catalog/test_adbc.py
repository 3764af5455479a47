"""The faster reader of PostgreSQL gives the very rows of the other one, or leaves them to it."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.sources import adbc
from pandas_magic.errors import TableUnreadable
from tests.grids import Examples

pytest.importorskip("adbc_driver_postgresql", reason="pip install adbc-driver-postgresql would let it run")

WHOLE = {"smallint": 2**15, "integer": 2**31, "bigint": 2**63}
VALUES = {
    **{kind: st.integers(-most, most - 1) for kind, most in WHOLE.items()},
    "double precision": st.floats(),
    "text": st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5),
    "varchar(5)": st.text("aé ", max_size=5),
    "boolean": st.booleans(),
    "date": st.dates(),
    "timestamp": st.datetimes(),
    "timestamptz": st.datetimes(timezones=st.timezones()),
}
NEVER_FASTER = {
    "numeric(10, 2)": "1.50",
    "real": "0.1",
    "char(3)": "a",
    "jsonb": "{}",
    "integer[]": "{1}",
    "uuid": None,
}


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch, postgres_address: str, tmp_path: Path) -> Any:
    """Reads the table `t`, by the faster reader where it can or without it, and says which gave the rows."""
    (tmp_path / "tables.toml").write_text(f'[t]\nuri = "{postgres_address}"\ntable = "public.t"\n')
    given_rows: list[bool] = []
    faster = adbc.columns_of

    def watched(*how: Any, **named: Any) -> Any:
        found = faster(*how, **named)
        given_rows.append(found is not None)
        return found

    def reading(*, fast: bool) -> tuple[pd.DataFrame, bool]:
        given_rows.clear()
        monkeypatch.setattr(adbc, "columns_of", watched if fast else lambda *_, **__: None)
        return Catalog(tmp_path).frame("t"), any(given_rows)

    return reading


@given(data=st.data())
@settings(max_examples=Examples.of(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_readers_give_the_same_rows(postgres: Any, read: Any, data: st.DataObject) -> None:
    kinds = data.draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=4))
    rows = data.draw(st.lists(st.tuples(*(st.none() | VALUES[kind] for kind in kinds)), max_size=4))
    columns = ", ".join(f'"c {at}" {kind}' for at, kind in enumerate(kinds))
    postgres.execute(f"DROP TABLE IF EXISTS t; CREATE TABLE t ({columns})")
    for row in rows:
        postgres.execute(f"INSERT INTO t VALUES ({', '.join(['%s'] * len(row))})", row)
    try:
        slow, _ = read(fast=False)
    except TableUnreadable as error:  # a moment that has no year between 1 and 9999 in the session's zone
        with pytest.raises(TableUnreadable, match=str(error)[-20:]):
            read(fast=True)
        return
    fast, _ = read(fast=True)
    pd.testing.assert_frame_equal(fast, slow, check_exact=True)


@pytest.mark.parametrize("zone", ["Etc/UTC", "Europe/Berlin", "America/St_Johns"])
def test_moments_are_shown_in_the_zone_of_the_session(postgres: Any, read: Any, zone: str) -> None:
    postgres.execute(f"ALTER ROLE owner SET TimeZone = '{zone}'")
    try:
        postgres.execute("CREATE TABLE t AS SELECT timestamptz '2026-03-29 00:30Z' AS at, 'x'::text AS \"a\"\"b%%s\"")
        (fast, was_fast), (slow, _) = read(fast=True), read(fast=False)
    finally:
        postgres.execute("ALTER ROLE owner RESET TimeZone")
    assert was_fast
    assert str(fast["at"].dtype) == f"datetime64[us, {zone}]"
    pd.testing.assert_frame_equal(fast, slow)


def test_a_setting_of_pyarrow_that_other_packages_make_moves_no_moment(
    postgres: Any, read: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYARROW_IGNORE_TIMEZONE", "1")  # as importing pandera does
    postgres.execute("CREATE TABLE t AS SELECT timestamptz '2026-03-29 00:30Z' AS at")
    postgres.execute("ALTER ROLE owner SET TimeZone = 'America/St_Johns'")
    try:
        slow, was_fast = read(fast=False)
    finally:
        postgres.execute("ALTER ROLE owner RESET TimeZone")
    assert not was_fast
    assert slow["at"].tolist() == [pd.Timestamp("2026-03-29 00:30Z")]


@pytest.mark.parametrize("kind", NEVER_FASTER)
def test_what_it_would_read_otherwise_is_left_to_the_other_reader(postgres: Any, read: Any, kind: str) -> None:
    postgres.execute(f"CREATE TABLE t (id integer, x {kind})")
    postgres.execute("INSERT INTO t VALUES (1, %s)", (NEVER_FASTER[kind],))
    frame, was_fast = read(fast=True)
    assert not was_fast
    pd.testing.assert_frame_equal(frame, read(fast=False)[0])


@pytest.mark.parametrize("moment", ["date 'infinity'", "timestamp '-infinity'", "date '0044-03-15 BC'"])
def test_a_moment_that_is_none_is_said_and_never_read_as_another(postgres: Any, read: Any, moment: str) -> None:
    postgres.execute(f"CREATE TABLE t AS SELECT {moment} AS at")
    with pytest.raises(TableUnreadable, match="cannot be read"):
        read(fast=True)


def test_it_may_only_read(postgres: Any, read: Any) -> None:
    postgres.execute(
        "CREATE TABLE kept (x integer);"
        "CREATE FUNCTION writes() RETURNS integer LANGUAGE sql AS 'INSERT INTO kept VALUES (1) RETURNING 1';"
        "CREATE VIEW t AS SELECT writes() AS x"
    )
    with pytest.raises(TableUnreadable, match="read-only transaction"):
        read(fast=True)
    assert postgres.execute("SELECT count(*) FROM kept").fetchone() == (0,)

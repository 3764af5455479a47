"""Where engines could read a rule otherwise, they agree or say that they give no answer."""

from typing import Any

import pytest

from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.clock import Instant
from pandas_magic.constraints import DatePart
from tests.pandas_magic.checking.engines.at_hand import DuckDbAtHand, EngineAtHand, PostgresAtHand, SqliteAtHand
from tests.pandas_magic.checking.engines.comparing import Compared, compared
from tests.pandas_magic.checking.engines.probes import NOW, PROBES, UTC_NOW, column, compare, moments, rows

AT = Instant(NOW.to_pydatetime(), UTC_NOW.to_pydatetime())
# What none answers: Python's own case of such letters, and values that a table of an engine would hold otherwise.
BY_NONE = {
    "case in a pattern",
    "case beyond ASCII in a text",
    "{,n}",
    "a lower-cased key",
    "a part, whatever its case",
    "readable truths",
    "a product beyond 64 bits",
    "a whole number beyond 2**53 and a fraction",
    "whole numbers beyond 2**53 beside fractions",
    "a key beyond 2**53 beside fractions",
    "a key of texts beside one of numbers",
    "32-bit fractions",
    "nanoseconds",
    "nanoseconds apart",
    "the median between infinities",
    "the median of one infinity",
    "names that differ in case",
}
BY_POSTGRESQL = {
    "a lower-cased key of plain letters",
    "a NUL",
    "length of emoji and marks",
    "a text read as more than a number can be",
    "beyond what a double holds",
}


def seen_in(engine: EngineAtHand, name: str) -> Compared:
    rule, frames = PROBES[name]
    tables = {table: describe_frame(table, frame) for table, frame in frames.items()}
    return compared(rule, tables, frames, AT, engine)


def unanswered(engine: EngineAtHand) -> dict[str, str]:
    """Why the probes that the engine gives no answer to have none; all others agree."""
    why_not = {}
    for name in PROBES:
        seen = seen_in(engine, name)
        assert seen.agrees, f"{name}: meant {seen.meant}, found {seen.found}"
        why_not |= {name: seen.why_not} if seen.why_not else {}
    return why_not


def test_duckdb_reads_what_it_answers_as_it_is_meant() -> None:
    assert set(unanswered(DuckDbAtHand())) == BY_NONE


def test_duckdb_gives_no_answer_where_its_clocks_may_not_be_those_of_pandas() -> None:
    # The list of zones that DuckDB has takes Amsterdam of 1936 for Brussels.
    frames = moments("Europe/Amsterdam", z=["1936-09-21 01:44:00", "1936-09-21 02:00:00"])
    rule = rows(compare(DatePart(part="hour", of=column("z")), "==", 2))
    seen = compared(rule, {"t": describe_frame("t", frames["t"])}, frames, AT, DuckDbAtHand())
    assert "may differ from those of pandas" in seen.why_not


def test_postgresql_reads_what_it_answers_as_it_is_meant(postgres: Any) -> None:
    assert set(unanswered(PostgresAtHand(postgres))) == BY_NONE | BY_POSTGRESQL


def test_sqlite_reads_what_it_answers_as_it_is_meant() -> None:
    assert len(unanswered(SqliteAtHand())) < len(PROBES) * 2 / 3


@pytest.mark.parametrize("collation", ["und-u-ks-level1", "en-US"])
def test_a_collation_of_the_database_changes_nothing(postgres: Any, collation: str) -> None:
    postgres.execute(f"CREATE COLLATION other (provider = icu, locale = '{collation}', deterministic = false)")
    engine = PostgresAtHand(postgres, collation='"other"')
    for name in ("order of texts", "the least text", "a key and a space at the end", "a listed text of another case"):
        seen = seen_in(engine, name)
        assert seen.found == seen.meant, name

"""Code means what it says: the rows that a rule flags are those that duckdb or pandas find by the same expression."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.table import Table
from pandas_magic.constraints import violating_rows
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule

HERE = Path(__file__).parent
NOW = datetime(2026, 11, 1)
ROWS = 60
SEEDS = (0, 1, 2)


def lines(name: str) -> list[list[str]]:
    text = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [[part.strip() for part in line.split(" @@ ")] for line in text if line and not line.startswith("#")]


EXPRESSIONS, TRAPS = lines("code.txt"), lines("code_traps.txt")


@cache
def library(seed: int) -> dict[str, pd.DataFrame]:
    """A lending library, with missing values wherever there may be some."""
    random = np.random.default_rng(seed)

    def some(values: Sequence[object], rows: int = ROWS) -> pd.Series:
        return pd.Series(random.choice(np.array(values, dtype=object), rows))

    days = [None, *pd.date_range("2026-01-28", periods=8), pd.Timestamp("2024-02-29"), pd.Timestamp("2025-03-01")]
    isbns = [None, "97831", "97840", "12345", "978", "ab1", "AB1", " 97831", "97 31", ""]
    loans = pd.DataFrame(
        {
            "loan_id": range(1, ROWS + 1),
            "member_id": some([None, 1, 2, 3, 4, 9]).astype("float64"),
            "isbn": some(isbns).astype("str"),
            "kind": some([None, "book", "dvd", "Book", "map"]).astype("str"),
            "fee": some([None, -1.0, 0.0, 0.5, 2.0, 2.5, 10.0]).astype("float64"),
            "paid": some([None, 0.0, 2.0, 2.5, 10.0]).astype("float64"),
            **{name: pd.to_datetime(some(days)) for name in ("taken", "due", "back")},
            "lost": some([True, False, False]).astype("bool"),
            "copies": random.integers(0, 4, ROWS),
            "shelf": some(["A", "B", "C"]).astype("str"),
            "pos": random.integers(1, 6, ROWS),
        }
    )
    members = pd.DataFrame(
        {
            "member_id": [1, 2, 3, 4, 5],
            "tier": pd.Series(["gold", "std", None, "gold", "std"], dtype="str"),
            "cap": [2.0, 10.0, None, 0.5, 3.0],
            "joined": pd.to_datetime(pd.Series(["2026-01-30", "2026-02-02", None, "2025-01-01", "2026-02-01"])),
        }
    )
    fines = pd.DataFrame(
        {
            "fine_id": range(1, 41),
            "loan_id": random.integers(1, ROWS + 8, 40).astype("float64"),
            "amount": random.choice([np.nan, 0.5, 1.0, 2.0], 40),
            "state": some([None, "open", "paid"], 40).astype("str"),
        }
    )
    fines.loc[3, "loan_id"] = np.nan
    return {"loans": loans, "members": members, "fines": fines}


@cache
def tables(seed: int) -> dict[str, Table]:
    return dict(Catalog(given=library(seed)).schemas(tuple(library(seed))))


@cache
def database(seed: int) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for name, frame in library(seed).items():
        connection.register(f"given_{name}", frame.assign(_row=range(len(frame))))
        connection.execute(f"create table {name} as select * from given_{name}")
    return connection


def found_by(oracle: str, rule: str, seed: int) -> list[int]:
    kind, _, said = oracle.partition(" ")
    if kind == "mask":
        frames = library(seed)
        mask = eval(said, {**frames, "df": frames["loans"], "pd": pd, "np": np})
        return [int(row) for row in np.flatnonzero(pd.Series(mask).fillna(False).astype(bool))]
    query = rule.partition("--")[0].strip().rstrip(";")
    asked = {
        "check": f"select _row from loans where ({rule}) is false",
        "query": f"select _row from loans where loan_id in (select loan_id from ({query}))",
        "sql": said,
    }[kind]
    return sorted({row for (row,) in database(seed).execute(asked).fetchall()})


@pytest.mark.parametrize(("oracle", "rule"), EXPRESSIONS, ids=[rule for _, rule in EXPRESSIONS])
def test_code_flags_the_rows_that_it_finds_where_it_is_run(oracle: str, rule: str) -> None:
    for seed in SEEDS:
        constraint = compile_rule(rule, tables(seed), target="loans").constraint
        flagged = violating_rows(constraint, library(seed), NOW, NOW.replace(tzinfo=UTC))
        assert sorted(flagged) == found_by(oracle, rule, seed), constraint


@pytest.mark.parametrize("trap", TRAPS, ids=[trap[0] for trap in TRAPS])
def test_code_in_doubt_is_asked_about_and_says_why(trap: list[str]) -> None:
    rule, said = (*trap, "")[:2]
    with pytest.raises(RuleNotUnderstood) as refusal:
        compile_rule(rule, tables(0), target="loans")
    assert said in refusal.value.reason


def test_there_are_many_of_them() -> None:
    assert len(EXPRESSIONS) >= 60
    assert len(TRAPS) >= 25


def test_what_is_refused_as_code_proposes_nothing_else() -> None:
    with pytest.raises(RuleNotUnderstood) as refusal:
        compile_rule("LEVENSHTEIN(kind, shelf) < 3", tables(0), target="loans")
    assert refusal.value.readings == ()


def test_a_query_of_which_nothing_is_said_is_the_question() -> None:
    with pytest.raises(RuleNotUnderstood) as refusal:
        compile_rule("SELECT * FROM loans WHERE fee < 0", tables(0), target="loans")
    assert [reading.sentence for reading in refusal.value.readings] == ["loans: fee must be at least 0"]


def test_texts_that_are_dates_are_compared_as_dates_in_code() -> None:
    text = {name: "str" for name in ("due", "taken", "kind")}
    loans = {"loans": Table(name="loans", columns=text, read_as={"due": "date", "taken": "date"})}
    expected = "loans: due read as a date must be >= taken read as a date"  # a missing one leaves it open anyway
    assert compile_rule("CHECK (due IS NULL OR due >= taken)", loans).echo == expected
    with pytest.raises(RuleNotUnderstood, match="by their order"):
        compile_rule("CHECK (due >= kind)", loans)


@pytest.mark.parametrize(
    "remark", ["nulls in either are fine", "rows with paid or fee empty are left out", "ignore missing"]
)
def test_a_comment_may_say_that_missing_values_break_nothing(remark: str) -> None:
    found = compile_rule(f"assert (df.paid <= df.fee).all()  # {remark}", tables(0), target="loans")
    assert found.echo == "loans: paid must be <= fee"


@pytest.mark.parametrize("remark", ["nulls are not allowed", "nulls only in paid are fine", "rows of dvds are ignored"])
def test_any_other_comment_that_may_limit_the_rule_is_asked_about(remark: str) -> None:
    with pytest.raises(RuleNotUnderstood, match="the comment"):
        compile_rule(f"assert (df.paid <= df.fee).all()  # {remark}", tables(0), target="loans")


NONE_TOLD = [
    "0 rows please, four eyes",
    "must be empty, no gaps",
    "any row here is a dosing error",
    "must not return anything",
]
SOME_TOLD = ["should not be empty", "at least one row, not 0 rows", "should have rows, was empty", "isn't empty",
             "any row here is not a problem", "0 rows, except on Mondays"]  # fmt: skip


@pytest.mark.parametrize("remark", NONE_TOLD)
def test_a_remark_may_say_that_a_query_finds_nothing(remark: str) -> None:
    found = compile_rule(f"SELECT * FROM loans WHERE fee < 0 -- {remark}", tables(0), target="loans")
    assert found.echo == "loans: fee must be at least 0"


@pytest.mark.parametrize("remark", SOME_TOLD)
def test_a_query_that_finds_rows_is_asked_about(remark: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(f"SELECT * FROM loans WHERE fee < 0 -- {remark}", tables(0), target="loans")


def test_a_difference_without_its_missing_values_needs_none_of_its_ends() -> None:
    of, within = "assert (df.due - df.taken)", ".dt.days.between(0, 30).all()"
    dropped, kept = (compile_rule(f"{of}{more}{within}", tables(0), target="loans") for more in (".dropna()", ""))
    assert dropped.echo.startswith("loans where due is present and taken is present: ")
    assert kept.echo.startswith("loans: due must be present and taken must be present and ")


def test_a_bare_today_is_the_start_of_the_day_and_now_its_moment() -> None:
    found = [
        compile_rule(f"assert (df.due >= {said}()).all()", tables(0), target="loans").echo for said in ("today", "now")
    ]
    assert found == [f"loans: due must be present and due must be no earlier than {said}" for said in ("today", "now")]
    with pytest.raises(RuleNotUnderstood):
        compile_rule("assert (df.due >= today(3)).all()", tables(0), target="loans")

"""Rules that are understood are proved on small and odd tables: the proof builds what it needs from the rule itself."""

import uuid
import warnings
from collections.abc import Iterator, Mapping
from datetime import time
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

import pandas_magic
from pandas_magic import NotProved, Workspace
from pandas_magic.errors import TableUnreadable
from pandas_magic.registry.check_request import CheckRequest
from tests.grids import grid

EVENTS = pd.DataFrame(
    {
        "event_id": range(1, 9),
        "session_id": [1.0, 1, 1, 2, 2, 3, 3, None],
        "user_id": [7, 7, 7, 7, 8, 8, 9, 9],
        "kind": ["view", "click", "buy", "view", "view", "view", "buy", None],
        "city": ["Rom", "Rom", "Rom", "Bern", "Bern", "Bern", "Bern", "Bern"],
        "amount": [1.0, 2.5, 3.0, 4.0, -5.0, 6.0, 7.0, None],
        "rank": pd.Series([1, 2, 3, 4, 5, 6, 7, 8], dtype="int8"),
        "is_new": [True, True, False, False, False, False, True, True],
        "built_in": [1990, 1991, 1992, 1993, 1994, 1995, 1996, 1997],
        "at": pd.date_range("2026-01-01 06:00", periods=8, freq="2h"),
        "seen_at": pd.date_range("2026-01-01 06:00", periods=8, freq="2h", tz="Europe/Berlin"),
    }
)
USERS = pd.DataFrame({"user_id": [7, 8, 9, 10], "name": ["Ann", "Bob", "Cleo", None]})
INVOICES = pd.DataFrame(
    {
        "customer": ["a", "a", "b", "b"],
        "total": [Decimal("1.50"), Decimal("2.00"), Decimal("3.25"), None],
    }
)
IN_ARROW = INVOICES.assign(total=INVOICES["total"].astype(pd.ArrowDtype(pa.decimal128(12, 2))))


def violations_of(rule: str, **tables: pd.DataFrame) -> int:
    """How many violations the rule has on the tables, of which the first is meant; it must be proved to run at all."""
    run = pandas_magic.check(rule, tables=tables, target=next(iter(tables)))
    assert run.verdict in ("PASS", "FAIL"), run.summary
    assert run.violations is not None
    return len(run.violations)


@pytest.mark.parametrize(
    ("rule", "violations"),
    [
        ("No session may contain more than 20 events", 0),
        ("The amount must have at most two decimals.", 0),
        ("The amount must be a multiple of 0.5", 0),
        ("built_in must be a multiple of 2", 4),
        ("No session may contain more than 2 events", 3),
        ("No session may contain more than 100 events", 0),
        ("Every session_id occurs at most 100 times in events", 0),
        ("events: the number of rows per user_id must be at most 1000", 0),
        ("At least 30 events per session_id.", 7),
        ("events: the number of rows per (user_id, city) must be at most 300", 0),
        ("events where kind is 'buy': the number of rows per user_id must be at most 50", 0),
        ("events where kind is 'buy': the number of rows per user_id must be at least 50", 2),
        ("events: the sum of amount per user_id must be at most 1000000 (up to rounding)", 0),
        ("events: the sum of built_in per user_id must be at most 900000 (up to rounding)", 0),
        ("events: the sum of is_new per user_id must be at most 40 (up to rounding)", 0),
        ("events: the mean of amount per user_id must be at most 100000 (up to rounding)", 0),
        ("events: the mean of built_in per user_id must be at most 2500.25 (up to rounding)", 0),
        ("events: the mean of rank per user_id must be at most 100 (up to rounding)", 0),
        ("events: the median of amount per user_id must be at least 100000 (up to rounding)", 8),
        ("events: the maximum of amount per user_id must be at most 100000", 0),
        ("events: the standard deviation of amount per user_id must be at most 5000 (up to rounding)", 0),
        ("events: the distinct count of kind per session_id must be at most 50", 0),
        ("events: the distinct count of city per user_id must be at least 30", 8),
    ],
)
def test_limits_of_groups_that_no_sample_reaches(rule: str, violations: int) -> None:
    assert violations_of(rule, events=EVENTS) == violations


@pytest.mark.parametrize(
    ("rule", "violations"),
    [
        ("The average of amount must be below 10000", 0),
        ("The sum of amount must be below 10000000", 0),
        ("events as a whole: the sum of amount in events must be at least 1000000 (up to rounding)", 1),
        ("events as a whole: the median of amount in events must be between 100000 and 200000", 1),
        ("events as a whole: the mean of built_in in events must be at most 2005.25 (up to rounding)", 0),
        ("events as a whole: the mean of is_new in events must be at least 0.75 (up to rounding)", 1),
        ("events as a whole: the standard deviation of rank in events must be at most 60 (up to rounding)", 0),
        ("events as a whole: the distinct count of city in events must be at most 300", 0),
        ("The events table must have at least 1000 rows.", 1),
        ("Each user has at most 100 events", 0),
        ("Every user has at least 50 events", 4),
    ],
)
def test_limits_of_whole_tables_and_of_rows_that_match(rule: str, violations: int) -> None:
    about_users = "user has" in rule
    tables = {"users": USERS, "events": EVENTS} if about_users else {"events": EVENTS}
    assert violations_of(rule, **tables) == violations


@pytest.mark.parametrize(
    ("rule", "violations"),
    [
        ("events: the year of `at` must be greater than 1980", 0),
        ("events: `at` must be after 1980-01-01", 0),
        ("events: the year of `at` must be less than 2100", 0),
        ("events: the year of seen_at must be greater than 1980", 0),
        ("seen_at must be before 1950-01-01", 8),
        ("events: the year of `at` must be at most 2150", 0),
        ("the hour of at must be between 8 and 17", 3),
        ("built_in must be above 1700", 0),
        ("city must be at most 300 characters long", 0),
        (r"city must match /[A-Z]{3}-\d{4}/", 8),
        (r"city must not match /zz+\d*/", 0),
    ],
)
def test_limits_of_years_lengths_and_patterns_beyond_the_sample(rule: str, violations: int) -> None:
    assert violations_of(rule, events=EVENTS) == violations


@pytest.mark.parametrize(
    ("ruled", "amounts"),
    grid(
        [
            ("total must be positive", 0),
            ("total must be at most 9999999.99", 0),
            ("total must be at least 2.001", 2),
            ("total must not be missing", 1),
            ("total must be unique", 0),
            ("total must be one of 1.5, 2", 1),
            ("invoices: the sum of total per customer must be at most 10000", 0),
            ("invoices: the sum of total per customer must be at most 3", 4),
        ],
        ["objects", "arrow"],
    ),
)
def test_decimals_are_numbers_with_as_many_digits_as_the_rule_needs(ruled: tuple[str, int], amounts: str) -> None:
    rule, violations = ruled
    assert violations_of(rule, invoices=INVOICES if amounts == "objects" else IN_ARROW) == violations


@pytest.mark.parametrize(
    ("views", "not_judged", "nothing_judged"), [([0, 0], 2, True), ([0, 1], 1, False), ([3, 1], 0, False)]
)
def test_what_zero_by_zero_leaves_open_is_counted(views: list[int], not_judged: int, nothing_judged: bool) -> None:
    ads = pd.DataFrame({"clicks": [0, 0], "views": views})
    run = pandas_magic.check("ads.clicks / ads.views <= 1", tables={"ads": ads})
    assert (run.verdict, run.not_judged, run.nothing_judged) == ("PASS", not_judged, nothing_judged)


@pytest.fixture(params=["strings", "objects"])
def as_pandas_holds_texts(request: pytest.FixtureRequest) -> Iterator[None]:
    """As pandas 3 does, and by an option that who comes from pandas 2 may have set."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The 'future.infer_string' option is deprecated")
        with pd.option_context("future.infer_string", request.param == "strings"):
            yield


@pytest.mark.usefixtures("as_pandas_holds_texts")
@pytest.mark.parametrize(
    ("rule", "violations"),
    [("id must be unique", 2), ("id must not be missing", 1), ("id must be a uuid", 0)],
)
def test_a_column_of_uuids_is_read_as_its_texts(rule: str, violations: int) -> None:
    ids = [uuid.UUID(int=1), uuid.UUID(int=1), uuid.UUID(int=2), None]
    assert violations_of(rule, items=pd.DataFrame({"id": pd.Series(ids, dtype=object)})) == violations


@pytest.mark.usefixtures("as_pandas_holds_texts")
@pytest.mark.parametrize(
    ("values", "rule", "violations"),
    [
        (["Berlin", None, "ΑΘΗΝΑΣ"], "v must not be missing", 1),
        (["Berlin", None, "ΑΘΗΝΑΣ"], "items: v ignoring case must be 'ΑΘΗΝΑΣ'", 1),
        ([None, None, None], "v must not be missing", 3),
    ],
)
def test_texts_held_as_objects_are_texts(values: list[str | None], rule: str, violations: int) -> None:
    assert violations_of(rule, items=pd.DataFrame({"v": pd.Series(values, dtype=object)})) == violations


@pytest.mark.parametrize(
    ("dtype", "ruled"),
    grid(
        ["object", "str", "string", "category", "float64", "Float64", "Int64", "boolean", "datetime64[us]"],
        [("v must not be missing", 3), ("v must be unique", 0)],
    ),
)
def test_a_column_without_any_value(dtype: str, ruled: tuple[str, int]) -> None:
    rule, violations = ruled
    empty = pd.DataFrame({"k": [1, 2, 3], "v": pd.Series([None] * 3, dtype=dtype)})
    assert violations_of(rule, t=empty) == violations


@pytest.mark.parametrize(
    ("rule", "dtype"),
    grid(
        ["v must be one of 'a', 'b'", "v must be an email address", "v must start with 'ab'", "v must be missing"],
        ["object", "str", "string", "category"],
    ),
)
def test_a_column_of_texts_without_any_text(rule: str, dtype: str) -> None:
    assert violations_of(rule, t=pd.DataFrame({"v": pd.Series([None] * 3, dtype=dtype)})) == 0


@pytest.mark.parametrize(("rows", "dtypes"), grid([0, 1], [{}, {"kind": "object"}]))
@pytest.mark.parametrize(
    "rule",
    [
        "amount must be positive",
        "event_id must be unique",
        "kind must be one of 'view', 'click'",
        "No session may contain more than 20 events",
        "events: the year of `at` must be greater than 1980",
        "The average of amount must be below 10000",
        "The events table must have at most 1000 rows.",
    ],
)
def test_tables_of_no_row_and_of_one(rows: int, dtypes: Mapping[str, str], rule: str) -> None:
    assert violations_of(rule, events=EVENTS.head(rows).astype(dtypes)) == 0


def test_a_refusal_says_how_the_rule_was_understood() -> None:
    with pytest.raises(NotProved, match=r'could be made.*understood as "t: k must match') as refused:
        pandas_magic.check("k must match /.*/", tables={"t": pd.DataFrame({"k": ["a"]})})
    assert refused.value.understood


def test_violations_of_the_real_table_prove_what_cannot_be_planted() -> None:
    # No text is made for a pattern of characters that no keyboard of ours has, and no sample holds the last row.
    texts = pd.DataFrame({"city": ["Rom"] * 500 + ["Ρώμη"]})
    assert violations_of("city must not match /[^ -~]+/", texts=texts) == 1
    with pytest.raises(NotProved, match="or is among the real ones"):
        pandas_magic.check("city must not match /[^ -~]+/", tables={"texts": texts.head(500)})


@pytest.mark.parametrize("missing", [(None, None, None), (True, None, False), ()])
@pytest.mark.parametrize("statistic", ["mean", "median", "sum"])
def test_a_statistic_of_truth_values_some_or_all_of_which_are_missing(
    missing: tuple[bool | None, ...], statistic: str
) -> None:
    for dtype in ("boolean", "object"):
        truths = pd.DataFrame({"b": pd.Series(missing, dtype=dtype)})
        most = violations_of(f"t as a whole: the {statistic} of b in t must be at most 0.5 (up to rounding)", t=truths)
        assert most == int(statistic == "sum" and True in missing)


def test_a_column_of_numbers_and_texts_is_refused_with_its_first_text() -> None:
    mixed = pd.DataFrame({"k": [1, 2, "abc"]}, dtype=object)
    with pytest.raises(TableUnreadable, match=r'column "k" of table "t" holds \'abc\' \(str\) in row 2 among numbers'):
        pandas_magic.check("t: k must be between 1 and 10", tables={"t": mixed})


def test_a_refusal_names_the_row_over_which_it_stumbles(tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path, tables={"t": pd.DataFrame({"k": [1, 2], "name": ["a", "b"]})})
    try:
        compiled = workspace.check(CheckRequest(rule="k must be at most 5")).compiled
        with pytest.raises(NotProved) as refused:
            workspace.accept(compiled.id, "violations = t[t['k'] > 6]")
    finally:
        workspace.close()
    assert refused.value.understood == "t: k must be at most 5"
    assert refused.value.row == "row 11 of values at and beside the limits: k = 6"
    assert str(refused.value).endswith("It stumbles over row 11 of values at and beside the limits: k = 6")


LESSONS = pd.DataFrame(
    {
        "lesson_id": [1, 2, 3, 4, 5, 6],
        "von": ["08:30", "09:00", "10:15:00", "x", None, "22:00"],
        "bis": ["09:15", "9:30", "11:00", "11:00", "12:00", "01:00"],
        "min_planned": [45, 45, 45, 45, 45, 180],
    }
)
OF_OBJECTS = LESSONS.assign(
    von=[time(8, 30), time(9), time(10, 15), None, None, time(22)],
    bis=[time(9, 15), time(9, 30), time(11), time(11), time(12), time(1)],
)


@pytest.mark.parametrize("lessons", [LESSONS, OF_OBJECTS], ids=["texts", "objects"])
@pytest.mark.parametrize(
    ("rule", "violations"),
    [
        ("lessons: bis read as a time of day must be > von read as a time of day", 1),
        ("lessons: von read as a time of day must be between 08:45 and 20:00", 2),
        ("lessons: (bis read as a time of day) - (von read as a time of day) must be at least 40 minutes", 2),
        ("lessons: ((bis read as a time of day) - (von read as a time of day)) / 1 minute must equal min_planned", 2),
        ("lessons: bis read as a time of day must equal (von read as a time of day) + min_planned * 1 minute", 2),
    ],
)
def test_a_time_before_another_is_never_taken_for_one_of_the_next_day(
    rule: str, violations: int, lessons: pd.DataFrame
) -> None:
    assert violations_of(rule, lessons=lessons) == violations


def test_the_time_of_day_is_what_the_clocks_show() -> None:
    # On this day they show 3 when it is two hours since midnight.
    moments = pd.to_datetime(["2026-03-29 00:00", "2026-03-29 01:00", "2026-03-29 10:00"]).tz_localize("UTC")
    frame = pd.DataFrame({"seen_at": moments.tz_convert("Europe/Berlin")})
    assert violations_of("t: the time of day of seen_at must be before 03:00", t=frame) == 2

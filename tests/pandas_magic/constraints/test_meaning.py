"""What rules mean, on tables small enough to be judged by eye."""

from decimal import Decimal
from typing import Any

import pandas as pd
import pytest

from pandas_magic.constraints import (
    Aggregate,
    All,
    Any_,
    Arithmetic,
    Column,
    Compare,
    Condition,
    Exists,
    Group,
    HowMany,
    Join,
    Lookup,
    Moment,
    Not,
    Now,
    OneOf,
    Parses,
    Present,
    Previous,
    Rollup,
    RowRule,
    Share,
    Span,
    TableRule,
    Tolerance,
    Unique,
    Value,
    violating_rows,
)

NOW = pd.Timestamp("2026-03-30 12:00")
UTC_NOW = pd.Timestamp("2026-03-30 10:00", tz="UTC")
INFINITE = float("inf")
X, Y = Column(name="x"), Column(name="y")


def broken(
    must: Condition, where: Condition | None = None, tolerance: Tolerance | None = None, **columns: Any
) -> list[int]:
    others = {name[2:]: pd.DataFrame(frame) for name, frame in columns.items() if name.startswith("t_")}
    mine = pd.DataFrame({name: column for name, column in columns.items() if not name.startswith("t_")})
    rule = RowRule(table="t", where=where, must=must, tolerance=tolerance)
    return violating_rows(rule, {"t": mine, **others}, NOW, UTC_NOW)


def at_least(low: float, of: Any = X) -> Compare:
    return Compare(relation=">=", left=of, right=Value(value=low))


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, pd.NaT])
def test_a_missing_value_leaves_a_comparison_unknown(missing: object) -> None:
    column = pd.Series([missing, 1, 5], dtype=object)
    assert broken(at_least(3), x=column) == [1]
    assert broken(Not(condition=at_least(3)), x=column) == [2]
    assert broken(Compare(relation="!=", left=X, right=Value(value=5)), x=column) == [2]


def test_infinity_is_a_value_and_nan_is_missing() -> None:
    assert broken(Present(of=X), x=[float("inf"), float("nan")]) == [1]
    assert broken(Compare(relation="<", left=X, right=Value(value=9)), x=[float("inf"), float("nan")]) == [0]


def test_all_is_false_when_one_part_is_and_any_is_unknown_when_none_is_true() -> None:
    both = All(conditions=(at_least(3), at_least(3, Y)))
    either = Any_(conditions=(at_least(3), at_least(3, Y)))
    columns = {"x": [None, None, 1.0, 5.0], "y": [1.0, 5.0, None, None]}
    assert broken(both, **columns) == [0, 2]
    assert broken(either, **columns) == []
    assert broken(Not(condition=either), **columns) == [1, 3]


def test_rows_out_of_scope_are_neither_judged_nor_seen_by_windows() -> None:
    only_a = Compare(relation="==", left=Y, right=Value(value="a"))
    assert broken(Unique(by=(X,)), only_a, x=[1, 1, 2, 2], y=["a", "b", "a", "a"]) == [2, 3]


def test_unique_names_all_sharers_and_does_not_judge_missing_keys() -> None:
    assert broken(Unique(by=(X,)), x=[1, 2, 1, None, None]) == [0, 2]
    assert broken(Unique(by=(X,), missing_equal=True), x=[1, 2, 1, None, None]) == [0, 2, 3, 4]


def test_large_ids_are_not_confused() -> None:
    assert broken(Unique(by=(X,)), x=[2**53, 2**53 + 1, 2**63 - 1]) == []


def test_a_missing_key_is_found_nowhere() -> None:
    known = Exists(of=(X,), table="o", keys=("k",))
    assert broken(known, x=[1, 3, None], t_o={"k": [1, None]}) == [1]
    assert broken(Not(condition=known), x=[1, 3, None], t_o={"k": [1, None]}) == [0]


def test_exists_heeds_what_the_other_row_must_be() -> None:
    paid = Exists(of=(X,), table="o", keys=("k",), where=OneOf(of=Column(name="s"), values=("paid",)))
    assert broken(paid, x=[1, 2], t_o={"k": [1, 2], "s": ["paid", None]}) == [1]


def test_lookup_takes_the_first_of_several_and_is_missing_without_one() -> None:
    looked_up = Lookup(join=Join(columns=("x",), table="o", keys=("k",)), of=Column(name="v"))
    assert broken(at_least(3, looked_up), x=[1, 2, 3], t_o={"k": [1, 1, 2], "v": [5, 0, 1]}) == [1]


def test_rollup_of_no_rows_counts_0_and_has_no_mean() -> None:
    join = Join(columns=("x",), table="o", keys=("k",))
    children = {"k": [1, 1], "v": [2.0, 4.0]}
    assert broken(at_least(1, Rollup(statistic="count", join=join)), x=[1, 2, None], t_o=children) == [1, 2]
    of = Column(name="v")
    assert broken(at_least(6, Rollup(statistic="sum", join=join, of=of)), x=[1, 2], t_o=children) == [1]
    assert broken(at_least(9, Rollup(statistic="mean", join=join, of=of)), x=[1, 2], t_o=children) == [0]


def test_group_counts_the_rows_that_share_a_key_and_ignores_missing_keys() -> None:
    crowded = Compare(relation="<=", left=Group(statistic="count", by=(X,)), right=Value(value=1))
    assert broken(crowded, x=["a", "a", "b", None, None]) == [0, 1]


@pytest.mark.parametrize(
    ("statistic", "expected"), [("median", 2.5), ("std", 1.2909944487358056), ("quantile", 3.7), ("sum", 10)]
)
def test_statistics_are_those_of_the_textbook(statistic: Any, expected: float) -> None:
    found = Group(statistic=statistic, of=X, quantile=0.9 if statistic == "quantile" else None)
    assert broken(Compare(relation="==", left=found, right=Value(value=expected)), x=[1, 2, 3, 4]) == []
    assert broken(Compare(relation="==", left=found, right=Value(value=expected + 1)), x=[1, 2, 3, 4]) == [0, 1, 2, 3]


def test_previous_follows_the_order_and_skips_rows_without_a_place() -> None:
    rising = Compare(relation=">", left=X, right=Previous(of=X, order=Y))
    assert broken(rising, x=[3, 1, 2, 0], y=[3.0, 1.0, 2.0, None]) == []
    assert broken(rising, x=[1, 1, 2], y=[1, 2, 3]) == [1]


def test_computed_numbers_are_compared_up_to_rounding_and_plain_ones_exactly() -> None:
    total = Arithmetic(sign="+", left=X, right=Y)
    assert broken(Compare(relation="==", left=total, right=Value(value=0.3)), x=[0.1], y=[0.2]) == []
    assert broken(Compare(relation="<=", left=total, right=Value(value=0.3)), x=[0.1], y=[0.2]) == []
    assert broken(Compare(relation="<", left=total, right=Value(value=0.3)), x=[0.1], y=[0.2]) == [0]
    assert broken(Compare(relation="==", left=X, right=Value(value=0.3)), x=[0.1 + 0.2]) == [0]


def test_multiples_of_a_fraction_are_told_up_to_rounding_and_those_of_whole_numbers_exactly() -> None:
    cents = Parses(of=Arithmetic(sign="/", left=X, right=Value(value=0.05)), type="integer")
    assert any(number / 0.05 % 1 for number in (0.15, 16.15, 4.35))  # the noise that must not flag them
    assert broken(cents, x=[0.15, 16.15, 4.35, 0.07, 1e8 + 0.05, 1e8 + 0.06, float("inf"), None]) == [3, 5, 6]
    even = Parses(of=Arithmetic(sign="/", left=X, right=Value(value=10)), type="integer")
    assert broken(even, x=[10**17, 10**17 + 1]) == [1]


def test_a_list_holds_a_computed_number_up_to_rounding() -> None:
    share = OneOf(of=Arithmetic(sign="/", left=X, right=Y), values=(0.1, 0.2))
    assert 0.3 / 3 != 0.1
    assert broken(share, x=[0.3, 0.6, 0.31, None], y=[3.0, 3.0, 3.0, 3.0]) == [2]


def test_a_difference_of_exactly_the_tolerance_is_accepted() -> None:
    close = Compare(relation="==", left=X, right=Y, within=0.01)
    assert 0.07 - 0.06 > 0.01  # the noise that must not flag the first row
    assert broken(close, x=[0.07, 0.0701, 100.01], y=[0.06, 0.06, 100.0]) == [1]


def test_dividing_by_zero_is_infinite_and_zero_by_zero_is_missing() -> None:
    ratio = Arithmetic(sign="/", left=X, right=Y)
    assert broken(Compare(relation="<", left=ratio, right=Value(value=5)), x=[1, 0, -1], y=[0, 0, 0]) == [0]


def test_a_bare_date_is_read_in_the_zone_of_the_column() -> None:
    moments = pd.Series(pd.to_datetime(["2026-03-28T23:30Z", "2026-03-28T22:30Z"])).dt.tz_convert("Europe/Berlin")
    since = Compare(relation=">=", left=X, right=Moment(iso="2026-03-29"))
    assert broken(since, x=moments) == [1]


def test_days_are_24_hours_and_months_are_those_of_the_calendar() -> None:
    start = pd.Series([pd.Timestamp("2026-01-31")])
    for span, limit in ((Span(amount=1, unit="months"), "2026-02-28"), (Span(amount=30, unit="days"), "2026-03-02")):
        due = Arithmetic(sign="+", left=X, right=span)
        assert broken(Compare(relation="==", left=due, right=Moment(iso=limit)), x=start) == []


def test_today_is_the_start_of_the_day_of_the_run() -> None:
    moments = pd.Series(pd.to_datetime(["2026-03-30 00:00", "2026-03-29 23:59"]))
    assert broken(Compare(relation=">=", left=X, right=Now(midnight=True)), x=moments) == [1]


def test_how_many_counts_what_is_true_and_not_what_is_unknown() -> None:
    counted = HowMany(conditions=(Present(of=X), at_least(3), at_least(3, Y)))
    assert broken(Compare(relation="==", left=counted, right=Value(value=1)), x=[None, 5.0], y=[4.0, None]) == [1]


def test_tolerated_violations_are_not_reported_and_one_more_reports_all() -> None:
    few = Tolerance(max_rows=1)
    assert broken(Present(of=X), None, few, x=[None, 1.0]) == []
    assert broken(Present(of=X), None, few, x=[None, None, 1.0]) == [0, 1]
    share = Tolerance(max_share=0.29)
    assert broken(Present(of=X), None, share, x=[None] * 29 + [1.0] * 71) == []
    assert broken(Present(of=X), None, share, x=[None] * 30 + [1.0] * 70) == list(range(30))


def test_numbers_stored_as_text_are_read_as_numbers_or_refused() -> None:
    assert broken(at_least(3), x=pd.Series(["10", 2, Decimal("3.5")], dtype=object)) == [1]
    with pytest.raises(ValueError, match="could not convert"):
        broken(at_least(3), x=pd.Series(["ten"], dtype=object))


def test_a_rule_about_a_whole_table_has_one_violation_or_none() -> None:
    share = Share(table="t", condition=Present(of=X))
    frames = {"t": pd.DataFrame({"x": [1.0, None, None]})}
    for relation, expected in ((">=", [0]), ("<=", [])):
        must = Compare(relation=relation, left=share, right=Value(value=0.5))
        assert violating_rows(TableRule(table="t", must=must), frames, NOW, UTC_NOW) == expected
    nothing = {"t": pd.DataFrame({"x": []})}
    rows = Compare(relation=">", left=Aggregate(statistic="count", table="t"), right=Value(value=0))
    assert violating_rows(TableRule(table="t", must=rows), nothing, NOW, UTC_NOW) == [0]


@pytest.mark.parametrize(
    ("values", "flagged"), [((-INFINITE, INFINITE), []), ((INFINITE, INFINITE), []), ((-INFINITE, -INFINITE), [0, 1])]
)
def test_between_infinities_there_is_no_median(values: tuple[float, ...], flagged: list[int]) -> None:
    middle = Group(statistic="median", of=X)
    assert broken(at_least(3, middle), x=list(values)) == flagged


@pytest.mark.parametrize(
    ("must", "expected"),
    [
        (Compare(relation="==", left=Column(name="x"), right=Column(name="y"), within=0.01), [1]),
        (Compare(relation="<=", left=Column(name="x"), right=Group(statistic="median", of=Column(name="x"))), [2]),
        (
            Compare(
                relation="<=",
                left=Column(name="x"),
                right=Group(statistic="quantile", of=Column(name="x"), quantile=0.9),
            ),
            [2],
        ),
        (Compare(relation="<=", left=Group(statistic="std", of=Column(name="x")), right=Value(value=3)), [0, 1, 2, 3]),
    ],
)
def test_decimals_are_held_beside_tolerances_and_statistics(must: Compare, expected: list[int]) -> None:
    x = pd.Series([Decimal("1.10"), Decimal("2.20"), Decimal("9.00"), None], dtype=object)
    y = pd.Series([Decimal("1.11"), Decimal("2.50"), Decimal("9.00"), None], dtype=object)
    assert broken(must, x=x, y=y) == expected

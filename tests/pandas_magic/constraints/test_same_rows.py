"""Two accounts of a rule find the same rows: the rendered pandas and the meaning in plain Python."""

from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import (
    Column,
    ColumnsRule,
    Compare,
    Exists,
    Group,
    RowRule,
    Share,
    TableRule,
    Value,
    check_types,
    describe,
    render_code,
    violating_rows,
)
from pandas_magic.constraints.algebra.expressions import Join, Lookup, Rollup
from tests.grids import Examples
from tests.pandas_magic.constraints import random_rules
from tests.pandas_magic.constraints.gallery import GALLERY, SHOP
from tests.pandas_magic.constraints.random_rules import DTYPES, RandomRules
from tests.pandas_magic.constraints.run_code import found_by
from tests.pandas_magic.constraints.shop import NOW, UTC_NOW, shop

ROWS = [name for name, rule in GALLERY.items() if not isinstance(rule, ColumnsRule)]
SEEDS = st.integers(0, 10**9)
# derandomize: the same tables and rules in every run, so that a failure can be repeated.
some = settings(
    max_examples=Examples.of(40),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("name", GALLERY)
@pytest.mark.parametrize("size", [0, 1, 6, 30])
def test_code_of_every_kind_finds_what_the_rule_means(name: str, size: int) -> None:
    rule = GALLERY[name]
    code = render_code(rule, SHOP)
    for seed in range(2):
        frames = shop(seed, users=size, orders=2 * size if size != 1 else 1, prices=size)
        expected = violating_rows(rule, frames, NOW, UTC_NOW)
        assert list(found_by(code, frames, NOW, UTC_NOW).index) == expected


@pytest.mark.parametrize("name", ROWS)
def test_every_kind_is_broken_by_some_row_of_the_shop(name: str) -> None:
    sizes = ((1, 1, 1), (2, 40, 10), (40, 80, 40))
    shops = (
        shop(seed, users=users, orders=orders, prices=prices) for seed in range(20) for users, orders, prices in sizes
    )
    assert any(violating_rows(GALLERY[name], frames, NOW, UTC_NOW) for frames in shops)


@pytest.mark.parametrize("dtypes", DTYPES)
@some
@given(seed=SEEDS)
def test_code_of_random_rules_finds_what_they_mean(dtypes: str, seed: int) -> None:
    chance = RandomRules(seed, DTYPES[dtypes])
    rule, frames = chance.rule(), chance.frames()
    tables = random_rules.tables(DTYPES[dtypes])
    if check_types(rule, tables):
        return
    expected = violating_rows(rule, frames, random_rules.NOW, random_rules.UTC_NOW)
    code = render_code(rule, tables)
    found = list(found_by(code, frames, random_rules.NOW, random_rules.UTC_NOW).index)
    assert found == expected, f"{describe(rule)}\n{code}"


@some
@given(seed=SEEDS)
def test_code_written_before_the_first_gap_finds_the_same_rows(seed: int) -> None:
    chance = RandomRules(seed, DTYPES["gaps"])
    rule, frames = chance.rule(), chance.frames()
    before = random_rules.tables(DTYPES["numpy"])
    if check_types(rule, before):
        return
    code = render_code(rule, before)
    found = list(found_by(code, frames, random_rules.NOW, random_rules.UTC_NOW).index)
    expected = violating_rows(rule, frames, random_rules.NOW, random_rules.UTC_NOW)
    assert found == expected, f"{describe(rule)}\n{code}"


@pytest.mark.parametrize("dtype", ["bool", "boolean"])
@pytest.mark.parametrize(("wanted", "flagged"), [(0.6, [0]), (0.4, [])])
def test_a_share_counts_rows_whose_truth_is_missing(dtype: str, wanted: float, flagged: list[int]) -> None:
    tables = {"boats": Table(name="boats", columns={"insured": dtype})}
    frames = {"boats": pd.DataFrame({"insured": pd.array([True, None], dtype="boolean")})}
    insured = Compare(relation="==", left=Column(name="insured"), right=Value(value=True))
    share = Share(table="boats", condition=insured)
    rule = TableRule(table="boats", must=Compare(relation=">=", left=share, right=Value(value=wanted)))
    assert violating_rows(rule, frames, NOW, UTC_NOW) == flagged
    assert list(found_by(render_code(rule, tables), frames, NOW, UTC_NOW).index) == flagged


@pytest.mark.parametrize("statistic", ["sum", "mean", "max"])
def test_code_written_before_the_first_value_of_a_column_knows_its_gaps(statistic: Any) -> None:
    before = {"t": Table(name="t", columns={"v": "empty"})}
    frames = {"t": pd.DataFrame({"v": [9.0, None]})}
    found = Group(statistic=statistic, of=Column(name="v"))
    rule = RowRule(table="t", must=Compare(relation="<=", left=found, right=Value(value=5)))
    assert violating_rows(rule, frames, NOW, UTC_NOW) == [0, 1]
    assert list(found_by(render_code(rule, before), frames, NOW, UTC_NOW).index) == [0, 1]


def test_moments_of_the_hour_that_comes_twice_are_found_in_another_zone() -> None:
    moments = pd.Series(pd.to_datetime(["2026-10-25 00:30", "2026-10-25 01:30"], utc=True)).astype(
        "datetime64[us, UTC]"
    )
    frames = {"t": pd.DataFrame({"at": moments.dt.tz_convert("Europe/Berlin"), "utc": moments})}
    tables = {"t": Table(name="t", columns={name: str(dtype) for name, dtype in frames["t"].dtypes.items()})}
    rule = RowRule(table="t", must=Exists(of=(Column(name="at"),), table="t", keys=("utc",)))
    assert violating_rows(rule, frames, NOW, UTC_NOW) == []
    assert list(found_by(render_code(rule, tables), frames, NOW, UTC_NOW).index) == []


@pytest.mark.parametrize("there", ["uint8", "uint64", "UInt64", "int64"])
@pytest.mark.parametrize("here", ["Int64", "int64[pyarrow]", "UInt8", "float64"])
def test_keys_with_gaps_are_looked_up_among_keys_of_another_dtype(here: str, there: str) -> None:
    frames = {
        "t": pd.DataFrame({"key": pd.Series([1, None, 9, 2], dtype=here), "n": [5, 5, 5, 5]}),
        "u": pd.DataFrame({"id": pd.Series([1, 2, 2], dtype=there), "most": [4, 9, 9]}),
    }
    tables = {name: Table(name=name, columns=dict(frame.dtypes.astype(str))) for name, frame in frames.items()}
    join = Join(table="u", columns=("key",), keys=("id",))
    for found in (Lookup(join=join, of=Column(name="most")), Rollup(join=join, statistic="count")):
        rule = RowRule(table="t", must=Compare(relation=">=", left=found, right=Value(value=5)))
        code = render_code(rule, tables)
        assert list(found_by(code, frames, NOW, UTC_NOW).index) == violating_rows(rule, frames, NOW, UTC_NOW), code

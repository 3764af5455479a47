"""Random rules on tables that show nothing: whatever some table can break and some can keep is proved."""

import itertools

import pandas as pd
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from pandas_magic.checking.prover import Case, cases, prove, show_both
from pandas_magic.constraints import check_types, contradictions, describe, plan, render_code, violating_rows
from pandas_magic.constraints.algebra.rules import RowRule
from tests.grids import Examples
from tests.pandas_magic.constraints import random_rules
from tests.pandas_magic.constraints.random_rules import DTYPES, NOW, UTC_NOW, RandomRules
from tests.pandas_magic.constraints.run_code import found_by

SEEDS = st.integers(0, 10**9)
some = settings(
    max_examples=Examples.of(8), deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
_TRIES = 40  # tables of at most so many rows among which one that breaks a rule and one that keeps it are looked for
_ROWS = 12
_SEEDS = 8
# Odd corners (a scope that looks another table up, a count of all rows as a limit of each row) find no such rows.
_MOST_WITHOUT = 0.05


def emptied(frame: pd.DataFrame, how: str) -> pd.DataFrame:
    """The frame as it is, without any row, or without any value in the columns that can lack one."""
    if how == "no rows":
        return frame.head(0)
    holed = frame.copy()
    for name in frame.columns if how == "no values" else ():
        missing = pd.Series([None] * len(frame), dtype=object)
        holed[name] = (
            frame[name] if str(frame[name].dtype) in ("int64", "int8", "bool") else missing.astype(frame[name].dtype)
        )
    return holed


def cases_of(rule: RowRule, frames: dict[str, pd.DataFrame], dtypes: str) -> tuple[Case, ...]:
    reads = plan(rule, random_rules.tables(DTYPES[dtypes])).reads
    sample = {name: frames[name][list(columns)] for name, columns in reads.items()}
    return cases(rule, sample, now=NOW, utc_now=UTC_NOW)


def run(code: str, frames: dict[str, pd.DataFrame]) -> pd.DataFrame | str:
    try:
        return found_by(code, frames, NOW, UTC_NOW)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def can_be_both(rule: RowRule, dtypes: str) -> bool:
    """Whether some random table holds a row that breaks the rule, and some one that does not."""
    kept = broken = False
    for seed in range(_TRIES):
        frames = RandomRules(seed, DTYPES[dtypes]).frames(_ROWS)
        found = violating_rows(rule, frames, NOW, UTC_NOW)
        kept, broken = kept or len(found) < len(frames["t"]), broken or bool(found)
    return kept and broken


@pytest.mark.parametrize("dtypes", DTYPES)
def test_nearly_all_that_can_be_kept_and_broken_is_proved(dtypes: str) -> None:
    """Whatever cases show both is proved; of rules that some table could break, few find no case that does."""
    without: list[str] = []
    judged = 0
    for seed, how in itertools.product(range(Examples.of(_SEEDS)), ("as it is", "no rows", "no values")):
        chance = RandomRules(seed, DTYPES[dtypes])
        rule, frames = chance.rule(), chance.frames()
        tables = random_rules.tables(DTYPES[dtypes])
        if check_types(rule, tables) or contradictions(rule):
            continue
        planted = cases_of(rule, {name: emptied(frame, how) for name, frame in frames.items()}, dtypes)
        if show_both(planted):
            judged += 1
            proof = prove(render_code(rule, tables), planted, run)
            assert proof.holds, (describe(rule), proof.problems, proof.stumbled_over)
        elif can_be_both(rule, dtypes):
            judged += 1
            without.append(describe(rule))
    assert judged >= _SEEDS
    assert len(without) <= _MOST_WITHOUT * judged, without

"""Columns of true, false and missing values: a missing one is unknown, in whatever dtype the column comes."""

import dataclasses
from collections.abc import Iterable
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.checking.bench import Bench
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace

INSURED = [True, False, None, False, True]
BOATS = pd.DataFrame(
    {
        "boat_id": [1, 2, 3, 4, 5],
        "hull_code": ["DE-1", "DE-2", "DE-3", None, "DE-5"],
        "value": [9000.0, 9000.0, 9000.0, 100.0, None],
        "insured": INSURED,
        "surveyed": [True, True, True, False, None],
    }
)
# Stay 15 is of a boat that nobody knows, 16 of none.
STAYS = pd.DataFrame(
    {
        "stay_id": [11, 12, 13, 14, 15, 16],
        "boat_id": [1.0, 2.0, 3.0, 2.0, 9.0, None],
        "payment_state": ["open", "open", "open", "paid", "open", "open"],
    }
)
RULES = {
    "insured must be true": [1, 3],
    "boats: insured must be false": [0, 4],
    "Boats where insured is false must not have a hull code.": [1],
    "Boats where insured is not true must not have a hull code.": [1],
    "insured must be true unless the value is below 1000.": [1],
    "If insured is true, surveyed must be true.": [],
    "insured must equal surveyed.": [1],
    "insured must not be missing.": [2],
    "stays where payment_state is 'open': boat_id must not be among boats.boat_id (where insured is not true)": [1],
    "There must be no open stays from uninsured boats.": [1],
    "stays where the insured of boats by boat_id is false: payment_state must not be 'open'": [1],
    "stays where the insured of boats by boat_id is true: payment_state must not be 'open'": [0],
    "At least 90 % of the boats must be insured.": [1, 3],
    "The number of boats where insured is false must be at most 1.": [0],
}


# Each shape of code once: a mask alone, one joined to another, a lookup, the keys of some rows.
SOME = (
    "insured must be true",
    "Boats where insured is false must not have a hull code.",
    "stays where the insured of boats by boat_id is false: payment_state must not be 'open'",
    "stays where payment_state is 'open': boat_id must not be among boats.boat_id (where insured is not true)",
)


def found(workspace: Workspace, rules: Iterable[str] = RULES) -> dict[str, list[int]]:
    return {rule: workspace.check(CheckRequest(rule=rule)).violations.index.tolist() for rule in rules}


@pytest.mark.parametrize(
    ("dtype", "rules"),
    [
        *(pytest.param(dtype, SOME, id=f"{dtype}, some") for dtype in ("object", "boolean", "bool[pyarrow]")),
        *(
            pytest.param(dtype, tuple(RULES), id=f"{dtype}, all", marks=pytest.mark.thorough)
            for dtype in ("object", "boolean", "bool[pyarrow]")
        ),
    ],
)
def test_a_missing_truth_value_is_neither_true_nor_false(
    tmp_path: Path, bench: Bench, dtype: str, rules: tuple[str, ...]
) -> None:
    boats = BOATS.astype({"insured": dtype, "surveyed": dtype})
    workspace = Workspace.open(tmp_path, tables={"boats": boats, "stays": STAYS})
    assert found(dataclasses.replace(workspace, bench=bench), rules) == {rule: RULES[rule] for rule in rules}


def test_truth_values_of_a_file_may_be_missing(tmp_path: Path, bench: Bench) -> None:
    workspace = in_files(tmp_path, BOATS)
    assert found(dataclasses.replace(workspace, bench=bench)) == RULES


def test_objects_without_a_gap_are_plain_truth_values(tmp_path: Path, bench: Bench) -> None:
    boats = BOATS.assign(insured=pd.Series([True, False, True, False, True], dtype=object))
    workspace = Workspace.open(tmp_path, tables={"boats": boats, "stays": STAYS})
    assert found(dataclasses.replace(workspace, bench=bench), SOME) == {rule: RULES[rule] for rule in SOME}


@pytest.mark.parametrize("gaps_first", [True, False])
def test_saved_checks_run_on_when_gaps_come_or_go(tmp_path: Path, bench: Bench, gaps_first: bool) -> None:
    whole = BOATS.assign(insured=[True, False, True, False, True])
    before, after = (BOATS, whole) if gaps_first else (whole, BOATS)
    found(dataclasses.replace(in_files(tmp_path, before), bench=bench), SOME)
    workspace = dataclasses.replace(in_files(tmp_path, after), bench=bench)
    again = [workspace.check(CheckRequest(rule=rule)) for rule in SOME]
    assert not any(result.compiled_now for result in again)
    assert [result.violations.index.tolist() for result in again] == [RULES[rule] for rule in SOME]


def in_files(folder: Path, boats: pd.DataFrame) -> Workspace:
    (folder / "data").mkdir(exist_ok=True)
    boats.to_csv(folder / "data" / "boats.csv", index=False)
    STAYS.to_csv(folder / "data" / "stays.csv", index=False)
    return Workspace.open(folder)

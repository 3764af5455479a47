"""Great Expectations' own definitions for pandas: what is read of them agrees with its own verdict and rows.

`gx_definitions.json` holds the cases of its repository; it judges them itself here.
"""

import json
import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.catalog.table import Table
from pandas_magic.constraints import Constraint, RowRule, check_types, render_code
from pandas_magic.peers import import_checks
from pandas_magic.peers.great_expectations.equivalents import MEANINGS
from pandas_magic.peers.great_expectations.unsaid import UNSAID
from pandas_magic.planner.language.canonical import read_canonical
from tests.pandas_magic.peers.compiled import ROOT

# Its own dependencies warn; we do not change that.
pytestmark = pytest.mark.filterwarnings("ignore")

DEFINITIONS = json.loads((Path(__file__).parent / "gx_definitions.json").read_text())["definitions"]
PAGE = ROOT / "docs" / "peers.md"
_OPEN = "<!-- expectations: written by UPDATE_GOLDEN=1 pytest tests/pandas_magic/peers/test_gx_definitions.py -->\n"
_CLOSE = "<!-- /expectations -->"
# Each with its number of cases; what differs is said when it is read, or is an error on either side.
NO_VALUE = {
    "expect_column_max_to_be_between": 1,
    "expect_column_mean_to_be_between": 1,
    "expect_column_median_to_be_between": 1,
}
IMPORTED, AGREE = 326, 303
# Columns of mixed values, or of another type than the rule needs: an error here. What raises there is none either.
REFUSED, RAISED = 8, 12
# What the kinds about several columns make of gaps in two and three columns of a row.
GAPS = {
    "a": [1, 1, None, None, 2, 2, None, 3, 1, 3],
    "b": [1, 2, 2, None, 2, None, None, 3, 1, 3],
    "c": [1, 1, 2, None, 3, 2, 7, 3, 2, None],
}
SEVERAL = [
    *({"type": kind, "kwargs": {"column_list": names, "ignore_row_if": mode, **more}}
      for kind in ("expect_compound_columns_to_be_unique", "expect_select_column_values_to_be_unique_within_record",
                   "expect_multicolumn_values_to_be_equal")
      for names in (["a", "b"], ["a", "b", "c"])
      for mode in ("all_values_are_missing", "any_value_is_missing", "never")
      for more in ({}, {"mostly": 0.6})),
    *({"type": kind, "kwargs": {"column_A": "a", "column_B": "b", "ignore_row_if": mode, **more}}
      for kind, extra in (("expect_column_pair_values_to_be_equal", {}),
                          ("expect_column_pair_values_a_to_be_greater_than_b", {"or_equal": True}),
                          ("expect_column_pair_values_to_be_in_set", {"value_pairs_set": [[1, 1], [2, 2]]}))
      for mode in ("both_values_are_missing", "either_value_is_missing", "neither")
      for more in (extra, {**extra, "mostly": 0.5})),
    *({"type": "expect_multicolumn_sum_to_equal",
       "kwargs": {"column_list": names, "sum_total": total, "ignore_row_if": mode}}
      for names in (["a", "b"], ["a", "b", "c"])
      for total in (0, 3, 4)
      for mode in ("all_values_are_missing", "any_value_is_missing", "never")),
    *({"type": "expect_column_values_to_be_unique", "kwargs": {"column": "c", "mostly": share}}
      for share in (0.3, 0.4)),
    {"type": "expect_column_proportion_of_unique_values_to_be_between", "kwargs": {"column": "a", "max_value": 0.43}},
    {"type": "expect_column_distinct_values_to_contain_set", "kwargs": {"column": "a", "value_set": [1, 4]}},
    {"type": "expect_column_distinct_values_to_equal_set", "kwargs": {"column": "a", "value_set": [1, 2, 3]}},
    {"type": "expect_column_values_to_be_decreasing", "kwargs": {"column": "a", "mostly": 0.7}},
    {"type": "expect_column_value_z_scores_to_be_less_than",
     "kwargs": {"column": "c", "threshold": 2.0, "double_sided": True}},
]  # fmt: skip


Verdict = tuple[bool | None, list[int] | None]


@pytest.fixture
def verdicts_of(frames_of_gx: Any) -> Any:
    """A function that gives its verdict on each expectation, and the rows that it finds; None where it tells none."""

    def run(expectations: Sequence[dict[str, Any]], frame: pd.DataFrame) -> list[Verdict]:
        import great_expectations as gx

        verdicts: list[Verdict] = [(None, None)] * len(expectations)
        suite = gx.ExpectationSuite(name="t")
        for number, expectation in enumerate(expectations):
            with suppress(Exception):  # what it does not take as an expectation
                one = {**expectation, "meta": {"n": number}}
                suite.expectations += gx.ExpectationSuite("t", expectations=[one]).expectations
        batch = frames_of_gx.get_batch(batch_parameters={"dataframe": frame})
        for result in (each.to_json_dict() for each in batch.validate(suite, result_format="COMPLETE").results):
            if result["exception_info"].get("raised_exception") is False:
                number = result["expectation_config"]["meta"]["n"]
                verdicts[number] = bool(result["success"]), result["result"].get("unexpected_index_list")
        return verdicts

    return run


def read(expectation: dict[str, Any]) -> tuple[Constraint | None, str]:
    """The rule that the expectation is read as, or why it is none."""
    imported = import_checks(json.dumps({"name": "t", "expectations": [expectation]}), "great-expectations")
    if not imported.checks:
        return None, imported.not_understood[0].reason
    return read_canonical(imported.checks[0].rule), ""


def ours(rule: Constraint, frame: pd.DataFrame, table: Table) -> tuple[bool | None, list[int]]:
    """Our verdict by the code that the rule is written as, and the rows; None where it is an error, or fits no type."""
    tables = {"t": table}
    if check_types(rule, tables):
        return None, []
    space: dict[str, Any] = {"pd": pd, "np": np, "t": frame}
    try:
        exec(render_code(rule, tables), space)
    except (ValueError, TypeError):
        return None, []
    return not len(space["violations"]), [int(each) for each in space["violations"].index]


def rows_agree(rule: Constraint, theirs: list[int] | None, rows: list[int]) -> bool:
    counted = isinstance(rule, RowRule) and rule.tolerance is None and theirs is not None
    return not counted or sorted(theirs or []) == rows


def test_its_own_cases_are_read_and_agree_with_its_verdict_and_rows(verdicts_of: Any) -> None:
    read_of, outcomes, differing = 0, Counter[str](), Counter[str]()
    for definition in DEFINITIONS:
        frame = pd.DataFrame(definition["data"])
        table = describe_frame("t", frame)
        every = [{"type": definition["type"], "kwargs": case["kwargs"]} for case in definition["cases"]]
        known = [(each, rule) for each in every if (rule := read(each)[0]) is not None]
        read_of += len(known)
        for (each, rule), (theirs, their_rows) in zip(
            known, verdicts_of([each for each, _ in known], frame), strict=True
        ):
            verdict, rows = ours(rule, frame, table)
            if theirs is None:
                outcomes["raised there"] += 1
                assert verdict is not True, each
            elif verdict is None:
                outcomes["refused here"] += 1
            elif theirs == verdict and rows_agree(rule, their_rows, rows):
                outcomes["agree"] += 1
            else:
                differing[definition["type"]] += 1
    assert differing == NO_VALUE
    assert read_of == IMPORTED
    assert outcomes == {"agree": AGREE, "refused here": REFUSED, "raised there": RAISED}


def test_gaps_in_several_columns_are_judged_as_there(verdicts_of: Any) -> None:
    frame, wrong = pd.DataFrame(GAPS), []
    for expectation, (theirs, their_rows) in zip(SEVERAL, verdicts_of(SEVERAL, frame), strict=True):
        rule, why = read(expectation)
        assert rule is not None, why
        verdict, rows = ours(rule, frame, describe_frame("t", frame))
        if theirs is None or verdict != theirs or not rows_agree(rule, their_rows, rows):
            wrong.append((expectation, theirs, their_rows, verdict, rows))
    assert wrong == []


def core() -> set[str]:
    """Every expectation that it has itself."""
    import great_expectations.expectations.core as expectations

    folder = Path(expectations.__file__).parent
    return {path.stem for path in (*folder.glob("*expectation.py"), *folder.glob("expect_*.py"))}


def test_every_expectation_is_read_or_has_its_reason() -> None:
    assert not set(MEANINGS) & set(UNSAID)
    assert core() <= {*MEANINGS, *UNSAID}
    assert {definition["type"] for definition in DEFINITIONS} <= {*MEANINGS, *UNSAID}


def table() -> str:
    """Expectations down: how many of its own cases are read, and why others are not."""
    cases, crossing, reasons = Counter[str](), Counter[str](), dict[str, Counter[str]]()
    for definition in DEFINITIONS:
        for case in definition["cases"]:
            rule, why = read({"type": definition["type"], "kwargs": case["kwargs"]})
            cases[definition["type"]] += 1
            crossing[definition["type"]] += rule is not None
            if rule is None:
                reasons.setdefault(definition["type"], Counter())[why] += 1
    lines = ["| expectation | its cases | read | why others are not |", "|---|---|---|---|"]
    for kind in sorted(core()):
        said = UNSAID.get(kind) or "; ".join(reasons.get(kind, ()))
        count = str(crossing[kind]) if cases[kind] else "no" if kind in UNSAID else "yes"
        lines.append(f"| `{kind}` | {cases[kind] or '–'} | {count} | {said.replace('|', '/')} |")
    return "\n".join([*lines, f"| all | {cases.total()} | {crossing.total()} | |"]) + "\n"


def test_the_table_of_expectations_is_what_the_reader_reads() -> None:
    # To accept a change: UPDATE_GOLDEN=1 pytest tests/pandas_magic/peers/test_gx_definitions.py, then read the diff.
    before, rest = PAGE.read_text(encoding="utf-8").split(_OPEN)
    page = f"{before}{_OPEN}{table()}{_CLOSE}{rest.split(_CLOSE)[1]}"
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(page, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page

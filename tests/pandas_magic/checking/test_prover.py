"""Proofs: right code holds, wrong code does not, and slightly different rules are told apart."""

import numpy as np
import pandas as pd
import pytest

from pandas_magic.checking.prover import cases, prove
from pandas_magic.constraints import Column, Constraint, Present, RowRule, plan, render_code
from pandas_magic.registry.proof import Proof
from tests.pandas_magic.constraints.gallery import GALLERY, SHOP
from tests.pandas_magic.constraints.run_code import found_by
from tests.pandas_magic.constraints.shop import NOW, UTC_NOW, shop

KINDS = (
    "not_null",
    "conditional_not_null",
    "compound_unique",
    "foreign_key",
    "foreign_key_and_present",
    "has_child",
    "allowed_values",
    "in_range",
    "matches",
    "formula",
    "fresh",
    "days_between",
    "lookup",
    "reconcile_sum",
    "per_group",
    "outlier",
    "monotonic",
    "tolerated_share",
    "row_count",
    "aggregate",
    "columns",
)


def run(code: str, frames: dict[str, pd.DataFrame]) -> pd.DataFrame | str:
    try:
        return found_by(code, frames, NOW, UTC_NOW)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def sample(rule: Constraint) -> dict[str, pd.DataFrame]:
    frames = shop(3, users=40, orders=40, prices=20)
    return {table: frames[table][list(columns)] for table, columns in plan(rule, SHOP).reads.items()}


def proof_of(rule: Constraint, code: str) -> Proof:
    return prove(code, cases(rule, sample(rule), now=NOW, utc_now=UTC_NOW), run)


@pytest.mark.parametrize("name", KINDS)
def test_the_code_of_a_kind_is_proved_and_told_from_most_mutants(name: str) -> None:
    rule = GALLERY[name]
    planted = cases(rule, sample(rule), now=NOW, utc_now=UTC_NOW)
    proof = prove(render_code(rule, SHOP), planted, run)
    assert proof.holds, proof.problems
    assert proof.flagged == proof.planted
    assert proof.left_alone == proof.clean > 0
    assert len(planted) <= 12
    assert proof.mutants_killed >= 0.7 * proof.mutants > 0, proof.survivors
    assert len(proof.survivors) == proof.mutants - proof.mutants_killed


@pytest.mark.parametrize(
    ("name", "wrong", "says"),
    [
        ("not_null", "violations = users.iloc[:0]", "misses row"),
        ("not_null", "violations = users", "without a reason"),
        ("in_range", 'violations = users[(users["age"] <= 13) | (users["age"] > 120)]', "without a reason"),
        ("in_range", 'violations = users[~users["age"].between(13, 120)]', "without a reason"),
        ("unique", 'violations = orders[orders["order_id"].duplicated()]', "misses row"),
        (
            "foreign_key_and_present",
            'violations = users[~users["referrer_id"].isin(users["user_id"])].tail(1)',
            "misses row",
        ),
        (
            "allowed_values",
            'violations = users[~users["status"].isin(["active", "inactive", "banned"])]',
            "without a reason",
        ),
        ("not_null", 'violations = pd.concat([users[users["email"].isna()]] * 2)', "flags a row twice"),
        ("not_null", "violations = users[users.no_such_column]", "AttributeError"),
        ("row_count", "violations = pd.DataFrame({'rows': [len(orders)]}).iloc[:0]", "misses row 0"),
    ],
)
def test_wrong_code_is_not_proved(name: str, wrong: str, says: str) -> None:
    proof = proof_of(GALLERY[name], wrong)
    assert not proof.holds
    assert any(says in problem for problem in proof.problems), proof.problems


def test_an_empty_sample_is_made_up_for() -> None:
    rule = GALLERY["in_range"]
    planted = cases(rule, {"users": pd.DataFrame({"age": np.array([], dtype="float64")})}, now=NOW, utc_now=UTC_NOW)
    assert prove(render_code(rule, SHOP), planted, run).holds


def test_a_rule_that_no_row_can_break_is_not_proved_and_says_why() -> None:
    # A column of plain whole numbers has no room for a missing one.
    whole = RowRule(table="users", must=Present(of=Column(name="user_id")))
    planted = cases(whole, {"users": pd.DataFrame({"user_id": [1, 2]})}, now=NOW, utc_now=UTC_NOW)
    proof = prove(render_code(whole, SHOP), planted, run)
    assert not proof.holds
    assert any("no row that breaks the rule could be made" in problem for problem in proof.problems)


def test_the_same_sample_and_seed_give_the_same_cases() -> None:
    rule = GALLERY["reconcile_sum"]
    first, second = (cases(rule, sample(rule), seed=5, now=NOW, utc_now=UTC_NOW) for _ in range(2))
    assert [case.label for case in first] == [case.label for case in second]
    assert [case.flagged for case in first] == [case.flagged for case in second]
    for one, other in zip(first, second, strict=True):
        for table in one.frames:
            pd.testing.assert_frame_equal(one.frames[table], other.frames[table])


def test_code_that_depends_on_a_column_it_should_not_see_is_found_out() -> None:
    code = 'violations = users[users["email"].isna() | (len(users.columns) > 1)]'
    assert any("one more column" in problem for problem in proof_of(GALLERY["not_null"], code).problems)


def test_code_that_fails_everywhere_is_said_once_with_the_column() -> None:
    rule = GALLERY["not_null"]
    proof = proof_of(rule, 'found = 1\nviolations = users[users["email"].dt.year > found]')
    (problem,) = proof.problems
    total = len(proof.cases)
    assert problem.startswith(f"values at and beside the limits, as in {total} of {total} cases: AttributeError")
    assert problem.endswith(", reading email (str)")

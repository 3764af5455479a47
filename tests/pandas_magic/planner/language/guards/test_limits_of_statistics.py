"""A statistic that is said to be a number is not asked about as a limit."""

import pandas as pd
import pytest

from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule

LEDGER = {
    "ledger": describe_frame("ledger", pd.DataFrame({"line_id": [1, 2], "journal": ["a", "b"], "amount": [1.5, -1.5]}))
}
PER_JOURNAL = "ledger: the sum of amount per journal must equal 0 (up to rounding)"


def test_a_sum_that_must_be_zero_is_taken_at_once() -> None:
    assert compile_rule("The sum of amount per journal must be 0", LEDGER).echo == PER_JOURNAL


@pytest.mark.parametrize(
    "rule",
    [
        "Within each journal, the sum of amount must be 0",
        "The amounts of each journal must add up to 0",
        "For each journal the total amount must be zero",
    ],
)
def test_of_a_sum_per_group_the_one_that_is_zero_is_asked_first(rule: str) -> None:
    with pytest.raises(RuleNotUnderstood) as refused:
        compile_rule(rule, LEDGER)
    assert refused.value.readings[0].sentence == PER_JOURNAL

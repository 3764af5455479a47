"""Words that demand something behind an example or a reason are never set aside with it."""

import pytest

from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from tests.pandas_magic.planner.language.dictionary_tables import TABLES


@pytest.mark.parametrize(
    "behind",
    [
        "e.g. AB-12, required",
        "for example AB-12, and it is mandatory",
        "as in the contract, unique",
        "because it is printed, required",
        "since codes are short, mandatory, unique",
    ],
)
def test_a_demand_behind_an_aside_is_not_dropped(behind: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(f"sku must have at most 5 characters, {behind}", TABLES, target="orders")


def test_a_reason_may_speak_of_what_is_required() -> None:
    found = compile_rule("sku must be filled because the signature is required", TABLES, target="orders")
    assert found.echo == "orders: sku must be present"

from typing import Any

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import (
    All,
    Any_,
    Arithmetic,
    Column,
    Compare,
    Exists,
    Matches,
    Moment,
    Not,
    Now,
    OneOf,
    Present,
    RowRule,
    Span,
    Unique,
    Value,
)
from pandas_magic.errors import NoSuchName, RuleNotUnderstood
from pandas_magic.planner.grammar import completions, split_rules
from pandas_magic.planner.grammar.forms import EXAMPLE_TABLES
from tests.pandas_magic.planner.grammar.former import compile_rule

ONE = {
    "t": Table(
        name="t",
        columns={
            "n": "float64",
            "m": "float64",
            "s": "str",
            "d": "datetime64[us]",
            "b": "bool",
            "Unit Price": "float64",
        },
        values={"s": ("in progress", "done", "Done-ish")},
    )
}
N, M, S, D = (Column(name=name) for name in "nmsd")


def must(rule: str, **options: str) -> Any:
    """What the rule demands of each row of the only table."""
    constraint = compile_rule(rule, ONE, **options).constraint
    assert isinstance(constraint, RowRule) and constraint.where is None
    return constraint.must


def refused(rule: str, tables: dict[str, Table] = ONE, **options: str) -> RuleNotUnderstood:
    with pytest.raises(RuleNotUnderstood) as caught:
        compile_rule(rule, tables, **options)
    return caught.value


def test_polarity_is_computed() -> None:
    present = Present(of=N)
    for rule in (
        "n must not be missing",
        "n must be present",
        "Flag rows whose n is missing.",
        "No row may have a missing n.",
        "n may never be null",
        "Rows without an n are not allowed.",
        "It is not allowed that n is missing.",
        "There must be no rows where n is null.",
    ):
        assert must(rule) == present, rule


def test_two_negations_cancel_out() -> None:
    assert must("n must not be non-null") == Not(condition=Present(of=N))
    assert must("Flag rows whose n is not positive.") == Compare(relation=">", left=N, right=Value(value=0))


def test_a_condition_becomes_the_scope() -> None:
    rule = compile_rule("If s is done, n must be positive.", ONE).constraint
    assert rule.where == Compare(relation="==", left=S, right=Value(value="done"))
    assert rule.must == Compare(relation=">", left=N, right=Value(value=0))


def test_a_value_is_recognised_up_to_case_and_joining() -> None:
    done = Compare(relation="==", left=S, right=Value(value="in progress"))
    for rule in ("s must be in progress", "s must be 'in progress'", "s must be In-Progress", "s = in_progress"):
        assert must(rule) == done, rule


def test_a_quoted_value_is_taken_as_written() -> None:
    assert must("s must be 'DONE'") == Compare(relation="==", left=S, right=Value(value="DONE"))


def test_a_name_with_a_space_can_be_said_in_several_ways() -> None:
    price = Compare(relation=">", left=Column(name="Unit Price"), right=Value(value=0))
    for rule in (
        "unit price must be positive",
        "`Unit Price` > 0",
        "The unit prices must be above 0.",
        "unit_price > 0",
    ):
        assert must(rule) == price, rule


def test_numbers_are_read_by_the_locale() -> None:
    assert must("n must be less than 1,000.5").right == Value(value=1000.5)
    assert must("n must be less than 1.000,5", locale="de").right == Value(value=1000.5)
    assert "1,00" in str(refused("n must be less than 1,00"))


@pytest.mark.parametrize(
    "said", ["2026-01-31", "31 Jan 2026", "January 31, 2026", "31.01.2026", "31st of January 2026"]
)
def test_dates_are_read_in_several_forms(said: str) -> None:
    assert must(f"d must be before {said}") == Compare(relation="<", left=D, right=Moment(iso="2026-01-31"))


def test_relative_dates_are_relative_to_the_run() -> None:
    last = Arithmetic(sign="-", left=Now(), right=Span(amount=30, unit="days"))
    assert must("d must be within the last 30 days") == Compare(relation=">=", left=D, right=last)
    assert must("d must not be older than 30 days") == Compare(relation=">=", left=D, right=last)
    assert must("d must be after yesterday").right.left == Now(midnight=True)


def test_number_words_are_numbers() -> None:
    for said in ("twenty-five", "25", "25.0", "twenty five"):
        assert must(f"n must be at most {said}").right.value == 25


def test_a_formula_keeps_its_precedence() -> None:
    product = Arithmetic(sign="*", left=M, right=Column(name="Unit Price"))
    assert must("n = m * `Unit Price` - 1").right == Arithmetic(sign="-", left=product, right=Value(value=1))


@pytest.mark.parametrize("rule", ["m = sqrt(n)", "round(n) = m", "m = foo(n)"])
def test_an_unknown_function_of_a_column_is_not_the_column(rule: str) -> None:
    assert refused(rule).unknown


def test_empty_is_missing_or_an_empty_text_and_null_is_missing() -> None:
    filled = All(conditions=(Present(of=S), Compare(relation="!=", left=S, right=Value(value=""))))
    assert must("s must not be empty") == filled
    assert must("s must not be null") == Present(of=S)
    assert must("n must not be empty") == Present(of=N)


def test_several_sentences_all_hold() -> None:
    assert must("n must be positive. s must be unique.") == All(
        conditions=(Compare(relation=">", left=N, right=Value(value=0)), Unique(by=(S,)))
    )


def test_an_unknown_word_is_named_and_a_correction_only_suggested() -> None:
    refusal = refused("n must be bewteen 1 and 5")
    assert refusal.unknown == ("bewteen",)
    assert refusal.suggestions == ("n must be between 1 and 5",)


def test_several_readings_are_listed() -> None:
    refusal = refused("status must be present", EXAMPLE_TABLES)
    assert tuple(each.sentence for each in refusal.readings) == (
        "orders: status must be present",
        "users: status must be present",
    )


def test_the_target_decides_where_the_sentence_does_not() -> None:
    rule = compile_rule("status must be present", EXAMPLE_TABLES, target="users").constraint
    assert rule == RowRule(table="users", must=Present(of=Column(name="status")))


def test_the_sentence_decides_against_the_target() -> None:
    assert compile_rule("users.status must be present", EXAMPLE_TABLES, target="orders").constraint.table == "users"


def test_an_unknown_target_is_named() -> None:
    with pytest.raises(NoSuchName, match="ordrs"):
        compile_rule("status must be present", EXAMPLE_TABLES, target="ordrs")


def test_a_pointless_rule_is_refused() -> None:
    assert "nothing can break" in str(refused("n must be at least 0 or less than 0"))
    assert refused("n must be between 10 and 1").readings


@pytest.mark.parametrize("rule", ["", "   ", ".", "x" * 2000, "null", "?", "n", "must be positive"])
def test_nothing_much_is_refused_in_one_line(rule: str) -> None:
    assert "\n" not in str(refused(rule))


def test_a_reference_of_the_row_includes_that_it_is_there() -> None:
    user = Column(name="user_id")
    exists = Exists(of=(user,), table="users", keys=("user_id",))
    rule = compile_rule("Each order must belong to an existing user.", EXAMPLE_TABLES).constraint
    assert rule.must == All(conditions=(Present(of=user), exists))


def test_missing_values_are_not_judged_where_the_rule_says_so() -> None:
    rule = compile_rule("user_id, if present, must exist in users", EXAMPLE_TABLES, target="orders").constraint
    assert rule.must == Exists(of=(Column(name="user_id"),), table="users", keys=("user_id",))


def test_lists_and_patterns_keep_their_texts() -> None:
    assert must("s in ('a', 'b c')") == OneOf(of=S, values=("a", "b c"))
    assert must("s must match /[A-Z]{2}|x\\/y/") == Matches(of=S, pattern="[A-Z]{2}|x/y")


def test_one_of_several_values() -> None:
    assert must("n or s must be present") == Any_(conditions=(Present(of=N), Present(of=S)))


def test_each_word_of_the_explanation_stands_in_the_sentence() -> None:
    understood = compile_rule("Shipped orders must have a ship date.", EXAMPLE_TABLES)
    assert ("Shipped", "status is 'shipped'") in understood.explanation
    assert all(words in "Shipped orders must have a ship date." for words, _ in understood.explanation)


def test_bullets_are_one_rule_each() -> None:
    assert split_rules("- n must be positive\n- s must be\n  unique\n") == ("n must be positive", "s must be unique")
    assert split_rules("n must be\npositive") == ("n must be positive",)
    assert split_rules("\n  \n") == ()


def test_completions_go_on_to_a_rule() -> None:
    assert "email" in completions("us", EXAMPLE_TABLES) or "users" in completions("us", EXAMPLE_TABLES)
    assert {"positive", "between"} <= set(completions("amount must be ", EXAMPLE_TABLES))
    assert completions("amount must be betw", EXAMPLE_TABLES) == ("between",)
    assert "'shipped'" in completions("orders.status must be ", EXAMPLE_TABLES)


def test_the_same_rule_gives_the_same_constraint_every_time() -> None:
    rule = "Shipped or delivered orders must have a ship date."
    first = compile_rule(rule, EXAMPLE_TABLES).constraint
    shuffled = dict(reversed(EXAMPLE_TABLES.items()))
    assert compile_rule(rule, shuffled).constraint.digest() == first.digest()


def test_a_share_of_rows_is_no_number_of_a_column() -> None:
    with pytest.raises(RuleNotUnderstood) as refused:
        compile_rule("At least 5 % of orders may be cancelled.", EXAMPLE_TABLES)
    assert 'in ""' not in str(refused.value)

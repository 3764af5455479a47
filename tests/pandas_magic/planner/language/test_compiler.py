"""From a sentence to one meaning: what decides, what is asked, what a refusal names."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import Column, Present, RowRule, reads
from pandas_magic.errors import NoSuchName, RuleNotUnderstood
from pandas_magic.planner.language import compile_rule, completions, split_rules
from pandas_magic.planner.language.page import EXAMPLE_TABLES


def refused(rule: str, target: str | None = None) -> RuleNotUnderstood:
    with pytest.raises(RuleNotUnderstood) as caught:
        compile_rule(rule, EXAMPLE_TABLES, target=target)
    return caught.value


def test_an_unknown_word_is_named_and_a_correction_only_suggested() -> None:
    refusal = refused("amount must be bewteen 1 and 5")
    assert refusal.unknown == ("bewteen",)
    assert refusal.suggestions[0] == "amount must be between 1 and 5"


def test_known_words_that_do_not_go_together_are_shown_from_where_they_stop() -> None:
    assert "am not sure how it is meant" in refused("amount must be between 1").reason


def test_a_text_that_no_row_holds_yet_is_offered_in_quotes() -> None:
    assert "orders.status must be 'archived'" in refused("orders.status must be archived").suggestions


def test_several_readings_are_listed() -> None:
    asked = refused("status must be present")
    assert "it can be about users or orders" in asked.reason
    assert {"orders: status must be present", "users: status must be present"} <= {
        reading.sentence for reading in asked.readings
    }


@pytest.mark.parametrize(
    ("columns", "rule", "meant"),
    [
        (("Amount", "amount"), "amount must be positive", "amount"),
        (("amount", "Amount"), "amount must be positive", "amount"),
        (("Amount", "amount"), "t.amount must be positive", "amount"),
        (("Amount", "amount"), "`Amount` must be positive", "Amount"),
        (("Amount", "amount"), "CHECK (amount > 0)", "amount"),
        (("Amount", "amount"), "amount: integer, > 0", "amount"),
        (("Amount", "amount"), "AMOUNT must be positive", ""),
        (("Amount", "amount"), "Amount must be positive", ""),  # as every sentence begins
        (("Amount", "amount"), "No amount may be negative", ""),
        (("order id", "order_id"), "order_id must be positive", "order_id"),
        (("order id", "order_id"), "order id must be positive", "order id"),
        (("order.id", "order_id"), "order_id must be positive", "order_id"),
        (("amount ", "amount"), "amount must be positive", ""),
        (("amount ", "amount"), "amount > 0", ""),
    ],
)
def test_of_columns_called_alike_the_one_that_is_written_is_meant_or_it_is_asked(
    columns: tuple[str, ...], rule: str, meant: str
) -> None:
    tables = {"t": Table(name="t", columns=dict.fromkeys(columns, "int64"))}
    if meant:
        assert reads(compile_rule(rule, tables).constraint) == {"t": (meant,)}
        return
    with pytest.raises(RuleNotUnderstood) as caught:
        compile_rule(rule, tables)
    assert len(caught.value.readings) > 1


@pytest.mark.parametrize(("dtype", "told"), [("str", "holds texts in it"), ("empty", "without a value yet")])
@pytest.mark.parametrize(
    ("rule", "of_dishes"),
    [
        ("price must be positive", "dishes.price must be positive"),
        ("CHECK (price > 0)", "CHECK (dishes.price > 0)"),
        ("Prices must not be negative", "The price of a dish must not be negative"),
    ],
)
def test_a_column_that_another_table_has_without_its_type_may_be_meant(
    rule: str, of_dishes: str, dtype: str, told: str
) -> None:
    dishes = {"dishes": Table(name="dishes", columns={"dish": "str", "price": "float64"})}
    menu = {"menu": Table(name="menu", columns={"course": "str", "price": dtype})}
    flags = {"menu": Table(name="menu", columns={"course": "str", "price": "bool"})}
    with pytest.raises(RuleNotUnderstood, match=rf"{told}|it can be about dishes or menu"):
        compile_rule(rule, dishes | menu)
    for said, tables in ((rule, dishes), (rule, dishes | flags), (of_dishes, dishes | menu)):
        assert compile_rule(said, tables).constraint.table == "dishes"


def test_the_target_decides_where_the_sentence_does_not() -> None:
    rule = compile_rule("status must be present", EXAMPLE_TABLES, target="users").constraint
    assert rule == RowRule(table="users", must=Present(of=Column(name="status")))


def test_the_sentence_decides_against_the_target_where_it_names_the_other_table_alone() -> None:
    assert compile_rule("users.status must be present", EXAMPLE_TABLES, target="orders").constraint.table == "users"


def test_a_reading_of_other_rows_than_the_targets_is_asked_about() -> None:
    asked = refused("List all users that have placed more than three orders.", target="users")
    assert "it is about the rows of orders, not of users" in asked.reason


def test_a_reading_is_asked_about_where_the_proposals_say_clearly_something_else() -> None:
    asked = refused("The order date must lie between 2020 and 2026.", target="orders")
    assert "may as well mean" in asked.reason


def test_an_unknown_target_is_named() -> None:
    with pytest.raises(NoSuchName, match="ordrs"):
        compile_rule("status must be present", EXAMPLE_TABLES, target="ordrs")


def test_columns_that_must_be_there_are_named_as_they_are_spelt() -> None:
    assert compile_rule("The orders table must have a column amount.", EXAMPLE_TABLES).constraint.required == (
        "amount",
    )
    assert "coupon_code otherwise" in refused("The orders table must have a coupon column.").reason


@pytest.mark.parametrize("rule", ["", "   ", ".", "x" * 2000, "null", "?", "n", "must be positive"])
def test_nothing_much_is_refused_in_one_line(rule: str) -> None:
    assert "\n" not in str(refused(rule))


def test_a_pointless_rule_is_refused() -> None:
    assert "nothing can break" in str(refused("CHECK (amount >= 0 OR amount < 0)", "orders"))


def test_each_word_of_the_explanation_stands_in_the_sentence() -> None:
    understood = compile_rule("Shipped orders must have a ship date.", EXAMPLE_TABLES)
    assert ("Shipped", "status 'shipped'") in understood.explanation
    assert all(words in "Shipped orders must have a ship date." for words, _ in understood.explanation)


def test_the_same_rule_gives_the_same_constraint_every_time() -> None:
    rule = "Shipped or delivered orders must have a ship date."
    shuffled = dict(reversed(EXAMPLE_TABLES.items()))
    assert compile_rule(rule, shuffled).constraint == compile_rule(rule, EXAMPLE_TABLES).constraint


def test_bullets_are_one_rule_each() -> None:
    assert split_rules("- n must be positive\n- s must be\n  unique\n") == ("n must be positive", "s must be unique")
    assert split_rules("n must be\npositive") == ("n must be positive",)
    assert split_rules("\n  \n") == ()


def test_completions_go_on_to_a_rule() -> None:
    assert "users" in completions("us", EXAMPLE_TABLES)
    assert {"positive", "between"} <= set(completions("amount must be ", EXAMPLE_TABLES))
    assert completions("amount must be betw", EXAMPLE_TABLES) == ("between",)
    assert "'shipped'" in completions("orders.status must be ", EXAMPLE_TABLES)

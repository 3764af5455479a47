"""What a reading leaves out of the sentence is told in the words of whoever wrote it, and no more than that."""

import pytest

from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.language.leaving_out import left_out
from pandas_magic.planner.language.linking import link
from tests.pandas_magic.planner.language.dictionary_tables import TABLES


def left(rule: str, reading: str) -> tuple[str, ...]:
    constraint = read_canonical(reading)
    assert constraint is not None
    return left_out(constraint, link(rule, TABLES, target="orders"))


@pytest.mark.parametrize(
    ("rule", "reading", "words"),
    [
        ("Paid orders of Smurfs must have a price.", "orders: price must be present", ("Paid", "Smurfs")),
        ("Orders that aren't void must have a price.", "orders: price must be present", ("aren't void",)),
        ("Orders in the past must have a price.", "orders: price must be present", ("in the past",)),
        ("The price must be below 90, and the tax.", "orders: tax must be present", ("price", "90")),
        ("Orders of a customer must have a price.", "orders: price must be present", ("customer",)),
        ("The note must say 'fragile'.", "orders: note must be present", ("'fragile'",)),
    ],
)
def test_names_texts_numbers_and_unknown_words_that_nothing_stands_for_are_left_out(
    rule: str, reading: str, words: tuple[str, ...]
) -> None:
    assert left(rule, reading) == words


@pytest.mark.parametrize(
    "rule",
    [
        "Please make sure that the price is always there.",
        "Ticket #88: the price must be there.",
        "The price must be there, because void orders are refunded.",
        "The price must be there, that's just what the auditors want.",
    ],
)
def test_words_of_grammar_politeness_reasons_and_asides_are_not_told_as_left_out(rule: str) -> None:
    assert left(rule, "orders: price must be present") == ()


def test_the_pieces_of_a_shape_are_not_left_out_where_a_pattern_has_them() -> None:
    assert left("code: 'BR-' followed by X", "orders: code must match /BR-X/") == ()


def test_what_a_key_refers_to_is_not_left_out() -> None:
    reading = "orders: (customer_id, the date of ordered_on) must be unique"
    assert left("One order per customer and day.", reading) == ()


def refusal(rule: str) -> RuleNotUnderstood:
    with pytest.raises(RuleNotUnderstood) as caught:
        compile_rule(rule, TABLES, target="orders")
    return caught.value


def test_the_refusal_says_beside_each_reading_what_it_leaves_out_and_what_can_be_done_with_it() -> None:
    refused = refusal("price must sparkle and be positive")
    assert all("sparkle" in reading.leaves_out for reading in refused.readings)
    assert f'"{refused.readings[0].sentence}" (leaves out: sparkle)' in str(refused)
    assert str(refused).endswith("Paste what is meant as the rule.")


def test_where_nothing_is_offered_the_refusal_says_what_to_do() -> None:
    refused = RuleNotUnderstood("any", "I am not sure.", advice="Say it so.")
    assert str(refused) == "I am not sure. Say it so."


def test_an_unknown_word_is_named_as_it_was_written() -> None:
    assert refusal("We’re sure that prices wobble.").unknown == ("wobble",)


@pytest.mark.parametrize(
    ("read", "written"),
    [("it has been", "it’s been"), ("can not", "can’t"), ("they", "he or she"), ("price", "price"), ("tax", "tax")],
)
def test_quotes_are_those_of_the_rule_as_written(read: str, written: str) -> None:
    linked = link("  If it’s been paid, the price can’t vary unless he or she wants", TABLES, target="orders")
    assert linked.quoted(f'behind "{read}" I stop') == f'behind "{written}" I stop'


def test_where_it_stops_a_phrase_is_not_cut() -> None:
    reason = refusal("The total has to come to the price plus the tax, give or take a euro per week").reason
    assert '"or take' not in reason

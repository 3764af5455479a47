"""Patterns stand for sequences of words, classes and slots; meanings are calls of known functions."""

import pytest

from pandas_magic.planner.language.strict.patterns import (
    PatternError,
    PatternSlot,
    Phrases,
    WordChoice,
    WordClass,
    sequences,
)
from pandas_magic.planner.language.strict.templates import TemplateError, compiled


def test_what_may_be_left_out_stands_for_two_sequences() -> None:
    assert sequences("a [b] c") == (
        (WordChoice(("a",)), WordChoice(("c",))),
        (WordChoice(("a",)), WordChoice(("b",)), WordChoice(("c",))),
    )


def test_a_slash_parts_words_and_stands_for_itself_alone() -> None:
    assert sequences("a/b /") == ((WordChoice(("a", "b")), WordChoice(("/",))),)


def test_many_phrases_are_one_piece() -> None:
    ((found,),) = sequences("(a|b c|d)")
    assert isinstance(found, Phrases)
    assert len(found.among) == 3


def test_a_slot_says_its_category_how_often_and_about_what() -> None:
    assert sequences("<must> {c:quality+or@x}") == ((WordClass("must"), PatternSlot("c", "quality", "+or", "x")),)


@pytest.mark.parametrize("pattern", ["(a", "a)", "{x", "{x:}"])
def test_a_miswritten_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        sequences(pattern)


@pytest.mark.parametrize("template", ["missing(", "open('x')", "x.y", "[x]", "f(x, key=1)"])
def test_a_meaning_is_a_call_of_known_functions_and_nothing_else(template: str) -> None:
    with pytest.raises(TemplateError):
        compiled(template, {"f": lambda about, x: x})


def test_a_call_on_what_has_no_meaning_has_none() -> None:
    meaning = compiled("f(g(x))", {"f": lambda about, x: "never", "g": lambda about, x: None})
    assert meaning(None, {"x": 1}) is None

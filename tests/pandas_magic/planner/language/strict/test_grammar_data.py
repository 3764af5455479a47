"""Every line of the grammar that has an example reads it as its echo; the lines fit together."""

import ast
from functools import cache

import pytest

from pandas_magic.constraints import describe
from pandas_magic.planner.language.linking import link
from pandas_magic.planner.language.strict import StrictReading, read_strictly
from pandas_magic.planner.language.strict.functions import the_grammar
from pandas_magic.planner.language.strict.patterns import PatternSlot, sequences
from pandas_magic.planner.language.strict.talk import SpokenParts
from tests.pandas_magic.planner.language.frozen.sentences import FrozenSentence, sentences, sources, tables_of

LINES = the_grammar().productions
WITH_EXAMPLE = [line for line in LINES if line.example]
# Lines that no frozen sentence needs; a new line has its example.
WITHOUT_EXAMPLE = 546


@cache
def places_of() -> dict[str, list[FrozenSentence]]:
    found: dict[str, list[FrozenSentence]] = {}
    for source in sources():
        for sentence in sentences(source):
            found.setdefault(sentence.text, []).append(sentence)
    return found


@cache
def readings_of(text: str) -> dict[str, StrictReading]:
    """What the sentence is read as on each of the tables on which it stands, where it has one meaning."""
    read = {}
    for place in places_of()[text]:
        readings = read_strictly(link(text, tables_of(place.world), target=place.target))
        if len(readings) == 1:
            read[describe(readings[0].constraint)] = readings[0]
    return read


@pytest.mark.parametrize("category", sorted({line.category for line in WITH_EXAMPLE}))
def test_each_line_reads_its_example_as_its_echo(category: str, pytestconfig: pytest.Config) -> None:
    """By default every other line of a category, from its first; `--thorough` reads them all."""
    lines = [line for line in WITH_EXAMPLE if line.category == category]
    for line in lines if pytestconfig.getoption("--thorough") else lines[::2]:
        reading = readings_of(line.example).get(line.echo)
        assert reading is not None, (line.say, line.example)


def test_each_meaning_is_written_with_the_slots_of_its_line() -> None:
    for line in LINES:
        assert line.meaning is not None
        parts = list(ast.walk(ast.parse(line.mean, mode="eval")))
        called = {part.func for part in parts if isinstance(part, ast.Call)}
        used = {part.id for part in parts if isinstance(part, ast.Name) and part not in called} - {"it"}
        for sequence in sequences(line.say):
            assert used <= {piece.name for piece in sequence if isinstance(piece, PatternSlot)}, line.say


def test_the_lines_without_an_example_become_no_more() -> None:
    assert len(LINES) - len(WITH_EXAMPLE) <= WITHOUT_EXAMPLE


def test_each_slot_is_of_a_category_that_there_is() -> None:
    known = {line.category for line in LINES} | set(SpokenParts.categories)
    pieces = {(line.say, piece) for line in LINES for sequence in sequences(line.say) for piece in sequence}
    slots = {(say, piece.category) for say, piece in pieces if isinstance(piece, PatternSlot)}
    assert {(say, category) for say, category in slots if category not in known} == set()

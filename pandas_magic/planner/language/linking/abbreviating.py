"""Columns whose names abbreviate the words that are said: dschg_dt is "discharge date", abf_zeit has a departure."""

from collections.abc import Iterator

from pandas_magic.planner.language.linking.schema_index import SchemaNames
from pandas_magic.planner.language.linking.spans import NEAR, ColumnMeant
from pandas_magic.planner.language.linking.spelled_out import abroad
from pandas_magic.planner.language.linking.words import Words, word_forms

_SHORTEST, _SHORTEST_OF_SEVERAL = 3, 2
_VOWELS = frozenset("aeiou")


def abbreviated(names: SchemaNames, words: Words) -> Iterator[ColumnMeant]:
    """The columns that have as many words, each of which is the word said, or shortens it."""
    initials = tuple(word[0] for word in words)
    for name, table, column in names.initials.get(initials, ()):
        pairs = list(zip(name, words, strict=True))
        shortest = _SHORTEST_OF_SEVERAL if len(words) > 1 else _SHORTEST
        if name != words and all(short == full or shortens(short, full, shortest) for short, full in pairs):
            yield ColumnMeant(table, column, NEAR, "abbreviation")


def abbreviated_in_part(names: SchemaNames, word: str) -> Iterator[ColumnMeant]:
    """The columns of which one word of the name shortens the word, or one of another language for it."""
    fulls = {full for form in word_forms(word) for full in (form, *abroad(form))}
    for full in sorted(fulls):
        for part in names.parts_by_letter.get(full[:1], ()):
            if shortens(part, full):
                yield from (ColumnMeant(*place, NEAR, "abbreviation") for place in names.parts[part])


def shortens(short: str, full: str, shortest: int = _SHORTEST) -> bool:
    """Whether the one is made of letters of the other, in order: a beginning of it, or mostly its consonants."""
    if len(short) < shortest or len(full) < len(short) + 2 or short[0] != full[0]:
        return False
    if full.startswith(short):
        return True
    rest = iter(full)
    if not all(letter in rest for letter in short):
        return False
    return not any(letter in _VOWELS for letter in short[1:])

"""Columns whose names abbreviate the words that are said: dschg_dt is "discharge date"."""

from collections.abc import Iterator

from pandas_magic.planner.language.linking.schema_index import SchemaNames
from pandas_magic.planner.language.linking.spans import NEAR, ColumnMeant
from pandas_magic.planner.language.linking.words import Words

_SHORTEST = 3
_VOWELS = frozenset("aeiou")


def abbreviated(names: SchemaNames, words: Words) -> Iterator[ColumnMeant]:
    """The columns that have as many words, each of which is the word said, or shortens it."""
    initials = tuple(word[0] for word in words)
    for name, table, column in names.initials.get(initials, ()):
        pairs = list(zip(name, words, strict=True))
        if name != words and all(short == full or shortens(short, full) for short, full in pairs):
            yield ColumnMeant(table, column, NEAR, "abbreviation")


def shortens(short: str, full: str) -> bool:
    """Whether the one is made of letters of the other, in order: a beginning of it, or mostly its consonants."""
    if len(short) < _SHORTEST or len(full) < len(short) + 2 or short[0] != full[0]:
        return False
    if full.startswith(short):
        return True
    rest = iter(full)
    if not all(letter in rest for letter in short):
        return False
    return not any(letter in _VOWELS for letter in short[1:])

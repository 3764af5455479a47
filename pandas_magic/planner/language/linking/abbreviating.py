"""What short names stand for: dschg_dt is "discharge date", abf_zeit has a departure, GRS_KG is "gross weight"."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from pandas_magic.planner.language.linking.aliases import PERIODS, unit_words
from pandas_magic.planner.language.linking.references import table_words
from pandas_magic.planner.language.linking.schema_index import SchemaNames
from pandas_magic.planner.language.linking.spans import NEAR, PART, ColumnMeant, TableMeant
from pandas_magic.planner.language.linking.spelled_out import abroad, short_forms, spelled_out
from pandas_magic.planner.language.linking.words import (
    Words,
    grouped,
    is_english,
    name_words,
    names_data,
    singular,
    word_forms,
)

_SHORTEST, _SHORTEST_OF_SEVERAL, _SHORTEST_NOUN = 3, 2, 4
_VOWELS = frozenset("aeiou")


class ShortNames:
    """The names of a schema by their words and first letters."""

    def __init__(self, names: SchemaNames) -> None:
        forms = [
            (form, table, column)
            for table, schema in names.tables.items()
            for column in schema.columns
            for form in spelled_out(name_words(column))
            if form
        ]
        self.by_initials = grouped((tuple(word[0] for word in form[0]), form) for form in forms)
        self.by_word = grouped((word, form) for form in forms for word in form[0])
        self.words = grouped((word[0], word) for word in sorted(self.by_word))
        self.telling = grouped((word[0], word) for word in names.parts)
        nouns = {(words[-1], table) for table in names.tables for words in table_words(table) if words}
        self.nouns = grouped((noun[0], (noun, table)) for noun, table in sorted(nouns))
        self._told: dict[str, frozenset[str]] = {}

    def told(self, word: str) -> frozenset[str]:
        """The words of names that the word tells: itself, in another language, its unit, its consonants."""
        if word not in self._told:
            forms = {*word_forms(word), PERIODS.get(word, word)}
            alike = {part for form in forms for part in self.words.get(form[0], ()) if _is_skeleton(part, form)}
            foreign = {part for form in forms for other in abroad(form) for part in (other, singular(other))}
            units = {unit for unit, quantities in names_data()["quantities"].items() if forms & {*quantities}}
            self._told[word] = frozenset(forms | alike | foreign | units) & self.by_word.keys()
        return self._told[word]


@lru_cache(maxsize=4)
def _short(names: SchemaNames) -> ShortNames:
    return ShortNames(names)


@lru_cache(maxsize=4)
def called_in_part(names: SchemaNames) -> dict[str, list[tuple[str, str]]]:
    """The columns by each telling word of what the glossary calls them: "urea" of "urea before"."""
    called = [
        (word, (table, column))
        for table, schema in names.tables.items()
        for term, column in schema.called.items()
        for word in sorted({*name_words(term)}.difference(names_data()["weak"], names_data()["function"]))
    ]
    return grouped(called)


def abbreviated(names: SchemaNames, words: Words) -> Iterator[ColumnMeant]:
    """The columns that have as many words, each of which is the word said, or shortens it."""
    yield from _told_in_full(_short(names), words)
    shortest = _SHORTEST_OF_SEVERAL if len(words) > 1 else _SHORTEST
    for name, table, column in _short(names).by_initials.get(tuple(word[0] for word in words), ()):
        pairs = list(zip(name, words, strict=True))
        if name != words and all(short == full or shortens(short, full, shortest) for short, full in pairs):
            yield ColumnMeant(table, column, NEAR, "abbreviation")


def _told_in_full(short: ShortNames, words: Words) -> Iterator[ColumnMeant]:
    """The column of a table of whose name several words tell every word but the unit, where that is one alone."""
    told = [short.told(word) for word in words]
    if len(words) == 1 or words[0] == "no" or not all(told):  # one word leaves more open, and "no patient" is no number
        return
    fits = {(table, column) for part in told[0] for form, table, column in short.by_word[part] if _fits(form, told)}
    for table in {table for table, _ in fits}:
        columns = [column for other, column in fits if other == table]
        if len(columns) == 1:
            yield ColumnMeant(table, columns[0], PART, "in full")


def _fits(form: Words, told: list[frozenset[str]]) -> bool:
    left = list(form)
    for parts in told:
        part = next((one for one in left if one in parts), None)
        if part is None:
            return False
        left.remove(part)
    return unit_words().issuperset(left)


def abbreviated_in_part(names: SchemaNames, word: str) -> Iterator[ColumnMeant | TableMeant]:
    """The columns of which one word of the name shortens the word, or one of another language for it.

    And the one table whose rows are called so by its consonants, or by its beginning.
    """
    short = _short(names)
    forms = word_forms(word)
    tables = {table for form in forms for noun, table in short.nouns.get(form[0], ()) if _is_short_for(noun, form)}
    yield from map(TableMeant, tables if len(tables) == 1 else ())
    fulls = {full for form in forms for full in (form, *abroad(form))}
    for full in sorted(fulls):
        for part in short.telling.get(full[:1], ()):
            if shortens(part, full) and (full in forms or not _says_something(part)):
                yield from (ColumnMeant(*place, NEAR, "abbreviation") for place in names.parts[part])


def _says_something(part: str) -> bool:
    """Whether the word is known as it is: "fat" is not short for "fatto", "dob" for "dobbelt", "per" for "permesso"."""
    return part == "per" or is_english(part) or part in short_forms()


def tells_of(word: str, column: str) -> bool:
    """Whether the word is one of the column's name, in full or in English: "status" of stat."""
    forms = word_forms(word.lower())
    parts = {part for said in spelled_out(name_words(column)) for part in said}
    return any(part in forms or any(shortens(part, form) for form in forms) for part in parts)


def shortens(short: str, full: str, shortest: int = _SHORTEST) -> bool:
    """Whether the one is made of letters of the other, in order: a beginning of it, or mostly its consonants."""
    if len(short) < shortest or len(full) <= len(short) or short[0] != full[0]:
        return False
    if len(full) == len(short) + 1:  # "axl" of "axle", but no "car" of "care"
        return not is_english(short) and (full.startswith(short) or _is_skeleton(short, full))
    if full.startswith(short):
        return True
    rest = iter(full)
    if not all(letter in rest for letter in short):
        return False
    return not any(letter in _VOWELS for letter in short[1:])


def _is_skeleton(short: str, full: str) -> bool:
    """Whether the one is all consonants of the other, each once where it is doubled: "grs" of "gross"."""
    return len(short) >= _SHORTEST and short != full and _consonants(short) == short == _consonants(full)


def _is_short_for(noun: str, form: str) -> bool:
    """Whether a table's noun is the word's consonants, or a beginning of it that is no word: "ingr" of "ingredient"."""
    is_begun = len(noun) >= _SHORTEST_NOUN and len(form) > len(noun) + 1 and form.startswith(noun)
    return _is_skeleton(noun, form) or (is_begun and not is_english(noun))


def _consonants(word: str) -> str:
    kept = word[0] + "".join(letter for letter in word[1:] if letter not in _VOWELS)
    return "".join(letter for letter, _ in groupby(kept))

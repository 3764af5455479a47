"""The names of a schema by their words: tables, columns, texts that occur, what is true or false.

`aliases` knows what a column can be called, `references` how tables refer to each other.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice

from pandas_magic.catalog.table import TIME_OF_DAY, Table, ValueKind
from pandas_magic.planner.language.linking.aliases import (
    DATE_ENDINGS,
    PART,
    SYNONYM,
    aliases_of_terms,
    column_aliases,
    event_verbs,
    value_words,
)
from pandas_magic.planner.language.linking.references import References, table_words
from pandas_magic.planner.language.linking.spelled_out import in_english, spelled_out
from pandas_magic.planner.language.linking.words import (
    FUNCTION_WORDS,
    Words,
    grouped,
    is_english,
    last_word,
    name_words,
    names_data,
    verbs_of,
    word_forms,
)

_BODIES = ("crew", "staff", "personnel", "faculty", "team", "family")
_MOST_TRUTHS = 3
# Words of names that say little alone; those of grammar say nothing.
_WEAK_WORDS = frozenset(names_data()["weak"])
_STEM_LETTERS = 5
_SHORTEST_WITHIN = 3


class SchemaNames:
    """The tables with their names, columns and values looked up by words."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self.tables = dict(tables)
        self.references = References(self.tables)
        self.nouns = _nouns(self.tables)
        self._add_nouns_of_keys()
        self.places = [(table, column) for table, schema in self.tables.items() for column in schema.columns]

    def _add_nouns_of_keys(self) -> None:
        """The rows of a titanic.csv are passengers where its key is PassengerId, unless that names something else."""
        named = {name_words(column) for table in self.tables.values() for column in table.columns} | self.nouns.keys()
        for table in self.tables:
            noun = self.references.row_noun(table)
            if noun and noun not in named:
                self.nouns.setdefault(noun, []).append(table)

    def kind(self, table: str, column: str) -> ValueKind:
        """What kind of values the column's dtype holds."""
        return self.tables[table].kind(column)

    @cached_property
    def columns(self) -> dict[Words, list[tuple[str, str, int]]]:
        """Every table's columns by what they can be called: (table, column, tier)."""
        return grouped(
            (words, (table, column, tier))
            for table, column in self.places
            for words, tier in self._aliases(table, column)
            # "Customers" are the rows of that table, not the customer_id of another.
            if tier < PART or not self._is_a_noun_for(table, words)
        )

    def _terms(self, table: str, column: str) -> list[str]:
        """What the glossary calls the column, written as names are."""
        return ["_".join(term.split()) for term, named in self.tables[table].called.items() if named == column]

    def _aliases(self, table: str, column: str) -> Iterator[tuple[Words, int]]:
        # A name without a letter or digit is called nothing; it is named as it is written.
        named = (*column_aliases(table, column), *aliases_of_terms(table, self._terms(table, column)))
        for words, tier in (alias for alias in named if alias[0]):
            if tier < PART or len(words) > 1 or words[0] not in FUNCTION_WORDS:
                yield words, tier
            if tier < PART and words[-1] not in DATE_ENDINGS and self.is_date(table, column):
                yield (*words, "date"), SYNONYM
                yield ("date", "of", *words), SYNONYM

    def is_date(self, table: str, column: str) -> bool:
        """Whether the column holds dates, or texts that are dates."""
        return self.kind(table, column) == "datetime" or self.read_as(table, column) == "date"

    def _is_a_noun_for(self, table: str, words: Words) -> bool:
        return any(
            noun == table
            or words in (name_words(noun), name_words(noun)[-1:])
            or self.references.links_to(table, noun)
            or self.references.links_to(noun, table)
            for noun in self.nouns.get(words, ())
        )

    @cached_property
    def exact(self) -> dict[str, list[tuple[str, str]]]:
        """The columns by their names as they are written, and in lower case."""
        return grouped(
            (written, (table, column))
            for table, column in self.places
            for written in {column, column.lower(), f"{table}.{column}", f"{table}.{column}".lower()}
        )

    @cached_property
    def values(self) -> dict[Words, list[tuple[str, str, str]]]:
        """The texts that occur, by their words: (table, column, text)."""
        found: dict[Words, list[tuple[str, str, str]]] = {}
        for table, schema in self.tables.items():
            for column, texts in schema.values.items():
                sexes = _sexes(column, texts)
                for text in texts if self.kind(table, column) == "text" else ():
                    spoken = value_words(text.strip())
                    for words in (spoken, *in_english(spoken)):
                        found.setdefault(words, []).append((table, column, text))
                    if (sex := text.strip().lower()) in sexes:
                        found.setdefault((sexes[sex],), []).append((table, column, text))
        found.pop((), None)
        return found

    @cached_property
    def literals(self) -> dict[str, list[tuple[str, str]]]:
        """The columns of texts in which a text occurs, by the text as it is written."""
        return grouped(
            (text, (table, column))
            for table, schema in self.tables.items()
            for column, texts in schema.values.items()
            for text in texts
        )

    @cached_property
    def folded_literals(self) -> dict[str, list[tuple[str, str, str]]]:
        """The texts of more than one letter that occur, by the text in lower case: (table, column, text)."""
        long = ((text, places) for text, places in self.literals.items() if len(text.strip()) > 1)
        return grouped((text.strip().lower(), (*place, text)) for text, places in long for place in places)

    @cached_property
    def spaced_literals(self) -> dict[str, list[tuple[str, str, str]]]:
        """The texts that occur with spaces around them, by the text without: (table, column, text)."""
        spaced = ((text, places) for text, places in self.literals.items() if text.strip() != text)
        return grouped((text.strip(), (*place, text)) for text, places in spaced for place in places)

    def truth_values(self, table: str, column: str) -> tuple[bool | str, bool | str] | None:
        """What stands in the column for true and for false; None when it does not say whether something is so."""
        if self.kind(table, column) == "boolean":
            return True, False
        texts = self.tables[table].values.get(column, ())
        for yes, no in map(str.split, names_data()["truths"]) if 0 < len(texts) <= _MOST_TRUTHS else ():
            pairs = [(one, other) for one in texts for other in texts if (one.lower(), other.lower()) == (yes, no)]
            if pairs:  # of "J", "N" and "j" those written alike
                return max(pairs, key=lambda pair: (pair[0].isupper() == pair[1].isupper(), pair[0].isupper()))
        return None

    @cached_property
    def truths(self) -> dict[Words, list[tuple[str, str, bool]]]:
        """What says that a column of truth is so, or is not: "active" and "inactive" of is_active."""
        return grouped(
            (words, (table, column, so))
            for table, column in self.places
            if name_words(column) and self.truth_values(table, column) is not None
            for words, so in _truth_words(table, column)
        )

    @cached_property
    def events(self) -> dict[str, list[tuple[str, str]]]:
        """The columns of dates and times by the verbs for what happened then: "ship" of shipped_at."""
        found: dict[str, list[tuple[str, str]]] = {}
        times = (place for place in self.places if self.tables[place[0]].columns[place[1]] == TIME_OF_DAY)
        for table, column in (*self.all_dates, *times):
            of_rows = verbs_of_rows(table) if _is_plain_date(column) else ()
            names = (column, *self._terms(table, column))
            for verb in (*(v for name in names for v in (*event_verbs(name), *_last_verbs(name))), *of_rows):
                if (table, column) not in found.setdefault(verb, []):
                    found[verb].append((table, column))
        return found

    @cached_property
    def all_dates(self) -> list[tuple[str, str]]:
        """The columns of dates and of texts that are dates, of all tables."""
        return [place for place in self.places if self.is_date(*place)]

    def times(self, table: str) -> list[str]:
        """The columns of texts or objects that are times of the day."""
        return [name for name in self.tables[table].columns if self.is_time(table, name)]

    def is_time(self, table: str, column: str) -> bool:
        """Whether the column holds times of the day, or texts or objects that are such."""
        return self.tables[table].columns[column] == TIME_OF_DAY or self.read_as(table, column) == "time"

    def read_as(self, table: str, column: str) -> str | None:
        """What the texts in the column are by their content: "date", "number", or None when they are just texts."""
        return self.tables[table].read_as.get(column)

    @cached_property
    def parts(self) -> dict[str, list[tuple[str, str]]]:
        """The columns by each telling word of their names, and by the English word that ends one: "class" of Pclass."""
        return self._by_word(lambda word: (word, *_word_within(word)))

    @cached_property
    def stems(self) -> dict[str, list[tuple[str, str]]]:
        """The columns by the beginnings of the telling words of their names."""
        return self._by_word(lambda word: (stem(word),) if len(word) > _STEM_LETTERS - 2 else ())

    def _by_word(self, keys: Callable[[str], Iterable[str]]) -> dict[str, list[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = {}
        for place in self.places:
            words = {word for said, tier in column_aliases(*place) if tier < PART for word in said}
            telling = (word for word in sorted(words) if len(word) > 2 and word not in _WEAK_WORDS)
            for key in dict.fromkeys(key for word in telling for key in keys(word)):
                found.setdefault(key, []).append(place)
        return found


def _sexes(column: str, texts: Iterable[str]) -> dict[str, str]:
    """What the letters in the column of a sex stand for; one letter alone tells it only in English and German."""
    forms = [form[-1:] for form in spelled_out(name_words(column))]
    if ("sex",) not in forms and ("gender",) not in forms:
        return {}
    pairs: list[str] = names_data()["sexes"]
    fitting = list(filter({text.strip().lower() for text in texts}.issuperset, pairs))
    usual = pairs[:1] if last_word(column) in ("sex", "gender", "geschlecht") else [""]
    return dict(zip((fitting if len(fitting) == 1 else usual)[0], ("male", "female"), strict=False))


def _word_within(word: str) -> Iterable[str]:
    ends = (word[start:] for start in (1, 2)) if word.isalpha() and not is_english(word) else ()
    return islice((end for end in ends if len(end) > _SHORTEST_WITHIN and is_english(end)), 1)


def _last_verbs(column: str) -> Iterable[str]:
    """Like "expire" for licence_expires_on."""
    words = [word for word in name_words(column) if word not in DATE_ENDINGS]
    return word_forms(words[-1]) if len(words) > 1 else ()


def _is_plain_date(column: str) -> bool:
    """Whether the name says no more than that it is a date."""
    return any(form and set(form) <= {*DATE_ENDINGS} for form in spelled_out(name_words(column)))


def verbs_of_rows(table: str) -> frozenset[str]:
    """What happened when a row of the table came to be: "mill" for millings, "deliver" for deliveries."""
    nouns = {words[-1] for words in table_words(table)}
    return frozenset().union(*(word_forms(noun) | verbs_of(noun) for noun in nouns))


def stem(word: str) -> str:
    """The beginning that related words share: "approv" of approval and approved."""
    return min(sorted(word_forms(word)), key=len)[:_STEM_LETTERS]


def _truth_words(table: str, column: str) -> list[tuple[Words, bool]]:
    found: list[tuple[Words, bool]] = []
    for name in [words for words, tier in column_aliases(table, column) if tier < PART]:
        plain = name[1:] if name[0] in ("is", "has", "was", "are", "ist", "hat") and len(name) > 1 else name
        plain = plain[:-1] if len(plain) > 1 and plain[-1] in ("flag", "indicator") else plain
        found += [(words, True) for words in dict.fromkeys((plain, name))]
        found += [((prefix + plain[0], *plain[1:]), False) for prefix in ("in", "un", "non", "dis")]
    return found


def _nouns(tables: Mapping[str, Table]) -> dict[Words, list[str]]:
    found: dict[Words, list[str]] = {}
    for name in tables:
        for words in table_words(name):
            found.setdefault(words, []).append(name)
    exact = {word for words in found for word in words}
    last = Counter(last_word(name) for name in tables)
    for name in tables:
        for short in dict.fromkeys(words[-1:] for words in table_words(name)):
            if last[last_word(name)] == 1 and short not in found:
                found[short] = [name]
    for name in tables:
        words = name_words(name)
        if last_word(name) in _BODIES:
            found.setdefault((*words, "member"), []).append(name)
        alone = {form[0] for form in table_words(name) if len(form) == 1}
        for other in (other for noun in sorted(alone) for other in names_data()["tables"].get(noun, ())):
            if other not in exact and name not in found.setdefault(name_words(other), []):
                found[name_words(other)].append(name)
    return found

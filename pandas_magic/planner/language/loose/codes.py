"""What words may mean that name nothing: a code of which they are the long form, a column called by their initials.

"A hydraulic lift" of a column that holds HYD, "a call-back" of CB, "the fire brigade" of a column fb, "the release
time" of a date that nothing else in the sentence names. All of it is only asked about.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from pandas_magic.planner.language.linking.schema_index import SchemaNames
from pandas_magic.planner.language.linking.spans import NEAR, ColumnMeant, Meaning, ValueMeant
from pandas_magic.planner.language.linking.words import FUNCTION_WORDS

if TYPE_CHECKING:
    from pandas_magic.planner.language.loose.scene import Mention

_POLITE = frozenset(("make", "sure", "please"))
_SHORTEST, _LONGEST = 2, 5  # letters of a code
_BEGINS = 3  # so many letters that a word begins with tell it


class LongForms:
    """The codes and the columns of some tables, as words that mean nothing may stand for them."""

    def __init__(self, names: SchemaNames, tables: Sequence[str]) -> None:
        self.codes = [
            (code.lower(), ValueMeant(table, column, code, literal=False))
            for table in tables
            for column, held in names.tables[table].values.items()
            for code in held
            if code.isalpha() and code.isupper() and _SHORTEST <= len(code) <= _LONGEST
        ]
        self.columns = [
            (column.lower(), ColumnMeant(table, column, NEAR, "initials"))
            for table in tables[:1]
            for column in names.tables[table].columns
            if column.isalpha() and _SHORTEST <= len(column) <= _BEGINS
        ]

    def of(self, words: Sequence[str], *, unknown: bool) -> Iterator[Meaning]:
        """What the first of the words may be, where it is `unknown`, or all of them together by their first letters."""
        for code, meant in self.codes:
            begins = unknown and len(code) >= _BEGINS and words[0].startswith(code) and len(words[0]) > len(code) + 1
            if begins or code == _initials(words, len(code)):
                yield meant
        yield from (meant for name, meant in self.columns if unknown and name == _initials(words, len(name)))


def long_forms(mentions: Sequence["Mention"], known: LongForms) -> list[tuple["Mention", Meaning]]:
    """What the words of mentions are the long form of, but for the codes that are said themselves."""
    said = {word for mention in mentions for word in mention.words}
    found: list[tuple[Mention, Meaning]] = []
    for place, mention in enumerate(mentions):
        free = list(takewhile(_is_free, mentions[place : place + _LONGEST]))
        words = [word for one in free for word in one.words]
        if any(one.is_word for one in free):
            found += [(mention, one) for one in known.of(words, unknown=mention.is_word)]
    return [(one, meant) for one, meant in found if getattr(meant, "value", "").lower() not in said]


def _is_free(mention: "Mention") -> bool:
    taken = mention.cues or mention.values or mention.is_constant
    return not taken and _POLITE.isdisjoint(mention.words)


def _initials(words: Sequence[str], count: int) -> str:
    """The first letters of so many words of which none is one of grammar; "" where there are fewer."""
    some = words[:count]
    is_whole = len(some) == count and all(word.isalpha() and word not in FUNCTION_WORDS for word in some)
    return "".join(word[0] for word in some) if is_whole else ""

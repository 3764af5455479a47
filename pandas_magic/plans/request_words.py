"""The words of a request, taken one after the other, and the columns of a table among them."""

import re
from collections.abc import Collection, Iterable, Sequence

from pandas_magic.catalog.table import Table

# Words that carry nothing by themselves, wherever they stand.
_EMPTY = frozenset(("the", "a", "an", "of", "please", "me", "us", "all"))
_JOINING = frozenset(("and", "or", "vs", "versus", ",", ".", "?", "group", "groups"))
_YEAR = re.compile(r"(?:19|20)\d\d")


class Stuck(Exception):
    """A request that could be read no further; `reached` is how many words were understood."""

    def __init__(self, reached: int, message: str) -> None:
        self.reached = reached
        super().__init__(message)


class RequestWords:
    """A cursor over the words of a request about `table`. What is taken is behind it for good."""

    def __init__(self, text: str, table: Table) -> None:
        self._table = table
        self._words = _telling(re.findall(r"[^\W_]+|[^\w\s]", _spaced(text)))
        while self._words and self._words[-1] in ".?!":
            self._words.pop()
        self._folded = [_stem(word) for word in self._words]
        self._columns = {column: stems(column) for column in table.columns}
        self.at = 0

    @property
    def at_end(self) -> bool:
        """Whether every word was taken."""
        return self.at == len(self._words)

    def stuck(self, why: str = "") -> Stuck:
        """The error that says where the cursor stands, and why it cannot go on."""
        rest = " ".join(self._words[self.at :])
        known = " ".join(self._words[: self.at])
        place = f'behind "{known}" ' if known else ""
        told = f'{place}I don\'t understand "{rest}"' if rest else f'"{known}" is not all of a request'
        return Stuck(self.at, f"{told} ({why})" if why else told)

    def take_any(self, words: Collection[str]) -> str | None:
        """The next word, if it is one of these."""
        if self.at_end:
            return None
        spelled = {_stem(word): word for word in words}
        found = spelled.get(self._folded[self.at])
        self.at += found is not None
        return found

    def take_one_of(self, phrases: Iterable[Sequence[str]]) -> bool:
        """Take one of these phrases, if it comes next."""
        return any(self._take([_stem(word) for word in phrase]) for phrase in phrases)

    def expect(self, phrase: Sequence[str]) -> None:
        """Take the phrase.

        Raises: Stuck when it does not come next.
        """
        if not self.take_one_of([phrase]):
            raise self.stuck(f'"{" ".join(phrase)}" should stand here')

    def take_number(self) -> int | None:
        """The next word, if it is a whole number."""
        if self.at_end or not self._words[self.at].isdecimal():
            return None
        self.at += 1
        return int(self._words[self.at - 1])

    def take_year(self) -> int | None:
        """The year in `in 2024`, `for 2024` or `during 2024`."""
        rest = self._folded[self.at : self.at + 2]
        if len(rest) < 2 or rest[0] not in ("in", "for", "during") or not _YEAR.fullmatch(rest[1]):
            return None
        self.at += 2
        return int(rest[1])

    def take_table(self) -> bool:
        """Take the table's name, in the singular or the plural, if it comes next."""
        return self._take(stems(self._table.name))

    def take_column(self) -> str | None:
        """The column that is named next, by its whole name; `user` may stand for `user_id`.

        Raises: Stuck when two columns go by that name.
        """
        named = [column for column, words in self._columns.items() if self.comes(words)]
        if not named:
            named = [name for name, words in self._columns.items() if words[1:] == ["id"] and self.comes(words[:1])]
            return self._taken(named, 1)
        length = max(len(self._columns[column]) for column in named)
        return self._taken([column for column in named if len(self._columns[column]) == length], length)

    def comes(self, words: Sequence[str]) -> bool:
        """Whether these folded words come next."""
        return bool(words) and self._folded[self.at : self.at + len(words)] == list(words)

    def column_comes(self) -> bool:
        """Whether the next words are the whole name of a column."""
        return any(self.comes(words) for words in self._columns.values())

    def column_spelled(self, start: int) -> str | None:
        """A column whose whole name is what was taken since `start`."""
        taken = self._folded[start : self.at]
        return next((column for column, words in self._columns.items() if words == taken), None)

    def _taken(self, columns: list[str], length: int) -> str | None:
        if len(columns) > 1:
            raise self.stuck(f"it can be {' or '.join(columns)}")
        if not columns:
            return None
        self.at += length
        return columns[0]

    def _take(self, words: Sequence[str]) -> bool:
        comes = self.comes(words)
        self.at += len(words) if comes else 0
        return comes


def _telling(words: list[str]) -> list[str]:
    """The words that carry something; the "a" of "a and b" is a name."""
    return [
        word
        for word, after in zip(words, (*(word.casefold() for word in words[1:]), "."), strict=False)
        if word.casefold() not in _EMPTY or (word.casefold() == "a" and after in _JOINING)
    ]


def _spaced(text: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)


def stems(text: str) -> list[str]:
    """The words of a text, folded and in the singular, without those that say nothing."""
    return [_stem(word) for word in re.findall(r"[^\W_]+", _spaced(text)) if word.casefold() not in _EMPTY]


def _stem(word: str) -> str:
    folded = word.casefold()
    if folded.isdecimal():
        return folded.lstrip("0") or "0"  # "trial 1" is the folder trial_001
    if len(folded) > 4 and folded.endswith("ies"):
        return folded[:-3] + "y"
    return folded[:-1] if len(folded) > 3 and folded.endswith("s") and not folded.endswith("ss") else folded

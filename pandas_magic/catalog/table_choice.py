"""Which tables a request is about, without a model: by names, columns and values that it mentions, with the reasons."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pandas_magic.catalog.table import Table
from pandas_magic.catalog.text.plurals import singular
from pandas_magic.errors import quoted_list

MAX_TABLES = 10
# Words that stand for each other in the tables of businesses.
_SYNONYMS = (
    {"customer", "user", "client", "buyer", "member", "account"},
    {"order", "purchase", "sale", "transaction"},
    {"product", "item", "article", "sku"},
    {"amount", "price", "cost", "total", "revenue", "value"},
    {"employee", "staff", "worker"},
    {"country", "nation"},
    {"date", "day", "time", "when"},
    {"payment", "invoice", "bill"},
)
_NAME, _COLUMN, _VALUE, _SYNONYM = 6.0, 3.0, 2.0, 1.0
_PART = 0.5  # for all columns that share a word with the request: "id" is in every table
# Words of which every request is made.
_PLAIN_TEXT = (
    "a all an and any are as at be by count each every find flag for from has have how in is it its many me most must "
    "no not number of on only or per row rows should show than that the their them there these this to was were what "
    "which who whose with without"
)
_PLAIN = frozenset(_PLAIN_TEXT.split())


@dataclass(frozen=True)
class TableChoice:
    """A table for a request: how well it fits, and why in words, the strongest reason first."""

    name: str
    score: float
    reasons: tuple[str, ...]

    @property
    def reason(self) -> str:
        """Why, in one line."""
        return "; ".join(self.reasons)


def choose_tables(request: str, tables: Mapping[str, Table], *, max_tables: int = MAX_TABLES) -> list[TableChoice]:
    """The tables that the request mentions by name, column or value, the best first; at most `max_tables`.

    A table named in full stands before all that are only hinted at. Empty when nothing in the request is in any table.
    """
    ranked = _ranked(request, tables)
    # What fits a quarter as well as the best is there by chance.
    return [choice for choice in ranked if choice.score * 4 > ranked[0].score][:max_tables]


def likely_tables(request: str, tables: Mapping[str, Table], *, max_tables: int) -> list[TableChoice]:
    """The tables among which a model may choose: all that have anything of the request, or every one if none has."""
    unnamed = ("nothing in the request names a table",)
    return (_ranked(request, tables) or [TableChoice(name, 0, unnamed) for name in sorted(tables)])[:max_tables]


def _ranked(request: str, tables: Mapping[str, Table]) -> list[TableChoice]:
    words = _words(request)
    scored = [_scored(name, table, words) for name, table in tables.items()]
    return sorted((choice for choice in scored if choice.reasons), key=lambda choice: (-choice.score, choice.name))


def _scored(name: str, table: Table, words: Collection[str]) -> TableChoice:
    parts = (_by_name(name, words), _by_columns(table, words), _by_values(table, words))
    found = sorted((part for part in parts if part[0]), key=lambda part: -part[0])
    return TableChoice(name, sum(score for score, _ in found), tuple(reason for _, reason in found))


def _by_name(name: str, words: Collection[str]) -> tuple[float, str]:
    own = _words(name)
    if own and own <= set(words):
        return _NAME, f'"{name}" is named'
    if shared := own & set(words):
        return _NAME * len(shared) / len(own) / 2, f'its name has "{min(shared)}"'
    if alike := _alike(own, words):
        return _SYNONYM, f'its name is another word for "{alike}"'
    return 0, ""


def _by_columns(table: Table, words: Collection[str]) -> tuple[float, str]:
    own = {column: _words(column) for column in table.columns}
    whole = [column for column, parts in own.items() if parts and parts <= set(words)]
    partly = [column for column, parts in own.items() if parts & set(words) and column not in whole]
    score = _COLUMN * len(whole) + _PART * bool(partly)
    return score, f"it has {quoted_list((whole or partly)[:4])}" if score else ""


def _by_values(table: Table, words: Collection[str]) -> tuple[float, str]:
    found = [
        (column, text)
        for column, texts in table.values.items()
        for text in texts
        if len(text) > 1 and (own := _words(text)) and own <= set(words)
    ]
    return _VALUE * len(found), f'"{found[0][1]}" occurs in "{found[0][0]}"' if found else ""


def _alike(own: Collection[str], words: Collection[str]) -> str:
    groups = [group for group in _SYNONYMS if group & set(own)]
    return next((word for word in sorted(words) for group in groups if word in group), "")


def _words(text: str) -> set[str]:
    """The words of a text or name in lower case and singular: "userIds" gives user and id."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return {singular(word) for word in re.findall(r"[^\W_]+", split.casefold()) if word not in _PLAIN}

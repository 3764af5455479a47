"""Which tables a request is about, without a model: by names, columns and values that it mentions, with the reasons."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pandas_magic.catalog.table import Table

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
# Words of which every request is made.
_PLAIN_TEXT = (
    "a all an and any are as at be by each every find flag for from has have how in is it its many most must no not of "
    "on only or per row rows should than that the their them there these to was were what which who whose with without"
)
_PLAIN = frozenset(_PLAIN_TEXT.split())


@dataclass(frozen=True)
class Choice:
    """A table for a request: how well it fits, and why in words."""

    name: str
    score: float
    reasons: tuple[str, ...]


def choose_tables(request: str, tables: Mapping[str, Table], *, max_tables: int = MAX_TABLES) -> list[Choice]:
    """The tables that the request mentions by name, column or value, the best first; at most `max_tables`.

    A table named in full stands before all that are only hinted at. Empty when nothing in the request is in any table.
    """
    words = _words(request)
    scored = [_scored(name, table, words, request.casefold()) for name, table in tables.items()]
    chosen = sorted((choice for choice in scored if choice.reasons), key=lambda choice: (-choice.score, choice.name))
    if not chosen:
        return []
    # What fits a quarter as well as the best is there by chance: a column called "id" is in every table.
    return [choice for choice in chosen if choice.score * 4 > chosen[0].score][:max_tables]


def _scored(name: str, table: Table, words: Collection[str], request: str) -> Choice:
    score, reasons = 0.0, []
    own = _words(name)
    if own and own <= set(words):
        score += _NAME
        reasons.append(f'"{name}" is named')
    elif shared := own & set(words):
        score += _NAME * len(shared) / len(own) / 2
        reasons.append(f'its name has "{min(shared)}"')
    elif alike := _alike(own, words):
        score += _SYNONYM
        reasons.append(f'its name is another word for "{alike}"')
    columns = [column for column in table.columns if _is_named(column, words)]
    if columns:
        score += _COLUMN * len(columns)
        reasons.append("it has " + ", ".join(f'"{column}"' for column in columns[:4]))
    values = [
        (column, text)
        for column, texts in table.values.items()
        for text in texts
        if len(text) > 1 and re.search(rf"(?<!\w){re.escape(text.casefold())}(?!\w)", request)
    ]
    if values:
        score += _VALUE * len(values)
        reasons.append(f'"{values[0][1]}" occurs in "{values[0][0]}"')
    return Choice(name, score, tuple(reasons))


def _is_named(column: str, words: Collection[str]) -> bool:
    own = _words(column)
    return bool(own) and own <= set(words)


def _alike(own: Collection[str], words: Collection[str]) -> str:
    groups = [group for group in _SYNONYMS if group & set(own)]
    return next((word for word in sorted(words) for group in groups if word in group), "")


def _words(text: str) -> set[str]:
    """The words of a text or name in lower case and singular: "userIds" gives user and id."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    found = re.findall(r"[^\W_]+", split.casefold())
    return {_singular(word) for word in found if word not in _PLAIN}


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word

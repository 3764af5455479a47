"""Columns of texts that hold dates or numbers: a rule may compare them as such, and then it says so.

Tried only when a rule is refused as its columns stand. The reading is part of the rule (`ReadAs`); cells that cannot be
read are not judged, and a run tells which these are.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from pandas_magic.catalog import Catalog, Table
from pandas_magic.catalog.plain_types import TEXT
from pandas_magic.catalog.table import TIME_OF_DAY
from pandas_magic.catalog.text.content import ContentKind, may_be_thousands
from pandas_magic.constraints import Column, Constraint, ReadAs, RowRule, check_types, describe
from pandas_magic.constraints.algebra.expressions import HowMany
from pandas_magic.constraints.algebra.patterns import READ_AS
from pandas_magic.constraints.algebra.rules import constraint_from
from pandas_magic.constraints.algebra.tree import REACHING, nodes, own_nodes
from pandas_magic.constraints.meaning.plain_rows import cells
from pandas_magic.constraints.meaning.scalars import read_as
from pandas_magic.errors import RuleNotUnderstood, quoted_list
from pandas_magic.planner import Understanding
from pandas_magic.record import Record

Understand = Callable[[Mapping[str, Table]], Understanding]
_DTYPES: dict[ContentKind, str] = {"date": "datetime64[us]", "number": "float64", "time": TIME_OF_DAY}
_SAMPLED_ROWS = 1_000
# Fewer readable ones are no column of dates with some gaps, but texts among which there are dates.
_CLEAR_MAJORITY = 0.75
_SHOWN = 5
_SHOWN_CHARACTERS = 40
# Digits behind a leading zero are a code, such as a postal one, whose zero a number would lose.
_CODE = re.compile(r"[+-]?0[0-9]+")
# Where a column of texts is meant as it stands.
_OF_TEXTS = frozenset({"present", "matches", "has_text", "length", "folded", "parses", "unique"})


@dataclass(frozen=True)
class ReadRule:
    """A rule that was understood once some columns of texts were read as dates or numbers."""

    constraint: RowRule
    echo: str
    explanation: tuple[tuple[str, str], ...]


def with_texts_read(
    refusal: RuleNotUnderstood, tables: Mapping[str, Table], catalog: Catalog, understand: Understand
) -> ReadRule:
    """The rule with the columns of texts that it names read as what their values show.

    Raises: the refusal when that does not help; RuleNotUnderstood with the values when they are neither.
    """
    texts = {name: _texts_of(name, columns, catalog) for name, columns in _mentioned(refusal.rule, tables).items()}
    shown = {
        (table, column): kind
        for table, columns in texts.items()
        for column, values in columns.items()
        if (kind := _kind_of(values)) is not None
    }
    if shown and (found := _understood(shown, tables, understand)) is not None:
        return found
    unread = [(table, column) for table, columns in texts.items() for column in columns if (table, column) not in shown]
    for kind in _DTYPES:
        wished = _understood(shown | dict.fromkeys(unread, kind), tables, understand) if unread else None
        for table, column in unread:
            read = wished.constraint if wished is not None and wished.constraint.table == table else None
            if read is not None and (column, kind) in _columns_read(read):
                raise RuleNotUnderstood(refusal.rule, _why_not(table, column, texts[table][column], kind))
    raise refusal


def unread_notes(constraint: Constraint | None, frames: Mapping[str, pd.DataFrame]) -> tuple[str, ...]:
    """For each column of the checked table that is read as something: which cells are none of it, where there are.

    Where the rows are not at hand, as those of a database that was looked at in place, that is said.
    """
    return tuple(_unread_notes(constraint, frames)) if isinstance(constraint, RowRule) else ()


def reads_texts(constraint: Constraint | None) -> bool:
    """Whether a text may fail to be read, so that a row is not judged though nothing is missing in it."""
    return isinstance(constraint, RowRule) and any(isinstance(node, ReadAs) for node in _every_node(constraint))


def _every_node(rule: RowRule) -> Iterator[Record]:
    for part in (rule.where, rule.must):
        yield from nodes(part) if part is not None else ()


def _counts_unread(rule: RowRule) -> bool:
    """Whether a cell that cannot be read would be left out of a statistic or a count, which nobody would see."""
    reaching = [node for node in _every_node(rule) if isinstance(node, (*REACHING, HowMany))]
    return any(isinstance(part, ReadAs) for node in reaching for part in nodes(node))


def _unread_notes(rule: RowRule, frames: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    for column, kind in dict.fromkeys(_columns_read(rule)):
        if rule.table not in frames:
            yield f"{column} read as a {kind}; which cells are none was not looked up"
            continue
        texts = frames[rule.table][column].reset_index(drop=True).dropna().astype(TEXT)
        readable = texts.str.fullmatch(READ_AS[kind])
        if kind == "date":
            readable &= pd.to_datetime(texts.where(readable), format="ISO8601", errors="coerce").notna()
        unread = texts[~readable]
        if len(unread):
            are = "cell is" if len(unread) == 1 else "cells are"
            rows = ", ".join(f"{row}: {text[:_SHOWN_CHARACTERS]!r}" for row, text in unread.head(_SHOWN).items())
            more = f" and {len(unread) - _SHOWN:,} more" if len(unread) > _SHOWN else ""
            yield f"{column} read as a {kind}; {len(unread):,} {are} none and not judged: row {rows}{more}"


def _columns_read(rule: RowRule) -> Iterator[tuple[str, ContentKind]]:
    for node in own_nodes(rule):
        if isinstance(node, ReadAs) and isinstance(node.of, Column):
            yield node.of.name, node.type


def _mentioned(rule: str, tables: Mapping[str, Table]) -> dict[str, list[str]]:
    """The columns of texts all of whose words stand in the rule, by table."""
    said = set(_words(rule))
    found = {
        name: [
            column
            for column in table.columns
            if table.kind(column) in ("text", "mixed") and (own := _words(column)) and said.issuperset(own)
        ]
        for name, table in tables.items()
    }
    return {name: columns for name, columns in found.items() if columns}


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _texts_of(name: str, columns: Sequence[str], catalog: Catalog) -> dict[str, list[str]]:
    count = catalog.schema(name).row_count
    some = min(count, _SAMPLED_ROWS) if count is not None else None
    frame = catalog.frame(name, columns).head(_SAMPLED_ROWS) if some is None else catalog.rows(name, range(some))
    return {column: [str(each) for each in cells(frame[column]) if each is not None] for column in columns}


def _kind_of(texts: Sequence[str]) -> ContentKind | None:
    for kind in _DTYPES:
        if kind == "number" and (any(map(_CODE.fullmatch, texts)) or may_be_thousands(texts)):
            return None
        if texts and _readable(texts, kind) >= _CLEAR_MAJORITY * len(texts):
            return kind
    return None


def _readable(texts: Sequence[str], kind: ContentKind) -> int:
    return sum(read_as(kind, text) is not None for text in texts)


def _why_not(table: str, column: str, texts: Sequence[str], kind: ContentKind) -> str:
    if not texts:
        return f"{column} of {table} holds no value, and nothing says whether it holds {kind}s: compile when it does"
    if kind == "number" and any(map(_CODE.fullmatch, texts)):
        reason = "it holds codes with leading zeros, which are no numbers"
    elif kind == "number" and may_be_thousands(texts):
        reason = 'it may hold thousands or fractions (say decimal = "," or decimal = "." in tables.toml)'
    else:
        reason = f"{_readable(texts, kind):,} of the {len(texts):,} values looked at can be read as a {kind}"
    return f"{column} of {table} is text, and {reason}: {quoted_list(dict.fromkeys(texts), at_most=_SHOWN)}"


def _understood(
    read: Mapping[tuple[str, str], ContentKind], tables: Mapping[str, Table], understand: Understand
) -> ReadRule | None:
    retyped = {
        name: table.model_copy(
            update={
                "columns": {
                    column: _DTYPES[read[name, column]] if (name, column) in read else dtype
                    for column, dtype in table.columns.items()
                },
                "read_as": {column: kind for (of, column), kind in read.items() if of == name},
                "values": {column: texts for column, texts in table.values.items() if (name, column) not in read},
            }
        )
        for name, table in tables.items()
    }
    try:
        found = understand(retyped)
    except RuleNotUnderstood:
        return None
    constraint = constraint_from(_reading(found.constraint.model_dump(), "", read))
    if not isinstance(constraint, RowRule) or not reads_texts(constraint) or _counts_unread(constraint):
        return None
    if check_types(constraint, tables):
        return None
    return ReadRule(constraint, describe(constraint), found.explanation)


def _reading(node: object, table: str, read: Mapping[tuple[str, str], ContentKind]) -> object:
    """The dumped rule with each of the columns read, wherever its text is not what is meant."""
    if isinstance(node, list | tuple):
        return [_reading(part, table, read) for part in node]
    if not isinstance(node, Mapping):
        return node
    word = node.get("node")
    if word == "column":
        kind = read.get((table, node["name"]))
        return {"node": "read_as", "of": node, "type": kind} if kind else node
    if word in _OF_TEXTS:
        return node
    there = node["join"]["table"] if "join" in node else node.get("table", table)
    # Keys and groups are told apart as the texts that they are.
    kept = {"join", "by", *(("of",) if word == "exists" else ())}
    return {key: part if key in kept else _reading(part, there, read) for key, part in node.items()}

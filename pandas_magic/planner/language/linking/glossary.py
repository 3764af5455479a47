"""What the terms of the glossary mean on the tables at hand, and which mean nothing there."""

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache

from pandas_magic.catalog.glossary import GLOSSARY_FILE, Glossary
from pandas_magic.catalog.table import glossary_of
from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import Column, Expression, Value
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.errors import GlossaryUnreadable
from pandas_magic.planner.language.canonical import read_condition, read_expression
from pandas_magic.planner.language.linking.schema_index import SchemaNames
from pandas_magic.planner.language.linking.spans import (
    EXACT,
    ColumnMeant,
    DefinedMeant,
    Meaning,
    TableMeant,
    TruthMeant,
    ValueMeant,
)
from pandas_magic.planner.language.linking.words import Words, name_words
from pandas_magic.record import Record

_CONDITION = "a condition, such as \"status is 'active' and churned_at is missing\""
_QUANTITY = 'a quantity, such as "amount - discount"'
_WORD = re.compile(r"[^\W_]+")
Terms = Mapping[Words, tuple[Meaning, ...]]


def terms_of(names: SchemaNames) -> Terms:
    """What the terms of the glossary mean on these tables, by their words; terms of other tables mean nothing.

    Raises: GlossaryUnreadable when one stands for a column that its table does not have.
    """
    glossary = glossary_of(names.tables)
    wrong = next(_columns_that_are_not_there(glossary, names), None)
    if wrong is not None:
        raise GlossaryUnreadable(f"{GLOSSARY_FILE}: {wrong}")
    found: dict[Words, list[Meaning]] = {}
    for term, meaning in (*_columns(glossary, names), *_tables(glossary, names), *_defined(glossary, names)):
        known = found.setdefault(name_words(term), [])
        known += [meaning] if meaning not in known else []
    return {words: tuple(meanings) for words, meanings in found.items()}


def terms_said(glossary: Glossary, rule: str) -> dict[str, str]:
    """The terms whose words stand in the rule, and what they stand for; of an abbreviation the word that it is."""
    words = f" {' '.join(part for word in _WORD.findall(rule) for part in name_words(word))} "
    said = [
        (meaning if part == "abbreviations" else term, term, meaning)
        for part, terms in glossary.parts.items()
        for term, meaning in terms.items()
    ]
    return {term: meaning for spoken, term, meaning in said if f" {' '.join(name_words(spoken))} " in words}


def _columns(glossary: Glossary, names: SchemaNames) -> Iterator[tuple[str, Meaning]]:
    for table, schema in names.tables.items():
        yield from ((term, ColumnMeant(table, column, EXACT, "glossary")) for term, column in schema.called.items())
    for table, schema in names.tables.items() if glossary.abbreviations else ():
        for column in schema.columns:
            words = name_words(column)
            full = " ".join(glossary.abbreviations.get(word, word) for word in words)
            if full != " ".join(words):
                yield full, ColumnMeant(table, column, EXACT, "glossary")


def _tables(glossary: Glossary, names: SchemaNames) -> Iterator[tuple[str, Meaning]]:
    yield from ((term, TableMeant(table)) for term, table in glossary.tables.items() if table in names.tables)


def _defined(glossary: Glossary, names: SchemaNames) -> Iterator[tuple[str, Meaning]]:
    for term, definition in glossary.definitions.items():
        for table in _tables_defined_on(term, definition, names):
            yield term, _definition(table, term, definition)


def _definition(table: str, term: str, definition: str) -> Meaning:
    """A definition; one that is a value of a column, or the truth of one, is no more than that."""
    condition, quantity = _read(definition)
    match condition:
        case Compare(relation="==", left=Column(name=column), right=Value(value=bool() as truth)):
            return TruthMeant(table, column, truth=True, value=truth)
        case Compare(relation="==", left=Column(name=column), right=Value(value=str() as text), within=None):
            return ValueMeant(table, column, text, literal=False)
    return DefinedMeant(table, term, definition, condition, quantity)


def problems_in(glossary: Glossary, names: SchemaNames) -> Iterator[str]:
    """What the glossary says that cannot be so on these tables, which are all there are; each in one clause."""
    known = {column for schema in names.tables.values() for column in schema.columns}
    yield from _columns_that_are_not_there(glossary, names)
    for term, written in glossary.columns.items():
        if "." not in written and written not in known:
            yield _unknown(term, f'column "{written}"', written, known)
    for term, table in glossary.tables.items():
        if table not in names.tables:
            yield _unknown(term, f'table "{table}"', table, names.tables)
    for term, definition in glossary.definitions.items():
        if _node(definition) is None:
            yield f'"{term}" is defined as "{definition}", which is neither {_CONDITION}, nor {_QUANTITY}'
        elif not _tables_defined_on(term, definition, names):
            yield f'"{term}" is defined as "{definition}", but no table has all the columns that this names'


@lru_cache(maxsize=1024)  # asked of each table
def _read(definition: str) -> tuple[Condition | None, Expression | None]:
    """The condition that the definition is, or else the quantity; neither where it is none."""
    condition = read_condition(definition)
    return condition, read_expression(definition) if condition is None else None


def _node(definition: str) -> Record | None:
    condition, quantity = _read(definition)
    return condition or quantity


def _columns_that_are_not_there(glossary: Glossary, names: SchemaNames) -> Iterator[str]:
    for term, written in glossary.columns.items():
        table, _, column = written.rpartition(".")
        if table in names.tables and column not in names.tables[table].columns:
            yield _unknown(term, f'column "{column}" of "{table}"', column, names.tables[table].columns)


def _unknown(term: str, what: str, name: str, known: Iterable[str]) -> str:
    nearest = get_close_matches(name, list(known), n=1)
    hint = f'; did you mean "{nearest[0]}"?' if nearest else ""
    return f'"{term}" stands for the {what}, which does not exist{hint}'


def _tables_defined_on(term: str, definition: str, names: SchemaNames) -> list[str]:
    """The tables whose rows the definition is about: that of the term's noun, else those with every column it names."""
    node = _node(definition)
    said = {part.name for part in nodes(node) if isinstance(part, Column)} if node is not None else set()
    able = [table for table, schema in names.tables.items() if said and said <= set(schema.columns)]
    words = name_words(term)
    named = [table for start in range(len(words)) for table in names.nouns.get(words[start:], ())]
    return [table for table in able if table in named] or able

"""What people call things in their own business: synonyms, abbreviations and definitions, written in glossary.toml."""

import hashlib
import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path

from pandas_magic.errors import GlossaryUnreadable
from pandas_magic.planner.language.linking.schema_index import SchemaNames
from pandas_magic.planner.language.linking.words import Words, name_words


@dataclass(frozen=True)
class GlossaryTerm:
    """What a term stands for on some tables: a column, a definition on rows of a table, or else the table itself."""

    term: str
    table: str
    column: str | None = None
    definition: str | None = None


@dataclass(frozen=True)
class Glossary:
    """The glossary as it is written, each part by its term.

    `columns` names columns ("orders.amount", or "amount"), `tables` tables, `abbreviations` words within names;
    `definitions` are conditions ("status is 'active' and churned_at is missing") and quantities ("amount - discount").
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, str] = field(default_factory=dict)
    abbreviations: Mapping[str, str] = field(default_factory=dict)
    definitions: Mapping[str, str] = field(default_factory=dict)

    @property
    def version(self) -> str:
        """A text that is another one as soon as a term means something else; "" for an empty glossary."""
        content = [sorted(part.items()) for part in (self.columns, self.tables, self.abbreviations, self.definitions)]
        if not any(content):
            return ""
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]

    def terms(self, names: SchemaNames) -> dict[Words, tuple[GlossaryTerm, ...]]:
        """The terms that mean something on these tables, by their words."""
        found: dict[Words, tuple[GlossaryTerm, ...]] = {}
        for term in (*self._columns(names), *self._tables(names), *self._defined(names)):
            words = name_words(term.term)
            if term not in found.get(words, ()):
                found[words] = (*found.get(words, ()), term)
        return found

    def _columns(self, names: SchemaNames) -> list[GlossaryTerm]:
        found = [
            GlossaryTerm(term, table, column)
            for term, written in self.columns.items()
            for table, column in names.exact.get(written, ())
        ]
        for table, schema in names.tables.items() if self.abbreviations else ():
            for column in schema.columns:
                words = name_words(column)
                full = " ".join(self.abbreviations.get(word, word) for word in words)
                if full != " ".join(words):
                    found.append(GlossaryTerm(full, table, column))
        return found

    def _tables(self, names: SchemaNames) -> list[GlossaryTerm]:
        return [GlossaryTerm(term, table) for term, table in self.tables.items() if table in names.tables]

    def _defined(self, names: SchemaNames) -> list[GlossaryTerm]:
        return [
            GlossaryTerm(term, table, definition=definition)
            for term, definition in self.definitions.items()
            for table in _tables_of(term, definition, names)
        ]

    def problems(self, names: SchemaNames) -> Iterator[str]:
        """What the glossary says of these tables that cannot be so; terms of other tables are left alone."""
        known = {column for schema in names.tables.values() for column in schema.columns}
        for term, written in self.columns.items():
            table, _, column = written.rpartition(".")
            if table in names.tables and column not in names.tables[table].columns:
                yield _unknown(term, f'column "{column}" of "{table}"', column, names.tables[table].columns)
            elif not table and column not in known:
                yield _unknown(term, f'column "{column}"', column, known)
        for term, table in self.tables.items():
            if table not in names.tables:
                yield _unknown(term, f'table "{table}"', table, names.tables)
        for term, definition in self.definitions.items():
            if not _tables_of(term, definition, names):
                yield f'"{term}" is defined as "{definition}", but no table has all the columns that this names'


def _unknown(term: str, what: str, name: str, known: Iterable[str]) -> str:
    nearest = get_close_matches(name, list(known), n=1)
    hint = f'; did you mean "{nearest[0]}"?' if nearest else ""
    return f'"{term}" stands for the {what}, which does not exist{hint}'


def read_glossary(path: Path) -> Glossary:
    """The glossary in a file; an empty one when there is no file.

    Raises: GlossaryUnreadable naming the part and the term when it is no TOML, has other parts than those of a
    glossary, a term that is no text or is empty, or one that is written twice.
    """
    if not path.exists():
        return Glossary()
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GlossaryUnreadable(f"{path.name} is no TOML: {error}") from error
    parts = [part.name for part in fields(Glossary)]
    seen: dict[Words, str] = {}
    for part, terms in content.items():
        if part not in parts:
            raise GlossaryUnreadable(f'{path.name} has a part "{part}"; its parts are {", ".join(parts)}')
        if not isinstance(terms, dict):
            raise GlossaryUnreadable(
                f'"{part}" in {path.name} is no part; write it as [{part}] with a term on each line'
            )
        for term, meaning in terms.items():
            _check_term(path.name, part, term, meaning)
            if part != "abbreviations" and seen.setdefault(name_words(term), term) != term:
                raise GlossaryUnreadable(f'{path.name} has "{term}" and "{seen[name_words(term)]}", which are one term')
    return Glossary(**content)


def _check_term(file: str, part: str, term: str, meaning: object) -> None:
    if not name_words(term):
        raise GlossaryUnreadable(f'{file} has a term "{term}" in [{part}], which nobody can say; write words')
    if not isinstance(meaning, str) or not meaning.strip():
        raise GlossaryUnreadable(f'"{term}" in [{part}] of {file} is not explained; write a text, "{term}" = "…"')


def _tables_of(term: str, definition: str, names: SchemaNames) -> list[str]:
    """The tables whose rows the definition is about: that of the term's noun, else those with every column it names."""
    words = name_words(term)
    named = [table for start in range(len(words)) for table in names.nouns.get(words[start:], ())]
    said = {column for written in _identifiers(definition) for _, column in names.exact.get(written, ())}
    able = [table for table, schema in names.tables.items() if said and said <= set(schema.columns)]
    return [table for table in able if table in named] or able


def _identifiers(definition: str) -> list[str]:
    outside = "".join(part for place, part in enumerate(definition.split("'")) if place % 2 == 0)
    return "".join(sign if sign.isalnum() or sign == "_" else " " for sign in outside).split()

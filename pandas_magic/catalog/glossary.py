"""What people call things in their own business: names of columns and tables, and definitions, in glossary.toml."""

import re
import tomllib
from pathlib import Path

from pydantic import Field

from pandas_magic.catalog.text.plurals import singular
from pandas_magic.errors import GlossaryUnreadable
from pandas_magic.record import Record

GLOSSARY_FILE = "glossary.toml"


class Glossary(Record):
    """The glossary as it is written, each part by its term; false when it is empty.

    `columns` names columns ("orders.amount", or "amount"), `tables` tables, `abbreviations` words within names;
    `definitions` are conditions ("status is 'active' and churned_at is missing") and quantities ("amount - discount").
    """

    columns: dict[str, str] = Field(default_factory=dict)
    tables: dict[str, str] = Field(default_factory=dict)
    abbreviations: dict[str, str] = Field(default_factory=dict)
    definitions: dict[str, str] = Field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(self.parts.values())

    @property
    def parts(self) -> dict[str, dict[str, str]]:
        """The terms of each part, and what they stand for."""
        return {part: getattr(self, part) for part in PARTS}

    @property
    def version(self) -> str:
        """A text that is another one as soon as a term means something else; "" for an empty glossary."""
        return self.digest() if self else ""


PARTS = tuple(Glossary.model_fields)
NO_GLOSSARY = Glossary()


class GlossaryFile:
    """The glossary in a file, read anew whenever the file changed; an empty one while there is none."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: tuple[object, Glossary] = (None, NO_GLOSSARY)

    def read(self) -> Glossary:
        """The glossary as it is now. Raises: GlossaryUnreadable."""
        try:
            status = self._path.stat()
        except OSError:
            return NO_GLOSSARY
        version = (status.st_mtime_ns, status.st_ctime_ns, status.st_size)
        if self._known[0] != version:
            self._known = (version, read_glossary(self._path))
        return self._known[1]


def read_glossary(path: Path) -> Glossary:
    """The glossary in a file; an empty one when there is no file.

    Raises: GlossaryUnreadable naming the part and the term when it is no TOML, has other parts than those of a
    glossary, a term that is no text or is empty, or one that is written twice.
    """
    if not path.exists():
        return NO_GLOSSARY
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GlossaryUnreadable(f"{path.name} is no TOML: {error}") from error
    seen: dict[tuple[str, ...], str] = {}
    for part, terms in content.items():
        if part not in PARTS:
            raise GlossaryUnreadable(f'{path.name} has a part "{part}"; its parts are {", ".join(PARTS)}')
        if not isinstance(terms, dict):
            raise GlossaryUnreadable(
                f'"{part}" in {path.name} is no part; write it as [{part}] with a term on each line'
            )
        for term, meaning in terms.items():
            _check_term(path.name, part, term, meaning)
            if part != "abbreviations" and seen.setdefault(_words(term), term) != term:
                raise GlossaryUnreadable(f'{path.name} has "{term}" and "{seen[_words(term)]}", which are one term')
    return Glossary(**content)


def _check_term(file: str, part: str, term: str, meaning: object) -> None:
    if not _words(term):
        raise GlossaryUnreadable(f'{file} has a term "{term}" in [{part}], which nobody can say; write words')
    if not isinstance(meaning, str) or not meaning.strip():
        raise GlossaryUnreadable(f'"{term}" in [{part}] of {file} is not explained; write a text, "{term}" = "…"')


def _words(term: str) -> tuple[str, ...]:
    return tuple(singular(word) for word in re.findall(r"[^\W_]+", term))

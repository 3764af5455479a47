"""How rules begin that are pasted: the label of a ticket, which says nothing, and a column "in" its table."""

import re
from collections.abc import Iterator, Mapping
from itertools import chain

from pandas_magic.catalog.table import Table

_NUMBERED = (
    r"#\d+|[A-Z]{2,}-\d+|(?:\w+ )?(?:ticket|issue|case|bug|incident|complaint|request|finding|item)"
    r" (?:#?\d[\d/.-]*|[A-Z]{2,}-\d+)(?: \([^()]*\))?"
)
# As a proposal takes it, with any mark behind it; a rule is only read without what is marked clearly.
LABEL = re.compile(rf"({_NUMBERED})(?:\s?[:,.–-]|(?<=\d))?\s", re.IGNORECASE)
_CLEARLY = re.compile(
    rf"\s*(?:\[({_NUMBERED})\]|({_NUMBERED}|bug|todo|fixme|defect)\s?(?::|\s[–-](?=\s)))\s*", re.IGNORECASE
)
# A ticket may tell what is wrong, and not what must be: "BUG: the email is missing".
_DEMANDS = re.compile(
    r"\b(?:must|should|shall|has to|have to|needs? to|cannot|can't|may not|may only|not allowed|forbidden|require[sd]?"
    r"|mandatory|ensure|check|flag|find|list|not null|unique)\b",
    re.IGNORECASE,
)
_IN_TABLE = re.compile(
    r"\s*(?P<column>\w+) (?:in|of|from) (?:the )?(?:table )?(?P<table>\w+)\s*:\s*(?P<said>.+)", re.DOTALL
)


def without_label(rule: str, tables: Mapping[str, Table]) -> str:
    """The rule without the label of a ticket before it; with it where that is a value, or no demand stands behind."""
    found = _CLEARLY.match(rule)
    behind = rule[found.end() :] if found else ""
    is_data = found is not None and any(_is_like(found[0], said) for said in _data(tables))
    return behind if _DEMANDS.search(behind) and not is_data else rule


def _data(tables: Mapping[str, Table]) -> Iterator[str]:
    """The names in the tables, and the texts that are known to occur."""
    for name, table in tables.items():
        yield from (name, *table.columns, *chain.from_iterable(table.values.values()))


def _is_like(label: str, said: str) -> bool:
    """Whether something begins with the letters of the label: PM10, beside "PM-10:"."""
    letters = re.match(r"\W*([a-z]*)", label.casefold())
    return letters is not None and bool(letters[1]) and said.casefold().startswith(letters[1])


def of_its_table(rule: str, tables: Mapping[str, Table]) -> str:
    """The rule with "code in plans:" as "plans.code:", where the table has such a column."""
    found = _IN_TABLE.fullmatch(rule)
    is_there = found is not None and found["table"] in tables and found["column"] in tables[found["table"]].columns
    return f"{found['table']}.{found['column']}: {found['said']}" if found and is_there else rule

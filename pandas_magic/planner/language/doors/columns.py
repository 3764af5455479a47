"""Which columns a table must have: "orders must have a column called loyalty_card"."""

import re

from pandas_magic.constraints.algebra.rules import ColumnsRule
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.terms import NotMeant

_MUST = r"(?:must|should|has to|have to|needs? to|shall)"
_NAME = r"[`'\"]?(?P<name>[A-Za-z]\w*)[`'\"]?"
_TABLE = r"(?:the )?(?:table )?(?P<table>\w+)(?: table)?"
_HAVE = rf"{_MUST} (?:have|contain|include)"
_COLUMN = r"(?:columns?|fields?)(?: called| named)?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_TABLE} {_HAVE} (?:a |the )?{_COLUMN} {_NAME}",
        rf"{_TABLE} {_HAVE} (?:an? |the )?{_NAME} (?:column|field)",
        rf"(?:there )?{_MUST} be (?:a|the) {_COLUMN} {_NAME}(?: in {_TABLE})?",
        rf"(?:the )?(?:column|field) {_NAME} {_MUST} (?:exist|be there)(?: in {_TABLE})?",
    )
)
_NO_NAMES = frozenset({"in", "of", "with", "the", "this", "that", "which", "for", "no", "not", "every", "each", "new"})


def read_columns_rule(text: str, names: Names) -> ColumnsRule:
    """The rule that the whole text is. Raises: NotMeant, UnknownName for a table that is not there."""
    text = text.strip().rstrip(".!").strip()
    for form in _FORMS:
        found = form.fullmatch(text)
        if found and found["name"].lower() not in _NO_NAMES and _is_a_name(found["name"], text, names):
            table = found["table"]
            if table and table.lower() not in ("it", "we", "there") and names.table(table) != names.target:
                raise NotMeant("another table")
            known = {column.casefold(): column for column in names.tables[names.target].columns}
            name = known.get(found["name"].casefold(), found["name"])
            return ColumnsRule(table=names.target, required=(name,))
    raise NotMeant("no rule about columns")


def _is_a_name(name: str, text: str, names: Names) -> bool:
    """Whether the word is written as a name, so that "a missing column" is none."""
    known = {column.casefold() for column in names.tables[names.target].columns}
    shown = re.search(rf"[`'\"]{name}|\b(?:called|named|columns?|fields?) [`'\"]?{name}\b", text, re.IGNORECASE)
    return bool(shown) or "_" in name or name.casefold() in known

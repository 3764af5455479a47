"""Whether a compiled check still fits its rule and its tables, and what changed when it does not."""

import re
from collections.abc import Mapping
from functools import cache

from pandas_magic.catalog.glossary import GLOSSARY_FILE, Glossary
from pandas_magic.catalog.table import EMPTY, Table, glossary_of, kind_of
from pandas_magic.errors import NoSuchName
from pandas_magic.registry.check import Check
from pandas_magic.registry.compiled_check import CompiledCheck

# As in datetime64[us, UTC+02:00] and timestamp[us, tz=UTC].
_ZONE = re.compile(r", (?:tz=)?([^\]]+)\]")
_DAY_IN_UTC = "utc_now.normalize()"


def staleness(compiled: CompiledCheck, check: Check | None, tables: Mapping[str, Table]) -> str:
    """Why the compiled check no longer fits, in one clause, or "" when it does.

    It fits while the rule is the same, what the glossary says of its words, and every column that the code reads is
    there with the same kind of values.
    Columns that are added, or removed without being read, change nothing; nor do integers that became floats because
    a value is missing, or a column that holds no value at all; nor another time zone, unless the code names the first.
    """
    asked = check or compiled.check  # whose rule may have been edited in its file
    if asked.rule_digest() != compiled.rule_digest:
        before, now = (" ".join(one.rule.split()) for one in (compiled.check, asked))
        return "its rule changed" if before == now else f'its rule changed; it was "{before}"'
    for name, columns in compiled.schemas.items():
        if name not in tables:
            return f'table "{name}" is gone'
        for column, dtype in columns.items():
            change = _column_change(tables[name], column, dtype, compiled.code)
            if change:
                return change
    return _term_change(compiled, glossary_of(tables))


def _term_change(compiled: CompiledCheck, glossary: Glossary) -> str:
    if compiled.glossary == glossary.version:
        return ""
    # What reads sentences is imported only where the glossary changed: a run of saved checks needs none of it.
    from pandas_magic.planner.language.linking.glossary import terms_said

    before, now = compiled.terms, terms_said(glossary, compiled.check.rule)
    for term in (*before, *now):
        if term not in now:
            return f'"{term}", which its rule says, is gone from {GLOSSARY_FILE}'
        if term not in before:
            return f'{GLOSSARY_FILE} says now what "{term}" is'
        if before[term] != now[term]:
            return f'"{term}" was "{before[term]}" in {GLOSSARY_FILE} and is now "{now[term]}"'
    return ""


def _column_change(table: Table, column: str, dtype: str, code: str) -> str:
    if column not in table.columns:
        missing = NoSuchName("column", column, table.columns)
        guess = f' (did you mean "{missing.nearest}"?)' if missing.nearest else ""
        return f'column "{column}" of table "{table.name}" is gone{guess}'
    now = table.columns[column]
    zone = _zone(dtype)
    is_moved = zone != _zone(now) and _names(code, zone)
    if EMPTY in (now, dtype) or (_comparable(now) == _comparable(dtype) and not is_moved):
        return ""
    return f'column "{column}" of table "{table.name}" was {dtype} and is now {now}'


def _zone(dtype: str) -> str:
    """The time zone of a dtype of moments; "" of any other."""
    found = _ZONE.search(dtype) if kind_of(dtype) == "datetime" else None
    return found[1] if found else ""


def _names(code: str, zone: str) -> bool:
    """Whether a date that the code compares with is midnight in this zone, or its today is the day there."""
    return bool(zone) and (f'"{zone}"' in code or (zone == "UTC" and _DAY_IN_UTC in code))


@cache  # thousands of checks ask about the same dozen types
def _comparable(dtype: str) -> str:
    kind = kind_of(dtype)
    if kind == "datetime":
        # With and without a time zone are different things to compare with.
        return "datetime with zone" if _zone(dtype) else "datetime"
    return "number" if kind == "integer" else kind

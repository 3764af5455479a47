"""Queries whose rows are the ones at fault: `SELECT … WHERE … must return no rows`, `NOT EXISTS (SELECT …)`."""

import re

from pandas_magic.constraints.algebra.conditions import Condition, Unique
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.language.doors.conditions import read_condition
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.terms import NotMeant
from pandas_magic.planner.language.logic import opposite

_NOTHING = (
    r"(?:must|should|has to|->|=>|:|is|are)?\s*(?:be |return |returns |give |gives |yield |yields )?"
    r"(?:no rows?|0 rows?|zero rows?|nothing|empty|an empty (?:result|set)|=\s*0|0)"
)
_FROM = r"select\s+(?P<selected>.+?)\s+from\s+(?P<table>\w+)(?:\s+(?:as\s+)?(?P<alias>(?!where\b|group\b)\w+))?"
_FILTERED = re.compile(rf"{_FROM}\s+where\s+(?P<where>.+)", re.IGNORECASE | re.DOTALL)
_REPEATED = re.compile(
    rf"{_FROM}\s+group\s+by\s+(?P<by>[\w.]+(?:\s*,\s*[\w.]+)*)\s+having\s+count\(\*\)\s*(?:>\s*1|>=\s*2)",
    re.IGNORECASE | re.DOTALL,
)
_BARE_GROUPS = re.compile(
    r"group\s+by\s+(?P<by>[\w.]+(?:\s*,\s*[\w.]+)*)\s+having\s+count\(\*\)\s*(?:=\s*1|<=\s*1|<\s*2)", re.IGNORECASE
)


def query_demand(text: str, names: Names) -> Condition:
    """What the query demands of each row.

    Raises: NotMeant when it is no query, or nobody says that it is to be empty.
    """
    groups = _BARE_GROUPS.fullmatch(text)
    if groups:
        return Unique(by=_columns(groups["by"], "", names))
    query = _to_be_empty(text)
    found = _REPEATED.fullmatch(query) or _FILTERED.fullmatch(query)
    if found is None:
        raise NotMeant("a query")
    if names.table(found["table"]) != names.target:
        raise NotMeant("a query of another table")
    alias = found["alias"] or ""
    if "by" in found.re.groupindex:
        return Unique(by=_columns(found["by"], alias, names))
    where = found["where"]
    if re.search(r"\b(?:join|group\s+by|having|union|limit|order\s+by)\b", where, re.IGNORECASE):
        raise NotMeant("more than a filter")
    return opposite(read_condition(_without_alias(where, alias), names))


def _to_be_empty(text: str) -> str:
    for form in (
        rf"(?P<query>select\b.+?)\s*{_NOTHING}",
        rf"\((?P<query>select\b.+)\)\s*{_NOTHING}",
        r"not\s+exists\s*\((?P<query>select\b.+)\)",
    ):
        found = re.fullmatch(form, text, re.IGNORECASE | re.DOTALL)
        if found:
            return found["query"].strip().rstrip(";").strip()
    raise NotMeant("nobody says that the query is to find nothing")


def _without_alias(text: str, alias: str) -> str:
    return re.sub(rf"\b{re.escape(alias)}\.", "", text) if alias else text


def _columns(said: str, alias: str, names: Names) -> tuple[Column, ...]:
    paths = [tuple(_without_alias(one.strip(), alias).split(".")) for one in said.split(",")]
    return tuple(Column(name=names.own(path)) for path in paths)

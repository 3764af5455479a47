"""A line of a data dictionary: "column: type, required, 13 characters, one of A, B, C"."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Unique
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.planner.language.doors.code import rule_of
from pandas_magic.planner.language.doors.fact_subject import FactSubject
from pandas_magic.planner.language.doors.facts import Fact, read_facts
from pandas_magic.planner.language.doors.names import Names, spelt
from pandas_magic.planner.language.doors.terms import NotMeant, UnknownName
from pandas_magic.planner.language.logic import all_of

_MUST = r"must always be|must be|must have|must|should be|should|shall be|shall|has to be|needs to be|is always|is|are"
_COLON = re.compile(r"\s*(?:[:|]|[–—]|\s-\s|\t|\((?=.*\)$)|:?=(?!=))\s*")
_VERB = re.compile(rf"\s*\b(?:{_MUST})\b\s*", re.IGNORECASE)
# Without anything between them, only what DDL says of a column: "email VARCHAR(255) NOT NULL".
_DDL = re.compile(r"\s+(?=(?:[A-Z]{2,}|n?varchar|char|int|decimal|not null|unique|primary key|references|matches)\b)")
_LIST = re.compile(
    r"(?P<columns>[\w.]+(?:\s*(?:,|\band\b)\s*[\w.]+)+)\s*"
    r"(?P<joint>:|\b(?:must be|must|are|should be)\b)\s*(?P<said>.+)",
    re.DOTALL,
)
_SUBJECT = r"(?:(?:the |each |every )?(?:column|field|attribute) )?"


def read_dictionary(text: str, names: Names) -> tuple[Constraint, tuple[tuple[str, str], ...]]:
    """The rule that the line states, and what each of its facts was taken for.

    Raises: NotMeant when it is no such line, or one of its facts is not understood; UnknownName.
    """
    text = text.strip().rstrip(".;").strip().lstrip("-*• ").strip()
    failure: NotMeant = NotMeant("no column stands at its beginning")
    for columns, said, is_listed in _openings(text, names):
        try:
            return _stated(tuple(FactSubject(names, column, is_listed) for column in columns), said)
        except NotMeant as error:
            failure = error
    raise failure


def facts_as_condition(text: str, names: Names) -> Condition:
    """What a clause such as "to_bin is required" demands. Raises: NotMeant."""
    rule, _ = read_dictionary(text, names)
    if rule.shape != "rows" or rule.where is not None:
        raise NotMeant("no plain demand")
    return rule.must


def _stated(subjects: tuple[FactSubject, ...], said: str) -> tuple[Constraint, tuple[tuple[str, str], ...]]:
    facts = [(subject.column, fact) for subject in subjects for fact in read_facts(said, subject)]
    conditions = [condition for _, fact in facts for condition in fact.conditions]
    if len(subjects) > 1 and any(isinstance(condition, Unique) for condition in conditions):
        raise NotMeant("each alone, or all together")
    if not conditions:
        raise NotMeant(f"nothing that {said!r} says of {subjects[0].column} can be checked")
    told = tuple((fact.said.strip(), _told(fact, column)) for column, fact in facts)
    return rule_of(all_of(conditions), subjects[0].names), told


def _told(fact: Fact, column: str) -> str:
    return f"a fact of {column}" if fact.conditions else "nothing to check"


def _openings(text: str, names: Names) -> Iterator[tuple[tuple[str, ...], str, bool]]:
    """The columns that the line may begin with, the longest name first, what follows, and whether that is a list."""
    own = names.tables[names.target].columns
    begun = re.match(rf"{_SUBJECT}(?:{re.escape(names.target)}\s*[.:]\s*)?", text, re.IGNORECASE)
    start = begun.end() if begun else 0
    listed = _listed_columns(text[start:], names)
    if listed is not None:
        yield listed
    for column in sorted(own, key=len, reverse=True):
        words = r"[\s_]+".join(re.escape(word) for word in spelt(column).split("_"))
        found = re.match(rf"[`\"\[]?(?:{re.escape(column)}|{words})[`\"\]]?(?![\w.])", text[start:], re.IGNORECASE)
        for form in (_COLON, _VERB, _DDL) if found else ():
            separator = form.match(text, start + found.end()) if found else None
            if separator and separator.end() < len(text):
                yield (column,), text[separator.end() :].strip(), form is not _VERB


def _listed_columns(text: str, names: Names) -> tuple[tuple[str, ...], str, bool] | None:
    """Several columns before one colon or "must": "pnr, flight_id: required"."""
    found = _LIST.match(text)
    if found is None:
        return None
    try:
        columns = tuple(
            names.own(tuple(one.split("."))) for one in re.split(r"\s*(?:,|\band\b)\s*", found["columns"]) if one
        )
    except UnknownName:
        return None
    return columns, re.sub(r"^(?:both|all|each)\s+", "", found["said"]), found["joint"] == ":"

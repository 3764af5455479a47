"""A text that is one condition, in SQL or in Python, with the few English words that people put around operators."""

import re
from dataclasses import replace

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.planner.language.doors.code import code_condition, worst_of
from pandas_magic.planner.language.doors.code_text import outside_quotes
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.terms import NotMeant

_MUST = r"(?:must|should|shall|has to|have to|needs? to)"
# English between a name and an operator, and what it says in SQL.
_ENGLISH = (
    (rf"\b{_MUST} (?:always )?(?:be )?(?=(?:[<>]=?|[!=]=?|in\b|between\b|is\b|equal to\b))", ""),
    (rf"\b(?:{_MUST}(?: always)? be|is) (?:null|missing)\b", "is null"),
    (rf"\b(?:(?:{_MUST}|may|can) not be|cannot be|must never be|is not) (?:null|missing)\b", "is not null"),
    (rf"\b{_MUST} (?:exist in|be (?:found |present |listed )?in)\b", "in"),
    (r"\b(?:exists?) in\b", "in"),
    (r"\b(?:is )?equal to\b", "="),
    (r"\b(?:is )?(?:greater than or equal to|at least)\b(?= )", ">="),
    (r"\b(?:is )?(?:less than or equal to|at most)\b(?= )", "<="),
    (r"\bis (?=(?:[<>]=?|[!=]=|in\b|between\b))", ""),
    (r"\bis (?=(?:'|-?\d|true\b|false\b))", "= "),
    (r"\bis not (?=(?:'|-?\d))", "!= "),
    (r"\bnot null\b(?<!is not null)", "is not null"),
)


def read_condition(text: str, names: Names) -> Condition:
    """The condition that the whole text is.

    Raises: UnknownName when it would be one if a name in it were there; NotMeant.
    """
    failures: list[NotMeant] = []
    for form in dict.fromkeys((text, _in_sql(text))):
        try:
            scope, found = code_condition(form, replace(names, doubts=[]))
            if scope is None:
                return found
            failures.append(NotMeant("a condition on some rows"))
        except NotMeant as error:
            failures.append(error)
    raise worst_of(failures)


def _in_sql(text: str) -> str:
    """The text with the English between a name and an operator turned to SQL."""
    turned = text.strip().rstrip(".;").strip()
    for said, sql in _ENGLISH:
        turned = outside_quotes(re.compile(said, re.IGNORECASE), lambda _, sql=sql: sql, turned)  # type: ignore[misc]
    return turned

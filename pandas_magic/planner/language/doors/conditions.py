"""A text that is one condition, in SQL or in Python, with the few English words that people put around operators."""

import re

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.planner.language.doors.masked import without_quoted
from pandas_magic.planner.language.doors.meaning import TextsInOrder, condition
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.python_terms import python_term
from pandas_magic.planner.language.doors.sql_terms import sql_term
from pandas_magic.planner.language.doors.terms import NotMeant, SyntaxTerm, UnknownName

_SIGNS = {"≤": "<=", "≥": ">=", "≠": "!=", "=<": "<=", "&&": " and ", "||": " or ", "∈": " in ", "∉": " not in "}
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
_OPERATOR = re.compile(
    r"[<>=!~≤≥≠∈]|\b(?:is|in|between|like|ilike|not|and|or)\b|\.(?:str|dt|is\w+|not\w+|eq|ne|lt|le|gt|ge|between|all|any)\b"
    r"|\w\(",
    re.IGNORECASE,
)


def read_condition(text: str, names: Names) -> Condition:
    """The condition that the whole text is.

    Raises: UnknownName when it would be one if a name in it were there; NotMeant.
    """
    if not _OPERATOR.search(without_quoted(text)):
        return _bare_truth(text, names)
    failures: list[NotMeant] = []
    for form in _forms(text):
        for syntax in (python_term, sql_term):
            try:
                return condition(syntax(form), names)
            except NotMeant as error:
                failures.append(error)
    named = [error for error in failures if isinstance(error, (TextsInOrder, UnknownName))]
    raise (named or failures)[0]


def _forms(text: str) -> dict[str, None]:
    """The text in signs that both languages know, as it stands and with the English turned to SQL."""
    plain = text.strip().rstrip(".;").strip()
    for sign, known in _SIGNS.items():
        plain = _outside_quotes(re.escape(sign), known, plain)
    # Of a text in capitals "IS TRUE" is SQL's own word, which a missing value fails.
    plain = re.sub(r"\bis (not )?(?=(?:true|false)\b)", lambda no: "!= " if no[1] else "== ", plain)
    turned = plain
    for said, sql in _ENGLISH:
        turned = _outside_quotes(said, sql, turned)
    return dict.fromkeys((plain, turned, _outside_quotes(r"(?<![<>=!:])=(?!=)", "==", turned)))


def _outside_quotes(pattern: str, new: str, text: str) -> str:
    pieces, end = [], 0
    for found in re.finditer(pattern, without_quoted(text), re.IGNORECASE):
        pieces += [text[end : found.start()], new]
        end = found.end()
    return "".join((*pieces, text[end:]))


def _bare_truth(text: str, names: Names) -> Condition:
    """A column of truth values alone, as in "if is_paid then …"."""
    path = tuple(text.strip().split("."))
    if not all(re.fullmatch(r"[A-Za-z_]\w*", part) for part in path):
        raise NotMeant("no condition")
    return condition(SyntaxTerm("name", said=path), names)

"""Rules in code: SQL, DDL, Python and pandas, and the signs of mathematics. Read whole, or not at all."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from pandas_magic.constraints.algebra.conditions import Any_, Compare, Condition, Present, Unique
from pandas_magic.constraints.algebra.expressions import Group, Previous, Value
from pandas_magic.constraints.algebra.rules import Constraint, RowRule, TableRule
from pandas_magic.constraints.algebra.tree import conjuncts
from pandas_magic.planner.language.doors.code_text import CodeText, code_text, in_known_signs, without_table
from pandas_magic.planner.language.doors.ddl import ColumnLine, read_ddl
from pandas_magic.planner.language.doors.masked import split_once, without_quoted
from pandas_magic.planner.language.doors.meaning import condition, is_of_tables
from pandas_magic.planner.language.doors.missing_remarks import but_for_missing, passing_columns
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.python_terms import python_term
from pandas_magic.planner.language.doors.quantified import numbered_through, quantified_term
from pandas_magic.planner.language.doors.queries import query_demand
from pandas_magic.planner.language.doors.sql_queries import query_of
from pandas_magic.planner.language.doors.sql_syntax import NotSql, sql_statement
from pandas_magic.planner.language.doors.sql_terms import sql_term, term_of_sql
from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, SyntaxTerm, UnknownName
from pandas_magic.planner.language.doors.verdicts import demanded
from pandas_magic.planner.language.logic import all_of, any_of, as_demand, opposite

Scoped = tuple[Condition | None, Condition]
_EQUIVALENT = r"<=>|<->|⇔|⟺|↔|≡|\biff\b"
_IMPLIES = r"==>|=>|⇒|⟹|⊃|\bimplies\b|->|→"
_ONE = Value(value=1)
_OPERATOR = re.compile(
    r"[<>=!~≤≥≠∈∃¬]|\b(?:is|in|between|r?like|ilike|regexp|similar|glob|not|and|or|case|exists|select|unique|check|key|table|index)\b"
    r"|\.(?:str|dt|is\w+|not\w+|eq|ne|lt|le|gt|ge|between|all|any)\b|\w\(",
    re.IGNORECASE,
)
# What nobody writes in prose.
_CODE = re.compile(
    r"\bselect\b.+\bfrom\b|\b(?:alter|create) (?:table|unique)|\b(?:foreign|primary) key ?\(|\bcheck ?\("
    r"|\bcase\b.+\bwhen\b|\bexists ?\(|\bassert |\bdf[.\[]|\.(?:str|dt|loc)\b|\.\w+\(|\bnp\.|\bpd\.|\w\[['\"\d:-]"
    r"|\blambda\b|=~|~\*|\b(?:rlike|similar to|glob) '|∃|∄|\bin \(['\d]"
    r"|\b(?!in|and|or|not|is|values?|between|exists|check|key|unique|like|then|when|if)[a-z_]\w{2,}\((?!s\))",
    re.IGNORECASE | re.DOTALL,
)


_JOINED = re.compile(
    r"(?:[<>=!]=?|~|\b(?:like|in|between)\b).*\b(?:and|or)\b\s+[\w.(]+\s*(?:[<>=!]=?|~|\b(?:like|is (?:not )?null)\b)"
    r"|=.*\bor null\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class CodeReading:
    """The rule that code states, what has to be asked about it, and what was set aside."""

    constraint: Constraint
    doubts: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def is_code(text: str) -> bool:
    """Whether the text is written as no prose is."""
    return bool(_CODE.search(text))


def is_joined_code(text: str) -> bool:
    """Whether several comparisons are joined in the text, which no list of facts about a column is."""
    return bool(_JOINED.search(without_quoted(text)))


def read_code(text: str, names: Names, column_line: ColumnLine) -> CodeReading:
    """The rule that the whole text is; `column_line` reads what DDL says of one column.

    Raises: UnknownName, NothingHolds for code that says what is not there, or what no rule can hold; NotMeant.
    """
    written = code_text(without_table(text, names.target))
    names = replace(names, doubts=[], read=condition)
    if re.match(r"(?:select|with)\b", written.code, re.IGNORECASE):
        where, must = _query(written, names)
    else:
        where, must = _stated(_to_be_empty(written), names, column_line)
    must = _but_for_the_first(must, names)
    for remark in written.limits:
        passing = passing_columns(remark, written.code, names.tables[names.target].columns)
        must = but_for_missing(must, passing)
        if not passing:
            names.doubts.append(f'the comment "{remark}" is no part of it')
    return CodeReading(rule_of(must, names, where), tuple(names.doubts), written.remarks)


def _to_be_empty(written: CodeText) -> str:
    """The code, with the verdict that a remark gives of rows chosen by pandas: `df[df.a < 0]  # must be empty`."""
    is_choice = written.is_to_be_empty and re.fullmatch(r"(?:\w+ ?= ?)?(?P<rows>\w+(?:\.loc)?\[.*\])", written.code)
    return f"{is_choice['rows']}.empty" if is_choice else written.code


def _but_for_the_first(must: Condition, names: Names) -> Condition:
    """The demand without "the row before must be there", which the first row of a table never keeps."""
    parts = conjuncts(must)
    kept = [part for part in parts if not (isinstance(part, Present) and isinstance(part.of, Previous))]
    if not kept or len(kept) == len(parts):
        return must
    names.doubts.append("the first row has none before it, and where it is run would break it")
    return all_of(kept)


def rule_of(must: Condition, names: Names, where: Condition | None = None) -> Constraint:
    """The rule that demands the condition, of rows or of the table as a whole. Raises: NotMeant."""
    if is_of_tables(must):
        if where is not None:
            raise NotMeant("a condition on rows for a statistic of tables")
        return TableRule(table=names.target, must=must)
    if where is None:
        where, must = _within_scope(must)
    return RowRule(table=names.target, where=where, must=as_demand(must))


def _within_scope(must: Condition) -> Scoped:
    """Like "not active, or one active row per key", which says of active rows that the key is unique."""
    if isinstance(must, Any_) and isinstance(last := must.conditions[-1], Compare) and last.relation == "<=":
        group, before = last.left, must.conditions[:-1]
        outside = before[0] if len(before) == 1 else Any_(conditions=before)
        if not isinstance(group, Group) or last.right != _ONE or group.of is not None:
            return None, must
        if group.where is not None and opposite(group.where) == outside:
            return group.where, Unique(by=group.by)
    return None, must


def _query(written: CodeText, names: Names) -> Scoped:
    try:
        query = query_of(sql_statement(written.code), term_of_sql)
    except NotSql as error:
        raise NotMeant(str(error)) from error
    found = query_demand(query, names)
    if not written.is_to_be_empty:
        names.doubts.append("nobody says that the query is to find nothing")
    return found


def _stated(text: str, names: Names, column_line: ColumnLine) -> Scoped:
    failures: list[NotMeant] = []
    readers: tuple[Callable[[], Scoped], ...] = (
        lambda: read_ddl(text.rstrip(";").strip(), names, column_line),
        lambda: (None, numbered_through(text, names)),
        lambda: _joined(text, names, _EQUIVALENT),
        lambda: _joined(text, names, _IMPLIES),
        lambda: code_condition(text, names),
    )
    for read in readers:
        try:
            return read()
        except NotMeant as error:
            failures.append(error)
    raise worst_of(failures)


def worst_of(failures: list[NotMeant]) -> NotMeant:
    """The failure that tells the most: what no rule can hold, then a name that is not there, then any other."""
    for kind in (NothingHolds, UnknownName):
        found = [error for error in failures if isinstance(error, kind)]
        if found:
            return found[0]
    return next((error for error in failures if type(error) is not NotMeant), failures[-1])


def _joined(text: str, names: Names, sign: str) -> Scoped:
    """`a => b` and `a <=> b`, each side a condition."""
    parts = split_once(text, sign)
    if parts is None:
        raise NotMeant("no two conditions")
    if sign == _EQUIVALENT:
        (_, first), (_, second) = (code_condition(part, names) for part in parts)
        return None, any_both(first, second)
    (scope, first), (inner, second) = code_condition(parts[0], names.turned()), _side(parts[1], names)
    if scope is not None or inner is not None:
        raise NotMeant("conditions on other rows than these")
    return first, second


def _side(text: str, names: Names) -> Scoped:
    try:
        return code_condition(text, names)
    except NotMeant:
        return _joined(text, names, _EQUIVALENT)


def any_both(first: Condition, second: Condition) -> Condition:
    """Both conditions, or neither."""
    return all_of([any_of([opposite(first), second]), any_of([first, opposite(second)])])


def code_condition(text: str, names: Names) -> Scoped:
    """The condition that the whole text is, in Python, in SQL or in signs. Raises: NotMeant."""
    text = re.sub(r"^\s*CHECK\s*(?=\()", "", text)
    if not _OPERATOR.search(without_quoted(text)):
        path = tuple(text.strip().split("."))
        if not all(re.fullmatch(r"[A-Za-z_]\w*", part) for part in path):
            raise NotMeant("no condition")
        return None, condition(SyntaxTerm("name", said=path), names)
    failures: list[NotMeant] = []
    for form in _forms(text):
        for syntax in (python_term, sql_term, _there_is):
            doubts = len(names.doubts)
            try:
                return demanded(syntax(form), names)
            except NotMeant as error:
                failures.append(error)
                del names.doubts[doubts:]
    raise worst_of(failures)


def _forms(text: str) -> dict[str, None]:
    return {**in_known_signs(text), text: None} if "∃" in text or "∄" in text else in_known_signs(text)


def _there_is(text: str) -> SyntaxTerm:
    def read(said: str) -> SyntaxTerm:
        for form in in_known_signs(said):
            for syntax in (python_term, sql_term):
                try:
                    return syntax(form)
                except NotMeant:
                    continue
        raise NotMeant("no condition")

    return quantified_term(text, read)

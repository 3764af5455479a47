"""Which door is meant, and of which table the rule is."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import check_types
from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.planner.language.doors.code import is_code, is_joined_code, read_code
from pandas_magic.planner.language.doors.columns import read_columns_rule
from pandas_magic.planner.language.doors.conditions import read_condition
from pandas_magic.planner.language.doors.dictionary import (
    TYPE,
    DictionaryLine,
    NoSuchColumn,
    facts_as_condition,
    line_as_condition,
    read_dictionary,
)
from pandas_magic.planner.language.doors.expectations import expectation
from pandas_magic.planner.language.doors.meaning import TextsInOrder
from pandas_magic.planner.language.doors.names import Names, spelt
from pandas_magic.planner.language.doors.restating import restated
from pandas_magic.planner.language.doors.statements import read_statement
from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, UnknownName

# "code | char(3) | required", "code - text(3), required": a line of a table of columns, where the signs join nothing.
_TABLE_ROW = re.compile(
    rf"\s*[\w.]+\s*(?:\|\s*\w+(?:\s*\(\s*\d[\d,\s]*\))?\s*\||\s-\s+{TYPE}(?:\s*\(\s*\d[\d,\s]*\))?\s*[,;|])",
    re.IGNORECASE,
)
# What may be a line of a dictionary, also of a column that is not there.
_LINE = re.compile(r"\s*\S+\s*(?:[:|(·•;\t–—]|--|\s-\s|->)")
Explanation = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class DoorAnswer:
    """What a door read, or why it cannot though it is meant: exactly one of `constraint` and `problem` is there.

    Code says what it says, so that guards made for prose have nothing to object. What is in doubt, or left over, is in
    `doubts`: what was read is only asked about. `claims` are the words that demand something, where others describe;
    `unread` stretches that are not understood, each behind its column.
    """

    constraint: Constraint | None
    explanation: Explanation = ()
    problem: str = ""
    doubts: tuple[str, ...] = ()
    is_code: bool = False
    claims: str = ""
    unread: tuple[str, ...] = ()
    others: tuple[Constraint, ...] = ()  # what it may mean as well
    is_settled: bool = True  # no other reader is to be asked: not so of half a line that may be a sentence


def read_by_doors(rule: str, tables: Mapping[str, Table], *, target: str | None = None) -> DoorAnswer | None:
    """What the rule says where it is an expression, a line of a data dictionary or a rule about columns.

    None when no door is meant. With several tables that it fits, and no `target`, the answer is a problem. What says
    the same in another form is read in that one.
    """
    try:
        expected = expectation(rule)
    except NothingHolds as error:
        return DoorAnswer(None, problem=str(error), is_code=True)
    said = expected or restated(rule)
    if said is None:
        return _read_plain(rule, tables, target)
    answer = _read_plain(said, tables, target)
    if answer is None or (expected is None and answer.constraint is None and not answer.others):
        return _read_plain(rule, tables, target)
    answer = replace(answer, claims=said, explanation=((rule.strip(), f"the same as {said}"),))
    return replace(answer, is_code=True, is_settled=True) if expected is not None else answer


def _read_plain(rule: str, tables: Mapping[str, Table], target: str | None) -> DoorAnswer | None:
    found: dict[str, DoorAnswer] = {}
    meant = list(_tables_meant(rule, tables, target))
    for table in (*meant, *(_tables_with(rule, tables, meant) if target is None else ())):
        if table not in meant and any(found):
            break
        answer = _read(rule, Names(tables, table), tables)
        if answer is not None and answer.constraint is not None:
            found[table] = answer
            if table == target:
                break
        elif answer is not None:
            found.setdefault("", answer)
    read = [table for table in found if table]
    if len(read) > 1:
        each = tuple(one for table in read if (one := found[table].constraint) is not None)
        problem = f"it can be about {' or '.join(read)}; write the table before the column"
        return DoorAnswer(None, problem=problem, is_code=any(found[table].is_code for table in read), others=each)
    return found[read[0]] if read else found.get("")


def _tables_meant(rule: str, tables: Mapping[str, Table], target: str | None) -> Iterator[str]:
    """The target, then the tables that the text names before a dot, a colon or a parenthesis.

    Without one, those of which it names a column; for a text that only a door could read, all.
    """
    # What a query in parentheses is about says nothing of the rows that are judged.
    outside = re.sub(r"\(\s*select\b.*?\)", "", rule, flags=re.IGNORECASE | re.DOTALL)
    named = re.findall(r"(\w+)\s*[.:]|\b(?:from|in|on|table)\s+(\w+)|^(\w+)\s", outside, re.IGNORECASE)
    words = {word.casefold() for group in named for word in group if word}
    said = [table for table in tables if table.casefold() in words]
    if target is None and not said:
        here = f"_{spelt(rule)}_"
        said = [name for name in tables if any(f"_{spelt(column)}_" in here for column in tables[name].columns)]
        said = said or list(tables)[: None if is_code(rule) or _LINE.match(rule) else 1]
    yield from dict.fromkeys([*([target] if target else []), *said])


def _tables_with(rule: str, tables: Mapping[str, Table], meant: Sequence[str]) -> Iterator[str]:
    """Other tables that have a column of which the text names no table: "load" in "load <= meters.power"."""
    bare = set(re.findall(r"(?<![\w.'\"])[a-z_]\w*(?![\w.('\"])", rule, re.IGNORECASE))
    known = {column for table in meant for column in tables[table].columns}
    is_named = all(re.search(rf"\b{re.escape(table)}\.\w", rule, re.IGNORECASE) for table in meant)
    if not is_named or re.search(r"\bselect\b", rule, re.IGNORECASE):
        return
    yield from (table for table in tables if table not in meant and bare & {*tables[table].columns} - known)


def _read(rule: str, names: Names, tables: Mapping[str, Table]) -> DoorAnswer | None:
    is_row = bool(_TABLE_ROW.match(rule))
    try:
        return _coded(rule, names)
    except NotMeant as error:
        failures: list[NotMeant] = [] if is_row else [error]
        lines = is_row or not (is_joined_code(rule) or type(error) is NothingHolds)
    attempts: tuple[Callable[[], DoorAnswer], ...] = (
        lambda: DoorAnswer(
            read_statement(rule, names, lambda text: _clause(text, names)), ((rule.strip(), "an expression"),)
        ),
        *((lambda: _answered(read_dictionary(rule, names)),) if lines else ()),
        lambda: DoorAnswer(read_columns_rule(rule, names), ((rule.strip(), "a rule about columns"),)),
    )
    for read in attempts:
        try:
            answer = read()
        except NotMeant as error:
            failures.append(error)
            continue
        problems = check_types(answer.constraint, tables) if answer.constraint is not None else ()
        if not problems:
            return answer
        failures.append(UnknownName("; ".join(problems)))
    return _problem(rule, failures)


def _problem(rule: str, failures: Sequence[NotMeant]) -> DoorAnswer | None:
    """What is wrong with a text that a door is meant for; None where it may be a sentence."""
    absent: list[NotMeant] = [error for error in failures if isinstance(error, NoSuchColumn)]
    meant = absent or [error for error in failures if isinstance(error, (UnknownName, TextsInOrder, NothingHolds))]
    if not meant:
        return None
    problem = str(meant[0])
    if is_code(rule):
        return DoorAnswer(None, problem=problem, is_code=True)
    return DoorAnswer(None, problem=problem, is_settled=bool(absent)) if absent or _is_technical(rule) else None


def _answered(line: DictionaryLine) -> DoorAnswer:
    settled = line.in_cells or line.is_understood
    return DoorAnswer(
        line.constraint,
        line.explanation,
        doubts=line.doubts,
        claims=line.claims if line.is_listed else "",
        unread=line.unread,
        others=line.others,
        is_settled=settled,
    )


def _clause(text: str, names: Names) -> Condition:
    """A condition, or facts of a column: "to_bin is required". Raises: NotMeant."""
    try:
        return read_condition(text, names)
    except NotMeant as error:
        try:
            return facts_as_condition(text, names)
        except NotMeant:
            raise error from None


def _coded(rule: str, names: Names) -> DoorAnswer:
    """The rule as code. Raises: NotMeant, UnknownName, NothingHolds."""
    code = read_code(rule, names, line_as_condition)
    problems = check_types(code.constraint, names.tables)
    if problems:
        raise UnknownName("; ".join(problems))
    aside = tuple((remark, "a comment") for remark in code.remarks)
    return DoorAnswer(code.constraint, ((rule.strip(), "code"), *aside), is_code=True, doubts=code.doubts)


def _is_technical(rule: str) -> bool:
    """Whether the text is no prose, so that what is wrong with it as an expression is what is wrong with it."""
    return bool(re.search(r"[<>]=?|[!=]=|=|\w\(|\w\.\w|\b(?:IS NULL|IS NOT NULL|CHECK|REFERENCES)\b|^\w+:", rule))

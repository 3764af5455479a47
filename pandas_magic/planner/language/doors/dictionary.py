"""A line of a data dictionary: "column: type, required, 13 characters, one of …", or its cells between separators."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches

from pandas_magic.constraints.algebra.conditions import Condition, Unique
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.algebra.tree import conjuncts
from pandas_magic.planner.language.doors.cells import read_cell
from pandas_magic.planner.language.doors.code import rule_of
from pandas_magic.planner.language.doors.doubting import CODES, FORMED, judged
from pandas_magic.planner.language.doors.fact_subject import FactSubject
from pandas_magic.planner.language.doors.facts import Fact
from pandas_magic.planner.language.doors.masked import outermost
from pandas_magic.planner.language.doors.names import Names, called, spelt
from pandas_magic.planner.language.doors.terms import NotMeant, UnknownName
from pandas_magic.planner.language.doors.value_lists import lists_whole
from pandas_magic.planner.language.linking.functions import reckoning
from pandas_magic.planner.language.logic import all_of

_MUST = r"must always be|must be|must have|must|should be|should|shall be|shall|has to be|needs to be|is always|is|are"
_VERB = re.compile(rf"\s*\b(?:{_MUST})\b\s*", re.IGNORECASE)
# What divides the column from what is said of it, and the cells from one another.
_DIVIDERS = (
    r"\s*\|\s*", r"\s*::\s*", r"\s*[·•]\s*", r"\s*\t\s*", r"\s+--\s+", r"\s+–\s+", r"\s+—\s+", r"\s+-\s+", r"\s*;\s*",
    r"\s{2,}", r"\s+/\s+",
)  # fmt: skip
_SLASH = _DIVIDERS[-1]  # also divides values, and stands in a quotient
_LABEL = r"(?:\s+\([^()]*\)(?=\s*[|·•:;\t–—-]|\s\s))?"
_JOINED = re.compile(rf"{_LABEL}\s*(?::=?|[–—])\s*")
TYPE = (
    r"(?:(?:var|n)?char|text|string|date|timestamp|datetime|int(?:eger)?|dec(?:imal)?|num(?:ber|eric)?|float|enum"
    r"|bool)\b"
)
# A comma, an arrow or a slash divides where a type stands behind it: "a -> b" and "a / b" say something else.
_TYPED = re.compile(rf"\s*(?:,|->|→|(?<=\s)/)\s*(?={TYPE})", re.IGNORECASE)
_BEGINS_CELLS = re.compile(rf"{TYPE}(?:\s*\(|\s*/)|\w+\s*:\s", re.IGNORECASE)
_BRACKET = re.compile(r"\s*\((?P<inside>.*)\)")
_TYPE_IN_BRACKETS = re.compile(rf"\s*[\[(](?P<inside>{TYPE}[^\])]*)[\])]\s*(?:[:–—-]\s+)?(?P<behind>.+)", re.IGNORECASE)
# Without anything between them, only what DDL says of a column: "email VARCHAR(255) NOT NULL".
_DDL = re.compile(
    r"\s+(?=(?:[A-Z9]{1,3} ?\(\d|[A-Z]{2,}|n?varchar|char|int|decimal|not[ _]null|accepted_values|unique|primary key"
    r"|references|matches)\b)"
)
_LIST = re.compile(
    r"(?P<columns>[\w.]+(?:\s*(?:,|\band\b)\s*[\w.]+)+)\s*"
    r"(?P<joint>:|\b(?:must be|must|are|should be)\b)\s*(?P<said>.+)",
    re.DOTALL,
)
_SUBJECT = r"(?:(?:the |each |every )?(?:column|field|attribute) )?"
# Where the table stands in a cell of its own, or both are announced: "orders | total | …", "Tbl: orders / Col: total".
_TABLE_BEFORE = (
    r"(?:(?:tbl|table)\s*[:=]?\s*)?{table}(?:\s*[.:|;/\t]\s*|\s+[-–—]\s+|\s{{2,}})"
    r"(?:(?:col(?:umn)?|field|attr)\s*[:=]\s*)?"
)
_SENTENCE = r"(?<!e\.g)(?<!i\.e)(?<!\bca)(?<!\bex)(?<!\bmin)(?<!\bmax)\.\s+(?=[A-Z0-9])|;\s*(?!\s*['\"])"
# What only an entry of a dictionary says first of a column.
_DECLARES = (
    r"(?:(?:var|n|n?var)?char|text|string|str|date|timestamp|datetime|(?:small|big)?int|integer|decimal|num(?:ber|eric)?"
    r"|float|double|enum|bool(?:ean)?|required|mandatory|optional|not null|nullable|unique|primary key|pk|fk)\b"
    r"\s*(?:[(,;|.]|$)"
)
_OPEN_LIST = re.compile(r"[,|/;]\s*(?:\.\.\.?|…)")


class NoSuchColumn(UnknownName):
    """The line declares a column that the table does not have."""


@dataclass(frozen=True)
class DictionaryLine:
    """What a line demands, its facts, and whether its cells stand apart, as no sentence writes them."""

    constraint: Constraint
    facts: tuple[tuple[str, Fact], ...]  # each with its column
    in_cells: bool
    is_listed: bool  # behind a colon or the like; else a sentence states it

    @property
    def doubts(self) -> tuple[str, ...]:
        """The stretches that are not understood."""
        return tuple(
            f'"{fact.said.strip()}": {fact.failure}'
            if fact.conditions
            else f'I do not understand "{fact.said.strip()}"'
            for _, fact in self.facts
            if fact.failure
        )

    @property
    def others(self) -> tuple[Constraint, ...]:
        """What else it may demand: of a fixed width, that texts are no longer."""
        widths = [
            one for _, fact in self.facts if fact.failure and fact.means == "fixed width" for one in fact.conditions
        ]
        if not widths or not isinstance(self.constraint, RowRule):
            return ()
        shorter = [
            one.model_copy(update={"relation": "<="}) if one in widths else one
            for one in conjuncts(self.constraint.must)
        ]
        return (self.constraint.model_copy(update={"must": all_of(shorter)}),)

    @property
    def is_understood(self) -> bool:
        """Whether each stretch says something, though it may be open of what."""
        return all(fact.conditions for _, fact in self.facts if fact.failure)

    @property
    def unread(self) -> tuple[str, ...]:
        """The stretches that are not understood, each behind its column; none where what is read is in doubt too."""
        failed = [(column, fact) for column, fact in self.facts if fact.failure]
        is_doubtful = any(fact.conditions for _, fact in failed)
        return () if is_doubtful else tuple(f"{column} {fact.said.strip()}" for column, fact in failed)

    @property
    def claims(self) -> str:
        """The column with the stretches that demand something, without the digits of a type, which are no amounts."""
        said = [fact.said.strip() for _, fact in self.facts if fact.conditions and fact.means != "type number"]
        return f"{self.facts[0][0]}: {'; '.join(said)}"

    @property
    def explanation(self) -> tuple[tuple[str, str], ...]:
        """Each stretch with what it was taken for."""
        return tuple((fact.said.strip(), _told(fact, column)) for column, fact in self.facts)


def _told(fact: Fact, column: str) -> str:
    if fact.conditions:
        return f"a fact of {column}"
    return "not understood" if fact.failure else "nothing to check" if fact.means else "set aside, a description"


def read_dictionary(text: str, names: Names) -> DictionaryLine:
    """The rule that the line states, whole or as far as it is understood.

    Raises: NotMeant when it is no such line, or nothing that can be checked is understood; UnknownName.
    """
    text = text.strip()
    text = (text if _OPEN_LIST.search(text) else text.rstrip(".;")).strip().lstrip("-*• ").strip()
    failure: NotMeant | None = None
    for columns, said, form in _openings(text, names):
        is_listed, divider = form != "verb", form if form in _DIVIDERS else ""
        try:
            return _stated(tuple(FactSubject(names, column, is_listed, divider) for column in columns), said)
        except NotMeant as error:
            failure = failure or error
    raise failure or _unknown_column(text, names) or NotMeant("no column stands at its beginning")


def line_as_condition(text: str, names: Names) -> Condition:
    """What a whole line demands of every row. Raises: NotMeant, UnknownName."""
    line = read_dictionary(text, names)
    if line.doubts or line.constraint.shape != "rows" or line.constraint.where is not None:
        raise NotMeant("no plain demand")
    return line.constraint.must


def facts_as_condition(text: str, names: Names) -> Condition:
    """What a clause such as "to_bin is required" demands. Raises: NotMeant."""
    for columns, said, form in _openings(text, names):
        if form == "verb":
            rule = _stated(tuple(FactSubject(names, column, is_listed=False) for column in columns), said).constraint
            if rule.shape == "rows" and rule.where is None:
                return rule.must
    raise NotMeant("no plain demand")


def _stated(subjects: tuple[FactSubject, ...], said: str) -> DictionaryLine:
    facts = [(subject.column, fact) for subject in subjects for fact in _facts(said, subject)]
    conditions = [condition for _, fact in facts for condition in fact.conditions]
    if len(subjects) > 1 and any(isinstance(condition, Unique) for condition in conditions):
        raise NotMeant("each alone, or all together")
    if not conditions:
        raise _failure(facts) or NotMeant(f"nothing that {said!r} says of {subjects[0].column} can be checked")
    scopes = [fact.scope for _, fact in facts if fact.conditions]
    where, must = scopes[0] if len(scopes) == 1 and scopes[0] is not None else (None, None)
    if where is None or must is None or where == must:
        where, must = None, all_of(conditions)
    rule = rule_of(must, subjects[0].names, where)
    line = DictionaryLine(rule, tuple(facts), subjects[0].in_cells, subjects[0].is_listed)
    if line.doubts and not subjects[0].is_listed:
        raise NotMeant(line.doubts[0])
    return line


def _failure(facts: list[tuple[str, Fact]]) -> NotMeant | None:
    """Why nothing could be read, a name that is not there before anything else."""
    failures = [fact.failure for _, fact in facts if fact.failure is not None]
    return next((error for error in failures if type(error) is not NotMeant), next(iter(failures), None))


def _facts(said: str, subject: FactSubject) -> Iterator[Fact]:
    """The facts of all cells, in doubt where one of them leaves open what another says."""
    found = _read(said, subject)
    widths = [fact for fact in found if fact.means == "fixed width"]
    if widths and any(fact.means in FORMED and not fact.is_of_any_length for fact in found):
        found = _read(said, replace(subject, is_formed=True))
    elif widths and not any(fact.means in CODES or fact.is_of_any_length for fact in found):
        asked = NotMeant("whether exactly or at most so many characters is not said")
        found = [replace(fact, failure=asked) if fact in widths else fact for fact in found]
    return judged(found, subject.of)


def _read(said: str, subject: FactSubject) -> list[Fact]:
    found: list[Fact] = []
    if _OPEN_LIST.search(said):
        found.append(Fact("...", failure=NotMeant("what else may stand there is not said")))
    for cell in lists_whole(_cells(said, subject.divider), subject.names.values(subject.of)):
        facts, subject = read_cell(cell, subject)
        found += facts
    return found


def _cells(said: str, divider: str) -> list[str]:
    """The text cut at what divides cells, outside quotes and brackets; sentences stand apart too."""
    cells, end = [], 0
    for found in re.finditer(rf"{divider}|{_SENTENCE}" if divider else _SENTENCE, outermost(said)):
        cells.append(said[end : found.start()])
        end = found.end()
    return [cell.strip() for cell in (*cells, said[end:]) if cell.strip()]


def _openings(text: str, names: Names) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """The columns that the line may begin with, the longest name first, what follows, and how it is written."""
    own = names.tables[names.target]
    before = _TABLE_BEFORE.format(table=re.escape(names.target))
    begun = re.match(rf"{_SUBJECT}(?:{before})?", text, re.IGNORECASE)
    start = begun.end() if begun else 0
    listed = _listed_columns(text[start:], names)
    if listed is not None:
        yield listed
    first = text[start:].lstrip('`"[')[:1].lower()  # few names begin so, and each makes a pattern of its own
    named = [*((column, column) for column in own.columns), *called(own).items()]
    named = [pair for pair in named if not pair[0][:1].isalnum() or first in (pair[0][:1].lower(), spelt(pair[0])[:1])]
    # The longest name first, and of those that differ in capitals or spaces the one that is written.
    for name, column in sorted(named, key=lambda pair: (-len(spelt(pair[0])), pair[0] not in text)):
        words = r"[\s_]+".join(re.escape(word) for word in spelt(name).split("_"))
        found = re.match(rf"[`\"\[]?(?:{re.escape(name)}|{words})[`\"\]]?(?![\w.])", text[start:], re.IGNORECASE)
        for said, form in _forms(text[start + found.end() :]) if found else ():
            yield (column,), said, form


def _forms(behind: str) -> Iterator[tuple[str, str]]:
    """What stands behind the column's name, with what divides it from it; "(hashed)" changes what it is said of."""
    label = re.match(r"\s+\(([^()]*)\)", behind)
    if label and not reckoning().isdisjoint(label[1].casefold().split()):
        return
    bracket = _BRACKET.fullmatch(behind)
    if bracket and ")" not in outermost(behind).rstrip()[:-1]:
        yield bracket["inside"].strip(), "listed"
    typed = _TYPE_IN_BRACKETS.fullmatch(behind)
    if typed:
        yield f"{typed['inside']}; {typed['behind']}", "listed"
    for divider in _DIVIDERS:
        divided = re.match(rf"{_LABEL}{divider}", behind)
        if divided and (divider != _SLASH or _BEGINS_CELLS.match(behind, divided.end())):
            yield behind[divided.end() :], divider
            break
    for form, name in ((_JOINED, "listed"), (_TYPED, "listed"), (_VERB, "verb"), (_DDL, "listed")):
        found = form.match(behind)
        if found and found.end() < len(behind):
            yield behind[found.end() :], name


def _listed_columns(text: str, names: Names) -> tuple[tuple[str, ...], str, str] | None:
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
    said = re.sub(r"^(?:both|all|each)\s+", "", found["said"])
    return columns, said, "listed" if found["joint"] == ":" else "verb"


def _unknown_column(text: str, names: Names) -> UnknownName | None:
    """That the line is one of a column which is not there; None when it is no such line."""
    found = re.match(r"(?P<name>[A-Za-z_]\w*)(?P<behind>.+)", text, re.DOTALL)
    known = [*names.tables, *names.tables[names.target].columns]
    if found is None or spelt(found["name"]) in map(spelt, known):
        return None
    for said, form in _forms(found["behind"]):
        first = next(iter(_cells(said, form if form in _DIVIDERS else "")), "")
        if form != "verb" and re.match(_DECLARES, first, re.IGNORECASE) and (form in _DIVIDERS or "_" in found["name"]):
            near = get_close_matches(found["name"], list(names.tables[names.target].columns), 1)
            there = [table for table in names.tables if found["name"] in names.tables[table].columns]
            hint = f"; {there[0]} has one" if there else f'; the nearest is "{near[0]}"' if near else ""
            return NoSuchColumn(f'{names.target} has no column "{found["name"]}"{hint}')
    return None

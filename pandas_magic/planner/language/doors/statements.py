"""Rules in the forms of SQL, DDL and data engineers: keys, references, dependencies, implications, conditions."""

import re
from collections.abc import Callable

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Exists, Present, Unique
from pandas_magic.constraints.algebra.expressions import Column, Group, Value
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.planner.language.doors.code import rule_of
from pandas_magic.planner.language.doors.code_text import without_table
from pandas_magic.planner.language.doors.conditions import read_condition
from pandas_magic.planner.language.doors.masked import split_once
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.terms import NotMeant, UnknownName
from pandas_magic.planner.language.logic import all_of, any_of, opposite

Clause = Callable[[str], Condition]
_NAME = r"(?:[\w.]+|`[^`]+`|\"[^\"]+\"|\[[^\]]+\])"
_COLUMNS = rf"{_NAME}(?:\s*(?:,|\+|\band\b|&)\s*{_NAME})*"
_REFERS = (
    r"(?:is an? |are )?(?:(?:fk|foreign key)s?(?:\s*(?:to|of|on|into|for|->|→|:)|\s+references)?|references|refers? to"
    r"|(?P<absent>(?:must be |may be |can be |is )?null or )?(?:(?:must|should|shall|has to|have to)\s+)?"
    r"(?P<both>both |each |all )?(?:be |is |are )?(?:exists? in|found in|listed in|contained in|in)|⊆|subset of"
    r"|points? to|links? to|->|→)"
)
_REMARK, _DEMANDED = "fk|foreign key|nullable|optional|many[- ]to[- ]one|n:1", "not null|required|mandatory|nn"
_FOREIGN_KEY = re.compile(
    rf"(?:foreign key\s*)?\(?(?P<columns>{_COLUMNS})\)?\s*{_REFERS}\s*(?P<table>\w+)"
    rf"(?:\s*(?:\.\s*(?P<key>\w+)|\(\s*(?P<keys>{_COLUMNS})\s*\)))?"
    r"(?:\s+on (?:delete|update) (?:cascade|restrict|set null|no action))*"
    rf"(?P<remarks>\s*[,(]?\s*(?:(?:{_REMARK}|{_DEMANDED})(?:,\s*)?)+\)?)?",
    re.IGNORECASE,
)
_UNIQUE_WORDS = r"unique(?: key| index| constraint)?(?: on)?|primary key|pk|unique\s+together"
_UNIQUE = re.compile(
    rf"(?:(?P<table>\w+)\s*:?\s+)?(?:add\s+)?(?P<said>{_UNIQUE_WORDS})\s*[:(\[]?\s*(?P<columns>{_COLUMNS})\s*[)\]]?",
    re.IGNORECASE,
)
_IS_UNIQUE = re.compile(
    rf"[(\[]?(?P<columns>{_COLUMNS})[)\]]?\s*(?:is|are|must be|should be|:|-)?\s*(?:an? |the )?"
    rf"(?P<said>unique(?: together| in combination)?|primary key|pk)(?:\s+(?:in|on|of|for)\s+(?P<table>\w+))?",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    rf"count\s*(?:\(\s*\*\s*\)|of (?P<table>\w+|rows|\*))\s+(?:per|by|group(?:ed)? by|for each)\s+"
    rf"\(?(?P<columns>{_COLUMNS})\)?\s*(?P<relation><=|>=|==|=|<|>)\s*(?P<number>\d+)",
    re.IGNORECASE,
)
_WRAPPED = re.compile(
    r"(?:alter table (?P<table>\w+)\s+)?(?:add\s+)?(?:constraint\s+\w+\s+)?check\s*\((?P<inner>.*)\)"
    r"|assert\s+(?P<assert>.*)",
    re.IGNORECASE | re.DOTALL,
)
_ARROW = r"->|→"
_IMPLIES = r"==>|=>|⇒|\bimplies\b"


def read_statement(text: str, names: Names, clause: Clause) -> Constraint:
    """The rule that the whole text is; `clause` reads a side of an implication that is no plain condition.

    Raises: UnknownName when a name in it is not there; NotMeant.
    """
    text = _unwrapped(text, names)
    failures: list[NotMeant] = []
    for read in (_unique, _foreign_key, _counted, _dependency, _conditional, _plain):
        try:
            return read(text, names, clause)
        except NotMeant as error:
            failures.append(error)
    raise next((error for error in reversed(failures) if type(error) is not NotMeant), failures[-1])


def _unwrapped(text: str, names: Names) -> str:
    """The text without CHECK (…), assert, or the name of the table before a colon. Raises: NotMeant."""
    text = without_table(text.strip().rstrip(".;").strip(), names.target)
    wrapped = _WRAPPED.fullmatch(text)
    if wrapped:
        if wrapped["table"] and names.table(wrapped["table"]) != names.target:
            raise NotMeant("another table")
        text = (wrapped["inner"] or wrapped["assert"]).strip()
    return without_table(text, names.target)


def _plain(text: str, names: Names, clause: Clause) -> Constraint:
    if re.fullmatch(r"[\w.]+", text):
        raise NotMeant("a name alone")
    return rule_of(read_condition(text, names), names)


def _paths(said: str) -> tuple[tuple[str, ...], ...]:
    found = re.findall(_NAME, re.sub(r"\band\b", ",", said))
    return tuple(tuple(name.split(".")) if name[0] not in '`"[' else (name[1:-1],) for name in found)


def _columns_of(said: str, names: Names) -> tuple[Column, ...]:
    return tuple(Column(name=names.own(path)) for path in _paths(said))


def _unique(text: str, names: Names, clause: Clause) -> Constraint:
    found = _UNIQUE.fullmatch(text) or _IS_UNIQUE.fullmatch(text)
    if found is None:
        raise NotMeant("unique")
    if found["table"] and names.table(found["table"]) != names.target:
        raise UnknownName(f"{found['table']} is not the table whose rows are checked")
    by = _columns_of(found["columns"], names)
    in_words = re.search(r"\band\b", found["columns"]) and "(" not in text and "together" not in text.lower()
    if in_words or (len(by) > 1 and not re.search(r"[(\[]|together|combination|key|pk", text, re.IGNORECASE)):
        raise NotMeant("each alone, or all together")
    unique = Unique(by=by)
    is_key = re.search(r"primary key|\bpk\b", found["said"], re.IGNORECASE)
    return rule_of(all_of((unique, *(Present(of=of) for of in by))) if is_key else unique, names)


def _foreign_key(text: str, names: Names, clause: Clause) -> Constraint:
    found = _FOREIGN_KEY.fullmatch(text)
    if found is None or not any(found["table"].casefold() == table.casefold() for table in names.tables):
        raise NotMeant("a reference")
    there, paths = names.table(found["table"]), _paths(found["columns"])
    keys = tuple(path[-1] for path in _paths(found["keys"] or found["key"] or ""))
    arrow = re.search(_ARROW, text)
    if arrow and there == names.target:
        raise NotMeant("a reference within the table, or a dependency")
    if len(paths) > 1 and len(keys) == 1:
        if not found["both"] and not re.search(r"\band\b", found["columns"]):
            raise NotMeant("several columns and one key")
        return rule_of(all_of(names.reference((path,), there, keys) for path in paths), names)
    reference = names.reference(paths, there, keys)
    in_words = there != names.target and not found["absent"] and _names_its_key(reference) and _demands(text)
    if in_words or re.search(_DEMANDED, found["remarks"] or "", re.IGNORECASE):
        return rule_of(all_of((*(Present(of=of) for of in reference.of), reference)), names)
    return rule_of(reference, names)


def _names_its_key(reference: Exists) -> bool:
    return tuple(of.name for of in reference.of if isinstance(of, Column)) == reference.keys


def _demands(text: str) -> bool:
    """Like "must exist in", which a missing value does not; "references" leaves room for it, as in SQL."""
    return bool(re.search(r"\b(?:must|should|shall|has to|have to|is|are)\b.*\b(?:in)\b", text, re.IGNORECASE))


def _counted(text: str, names: Names, clause: Clause) -> Constraint:
    found = _COUNTED.fullmatch(text)
    if found is None:
        raise NotMeant("a count")
    if found["table"] not in (None, "rows", "*") and names.table(found["table"]) != names.target:
        raise NotMeant("a count of another table's rows")
    group = Group(statistic="count", by=_columns_of(found["columns"], names))
    relation = {"=": "=="}.get(found["relation"], found["relation"])
    limit = Value(value=int(found["number"]))
    return rule_of(Compare.model_validate({"relation": relation, "left": group, "right": limit}), names)


def _dependency(text: str, names: Names, clause: Clause) -> Constraint:
    """`zip -> city`: rows that agree in the left columns agree in the right ones."""
    found = re.fullmatch(rf"\(?({_COLUMNS})\)?\s*(?:{_ARROW}|\bdetermines\b)\s*\(?({_COLUMNS})\)?", text, re.IGNORECASE)
    if found is None:
        raise NotMeant("a dependency")
    if ("." in found[1]) != ("." in found[2]):
        raise NotMeant("a dependency, or a reference")
    by, of = _columns_of(found[1], names), _columns_of(found[2], names)
    if all(names.kind(column) == "boolean" for column in (*by, *of)) and re.search(_ARROW, text):
        raise NotMeant("a dependency, or one truth that follows from another")
    one = Value(value=1)
    groups = (Group(statistic="distinct", of=column, by=by) for column in of)
    return rule_of(all_of(Compare(relation="<=", left=group, right=one) for group in groups), names)


_FORMS = (
    # (pattern of the joint, which side is the condition, whether it is negated)
    (rf"{_IMPLIES}|{_ARROW}", 0, False),
    (r"\bunless\b", 1, True),
    (r"\b(?:only )?(?:if|when|whenever|where)\b", 1, False),
)


def _conditional(text: str, names: Names, clause: Clause) -> Constraint:
    begun = re.fullmatch(r"(if|when|whenever|where|for rows where|unless)\s+(.*)", text, re.IGNORECASE | re.DOTALL)
    if begun:
        return _begun(begun[1].lower() == "unless", begun[2], names, clause)
    for joint, side, negated in _FORMS:
        parts = split_once(text, joint)
        if parts is None:
            continue
        if re.search(r"\bonly (?:if|when|where|whenever)\b", text, re.IGNORECASE) and side == 1:
            # "a only if b": wherever a holds, b does.
            return rule_of(clause(parts[1]), names, clause(parts[0]))
        where = clause(parts[side])
        return rule_of(clause(parts[1 - side]), names, opposite(where) if negated else where)
    raise NotMeant("no condition on another")


def _begun(negated: bool, text: str, names: Names, clause: Clause) -> Constraint:
    parts = split_once(text, r"\bthen\b") or split_once(text, r":") or split_once(text, r",(?= )")
    if parts is None:
        raise NotMeant("where the condition ends is not said")
    where = opposite(clause(parts[0])) if negated else clause(parts[0])
    either = split_once(parts[1], r"\b(?:else|otherwise)\b")
    if either is None:
        return rule_of(clause(parts[1]), names, where)
    first, second = clause(either[0]), clause(either[1])
    return rule_of(all_of((any_of((opposite(where), first)), any_of((where, second)))), names)

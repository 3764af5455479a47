"""A cell of a data dictionary, stretch by stretch: facts, the rows of which they are said, and descriptions."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.planner.language.doors.descriptions import describes, may_demand, names_what_is_held
from pandas_magic.planner.language.doors.fact_subject import FactSubject
from pandas_magic.planner.language.doors.facts import Fact, longest_match, next_fact
from pandas_magic.planner.language.doors.masked import outermost
from pandas_magic.planner.language.doors.prose_facts import read_demand
from pandas_magic.planner.language.doors.scoping import FactScope, is_scoped, scope_before, scope_behind, speaks_of_some
from pandas_magic.planner.language.doors.slots import slot_patterns
from pandas_magic.planner.language.doors.terms import NotMeant

_BOUNDARY = re.compile(r"\s*(?:[,;|)\]}]+|[./+](?!\w)|\s[–—-]\s|(?<=\s)\(|\s{2,}|$)\s*")
_GAP = re.compile(r"\s*(?:[,;|./+()\[\]{}–—]+\s*|-\s+)*(?:(?:and|but|also|as well as)\b\s+)*", re.IGNORECASE)
_AND = re.compile(r"\s*[,:]?\s*(?:(?:and|but|also|as well as)\b\s+)*", re.IGNORECASE)
_MUST = re.compile(r"(?:(?:it |they )?(?:must be|must|should be|should|is|are|has to be|always)\b\s+)?", re.IGNORECASE)
_ONLY = re.compile(r"only\s+", re.IGNORECASE)
_NEGATED = re.compile(r"(?:must |may |can |should )?(?:not|never|no|cannot|none)\b", re.IGNORECASE)
# "Before the pickup before the delivery" is a chain, in which the second limit is one of the pickup.
_RELATED = frozenset({"compared", "dated", "between", ">", "<", ">=", "<="})
# What a description may stand before, without anything between: how the texts are written, or a range.
_WRITTEN = frozenset({"between", "format", "template", "shape", "calendar day", "codes from to", "references"})
_ARROW = re.compile("->|→")
_Stretch = tuple[list[Fact], int, FactSubject]


def read_cell(text: str, subject: FactSubject) -> tuple[list[Fact], FactSubject]:
    """All that the cell says, in facts, and the subject with the rows of which they were said."""
    found: list[Fact] = []
    rest, slots = text.strip(), slot_patterns(subject.names, subject.column, text)
    while rest:
        facts, end, subject = _stretch(rest, slots, subject)
        for fact in facts:
            if fact.said.lower().startswith("or ") and (not found or _NEGATED.match(found[-1].said)):
                fact = Fact(fact.said, failure=NotMeant("what may be missing is not clear"))
            found.append(fact)
        rest = rest[_after(_GAP, rest, end) :]
    return found, subject


def _stretch(text: str, slots: Mapping[str, str], subject: FactSubject) -> _Stretch:
    """The facts up to the next boundary and where they end.

    What cannot be read to its boundary is set aside as a whole when it describes and demands nothing.
    """
    at = 0
    found: list[Fact] = []
    failure = NotMeant("")
    try:
        for fact, end, after in _facts(text, slots, subject):
            at, found = end, [*found, fact]
            if end == len(text) or _BOUNDARY.match(text, end):
                return found, end, after
    except NotMeant as error:
        failure = error
    ends = [boundary.start() for boundary in _BOUNDARY.finditer(outermost(text), max(at, 1))]
    said = text[: ends[0]]
    if not subject.is_listed:
        return [Fact(said, failure=failure)], ends[0], subject
    described = _behind_description(text, ends[0], slots, subject)
    if described is not None:
        return described
    longest = longest_match(text, slots)
    for end in () if speaks_of_some(text) else (end for end in reversed(ends) if end >= longest):
        demand = _demanded(text[:end], subject)
        if demand is not None:
            return [Fact(text[:end], (demand,), "prose")], end, subject
    if describes(said, subject) and longest < len(said):
        return [Fact(said)], ends[0], subject
    return [Fact(said, failure=failure)], ends[0], subject


def _behind_description(text: str, end: int, slots: Mapping[str, str], subject: FactSubject) -> _Stretch | None:
    """Like "time of reading hh:mm": words up to a boundary that name what is held, and how it is written."""
    for found in re.finditer(r"(?P<label>:)?\s+(?=\S)", text[:end]):
        head, begin = text[: found.start()], found.end()
        if _ARROW.match(text, begin):  # "the film it belongs to -> films.id"
            head = re.sub(r" (?:to|of|in)$", "", head)
        if not names_what_is_held(head, subject, is_label=bool(found["label"])):
            continue
        try:
            fact, length = next_fact(text[begin:], slots, subject)
        except NotMeant:
            continue
        if fact.conditions and (fact.means in _WRITTEN or found["label"]) and _BOUNDARY.match(text, begin + length):
            return [Fact(head), fact], begin + length, subject
    return None


def _demanded(text: str, subject: FactSubject) -> Condition | None:
    try:
        return read_demand(text, subject) if may_demand(text, subject) else None
    except NotMeant:
        return None


def _facts(text: str, slots: Mapping[str, str], subject: FactSubject) -> Iterator[tuple[Fact, int, FactSubject]]:
    """The facts that follow one another without a boundary, as long as they are understood. Raises: NotMeant."""
    scope, at, subject = _scope(text, slots, subject) if subject.is_listed else (FactScope(), 0, subject)
    if scope.joint == "only" and _BOUNDARY.match(text, at):
        yield replace(scope.applied(Fact(""), subject), said=text[:at]), at, subject
        return
    only = bool(_ONLY.match(text)) and not at
    at, found = _after(_ONLY, text, at) if only else at, False
    last, end = "", at
    while at < len(text):
        begin = _after(_AND, text, at)
        at = _after(_MUST, text, begin)
        is_said_of_some = scope.when is not None or (subject.is_listed and is_scoped(text[at:]))
        fact, length = next_fact(text[at:], slots, replace(subject, is_scoped=is_said_of_some))
        if last == "compared" and fact.means in _RELATED and not text[end:begin].strip():
            raise NotMeant("what the second limit is one of is not said")
        own, at = FactScope(), at + length
        if subject.is_listed:
            own, at, subject = scope_behind(text, at, subject)
        if only and own.joint == "if":
            own, only = replace(own, joint="only"), False
        if own.when is not None and scope.when is not None:
            raise NotMeant("of which rows it is said")
        if only and _BOUNDARY.match(text, at):
            raise NotMeant("only what")
        applied = (own if own.when is not None else scope).applied(fact, subject)
        yield replace(applied, said=text[begin if found else 0 : at]), at, subject
        found, last, end = True, fact.means, at


def _scope(text: str, slots: Mapping[str, str], subject: FactSubject) -> tuple[FactScope, int, FactSubject]:
    """The scope with which the text begins, where it ends, and the subject behind it; "if given, …" is a fact."""
    try:
        next_fact(text[_after(_MUST, text, _after(_ONLY, text, 0)) :], slots, replace(subject, is_scoped=True))
    except NotMeant:
        return scope_before(text, subject)
    return FactScope(), 0, subject


def _after(form: re.Pattern[str], text: str, at: int) -> int:
    found = form.match(text, at)
    return found.end() if found else at

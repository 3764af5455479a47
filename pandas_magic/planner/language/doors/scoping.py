"""Of which rows a fact is said: "when …", "unless …", "only if …", "if and only if …", "and there", "else"."""

import re
from dataclasses import dataclass, replace

from pandas_magic.constraints.algebra.conditions import (
    Any_,
    Compare,
    Condition,
    HasText,
    Matches,
    OneOf,
    Present,
    Unique,
)
from pandas_magic.planner.language.doors.fact_subject import FactSubject
from pandas_magic.planner.language.doors.facts import Fact
from pandas_magic.planner.language.doors.prose_facts import read_when
from pandas_magic.planner.language.doors.terms import NotMeant
from pandas_magic.planner.language.logic import all_of, any_of, opposite, unknown_without

_WHEN = r"if|when|where|whenever|once|for|as soon as|as long as|in case|with"
_JOINTS = rf"if,? and only if,?|iff|exactly (?:if|when)|unless|except (?:if|when|where|for)|(?:only )?(?:{_WHEN})"
# "Unique when given" says no more than that a missing value is not judged.
_KNOWN = r"(?!(?:it is )?(?:given|known|present|set|available|filled|provided|not null)\b)"
_JOINT = re.compile(rf"\s+(?P<joint>{_JOINTS})\s+{_KNOWN}", re.IGNORECASE)
_BEFORE = re.compile(rf"(?P<joint>(?:only )?(?:{_WHEN}|[a-z]+s with|unless))\s+{_KNOWN}", re.IGNORECASE)
_OTHERS = (
    r"otherwise|elsewhere|everywhere else|(?:for )?every(?:body|one) else|(?:in|for) (?:all |any |every |each |the )?"
    r"others?(?: \w+)?|until then|else"
)
_ELSE_BEHIND = re.compile(rf"\s+(?:{_OTHERS})(?!\w)", re.IGNORECASE)
_ELSE_BEFORE = re.compile(rf"(?:{_OTHERS}|other \w+)\b:?\s+", re.IGNORECASE)
_THEN_BEFORE = re.compile(r"(?:and )?(?:then|there|in (?:that|this) case)\s+", re.IGNORECASE)
_END = re.compile(r"\s*(?:[,;:|()]|\.\s|\s[–—-]\s|\s{2,}|\bthen\b|$)\s*")
_MAY_BE_MISSING = re.compile(r"null|empty|blank|missing|optional|left out", re.IGNORECASE)
_FILLED = re.compile(r"filled|\bset\b|present|given|populated|allowed|used", re.IGNORECASE)
_OF_A_VALUE = (Compare, OneOf, Matches, HasText)


@dataclass(frozen=True)
class FactScope:
    """How a fact depends on the rows that `when` chooses: "if", "unless", "only", "iff"; of all rows when None."""

    joint: str = ""
    when: Condition | None = None

    def applied(self, fact: Fact, subject: FactSubject) -> Fact:
        """The fact as it is said of these rows. Raises: NotMeant when that is not clear."""
        if self.when is None:
            lost = NotMeant("which the other rows are is not said")
            return replace(fact, failure=lost) if self.joint and fact.conditions else fact
        demand = all_of(fact.conditions) if fact.conditions else None
        if isinstance(demand, Unique):
            raise NotMeant("whether it is unique among these rows or among all")
        if self.joint == "else" and demand is None:
            return fact
        scoped = self._scoped(demand, fact.said, subject)
        chosen = {"if": self.when, "unless": opposite(self.when)}.get(self.joint, self.when)
        plain = (chosen, demand) if demand is not None and self.joint in ("if", "unless") else None
        return replace(fact, conditions=(scoped,), scope=plain or (scoped, scoped))

    def _scoped(self, demand: Condition | None, said: str, subject: FactSubject) -> Condition:
        assert self.when is not None
        present = Present(of=subject.of)
        if self.joint == "only" and demand in (None, present) and _MAY_BE_MISSING.search(said):
            return any_of((_surely(self.when), present))
        if self.joint == "only" and (not said or (demand in (None, present) and _FILLED.search(said))):
            return any_of((_surely(self.when), opposite(present)))
        if demand is None or (self.joint == "only" and demand != present):
            raise NotMeant(f"what {said!r} asks of the other rows")
        if self.joint == "unless":
            return any_of((self.when, demand))
        if self.joint == "else":
            return any_of((_surely(self.when), demand))
        held = any_of((opposite(self.when), demand))
        if self.joint != "iff":
            return held
        if not isinstance(demand, (Present, Compare)):
            raise NotMeant("when exactly it holds")
        return all_of((held, any_of((_surely(self.when), opposite(demand)))))


def _surely(when: Condition) -> Condition:
    """The condition, false where it is unknown: "everywhere else" is also where nothing is said."""
    parts = when.conditions if isinstance(when, Any_) else (when,)
    told = [node.left if isinstance(node, Compare) else node.of for node in parts if isinstance(node, _OF_A_VALUE)]
    return all_of((*(Present(of=of) for of in told if unknown_without(when, of)), when))


def scope_before(text: str, subject: FactSubject) -> tuple[FactScope, int, FactSubject]:
    """What the words at the beginning say of the rows that follow, and where they end. Raises: NotMeant."""
    for form, joint in ((_ELSE_BEFORE, "else"), (_THEN_BEFORE, "if")):
        found = form.match(text)
        if found:
            return _referring(joint, subject), found.end(), subject
    found = _BEFORE.match(text)
    return _read(found, text, subject) if found else (FactScope(), 0, subject)


def scope_behind(text: str, at: int, subject: FactSubject) -> tuple[FactScope, int, FactSubject]:
    """What the words behind a fact say of its rows, and where they end. Raises: NotMeant."""
    found = _ELSE_BEHIND.match(text, at)
    if found:
        return _referring("else", subject), found.end(), subject
    found = _JOINT.match(text, at)
    return _read(found, text, subject) if found else (FactScope(), at, subject)


def is_scoped(text: str) -> bool:
    """Whether something in the text says of which rows it speaks."""
    return bool(_JOINT.search(text) or _ELSE_BEHIND.search(text))


def speaks_of_some(text: str) -> bool:
    """Whether the words begin or end with rows of which they speak."""
    return is_scoped(text) or any(form.match(text) for form in (_ELSE_BEFORE, _THEN_BEFORE, _BEFORE))


def _referring(joint: str, subject: FactSubject) -> FactScope:
    """Like "else", which are the rows that no condition before has chosen. Raises: NotMeant when there is none."""
    if not subject.scopes and joint == "else":
        return FactScope(joint)
    if not subject.scopes:
        raise NotMeant("which rows these are is not said")
    return FactScope(joint, any_of(subject.scopes) if joint == "else" else subject.scopes[-1])


def _read(found: re.Match[str], text: str, subject: FactSubject) -> tuple[FactScope, int, FactSubject]:
    """The condition behind the joint, the longest that is understood."""
    said = re.sub(r"\W+", " ", found["joint"].lower()).strip()
    joint = (
        "iff" if "and only if" in said or said.startswith(("iff", "exactly"))
        else "unless" if said.startswith(("unless", "except")) else "only" if said.startswith("only") else "if"
    )  # fmt: skip
    rows = re.sub(rf"(?:only )?(?:{_JOINTS})?", "", found["joint"], flags=re.IGNORECASE) and found["joint"]
    failure = NotMeant("when is not said")
    for end in reversed(list(_END.finditer(text, found.end()))):
        condition = text[found.end() : end.start()]
        if not condition or is_scoped(f" {condition}"):
            continue
        try:
            when = read_when(f"{rows} {condition}".strip() if joint == "if" and rows else condition, subject)
        except NotMeant as error:
            failure = error
            continue
        chosen = opposite(when) if joint == "unless" else when
        there = end.end() if text[end.start() : end.end()].strip() in (":", "then") else end.start()
        return FactScope(joint, when), there, replace(subject, scopes=(*subject.scopes, chosen))
    raise failure

"""What the facts of one line say of one another: which are left open by another, and which say nothing beside it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pandas_magic.constraints.algebra.conditions import Compare, Condition, HasText, Matches, OneOf, Present
from pandas_magic.constraints.algebra.expressions import Column, Value
from pandas_magic.constraints.algebra.tree import conjuncts, nodes
from pandas_magic.planner.language.doors.facts import Fact
from pandas_magic.planner.language.doors.illustrations import illustrates, is_example
from pandas_magic.planner.language.doors.terms import NotMeant
from pandas_magic.planner.language.logic import all_of
from pandas_magic.record import Record

_OPTIONAL = re.compile(
    r"optional|nullable|(?:not|never) (?:required|mandatory|compulsory|obligatory|necessary|needed)", re.IGNORECASE
)
_SCOPED = re.compile(r"\s*(?:if|when|where|for|in case)\b", re.IGNORECASE)
_NUMBERS = re.compile(r"\s*\d+(?:\s*(?:,|/|\||or|and)\s*\d+)*\s*")
_BLANKS = re.compile(r"no blanks?", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\([^()]*\b(?:only|except|unless|if|when|must|never)\b[^()]*\)", re.IGNORECASE)
# Facts of the form of a whole text: what is made of two of them is not said.
_FORMS = frozenset({"shape", "template", "calendar day", "pattern", "format", "starts with shape", "ends with shape"})
# Facts that say what the texts look like, so that "char(9)" beside them is only the width of the column.
FORMED = _FORMS | {
    "one of", "listed", "labelled", "references", "value", "digits from to", "codes from to", "length ==",
    "letters left out",
}  # fmt: skip
# Facts of what is no free text: a code of a fixed width has that many characters.
CODES = frozenset({"key", "unique", "references"})
_ORDERING = ("<", "<=", ">", ">=")
# A template whose signs are those of a day that is not written as ISO 8601 has it: "dd/mm/yyyy".
_DAY = re.compile(r"(?!yyyy-mm-dd$)(?=.*d)(?=.*m)(?=.*y)[dmy./ -]+", re.IGNORECASE)


def judged(found: Sequence[Fact], of: Column) -> Iterator[Fact]:
    """The facts of a line about a column; one that another leaves open with the failure that says why."""
    forms = [fact for fact in found if fact.scope is None and _is_form(fact)]
    may_lack = any(_OPTIONAL.match(fact.said.strip()) for fact in found)
    # One of two templates does not show the other, or neither would be left.
    shown = {
        fact.said: _patterns([form for form in forms if form is not fact and {form.means, fact.means} != {"template"}])
        for fact in found
    }
    formed = forms and (may_lack or any(fact.scope is not None for fact in found))
    for at, fact in enumerate(found):
        if fact.means == "not blank" and formed and _BLANKS.fullmatch(fact.said.strip()):
            fact = Fact(fact.said, means="nothing")  # the form has no blanks in it
        fact = _beside_forms(fact, shown[fact.said])
        clashes = fact in forms and any(
            form.conditions != fact.conditions and form is not fact and not _is_shown_again(form, shown[form.said])
            for form in forms
        )
        failure = NotMeant("several forms of one text") if clashes else _left_open(fact, found, of)
        rows = _of_which_rows(fact, found[:at], of)
        if failure is not None or rows is not None:
            yield Fact(fact.said, failure=failure) if failure is not None else replace(fact, failure=rows)
        else:
            yield _doubted(_as_written(fact, found), may_lack=may_lack)


def _beside_forms(fact: Fact, forms: Sequence[str]) -> Fact:
    """The fact, as nothing where it only shows one of the forms told besides; an example of none of them in doubt."""
    is_shown = any(illustrates(fact.said, form) for form in forms)
    # One value of a form that is told in words would leave nothing of the form.
    is_one = fact.means == "listed" and [type(condition) for condition in fact.conditions] == [Compare]
    is_open = fact.means == "template" or is_one or (fact.failure is not None and not fact.conditions)
    if is_shown and is_open:
        return Fact(fact.said, means="nothing")
    if forms and not is_shown and fact.failure is None and is_example(fact.said):
        return Fact(fact.said, failure=NotMeant("the example is of another form"))
    return fact


def _is_shown_again(fact: Fact, forms: Sequence[str]) -> bool:
    return _beside_forms(fact, forms).means == "nothing"


def _patterns(forms: Sequence[Fact]) -> list[str]:
    return [
        part.pattern
        for fact in forms
        for found in fact.conditions
        for part in conjuncts(found)
        if isinstance(part, Matches)
    ]


def _of_which_rows(fact: Fact, before: Sequence[Fact], of: Column) -> NotMeant | None:
    """Why it is open of which rows the fact is said; None where it is not."""
    if fact.scope is not None and before and _is_limit(fact.scope[1], of) and _is_limited_alone(before[-1], of):
        return NotMeant("whether the limit before it is of these rows alone, too, is not said")
    if before and fact.conditions and fact.scope is None and _begins_with_scope(before[0]):
        return NotMeant("whether it is said of all rows is not said")
    return None


def _left_open(fact: Fact, found: Sequence[Fact], of: Column) -> NotMeant | None:
    """Why the facts beside it leave open what it says; None where they do not."""
    others = [other for other in found if other is not fact]
    is_bounded = any(_is_bound(other) for other in others)
    if is_bounded and fact.means in ("listed", "value") and _is_one_number(fact, of):
        return NotMeant("whether the number is a limit like the one beside it is not said")
    if is_bounded and fact.means == "labelled" and not _of_texts(fact):
        return NotMeant("whether only the explained numbers are allowed is not said")
    if _NUMBERS.fullmatch(fact.said) and any(other.means == "length ==" for other in others):
        return NotMeant("whether these are lengths, too, is not said")
    if fact.means in ("upper case", "lower case") and any(_is_of_digits(other) for other in others):
        return NotMeant("digits are neither capital nor small")
    if fact.scope is not None and any(_is_looser(fact.scope[1], other, of) for other in others):
        return NotMeant("what is said of all rows leaves nothing to these")
    if fact.means == "type date" and any(_DAY.fullmatch(_template(other)) for other in others):
        return NotMeant("only texts such as 2026-03-31 are read as dates")
    return None


def _is_limit(demand: Condition, of: Column) -> bool:
    return any(True for _ in _limits(demand, of))


def _is_limited_alone(fact: Fact, of: Column) -> bool:
    return fact.scope is None and any(_is_limit(condition, of) for condition in fact.conditions)


def _begins_with_scope(fact: Fact) -> bool:
    return fact.scope is not None and bool(_SCOPED.match(fact.said))


def _is_of_digits(fact: Fact) -> bool:
    return any(isinstance(node, Matches) and node.format == "digits" for node in _every_node(fact))


def _every_node(fact: Fact) -> Iterator[Record]:
    return (node for condition in fact.conditions for node in nodes(condition))


def _is_bound(fact: Fact) -> bool:
    """Whether the fact is a limit in the order of numbers or days."""
    return any(isinstance(node, Compare) and node.relation in _ORDERING for node in _every_node(fact))


def _is_one_number(fact: Fact, of: Column) -> bool:
    return any(isinstance(node, Compare) and node.relation == "==" and node.left == of for node in _every_node(fact))


def _is_looser(demand: Condition, other: Fact, of: Column) -> bool:
    """Whether it lets through in some rows what the other fact lets through of no row, as an exception does."""
    if other.scope is not None:
        return False
    allowed, listed = _values(all_of(other.conditions), of) if other.conditions else set(), _values(demand, of)
    if allowed and not listed <= allowed:
        return True
    limits = [pair for condition in other.conditions for pair in _limits(condition, of)]
    return any(
        relation[0] == sign[0] and (number < limit if relation[0] == ">" else number > limit)
        for relation, number in _limits(demand, of)
        for sign, limit in limits
    )


def _values(demand: Condition, of: Column) -> set[object]:
    match demand:
        case OneOf(of=subject, values=values) if subject == of:
            return set(values)
        case Compare(relation="==", left=subject, right=Value(value=value)) if subject == of:
            return {value}
    return set()


def _limits(demand: Condition, of: Column) -> Iterator[tuple[str, float]]:
    for part in conjuncts(demand):
        if not isinstance(part, Compare) or part.relation not in _ORDERING or part.left != of:
            continue
        if isinstance(part.right, Value) and isinstance(part.right.value, (int, float)):
            yield part.relation, part.right.value


def _of_texts(fact: Fact) -> bool:
    values = [node for node in _every_node(fact) if isinstance(node, (OneOf, Value))]
    said = [one for node in values for one in (node.values if isinstance(node, OneOf) else (node.value,))]
    return any(isinstance(value, str) for value in said)


def _template(fact: Fact) -> str:
    return fact.said.strip().strip("'") if fact.means == "template" else ""


def _as_written(fact: Fact, found: Sequence[Fact]) -> Fact:
    """A case that is said of listed values says only how they are written."""
    listed = [node for other in found for node in other.conditions if isinstance(node, OneOf)]
    if fact.means not in ("upper case", "lower case") or not listed or fact.scope is not None:
        return fact
    written = [str(value) for node in listed for value in node.values]
    if all(value == (value.upper() if fact.means == "upper case" else value.lower()) for value in written):
        return Fact(fact.said, means="nothing")
    return Fact(fact.said, failure=NotMeant("the listed values are written otherwise"))


def _doubted(fact: Fact, *, may_lack: bool) -> Fact:
    """The fact, as a question when it asks for a value that may be missing, or brackets within may demand something."""
    wanted = any(isinstance(part, Present) for found in fact.conditions for part in conjuncts(found))
    if may_lack and wanted:
        return replace(fact, failure=NotMeant("the line says too that it may be missing"))
    if fact.means == "computed" and "/" in fact.said and not any(_is_near(found) for found in fact.conditions):
        return replace(fact, failure=NotMeant("how a quotient is rounded is not said"))
    if fact.conditions and _IN_BRACKETS.search(fact.said):
        return replace(fact, failure=NotMeant("what stands in brackets may demand something"))
    return fact


def _is_near(found: Condition) -> bool:
    return isinstance(found, Compare) and found.within is not None


def _is_form(fact: Fact) -> bool:
    patterns = fact.means == "prose" and any(isinstance(found, (Matches, HasText)) for found in fact.conditions)
    return patterns or fact.means in _FORMS

"""What each kind of fact demands of its column. A maker yields conditions, or raises when the column cannot be so."""

import re
from collections.abc import Iterable

from pandas_magic.constraints.algebra.conditions import (
    Compare,
    Condition,
    Matches,
    OneOf,
    Parses,
    Present,
    Unique,
)
from pandas_magic.constraints.algebra.expressions import (
    Arithmetic,
    Column,
    Expression,
    Folded,
    Now,
    ReadAs,
    Span,
    TextLength,
    Value,
)
from pandas_magic.constraints.types.named_formats import FORMATS
from pandas_magic.planner.language.doors.conditions import read_condition
from pandas_magic.planner.language.doors.descriptions import demands
from pandas_magic.planner.language.doors.fact_subject import FactSubject, Maker, Match
from pandas_magic.planner.language.doors.meaning import TextsInOrder
from pandas_magic.planner.language.doors.number_fact_makers import NUMBER_MAKERS, NUMBERS, related
from pandas_magic.planner.language.doors.slots import number_of
from pandas_magic.planner.language.doors.terms import NotMeant
from pandas_magic.planner.language.doors.text_fact_makers import TEXT_MAKERS
from pandas_magic.planner.language.doors.times import in_time
from pandas_magic.planner.language.doors.value_lists import codes, listed_values
from pandas_magic.planner.language.doors.values import fitted
from pandas_magic.planner.language.logic import opposite

_CENT = "0.01"
_RELATIONS = {
    "≤": "<=", "≥": ">=", "=": "==", "before": "<", "after": ">", "not before": ">=", "not after": "<=",
    "on or after": ">=", "on or before": "<=", "at or after": ">=", "at or before": "<=", "at most": "<=",
    "at least": ">=", "never before": ">=", "never after": "<=", "not earlier than": ">=", "not later than": "<=",
    "no later than": "<=", "no earlier than": ">=", "later than": ">", "earlier than": "<", "not greater than": "<=",
    "not less than": ">=", "not more than": "<=", "greater than or equal to": ">=", "less than or equal to": "<=",
    "greater than": ">", "less than": "<", "more than": ">", "same as": "==", "equal": "==", "equals": "==",
    "equal to": "==", "equals to": "==", "different from": "!=", "not equal to": "!=", "not the same as": "!=",
    "min": ">=", "minimum": ">=", "max": "<=", "maximum": "<=", "up to": "<=", "since": ">=", "from": ">=",
    "at the earliest": ">=", "or later": ">=", "at the latest": "<=", "or earlier": "<=",
}  # fmt: skip


def _present(match: Match, subject: FactSubject) -> Iterable[Condition]:
    yield Present(of=subject.of)


def _not_empty(match: Match, subject: FactSubject) -> Iterable[Condition]:
    yield Present(of=subject.of)
    if subject.kind == "text":
        yield related("!=", subject.of, Value(value=""))


def _not_blank(match: Match, subject: FactSubject) -> Iterable[Condition]:
    yield Present(of=subject.of)
    if subject.kind == "text":
        yield related("!=", Folded(of=subject.of, fold="space"), Value(value=""))


def _nothing(match: Match, subject: FactSubject) -> Iterable[Condition]:
    if not subject.is_listed:
        raise NotMeant("a sentence that demands nothing")
    return ()


def _missing(match: Match, subject: FactSubject) -> Iterable[Condition]:
    if not subject.is_scoped:
        raise NotMeant("of which rows it is said")
    yield opposite(Present(of=subject.of))


def _value(match: Match, subject: FactSubject) -> Iterable[Condition]:
    if not subject.is_scoped:
        raise NotMeant("of which rows it is said")
    yield _among(subject, listed_values(match["value"], subject.names, subject.of, announced=True))


def _remark(match: Match, subject: FactSubject) -> Iterable[Condition]:
    if demands(re.sub(r"^[\w.]+[ :=]+(?:not|never|no)?\b", "", match[0])):
        raise NotMeant("a remark that may demand something")
    return _nothing(match, subject)


def _duty(match: Match, subject: FactSubject) -> Iterable[Condition]:
    """A cell M or O, as old systems say that a value is mandatory, or optional."""
    if not subject.in_cells or match[0] in subject.names.values(subject.of):
        raise NotMeant(f"whether {match[0]} is mandatory, optional or a value is not said")
    return (Present(of=subject.of),) if match[0] == "M" else ()


def _unit(match: Match, subject: FactSubject) -> Iterable[Condition]:
    if match[0].strip() == "M":
        raise NotMeant("metres, or mandatory")
    subject.needs(*NUMBERS)
    return ()


def _key(match: Match, subject: FactSubject) -> Iterable[Condition]:
    yield from (Unique(by=(subject.of,)), Present(of=subject.of))


def _unique(match: Match, subject: FactSubject) -> Iterable[Condition]:
    yield Unique(by=(subject.of,))


def _unique_per(match: Match, subject: FactSubject) -> Iterable[Condition]:
    others = [_other(match[slot], subject) for slot in ("col", "col2") if match[slot]]
    if not all(isinstance(other, Column) for other in others):
        raise NotMeant("unique per a column of another table")
    yield Unique(by=(subject.of, *others))


def _type(kind: str, *trivial: str) -> Maker:
    def make(match: Match, subject: FactSubject) -> Iterable[Condition]:
        if subject.kind not in trivial or subject.is_read:
            yield Parses.model_validate({"of": subject.of, "type": kind})
        if kind == "date" and (subject.is_read or subject.kind == "text") and "yyyy" in match[0].lower():
            yield Matches(of=subject.of, pattern=FORMATS["ISO date"].pattern, format="ISO date")

    return make


def _text_type(match: Match, subject: FactSubject) -> Iterable[Condition]:
    if subject.kind not in ("text", "mixed") and not subject.is_read:
        raise NotMeant(f"{subject.column} holds no texts")
    return ()


def _boolean_type(match: Match, subject: FactSubject) -> Iterable[Condition]:
    if subject.kind != "boolean":
        raise NotMeant(f"{subject.column} does not hold true and false; list its values")
    return ()


def _length(relation: str) -> Maker:
    def make(match: Match, subject: FactSubject) -> Iterable[Condition]:
        yield related(relation, TextLength(of=subject.needs("text")), Value(value=_whole(match["n"])))

    return make


def _length_between(match: Match, subject: FactSubject) -> Iterable[Condition]:
    length, low, high = TextLength(of=subject.needs("text")), _whole(match["n"]), _whole(match["m"])
    if low > high:
        raise NotMeant("the bounds are the wrong way round")
    yield from (related(">=", length, Value(value=low)), related("<=", length, Value(value=high)))


def _fixed_width(match: Match, subject: FactSubject) -> Iterable[Condition]:
    length = TextLength(of=subject.needs("text"))
    yield related("<=" if subject.is_formed else "==", length, Value(value=_whole(match["n"] or match["n2"])))


def _compared(match: Match, subject: FactSubject) -> Iterable[Condition]:
    left, right = in_time(subject.of, _other(match["col"], subject), subject.names)
    relation = relation_of(match["relation"])
    if {subject.kind, subject.names.kind(right)} == {"text"} and relation not in ("==", "!="):
        left, right = _by_content(left, subject), _by_content(right, subject)
    yield related(relation, left, Arithmetic(sign="-", left=Value(value=0), right=right) if match["minus"] else right)


def _by_content(of: Expression, subject: FactSubject) -> Expression:
    """The texts as the dates or numbers that they are. Raises: TextsInOrder when they are neither."""
    kind = subject.names.tables[subject.names.target].read_as.get(of.name) if isinstance(of, Column) else None
    if kind is None:
        raise TextsInOrder(f"{subject.column} is compared with texts by their order")
    return ReadAs(of=of, type=kind)


def _as_date(subject: FactSubject) -> Expression:
    return _by_content(subject.of, subject) if subject.kind == "text" else subject.needs("datetime")


def _days_apart(match: Match, subject: FactSubject) -> Iterable[Condition]:
    other = _as_date(FactSubject(subject.names, match["col"].split(".")[-1]))
    unit = next(unit for unit in ("days", "weeks", "months", "years") if unit.startswith(match["unit"].lower()))
    sign = "+" if match["sign"] in ("+", "plus") else "-"
    moved = Arithmetic(sign=sign, left=other, right=Span(amount=_whole(match["n"]), unit=unit))
    yield related(_RELATIONS[(match["bound"] or "equals").lower()], _as_date(subject), moved)


def _computed(match: Match, subject: FactSubject) -> Iterable[Condition]:
    said = match["expr"]
    for word, sign in (("plus", "+"), ("minus", "-"), ("less", "-"), ("times", "*"), ("divided by", "/")):
        said = re.sub(rf"\b{word}\b", sign, said)
    found = read_condition(f"`{subject.column}` = {said}", subject.names)
    within = number_of(match["n"] or (_CENT if match.groupdict().get("cents") else "0"))
    yield found.model_copy(update={"within": float(within)}) if within and isinstance(found, Compare) else found


def relation_of(said: str) -> str:
    """The sign that a relation's words stand for."""
    plain = re.sub(r"\s+", " ", said.strip().lower())
    return "<=" if plain.endswith(("exceed", "exceeds")) else _RELATIONS.get(plain, plain)


def _dated(relation: str, *, midnight: bool = False) -> Maker:
    def make(match: Match, subject: FactSubject) -> Iterable[Condition]:
        yield related(relation, _as_date(subject), Now(midnight=midnight))

    return make


def _since(match: Match, subject: FactSubject) -> Iterable[Condition]:
    moment = fitted(match["date"], subject.names, subject.needs("datetime", "text"))
    yield related(relation_of(match["relation"]), _as_date(subject), moment)


def _references(match: Match, subject: FactSubject) -> Iterable[Condition]:
    keys = (match["key"].replace(" ", "_"),) if match["key"] else ()
    yield subject.names.reference([(subject.column,)], match["table"].replace(" ", "_"), keys)


def _one_of(match: Match, subject: FactSubject) -> Iterable[Condition]:
    yield _among(subject, listed_values(match["values"], subject.names, subject.of, announced=True))


def _listed(match: Match, subject: FactSubject) -> Iterable[Condition]:
    if subject.in_cells and not re.search(r"[,|/;]| or |\S \S+ \S", match["values"]) and not subject.is_scoped:
        raise NotMeant("a value alone, which may be an example")
    if re.fullmatch(r"[\d.,]+\s*", match["values"]) and subject.is_listed and not subject.is_scoped:
        raise NotMeant("a number alone")
    if subject.kind in NUMBERS and re.match(r"[\[(]|\S+ and \S+\s*$", match["values"]):
        raise NotMeant("two values, or all between them")
    values = listed_values(match["values"], subject.names, subject.of, announced=match["values"].startswith("{"))
    known = subject.names.values(subject.of)
    if not subject.is_listed and known and not all(value in known for value in values) and "'" not in match[0]:
        raise NotMeant("values that do not occur in the column")
    yield _among(subject, values)


def _labelled(match: Match, subject: FactSubject) -> Iterable[Condition]:
    values = re.findall(r"(?:^|[,;\s])\s*('[^']+'|[\w.+-]+)\s*(?:=|:)", match["labels"])
    known = subject.names.values(subject.of)
    if known and set(known).isdisjoint(value.strip("'") for value in values):
        raise NotMeant("codes of which the column holds none")
    yield _among(subject, codes(listed_values(" | ".join(values), subject.names, subject.of, announced=True)))


def _none_of(match: Match, subject: FactSubject) -> Iterable[Condition]:
    yield opposite(_among(subject, listed_values(match["values"], subject.names, subject.of, announced=True)))


def _among(subject: FactSubject, values: tuple[bool | int | float | str, ...]) -> Condition:
    if len(values) == 1:
        return related("==", subject.of, Value(value=values[0]))
    return OneOf(of=subject.of, values=values)


def _other(said: str, subject: FactSubject) -> Expression:
    return subject.names.value(tuple(part.strip() for part in said.split(".")))


def _whole(said: str) -> int:
    number = number_of(said)
    if not isinstance(number, int):
        raise NotMeant("a length that is no whole number")
    return number


MAKERS: dict[str, Maker] = {
    "present": _present, "not empty": _not_empty, "not blank": _not_blank,
    "nothing": _nothing, "remark": _remark, "duty": _duty, "unit": _unit, "key": _key, "unique": _unique,
    "unique per": _unique_per,
    "type integer": _type("integer", "integer"),
    "type date": _type("date", "datetime"), "type text": _text_type, "type boolean": _boolean_type,
    "length <=": _length("<="), "length >=": _length(">="), "length ==": _length("=="),
    "length between": _length_between, "fixed width": _fixed_width,
    "compared": _compared, "computed": _computed,
    "days apart": _days_apart,
    "not in the future": _dated("<="), "in the future": _dated(">"), "in the past": _dated("<"),
    "until today": _dated("<=", midnight=True), "not in the past": _dated(">=", midnight=True), "dated": _since,
    "references": _references, "one of": _one_of, "listed": _listed, "labelled": _labelled,
    "none of": _none_of, "missing": _missing, "value": _value,
    **NUMBER_MAKERS, **TEXT_MAKERS,
}  # fmt: skip

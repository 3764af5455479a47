"""What each kind of fact demands of its column. A maker yields conditions, or raises when the column cannot be so."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pandas_magic.constraints.algebra.conditions import (
    Compare,
    Condition,
    HasText,
    Matches,
    OneOf,
    Parses,
    Present,
    Unique,
)
from pandas_magic.constraints.algebra.expressions import Column, Expression, Folded, Moment, Now, TextLength, Value
from pandas_magic.constraints.types.named_formats import FORMATS
from pandas_magic.planner.language.doors.conditions import read_condition
from pandas_magic.planner.language.doors.meaning import TextsInOrder, whole_pattern
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.slots import FORMAT_NAMES, number_of
from pandas_magic.planner.language.doors.terms import NotMeant
from pandas_magic.planner.language.doors.text_shapes import shape_pattern, template_pattern
from pandas_magic.planner.language.doors.value_lists import listed_values
from pandas_magic.planner.language.doors.values import fitted
from pandas_magic.planner.language.logic import any_of, opposite

Match = re.Match[str]
Maker = Callable[[Match, "Subject"], Iterable[Condition]]
_NUMBERS = ("integer", "number")
_RELATIONS = {
    "≤": "<=", "≥": ">=", "=": "==", "before": "<", "after": ">", "not before": ">=", "not after": "<=",
    "on or after": ">=", "on or before": "<=", "at or after": ">=", "at or before": "<=", "at most": "<=",
    "at least": ">=", "never before": ">=", "never after": "<=", "not earlier than": ">=", "not later than": "<=",
    "no later than": "<=", "no earlier than": ">=", "later than": ">", "earlier than": "<", "not greater than": "<=",
    "not less than": ">=", "not more than": "<=", "greater than or equal to": ">=", "less than or equal to": "<=",
    "greater than": ">", "less than": "<", "more than": ">", "same as": "==", "equal": "==", "equals": "==",
    "equal to": "==", "equals to": "==", "different from": "!=", "not equal to": "!=", "not the same as": "!=",
    "since": ">=", "from": ">=",
}  # fmt: skip
_INSIDE = {
    "space": " ", "spaces": " ", "whitespace": r"\s", "blanks": " ", "digit": "0-9", "digits": "0-9", "numbers": "0-9",
    "letters": "A-Za-z", "hyphen": "-", "hyphens": "-", "dashes": "-", "comma": ",", "commas": ",",
    "special characters": "",
}  # fmt: skip


@dataclass(frozen=True)
class Subject:
    """The column of which a line states facts, in its tables."""

    names: Names
    column: str
    is_listed: bool = True  # behind a colon or the like, not behind "must be" in a sentence

    @property
    def of(self) -> Column:
        """The column as an expression."""
        return Column(name=self.column)

    @property
    def kind(self) -> str | None:
        """What kind of values it holds."""
        return self.names.kind(self.of)

    def needs(self, *kinds: str) -> Column:
        """The column. Raises: NotMeant when it holds other kinds of values."""
        if self.kind not in kinds:
            raise NotMeant(f"{self.column} holds {self.kind}")
        return self.of


def _present(match: Match, subject: Subject) -> Iterable[Condition]:
    yield Present(of=subject.of)


def _not_empty(match: Match, subject: Subject) -> Iterable[Condition]:
    yield Present(of=subject.of)
    if subject.kind == "text":
        yield _related("!=", subject.of, Value(value=""))


def _not_blank(match: Match, subject: Subject) -> Iterable[Condition]:
    yield Present(of=subject.of)
    if subject.kind == "text":
        yield _related("!=", Folded(of=subject.of, fold="space"), Value(value=""))


def _nothing(match: Match, subject: Subject) -> Iterable[Condition]:
    if not subject.is_listed:
        raise NotMeant("a sentence that demands nothing")
    return ()


def _key(match: Match, subject: Subject) -> Iterable[Condition]:
    yield from (Unique(by=(subject.of,)), Present(of=subject.of))


def _unique(match: Match, subject: Subject) -> Iterable[Condition]:
    yield Unique(by=(subject.of,))


def _unique_per(match: Match, subject: Subject) -> Iterable[Condition]:
    others = [_other(match[slot], subject) for slot in ("col", "col2") if match[slot]]
    if not all(isinstance(other, Column) for other in others):
        raise NotMeant("unique per a column of another table")
    yield Unique(by=(subject.of, *others))


def _type(kind: str, *trivial: str) -> Maker:
    def make(match: Match, subject: Subject) -> Iterable[Condition]:
        if subject.kind not in trivial:
            yield Parses.model_validate({"of": subject.of, "type": kind})

    return make


def _text_type(match: Match, subject: Subject) -> Iterable[Condition]:
    if subject.kind not in ("text", "mixed"):
        raise NotMeant(f"{subject.column} holds no texts")
    return ()


def _boolean_type(match: Match, subject: Subject) -> Iterable[Condition]:
    if subject.kind != "boolean":
        raise NotMeant(f"{subject.column} does not hold true and false; list its values")
    return ()


def _length(relation: str) -> Maker:
    def make(match: Match, subject: Subject) -> Iterable[Condition]:
        yield _related(relation, TextLength(of=subject.needs("text")), Value(value=_whole(match["n"])))

    return make


def _length_between(match: Match, subject: Subject) -> Iterable[Condition]:
    length, low, high = TextLength(of=subject.needs("text")), _whole(match["n"]), _whole(match["m"])
    if low > high:
        raise NotMeant("the bounds are the wrong way round")
    yield from (_related(">=", length, Value(value=low)), _related("<=", length, Value(value=high)))


def _fixed_width(match: Match, subject: Subject) -> Iterable[Condition]:
    raise NotMeant(f"say whether {subject.column} has exactly or at most {match['n']} characters")


def _number(relation: str, number: int | None = None) -> Maker:
    def make(match: Match, subject: Subject) -> Iterable[Condition]:
        limit = number_of(match["n"]) if number is None else number
        yield _related(relation, subject.needs(*_NUMBERS), Value(value=limit))
        yield from _whole_too(match, subject)

    return make


def _whole_too(match: Match, subject: Subject) -> Iterable[Condition]:
    """What "positive integer" and "integer 1-5" demand besides, of a column that may hold fractions."""
    if subject.kind == "number" and re.search(r"\b(?:int|integer|whole number)\b", match[0], re.IGNORECASE):
        yield Parses(of=subject.of, type="integer")


def _between(match: Match, subject: Subject) -> Iterable[Condition]:
    low, high = number_of(match["n"]), number_of(match["m"])
    if low >= high:
        raise NotMeant("the bounds are the wrong way round")
    of = subject.needs(*_NUMBERS)
    yield from (_related(">=", of, Value(value=low)), _related("<=", of, Value(value=high)))
    yield from _whole_too(match, subject)


def _compared(match: Match, subject: Subject) -> Iterable[Condition]:
    other = _other(match["col"], subject)
    kinds = {subject.kind, subject.names.kind(other)}
    relation = relation_of(match["relation"])
    if kinds == {"text"} and relation not in ("==", "!="):
        raise TextsInOrder(f"{subject.column} is compared with texts by their order")
    yield _related(relation, subject.of, other)


def _computed(match: Match, subject: Subject) -> Iterable[Condition]:
    yield read_condition(f"`{subject.column}` = {match['expr']}", subject.names)


def relation_of(said: str) -> str:
    """The sign that a relation's words stand for."""
    plain = re.sub(r"\s+", " ", said.strip().lower())
    return "<=" if plain.endswith(("exceed", "exceeds")) else _RELATIONS.get(plain, plain)


def _dated(relation: str, *, midnight: bool = False) -> Maker:
    def make(match: Match, subject: Subject) -> Iterable[Condition]:
        if subject.kind == "text":
            raise TextsInOrder(f"{subject.column} holds texts")
        yield _related(relation, subject.needs("datetime"), Now(midnight=midnight))

    return make


def _since(match: Match, subject: Subject) -> Iterable[Condition]:
    if subject.kind == "text":
        raise TextsInOrder(f"{subject.column} holds texts")
    moment = fitted(match["date"], subject.names, subject.needs("datetime"))
    assert isinstance(moment, Moment)
    yield _related(relation_of(match["relation"]), subject.of, moment)


def _references(match: Match, subject: Subject) -> Iterable[Condition]:
    keys = (match["key"].replace(" ", "_"),) if match["key"] else ()
    yield subject.names.reference([(subject.column,)], match["table"].replace(" ", "_"), keys)


def _one_of(match: Match, subject: Subject) -> Iterable[Condition]:
    yield _among(subject, listed_values(match["values"], subject.names, subject.of, announced=True))


def _listed(match: Match, subject: Subject) -> Iterable[Condition]:
    if subject.kind == "number" and match["values"].startswith(("[", "(")):
        raise NotMeant("two values, or all between them")
    values = listed_values(match["values"], subject.names, subject.of, announced=False)
    known = subject.names.values(subject.of)
    if not subject.is_listed and known and not all(value in known for value in values) and "'" not in match[0]:
        raise NotMeant("values that do not occur in the column")
    yield _among(subject, values)


def _none_of(match: Match, subject: Subject) -> Iterable[Condition]:
    yield opposite(_among(subject, listed_values(match["values"], subject.names, subject.of, announced=True)))


def _among(subject: Subject, values: tuple[bool | int | float | str, ...]) -> Condition:
    if len(values) == 1:
        return _related("==", subject.of, Value(value=values[0]))
    return OneOf(of=subject.of, values=values)


def _letters(match: Match, subject: Subject) -> Iterable[Condition]:
    first, last = match["first"].upper(), match["last"].upper()
    if not match[0].rstrip().endswith(last) or first >= last:
        raise NotMeant("no letters from one to another")
    letters = tuple(chr(code) for code in range(ord(first), ord(last) + 1))
    yield OneOf(of=subject.needs("text"), values=letters)


def _format(match: Match, subject: Subject) -> Iterable[Condition]:
    name = FORMAT_NAMES[re.sub(r"[\s_]+", " ", match["format"].lower())]
    if name in ("upper case", "lower case"):
        raise NotMeant("a case is no format here")
    yield Matches(of=subject.needs("text", "mixed"), pattern=FORMATS[name].pattern, format=name)


def _pattern(match: Match, subject: Subject) -> Iterable[Condition]:
    said = match["regex"].removeprefix("r") if match["regex"][:2] in ("r'", 'r"') else match["regex"]
    inner = said[1:-1] if said[0] in "/'\"`" and said[-1] == said[0] else said
    inner = inner.replace("\\/", "/")
    if not re.search(r"[\[\\^$*+?{.|(]", inner):
        raise NotMeant("a pattern that is a plain text")
    yield Matches(of=subject.needs("text", "mixed"), pattern=whole_pattern(inner, "fits"))


def _template(match: Match, subject: Subject) -> Iterable[Condition]:
    yield Matches(of=subject.needs("text"), pattern=template_pattern(match["template"]))


def _shape(match: Match, subject: Subject) -> Iterable[Condition]:
    yield Matches(of=subject.needs("text"), pattern=shape_pattern(match["shape"]))


def _starts_with_shape(match: Match, subject: Subject) -> Iterable[Condition]:
    if not re.search(r"[a-z]", re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", "", match["shape"])):
        raise NotMeant("a text itself")
    yield Matches(of=subject.needs("text"), pattern=shape_pattern(match["shape"]).removesuffix("+") + "(?s:.*)")


def _text(where: str) -> Maker:
    def make(match: Match, subject: Subject) -> Iterable[Condition]:
        said = match["text"]
        is_quoted = said[0] in "'\"`" and said[-1] == said[0]
        text = said[1:-1] if is_quoted else said
        if not is_quoted and not re.fullmatch(r"[A-Z0-9@#.+/_-]+", text):
            raise NotMeant("a word that may describe the text instead of being it")
        yield HasText.model_validate({"of": subject.needs("text"), "where": where, "text": text})

    return make


def _without(match: Match, subject: Subject) -> Iterable[Condition]:
    inside = _INSIDE[re.sub(r"\s+", " ", match["sign"].lower())]
    if not inside:
        raise NotMeant("which characters are special is not said")
    yield Matches(of=subject.needs("text"), pattern=f"[^{inside}]*")


def _trimmed(match: Match, subject: Subject) -> Iterable[Condition]:
    of = subject.needs("text")
    yield _related("==", of, Folded(of=of, fold="space"))


def _case(pattern: str) -> Maker:
    def make(match: Match, subject: Subject) -> Iterable[Condition]:
        yield Matches(of=subject.needs("text"), pattern=pattern)

    return make


def _when(*, present: bool, unless: bool) -> Maker:
    """Like "required if status = 'paid'", which demands nothing of other rows."""

    def make(match: Match, subject: Subject) -> Iterable[Condition]:
        when = read_condition(match["when"].strip(), subject.names)
        demand: Condition = Present(of=subject.of)
        yield any_of((when if unless else opposite(when), demand if present else opposite(demand)))

    return make


def _other(said: str, subject: Subject) -> Expression:
    return subject.names.value(tuple(part.strip() for part in said.split(".")))


def _related(relation: str, left: Expression, right: Expression) -> Compare:
    return Compare.model_validate({"relation": relation, "left": left, "right": right})


def _whole(said: str) -> int:
    number = number_of(said)
    if not isinstance(number, int):
        raise NotMeant("a length that is no whole number")
    return number


MAKERS: dict[str, Maker] = {
    "present": _present, "not empty": _not_empty, "not blank": _not_blank,
    "nothing": _nothing, "key": _key, "unique": _unique, "unique per": _unique_per,
    "type number": _type("number", "integer", "number"), "type integer": _type("integer", "integer"),
    "type date": _type("date", "datetime"), "type text": _text_type, "type boolean": _boolean_type,
    "length <=": _length("<="), "length >=": _length(">="), "length ==": _length("=="),
    "length between": _length_between, "fixed width": _fixed_width,
    "positive": _number(">", 0), "not negative": _number(">=", 0), "negative": _number("<", 0),
    "not zero": _number("!=", 0), "between": _between, ">=": _number(">="), "<=": _number("<="), ">": _number(">"),
    "<": _number("<"), "equals number": _number("=="), "compared": _compared, "computed": _computed,
    "not in the future": _dated("<="), "not in the past": _dated(">=", midnight=True), "dated": _since,
    "references": _references, "one of": _one_of, "listed": _listed, "none of": _none_of, "letters from to": _letters,
    "format": _format, "pattern": _pattern, "template": _template, "shape": _shape,
    "starts with shape": _starts_with_shape, "starts with": _text("start"), "ends with": _text("end"),
    "contains": _text("anywhere"), "without": _without, "trimmed": _trimmed,
    "upper case": _case("[^a-z]*"), "lower case": _case("[^A-Z]*"),
    "present when": _when(present=True, unless=False), "missing when": _when(present=False, unless=False),
    "missing unless": _when(present=False, unless=True), "present unless": _when(present=True, unless=True),
}  # fmt: skip

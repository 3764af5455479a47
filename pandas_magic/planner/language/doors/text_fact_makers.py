"""What facts about the form of a text demand: formats, patterns, templates, make-up, beginnings and ends, case."""

import re
from collections.abc import Iterable
from string import ascii_uppercase

from pandas_magic.constraints.algebra.conditions import Compare, Condition, HasText, Matches, OneOf
from pandas_magic.constraints.algebra.expressions import Folded
from pandas_magic.constraints.types.named_formats import FORMATS
from pandas_magic.planner.language.doors.code_ranges import codes_between
from pandas_magic.planner.language.doors.fact_subject import FactSubject, Maker, Match
from pandas_magic.planner.language.doors.meaning import whole_pattern
from pandas_magic.planner.language.doors.slots import FORMAT_NAMES
from pandas_magic.planner.language.doors.terms import NotMeant
from pandas_magic.planner.language.doors.text_shapes import escaped, shape_pattern, template_pattern
from pandas_magic.planner.language.linking.calendar_days import calendar_pattern

_SIGNS = {"dot": ".", "hyphen": "-", "dash": "-", "slash": "/", "blank": " ", "comma": ","}
_ANYTHING = "(?s:.*)"
_SHORT_RUN = 3  # "AB" is no longer than "A-B"
_INSIDE = {
    "space": " ", "spaces": " ", "whitespace": r"\s", "blank": " ", "blanks": " ", "digit": "0-9", "digits": "0-9",
    "numbers": "0-9", "letters": "A-Za-z", "hyphen": "-", "hyphens": "-", "dashes": "-", "comma": ",", "commas": ",",
    "special characters": "",
}  # fmt: skip


def _codes(match: Match, subject: FactSubject) -> Iterable[Condition]:
    first, last = match["first"], match["last"]
    if len(first) == len(last) == 1:
        first, last = first.upper(), last.upper()
    codes = codes_between(first, last)
    if not match[0].rstrip().endswith(last) or len(codes) < 2:
        raise NotMeant("no codes from one to another")
    if (first, last) == ("A", "Z"):
        raise NotMeant("one letter, or a text that is made of letters")
    yield OneOf(of=subject.needs("text"), values=codes)


def _digits(match: Match, subject: FactSubject) -> Iterable[Condition]:
    first, last = int(match["first"]), int(match["last"])
    if first >= last:
        raise NotMeant("the bounds are the wrong way round")
    yield OneOf(of=subject.needs("text"), values=tuple(map(str, range(first, last + 1))))


def _letters_left_out(match: Match, subject: FactSubject) -> Iterable[Condition]:
    said = match.groupdict()
    out = set(said["out"] or said.get("more") or "").intersection(ascii_uppercase)
    if "kind" not in said:  # of the other signs nothing is said
        letters = "".join(sorted(out))
        yield Matches(of=subject.needs("text"), pattern=f"[^{letters}{letters.lower()}]*")
        return
    kept = "".join(letter if letter not in out else " " for letter in ascii_uppercase).split()
    runs = "".join(run if len(run) < _SHORT_RUN else f"{run[0]}-{run[-1]}" for run in kept)
    low = "" if re.match("capital|upper", match["kind"], re.IGNORECASE) else runs.lower()
    digits = "0-9" if "digits" in match["kind"].lower() else ""
    yield Matches(of=subject.needs("text"), pattern=f"[{runs}{low}{digits}]{'*' if out else '+'}")


def _one_sign(match: Match, subject: FactSubject) -> Iterable[Condition]:
    sign = _SIGNS.get(match["sign"].lower(), match["sign"])
    others = f"[^{sign}]*"
    dotted = rf"\.{others}" if match["dot"] is not None else ""
    yield Matches(of=subject.needs("text"), pattern=f"{others}{escaped(sign)}{others}{dotted}")


def _format(match: Match, subject: FactSubject) -> Iterable[Condition]:
    name = FORMAT_NAMES[re.sub(r"[\s_]+", " ", match["format"].lower())]
    if name in ("upper case", "lower case"):
        raise NotMeant("a case is no format here")
    yield Matches(of=subject.needs("text", "mixed"), pattern=FORMATS[name].pattern, format=name)


def _pattern(match: Match, subject: FactSubject) -> Iterable[Condition]:
    said = match["regex"].removeprefix("r") if match["regex"][:2] in ("r'", 'r"') else match["regex"]
    inner = said[1:-1] if said[0] in "/'\"`" and said[-1] == said[0] else said
    inner = inner.replace("\\/", "/")
    if not re.search(r"[\[\\^$*+?{.|(]", inner):
        raise NotMeant("a pattern that is a plain text")
    if re.search(r"(?<!\\)\{(?!\d*,?\d*\})", re.sub(r"\[[^\]]*\]", "", inner)):
        raise NotMeant("braces in which something is listed")
    yield Matches(of=subject.needs("text", "mixed"), pattern=_anchored(inner))


def _anchored(pattern: str) -> str:
    """The pattern of a whole text; one that is anchored on one side alone is open on the other."""
    begins, ends = pattern.startswith("^"), pattern.endswith("$") and not pattern.endswith(r"\$")
    core = whole_pattern(pattern, "fits")
    return core if begins == ends else f"{core}{_ANYTHING}" if begins else f"{_ANYTHING}{core}"


def _template(match: Match, subject: FactSubject) -> Iterable[Condition]:
    yield Matches(
        of=subject.needs("text"), pattern=template_pattern(match["template"], match.groupdict().get("explained") or "")
    )


def _calendar_day(match: Match, subject: FactSubject) -> Iterable[Condition]:
    pattern = calendar_pattern(match["day"])
    if pattern is None:
        raise NotMeant("a template of a day has a day, a month and a year")
    yield Matches(of=subject.needs("text"), pattern=pattern)


def _shape(match: Match, subject: FactSubject) -> Iterable[Condition]:
    if re.fullmatch(r"(?:the |a )?prefix\s+\S+\s*", match["shape"], re.IGNORECASE):
        raise NotMeant("a beginning, behind which more may stand")
    yield Matches(of=subject.needs("text"), pattern=shape_pattern(match["shape"]))


def _beside_shape(where: str) -> Maker:
    """What a text begins or ends with, as it is made of."""

    def make(match: Match, subject: FactSubject) -> Iterable[Condition]:
        if not re.search(r"[a-z]", re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\band\b", "", match["shape"])):
            raise NotMeant("a text itself")
        shape = shape_pattern(match["shape"]).removesuffix("+")
        pattern = shape + _ANYTHING if where == "start" else _ANYTHING + shape
        yield Matches(of=subject.needs("text"), pattern=pattern)

    return make


def _text(where: str) -> Maker:
    def make(match: Match, subject: FactSubject) -> Iterable[Condition]:
        said = match["text"]
        is_quoted = said[0] in "'\"`" and said[-1] == said[0]
        text = said[1:-1] if is_quoted else said
        if not is_quoted and not re.fullmatch(r"[A-Z0-9@#.+/_-]+", text):
            raise NotMeant("a word that may describe the text instead of being it")
        yield HasText.model_validate({"of": subject.needs("text"), "where": where, "text": text})

    return make


def _without(match: Match, subject: FactSubject) -> Iterable[Condition]:
    inside = _INSIDE[re.sub(r"\s+", " ", match["sign"].lower())]
    if not inside:
        raise NotMeant("which characters are special is not said")
    yield Matches(of=subject.needs("text"), pattern=f"[^{inside}]*")


def _trimmed(match: Match, subject: FactSubject) -> Iterable[Condition]:
    of = subject.needs("text")
    yield Compare(relation="==", left=of, right=Folded(of=of, fold="space"))


def _case(pattern: str) -> Maker:
    def make(match: Match, subject: FactSubject) -> Iterable[Condition]:
        yield Matches(of=subject.needs("text"), pattern=pattern)

    return make


TEXT_MAKERS: dict[str, Maker] = {
    "codes from to": _codes,
    "digits from to": _digits,
    "letters left out": _letters_left_out,
    "one sign": _one_sign,
    "format": _format,
    "pattern": _pattern,
    "template": _template,
    "calendar day": _calendar_day,
    "shape": _shape,
    "starts with shape": _beside_shape("start"),
    "ends with shape": _beside_shape("end"),
    "starts with": _text("start"),
    "ends with": _text("end"),
    "contains": _text("anywhere"),
    "without": _without,
    "trimmed": _trimmed,
    "upper case": _case("[^a-z]*"),
    "lower case": _case("[^A-Z]*"),
}

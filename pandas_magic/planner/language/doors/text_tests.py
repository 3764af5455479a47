"""Tests of texts: their form, how they begin, patterns and LIKE."""

import re
from typing import cast

from pandas_magic.constraints.algebra.conditions import Compare, Condition, HasText, Matches
from pandas_magic.constraints.algebra.expressions import Folded, Value
from pandas_magic.constraints.types.named_formats import FORMATS
from pandas_magic.planner.language.doors.masked import outermost
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, SyntaxTerm
from pandas_magic.planner.language.doors.values import doubt_fold, text_of, value

TEXT_PLACES = {"starts with": "start", "ends with": "end", "has text": "anywhere"}


def text_test(term: SyntaxTerm, names: Names) -> Condition:
    """The test of a text that the term is. Raises: NotMeant, NothingHolds."""
    if term.parts[0].op == "slice":
        return _sliced_form(term, names)
    of = value(term.parts[0], names)
    if term.op.startswith("is "):
        form = term.op.removeprefix("is ")
        if form != "digits" and any(not text.isascii() for text in names.values(of)):
            names.doubts.append("letters such as é and ß are letters in Python, and none in the rule")
        return Matches(of=of, pattern=FORMATS[form].pattern, format=form)
    text = text_of(term.parts[1])
    if term.op in TEXT_PLACES or re.fullmatch(r"[\w @:#-]+", text):
        doubt_fold(text, names, of)
    if term.op in TEXT_PLACES:
        return HasText.model_validate({"of": of, "where": TEXT_PLACES[term.op], "text": text})
    if term.op == "has pattern" and re.fullmatch(r"[\w @:#-]+", text):
        return HasText(of=of, where="anywhere", text=text)
    return Matches(of=of, pattern=whole_pattern(text, term.op))


def _sliced_form(term: SyntaxTerm, names: Names) -> Condition:
    """`x[2:].isdigit()`: of what a part of a text is made."""
    start, stop = cast("tuple[int, int | None]", term.parts[0].said)
    classes = {"is digits": "[0-9]", "is letters": "[A-Za-z]", "is letters and digits": "[A-Za-z0-9]"}
    if term.op not in classes or start < 0 or (stop is not None and stop <= start):
        raise NothingHolds("of a part of a text a rule can say what it equals, and whether it is digits or letters")
    rest = "+" if stop is None else f"{{1,{stop - start}}}"
    more = "" if stop is None else "|" + rf"[\s\S]{{{start}}}{classes[term.op]}{{{stop - start}}}[\s\S]*"
    pattern = rf"[\s\S]{{{start}}}{classes[term.op]}{rest}{more}"
    return Matches(of=value(term.parts[0].parts[0], names), pattern=pattern)


def whole_pattern(text: str, op: str = "has pattern") -> str:
    """The pattern for a whole text, when `op` says that the given one may fit only a part of it."""
    begins = op != "has pattern" or text.startswith("^")
    ends = op == "fits" or (text.endswith("$") and not text.endswith(r"\$"))
    core = text.removeprefix("^")
    core = core.removesuffix("$") if ends and not core.endswith(r"\$") else core
    if "|" in core and not (begins and ends and core == text):
        if core != text and "|" in outermost(core):
            raise NotMeant("an anchor beside an alternative")  # ^a|b$ means something else than it seems
        core = f"(?:{core})"
    return f"{'' if begins else '.*'}{core}{'' if ends else '.*'}"


def like_test(term: SyntaxTerm, names: Names) -> Condition:
    """What LIKE and ILIKE say. Raises: NotMeant."""
    of, text = value(term.parts[0], names), text_of(term.parts[1])
    if "\\" in text:
        raise NothingHolds("whether a backslash in LIKE is itself, or makes the sign behind it plain, is not said")
    core = text.strip("%")
    doubt_fold(core if term.op == "like" else "", names, of)
    ignore = term.op == "ilike"
    if not core or "_" in core or "%" in core:
        if ignore or not core:
            raise NotMeant("a pattern")
        return Matches(of=of, pattern=like_pattern(text))
    if not (text.startswith("%") or text.endswith("%")):
        right = Folded(of=of, fold="case") if ignore else of
        return Compare(relation="==", left=right, right=Value(value=core.lower() if ignore else core))
    where = "anywhere" if text[0] == text[-1] == "%" else "start" if text[-1] == "%" else "end"
    return HasText.model_validate({"of": of, "where": where, "text": core, "ignore_case": ignore})


def like_pattern(text: str) -> str:
    """The regular expression of what LIKE means by % and _."""
    return "".join({"%": ".*", "_": "."}.get(part, re.escape(part)) for part in re.split(r"([%_])", text))

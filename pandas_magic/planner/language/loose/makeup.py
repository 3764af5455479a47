"""Texts described by what they are made up of, by a template or by an example: [A-Z]{2}[0-9]{6}."""

import re
from collections.abc import Container
from functools import lru_cache

from pandas_magic.planner.language.doors.text_shapes import CLASSES, NUMBER_WORDS, described
from pandas_magic.planner.language.linking.calendar_days import DAY_TEMPLATE, calendar_pattern

_NUMBERS = re.compile(rf"\b(\d+|{'|'.join(NUMBER_WORDS)}) numbers\b", re.IGNORECASE)
_IN_SETS = (*CLASSES, ("numbers?", r"\d"))
_SET = re.compile(
    r"(?:only|all of them|nothing but|solely|consists? of|contains? only|may contain|made of)\b|\bonly\b", re.IGNORECASE
)
_MOST_IN_SET, _MOST_MAKEUPS = 6, 3
_DATE_PARTS = {"yyyy": "[0-9]{4}", "yy": "[0-9]{2}", "mm": "(0[1-9]|1[0-2])", "dd": "(0[1-9]|[12][0-9]|3[01])"}
_TEMPLATE = re.compile(r"(?<![\w/])(?=\S*[A-Z0-9#])[A-Za-z0-9#]+(?:[-/._][A-Za-z0-9#]+)+(?![\w/])")
_DATE_TEMPLATE = re.compile(r"\b(?:dd|mm|yyyy|yy)(?:[/.-](?:dd|mm|yyyy|yy)){1,2}\b", re.IGNORECASE)
_REAL_DATE = re.compile(
    rf"\b(?:real|valid|existing|actual|genuine|proper)\b(?: \w+)? (?:date|day)\b.*?({DAY_TEMPLATE})", re.IGNORECASE
)
_EXAMPLE = re.compile(r"(?:\be\.g\.?|\bfor example|\bsuch as|\blike)[,:]? (\+?\d+(?:[ ()./-]\d+){2,})")
_AMOUNT = re.compile(
    r"[0-9]+[.][0-9]+|[0-9]{1,2}/[0-9]{1,2}|[0-9]{4}-[0-9]{2}-[0-9]{2}"
)  # a number and a date are no examples
_RUNS = (("A+", "[A-Z]"), ("9+|N+|#+|[0-9]+", "[0-9]"))


@lru_cache(maxsize=64)
def makeups(text: str) -> tuple[str, ...]:
    """The patterns that stretches of the text describe; where none does, that of the characters it may consist of."""
    found = [made for made in described(_NUMBERS.sub(r"\1 digits", text)) if re.search(r"\[|\\d", made)][:_MOST_MAKEUPS]
    example = _EXAMPLE.search(text)
    found = [made for made in found if example is None or re.fullmatch(made, example[1])]
    only = None if found else _set_of_characters(text)
    return tuple(dict.fromkeys(found)) or ((only,) if only else ())


def written_like(text: str, besides: Container[str] = ()) -> str | None:
    """The pattern of the template or the example in the text: AA-999 and KL-123 are two letters, a hyphen, digits.

    `besides` are names, which are no templates.
    """
    real, dated, example = (form.search(text) for form in (_REAL_DATE, _DATE_TEMPLATE, _EXAMPLE))
    if real is not None and (pattern := calendar_pattern(real[1])) is not None:
        return pattern
    if dated is not None:
        return "".join(_DATE_PARTS.get(part.lower(), re.escape(part)) for part in re.findall(r"\w+|\W", dated[0]))
    if example is not None:
        return "".join(_like(part) for part in re.findall(r"\+\d+|\d+|\D", example[1])).replace(r"\ ", " ")
    found = next((found for found in _TEMPLATE.finditer(text) if found[0] not in besides), None)
    if found is None or _AMOUNT.fullmatch(found[0]) or not any(map(str.isdigit, found[0].replace("N", "9"))):
        return None
    return "".join(_like(part) for part in re.findall(r"A+|9+|N+|#+|[0-9]+|[B-Za-z]+|.", found[0]))


def _like(part: str) -> str:
    for run, characters in _RUNS:
        if re.fullmatch(run, part):
            return characters if len(part) == 1 else f"{characters}{{{len(part)}}}"
    return re.escape(part).replace(r"\-", "-")


def _set_of_characters(text: str) -> str | None:
    """Like "lower-case letters, digits and hyphens only"."""
    if _SET.search(text) is None:
        return None
    joined = "|".join(f"(?P<c{number}>{words})" for number, (words, _) in enumerate(_IN_SETS))
    found = [
        _IN_SETS[int(str(match.lastgroup)[1:])][1].strip("[]").replace(r"\d", "0-9")
        for match in re.finditer(rf"\b(?:{joined})\b", text, re.IGNORECASE)
    ]
    inside = "".join(dict.fromkeys(sorted(found, key=lambda characters: characters == "-")))
    counted = re.search(rf"\b(\d+|{'|'.join(NUMBER_WORDS)})[ -]characters?\b", text, re.IGNORECASE)
    times = f"{{{NUMBER_WORDS.get(counted[1].lower(), counted[1])}}}" if counted else "+"
    several = len(found) > 1 or len(inside) > len("A-Z")
    return f"[{inside}]{times}" if several and 0 < len(found) <= _MOST_IN_SET else None

"""Texts described by what they are made up of: "two capital letters followed by six digits" is [A-Z]{2}[0-9]{6}."""

import re
from collections.abc import Container
from functools import lru_cache

from pandas_magic.planner.language.doors.text_shapes import NUMBER_WORDS
from pandas_magic.planner.language.linking.calendar_days import DAY_TEMPLATE, calendar_pattern

_COUNTS = NUMBER_WORDS | {"leading": 1}
_NUMBER = r"\d+|" + "|".join(_COUNTS)
_UPPER = r"(?:capital|upper[- ]?case|uppercase|block|big)"
_LOWER = r"(?:small|lower[- ]?case|lowercase)"
# First match wins.
_CLASSES = (
    (rf"(?:{_UPPER} letters?|capitals?) (?:or|and|/) (?:digits?|numbers?)", "[A-Z0-9]"),
    (rf"{_UPPER} (?:letters?|characters?)|letters? (?:in )?{_UPPER}|capitals?(?! [A-Z]\b)", "[A-Z]"),
    (rf"{_LOWER} (?:letters?|characters?)", "[a-z]"),
    (r"(?:alphanumerics?|letters? (?:or|and|/) (?:digits?|numbers?))(?: characters?)?", "[A-Za-z0-9]"),
    (r"(?:hex|hexadecimal) (?:digits?|characters?)", "[0-9A-Fa-f]"),
    (r"letters?(?! [A-Z]\b)", "[A-Za-z]"),
    (r"digits?|numerals?|numbers?|figures?", "[0-9]"),
    (r"(?:dash|hyphen)(?:es|s)?|minus", "-"),
    (r"slash(?:es)?", "/"),
    (r"dots?|periods?|full stops?|points?", r"\."),
    (r"underscores?", "_"),
    (r"plus(?: signs?)?", r"\+"),
    (r"spaces?|blanks?", " "),
    (r"colons?", ":"),
    (r"hash(?:es)?", "#"),
)
_COUNT = re.compile(
    rf"(?:(?:exactly|just|precisely|between|by|and|then) )*(?P<least>{_NUMBER})"
    rf"(?:\s*(?P<joint>to|or|and|-|–)\s*(?P<most>{_NUMBER}))?(?P<open> or more)?(?: more)?[ -]",
    re.IGNORECASE,
)
_PREFIX = re.compile(
    r"(?:an? |the )?(?:prefix |letters? (?=[A-Z])|capital (?=[A-Z]\b)|letter )([A-Z]{1,4})\b|'([^']+)'|\"([^\"]+)\""
    r"|\b([A-Z][A-Z0-9]{0,6}[-_/]?)(?=[\s,+])|(?<!\S)(\+[0-9]{0,4})(?=[\s,]+(?:and|then|followed))"
    r"|(?<=with )(\+?[0-9]{1,4})(?=[\s,]+(?:and|then|followed))"
)
_SET = re.compile(
    r"(?:only|all of them|nothing but|solely|consists? of|contains? only|may contain|made of)\b|\bonly\b", re.IGNORECASE
)
_MOST_IN_SET, _MOST_MAKEUPS = 6, 3
# What a piece is for, and an aside, are no pieces: "four digits for the centre, two for the year".
_PURPOSE = re.compile(
    r"\s*(?:for|of) (?:the |an? )?\w+(?: number)?(?=\s*(?:,|and\b|then\b|[.;]|$))|\s*\([^()]*\)", re.IGNORECASE
)
_SAME_AGAIN = re.compile(rf"({_NUMBER}) (?=for\b)", re.IGNORECASE)
_NOT_NOUGHT = re.compile(
    r",? (?:of which the first|the first of which|the first(?: one)?) (?:is|must|may|can|should) not (?:be )?"
    r"(?:an? )?(?:0|zero|nought)\b",
    re.IGNORECASE,
)
_DATED = re.compile(r"\b(?:yyyy|yy)(?:mm(?:dd)?)?\b", re.IGNORECASE)
_DATE_PARTS = {"yyyy": "[0-9]{4}", "yy": "[0-9]{2}", "mm": "(0[1-9]|1[0-2])", "dd": "(0[1-9]|[12][0-9]|3[01])"}
_GROUPED = re.compile(r"(?<![\d-])(\d(?:([-/. ])\d)(?:\2\d)*)[ -](?:layout|format|form|pattern|grouping|arrangement)\b")
_AHEAD = re.compile(
    r"(?<!\w)(?:\+|plus(?: signs?)?)(?: (?:is|are|may be|being))? (?:allowed|permitted|possible|accepted|optional)\b"
    r"[^,;.]*\b(?:beginning|start|front)\b",
    re.IGNORECASE,
)
_MARK = re.compile(r"(hyphen|dash|slash|dot|underscore|colon|space)\b", re.IGNORECASE)
_MARKS = {"hyp": "-", "das": "-", "sla": "/", "dot": r"\.", "und": "_", "col": ":", "spa": " "}
_FOLLOWED = re.compile(r"[\s,]*(?:\+|and|then|followed|plus|with|,)")
_BETWEEN = frozenset((
    "followed", "by", "then", "end", "ends", "have", "has", "it", "and", "plus", "a", "an", "the", "with", "of", ",",
    ":", "+", "directly", "exactly",
))  # fmt: skip
_EITHER = re.compile(r"([A-Z]{2,4}|[0-9]{2,4}) or ([A-Z]{2,4}|[0-9]{2,4})(?=,? (?:and|then|followed|plus))")
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
_OPTIONAL = re.compile(r"[\s,]*(?:and )?(?:optionally|possibly|perhaps)(?: followed by)?\s+", re.IGNORECASE)


@lru_cache(maxsize=64)
def makeups(text: str) -> tuple[str, ...]:
    """The patterns that stretches of the text describe; where none does, that of the characters it may consist of."""
    found: list[str] = []
    at = 0
    while at < len(text) and len(found) < _MOST_MAKEUPS:
        pieces, at = _stretch(text, at)
        if any("[" in piece for piece in pieces):
            found.append("".join(pieces))
    grouped = _GROUPED.search(text)
    if grouped is not None:  # the 5-4-2 layout
        runs = (f"[0-9]{{{count}}}" for count in grouped[1].split(grouped[2]))
        found.append(re.escape(grouped[2]).replace(r"\-", "-").join(runs))
    example = _EXAMPLE.search(text)
    found = [made for made in found if example is None or re.fullmatch(made, example[1])]
    only = None if found else _set_of_characters(text)
    return tuple(dict.fromkeys(found)) or ((only,) if only else ())


def _stretch(text: str, at: int) -> tuple[list[str], int]:
    """The pieces that stand one behind the other from here on, and where something else begins."""
    pieces: list[str] = []
    optional = None
    while at < len(text):
        option = _OPTIONAL.match(text, at)
        if option and pieces:
            optional, at = len(pieces), option.end()
            continue
        found = _piece(text, at, begun=bool(pieces)) or (_again(text, at, pieces[-1]) if pieces else None)
        if found is not None:
            piece, at = found
            pieces.append(piece)
            continue
        at, known = _passed_over(text, at, pieces)
        if not known:
            break
    if optional is not None and optional < len(pieces):
        pieces[optional:] = [f"({''.join(pieces[optional:])})?"]
    return pieces, at


def _passed_over(text: str, at: int, pieces: list[str]) -> tuple[int, bool]:
    """Where what is no piece ends, and whether pieces may follow it."""
    first = _NOT_NOUGHT.match(text, at)
    counted = re.fullmatch(r"\[0-9\]\{(\d)\}", pieces[-1]) if pieces else None
    if first is not None and counted is not None:
        pieces[-1] = f"[1-9][0-9]{{{int(counted[1]) - 1}}}"
        return first.end(), True
    purpose = _PURPOSE.match(text, at) if pieces else None
    if purpose is not None:
        return purpose.end(), True
    word = re.compile(r"\s+|[\w'-]+|.", re.DOTALL).match(text, at)
    if word is None:
        return len(text), False
    return word.end(), not (pieces and word[0].strip() and word[0].lower() not in _BETWEEN)


def _again(text: str, at: int, last: str) -> tuple[str, int] | None:
    """A count alone, of what the piece before it is made of: "two for the year"."""
    same = _SAME_AGAIN.match(text, at) if at and not text[at - 1].isalnum() else None
    characters = re.fullmatch(r"(\[[^]]+\])(?:\{\d+\})?", last)
    return (f"{characters[1]}{{{_number(same[1])}}}", same.end(1)) if same and characters else None


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
    found: list[str] = []
    joined = "|".join(f"(?P<c{number}>{words})" for number, (words, _) in enumerate(_CLASSES))
    for match in re.finditer(rf"\b(?:{joined})\b", text, re.IGNORECASE):
        characters = _CLASSES[int(str(match.lastgroup)[1:])][1].strip("[]")
        found.append("-" if characters == "-" else characters)
    inside = "".join(dict.fromkeys(sorted(found, key=lambda characters: characters == "-")))
    counted = re.search(rf"\b({_NUMBER})[ -]characters?\b", text, re.IGNORECASE)
    times = f"{{{_number(counted[1])}}}" if counted else "+"
    several = len(found) > 1 or len(inside) > len("A-Z")
    ahead = r"\+?" if _AHEAD.search(text) else ""
    return f"{ahead}[{inside}]{times}" if several and 0 < len(found) <= _MOST_IN_SET else None


def _piece(text: str, at: int, *, begun: bool) -> tuple[str, int] | None:
    """A run of characters of one class, or a text as it stands, that begins here."""
    if at and text[at - 1].isalnum():
        return None
    counted = _counted(text, at)
    if counted is not None:
        return counted
    dated = _DATED.match(text, at)
    if dated is not None:
        return "".join(
            _DATE_PARTS[part.lower()] for part in re.findall("yyyy|yy|mm|dd", dated[0], re.IGNORECASE)
        ), dated.end()
    letters = _one_of_letters(text, at) if begun else None
    if letters is not None:
        return letters
    mark = _MARK.match(text, at) if begun else None
    if mark is not None:
        return _MARKS[mark[1][:3].lower()], mark.end()
    either = _EITHER.match(text, at)
    if either is not None:
        return f"({either[1]}|{either[2]})", either.end()
    literal = _PREFIX.match(text, at)
    if literal is None:
        return None
    said = next(group for group in literal.groups() if group)
    follows = _FOLLOWED.match(text, literal.end()) is not None
    if not follows and not begun:
        return None
    return re.escape(said).replace(r"\-", "-"), literal.end()


def _one_of_letters(text: str, at: int) -> tuple[str, int] | None:
    """Like "N or S", "then U, J or Z"."""
    found = re.compile(r"((?:[A-Z0-9], )*[A-Z0-9],? or [A-Z0-9])\b").match(text, at)
    return ("[" + "".join(re.findall(r"\b[A-Z0-9]\b", found[1])) + "]", found.end()) if found else None


def _counted(text: str, at: int) -> tuple[str, int] | None:
    count = _COUNT.match(text, at)
    if count is None:
        return None
    for words, characters in _CLASSES:
        found = re.compile(rf"(?:{words})\b", re.IGNORECASE).match(text, count.end())
        if found is None:
            continue
        least, most = _number(count["least"]), _number(count["most"])
        named = _one_of_letters(text, found.end() + 1) if (least, most) == (1, None) else None
        if named is not None:  # "one letter S, D or G"
            return named
        if count["open"]:
            times = f"{{{least},}}"
        elif most is not None:
            times = f"{{{least},{most}}}"
        else:
            times = "" if least == 1 else f"{{{least}}}"
        return characters + times, found.end()
    return None


def _number(word: str | None) -> int | None:
    if word is None:
        return None
    return int(word) if word.isdigit() else _COUNTS[word.lower()]

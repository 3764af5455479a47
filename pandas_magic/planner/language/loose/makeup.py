"""Texts described by what they are made up of: "two capital letters followed by six digits" is [A-Z]{2}[0-9]{6}."""

import re
from collections.abc import Container
from functools import lru_cache

_COUNTS = {
    **{"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9},
    **{"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16},
    **{"a": 1, "an": 1, "single": 1, "leading": 1},
}
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
    (r"letters?", "[A-Za-z]"),
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
_MOST_IN_SET = 6
_MARK = re.compile(r"(hyphen|dash|slash|dot|underscore|colon|space)\b", re.IGNORECASE)
_MARKS = {"hyp": "-", "das": "-", "sla": "/", "dot": r"\.", "und": "_", "col": ":", "spa": " "}
_FOLLOWED = re.compile(r"[\s,]*(?:\+|and|then|followed|plus|with|,)")
_BETWEEN = frozenset(
    (
        "followed",
        "by",
        "then",
        "end",
        "ends",
        "have",
        "has",
        "it",
        "and",
        "plus",
        "a",
        "an",
        "the",
        "with",
        "of",
        ",",
        ":",
        "+",
        "directly",
        "exactly",
    )
)
_EITHER = re.compile(r"([A-Z]{2,4}|[0-9]{2,4}) or ([A-Z]{2,4}|[0-9]{2,4})(?=,? (?:and|then|followed|plus))")
_TEMPLATE = re.compile(r"(?<![\w/])(?=\S*[A-Z0-9#])[A-Za-z0-9#]+(?:[-/._][A-Za-z0-9#]+)+(?![\w/])")
_AMOUNT = re.compile(r"[0-9]+[.][0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2}")  # a number and a date are no examples
_RUNS = (("A+", "[A-Z]"), ("9+|N+|#+|[0-9]+", "[0-9]"))
_OPTIONAL = re.compile(r"[\s,]*(?:and )?(?:optionally|possibly|perhaps)(?: followed by)?\s+", re.IGNORECASE)


@lru_cache(maxsize=64)
def made_up_of(text: str) -> str | None:
    """The pattern that the words describe; None when they describe none."""
    pieces: list[str] = []
    at, optional = 0, None
    while at < len(text):
        option = _OPTIONAL.match(text, at)
        if option and pieces:
            optional, at = len(pieces), option.end()
            continue
        found = _piece(text, at, begun=bool(pieces))
        if found is not None:
            piece, at = found
            pieces.append(piece)
            continue
        word = re.compile(r"\s+|[\w'-]+|.").match(text, at)
        if word is None or (pieces and word[0].strip() and word[0].lower() not in _BETWEEN):
            break
        at = word.end()
    if not any("[" in piece for piece in pieces):
        return _set_of_characters(text)
    if optional is not None and optional < len(pieces):
        pieces[optional:] = [f"({''.join(pieces[optional:])})?"]
    return "".join(pieces)


def written_like(text: str, besides: Container[str] = ()) -> str | None:
    """The pattern of the template or the example in the text: AA-999 and KL-123 are two letters, a hyphen, digits.

    `besides` are names, which are no templates.
    """
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
    return f"[{inside}]{times}" if several and 0 < len(found) <= _MOST_IN_SET else None


def _piece(text: str, at: int, *, begun: bool) -> tuple[str, int] | None:
    """A run of characters of one class, or a text as it stands, that begins here."""
    if at and text[at - 1].isalnum():
        return None
    counted = _counted(text, at)
    if counted is not None:
        return counted
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

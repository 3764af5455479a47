"""Texts described by what they are made of, or by a template: as the pattern that the whole text must match.

"two capital letters followed by six digits" is [A-Z]{2}[0-9]{6}, "INV-YYYY-NNNN" is INV-[0-9]{4}-[0-9]{4}.
"""

import re
from collections.abc import Iterator
from contextlib import suppress

from pandas_magic.planner.language.doors.illustrations import illustrates
from pandas_magic.planner.language.doors.terms import NotMeant

_WORDS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
NUMBER_WORDS = {word: number for number, word in enumerate(_WORDS.split())} | {
    "a": 1,
    "an": 1,
    "another": 1,
    "single": 1,
}
_HIGH = r"(?:capital|upper-? ?case|block|big)"
# The first that fits is meant.
CLASSES = (
    (r"(?:capital|upper-? ?case) (?:letters?|alphanumeric(?:s| characters?)?) (?:or|and/or|and) digits?", "[A-Z0-9]"),
    (r"(?:capital|upper-? ?case) alphanumeric(?:s| characters?)?", "[A-Z0-9]"),
    (rf"{_HIGH} (?:letters?|characters?)|capitals?|letters? (?:in )?(?:upper-? ?case|capitals)", "[A-Z]"),
    (r"(?:small|lower-? ?case) (?:letters?|characters?)", "[a-z]"),
    (r"alphanumeric(?:s| characters?)?|letters? (?:or|and/or) (?:digits?|numbers?)", "[A-Za-z0-9]"),
    (r"(?:hex|hexadecimal) (?:digits?|characters?)", "[0-9A-Fa-f]"),
    (r"letters?(?! (?-i:[A-Z])\b)|alphabetic characters?", "[A-Za-z]"),
    (
        r"digits?(?: (?:year|month|day|number|serial|sequence))?|numerals?|figures?|numeric (?:digits?|characters?)",
        r"\d",
    ),
    (r"dash(?:es)?|hyphens?", "-"),
    (r"(?:forward )?slash(?:es)?", "/"),
    (r"dots?|periods?|full stops?", r"\."),
    (r"underscores?", "_"),
    (r"spaces?|blanks?", " "),
    (r"colons?", ":"),
    (r"plus signs?", r"\+"),
    (r"hash(?:es)?", "#"),
)
_COUNT = rf"\d+|{'|'.join(NUMBER_WORDS)}"
_CLASS = "|".join(f"(?:{said})" for said, _ in CLASSES)
_QUOTED = r"'[^']+'|\"[^\"]+\"|`[^`]+`"
_BETWEEN = rf"(?:(?:\s*(?:-|–)\s*|\s+(?:to|or)\s+)(?:{_COUNT}))?"
_DATE = "(?-i:YYYYMMDD|yyyymmdd|YYMMDD|yymmdd|YYYY|yyyy)"
_ARTICLE = rf"an? (?=\d|(?:{_COUNT})-)"
_COUNTED = (
    rf"(?:exactly |precisely |{_ARTICLE})?(?:(?:{_COUNT}){_BETWEEN}[\s-]+(?:more )?|up to (?:{_COUNT})\s+)?(?:{_CLASS})"
)
_NAMED = r"(?:(?:the |a )?(?:(?:capital )?letters?|capital|prefix|literal) )(?-i:[A-Z][A-Z0-9]*-?)"
# Capitals alone are themselves where something else is said to stand beside them: "UN and four digits".
_CAPITALS = r"(?:\s*\((?:in )?(?:capitals?|capital letters|upper-? ?case)\))?"
_ITSELF = rf"(?-i:[A-Z]{{1,6}}\d*[-/]?|\+\d*|\d{{1,4}}(?=,? followed by)){_CAPITALS}" + (
    r"(?=\s*(?:\+|,? ?(?:and|then|followed by|plus|(?:a )?(?:hyphen|dash|slash)|\d+ (?:digits|letters|capitals?))\b))"
)
# "NO, SE or DK followed by one digit", "four digits followed by N or S".
_ONE_OF = rf"(?-i:(?:[A-Z0-9]{{1,4}}, )*[A-Z0-9]{{1,4}},? or [A-Z0-9]{{1,4}})\b(?! (?:more )?(?:{_CLASS}))"
_EITHER = (
    rf"(?:{_ONE_OF}(?=,? (?:and |then |followed ))|(?:(?<=by )|(?<=then ))(?:an? )?{_ONE_OF}|one letter {_ONE_OF})"
)
_WRITTEN = rf"(?:the |a )?(?:(?:letters?|prefix|text|characters?|word) )?(?:{_QUOTED})"
# "letter A to F", "pier letter A-D in capitals"; which of several places "first letter A-F" means is another thing.
_TO = r"\s?(?:-|–|to|through|\.\.)\s?"
_RANGED = (
    rf"(?:an? |the )?(?:(?:{_COUNT})[\s-]+)?(?:(?!(?:{_COUNT}|not?|non|any|each|every|all|other|first|last|second|third"
    r"|optional|small|lower\w*|without|except|with|from|plus|and|or|then|by|followed)\b)[a-z]+ )?letters? (?:from )?"
    rf"(?-i:[A-Z]){_TO}(?-i:[A-Z])(?![\w-])(?: in (?:capitals|upper ?case))?"
)
_ENDS = re.compile(
    rf"(?P<before>.*?letters? )(?:from )?(?-i:(?P<first>[A-Z]){_TO}(?P<last>[A-Z]))(?: in [\w ]+)?", re.IGNORECASE
)
_PLUS = r"an? plus(?! signs?)"
_PIECE = rf"(?:{_EITHER}|{_PLUS}|{_RANGED}|{_NAMED}|{_DATE}|{_COUNTED}|{_WRITTEN}|{_ITSELF})"
_JOINT = r"(?:\s*,?\s*(?:then|followed by|and then|and|plus|\+)\s+(?:by )?|\s*[,+]\s*)"
_OPTIONAL = rf"(?:\s*,?\s*(?:and )?optionally (?:followed by )?(?P<optional>{_PIECE}(?:{_JOINT}{_PIECE})*))"
# What a {shape} slot takes; one unit alone, such as "13 digits", is one too.
SHAPE = rf"{_PIECE}(?:{_JOINT}{_PIECE})*{_OPTIONAL.replace('?P<optional>', '?:')}?"
TEMPLATE = r"'?[A-Za-z0-9#]+(?:[-_/.:][A-Za-z0-9#]+)*'?(?:(?:\s*,\s*|\s+or\s+)(?-i:[A-Z0-9#]+(?:[-_/.][A-Z0-9#]+)*))*"
_DATED = {
    "YYYY": r"\d{4}", "YY": r"\d{2}", "MM": "(0[1-9]|1[0-2])", "DD": "(0[1-9]|[12][0-9]|3[01])",
    "HH": "([01][0-9]|2[0-3])", "hh": "([01][0-9]|2[0-3])", "SS": "[0-5][0-9]", "ss": "[0-5][0-9]",
    "yyyy": r"\d{4}", "yy": r"\d{2}", "mm": "(0[1-9]|1[0-2])", "dd": "(0[1-9]|[12][0-9]|3[01])",
}  # fmt: skip
_SIGN = re.compile(rf"(?P<sign>\w)\s*(?:=|:|is|for|stands for)\s*(?:an? |any |one )?(?P<kind>{_CLASS})", re.IGNORECASE)
_CLEAR_RUN = 3  # "PNNN" holds a placeholder; "ANN" may be a name
_RUN = re.compile(r"YYYYMMDD|YYYYMM|YYYY|yyyymmdd|yyyy|yy|#+|([N9n0])\1+|([ALa])\2+|X+(?!yy|nn)|x+")


def described(text: str) -> Iterator[str]:
    """The patterns of the stretches of a text that tell how many characters of which kinds there are."""
    for stretch in re.finditer(rf"(?<![\w-]){SHAPE}(?!\w)", text, re.IGNORECASE):
        if re.search(rf"\b(?:{_COUNT})[\s-]+(?:more )?(?:{_CLASS})|{_DATE}", stretch[0], re.IGNORECASE):
            with suppress(NotMeant):
                yield shape_pattern(re.sub(r"\s*,\s*(?:spaces?|blanks?)$", "", stretch[0]))  # ", blank allowed"


def shape_pattern(text: str) -> str:
    """The pattern that the words describe, all of them. Raises: NotMeant."""
    whole = re.fullmatch(rf"(?P<head>.*?){_OPTIONAL}", text, re.IGNORECASE)
    if whole:
        return f"{_joined(whole['head'])}({_joined(whole['optional'])})?"
    return _joined(text)


def _joined(text: str) -> str:
    pieces, at, loose = [], 0, False
    while at < len(text):
        found = re.compile(_PIECE, re.IGNORECASE).match(text, at)
        if found is None:
            raise NotMeant(f"the text is made of {text[at:]!r}")
        pieces.append(_piece_pattern(found[0]))
        joint = re.compile(rf"{_JOINT}|$", re.IGNORECASE).match(text, found.end())
        loose = loose or bool(re.fullmatch(rf"(?:{_CLASS})(?<=s)", found[0], re.IGNORECASE))
        if loose and joint and re.search(r",|\band\b", joint[0]) and not re.search("then|follow", joint[0]):
            raise NotMeant("whether the characters stand in that order is not said")  # "letters, spaces"
        if joint is None:
            raise NotMeant(f"the text is made of {text[found.end() :]!r}")
        at = joint.end() if joint[0] else len(text)
    return "".join(pieces)


def _piece_pattern(said: str) -> str:
    quoted = re.search(_QUOTED, said)
    if quoted:
        return escaped(quoted[0][1:-1])
    if re.fullmatch(_DATE, said):
        return "".join(_DATED[part] for part in re.findall("YYYY|YY|MM|DD", said.upper()))
    if re.fullmatch(_PLUS, said, re.IGNORECASE):
        return r"\+"
    ends = _ENDS.fullmatch(said)
    if ends:
        return _ranged(ends)
    if re.search(r" or [A-Z0-9]{1,4}$", said):
        signs = re.findall(r"\b[A-Z0-9]{1,4}\b", said)
        return f"[{''.join(signs)}]" if all(len(sign) == 1 for sign in signs) else f"({'|'.join(signs)})"
    said = re.sub(rf"{_CAPITALS}$", "", said, flags=re.IGNORECASE)
    named = re.fullmatch(r"(?:.* )?([A-Z][A-Z0-9]*[-/]?|\+\d*|\d+)", said)
    if named:
        return escaped(named[1])
    kind = next(pattern for form, pattern in CLASSES if re.search(rf"(?:{form})$", said, re.IGNORECASE))
    article = re.match(_ARTICLE, said, re.IGNORECASE)
    told = said[article.end() :] if article else said
    counts = [_number(word) for word in re.findall(rf"\b(?:{_COUNT})\b", told, re.IGNORECASE)]
    if re.match("up to", said, re.IGNORECASE):
        return f"{kind}{{1,{counts[0]}}}"
    if len(counts) == 2:
        return f"{kind}{{{counts[0]},{counts[1]}}}"
    if not counts and said.lower().endswith("s") and kind not in ("-", "/", " ", "_", ":", "#"):
        return f"{kind}+"
    return kind if counts in ([], [1]) else f"{kind}{{{counts[0]}}}"


def _ranged(ends: re.Match[str]) -> str:
    counts = re.findall(rf"\b(?:{_COUNT})\b", ends["before"], re.IGNORECASE)
    if ends["first"] >= ends["last"] or (not counts and ends["before"].strip().lower().endswith("s")):
        raise NotMeant("how many letters from one to another")
    times = _number(counts[0]) if counts else 1
    return f"[{ends['first']}-{ends['last']}]" + (f"{{{times}}}" if times > 1 else "")


def _number(word: str) -> int:
    return int(word) if word.isdigit() else NUMBER_WORDS[word.lower()]


def escaped(text: str) -> str:
    """The text as a pattern that fits it alone, with no more backslashes than it needs."""
    return re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", text)


def template_pattern(text: str, explained: str = "") -> str:
    """The pattern of a template such as INV-YYYY-NNNN, or of several between which the text may choose.

    `explained` may say what its letters stand for: "three-digit site" is what "sss" is.

    Raises: NotMeant when nothing in it is a placeholder, or one may stand for several things.
    """
    if re.fullmatch(SHAPE, explained, re.IGNORECASE) and illustrates(text, told := shape_pattern(explained)):
        return told
    signs = _told_signs(explained)
    if signs:
        return "".join(signs.get(sign, escaped(sign)) for sign in text.strip().strip("'"))
    texts = [part.strip().strip("'") for part in re.split(r"\s*,\s*(?:or\s+)?|\s+or\s+", text.strip()) if part.strip()]
    patterns = [_one_template(part, _digits_in(explained)) for part in texts]
    return patterns[0] if len(patterns) == 1 else f"({'|'.join(patterns)})"


def _told_signs(explained: str) -> dict[str, str]:
    """What each sign stands for by "9 = digit, A = capital letter"; empty where anything else is said."""
    told = [_SIGN.fullmatch(part) for part in re.split(r"\s*(?:,|;|\band\b)\s*", explained.strip()) if part]
    classes = {one["sign"]: _piece_pattern(one["kind"]) for one in told if one is not None}
    return classes if len(classes) == len(told) else {}


def _digits_in(explained: str) -> set[int]:
    """How many digits the explanation says that there are in a row."""
    said = re.findall(rf"\b({_COUNT})[- ]digits?\b", explained, re.IGNORECASE)
    if re.search(r"\b(?:letters?|characters?|capitals?|optional)\b", explained, re.IGNORECASE):
        raise NotMeant("the explanation says more than how many digits there are")
    return set(map(_number, said))


def _one_template(text: str, digits: set[int]) -> str:
    parts = [part for part in re.split(r"([-_/.: ])", text) if part]
    runs = {len(part) for part in parts if re.fullmatch(r"(\w)\1*", part)}
    if not digits <= runs:
        raise NotMeant("the explanation has other digits than the template")
    pieces = [
        (rf"\d{{{len(part)}}}", False) if len(part) in digits and re.fullmatch(r"([a-z])\1+", part)
        else (part, True) if digits and re.fullmatch(r"(?=.*[B-KMO-WZ])[A-Z]+\d+", part)
        else ("[0-5][0-9]", False) if part.upper() == "MM" and "".join(parts[:place]).upper().endswith("HH:")
        else _segment(part)
        for place, part in enumerate(parts)
    ]  # fmt: skip
    if all(is_literal for _, is_literal in pieces):
        raise NotMeant(f"{text!r} holds no placeholder")
    return "".join(pattern for pattern, _ in pieces)


def _segment(part: str) -> tuple[str, bool]:
    """The pattern of what stands between two separators, and whether it is only itself."""
    if part in _DATED:
        return _DATED[part], False
    if re.fullmatch(r"[-_/.: ]", part):
        return escaped(part), True
    run = _RUN.search(part)
    if run is None:
        if re.fullmatch(r"[A-Z]{2,}|[A-Z]+\d*|\d+", part):
            return part, True
        raise NotMeant(f"{part!r} in a template")
    before, behind = part[: run.start()], part[run.end() :]
    is_part = bool(before) and (run[0][0] in "ALa" or (run[0][0] in "Nn" and len(run[0]) < _CLEAR_RUN))
    if behind or is_part or not re.fullmatch(r"[A-Z]*", before) or run[0][0] in "Xx":
        raise NotMeant(f"{part!r} may stand for several things; say how many letters and digits")
    return before + _run_pattern(run[0]), False


def _run_pattern(run: str) -> str:
    if run.lower().startswith("yyyy"):
        dated = run.upper()
        return "".join(_DATED[each] for each in ("YYYY", "MM", "DD") if each in dated)
    kind = "[A-Z]" if run[0] in "AL" else "[a-z]" if run[0] == "a" else r"\d"
    return f"{kind}{{{len(run)}}}" if len(run) > 1 else kind

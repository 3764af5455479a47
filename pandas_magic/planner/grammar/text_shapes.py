"""The shape of a text in words: "two uppercase letters, a dash and four digits" becomes a pattern."""

import re
from collections.abc import Iterator

from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar import phrases, text_literals, text_mixtures
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.values import whole

# What a text can be made of: the words, and the class of characters.
CLASSES = (
    (
        "uppercase letter|upper case letter|capital letter|capital|uppercase character|upper case character|"
        "uppercase alphabetic character|upper case latin letter|uppercase latin letter",
        "[A-Z]",
    ),
    ("lowercase letter|lower case letter|small letter|lowercase character|lower case character", "[a-z]"),
    ("letter|alphabetic character|latin letter|alphabetical character", "[A-Za-z]"),
    ("digit|numeric digit|numeric character|decimal digit|number|figure|numeral", r"\d"),
    ("alphanumeric character|letter or digit|alphanumerical character|alphanumeric|letter and digit", "[A-Za-z0-9]"),
    ("hexadecimal digit|hex digit|hexadecimal character|hex character", "[0-9A-Fa-f]"),
)
SINGLES = (
    ("dash|hyphen|minus|minus sign|dash sign", "-"),
    ("dot|period|full stop|point", r"\."),
    ("slash|forward slash", "/"),
    ("underscore", "_"),
    ("colon", ":"),
    ("space|blank space", " "),
    ("comma", ","),
    ("plus|plus sign|+", r"\+"),
    ("hash|hash sign|#", "#"),
    ("at sign|@", "@"),
)

# Every word of theirs is known to the language.
SHAPE_WORDS = frozenset(word for said, _ in (*CLASSES, *SINGLES) for word in re.findall("[a-z]+", said))
_ONLY = ("only", "nothing", "solely", "exclusively")


@rule
def shape(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """A text's parts one after another: "two uppercase letters", "+ followed by 8 to 15 digits", "only digits"."""
    for end, first in piece(p, i) if not _is_a_grade(p, i) else ():
        yield end, first
        if any(token.low in _ONLY for token in p.tokens[i:end]):
            continue  # "only digits, spaces and a plus sign" lists what may stand anywhere
        for middle in p.phrase(end, phrases.THEN_IN_SHAPE):
            for last, rest in (*shape(p, middle), *text_literals.closing(p, middle)):
                yield last, first + rest
        for middle in p.phrase(end, phrases.OPTIONALLY_IN_SHAPE):
            for last, rest in shape(p, middle):
                yield p.note(end, last, "with or without this"), f"{first}({rest})?"
    for end, first in text_literals.opening(p, i):
        for middle in p.phrase(end, phrases.THEN_IN_SHAPE):
            if any(True for _ in text_literals.opening(p, middle)):
                continue  # "EUR, USD and two letters" lists
            yield from ((last, first + rest) for last, rest in shape(p, middle))


def _is_a_grade(p: Parse, i: Position) -> bool:
    """Like "A+" within a sentence, which is no article."""
    first, second = p.at(i), p.at(i + 1)
    return i > 0 and first is not None and first.text == "A" and second is not None and second.start == first.end


def longest(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """The shape that reaches furthest: "two letters and a dash" is one, not two demands."""
    furthest = max((int(end) for end, _ in shape(p, i)), default=0)
    yield from ((end, pattern) for end, pattern in shape(p, i) if int(end) == furthest)


def piece(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """One part of a shape: so many characters of a kind, or one sign."""
    yield from _so_many(p, i)
    yield from _code(p, i)
    for start in p.phrase(i, phrases.PART_OF):
        yield from piece(p, start)
    yield from text_mixtures.mixture(p, i)
    yield from text_mixtures.blocks(p, i)
    yield from text_mixtures.numbers_apart(p, i)
    for end in p.phrase(i, phrases.ANYTHING_WITHOUT_SPACES):
        yield p.note(i, end, "anything but spaces"), r"\S+"
    for said, sign in SINGLES:
        for end in p.seq_ends(i, "?a|an|one|the|a single|a leading|the leading|leading|an initial", said):
            yield p.note(i, end, f"the sign {sign}"), sign
    yield from _this_letter(p, i)
    yield from _leading_sign(p, i)
    token = p.at(i)
    announced = i > 0 and p.tokens[i - 1].low in (
        "pattern",
        "format",
        "regex",
        "expression",
        "regexp",
        "match",
        "matches",
    )
    if token and token.kind == "text" and not announced:
        yield p.note(i, i + 1, "this very text"), re.escape(str(token.value))


def _so_many(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """Like "two capital letters", "only digits"."""
    for said, letters in CLASSES:
        for end, (count,) in p.seq(i, how_many, "?more|further|additional|other", said):
            if p.tokens[end - 1].low == "number" and p.tokens[i].low in ("a", "the"):
                continue  # "three letters followed by a number" leaves open of how many digits
            yield p.note(i, end, f"{count or 'one'} of {letters}"), letters + count
            for last in p.phrase(end, "only|long|in length|each|exactly"):
                yield p.note(i, last, f"{count or 'one'} of {letters}"), letters + count
        for end in p.phrase(i, _only(said)):
            yield p.note(i, end, f"nothing but {letters}"), letters + "+"


def _leading_sign(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """Like 'a leading "+"'."""
    for start in p.phrase(i, "a leading|the leading|leading|an initial|a"):
        sign = p.at(start)
        if sign is not None and sign.kind == "text" and len(str(sign.value)) == 1:
            yield p.note(i, start + 1, "this very sign"), re.escape(str(sign.value))


def _this_letter(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """Like "a capital B", "the letter L", "the prefix SN", and SN alone before "followed by"."""
    cases = "capital|uppercase|upper case|letter|capital letter|uppercase letter|upper case letter|single letter"
    for start in p.seq_ends(i, "?a|an|the|one|a single", f"{cases}|letters|prefix"):
        if (token := p.at(start)) and token.kind == "word" and token.text.isalpha() and token.text.isupper():
            yield p.note(i, start + 1, "this very text"), token.text
    token = p.at(i)
    if token and token.kind == "word" and token.text.isalpha() and token.text.isupper():
        after = p.at(i + 1)
        hyphen = after is not None and after.text in ("-", "_", "/") and after.start == token.end
        end = p.note(i, i + 1 + hyphen, "this very text")
        then = "followed by|, followed by|plus|and then|then|, then" + ("|and" if hyphen else "")
        if any(True for after in p.phrase(end, then) for _ in piece(p, after)):
            yield end, re.escape(p.source(i, end))


def _code(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """Like "A two-letter upper-case code", "an uppercase three-letter code", "a 5-digit number"."""
    thing = phrases.CODE_WORDS
    cases = (("?upper case|uppercase|capital|capitalised", "[A-Z]"), ("?lower case|lowercase", "[a-z]"))
    for start in (i, *p.phrase(i, "a|an|the|valid|a valid")):
        for end, (count,) in p.seq(start, several, "digit|figure", f"?numeric|{thing}|numeric code|numerical code"):
            for last in (end, *p.phrase(end, "long|in length")):
                yield p.note(i, last, "so many digits"), f"\\d{{{count}}}"
        for end, (count, _) in p.seq(start, several, "letter|character|char", _said_of_a_code, f"?{thing}"):
            if "letter" in p.source(start, end).lower() and not _cased(p, i, end):
                yield p.note(i, end, "so many letters"), f"[A-Za-z]{{{count}}}"
                yield from _case_behind(p, i, end, count)
        for case, letters in cases:
            for end, (count,) in p.seq(start, several, "letter|character", case[1:], f"?{thing}"):
                yield p.note(i, end, "so many letters of this case"), f"{letters}{{{count}}}"
            for end, (count,) in p.seq(start, case[1:], several, "letter|character", f"?{thing}"):
                yield p.note(i, end, "so many letters of this case"), f"{letters}{{{count}}}"


def _said_of_a_code(p: Parse, i: Position) -> Iterator[tuple[Position, None]]:
    """What a code is for, in "a three-letter airport code", or nothing."""
    yield from ((end, None) for end in (i, *p.phrase(i, "country|currency|iso")))
    token = p.at(i)
    if token is not None and token.text.islower() and any(True for _ in p.phrase(Position(i + 1), "code|abbreviation")):
        yield p.note(i, i + 1, "what the code is for"), None


def _case_behind(p: Parse, i: Position, end: Position, count: int) -> Iterator[tuple[Position, str]]:
    """Behind "two-letter codes": "in capitals"."""
    for said, letters in ((words.UPPER, "[A-Z]"), (words.LOWER, "[a-z]")):
        for last in p.phrase(end, said):
            yield p.note(i, last, "so many letters of this case"), f"{letters}{{{count}}}"


def several(p: Parse, i: Position) -> Iterator[tuple[Position, int]]:
    """A whole number above one."""
    return ((end, count) for end, count in whole(p, i) if count > 1)


def _cased(p: Parse, start: int, end: Position) -> bool:
    """A word of case stands next to the stretch and belongs to it."""
    near = p.tokens[max(0, start - 2) : end + 1]
    return any(token.low in ("upper", "uppercase", "lower", "lowercase", "capital") for token in near)


def _only(said: str) -> str:
    singles = said.split("|")
    return (
        "|".join(
            f"{before} {one}"
            for one in singles
            for before in ("only", "nothing but", "solely", "exclusively", "only of", "all")
        )
        + "|"
        + "|".join(f"{one} only" for one in singles)
    )


def how_many(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """How often a character stands there, as a regular expression says it: "{4}", "{2,5}", "+", "" for once."""
    exactly = "?exactly|precisely|of"
    for end, (low,) in p.seq(i, exactly, whole):
        yield end, "" if low == 1 else f"{{{low}}}"
    for end, (low, high) in p.seq(i, "?between|from", whole, "to|and|-|–|or|..", whole):
        if low < high and (high == low + 1 or p.tokens[end - 2].low not in ("or",)):
            yield end, f"{{{low},{high}}}"
    for end, (low,) in p.seq(i, words.AT_LEAST, whole):
        yield end, f"{{{low},}}"
        for last, (high,) in p.seq(end, "and|but|, but", words.AT_MOST, whole):
            if low < high:
                yield last, f"{{{low},{high}}}"
    for end, (high,) in p.seq(i, words.AT_MOST, whole):
        yield end, f"{{1,{high}}}" if high else "{0}"
    for end in p.phrase(i, "a|an|a single"):
        yield end, ""
    for end in p.phrase(i, "one or more"):
        yield end, "+"

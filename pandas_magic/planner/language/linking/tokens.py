"""A rule's text as tokens: words, numbers, dates, quoted texts, regular expressions and marks."""

import calendar
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from pandas_magic.planner.language.linking.words import word_forms

MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
WEEKDAYS = {name.lower(): number for number, name in enumerate(calendar.day_name, 1)}
NAMED_PARTS: Mapping[str, Mapping[str, int]] = {"month": MONTHS, "weekday": WEEKDAYS}
_MONTHS_IN_SHORT = {name[:3]: number for name, number in MONTHS.items()}
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)"
)
_NTH = r"\d\d?(?:st|nd|rd|th)?"
_CLOCK = r"(?:[ T](?P<clock>\d{1,2}:\d\d(?::\d\d)?)(?![\d:]))?"

# First match wins, so that a date is not read as a subtraction nor a pattern as a division.
_TOKEN = re.compile(
    rf"""
    (?P<space>\s+)
  | (?P<text>"[^"]*"|“[^”]*”|(?<![\w’'])'[^']*'(?!\w)|(?<![\w’'])‘[^’]*’(?!\w)|`[^`]*`)
  | (?P<regex>(?<!\S)/(?!\s)(?:[^/\\\n]|\\.)+(?<!\s)/(?!\w))
  | (?P<anchored>(?<!\S)\^\S*\$(?=[\s.,;]|$))
  | (?P<handle>(?<!\S)@\w[\w-]*(?:\.\w[\w-]*)+)
  | (?P<url>\b(?:https?|ftps?|s3|file|wss?)://[^\s,;"']*)
  | (?P<iso>\b\d{{4}}[-/]\d\d?[-/]\d\d?{_CLOCK}(?![-\w]))
  | (?P<dotted>\b\d\d?\.\d\d?\.\d{{4}}\b)
  | (?P<slashed>\b\d\d?/\d\d?/\d{{4}}\b)
  | (?P<spoken>\b{_NTH}\s+(?:of\s+)?{_MONTH}\.?,?\s+\d{{4}}\b|\b{_MONTH}\.?\s+{_NTH},?\s+\d{{4}}\b)
  | (?P<time>\b\d\d?:\d\d(?::\d\d)?\b)
  | (?P<range>\.\.\.?|…)
  | (?P<version>\b\d+(?:\.\d+){{2,}}(?![\w.,]*\d))
  | (?P<number>(?:\d+(?:[.,]\d+)*|\.\d+)(?:e[+-]?\d+)?(?![\w]))
  | (?P<word>[^\W\d]\w*(?:\.[^\W\d]\w*)?|\d\w+)
  | (?P<mark><=>|<->|<=|>=|==|!=|<>|=>|->|±|\+/-|'s\b|’s\b|.)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CONTRACTED = {
    "cannot": "can not",
    "i'd": "I would",
    "can't": "can not",
    "won't": "will not",
    "shan't": "shall not",
    "mustn't": "must not",
    "shouldn't": "should not",
    "isn't": "is not",
    "aren't": "are not",
    "wasn't": "was not",
    "weren't": "were not",
    "doesn't": "does not",
    "don't": "do not",
    "didn't": "did not",
    "hasn't": "has not",
    "haven't": "have not",
    "hadn't": "had not",
    "needn't": "need not",
    "couldn't": "could not",
    "wouldn't": "would not",
    "mightn't": "might not",
    "mayn't": "may not",
    "it's": "it is",
    "there's": "there is",
    "that's": "that is",
    "they're": "they are",
    "we're": "we are",
    "you're": "you are",
    "i'm": "I am",
    "we've": "we have",
    "they've": "they have",
    "you've": "you have",
    "we'll": "we will",
    "who's": "who is",
    "gotta": "got to",
    "nought": "zero",
    "naught": "zero",
    "a minus figure": "negative",
    "a minus number": "negative",
    "a minus amount": "negative",
}
# As in other languages: "not longer as 30 characters".
_MORE_AS = re.compile(
    r"\b(longer|shorter|greater|higher|lower|bigger|smaller|larger|earlier|older|more|less) as(?= [\w'])"
)
_HAS_BEEN = re.compile(r"(?<=\w)'s(?= (?:already |since |just |never |not )?(?:been|got)\b)")
# "Somebody's blocked", but "somebody's name".
_SOMEBODY_IS = re.compile(r"\b((?:any|some|every)(?:body|one))'s(?= (?:not |already )?\w+(?:ed|ing)\b)", re.IGNORECASE)
_CONTRACTION = re.compile(rf"\b({'|'.join(sorted(_CONTRACTED))})\b", re.IGNORECASE)


_THEY = {"he": "they", "she": "they", "his": "their", "her": "their", "him": "them"}
_HE_OR_SHE = re.compile(r"\b(he|she|his|her|him)(?: or |/)(?:he|she|his|hers?|him)\b", re.IGNORECASE)
_NEGATION = re.compile(r"\b(no|not|never|none|nobody|nothing|neither|nor|without|unless|except)\b", re.IGNORECASE)
# The digits of a type, "decimal(8,2)", are two numbers.
_WIDTH = re.compile(r"(?<=\w\()(\d+),(?=\d+\))")
_ALWAYS = re.compile(r"\b(is|are|be|must|should|shall|will|has|have|to) always\b", re.IGNORECASE)


@dataclass(frozen=True)
class RuleToken:
    """A piece of the rule.

    `kind` is word, number, date, text, regex or mark; `value` the number, the ISO date or the quoted content, else
    the text itself; `forms` the ways in which a word can be looked up (as written in lower case, singular, base form).
    """

    text: str
    kind: str
    start: int
    end: int
    value: str | float | int
    forms: frozenset[str]

    @property
    def low(self) -> str:
        """The text in lower case."""
        return self.text.lower()


def expand_contractions(text: str) -> str:
    """The text with "can't" as "can not", "w/o" as "without" and the like, and with straight apostrophes."""
    straight = text.replace("’", "'").replace("‑", "-").replace(" ", " ")
    straight = re.sub(r"\bw/o\b", "without", re.sub(r"\bw/(?=\s)", "with", straight))
    straight = _HE_OR_SHE.sub(lambda match: _THEY[match.group(1).lower()], straight)
    straight = _MORE_AS.sub(r"\1 than", straight)
    plain = _HAS_BEEN.sub(" has", straight)  # "it's been paid", "the bill's been paid"
    plain = _SOMEBODY_IS.sub(r"\1 is", plain)
    plain = _CONTRACTION.sub(lambda match: _CONTRACTED[match.group().lower()], plain)
    # In a rule without negation "always" adds nothing; "not always" does.
    return plain if _NEGATION.search(plain) else _ALWAYS.sub(r"\1", plain)


@lru_cache(maxsize=512)
def tokenize(text: str, locale: str = "en") -> tuple[RuleToken, ...]:
    """The tokens of a text whose contractions are expanded, spaces left out. Words joined by hyphens are apart.

    With `locale="de"` and other locales of the decimal comma, 1.000,5 is a thousand and a half.

    Raises: ValueError when a date does not exist ("31 Feb 2026") or leaves day and month in doubt ("01/02/2026").
    """
    tokens: list[RuleToken] = []
    for match in _pieces(_WIDTH.sub(r"\1 ", text)):
        kind, found = str(match.lastgroup), match.group()
        if kind == "clock":  # lastgroup is the innermost named group that took part
            kind = "iso"
        if kind != "space":
            tokens.append(_token(kind, found, match.start(), locale))
    return tuple(_without_inner_hyphens(tokens))


def _pieces(text: str) -> Iterator[re.Match[str]]:
    """The matches one after another; what an address leaves over at its end is read again."""
    at = 0
    while match := _TOKEN.match(text, at):
        at = match.end()
        if match.lastgroup == "url":
            at = match.start() + len(match.group().rstrip(".!?)"))
        yield match


def _token(kind: str, found: str, start: int, locale: str) -> RuleToken:
    end = start + len(found)
    if kind in ("iso", "dotted", "slashed", "spoken"):
        return RuleToken(found, "date", start, end, _iso(kind, found), frozenset())
    if kind == "number":
        return RuleToken(found, "number", start, end, _number(found, locale), frozenset())
    if kind == "url":  # a stop or bracket at its end is the sentence's
        bare = found.rstrip(".!?)")
        return RuleToken(bare, "text", start, start + len(bare), bare, frozenset())
    if kind in ("version", "handle"):
        return RuleToken(found, "text", start, end, found, frozenset())
    if kind == "anchored":
        return RuleToken(found, "regex", start, end, found[1:-1], frozenset())
    if kind in ("text", "regex"):
        return RuleToken(found, kind, start, end, found[1:-1], frozenset())
    if kind == "word":
        return RuleToken(found, "word", start, end, found, word_forms(found.lower()))
    shown = {"’s": "'s", "…": "..", "...": "..", "+/-": "±"}.get(found.lower(), found)
    return RuleToken(found, "mark", start, end, shown, frozenset((shown,)))


def _number(found: str, locale: str) -> int | float:
    decimal_comma = not locale.lower().startswith(("en", "ja", "zh", "ko", "he", "th"))
    plain = found.replace(".", "").replace(",", ".") if decimal_comma else _without_thousands(found)
    return float(plain) if re.search(r"[.e]", plain, re.IGNORECASE) else int(plain)


def _without_thousands(found: str) -> str:
    if "," in found and not re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", found):
        raise ValueError(f'"{found}" is not a number as English writes it; write 1,000.5, or give locale="de"')
    return found.replace(",", "")


def _iso(kind: str, found: str) -> str:
    try:
        return _moment(kind, found).replace("T00:00:00", "")
    except ValueError as error:
        raise ValueError(f'the date "{found}" {error}; write it as 2026-01-31') from error


def _moment(kind: str, found: str) -> str:
    if kind == "iso":
        day, *clock = re.split(r"[ T]", found)
        year, month, date = (int(part) for part in re.split(r"[-/]", day))
        hours = [int(part) for part in clock[0].split(":")] if clock else []
        return _checked(year, month, date, *hours)
    if kind == "spoken":
        date, year = (int(part) for part in re.findall(r"\d+", found))
        month = _MONTHS_IN_SHORT[re.findall(_MONTH, found, re.IGNORECASE)[0][:3].lower()]
        return _checked(year, month, date)
    first, second, year = (int(part) for part in re.split(r"[./]", found))
    if kind == "slashed" and first <= 12 and second <= 12 and first != second:
        raise ValueError("leaves day and month in doubt")
    month, date = (first, second) if kind == "slashed" and second > 12 else (second, first)
    return _checked(year, month, date)


def _checked(year: int, month: int, date: int) -> str:
    try:
        return datetime(year, month, date).isoformat()
    except ValueError as error:
        raise ValueError("does not exist") from error


def _without_inner_hyphens(tokens: list[RuleToken]) -> list[RuleToken]:
    """The tokens without hyphens that join two words ("two-letter", "non-negative"), which then stand side by side."""
    kept: list[RuleToken] = []
    for index, token in enumerate(tokens):
        inner = 0 < index < len(tokens) - 1 and token.text == "-"
        if inner and _joins(tokens[index - 1], token, tokens[index + 1]):
            continue
        kept.append(token)
    return kept


def _joins(before: RuleToken, hyphen: RuleToken, after: RuleToken) -> bool:
    touching = before.end == hyphen.start and hyphen.end == after.start
    return touching and after.kind == "word" and before.kind in ("word", "number")

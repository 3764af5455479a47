"""What the slots in the patterns of facts take: numbers, names that are there, lists, formats."""

import re
from collections.abc import Iterable

from pandas_magic.constraints.types.named_formats import FORMATS
from pandas_magic.planner.language.doors.names import Names, spelt
from pandas_magic.planner.language.doors.text_shapes import NUMBER_WORDS, SHAPE, TEMPLATE
from pandas_magic.planner.language.linking.words import name_parts

NUMBER = (
    r"[-−+]?\d[\d_]*(?:[, ]\d{3}(?!\d))*(?:\.\d+)?(?!\w|[.,]\d)"
    "|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
)
_UNITS = (
    ("kg", "kgs", "kilos", "kilo", "kilograms", "kilogram"), ("g", "grams", "gram"), ("t", "tons", "tonnes"),
    ("km", "kilometres", "kilometers"), ("m", "metres", "meters"), ("cm", "centimetres"), ("mm", "millimetres"),
    ("l", "litres", "liters"), ("ml", "millilitres"), ("eur", "euro", "euros", "€"), ("usd", "dollars", "$"),
    ("gbp", "pounds", "£"), ("pct", "percent", "%", "percentage"), ("c", "°c", "degrees", "celsius"), ("kwh",), ("kw",),
    ("days", "day", "d"), ("hours", "hour", "h", "hrs"), ("minutes", "minute", "min", "mins"), ("seconds", "sec", "s"),
    ("years", "year", "yrs"), ("months", "month"), ("weeks", "week"), ("pieces", "pcs", "units", "items"), ("bpm",),
    ("mmhg",), ("mg",),
)  # fmt: skip
_UNIT = "|".join(sorted({re.escape(word) for words in _UNITS for word in words}, key=len, reverse=True))
_QUOTED = r"'[^']*'|\"[^\"]*\""
_PLAIN = r"[^\s,;|/()\[\]{}]+(?: (?!(?:or|and)\b)[^\s,;|/()\[\]{}]+){0,3}"
BEHIND_BRACKETS = r"(?<=\))\s+(?=[\w.+-]+ ?\()"  # "P (small) M (medium)"
_NEXT = rf"(?:{BEHIND_BRACKETS}|\s*(?:,\s*(?:or |and )?|\||/|\bor\b|\band\b|;(?=\s*['\"]))\s*)"
_EXPLAINED = rf"{_PLAIN} ?\([^)]*\)"
_ITEM = rf"(?:{_QUOTED}|{_PLAIN})"
_CODE = r"(?-i:[A-Z0-9][A-Z0-9+-]*)"
_BY_SPACES = rf"{_CODE}(?: {_CODE}){{2,}}"
# What strokes divide ends at a comma: "OK / NOK, optional".
_BY_STROKES = "|".join(rf"{_ITEM}(?:\s*{stroke}\s*{_ITEM})+(?=\s*,)" for stroke in ("/", r"\|"))
# What is said behind a list, and is no value of it: "L or R, may be empty".
_FACT = (
    r"(?-i:(?:may|can|must|cannot|should) (?:not |never )?be|must not|not null|not empty|not blank|no nulls|no blanks"
    r"|nothing else)\b"
)
_BEFORE_FACT = rf"{_ITEM}(?:{_NEXT}(?!{_FACT}){_ITEM})+(?=\s*,\s*{_FACT})"
# Beside values that are explained a word alone is none, too.
_WORD = r"(?-i:required|mandatory|compulsory|obligatory|optional|nullable|unique|never|default)\b"
# Brackets behind the last value alone explain no value: they say something of the column, or of all values.
_BRACKETED = (
    rf"{_EXPLAINED}(?:{_NEXT}{_EXPLAINED})+(?:(?=\s*,\s*(?:{_FACT}|{_WORD}))|(?!{_NEXT}(?:{_QUOTED}|{_PLAIN})))"
)
VALUES = (
    rf"[(\[{{]?\s*(?:{_BY_STROKES}|{_BY_SPACES}|{_BRACKETED}|{_BEFORE_FACT}"
    rf"|(?:(?:{_QUOTED}|{_EXPLAINED}|{_PLAIN}){_NEXT})*(?:{_QUOTED}|{_PLAIN}))\s*[)\]}}]?"
)
_SAID_FORMATS = {
    "email address": "email|e-mail|e-mail address|mail address|name@domain.tld|name@domain.com|e-mail: name@domain.tld",
    "URL": "url|web address",
    "UUID": "uuid|guid",
    "IBAN": "iban",
    "BIC": "bic",
    "MAC address": "mac",
    "IPv4 address": "ipv4",
    "IPv6 address": "ipv6",
    "phone number": "phone|e.164|e.164 number",
    "hexadecimal": "hex",
    "digits": "digits",
    "letters": "alphabetic",
    "letters and digits": "alphanumeric",
    "currency code": "iso 4217|iso 4217 code|iso currency code|iso 4217 currency code",
    "country code": "2-letter iso country code|two-letter iso country code|2-letter country code"
    "|iso 3166-1 alpha-2|iso 3166 alpha-2|iso country code|two-letter country code",
    "three-letter country code": "iso 3166-1 alpha-3|iso 3166-1 alpha-3 code",
    "ISO date": "iso 8601 date|iso date|yyyy-mm-dd|iso 8601",
    "year and month": "yyyy-mm",
    "time": "hh:mm",
    "semantic version": "semver",
    "EAN-13": "ean-13|ean13|gtin-13",
    "ISBN-13": "isbn-13|isbn13",
    "hex colour": "colour|hex color",
}
FORMAT_NAMES = {name.lower(): name for name in FORMATS} | {
    said: name for name, words in _SAID_FORMATS.items() for said in words.split("|")
}


# "At least 10 more than the price" is no limit of 10.
_NOT_ADDED = r"(?! ?(?:more|less|fewer|higher|lower|greater|larger|smaller|later|earlier|older|longer|shorter) than\b)"
_FIXED = {
    "n": rf"(?P<n>{NUMBER})",
    "m": rf"(?P<m>{NUMBER})",
    "text": r"(?P<text>'[^']+'|\"[^\"]+\"|`[^`]+`|[^\s,;()]+)",
    "values": rf"(?P<values>{VALUES})",
    "regex": r"(?P<regex>/(?:[^/\\]|\\.)+/|\^\S*\$|r?'[^']+'|r?\"[^\"]+\"|`[^`]+`|[^\s,;]*[\[\\^{][^\s;]*)",
    "shape": rf"(?P<shape>{SHAPE})",
    "template": rf"(?P<template>{TEMPLATE})",
    "expr": r"(?P<expr>[\w.]+(?: ?(?:[-+*/]|\bplus\b|\bminus\b|\bless\b|\btimes\b|\bdivided by\b) ?[\w.()]+)+)"
    r"(?![\w.()]| ?(?:%|percent\b|per cent\b|pct\b))",
    "tolerance": r"(?:,?\s+(?:exact )?(?:up )?to the cent"
    rf"|,?\s*\(?(?:\b(?:with|within|up to|tolerance(?: of)?)\s|±|\+ ?/? ?-)\s*(?:at most |up to |a )?(?P<n>{NUMBER})"
    r"(?! ?(?:%|percent\b|per cent\b|pct\b))"
    r"(?: (?!max|min|cent|euro|dollar|p(?:er)? ?c|pence)[a-z]+)?(?: rounding)?(?: difference| tolerance)?\)?)?",
    "meaning": r"\((?![^()]*\b(?:not|never|no|invalid|error|only|if|unless)\b)[^()\d]*\)",
    "date": r"(?P<date>\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?)",
}


def slot_patterns(names: Names, subject: str, text: str) -> dict[str, str]:
    """The regular expression of each slot, "" for one that nothing in the text can fill.

    Names are those that the text holds; {unit} only takes a unit in which the subject may be.
    """
    here = spelt(text)
    columns = [column for column in names.tables[names.target].columns if column != subject and spelt(column) in here]
    tables = [table for table in names.tables if spelt(table) in here]
    theirs = {table: [column for column in names.tables[table].columns if spelt(column) in here] for table in tables}
    column = _any_of([*(f"{table}.{one}" for table in tables for one in theirs[table]), *columns])
    keys = _any_of({column for columns in theirs.values() for column in columns})
    table = rf"(?P<table>{_any_of(tables)})(?:\s*[.(]\s*(?P<key>{keys or '(?!)'})\s*\)?)?(?![\w.])"
    return {
        **_FIXED,
        "unit": rf"(?:(?<![\w])(?:{_own_units(subject)}))?{_NOT_ADDED}",
        "col": rf"(?P<col>{column})(?![\w.])" if column else "",
        "col2": rf"(?P<col2>{column})(?![\w.])" if column else "",
        "one_unit": rf"(?<!\w)(?:{_own_units(subject)})",
        "own_table": re.escape(names.target),
        "table": table if tables else "",
        "format": rf"(?P<format>{_any_of(FORMAT_NAMES)})(?![\w-])",
    }


def _any_of(said: Iterable[str]) -> str:
    """The names, the longest first, with a space or an underscore between their words."""
    patterns = {re.sub(r"[ _]", "[ _]", re.escape(name).replace(r"\ ", " ")) for name in said}
    return "|".join(sorted(patterns, key=len, reverse=True))


def _own_units(column: str) -> str:
    """The units in which a column of that name holds its values: its own where its name ends in one, else any."""
    unit = name_parts(column)[-1]
    own = [group for group in _UNITS if unit in group]
    return "|".join(sorted(map(re.escape, own[0]), key=len, reverse=True)) if own else _UNIT


def number_of(said: str) -> int | float:
    """The number that the digits or the word say."""
    plain = re.sub(r"[,_ ]", "", said).replace("−", "-").lower()
    if plain in NUMBER_WORDS:
        return NUMBER_WORDS[plain]
    return float(plain) if "." in plain else int(plain)

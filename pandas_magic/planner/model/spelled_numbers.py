"""Numbers written in words: "forty-two", "two hundred thousand"."""

import re

_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = {word: number for number, word in enumerate(_ONES)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
_SMALL["dozen"] = 12
_SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_WORD = rf"(?:{'|'.join([*_SMALL, 'hundred', *_SCALES])})s?"
SPELLED = re.compile(rf"\b{_WORD}(?:(?:[\s-]+|\s+and\s+){_WORD})*\b", re.IGNORECASE)


def spelled_number(words: str) -> float:
    """The value of a match of SPELLED."""
    total = part = 0
    for word in re.findall(r"[a-z]+", words.casefold()):
        name = word.removesuffix("s") if word.removesuffix("s") in {*_SMALL, "hundred", *_SCALES} else word
        if name == "hundred":
            part = (part or 1) * 100
        elif name in _SCALES:
            total, part = total + (part or 1) * _SCALES[name], 0
        else:
            part += _SMALL.get(name, 0)
    return float(total + part)

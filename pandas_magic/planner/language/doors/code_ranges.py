"""Codes that follow one another: S1 to S9, A01 to A40, A to F. In the order of texts S10 comes before S9."""

import re

_MOST = 100
_CODE = re.compile(r"(?P<head>.*?)(?P<number>\d+)")


def codes_between(first: str, last: str) -> tuple[str, ...]:
    """The codes from one to the other, both among them; none where they differ in form, or are very many."""
    if all(re.fullmatch(r"[A-Za-z]", code) for code in (first, last)):
        same_case = first.isupper() == last.isupper()
        return tuple(map(chr, range(ord(first), ord(last) + 1))) if same_case else ()
    low, high = _CODE.fullmatch(first), _CODE.fullmatch(last)
    if low is None or high is None or low["head"] != high["head"] or not low["head"]:
        return ()
    width = len(low["number"]) if low["number"][0] == "0" else 0
    numbers = range(int(low["number"]), int(high["number"]) + 1)
    codes = tuple(f"{low['head']}{number:0{width}}" for number in numbers[: _MOST + 1])
    return codes if len(codes) <= _MOST and codes[-1:] == (last,) else ()

"""Numbers, percentages, lengths of time and dates in a rule."""

from pandas_magic.planner.language.linking.spans import DateMeant, DurationMeant, Meaning, NumberMeant
from pandas_magic.planner.language.linking.tokens import RuleToken
from pandas_magic.planner.language.linking.words import singular

_UNITS = {
    **dict.fromkeys(("second", "sec"), "seconds"),
    **dict.fromkeys(("minute", "min", "mins"), "minutes"),
    **dict.fromkeys(("hour", "hr", "hrs", "h"), "hours"),
    **dict.fromkeys(("day", "night", "d"), "days"),
    **dict.fromkeys(("week", "wk"), "weeks"),
    **dict.fromkeys(("month",), "months"),
    **dict.fromkeys(("year", "yr", "yrs"), "years"),
    "fortnight": "fortnights",
    "quarter": "quarters",
    "decade": "decades",
}
_MULTIPLES = {"fortnights": (14, "days"), "quarters": (3, "months"), "decades": (10, "years")}
_BETWEEN = frozenset(("full", "calendar", "whole", "more", "consecutive", "entire", "complete"))
_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_WORDS: dict[str, int | float] = {**{word: value for value, word in enumerate(_SMALL)}, **_TENS}
_WORDS |= {"half": 0.5, "dozen": 12, "twice": 2, "double": 2, "triple": 3, "thrice": 3}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "dozen": 12}
_LETTERS = {"k": 1_000, "m": 1_000_000, "bn": 1_000_000_000}
_HALF, AND_A_HALF = 0.5, ("and", "a", "half")
_HUNDREDTHS = frozenset(("cent", "cents", "penny", "pence"))
_PERCENT = frozenset(("%", "percent", "pct", "prozent"))


def quantity_at(tokens: tuple[RuleToken, ...], start: int) -> list[tuple[int, Meaning]]:
    """What number, percentage, length of time or date begins at the token: (where it ends, what it is), all of them."""
    token = tokens[start]
    if token.kind == "date":
        return [(start + 1, DateMeant(str(token.value)))]
    number = _number(tokens, start)
    if number is None:
        return _a_unit(tokens, start)
    end, value = number
    found: list[tuple[int, Meaning]] = [(end, NumberMeant(value))]
    percent = _after_percent(tokens, end)
    if percent is not None:
        return [(percent, NumberMeant(value, percent=True))]
    unit = _unit_after(tokens, end)
    if unit is not None:
        behind, amount = _and_a_half(tokens, unit[0], value)  # "two hours and a half"
        found.append((behind, _duration(amount, unit[1])))
    if _low(tokens, end) in _HUNDREDTHS:
        found.append((end + 1, NumberMeant(value / 100)))
    return found


def _number(tokens: tuple[RuleToken, ...], start: int) -> tuple[int, int | float] | None:
    """The number that begins here: "-5", "50k", "twenty-five", "two million"."""
    token = tokens[start]
    if token.text in ("-", "−") and _touches_number(tokens, start):
        value = tokens[start + 1].value
        return start + 2, -value if isinstance(value, (int, float)) else 0
    if token.kind == "number" and isinstance(token.value, (int, float)):
        return _and_a_half(tokens, *_scaled(tokens, start + 1, token.value))
    found = _spelled(tokens, start) or _joined(token, start)
    return _and_a_half(tokens, *found) if found is not None else None


def _and_a_half(tokens: tuple[RuleToken, ...], end: int, value: int | float) -> tuple[int, int | float]:
    """With the half that may stand behind: "three and a half"."""
    is_more = tuple(_low(tokens, end + at) for at in range(3)) == AND_A_HALF
    return (end + 3, value + _HALF) if is_more else (end, value)


def _spelled(tokens: tuple[RuleToken, ...], start: int) -> tuple[int, int | float] | None:
    """A number in words: "twenty-five", "a thousand", "two hundred and fifty"."""
    low, following = tokens[start].low, _low(tokens, start + 1)
    if low in ("a", "an") and following in _SCALES:
        return _with_rest(tokens, start + 2, _SCALES[following])
    if low in _SCALES:
        return _with_rest(tokens, start + 1, _SCALES[low])
    if low not in _WORDS:
        return None
    end, value = start + 1, _WORDS[low]
    if low in _TENS and following in _SMALL[1:10]:
        end, value = start + 2, value + _WORDS[following]
    scaled = _scaled(tokens, end, value)
    return _with_rest(tokens, *scaled) if scaled[0] > end else scaled


def _with_rest(tokens: tuple[RuleToken, ...], end: int, value: int | float) -> tuple[int, int | float]:
    """What is said behind a hundred or a thousand: "and fifty", "two hundred", "thousand"."""
    scale = _SCALES.get(_low(tokens, end), 0)
    if scale > value:
        return _with_rest(tokens, end + 1, value * scale)
    place = end + (_low(tokens, end) == "and")
    rest = _spelled(tokens, place) if _low(tokens, place) in (*_SMALL[1:], *_TENS) else None
    below = max((scale for scale in (100, 1_000, 1_000_000) if value % scale == 0), default=0)
    return (rest[0], value + rest[1]) if rest is not None and rest[1] < below else (end, value)


def _joined(token: RuleToken, start: int) -> tuple[int, int | float] | None:
    """A number that its letter is written together with: "50k"."""
    digits, letter = token.low.rstrip("kmbn"), token.low.lstrip("0123456789")
    return (start + 1, int(digits) * _LETTERS[letter]) if digits.isdigit() and letter in _LETTERS else None


def _touches_number(tokens: tuple[RuleToken, ...], start: int) -> bool:
    if start + 1 >= len(tokens) or tokens[start + 1].kind != "number" or tokens[start + 1].start != tokens[start].end:
        return False
    return start == 0 or tokens[start - 1].end < tokens[start].start or tokens[start - 1].text in "(=<>,"


def _scaled(tokens: tuple[RuleToken, ...], end: int, value: int | float) -> tuple[int, int | float]:
    low = _low(tokens, end)
    if low in _SCALES or low in ("k", "bn"):
        return end + 1, value * (_SCALES.get(low) or _LETTERS[low])
    return end, value


def _after_percent(tokens: tuple[RuleToken, ...], end: int) -> int | None:
    if _low(tokens, end) in _PERCENT:
        return end + 1
    return end + 2 if (_low(tokens, end), _low(tokens, end + 1)) == ("per", "cent") else None


def _unit_after(tokens: tuple[RuleToken, ...], end: int) -> tuple[int, str] | None:
    place = end + (_low(tokens, end) in _BETWEEN)
    unit = _UNITS.get(singular(_low(tokens, place))) if _low(tokens, place) else None
    return (place + 1, unit) if unit is not None else None


def _a_unit(tokens: tuple[RuleToken, ...], start: int) -> list[tuple[int, Meaning]]:
    """Like "a week", "an hour", "a full day"."""
    if tokens[start].low not in ("a", "an"):
        return []
    if _low(tokens, start + 1) in _HUNDREDTHS:
        return [(start + 2, NumberMeant(0.01))]
    unit = _unit_after(tokens, start + 1)
    if unit is None:
        return []
    end, amount = _and_a_half(tokens, unit[0], 1)  # "an hour and a half"
    return [(end, _duration(amount, unit[1]))]


def _duration(amount: int | float, unit: str) -> DurationMeant:
    times, plain = _MULTIPLES.get(unit, (1, unit))
    return DurationMeant(float(amount * times), plain)


def _low(tokens: tuple[RuleToken, ...], place: int) -> str:
    return tokens[place].low if place < len(tokens) else ""

"""Lists of values as data dictionaries write them: "A, B or C", "M/F/U", "1 = low, 2 = high", "P (present)".

A list is literal: its values are kept as they are written.
"""

import re
from collections.abc import Iterator
from itertools import takewhile

from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.language.doors.masked import outermost
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.slots import BEHIND_BRACKETS, number_of
from pandas_magic.planner.language.doors.terms import NotMeant
from pandas_magic.planner.language.linking.abbreviating import tells_of

Values = tuple[bool | int | float | str, ...]
_SEPARATOR = re.compile(rf"{BEHIND_BRACKETS}|\s*(?:,\s*(?:or\s+|and\s+)?|\||/|;|\bor\b|\band\b)\s*")
_LABELLED = re.compile(r"(?P<value>'[^']*'|[\w.+-]+)\s*(?:=|:|\s-\s|\(|–)\s*[^()]+\)?")
_EXPLAINED = re.compile(r"[\w.+-]+(?: ?[=:]| [-–] ).*|[^'\"].*\([^()]*\)?")
_SPOKEN = re.compile(r"(?P<value>[A-Z0-9]{1,6}) [a-z].*")  # "DOK documentary"
# One value of a list over several cells, and what it means: "F=free  O=full", "BIO organic; CONV conventional".
_TOLD = re.compile(
    r"(?i:(?:val(?:ue)?s?|codes?|code ?list|one of|allowed(?: \w+)?|domain|enum)\b:? ?)?"
    r"(?P<code>[A-Z0-9][A-Z0-9+-]{0,5})(?P<sign> ?= ?| )(?P<meaning>(?=.*[a-z]{2})[^=|;]+)"
)
_GOES_ON = re.compile(r"(?P<quote>['\"])[^'\"]+(?P=quote)\s.*\w")  # "'A' for others"
_RANGE = re.compile(r"([A-Za-z]*)\d+ ?[-–] ?\1\d+|[A-Z] ?[-–] ?[A-Z]|[a-z] ?[-–] ?[a-z]")  # "A1-A5", "C-E"
# Words that state a fact of their own behind the values, or that describe instead of naming one.
_DESCRIBING = (
    "required mandatory unique optional null nullable non-null not-null nonnull notnull blank empty missing present "
    "positive negative integer number text date string only not characters chars digits letters max min between "
    "primary key never always must valid if when unless at least most than more less greater other others any all "
    "none etc the a an of from to in is are be"
)
_NO_VALUES = frozenset(_DESCRIBING.split()) | {"dd", "mm", "yy", "yyyy"}
# In capitals a short one may be a code: Norway is NO. "NOT" and longer ones are written so in DDL: "NOT NULL, A | B".
_SHORT_CODE = 3
_DEMANDING = _NO_VALUES - {"a", "an", "number", "of", "string", "text", "the"} | {"default", "except", "without"}


def listed_values(said: str, names: Names, of: Expression, *, announced: bool) -> Values:
    """The values. A list that nothing announces is only read when most of its values occur in the column.

    Raises: NotMeant when something in it is no value of the column's kind, or may be another fact.
    """
    kind, known = names.kind(of), names.values(of)
    items = _codes_told(_items(said.strip().strip("()[]{}").strip()), known)
    items[0] = _without_title(items, known, of)
    is_explained = _is_explained(items, kind)
    plain = [_plain(item) for item in items]
    if any(value not in known and any(one.startswith(f"{value} ") for one in known) for value in plain):
        raise NotMeant("a value of which the rest may stand behind the last: full/part time")
    if any(map(_RANGE.fullmatch, set(items).difference(known))) and not any(map(_RANGE.fullmatch, known)):
        raise NotMeant("a range among values")
    if is_divided_two_ways(said) and not set(plain).issubset(known):
        raise NotMeant("a list that is divided in two ways")
    for item, value in zip(items, plain, strict=True):
        if item[0] not in "'\"" and value not in known and _is_no_value(value, names):
            raise NotMeant(f"{value!r} may be no value")
    if kind in ("integer", "number"):
        return codes(_numbers(plain)) if is_explained else _numbers(plain)
    if kind != "text":
        raise NotMeant("a list for a column that holds no texts")
    quoted = all(item[0] in "'\"" for item in items)
    if (
        not quoted
        and (len(items) < 2 or not announced)
        and sum(value in known for value in plain) < max(1, len(plain) - 1)
    ):
        raise NotMeant("the values do not occur in the column")
    return tuple(dict.fromkeys(plain))


def _is_explained(items: list[str], kind: str | None) -> bool:
    """Whether it is said of each value what it means. Raises: NotMeant where it is of some, but for one number."""
    explained = sum(bool(_EXPLAINED.fullmatch(item)) for item in items)
    if len(items) == explained == 1:
        raise NotMeant("one value that is explained, which may be one of several")
    is_number = explained == 1 and kind in ("integer", "number") and items[0].endswith(")")  # "0 (none), 16, 32"
    if 0 < explained < len(items) and not is_number:
        raise NotMeant("a list of which only some values are explained")
    return explained == len(items)


def lists_whole(cells: list[str], known: tuple[str, ...]) -> Iterator[str]:
    """The cells, with those that tell one value after another as one: "one of A (goods), B (mail)".

    Without a sign between value and meaning only where all of them but one are `known` to occur.
    """
    while cells:
        codes = [one for one in takewhile(bool, map(_TOLD.fullmatch, cells)) if one is not None]
        occurring = sum(one["code"] in known for one in codes)
        is_list = len(codes) > 1 and all("=" in one["sign"] for one in codes)
        if is_list or occurring >= max(2, len(codes) - 1):
            told = (f"{one['code']} ({re.sub('[()]', ' ', one['meaning']).strip()})" for one in codes)
            yield f"one of {', '.join(told)}"
        else:
            yield cells[0]
            codes = codes[:0]
        cells = cells[len(codes) or 1 :]


def _codes_told(items: list[str], known: tuple[str, ...]) -> list[str]:
    """The items, as codes where nearly all of these occur: "RBT BRN BKT", and "DOK documentary" of several."""
    is_spoken = all(_SPOKEN.fullmatch(item) for item in items) and len(items) > 1
    told = [item.split()[0] for item in items] if is_spoken else items[0].split() if len(items) == 1 else []
    occurring = sum(word in known for word in told)
    are_codes = all(word in known or word[:1].isupper() or word[:1].isdigit() for word in told)  # no "101 thru 104"
    return told if are_codes and occurring >= max(2, len(told) - 1) and items[0] not in known else items


def is_divided_two_ways(said: str) -> bool:
    """Whether two kinds of separators stand in a list, of which one may divide facts: "NN, A | B"."""
    return len({sign for sign in ",|/;" if sign in outermost(said)}) > 1


def _without_title(items: list[str], known: tuple[str, ...], of: Expression) -> str:
    """The first value without what the list is called: "category: A | B"."""
    titled = re.fullmatch(r"(?P<title>[A-Za-z][a-z ]+)(?:: *| (?=\S+$))(?P<first>.+)", items[0])
    if titled and ":" not in items[0] and not (isinstance(of, Column) and tells_of(titled["title"], of.name)):
        return items[0]  # "condition A, B or C" of cond
    if titled is None or titled["title"] in known or not _DEMANDING.isdisjoint(titled["title"].lower().split()):
        return items[0]
    return items[0] if {titled["first"], *items[1:]}.isdisjoint(known) else titled["first"]


def _items(said: str) -> list[str]:
    """What stands between the separators that are not in quotes. Raises: NotMeant when there is nothing."""
    if re.search(r"(?:^|\s)/\S[^/]*/?$", said):
        raise NotMeant("a pattern between slashes")
    found, end = [], 0
    for separator in _SEPARATOR.finditer(outermost(said)):
        found.append(said[end : separator.start()].strip())
        end = separator.end()
    found.append(said[end:].strip())
    if not all(found):
        raise NotMeant("no list")
    if any(_GOES_ON.fullmatch(item) and not _EXPLAINED.fullmatch(item) for item in found):
        raise NotMeant("a value behind which something else is said")
    return found


def _plain(item: str) -> str:
    labelled = _LABELLED.fullmatch(item.strip())
    text = labelled["value"] if labelled else item.strip()
    return text[1:-1] if text[:1] in ("'", '"') and text[-1:] == text[0] else text


def _is_no_value(value: str, names: Names) -> bool:
    """Whether words that stand in no quotes and do not occur may describe a value instead of being one."""
    may_be_code = value.isupper() and len(value) <= _SHORT_CODE and value != "NOT"
    words = value.split() if may_be_code else value.casefold().split()
    return len(words) != 1 or not _NO_VALUES.isdisjoint(words) or value in names.tables[names.target].columns


def _numbers(items: list[str]) -> tuple[int | float, ...]:
    if not all(re.fullmatch(r"-?\d+(\.\d+)?", item) for item in items):
        raise NotMeant("a list of numbers that holds something else")
    return tuple(number_of(item) for item in items)


def codes(values: Values) -> Values:
    """Explained values, where they are codes. Raises: NotMeant for the ends of a scale, and for two of many."""
    numbers = [value for value in values if isinstance(value, (int, float))]
    if numbers and not any(number + 1 in numbers for number in numbers):
        raise NotMeant("whether only the explained numbers are allowed is not said")
    return values

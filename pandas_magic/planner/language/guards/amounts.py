"""Amounts said short: two limits that share a factor or a distance, a number behind a column, a year behind "in"."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise, permutations

from pandas_magic.constraints.algebra.conditions import Compare
from pandas_magic.constraints.algebra.expressions import (
    Aggregate,
    Arithmetic,
    Column,
    Expression,
    Group,
    Rollup,
    Share,
    Span,
    TextLength,
    Value,
)
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.algebra.tree import conjuncts
from pandas_magic.planner.language.guards.nodes_needed import each, equalled, holds, values_told
from pandas_magic.planner.language.guards.said import mentions
from pandas_magic.planner.language.linking import Linked

_ORDERS = ("<", "<=", ">", ">=")
_NUMBERS = ("integer", "number")
_TIMES_SAID = {"twice": 2, "double": 2, "thrice": 3, "triple": 3, "half": 0.5}
_SAID = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10, **_TIMES_SAID}
_FACTOR = re.compile(r"\btimes\b|%|\bper ?cent\b|\bhalf\b|\btwice\b|\bdouble\b|\btriple\b|\d ?x\b|fold\b")
_SIGN = re.compile(r"\b(?:plus|minus|less(?! than)|add(?:ed)?)\b|[+−]|(?<=\s)-(?=\s)|x-|-x")
# What takes a sum as one thing: a bracket, a name for it, a distance from it.
_TAKEN_TOGETHER = re.compile(
    r"\(|\b(?:sum|total of|difference|together|combined|altogether|added|both|within|margin|apart|average|mean)\b"
    r"|(?:%|per ?cent) (?:more|less|higher|lower|above|below|over|under|greater|smaller)\b"
)
_YEARLY = re.compile(r"year|yr|season|vintage|edition|fiscal|fy", re.IGNORECASE)
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_IN_YEARS = r"\b(?:in|during|for|since|from|of|until|before|after|by)(?: the year)? (?:\d{4}(?:,| and| or) )*"
_LIMIT_OF_A_COLUMN = r"\b(?:than|above|below|over|under|least|most|exceeds?) (?:the |its )?x{2,},? (?:and|or|nor)"
# Of two limits the one is hardly a factor, too, when it is so many times the other.
_FAR = 50


def amounts_cut(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """What speaks against the amounts of the rule, where the words may share a part among two of them."""
    text = linked.without_names
    if isinstance(constraint, RowRule):
        yield from _equal_and_limited(constraint)
    for one, other in permutations(each(constraint, Compare), 2):
        if one.left == other.left and isinstance(one.right, Value) and one.relation in _ORDERS:
            yield from _shared(one.right.value, other.right, text)
    yield from _behind_a_column(constraint, text)
    yield from _years_of_numbers(constraint, linked)
    yield from _times_of_nothing(constraint, text)
    yield from _sums_multiplied(constraint, text)
    yield from _by_another(constraint, linked)


def _equal_and_limited(constraint: RowRule) -> Iterator[str]:
    """Like "greater than the net weight and 10", taken for a weight that equals 10."""
    parts = conjuncts(constraint.must)
    limited = {part.left for part in parts if isinstance(part, Compare) and part.relation in _ORDERS}
    for part in parts:
        for left, number in _numbers(equalled(part, "==")):
            if left in limited and not isinstance(left, TextLength):
                yield f"whether {number:g} is a limit as well is not said"


def _numbers(told: Iterable[tuple[Expression, object]]) -> Iterator[tuple[Expression, float]]:
    """What is told of numbers."""
    for left, value in told:
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield left, float(value)


def _behind_a_column(constraint: Constraint, text: str) -> Iterator[str]:
    """Like "not greater than the list price or 100", where 100 is a limit as the list price is."""
    limited = {compare.left for compare in each(constraint, Compare) if compare.relation in _ORDERS}
    for left, number in _numbers(values_told(constraint, "==", "!=")):
        if left in limited and re.search(rf"{_LIMIT_OF_A_COLUMN} {number:g}\b", text):
            yield f"whether {number:g} is a limit as well is not said"


def _years_of_numbers(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like a price that "must be above 0 in 2026", taken for one of 2026."""
    table, text = linked.tables[constraint.table], linked.text.lower()
    for left, number in _numbers(values_told(constraint, "==", "!=")):
        if not isinstance(left, Column) or left.name not in table.columns or _YEARLY.search(left.name):
            continue
        is_year = table.kind(left.name) in _NUMBERS and _FIRST_YEAR <= number <= _LAST_YEAR
        if is_year and re.search(rf"{_IN_YEARS}{number:g}\b", text):
            yield f"whether {number:g} is a year is not said"


def _times_of_nothing(constraint: Constraint, text: str) -> Iterator[str]:
    """Like "at least the minimum but no more than twice", taken for at most 2."""
    for compare in each(constraint, Compare):
        right = compare.right.value if isinstance(compare.right, Value) else None
        counted = isinstance(compare.left, (Aggregate, Group, Rollup, Share, TextLength))
        for word, number in _TIMES_SAID.items():
            said = re.search(rf"\b{word}\b(?! an? | past| the (?:rows|records)|-)", text)
            is_number = re.search(rf"(?<![\w.]){number:g}(?![\w.]\d|\w)|\band an? half\b", text)
            if said and not is_number and not isinstance(right, bool) and right == number and not counted:
                yield f'"{word}": of what is not said'


def _shared(limit: bool | int | float | str, other: Expression, text: str) -> Iterator[str]:
    """Like "between 1 and 3 times the rent", taken for at least 1; "by at least 5 but at most 50", for at most 50."""
    sides = (other.left, other.right) if isinstance(other, Arithmetic) else ()
    amounts = [side.value for side in sides if isinstance(side, Value)]
    if not amounts or isinstance(limit, str) or not limit or not isinstance(other, Arithmetic):
        return
    number, amount = abs(float(limit)), abs(float(amounts[0]))
    if other.sign in "+-":
        if not _SIGN.search(text):
            yield f"whether {limit:g} is counted from there as well is not said"
        return
    words = "|".join(word for word, value in _SAID.items() if value == number)
    for said in re.finditer(rf"(?<![\w.,])(?:{number:g}{'|' if words else ''}{words})(?![\w.,]*\d)", text):
        factor = _FACTOR.search(text, said.end())
        near = factor and not re.search(r"x{2,}|\*", text[said.end() : factor.start()])
        if near and any(number <= _FAR * size and size <= _FAR * number for size in (amount, 100 * amount)):
            yield f"whether {limit:g} is a factor as well is not said"


def _sums_multiplied(constraint: Constraint, text: str) -> Iterator[str]:
    """Like "twice the rent plus the fee", taken for twice the sum of both."""
    if not _SIGN.search(text) or _TAKEN_TOGETHER.search(text):
        return
    for node in each(constraint, Arithmetic):
        # How many days lie between two dates is no product.
        if node.sign in "*/" and not isinstance(node.right, Span):
            inner = [side for side in (node.left, node.right) if isinstance(side, Arithmetic) and side.sign in "+-"]
            if inner:
                yield "what is added or taken off before it is multiplied is not said; use brackets"


def _by_another(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "length by width", which are multiplied, taken for a length up to the width."""
    table = linked.tables[constraint.table]
    for first, second in pairwise(mentions(linked)):
        names = (*first.columns, *second.columns)
        measured = names and all(name in table.columns and table.kind(name) in _NUMBERS for name in names)
        joined = holds(constraint, Arithmetic, Group)
        if measured and not joined and linked.text[first.end : second.start].strip().lower() == "by":
            yield "what is held by what is not said"

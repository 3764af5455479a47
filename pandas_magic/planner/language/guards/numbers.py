"""Numbers: each one said is in the rule, on the side and in the unit in which it is said."""

import math
import re
from collections.abc import Iterator
from itertools import chain

from pandas_magic.constraints import reads
from pandas_magic.constraints.algebra.conditions import Compare, HasText, Matches, OneOf
from pandas_magic.constraints.algebra.expressions import (
    Aggregate,
    Arithmetic,
    Column,
    DatePart,
    Group,
    Moment,
    Rollup,
    Span,
    TextLength,
    Value,
)
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.algebra.shapes import clock_of
from pandas_magic.planner.language.guards.nodes_needed import each, every_node
from pandas_magic.planner.language.linking import DurationMeant, Linked, LinkedSpan, NumberMeant
from pandas_magic.planner.language.linking.spelled_out import spelled_out
from pandas_magic.planner.language.linking.unit_scales import UNITS, counts_percent
from pandas_magic.planner.language.linking.words import name_parts, name_words
from pandas_magic.record import Record

# A length of time may be said in one unit and held in another; a weight in grams may be said in kilograms.
_FACTORS = (1, 100, 1000, 60, 3600, 24, 7, 12, 365, 10, 1_000_000, 86_400, 30, 4, 3, 1440, 168)
_NEAR = 1e-9
# Of some scales 1 is the highest, of others the lowest.
_SCALES = re.compile(r"(?:^|[\W_])(?:prio|priority|rank|ranking|severity|sev|grade|tier|position|urgency)(?:$|[\W_])")
_HIGHER = re.compile(r"\b(?:higher|lower|better|worse|above|below) (?:than )?")
_INTERVAL = re.compile(r"[\[(\]] ?(-?\d+(?:\.\d+)?) ?[,;] ?(-?\d+(?:\.\d+)?) ?[\])\[]")
_NOON, _HOUR = 12, 60
_MORE = "(?:more|greater|larger|higher|bigger|older|longer|taller|heavier|later)"
_LESS = "(?:less|fewer|smaller|lower|younger|shorter|lighter|cheaper|earlier)"
_BOUNDS = (
    (rf"(?:at least|no(?:t)? {_LESS} than|not below|minimum(?: of)?)", ">=", "<"),
    (rf"(?:at most|no(?:t)? {_MORE} than|not (?:above|over)|maximum(?: of)?|up to)", "<=", ">"),
    (rf"(?<!no )(?<!not ){_MORE} than|(?<!not )(?:above|over|exceed|exceeds|exceeding)", ">", "<="),
    (rf"(?<!no )(?<!not ){_LESS} than|(?<!not )(?<!or )(?:below|under)", "<", ">="),
)
_RATIOS = frozenset(("rate", "ratio", "share", "fraction", "proportion"))
_ENERGIES = ({"w", "kw", "mw"}, {"wh", "kwh", "mwh"}, {"wp", "kwp", "mwp"}, {"ct", "cents", "eur", "usd"})


def numbers_lost(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """What of the numbers said is not in the rule, or otherwise than it is said."""
    held = set(_numbers_in(constraint))
    # What a text is made of is said in words, by counts and by examples.
    is_made = any(True for _ in each(constraint, Matches))
    for span in linked.segments():
        said = _number_of(linked, span)
        if said is None or span.cues:
            continue
        if not _is_held(said, held) and not is_made:
            yield f"nothing in it stands for {linked.said(span.start, span.end)}"
    yield from _shares_beside_amounts(constraint)
    yield from _ends_listed(constraint, linked)
    yield from _of_a_unit(constraint, linked)
    yield from _shares_of_one(constraint)
    for compare, column, limit in _limits(constraint):
        yield from _turned_round(linked, compare, limit)
        yield from _of_a_scale(linked, compare, column)
        yield from _loosened(linked, compare, limit)
        yield from _other_percent(linked, column, limit)
        yield from _other_unit(linked, column, limit)
        yield from _unit_untold(linked, column, limit)
        yield from _of_kelvin(linked, column, limit)
        yield from _other_measure(linked, column, limit)


def _number_of(linked: Linked, span: LinkedSpan) -> float | None:
    """The number that the span is and nothing else; words below three count things in many ways."""
    if any(not isinstance(meant, (NumberMeant, DurationMeant)) for meant in span.meanings):
        return None
    for meant in span.meanings:
        if isinstance(meant, NumberMeant) and (
            meant.value not in (0, 1, 2) or (meant.value == 2 and linked.tokens[span.start].text.isdigit())
        ):
            return float(meant.value)
        if isinstance(meant, DurationMeant) and meant.amount > 2:
            return float(meant.amount)
    return None


def _numbers_in(constraint: Constraint) -> Iterator[float]:
    for node in every_node(constraint):
        yield from _numbers_of(node)
    tolerance = constraint.tolerance if isinstance(constraint, RowRule) else None
    if tolerance is not None:
        yield from (float(limit) for limit in (tolerance.max_rows, tolerance.max_share) if limit is not None)


def _numbers_of(node: Record) -> Iterator[float]:
    match node:
        case Value(value=int() | float() as number) if not isinstance(number, bool):
            yield float(number)
            places = -math.log10(number) if 0 < number < 1 else 0.0
            yield from [round(places)] if places and abs(places - round(places)) < _NEAR else []  # 0.01: two places
        case Span(amount=amount):
            yield amount
        case Compare(right=right, left=left) if clock := clock_of(right, left):
            hour, minute, *second = map(float, clock.split(":"))
            yield from (hour, hour % _NOON, minute, minute / _HOUR, *second)  # "half past five in the evening" is 17:30
        case OneOf(values=values):
            yield float(len(values))  # "three states: …"
            yield from (float(value) for value in values if not isinstance(value, str) or value.isdigit())
        case HasText(text=text) | Moment(iso=text):
            yield from map(float, re.findall(r"\d+", text))
        case Compare(within=float() as within):
            yield within
        case Group(quantile=float() as quantile) | Rollup(quantile=float() as quantile):
            yield quantile


def _is_held(said: float, held: set[float]) -> bool:
    near = chain.from_iterable((said * factor, said / factor) for factor in _FACTORS)
    wanted = {*near, said + 1, said - 1, 1 - said / 100, 1 + said / 100, 100 - said, -said}
    return any(abs(one - other) <= _NEAR * max(1, abs(other)) for one in wanted for other in held)


def _limits(constraint: Constraint) -> Iterator[tuple[Compare, str, float]]:
    """Comparisons of something with a number; the column's name where it is one alone."""
    for node in each(constraint, Compare):
        if isinstance(node.right, Value) and not isinstance(node.right.value, (bool, str)):
            yield node, node.left.name if isinstance(node.left, Column) else "", float(node.right.value)


def _turned_round(linked: Linked, compare: Compare, limit: float) -> Iterator[str]:
    """Like "at least 5", which is >= 5 or, where it is forbidden, < 5; never <= 5."""
    if not isinstance(compare.left, (Column, TextLength, DatePart)):
        return
    text = linked.text.lower()
    number = re.escape(f"{limit:g}")
    # A limit that is said twice stands on two sides.
    found = [
        (pattern, signs)
        for pattern, *signs in _BOUNDS
        for _ in re.finditer(rf"(?:{pattern})\s+{number}(?![\w.,]\d|\w|%)", text)
    ]
    if len(found) == 1 and compare.relation not in (*found[0][1], "==", "!="):
        yield f"it turns the limit of {limit:g} round"


def _of_a_scale(linked: Linked, compare: Compare, column: str) -> Iterator[str]:
    """Like "a priority higher than 2", which is 1 where 1 is the most urgent."""
    if compare.relation not in ("==", "!=") and _SCALES.search(column.lower()) and _HIGHER.search(linked.text.lower()):
        yield f"whether a higher {column} is a greater number, or 1 is the highest, is not said"


def _loosened(linked: Linked, compare: Compare, limit: float) -> Iterator[str]:
    """Like a sum that "must be 0" taken for one below 0: a statistic is what it is said to be, and no limit."""
    is_statistic = isinstance(compare.left, (Aggregate, Group, Rollup))
    number = "(?:0|zero)" if limit == 0 else re.escape(f"{limit:g}")
    said = re.search(rf"\b(?:be|is|are|equals?|equal to|(?:add|sum)s? (?:up )?to) {number}\W*$", linked.text.lower())
    if is_statistic and said and compare.relation not in ("==", "!="):
        yield f"it is a limit, and the rule says that it is {limit:g}"


def _other_percent(linked: Linked, column: str, limit: float) -> Iterator[str]:
    for said in re.findall(r"(?<![\w.])(\d+(?:\.\d+)?) ?(?:%|percent\b|per cent\b)", linked.text.lower()):
        share = float(said)
        if not column or not (_is_near(limit, share) or _is_near(limit, share / 100)):
            continue
        if counts_percent(column):
            fits = _is_near(limit, share)
        elif not _RATIOS.isdisjoint(name_parts(column)):
            fits = _is_near(limit, share / 100)
        else:
            fits = False
        if not fits and share:
            yield f"whether {said} % of {column} is {share:g} or {share / 100:g} is not said"


def _ends_listed(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "must be in (0, 500]", taken for 0 or 500."""
    said = _INTERVAL.search(linked.text)
    for node in each(constraint, OneOf):
        if said and len(node.values) == 2 and {float(said[1]), float(said[2])} == {*node.values}:
            yield f'whether "{said[0]}" is all from {said[1]} to {said[2]} or just these two is not said'


def _of_a_unit(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "below 10 mg", where another column says which of the numbers are in mg."""
    read = {name for columns in reads(constraint).values() for name in columns}
    told = {word for name in read for word in name_parts(name)}
    for number, unit in _amounts(linked):
        is_unit = any(unit in group and told.isdisjoint(group) for group in UNITS)
        for name, values in linked.tables[constraint.table].values.items() if is_unit else ():
            if name not in read and unit in map(str.lower, values):
                yield f"{name} says which rows are in {unit}, and {number} {unit} is asked of all"


def _shares_of_one(constraint: Constraint) -> Iterator[str]:
    """Like a VAT in percent that must be 0.07 or 0.19."""
    for node in every_node(constraint):
        match node:
            case OneOf(of=Column(name=name), values=said):
                numbers = list(said)
            case Compare(left=Column(name=name), right=Value(value=number)):
                numbers = [number]
            case _:
                continue
        if counts_percent(name) and all(isinstance(one, float) and 0 < one < 1 for one in numbers):
            yield f"{name} counts percent, and the rule says shares of one"


def _shares_beside_amounts(constraint: Constraint) -> Iterator[str]:
    """Like a discount in percent that must be below a total, or is taken off it, or multiplied as it is."""
    hundred = any(isinstance(node, Value) and node.value in (100, 0.01) for node in every_node(constraint))
    for node in every_node(constraint):
        if not isinstance(node, Compare) and (not isinstance(node, Arithmetic) or node.sign == "/" or hundred):
            continue
        if isinstance(node.left, Column) and isinstance(node.right, Column):
            is_share = _is_share if isinstance(node, Arithmetic) else counts_percent
            shares = [name for name in (node.left.name, node.right.name) if is_share(name)]
            if len(shares) == 1:
                yield f"{shares[0]} counts percent, and what it is compared with does not"


def _is_share(column: str) -> bool:
    """Like discount_pct, vat_rate and stawka_vat."""
    forms = map(set, spelled_out(name_words(column)))
    return counts_percent(column) or any("rate" in form and form & {"vat", "tax"} for form in forms)


def _other_unit(linked: Linked, column: str, limit: float) -> Iterator[str]:
    """Like "under 2 kg", where the column holds grams."""
    last = name_parts(column)[-1]
    for group in UNITS:
        if last not in group:
            continue
        for said, unit in _amounts(linked):
            amount = float(said) * group.get(unit, 0) / group[last]
            is_unit = any(unit in known for known in UNITS)
            if not is_unit or _is_near(amount, float(said)):
                continue
            if _is_near(limit, float(said)):
                yield f"{column} holds {last}, and the rule says {unit}"
            elif _is_near(limit, amount) and "eur" not in group:
                yield f"whether {said} {unit} are {limit:g} of {column} is not said"


def _unit_untold(linked: Linked, column: str, limit: float) -> Iterator[str]:
    """Like "0.1 grams" of a dose: whoever counts in milligrams writes no such number, and the column does not tell."""
    words = set(name_parts(column))
    for said, unit in _amounts(linked) if 0 < limit < 1 else ():
        group = next((group for group in UNITS if unit in group), {})
        finest = min(group, key=group.__getitem__, default=unit)
        if words.isdisjoint(group) and unit != finest and _is_near(limit, float(said)):
            yield f"whether {column} is in {unit} is not said"


def _of_kelvin(linked: Linked, column: str, limit: float) -> Iterator[str]:
    """Like "1750 K" of a temperature, which is not 1750 thousand."""
    is_warm = any("temperature" in form for form in spelled_out(name_words(column)))
    for said, unit in _amounts(linked) if is_warm else ():
        if unit == "k" and _is_near(limit, 1000 * float(said)):
            yield f"whether the {said} K of {column} are kelvin is not said"


def _amounts(linked: Linked) -> Iterator[tuple[str, str]]:
    """Each number of the rule with the word or sign of its unit."""
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", linked.text.lower())
    text = re.sub(r"([€$£]) ?(\d+(?:\.\d+)?)", r"\2 \1", text)
    yield from re.findall(r"(?<![\w.])(\d+(?:\.\d+)?) ?([a-z]+\b|[€$£])", text)


def _other_measure(linked: Linked, column: str, limit: float) -> Iterator[str]:
    """Like "100 kW" of what is held in kWp, and "60 kWh" of what is held in cents per kWh."""
    words = name_parts(column)
    units = [word for word in words if any(word in group for group in _ENERGIES)]
    own = next((group for group in _ENERGIES if units and units[0] in group), set())
    for said, unit in re.findall(r"(?<![\w.])(\d+(?:\.\d+)?) ?([a-z]+)\b", linked.text.lower()):
        other = any(unit in group for group in _ENERGIES) and unit not in own
        if units and other and _is_near(limit, float(said)):
            yield f"{column} holds {' per '.join(units)}, and the rule says {unit}"


def _is_near(one: float, other: float) -> bool:
    return abs(one - other) <= _NEAR * max(1.0, abs(other))

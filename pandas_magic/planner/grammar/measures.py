"""Numbers with a unit: 70 kg, 37.5 °C, 50 %. A unit is read only where the column cannot be measured in another."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Expression, Lookup
from pandas_magic.planner.grammar.chart import Parse, Position, position, rule
from pandas_magic.planner.grammar.meaning import kind_of_expression
from pandas_magic.planner.grammar.morphology import name_words
from pandas_magic.planner.grammar.values import number

# Each unit with its spellings, in groups that measure the same thing. First word: the name used in messages.
_UNITS: tuple[tuple[str, ...], ...] = (
    ("kg kilo kilogram kilogramme kgs", "g gram gramme", "mg milligram", "lb pound lbs", "t ton tonne"),
    (
        "km kilometre kilometer kms",
        "m metre meter",
        "cm centimetre centimeter",
        "mm millimetre millimeter",
        "ft foot feet",
        "inch in",
        "mile mi",
    ),
    ("celsius c °c degc", "fahrenheit f °f degf", "kelvin k"),
    (
        "ms millisecond msec",
        "second s sec seconds",
        "minute min mins minutes",
        "hour h hr hours hrs",
        "day days",
        "week weeks",
        "month months",
        "year years yr yrs",
    ),
    ("eur euro euros €", "usd dollar dollars $", "gbp £", "chf franc francs", "cent cents ct cts penny pence"),
    ("kb kilobyte", "mb megabyte", "gb gigabyte", "byte bytes"),
    ("kwh", "wh", "mwh"),
    ("kw kilowatt", "w watt", "mw megawatt"),
    ("v volt volts", "mv millivolt"),
    ("bpm beat_per_minute",),
    ("mmhg",),
    ("hpa hectopascal", "kpa", "pa pascal", "bar", "mbar"),
    ("db decibel", "dbm"),
    ("hz hertz", "khz", "mhz"),
    ("ppm",),
    ("kmh kph", "mph", "knot knots kt"),
    ("mbps", "kbps"),
    ("rpm",),
    ("lux",),
    ("ha hectare hectares", "acre acres"),
    ("m2 sqm", "sqft"),
    ("l litre liter litres", "ml millilitre milliliter"),
    ("degree degrees deg °",),
    ("a amp ampere", "ma"),
    ("kwp", "wp", "mwp"),
    ("kva",),
    ("ah", "mah"),
    ("psi",),
)
_BY_WORD = {
    spelling: (group, names.split()[0])
    for group, units in enumerate(_UNITS)
    for names in units
    for spelling in names.split()
}
# Said of several: "3 tonnes", "20 kilograms".
for _spelling, _unit in list(_BY_WORD.items()):
    if len(_spelling) > 2 and _spelling.isalpha():
        _BY_WORD.setdefault(f"{_spelling}{'es' if _spelling.endswith('ch') else 's'}", _unit)
_MONEY = _BY_WORD["eur"][0]
_CENT = _BY_WORD["cent"]
_TIME = _BY_WORD["day"][0]
_WARMTH = frozenset(("temp", "temperature"))
# Measured in units that another column's name may leave out.
_MEASURED = frozenset(("weight", "mass", "volume", "length", "width", "height", "depth", "distance", "load", "payload"))
_BOUNDS = frozenset(("min", "max", "minimum", "maximum", "limit", "lower", "upper", "target", "ref"))
# Counted things that are not units; the column says of what.
_PLAIN = "unit|piece|item|point|pcs|pc"
_COUNTED = frozenset(("qty", "quantity", "count", "stock", "unit", "piece", "item", "number", "num"))
_AGE = frozenset(("age", "tenure", "seniority", "experience"))


@rule
def measured(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, int | float]]:
    """The number before a unit that the column of `x` is measured in, as its name says or leaves open.

    A percentage is read as 0 to 100 where the name says so ("discount_pct"), as 0 to 1 for a share; of a rate nobody
    knows which.
    """
    first = p.at(i)
    before = _BY_WORD.get(first.low) if first is not None else None
    if before and before[0] == _MONEY and _fits(p, x, *before):
        for end, found in number(p, position(i + 1, i.trace)):
            yield p.note(i, end, f"the unit {before[1]}, taken to be the column's"), found
    for middle, found in number(p, i):
        token = p.at(middle)
        if token is None:
            continue
        yield from _percent(p, middle, found, x)
        if not _COUNTED.isdisjoint(name_words(_column(x))):
            yield from ((end, found) for end in p.phrase(middle, _PLAIN))
        yield from ((end, found) for end in _rate(p, middle, x))
        unit = _BY_WORD.get(token.low)
        after = middle + 1
        if token.text == "°" and (letter := p.at(middle + 1)) and letter.low in ("c", "f"):
            unit, after = _BY_WORD[letter.low], middle + 2
        if unit == _CENT:
            yield from _cents(p, middle, after, found, table, x)
        elif unit and _fits(p, x, *unit):
            yield p.note(middle, after, f"the unit {unit[1]}, taken to be the column's"), found


def _rate(p: Parse, i: Position, x: Expression) -> Iterator[Position]:
    """Where "mm/s", "km per hour" ends, if the column's name ends in it: vibration_mm_s, speed_kmh."""
    units = [p.at(i), p.at(i + 1), p.at(i + 2)]
    said = [token.low for token in units if token is not None]
    if len(said) == 3 and said[1] in ("/", "per"):
        above, below = name_words(said[0])[-1:], name_words(said[2])[-1:]
        name = tuple(word for word in name_words(_column(x)) if word != "per")
        if name[-2:] == (*above, *below) or name[-1:] == ("".join((*above, *below)),):
            yield p.note(i, i + 3, "the column's unit")


def _cents(
    p: Parse, i: Position, end: int, found: int | float, table: str, x: Expression
) -> Iterator[tuple[Position, int | float]]:
    """Cents as they stand in a column of cents; in one of euros, dollars or unnamed money, hundredths."""
    said = _unit_of(x)
    if said == _CENT:
        yield p.note(i, end, "the unit cent, the column's"), found
    elif said is not None:
        if said[0] == _MONEY:
            yield p.note(i, end, f"hundredths of the column's {said[1]}"), round(found / 100, 6)
    elif kind_of_expression(p.schema, table, x) == "integer":
        p.refuse(
            f'{found} cents could be {found} or {found / 100} in "{_column(x)}"; write the number as it stands there'
        )
    else:
        yield p.note(i, end, "hundredths of the column's money"), round(found / 100, 6)


def _unit_of(x: Expression) -> tuple[int, str] | None:
    """The unit that ends the column's name: kg of "weight_kg"."""
    name = name_words(_column(x))
    if len(name) > 2 and name[-1] in _BY_WORD:
        paid = _BY_WORD.get(name[-3] if name[-2] == "per" else name[-2])
        if paid is not None and paid[0] == _MONEY:
            return paid  # price_ct_kwh is money for each kWh
        if name[-2] == "per":
            return None  # nor is price_per_litre a number of litres
    return _BY_WORD.get(name[-1]) if len(name) > 1 else None


def has_unit(x: Expression) -> bool:
    """The column's name ends in a unit: weight_kg, weekly_hours."""
    return _unit_of(x) is not None


def own_unit(p: Parse, i: Position, column: str) -> Iterator[Position]:
    """Where the unit that ends the column's name ends: "weeks", "week" for notice_period_weeks."""
    name, token = name_words(column), p.at(i)
    unit = _BY_WORD.get(name[-1]) if len(name) > 1 else None
    if token is not None and unit is not None and _BY_WORD.get(token.low) == unit:
        yield p.note(i, i + 1, f"the unit {unit[1]}, the column's")


def in_their_unit(p: Parse, i: Position, table: str) -> list[tuple[Position, int | float, str]]:
    """The number before a unit, with each column whose name ends in it: "30 kg" for weight_kg."""
    found = []
    for middle, value in number(p, i):
        token = p.at(middle)
        for name in p.schema.tables[table].columns if token is not None and token.low in _BY_WORD else ():
            said = _unit_of(Column(name=name)) or _BY_WORD.get("".join(name_words(name)))  # also for "litres" alone
            numeric = p.schema.kind(table, name) in ("integer", "number")
            if token is not None and said is not None and numeric and _BY_WORD[token.low] == said:
                found.append((p.note(i, middle + 1, f"the unit {said[1]}, the column's"), value, name))
    return found


def only_one_in_unit(p: Parse, i: int, table: str) -> str | None:
    """The one column of weights, lengths … whose unit stands there: "ml" for volume_ml, "degrees" for temp_c."""
    unit = _BY_WORD.get(p.tokens[i].low)
    if unit is None or unit[0] in (_TIME, _MONEY):
        return None
    numbers = [one for one in p.schema.tables[table].columns if p.schema.kind(table, one) in ("integer", "number")]
    named = [one for one in numbers if _WARMTH & set(name_words(one))]
    if unit[1] != "degree":
        named = [one for one in numbers if _unit_of(Column(name=one)) in _of_the_kind(unit)]
        named += [one for one in numbers if _MEASURED & set(name_words(one)) and one not in named]
    exact = unit[1] == "degree" or (len(named) == 1 and _unit_of(Column(name=named[0])) == unit)
    return named[0] if len(named) == 1 and exact and not _BOUNDS & set(name_words(named[0])) else None


def unit_behind(p: Parse, i: Position, x: Expression) -> Iterator[Position]:
    """Where the unit behind several numbers ends: "0, 4 or 6 euros"."""
    if {"pct", "percent", "percentage"} & set(name_words(_column(x))):
        yield from (p.note(i, end, "percent, as the column's name says") for end in p.phrase(i, "%|percent|per cent"))
    token = p.at(i)
    unit = _BY_WORD.get(token.low) if token is not None else None
    if unit is not None and unit != _CENT and _fits(p, x, *unit):
        yield p.note(i, i + 1, f"the unit {unit[1]}, taken to be the column's")


def is_of_the_kind(word: str, unit: str) -> bool:
    """The word is a unit for what the other one measures as well: "minute" and "hour"."""
    return word in _BY_WORD and _BY_WORD[word][0] == _BY_WORD[unit][0]


def is_a_unit(word: str) -> bool:
    """The last word of a column's name is a unit: hour, kg, eur."""
    return word in _BY_WORD


def _of_the_kind(unit: tuple[int, str]) -> tuple[tuple[int, str], ...]:
    return tuple(dict.fromkeys(one for one in _BY_WORD.values() if one[0] == unit[0]))


def _column(x: Expression) -> str:
    if isinstance(x, Lookup):
        return _column(x.of)
    if isinstance(x, Arithmetic):
        return _column(x.left) or _column(x.right)
    return x.name if isinstance(x, Column) else getattr(getattr(x, "of", None), "name", "")


def _fits(p: Parse, x: Expression, group: int, unit: str) -> bool:
    name = name_words(_column(x))
    if not name:
        return False
    said = _unit_of(x)
    if said is not None and said[0] == group:
        if said[1] != unit:
            p.refuse(f'"{_column(x)}" is measured in {said[1]}, the rule says {unit}; convert the number')
        return said[1] == unit
    if said is not None and unit != "degree":
        return False
    # Time is measured in too many units to be taken for granted.
    if group == 3:
        return unit == "year" and name[-1] in _AGE
    return True


def _percent(p: Parse, i: Position, found: int | float, x: Expression) -> Iterator[tuple[Position, int | float]]:
    name = set(name_words(_column(x)))
    for end in p.phrase(i, "%|percent|per cent|pct") if name else ():
        if name & {"pct", "percent", "percentage", "perc"}:
            yield p.note(i, end, "percent, as the column's name says"), found
        elif name & {"ratio", "share", "fraction", "proportion", "probability"}:
            yield p.note(i, end, "a share between 0 and 1, as the column's name says"), found / 100
        elif any(not name.isdisjoint(token.forms) for token in p.tokens):
            p.refuse(
                f'{found} % could be {found} or {found / 100} in "{_column(x)}"; write the number as it stands there'
            )

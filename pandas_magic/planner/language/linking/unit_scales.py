"""Units by what they measure, each with how many of the finest of them it is; and what counts in percent."""

from pandas_magic.planner.language.linking.spelled_out import spelled_out
from pandas_magic.planner.language.linking.words import name_parts, name_words, names_data, word_forms

_SHARES = frozenset(("pct", "percent", "percentage", "perc", "proz", "prozent"))

UNITS: tuple[dict[str, float], ...] = (
    {"mg": 1, "milligrams": 1, "g": 1e3, "grams": 1e3, "gram": 1e3, "kg": 1e6, "kilos": 1e6, "kilo": 1e6,
     "kilograms": 1e6, "t": 1e9, "tons": 1e9, "tonnes": 1e9},
    {"mm": 1, "millimetres": 1, "cm": 10, "centimetres": 10, "m": 1e3, "metres": 1e3, "meters": 1e3, "km": 1e6,
     "kilometres": 1e6, "kilometers": 1e6},
    {"ml": 1, "millilitres": 1, "cl": 10, "l": 1e3, "litre": 1e3, "liter": 1e3, "litres": 1e3, "liters": 1e3,
     "m3": 1e6, "cbm": 1e6},
    {"s": 1, "sec": 1, "secs": 1, "seconds": 1, "min": 60, "mins": 60, "minutes": 60, "minute": 60, "h": 3600,
     "hrs": 3600, "hours": 3600, "hour": 3600, "days": 86400, "day": 86400, "weeks": 604800, "week": 604800,
     "months": 2_629_746, "month": 2_629_746, "years": 31_556_952, "year": 31_556_952},
    {"w": 1, "kw": 1e3, "mw": 1e6}, {"wh": 1, "kwh": 1e3, "mwh": 1e6}, {"wp": 1, "kwp": 1e3, "mwp": 1e6},
    {"cents": 1, "cent": 1, "ct": 1, "eur": 100, "euro": 100, "euros": 100, "€": 100, "usd": 100, "dollars": 100,
     "$": 100, "gbp": 100, "pounds": 100, "£": 100},
)  # fmt: skip


def in_units(amount: float, said: str, held: str) -> int | float | None:
    """An amount of one unit in another; None where they do not measure the same, and of money and lengths of time."""
    group = next((group for group in UNITS if said in group and held in group and not {"s", "eur"} & {*group}), None)
    if group is None:
        return None
    found = round(amount * group[said] / group[held], 9)
    return int(found) if found.is_integer() else found


def counts_percent(column: str) -> bool:
    """Whether the name says that it counts in percent."""
    return not _SHARES.isdisjoint(name_parts(column))


def units_of(column: str) -> list[str]:
    """The units of time that the column's name says: minutes of min_tr, years of ano_plantio."""
    words = {form for said in spelled_out(name_words(column)) for word in said for form in word_forms(word)}
    return [unit for unit, said in names_data()["duration_units"].items() if words & {*said}]

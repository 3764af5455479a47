"""Prices of one piece: unit_price beside a quantity, price_per_litre beside litres, bottle_price beside bottles."""

from pandas_magic.planner.grammar.morphology import name_words
from pandas_magic.planner.grammar.schema import SchemaIndex

PRICES = frozenset(("price", "cost", "rate", "fee", "charge"))
_ONE = frozenset(("unit", "piece", "item", "single", "each", "apiece"))
_HOW_MANY = frozenset(("quantity", "qty", "count", "number", "piece", "unit"))


def counted_beside(schema: SchemaIndex, table: str, price: str) -> str | None:
    """The column that says how many there are, where the price is that of one; None where it is that of the row."""
    *what, last = name_words(price) or ("",)
    relative = "per" in what
    if (last not in PRICES and not relative) or price not in schema.tables[table].columns:
        return None
    piece = {last} if relative else set(what)
    for column in schema.tables[table].columns:
        words = name_words(column)
        is_number = column != price and schema.kind(table, column) in ("integer", "number")
        counts = not _ONE.isdisjoint(what) and not _HOW_MANY.isdisjoint(words)
        if is_number and (counts or set(words) == piece):
            return column
    return None

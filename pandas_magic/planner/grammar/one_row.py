"""What rows have to agree in cannot be so within a single one: "the line number must be unique within a bill"."""

from pandas_magic.planner.grammar.chart import Parse, Position

_ONE_ROW = frozenset(("a", "an", "each", "every", "one", "any", "single"))
_BETWEEN_ROWS = frozenset((
    "unique", "uniquely", "distinct", "duplicate", "repeat", "once", "twice", "consecutive", "gap", "constant",
    "increase", "decrease", "ascend", "ascending", "descending", "consecutively", "sequential",
))  # fmt: skip


def within_one_row(p: Parse, i: Position, table: str) -> bool:
    """Behind "within": "a bill", where what is unique there cannot be so in one row."""
    of_rows = any(not token.forms.isdisjoint(_BETWEEN_ROWS) for token in p.tokens)
    if not of_rows or p.tokens[i - 1].low not in ("within", "in", "inside") or p.tokens[i].low not in _ONE_ROW:
        return False
    p.refuse(f'between which rows? One row of "{table}" has one value; write the columns that the rows share')
    return True

"""What each reading of a sentence would find: how many rows break it, one that does and one that does not."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pandas as pd

from pandas_magic.catalog import Catalog
from pandas_magic.clock import Instant
from pandas_magic.constraints import Constraint, reads
from pandas_magic.constraints.algebra.rules import ColumnsRule, RowRule
from pandas_magic.constraints.meaning.plain_rows import world_of
from pandas_magic.constraints.meaning.violations import rows_in_scope, violations_in
from pandas_magic.errors import PandasMagicError, Reading

# A question is answered at once or not at all: of larger tables nothing is counted.
_MOST_ROWS = 20_000
_SHOWN_COLUMNS = 6


def on_rows(catalog: Catalog) -> Callable[[Reading], Reading]:
    """A function that completes a reading by what it finds in the tables, where they are small enough to look."""

    def look(reading: Reading) -> Reading:
        if reading.constraint is None or isinstance(reading.constraint, ColumnsRule) or reading.count is not None:
            return reading
        frames = _frames(reading.constraint, catalog)
        return reading if frames is None else _counted(reading, reading.constraint, frames)

    return look


def _frames(constraint: Constraint, catalog: Catalog) -> dict[str, pd.DataFrame] | None:
    """The columns that the rule reads; None when a table is too large, or cannot be read."""
    frames: dict[str, pd.DataFrame] = {}
    try:
        for table, columns in reads(constraint).items():
            schema = catalog.schema(table)
            if schema.row_count is None or schema.row_count > _MOST_ROWS:
                return None
            frames[table] = catalog.frame(table, columns or tuple(schema.columns)[:1])
    except PandasMagicError:
        return None  # what is wrong with the table is said when the rule is run
    return frames


def _counted(reading: Reading, constraint: Constraint, frames: Mapping[str, pd.DataFrame]) -> Reading:
    if not isinstance(constraint, RowRule):
        return reading
    now = Instant.current()
    world = world_of(frames, now.local, now.utc)
    try:
        strict = constraint.model_copy(update={"tolerance": None})
        broken, scope = violations_in(world, strict), rows_in_scope(world, constraint)
    except (TypeError, ValueError, KeyError, ArithmeticError):
        return reading  # values that cannot be compared, such as a text with a number
    at_fault = set(broken)
    kept = next((row for row in scope if row not in at_fault), None)
    frame = frames[constraint.table]
    return replace(
        reading,
        count=len(broken),
        rows_seen=len(frame),
        breaks=_row(frame, broken[0]) if broken else None,
        keeps=None if kept is None else _row(frame, kept),
    )


def _row(frame: pd.DataFrame, position: int) -> dict[str, object]:
    values = frame.iloc[position, :_SHOWN_COLUMNS]
    return {"row": position, **{str(column): value for column, value in values.items()}}

"""What each reading of a sentence would find: how many rows break it, one that does and one that does not."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache

import pandas as pd
import pyarrow as pa

from pandas_magic.catalog import Catalog, Table
from pandas_magic.catalog.arrow import frame_from_arrow
from pandas_magic.checking.partitions import is_row_local
from pandas_magic.clock import Instant
from pandas_magic.constraints import Constraint, reads
from pandas_magic.constraints.algebra.rules import RowRule
from pandas_magic.constraints.meaning.plain_rows import Scalar, World, cells
from pandas_magic.constraints.meaning.violations import rows_in_scope, violations_in
from pandas_magic.errors import PandasMagicError, Reading, RuleNotUnderstood
from pandas_magic.planner.language.canonical import read_canonical

# A question is answered at once: of larger tables the first rows are looked at, where a rule looks at each by itself.
_MOST_ROWS = 20_000
_SHOWN_COLUMNS = 6
# Of 775 rules of strangers that were understood rightly none was broken by so much of the rows; of 14 traps that were
# taken otherwise than they were meant 7 were. Of fewer rows a share says little.
_MUCH, _FEWEST_ROWS = 1 / 2, 10
# From each of these shares of rows at fault on a rule is less likely meant, by so many nats: most rows are right. They
# put the most of 299 sentences of strangers among the first three.
_SURPRISING = ((0.15, 1.0), (0.35, 1.0), (0.5, 2.0))
Cells = dict[str, dict[str, list[Scalar]]]


def on_rows(catalog: Catalog, understand: Callable[[str], Constraint | None]) -> Callable[[Reading], Reading]:
    """A function that completes a reading by what it finds in the tables, or in the first rows of a large one.

    The readings of one sentence are about the same few columns, and each of these is read once. What a sentence alone
    means, `understand` says, or raises PandasMagicError.
    """
    known: Cells = {}
    lengths: dict[str, int] = {}
    schema_of = cache(catalog.schema)  # a frame would be described for each reading
    now = Instant.current()
    world = World(known, lengths, pd.Timestamp(now.local), pd.Timestamp(now.utc))

    def look(reading: Reading) -> Reading:
        if reading.constraint is None:
            with suppress(PandasMagicError):
                reading = replace(reading, constraint=understand(reading.sentence))
        if not isinstance(reading.constraint, RowRule) or reading.count is not None:
            return reading
        missing = _missing(reading.constraint, catalog, schema_of, known)
        if missing is None:
            return reading
        for table, frame in missing.items():
            known.setdefault(table, {}).update((str(column), cells(frame[column])) for column in frame.columns)
            lengths[table] = len(frame)
        counted = _counted(reading, reading.constraint, world)
        return replace(counted, is_part=(schema_of(reading.constraint.table).row_count or 0) > _MOST_ROWS)

    return look


def doubted_by_rows(rule: str, reading: Reading, look: Callable[[Reading], Reading]) -> RuleNotUnderstood | None:
    """The question whether the only reading of a rule is meant, where half of the rows or more break it; else None.

    Data are seldom wrong in every other row: "0.19 or 0.07" beside percentages, or a condition that tells the wrong
    rows, reads well and is not what is meant. A rule in canonical words is what a person chose.
    """
    if reading.constraint is None or read_canonical(rule) is not None:
        return None
    reading = look(reading)
    if not reading.count or not reading.rows_seen:
        return None
    if reading.rows_seen < _FEWEST_ROWS or reading.count < _MUCH * reading.rows_seen:
        return None
    told = f"which {reading.count} of {reading.rows_seen} rows break; choose it if it is meant."
    return RuleNotUnderstood(rule, f'I read this as "{reading.sentence}", {told}', readings=[reading])


def _missing(
    constraint: Constraint, catalog: Catalog, schema_of: Callable[[str], Table], known: Cells
) -> dict[str, pd.DataFrame] | None:
    """The columns that the rule reads and that are not known; None when a table cannot be read, or not in part."""
    frames: dict[str, pd.DataFrame] = {}
    try:
        for table, columns in reads(constraint).items():
            schema = schema_of(table)
            if schema.row_count is None or (schema.row_count > _MOST_ROWS and not is_row_local(constraint)):
                return None
            wanted = tuple(name for name in columns or tuple(schema.columns)[:1] if name not in known.get(table, ()))
            frames |= {table: _first_rows(catalog, schema, wanted)} if wanted else {}
    except (PandasMagicError, pa.ArrowException):
        return None  # what is wrong with the table is said when the rule is run
    return frames


def _first_rows(catalog: Catalog, table: Table, columns: Sequence[str]) -> pd.DataFrame:
    if (table.row_count or 0) <= _MOST_ROWS:
        return catalog.frame(table.name, columns)
    first = next(iter(catalog.batches(table.name, columns, rows=_MOST_ROWS)))
    return frame_from_arrow(first.slice(0, _MOST_ROWS))


def _counted(reading: Reading, constraint: RowRule, world: World) -> Reading:
    try:
        strict = constraint.model_copy(update={"tolerance": None})
        broken, scope = violations_in(world, strict), rows_in_scope(world, constraint)
    except (TypeError, ValueError, KeyError, ArithmeticError):
        return reading  # values that cannot be compared, such as a text with a number
    at_fault = set(broken)
    kept = next((row for row in scope if row not in at_fault), None)
    table, columns = world.tables[constraint.table], reads(constraint)[constraint.table]
    rows = world.lengths[constraint.table]
    return replace(
        reading,
        count=len(broken),
        rows_seen=rows,
        surprise=reading.surprise + sum(nats for share, nats in _SURPRISING if broken and len(broken) >= share * rows),
        breaks=_row(table, columns, broken[0]) if broken else None,
        keeps=None if kept is None else _row(table, columns, kept),
    )


def _row(table: Mapping[str, Sequence[Scalar]], columns: Iterable[str], position: int) -> dict[str, object]:
    shown = tuple(columns or table)[:_SHOWN_COLUMNS]
    return {"row": position, **{column: table[column][position] for column in shown}}

"""Rows in the making: tables written row by row, judged by the rule's meaning before they become frames."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice

import pandas as pd

from pandas_magic.checking.column_values import fitting, holds_value, is_missing, made_up
from pandas_magic.checking.solving import NOT_COMPUTABLE, making
from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.meaning.plain_rows import Place, Scalar, World, every_row, world_of
from pandas_magic.constraints.meaning.row_meaning import holds

Frames = Mapping[str, pd.DataFrame]
Row = Mapping[str, Scalar]
# Rows of the sample that are looked at for one that a condition is true in, and ways to change each.
_TEMPLATES = 8
_WAYS = 40


class Drafts:
    """Single rows of the tables of a sample, each judged as if it stood alone in its table."""

    def __init__(self, sample: Frames, now: datetime, utc_now: datetime) -> None:
        self.sample = sample
        self._world = world_of(sample, now, utc_now)

    def place(self, row: Row, table: str) -> Place:
        """The row as the only one of its table, beside the other tables of the sample."""
        alone: dict[str, Sequence[Scalar]] = {name: [each] for name, each in row.items()}
        tables = {**self._world.tables, table: alone}
        world = World(tables, {**self._world.lengths, table: 1}, self._world.now, self._world.utc_now)
        return Place(world, table, every_row(world, table), 0)

    def table_place(self, table: str) -> Place:
        """The tables of the sample, for what is computed of whole ones."""
        return Place(replace(self._world, found={}), table, (), 0)

    def row_where(self, table: str, *conditions: Condition | None, true: bool = True) -> Row | None:
        """A row of the table in which every condition is true, or the last one false; None when none could be made."""
        known = [each for each in conditions if each is not None]
        others, last = known[:-1], known[-1] if known else None
        for row in self._starts(table):
            if last is None:
                return row
            for other in others:
                row = self.changed(row, table, other, true=True) or row
            made = self.changed(row, table, last, true=true)
            if made is not None and all(self._is(other, made, table, true=True) for other in others):
                return made
        return None

    def changed(self, row: Row, table: str, condition: Condition, *, true: bool) -> Row | None:
        """The row with columns changed so that the condition is true in it, or false; None when no way was found."""
        try:
            ways = list(islice(making(condition, self.place(row, table), true=true), _WAYS))
        except NOT_COMPUTABLE:
            return None
        frame = self.sample[table]
        for changes in ways:
            fits = all(name in row and holds_value(each, frame[name]) for name, each in changes.items())
            changed = {**row, **changes}
            if fits and self._is(condition, changed, table, true=true):
                return changed
        return None

    def frame(self, table: str, rows: Sequence[Row]) -> pd.DataFrame | None:
        """The rows as a table with the sample's dtypes; None when a column cannot hold what is in them."""
        like = self.sample[table]
        columns = {}
        for label in like.columns:
            values = [row[str(label)] for row in rows]
            different = {(type(each), each): each for each in values}.values()
            fits = all(holds_value(each, like[label]) for each in different)
            held = fitting(values, like[label]) if fits else None
            if held is None:
                return None
            columns[label] = held
        # A table of which the rule reads no column is one whose rows are counted.
        return pd.DataFrame(columns, index=pd.RangeIndex(len(rows)), columns=like.columns)

    def _starts(self, table: str) -> Iterator[Row]:
        """Rows of the sample, first without their gaps and then as they are."""
        frame, columns = self.sample[table], self._world.tables[table]
        usual = {str(label): next(iter(made_up(frame[label], 1)), None) for label in frame.columns}
        rows = [{name: column[row] for name, column in columns.items()} for row in range(min(len(frame), _TEMPLATES))]
        for row in rows:
            yield {name: usual[name] if is_missing(each) else each for name, each in row.items()}
        yield from (row for row in rows if any(is_missing(each) for each in row.values()))

    def _is(self, condition: Condition, row: Row, table: str, *, true: bool) -> bool:
        try:
            return holds(condition, self.place(row, table)) is true
        except NOT_COMPUTABLE:
            return False

"""Tables as plain Python rows, for the meaning of rules: nothing here computes on whole columns."""

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

# A value of a cell: int, float, str, bool, Decimal, Timestamp, Timedelta, a tuple of these; None is missing.
Scalar = Any


@dataclass(frozen=True)
class World:
    """The tables as columns of plain values, and the time of the run."""

    tables: Mapping[str, Mapping[str, Sequence[Scalar]]]
    lengths: Mapping[str, int]
    now: pd.Timestamp
    utc_now: pd.Timestamp
    # What windows and joins found, by node, table and scope, since each would be worked out anew for every row.
    found: dict[tuple[object, ...], Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Place:
    """A row of a table, the rows that windows see from there, and the zone in which bare dates are read."""

    world: World
    table: str
    scope: tuple[int, ...]
    position: int
    zone: datetime.tzinfo | None = None

    def at(self, position: int) -> "Place":
        """Another row of the same table, in the same scope."""
        return Place(self.world, self.table, self.scope, position, self.zone)

    def across(self, table: str) -> "Place":
        """The first row of another table, all of which is in scope."""
        return Place(self.world, table, every_row(self.world, table), 0)

    def cell(self, column: str) -> Scalar:
        """The value in this row.

        Raises: KeyError when the table has no such column.
        """
        return self.world.tables[self.table][column][self.position]


def every_row(world: World, table: str) -> tuple[int, ...]:
    """All positions of the table; the same object each time, since it serves as a key of `World.found`."""
    key = (table, "every row")
    if key not in world.found:
        world.found[key] = tuple(range(world.lengths[table]))
    return world.found[key]  # type: ignore[no-any-return] # that key holds positions


def once(name: tuple[object, ...], place: Place, work_out: Callable[[], Scalar]) -> Scalar:
    """What is worked out under this name for all rows of a scope, by the first of them that asks."""
    found = place.world.found
    key = (place.table, id(place.scope), *name)
    if key not in found:
        found[key] = work_out()
    return found[key]


def said_of(node: object, place: Place, say: Callable[[Any], Scalar]) -> Scalar:
    """What holds of a part of a rule in every row, one thing of each part, by the first row that asks."""
    found, key = place.world.found, ("said of", id(node))
    if key not in found:
        found[key] = node, say(node)  # the part is kept, so that no other one gets its number
    return found[key][1]


def world_of(frames: Mapping[str, pd.DataFrame], now: datetime.datetime, utc_now: datetime.datetime) -> World:
    """The frames as plain values. `now` is naive local time, `utc_now` the same moment with its zone."""
    return World(
        tables={
            name: {str(column): cells(frame[column]) for column in frame.columns} for name, frame in frames.items()
        },
        lengths={name: len(frame) for name, frame in frames.items()},
        now=pd.Timestamp(now),
        utc_now=pd.Timestamp(utc_now),
    )


def cells(column: "pd.Series[Any]") -> list[Scalar]:
    """The column's values as Python scalars, None where one is missing."""
    # The shortest decimal of a 32-bit float is the number that was meant: 0.1, not 0.10000000149.
    short = str(column.dtype) in ("float32", "float16", "Float32")
    return [_plain(float(str(value)) if short and not _is_missing(value) else value) for value in column.tolist()]


def key_part(value: Scalar) -> Scalar:
    """The value in a key: moments in UTC, since equal ones of an hour that comes twice hash differently."""
    is_zoned = isinstance(value, pd.Timestamp) and value.tzinfo is not None
    return value.tz_convert("UTC") if is_zoned else value


def _plain(value: Scalar) -> Scalar:
    if _is_missing(value):
        return None
    if isinstance(value, datetime.date):
        return pd.Timestamp(value)
    if isinstance(value, list | tuple | dict | np.ndarray):
        return _nested(value)
    return pd.Timedelta(value) if isinstance(value, datetime.timedelta) else value


def _nested(value: Scalar) -> Scalar:
    # Rows are known again by their values, so that every value must have a hash.
    if isinstance(value, dict):
        return frozenset((name, _plain(part)) for name, part in value.items())
    return tuple(_plain(part) for part in value)


def _is_missing(value: Scalar) -> bool:
    return value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and value != value)

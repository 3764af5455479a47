"""Tables for the proof of a rule: copies of a sample with rows broken, repaired, doubled, orphaned, shuffled."""

import math
import random
from collections.abc import Iterator, Mapping
from datetime import datetime

import pandas as pd

from pandas_magic.catalog.plain_types import TEXT
from pandas_magic.checking.built_tables import built
from pandas_magic.checking.column_values import holder_of
from pandas_magic.checking.drafts import Drafts
from pandas_magic.checking.plant_values import Pools, pools, solutions
from pandas_magic.checking.sample_rows import ROWS, not_empty, telling_rows, with_cells, with_some_values
from pandas_magic.checking.solving import NOT_COMPUTABLE
from pandas_magic.checking.untyped_columns import with_types_of_rule
from pandas_magic.constraints.algebra.conditions import Compare
from pandas_magic.constraints.algebra.expressions import Aggregate, Column, Value
from pandas_magic.constraints.algebra.rules import ColumnsRule, RowRule, TableRule, Tolerance
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.constraints.meaning.plain_rows import Place, every_row, world_of
from pandas_magic.constraints.meaning.violations import rows_in_scope, violations_in

Frames = Mapping[str, pd.DataFrame]
Planted = tuple[str, Frames]
AS_IT_IS = "the sample as it is"
_FEWEST_ROWS = 12
_FIRST_MIXTURES = 4
_MIXTURES = 24
_REPAIRS = 12
_CONSTANTS = 6
_MOST_TOLERATED = 400
_FINE = 0.001  # beside a number that is worth trying, for margins and rounding
# Enough to plant one row too many for most rules about a number of rows; 20 ms to write.
_MOST_ROWS = 200_000


class Planter:
    """Makes the tables of one rule's proof: the same ones for the same sample and seed."""

    def __init__(
        self, rule: RowRule | TableRule, sample: Frames, *, seed: int, now: datetime, utc_now: datetime
    ) -> None:
        self.rule, self.now, self.utc_now = rule, now, utc_now
        self.chance = random.Random(seed)
        rows = {name: telling_rows(frame) for name, frame in sample.items()}
        some = {name: not_empty(frame) for name, frame in with_types_of_rule(rule, rows).items()}
        self.given = {name: frame if len(frame) else some[name] for name, frame in rows.items()}
        self.sample = {name: with_some_values(frame) for name, frame in some.items()}
        self.pools: Pools = pools(rule, self.sample)
        self.usable = {name: self._usable(name, frame) for name, frame in self.sample.items()}

    def planted(self) -> Iterator[Planted]:
        """Tables with what was planted in each, in words; the most telling ones first."""
        mixtures = [self._mixture() for _ in range(_FIRST_MIXTURES)]
        first = mixtures[0]
        target = first[self.rule.table]
        yield "values at and beside the limits", first
        clean = self._clean([self.sample, *mixtures])
        if clean is not None:
            yield "clean rows only", clean
        yield AS_IT_IS, self.given
        yield from self._last_row(mixtures)
        yield "the same rows in another order", self._with(first, target.iloc[::-1].reset_index(drop=True))
        yield "one more column", self._with(first, target.assign(one_more_column=range(len(target))))
        yield "an empty table", self._with(first, target.head(0))
        yield "all tables empty", {name: frame.head(0) for name, frame in first.items()}
        yield from self._at_tolerance(mixtures)
        yield from self._sized()
        yield from self._constant(first)
        yield "every row twice", self._with(first, pd.concat([target, target], ignore_index=True))
        yield from self._other_tables(first)
        yield "many rows of one group", self._crowded(mixtures[1])
        yield from built(self.rule, Drafts(self.sample, self.now, self.utc_now))
        yield from self._extreme()
        for number in range(2, _MIXTURES + 1):
            frames = mixtures[number - 1] if number <= _FIRST_MIXTURES else self._mixture()
            yield f"values at and beside the limits, mixture {number}", frames

    def one_by_one(self) -> Iterator[Planted]:
        """A row that keeps the rule, and it again with one cell changed to each value worth trying, and to a gap.

        It tells code of somebody else apart that comes out otherwise for a value that no mixture happened to draw.
        """
        if isinstance(self.rule, TableRule):
            return
        table = self.rule.table
        row = Drafts(self.sample, self.now, self.utc_now).row_where(table, self.rule.where, self.rule.must)
        base = with_cells(self.sample[table].head(1), [dict(row or {})])
        changes: list[dict[str, object]] = [{}]
        for column, values in self.usable[table].items():
            numbers = [each for each in values if isinstance(each, (int, float)) and math.isfinite(each)]
            finer = [each + by for each in numbers for by in (-_FINE, _FINE) if base[column].dtype.kind == "f"]
            changes += [{column: each} for each in (*values, *finer)]
        many = base.take([0] * len(changes)).reset_index(drop=True)
        yield "each value by itself", self._with(self.sample, with_cells(many, changes))

    def _extreme(self) -> Iterator[Planted]:
        """The sample and one more row, with a number far beyond the others."""
        target = self.sample[self.rule.table]
        for label in target.columns:
            numbers = [each for each in target[label].tolist() if isinstance(each, float) and math.isfinite(each)]
            if target[label].dtype.kind == "f" and numbers:
                beyond = 1000 * (1 + max(map(abs, numbers)))
                last = with_cells(target.tail(1), [{str(label): beyond}])
                more = pd.concat([target, last], ignore_index=True)
                yield f"an extreme {label} in the last row", self._with(self.sample, more)

    def _with(self, frames: Frames, target: pd.DataFrame) -> Frames:
        return {**frames, self.rule.table: target}

    def _broken(self, frames: Frames) -> list[int] | None:
        """The rows that break the rule; None where its meaning cannot be worked out."""
        try:
            return violations_in(world_of(frames, self.now, self.utc_now), self.rule)
        except NOT_COMPUTABLE:
            return None

    def _mixture(self) -> Frames:
        """Every table with values drawn from those worth trying; some rows brought to a limit of the rule."""
        frames = {name: self._drawn(name, frame) for name, frame in self.sample.items()}
        if isinstance(self.rule, TableRule):
            return frames
        world = world_of(frames, self.now, self.utc_now)
        place = Place(world, self.rule.table, every_row(world, self.rule.table), 0)
        target = frames[self.rule.table]
        return self._with(frames, with_cells(target, [self._solved(place.at(row)) for row in range(len(target))]))

    def _solved(self, place: Place) -> dict[str, object]:
        leave_alone = self.chance.random() < 0.3
        return {} if leave_alone else solutions(self.rule.must, place, self.chance)

    def _usable(self, table: str, frame: pd.DataFrame) -> dict[str, list[object]]:
        """The values that are worth trying and that each column can hold."""
        return {
            str(label): list(filter(holder_of(frame[label]), self.pools[table, str(label)])) for label in frame.columns
        }

    def _drawn(self, table: str, frame: pd.DataFrame) -> pd.DataFrame:
        size = max(len(frame), _FEWEST_ROWS)
        rows = frame.take([self.chance.randrange(len(frame)) for _ in range(size)]).reset_index(drop=True)
        return with_cells(rows, [self._some_of(self.usable[table]) for _ in range(size)])

    def _some_of(self, usable: Mapping[str, list[object]]) -> dict[str, object]:
        # Half of the values stay as they were, so that a row rarely breaks a rule in more than one way.
        chosen = [column for column, values in usable.items() if values and self.chance.random() < 0.5]
        return {column: self.chance.choice(usable[column]) for column in chosen}

    def _clean(self, candidates: list[Frames]) -> Frames | None:
        """The rows of a candidate that break nothing, alone; None when there are none."""
        for frames in candidates:
            kept = frames
            for _ in range(_REPAIRS):
                broken = self._broken(kept)
                if not broken or isinstance(self.rule, TableRule):
                    break
                kept = self._with(kept, kept[self.rule.table].drop(index=broken).reset_index(drop=True))
            if len(kept[self.rule.table]) and self._broken(kept) == []:
                return kept
        return None

    def _at_tolerance(self, candidates: list[Frames]) -> Iterator[Planted]:
        """As many violations as the rule tolerates, and one more."""
        if isinstance(self.rule, TableRule) or self.rule.tolerance is None:
            return
        tolerance, strict = self.rule.tolerance, self.rule.model_copy(update={"tolerance": None})
        for frames in candidates:
            world = world_of(frames, self.now, self.utc_now)
            try:
                broken = violations_in(world, strict)
                sound = [row for row in rows_in_scope(world, strict) if row not in broken]
            except NOT_COMPUTABLE:
                continue
            if broken and sound:
                for count, rows in _tolerated_counts(tolerance):
                    chosen = [broken[0]] * count + [sound[0]] * max(rows - count, 0)
                    target = frames[self.rule.table].take(chosen).reset_index(drop=True)
                    yield f"{count} violations in {len(chosen)} rows", self._with(frames, target)
                return

    def _sized(self) -> Iterator[Planted]:
        """Tables of as many rows as a rule about their number names, and of one more and one less."""
        if not isinstance(self.rule, TableRule):
            return
        for table, size in sorted(set(_sizes(self.rule))):
            for rows in (size - 1, size, size + 1):
                if 0 <= rows <= _MOST_ROWS:
                    frame = self.sample[table]
                    sized = frame.take([row % len(frame) for row in range(rows)]).reset_index(drop=True)
                    yield f"{table} with {rows} rows", {**self.sample, table: sized}

    def _constant(self, frames: Frames) -> Iterator[Planted]:
        """The same value in all rows, so that means, extremes and medians stand at the limits of a rule about them."""
        if not isinstance(self.rule, TableRule):
            return
        for (table, column), value in self._constants(frames):
            frame = frames[table]
            constant = with_cells(frame, [{column: value}] * len(frame))
            yield f"{column} is {value} in every row of {table}", {**frames, table: constant}

    def _constants(self, frames: Frames) -> Iterator[tuple[tuple[str, str], object]]:
        read = [
            part.of.name
            for part in nodes(self.rule.must)
            if isinstance(part, Aggregate) and isinstance(part.of, Column)
        ]
        for (table, column), values in self.pools.items():
            if column in read:
                holds = holder_of(frames[table][column])
                fit = [each for each in values if each is not None and holds(each)]
                yield from (((table, column), each) for each in fit[:_CONSTANTS])

    def _last_row(self, candidates: list[Frames]) -> Iterator[Planted]:
        """A table in which one row alone breaks the rule, and that the last one; a table of that row only."""
        if isinstance(self.rule, TableRule):
            return
        for frames in candidates:
            broken, target = self._broken(frames), frames[self.rule.table]
            if broken:
                others = target.drop(index=broken)
                culprit = target.iloc[[broken[-1]]]
                yield "broken in the last row only", self._with(frames, pd.concat([others, culprit], ignore_index=True))
                yield "one row", self._with(frames, culprit.reset_index(drop=True))
                return

    def _other_tables(self, frames: Frames) -> Iterator[Planted]:
        others = [name for name in frames if name != self.rule.table]
        if others:
            yield "the other tables empty", {**frames, **{name: frames[name].head(0) for name in others}}
            doubled = {name: pd.concat([frames[name]] * 2, ignore_index=True) for name in others}
            yield "the other tables with every row twice", {**frames, **doubled}

    def _crowded(self, frames: Frames) -> Frames:
        """Copies of two rows, so that groups grow beyond any small limit."""
        target = frames[self.rule.table]
        places = [self.chance.randrange(len(target)) for _ in range(2)]
        repeated = target.take([places[0]] * 5 + [places[1]] * 2)
        return self._with(frames, pd.concat([target, repeated], ignore_index=True))


def _tolerated_counts(tolerance: Tolerance) -> list[tuple[int, int]]:
    """Numbers of violations at and just beyond the tolerance, each with a number of rows."""
    share, most = tolerance.max_share, tolerance.max_rows
    if share is None:
        return [(most or 0, ROWS + (most or 0)), ((most or 0) + 1, ROWS + (most or 0))]
    rows = min(max(round(2 / share), ROWS), _MOST_TOLERATED) if share else ROWS
    within = int(share * rows) if most is None else min(int(share * rows), most)
    return [(within, rows), (within + 1, rows)]


def _sizes(rule: TableRule) -> Iterator[tuple[str, int]]:
    """The tables whose rows the rule counts, with the numbers that it compares them with."""
    for node in nodes(rule.must):
        if isinstance(node, Compare) and isinstance(node.right, Value) and isinstance(node.right.value, (int, float)):
            for part in nodes(node.left):
                if isinstance(part, Aggregate) and part.of is None:
                    yield part.table, int(node.right.value)


def planted_columns(rule: ColumnsRule, frame: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Tables with columns removed, added, reordered and retyped, for a rule about columns."""
    whole = frame.head(ROWS).drop(columns=[name for name in rule.forbidden if name in frame.columns])
    for name in (*rule.required, *rule.types):
        if name not in whole.columns:
            whole = whole.assign(**{name: pd.Series([1] * len(whole), dtype="int64")})
    rest = [name for name in whole.columns if name not in rule.required]
    whole = whole[[*rule.required, *([] if rule.only else rest)]]
    yield "the columns as they should be", whole
    yield AS_IT_IS, frame.head(ROWS)
    for name in (*rule.required, *rule.types):
        yield f"without {name}", whole.drop(columns=[name], errors="ignore")
    for name in rule.forbidden:
        yield f"with {name}", whole.assign(**{name: 1})
    yield "with one more column", whole.assign(one_more_column=1)
    yield "columns in another order", whole[whole.columns[::-1]]
    for name in rule.types:
        if name in whole.columns:
            yield f"{name} as text", whole.assign(**{name: whole[name].astype(TEXT)})
            yield f"{name} as fractions", whole.assign(**{name: [0.5] * len(whole)})

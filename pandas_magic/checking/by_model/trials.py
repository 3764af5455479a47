"""Running a model's code, confined, on small tables, and what rows it flags there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pandas as pd

from pandas_magic.catalog.plain_types import dtype_named
from pandas_magic.catalog.table import Table, ValueKind
from pandas_magic.checking.runner import Runner
from pandas_magic.planner.model.rule_prompts import Examples

Frames = Mapping[str, pd.DataFrame]
_ROWS = 5
_FIRST_DAY = datetime(2024, 1, 1)
_SEED = 0
_ODD_ROWS = 12  # of each sort
_GAPS = 0.3  # the share of values that go missing
LEAST_TELLING_ROWS = 5  # of a real table; fewer may well all break a rule


@dataclass(frozen=True)
class Flagged:
    """The rows that code flagged, by position, or why it gave none."""

    rows: frozenset[int] = frozenset()
    problem: str = ""


def rows_flagged(runner: Runner, code: str, frames: Frames, target: str) -> Flagged:
    """Run the code on the tables; its `violations` must be rows of `target` under their own index."""
    found = runner.on_our_kernel().find_rows(code, frames, instant=runner.instant())
    if found.rows is None:
        return Flagged(problem=found.error)
    others = {column for name, frame in frames.items() if name != target for column in frame.columns}
    foreign = [column for column in found.rows.columns if column in others - set(frames[target].columns)]
    if foreign:
        return Flagged(problem=f'violations are no rows of {target}: they have "{foreign[0]}" of another table')
    positions = [position for position in found.rows.index if isinstance(position, (int, np.integer))]
    if len(positions) != len(found.rows) or not set(positions) <= set(range(len(frames[target]))):
        return Flagged(problem=f"violations are not rows of {target} under their own index")
    if len(set(positions)) != len(positions):
        return Flagged(problem="violations hold a row twice")
    return Flagged(frozenset(int(position) for position in positions))


def synthetic_frames(
    reads: Mapping[str, Sequence[str]], tables: Mapping[str, Table], texts: Mapping[str, Sequence[str]]
) -> dict[str, pd.DataFrame]:
    """Five made-up rows for each table, in the real dtypes; nothing of the real values is in them.

    `texts` are those that the rule itself names for a column.
    """
    frames = {}
    for name, columns in reads.items():
        table = tables[name]
        made = {column: _made_up(table.kind(column), texts.get(column, ())) for column in columns}
        frame = pd.DataFrame(made, index=pd.RangeIndex(_ROWS))
        frames[name] = _in_dtypes(frame, table)
    return frames


def _made_up(kind: ValueKind, texts: Sequence[str]) -> list[Any]:
    numbers = range(1, _ROWS + 1)
    match kind:
        case "integer":
            return list(numbers)
        case "number":
            return [10.0 * number for number in numbers]
        case "boolean":
            return [number % 2 == 0 for number in numbers]
        case "datetime":
            return [_FIRST_DAY + timedelta(days=number) for number in numbers]
        case "duration":
            return [timedelta(hours=number) for number in numbers]
        case _:
            pool = [*texts, *(f"text {letter}" for letter in "abcde")]
            return [pool[number % len(pool)] for number in range(_ROWS)]


def _in_dtypes(frame: pd.DataFrame, table: Table) -> pd.DataFrame:
    dtypes: dict[str, Any] = {column: dtype_named(table.columns[column]) for column in frame.columns}
    for column, dtype in dtypes.items():
        if "," in str(dtype) and str(dtype).startswith("datetime64"):
            frame[column] = pd.to_datetime(frame[column]).dt.tz_localize("UTC")
    return frame.astype(dtypes)


def example_frames(examples: Examples, tables: Mapping[str, Table]) -> dict[str, pd.DataFrame] | str:
    """The examples as frames in the real dtypes, or what is wrong with them. Columns not named hold no value."""
    frames: dict[str, pd.DataFrame] = {}
    for example in examples.tables:
        if example.name not in tables:
            return f'there is no table "{example.name}"'
        table = tables[example.name]
        unknown = [column for column in example.columns if column not in table.columns]
        if unknown:
            return f'table "{example.name}" has no column "{unknown[0]}"'
        if any(len(row) != len(example.columns) for row in example.rows):
            return f'a row of "{example.name}" has not as many values as there are columns'
        try:
            frames[example.name] = _typed(example.columns, example.rows, table)
        except (ValueError, TypeError, OverflowError) as error:
            return f'the values of "{example.name}" do not fit its types: {str(error).splitlines()[0]}'
    return frames


def _typed(columns: Sequence[str], rows: Sequence[Sequence[Any]], table: Table) -> pd.DataFrame:
    given = {column: [row[place] for row in rows] for place, column in enumerate(columns)}
    made = {column: _typed_column(given.get(column, [None] * len(rows)), table, column) for column in table.columns}
    return pd.DataFrame(made, index=pd.RangeIndex(len(rows)))


def _typed_column(values: list[Any], table: Table, column: str) -> pd.Series:
    dtype: Any = table.columns[column]
    kind = table.kind(column)
    if kind == "datetime":
        moments = pd.to_datetime(pd.Series(values, dtype="object"), utc="," in dtype)
        return moments.astype(dtype)
    series = pd.Series(values, dtype="object")
    if series.isna().any() and kind in ("integer", "boolean"):
        # A whole number with a gap is what pandas reads from a file: a float.
        return series.astype("float64" if kind == "integer" else "boolean")
    if kind == "duration":
        return pd.to_timedelta(series).astype(dtype)
    return series.astype(dtype_named(dtype))


def disturbed(frames: Frames) -> dict[str, pd.DataFrame]:
    """The tables with odd rows added, the same ones each time: some doubled, some with values missing or swapped."""
    random = np.random.default_rng(_SEED)
    return {name: _disturbed_frame(frame, random) for name, frame in frames.items()}


def _disturbed_frame(frame: pd.DataFrame, random: np.random.Generator) -> pd.DataFrame:
    if frame.empty:
        return frame
    odd = frame.iloc[random.integers(0, len(frame), min(len(frame), _ODD_ROWS))].reset_index(drop=True)
    mixed, gaps = odd.copy(), odd.copy()
    for column in odd.columns:
        mixed[column] = odd[column].take(random.permutation(len(odd))).array
        dtype = odd[column].dtype
        # Plain whole numbers and truth values cannot be missing without becoming something else.
        if not (pd.api.types.is_integer_dtype(dtype) or pd.api.types.is_bool_dtype(dtype)):
            gaps.loc[random.random(len(gaps)) < _GAPS, column] = None
    return pd.concat([frame, odd, mixed, gaps], ignore_index=True)


def by_every_row(flagged: frozenset[int], judged: int, table: str) -> str:
    """That all rows break the rule, as where a form or a unit is misread by both authors; "" where some do not."""
    if len(flagged) == judged >= LEAST_TELLING_ROWS:
        return f"all {judged:,} rows of {table} that it judges break it, so that it is hardly what was meant"
    return ""

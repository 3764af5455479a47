"""Rows of a sample, chosen, changed and made up, as frames of the same dtypes."""

from collections.abc import Mapping, Sequence

import pandas as pd

from pandas_magic.checking.column_values import fitting, holder_of, made_up

ROWS = 24  # of a sample that are looked at


def with_cells(frame: pd.DataFrame, changes: Sequence[Mapping[str, object]]) -> pd.DataFrame:
    """The frame with some cells replaced, one mapping for each row; cells whose dtype cannot hold the value stay."""
    replaced = frame.reset_index(drop=True)
    for label in frame.columns:
        name = str(label)
        if not any(name in change for change in changes):
            continue
        column = frame[label]
        holds = holder_of(column)
        values = [
            change[name] if name in change and holds(change[name]) else old
            for change, old in zip(changes, column.tolist(), strict=True)
        ]
        fitted = fitting(values, column)
        if fitted is not None:
            replaced[label] = fitted
    return replaced


def telling_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """The first rows, and for each column that has no value in them the first row that has one."""
    first = range(min(ROWS, len(frame)))
    filled = [frame[label].notna().to_numpy() for label in frame.columns]
    more = {int(has.argmax()) for has in filled if has.any() and not has[: len(first)].any()}
    return frame.take([*first, *sorted(more)]).reset_index(drop=True)


def not_empty(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame, or one made-up row of its dtypes when it has none."""
    if len(frame):
        return frame
    made = {label: fitting(made_up(frame[label], 1), frame[label]) for label in frame.columns}
    return pd.DataFrame({label: column for label, column in made.items() if column is not None})


def with_some_values(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with made-up values in two of three rows of each column that has none at all."""
    filled = frame.copy(deep=False)
    for label in frame.columns:
        column, made = frame[label], made_up(frame[label], len(frame))
        if made and column.isna().all():
            values = [None if row % 3 == 2 else made[row % len(made)] for row in range(len(frame))]
            fitted = fitting(values, column)
            filled[label] = column if fitted is None else fitted
    return filled

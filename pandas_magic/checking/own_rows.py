"""Whether rows that code found are rows of a table of ours: only then are they shown from our own copy."""

import pandas as pd


def are_rows_of(found: pd.DataFrame, staged: pd.DataFrame) -> bool:
    """Whether the frame holds rows of the staged table at the positions that its index says.

    Code that merges or renumbers gives rows with another meaning of the index; those are shown as they are.
    """
    index = found.index
    if not pd.api.types.is_integer_dtype(index.dtype):
        return False
    if not index.is_unique or index.min() < 0 or index.max() >= len(staged):
        return False
    expected = staged.iloc[index.to_numpy()].set_axis(index, axis=0)
    if list(found.columns) != list(staged.columns):
        # Code may leave columns out, or add some of its own; what it has of the table must be the table's.
        if not (found.columns.is_unique and staged.columns.is_unique):
            return False
        shared = [column for column in staged.columns if column in found.columns]
        if not shared:
            return False
        found, expected = found[shared], expected[shared]
    # Mostly they are the very same; code that changed a column's dtype on the way is compared value by value.
    return found.equals(expected) or all(
        _same(found.iloc[:, at], expected.iloc[:, at]) for at in range(len(found.columns))
    )


def _same(one: pd.Series, other: pd.Series) -> bool:
    both_missing = one.isna().to_numpy() & other.isna().to_numpy()
    equal = (one.astype(object).to_numpy() == other.astype(object).to_numpy()) & ~one.isna().to_numpy()
    return bool((both_missing | equal).all())

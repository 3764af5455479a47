"""The kind of a column whose values are known, and why."""

from __future__ import annotations

import pyarrow.compute as pc

from pandas_magic.explore.confined.typed_column import MANY_CATEGORIES, TypedColumn, looks_like_id

_FEW_NUMBERS = 10  # an integer column with no more different values may be a category in disguise
_ROWS_TO_JUDGE = 10  # fewer rows are all different by accident
_MOSTLY = 0.5  # of the values, where a column named like an id has more different ones


def decide_kind(column: TypedColumn) -> None:
    """Say in the column what kind it is of, and why."""
    if column.unique <= 1:
        column.kind, column.evidence = "constant", _constant_evidence(column)
    elif column.times is not None:
        column.kind, column.evidence = "datetime", "dates read from texts" if column.read_from else "its dtype"
    elif column.numbers is not None:
        _decide_number(column)
    else:
        _decide_text(column)


def _constant_evidence(column: TypedColumn) -> str:
    if not column.unique:
        return "no value at all"
    return "one value only" if not column.missing else "one value and gaps"


def _decide_number(column: TypedColumn) -> None:
    numbers = column.ordered
    if column.is_whole and column.unique == column.present >= _ROWS_TO_JUDGE:
        compact = int(numbers[-1]) - int(numbers[0]) + 1 == column.present
        if compact or looks_like_id(column.name):
            column.kind = "id-like"
            column.evidence = "whole numbers without a repeat" + (" or a gap" if compact else ", named like an id")
            return
    if column.names_rows and column.unique > max(_MOSTLY * column.present, MANY_CATEGORIES):
        # A key that was written twice by mistake is a key still.
        column.kind = "id-like"
        column.evidence = f"named like an id, {column.unique:,} different whole numbers in {column.present:,} rows"
        return
    column.kind = "numeric"
    column.evidence = "numbers written as text" if column.read_from else "its dtype"
    if column.is_whole and column.unique <= _FEW_NUMBERS and column.present >= 3 * column.unique:
        column.readings = (f"categorical: {column.unique} different whole numbers",)


def _decide_text(column: TypedColumn) -> None:
    share = column.unique / column.present
    words, length, spaced = _shape(column)
    if column.readings and column.readings[0].startswith("numeric"):
        column.kind, column.evidence = "categorical", f'texts that may be numbers, like "{column.labels[0]}"'
    elif column.present >= _ROWS_TO_JUDGE and share == 1 and (not spaced or looks_like_id(column.name)):
        column.kind, column.evidence = "id-like", "a different text in every row"
    elif share > _MOSTLY and column.unique > MANY_CATEGORIES and looks_like_id(column.name):
        column.kind, column.evidence = "id-like", "named like an id, mostly different texts"
    elif (words >= 3 and share > 0.5 and column.present >= _ROWS_TO_JUDGE) or length > 60:
        column.kind, column.evidence = "text", f"{words:.1f} words and {length:.0f} characters on average"
    else:
        column.kind = "categorical"
        column.evidence = f"{column.unique:,} different texts" if not column.dtype.startswith("bool") else "its dtype"


def _shape(column: TypedColumn) -> tuple[float, float, bool]:
    """Mean words and mean characters of the different texts, and whether more than a few hold spaces."""
    texts = column.labels.texts.slice(0, 5000)
    spaces = pc.count_substring(texts, " ").to_numpy(zero_copy_only=False)
    lengths = pc.utf8_length(texts).to_numpy(zero_copy_only=False)
    return float(spaces.mean()) + 1, float(lengths.mean()), bool((spaces > 0).mean() > 0.05)

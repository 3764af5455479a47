"""Failing rows of two runs side by side: which are new, which are still there, which are fixed."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from pandas_magic.errors import PandasMagicError, quoted_list

_OCCURRENCE, _BEFORE, _NOW = "__occurrence", "__before", "__now"


class NotComparable(PandasMagicError):
    """The failing rows of two runs cannot be set side by side. The message says why, as a clause."""

    code = "PM402"


@dataclass(frozen=True)
class Comparison:
    """The failing rows of a run against those of an earlier one, whole rows in their order."""

    new: pd.DataFrame  # rows of the later run
    still: pd.DataFrame  # rows of the later run
    fixed: pd.DataFrame  # rows of the earlier run: gone from the table, or mended
    by: tuple[str, ...]  # the columns by which rows were known again; empty: by all that they hold


def compare(before: pd.DataFrame, now: pd.DataFrame, key: Sequence[str]) -> Comparison:
    """Set two frames of failing rows side by side, by `key`, or by everything that a row holds when it is empty.

    Rows that are alike are counted: of three rows with key 5, two of which were there before, one is new. A row
    whose values changed is the same row with a key, and another one without.

    An empty side needs no columns.

    Raises: NotComparable when a column is gone, or holds other kinds of values.
    """
    if before.empty or now.empty:
        return Comparison(new=now, still=now.iloc[:0], fixed=before, by=tuple(key))
    columns = list(key) if key else _common_columns(before, now)
    for frame, when in ((before, "then"), (now, "now")):
        gone = [column for column in columns if column not in frame.columns]
        if gone:
            raise NotComparable(f"the failing rows {when} have no column {quoted_list(gone)}")
    matched = _matched(_numbered(before[columns], _BEFORE), _numbered(now[columns], _NOW), columns)
    both = matched[_BEFORE].notna() & matched[_NOW].notna()
    return Comparison(
        new=now.iloc[_places(matched.loc[matched[_BEFORE].isna(), _NOW])],
        still=now.iloc[_places(matched.loc[both, _NOW])],
        fixed=before.iloc[_places(matched.loc[matched[_NOW].isna(), _BEFORE])],
        by=tuple(key),
    )


def _common_columns(before: pd.DataFrame, now: pd.DataFrame) -> list[str]:
    if set(before.columns) != set(now.columns):
        raise NotComparable("the table has no key, and its columns changed")
    if not now.columns.is_unique:
        raise NotComparable("the table has no key, and two of its columns have the same name")
    return list(now.columns)


def _numbered(rows: pd.DataFrame, place: str) -> pd.DataFrame:
    numbered = rows.reset_index(drop=True)
    numbered[_OCCURRENCE] = numbered.groupby(list(rows.columns), dropna=False, sort=False).cumcount()
    numbered[place] = pd.RangeIndex(len(numbered))
    return numbered


def _matched(before: pd.DataFrame, now: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    for column in columns:
        one, other = before[column].dtype, now[column].dtype
        numeric = pd.api.types.is_numeric_dtype(one) and pd.api.types.is_numeric_dtype(other)
        if one != other and not numeric and not before[column].isna().all() and not now[column].isna().all():
            raise NotComparable(f'column "{column}" was {one} and is now {other}')
    try:
        return before.merge(now, on=[*columns, _OCCURRENCE], how="outer")
    except (ValueError, TypeError) as error:
        raise NotComparable(f"their values cannot be compared: {str(error).splitlines()[0]}") from error


def _places(found: pd.Series) -> list[int]:
    return sorted(int(place) for place in found)

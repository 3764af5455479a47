"""Checks that fail on the same rows of a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pandas_magic.checking.result import Result

_MOST_NAMED = 4
_MOST_COMPARED = 200_000  # failing rows of a check; the grid is not to wait for more


def failing_beside(result: Result, others: Iterable[Result]) -> list[str]:
    """The other checks that flag rows of this result, with how many of them: "CHK-004 (12)", most first.

    Rows are the same by their position in the same table, which did not change between the runs; results whose
    positions are not known are passed over.
    """
    mine = _positions(result)
    found: dict[str, int] = {}
    for other in others:
        if mine is None or other.run.check_id == result.run.check_id or not _same_table(other, result):
            continue
        theirs = _positions(other)
        if theirs is not None and (shared := len(np.intersect1d(mine, theirs))):
            found[other.run.check_id] = shared
    most = sorted(found.items(), key=lambda one: -one[1])[:_MOST_NAMED]
    return [f"{check_id} ({count:,})" for check_id, count in most]


def _positions(result: Result) -> np.typing.NDArray[np.int64] | None:
    positions = result.run.positions
    if not positions or len(positions) > _MOST_COMPARED:
        return None
    return np.asarray(positions, dtype=np.int64)


def _same_table(one: Result, other: Result) -> bool:
    """Whether both judged the same table; a DataFrame is known again only within one notebook."""
    tables = [result.compiled.target if result.compiled else "" for result in (one, other)]
    read = [result.run.fingerprints.get(table, "") for result, table in zip((one, other), tables, strict=True)]
    return tables[0] == tables[1] and read[0] == read[1] and (bool(read[0]) or one.run.session == other.run.session)

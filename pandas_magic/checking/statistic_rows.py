"""Rows of which a statistic comes to a number that a rule names: groups of any size, sums, means, distinct values."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import pandas as pd

from pandas_magic.checking.column_values import made_up, sort_of
from pandas_magic.checking.drafts import Drafts, Row
from pandas_magic.checking.solving import solved
from pandas_magic.constraints.algebra.expressions import Aggregate, Column, Group, Rollup, Share
from pandas_magic.constraints.meaning.plain_rows import Scalar

# Larger groups are not built: judging one row of them by its meaning takes about 10 µs, for the rule and each mutant.
_MOST_ROWS = 50_000
_WHOLE_STATISTICS = ("count", "distinct")
_LARGE = 1_000  # beyond it only the limit itself and one more are built
_LEAST_SHARED = 10  # rows of a share of all or of none
_FINEST = 1000  # the largest denominator of a share or of a mean of whole numbers


def wanted_near(statistic: Group | Rollup | Aggregate | Share, tried: Sequence[Scalar]) -> list[Scalar]:
    """The values worth building, of those tried at and around a limit; counts are whole and beside it by one."""
    if isinstance(statistic, Share) or statistic.statistic not in _WHOLE_STATISTICS:
        return list(dict.fromkeys(tried))
    limit = tried[0]
    if not isinstance(limit, (int, float)) or not math.isfinite(limit):
        return []
    near = {math.floor(limit), math.floor(limit) + 1, math.ceil(limit)}
    near |= {math.floor(limit) - 1} if limit <= _LARGE else set()
    return [each for each in sorted(near) if 0 <= each <= _MOST_ROWS]


def rows_with(
    statistic: Group | Rollup | Aggregate, wanted: Scalar, member: Row, *, drafts: Drafts, table: str
) -> list[Row] | None:
    """Copies of the member of which the statistic is what is wanted, or nearly so; None when that is not plain."""
    if statistic.of is None:
        return [member] * wanted
    place = drafts.place(member, table)
    chosen = solved(statistic.of, member_value(member, statistic.of), place)
    if chosen is None or not isinstance(chosen[0], Column):
        return None
    column = drafts.sample[table][chosen[0].name]
    rows: list[Row] = []
    for each in contents(statistic, wanted, column):
        found = solved(statistic.of, each, place)
        if found is None or not isinstance(found[0], Column):
            return None
        rows.append({**member, found[0].name: found[1]})
    return rows or None


def member_value(member: Row, of: object) -> Scalar:
    """A value of the expression as it is, only to see of which column it is made."""
    return member.get(of.name) if isinstance(of, Column) else 1


def contents(statistic: Group | Rollup | Aggregate, wanted: Scalar, column: "pd.Series") -> list[Scalar]:
    """The values of which the statistic is taken; none when the column cannot have it."""
    sort = sort_of(column)
    match statistic.statistic:
        case "count":
            return made_up(column, 1) * int(wanted)
        case "distinct":
            found = made_up(column, wanted)
            return found if len(found) == wanted else []
        case "sum" if sort == "truth":
            return [True] * int(wanted) if 0 <= wanted <= _MOST_ROWS else []
        case "sum":
            return [int(wanted) if sort == "integer" and wanted == int(wanted) else wanted]
        case "mean" if sort in ("integer", "truth"):
            return _whole_with_mean(wanted, sort == "truth")
        case "std":
            apart = wanted * math.sqrt(2)
            return [0, math.ceil(apart)] if sort == "integer" else [0.0, apart]
    return [wanted] * 3


def _whole_with_mean(wanted: Scalar, truth: bool) -> list[Scalar]:
    if not isinstance(wanted, (int, float)) or not math.isfinite(wanted):
        return []
    share = Fraction(wanted).limit_denominator(_FINEST)
    below = math.floor(share)
    above = int((share - below) * share.denominator)
    values = [below + 1] * above + [below] * (share.denominator - above)
    return [bool(each) for each in values if each in (0, 1)] if truth else [*values]


def parts_of_share(limit: Scalar) -> Iterator[tuple[int, int]]:
    """Numbers of rows in which the condition is true, at the share and beside it, each with that of all rows."""
    if not isinstance(limit, (int, float)) or not 0 <= limit <= 1:
        return
    share = Fraction(limit).limit_denominator(_FINEST)
    rows = share.denominator if share.denominator > 1 else _LEAST_SHARED
    true = int(share * rows)
    yield from ((each, rows) for each in (true, true - 1, true + 1) if 0 <= each <= rows)

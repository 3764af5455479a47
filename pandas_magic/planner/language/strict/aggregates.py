"""Functions of meanings that give statistics of other rows, of groups and of whole tables."""

from typing import Any

from pandas_magic.constraints import Aggregate, Column, Expression, Group, Rollup, Span, Value
from pandas_magic.planner.language.linking.words import name_parts
from pandas_magic.planner.language.strict.expressions import side_by_side, where_of
from pandas_magic.planner.language.strict.logic import EVERY_ROW
from pandas_magic.planner.language.strict.scene import NUMBERS, About, Kin, KinColumn


def count(about: About, kin: Kin) -> Expression | None:
    """How many rows refer to the row at hand."""
    return None if kin.refers else Rollup(statistic="count", join=kin.join, where=where_of(kin.where))


def over(about: About, statistic: str, kin: Kin, of: Expression) -> Expression | None:
    """A statistic of the rows that refer to the row at hand."""
    if kin.refers or _is_named_for(statistic, of) or isinstance(of, (Value, Span)):
        return None
    return Rollup(statistic=statistic, join=kin.join, of=of, where=where_of(kin.where))


def over_column(about: About, statistic: str, column: KinColumn) -> Expression:
    """A statistic of a column of all rows that refer to the row at hand."""
    return Rollup(statistic=statistic, join=column.join, of=column.of)


def over_of(about: About, statistic: str, column: KinColumn, kin: Kin) -> Expression | None:
    """A statistic of a column of those rows that refer to the row at hand."""
    return over(about, statistic, kin, column.of) if column.join == kin.join else None


def group(about: About, statistic: str, of: Expression, by: tuple[Expression, ...]) -> Expression:
    """A statistic of the rows of the table that share `by`."""
    return Group(statistic=statistic, of=of, by=side_by_side(by))


def all_rows(about: About, statistic: str, of: Expression) -> Expression:
    """A statistic of all rows in the rule's scope, seen from each row."""
    return Group(statistic=statistic, of=of)


def all_rows_of_it(about: About, statistic: str) -> Expression | None:
    """A statistic of what is read about, of all rows."""
    return Group(statistic=statistic, of=about.subject) if isinstance(about.subject, Column) else None


def all_rows_quantile(about: About, of: Expression, quantile: float) -> Expression:
    """A quantile of all rows in the rule's scope, seen from each row."""
    return Group(statistic="quantile", of=of, quantile=quantile)


def whole_quantile(about: About, of: Expression, quantile: float) -> Expression:
    """A quantile of the whole table."""
    return Aggregate(statistic="quantile", table=about.table, of=of, quantile=quantile)


def row_count(about: About, where: Any) -> Expression:  # noqa: ANN401 - a condition, or EVERY_ROW
    """How many rows of the table there are."""
    return Aggregate(statistic="count", table=about.table, where=where_of(where))


def whole(about: About, statistic: str, of: Expression, where: Any) -> Expression | None:  # noqa: ANN401 - as above
    """A statistic of the whole table."""
    if _is_named_for(statistic, of):
        return None
    return Aggregate(statistic=statistic, table=about.table, of=of, where=where_of(where))


def count_of(about: About, where: Any, by: tuple[Expression, ...]) -> Expression | None:  # noqa: ANN401 - EVERY_ROW
    """How many rows share `by`; rows of some kind are told by the rule's scope, not here."""
    return Group(statistic="count", by=side_by_side(by)) if where == EVERY_ROW else None


def mean_of_it(about: About, by: tuple[Expression, ...]) -> Expression | None:
    """The mean of what is read about, among rows that share `by`."""
    return Group(statistic="mean", of=about.subject, by=side_by_side(by)) if about.subject is not None else None


def worth(about: About, kin: Kin) -> Expression | None:
    """The one amount that each row of the other table stands for: its amount, else its total."""
    names = about.names
    for word in ("amount", "total"):
        found = [column for table, column, _ in names.columns.get((word,), ()) if table == kin.join.table]
        numbers = [column for column in found if names.kind(kin.join.table, column) in NUMBERS]
        if numbers:
            return Column(name=numbers[0]) if len(set(numbers)) == 1 else None
    return None


def narrow(about: About, where: Any) -> Any:  # noqa: ANN401 - a condition, or EVERY_ROW
    """The condition, when it is one."""
    return None if where == EVERY_ROW else where


def beside_statistic(about: About, of: Expression) -> Expression | None:
    """The statistic of the whole table, where another one is compared with it."""
    return of if isinstance(about.subject, Aggregate) and of != about.subject else None


def _is_named_for(statistic: str, of: Expression) -> bool:
    """Whether the word for the statistic is a part of the column's name: "the maximum crew" is max_crew."""
    words = {"max": {"max", "maximum"}, "min": {"min", "minimum"}}.get(statistic, set())
    return isinstance(of, Column) and bool(words & set(name_parts(of.name)))

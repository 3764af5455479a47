"""Expressions: what a rule can compute for one row, or for one whole table.

An expression is read relative to a table: `Column("amount")` is the amount of the row at hand. `Lookup`, `Rollup`
and `Group` step to other rows. A missing value makes every expression that uses it missing, as in SQL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from pandas_magic.record import Record

if TYPE_CHECKING:
    from pandas_magic.constraints.algebra.conditions import Condition

Unit = Literal["seconds", "minutes", "hours", "days", "weeks", "months", "years"]
Statistic = Literal["count", "sum", "mean", "median", "min", "max", "std", "quantile", "distinct"]


class Column(Record):
    """The value in this row's column."""

    node: Literal["column"] = "column"
    name: str


class Value(Record):
    """A number, a text or a truth value that the rule names."""

    node: Literal["value"] = "value"
    value: bool | int | float | str


class Moment(Record):
    """A point in time that the rule names, as ISO 8601 text; a date alone is its midnight."""

    node: Literal["moment"] = "moment"
    iso: str


class Now(Record):
    """The time of the run; `midnight=True` is the start of that day."""

    node: Literal["now"] = "now"
    midnight: bool = False


class Span(Record):
    """A length of time; months and years are calendar ones."""

    node: Literal["span"] = "span"
    amount: float
    unit: Unit


class Arithmetic(Record):
    """Two expressions joined by + - * /; a date minus a date is a length of time."""

    node: Literal["arithmetic"] = "arithmetic"
    sign: Literal["+", "-", "*", "/"]
    left: Expression
    right: Expression


class Absolute(Record):
    """The magnitude of a number."""

    node: Literal["absolute"] = "absolute"
    of: Expression


class TextLength(Record):
    """How many characters a text has."""

    node: Literal["length"] = "length"
    of: Expression


class Folded(Record):
    """A text as compared without regard to `case` (lower-cased) or to outer `space` (stripped)."""

    node: Literal["folded"] = "folded"
    of: Expression
    fold: Literal["case", "space"]


class DatePart(Record):
    """A part of a date. Weekday is 1 (Monday) to 7 (Sunday), as in ISO 8601; `date` is the day itself.

    `time` is the time of day: how long it is since midnight, as the clocks of the moment's own zone show it.
    """

    node: Literal["part"] = "part"
    part: Literal["date", "year", "quarter", "month", "week", "day", "weekday", "hour", "minute", "time"]
    of: Expression


class ReadAs(Record):
    """A text read as a date (ISO 8601, without a zone), a number or a time of day; missing where it is none.

    A time of day (8:30, 08:30, 08:30:15.5) is the length of time since midnight, so that one less another is how far
    they are apart, and never a day more. A cell that holds a time is read as its text.
    """

    node: Literal["read_as"] = "read_as"
    of: Expression
    type: Literal["date", "number", "time"]


class HowMany(Record):
    """How many of the conditions are true in this row."""

    node: Literal["how_many"] = "how_many"
    conditions: tuple[Condition, ...]


class Join(Record):
    """How rows of the table at hand refer to rows of `table`: `columns[i]` here equals `keys[i]` there."""

    columns: tuple[str, ...]
    table: str
    keys: tuple[str, ...]


class Lookup(Record):
    """`of`, computed in the row of another table that this row refers to; missing when there is none.

    Where several rows of the other table share the key, the first one counts.
    """

    node: Literal["lookup"] = "lookup"
    join: Join
    of: Expression


class Rollup(Record):
    """A statistic over the rows of another table that match this row, `where` being read in that other table.

    Counts and sums over no rows are 0, other statistics of no rows are missing.
    """

    node: Literal["rollup"] = "rollup"
    statistic: Statistic
    join: Join
    of: Expression | None = None  # None only with count: the rows are counted
    quantile: float | None = None  # 0 to 1, only with quantile
    where: Condition | None = None  # None: every matching row


class Group(Record):
    """A statistic over the rows of this table that share `by` with this row; `by=()` is the whole table.

    Only rows in the scope of the rule (its `where`) take part. Rows with a missing value in `by` have no group.
    """

    node: Literal["group"] = "group"
    statistic: Statistic
    of: Expression | None = None  # None only with count: the rows are counted
    by: tuple[Expression, ...] = ()
    quantile: float | None = None  # 0 to 1, only with quantile
    where: Condition | None = None  # None: every row of the group


class Previous(Record):
    """`of` in the row before this one, `order` ascending, among rows that share `by`; missing in the first row.

    `order=None` is the order in which the table stands.
    """

    node: Literal["previous"] = "previous"
    of: Expression
    order: Expression | None = None  # None: as the table stands
    by: tuple[Expression, ...] = ()


class Aggregate(Record):
    """A statistic of a whole table, for `TableRule`: count, sum, mean … over the rows where `where` is true."""

    node: Literal["aggregate"] = "aggregate"
    statistic: Statistic
    table: str
    of: Expression | None = None  # None only with count: the rows are counted
    quantile: float | None = None  # 0 to 1, only with quantile
    where: Condition | None = None  # None: every row


class Share(Record):
    """The share (0 to 1) of a table's rows, among those where `where` is true, in which `condition` is true.

    Missing for a table with no such rows.
    """

    node: Literal["share"] = "share"
    table: str
    condition: Condition
    where: Condition | None = None  # None: every row


Expression = Annotated[
    Column
    | Value
    | Moment
    | Now
    | Span
    | Arithmetic
    | Absolute
    | TextLength
    | Folded
    | DatePart
    | ReadAs
    | HowMany
    | Lookup
    | Rollup
    | Group
    | Previous
    | Aggregate
    | Share,
    Field(discriminator="node"),
]

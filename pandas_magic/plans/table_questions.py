"""Common requests understood without a model: counts, sums, averages, extremes, tops and trends; and analyses.

Every word of a request has to be explained; whatever is left over refuses it. Nothing is guessed: a table, a column or
a period is taken only when it is named, and only one reading may be left.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

from pandas_magic.catalog.table import Table
from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.errors import PandasMagicError, quoted_list
from pandas_magic.plans.analysis_questions import Analysis, read_analysis
from pandas_magic.plans.request_words import RequestWords, Stuck
from pandas_magic.plans.row_conditions import condition_behind_where
from pandas_magic.record import Record

Measure = Literal["count", "different", "total", "average", "median", "lowest", "highest"]
Period = Literal["moment", "day", "week", "month", "quarter", "year"]  # a moment: each one that occurs

_MEASURES: dict[str, Measure] = {
    **dict.fromkeys(("total", "sum"), "total"),
    **dict.fromkeys(("average", "mean", "avg"), "average"),
    "median": "median",
    **dict.fromkeys(("lowest", "minimum", "min", "smallest"), "lowest"),
    **dict.fromkeys(("highest", "maximum", "max", "largest"), "highest"),
}
_EXTREMES = frozenset(word for word, measure in _MEASURES.items() if measure in ("lowest", "highest"))
_PERIODS: dict[str, Period] = {
    **dict.fromkeys(("day", "daily"), "day"),
    **dict.fromkeys(("week", "weekly"), "week"),
    **dict.fromkeys(("month", "monthly"), "month"),
    **dict.fromkeys(("quarter", "quarterly"), "quarter"),
    **dict.fromkeys(("year", "yearly", "annual", "annually"), "year"),
}
_GROUPED = (("for", "each"), ("in", "each"), ("for", "every"), ("grouped", "by"), ("by",), ("per",), ("each",))
_COUNTED = (("how", "many"), ("number",), ("count",))
_POLITE = frozenset(
    (
        "show",
        "give",
        "list",
        "tell",
        "find",
        "compute",
        "calculate",
        "plot",
        "chart",
        "draw",
        "display",
        "what",
        "is",
        "are",
    )
)
_NOTHING_NAMED = (
    "no measure is named: count, total, average, median, lowest or highest; "
    "nor an analysis: correlations, distribution, outliers, comparison or t-test"
)
_CLOSING = (("are", "there"), ("there", "are"), ("do", "we", "have"), ("exist",), ("is", "there"))


class RequestNotUnderstood(PandasMagicError):
    """A request that the small language does not wholly explain."""

    code = "PM104"


class Question(Record):
    """One request, typed. `by` and `period` group; without them the whole table gives one number."""

    table: str
    measure: Measure
    column: str = ""  # what is measured; "" when rows are counted
    by: tuple[str, ...] = ()
    period: Period | None = None
    moment: str = ""  # the column of time that `period` and `year` are about
    year: int | None = None
    condition: Condition | None = None  # only rows in which it is true
    said: str = ""  # the condition's words
    most: int | None = None  # only so many groups or rows; None: all
    ascending: bool = False  # the lowest first
    rows: bool = False  # rows of the table themselves, by `column`, in place of groups


def read_question(request: str, tables: Mapping[str, Table]) -> Question | Analysis:
    """The request as a question about one table, or as an analysis of one or several.

    Raises: RequestNotUnderstood naming the words that are not explained, or the readings that are left.
    """
    plain, _, condition = " ".join(request.split()).partition(" where ")
    said = condition.rstrip(". ?!")
    readers: list[Callable[[], Question | Analysis]]
    readers = [_Reader(table, plain, said, tables).question for table in tables.values()]
    readers += [partial(read_analysis, table, plain, said, tables) for table in tables.values()]
    found: list[Question | Analysis] = []
    stuck: list[Stuck] = []
    for read in readers:
        try:
            found.append(read())
        except Stuck as error:
            stuck.append(error)
    if len(found) > 1:
        names = quoted_list([question.table for question in found])
        raise RequestNotUnderstood(f"the request can be about {names}; name the table, or choose it with --files")
    if not found:
        raise RequestNotUnderstood(str(max(stuck, key=lambda error: error.reached)))
    return found[0]


class _Reader:
    """A request read as being about one table."""

    def __init__(self, table: Table, plain: str, condition: str, tables: Mapping[str, Table]) -> None:
        self.table, self.tables, self.condition = table, tables, condition
        self.words = RequestWords(plain, table)
        self.period: Period | None = None
        self.moment = ""
        self.by: list[str] = []
        self.year: int | None = None
        self.wants_trend = False

    def question(self) -> Question:
        while self.words.take_any(_POLITE):
            pass
        top, ascending = self._top()
        if top is not None:
            return self._ranked(top, ascending=ascending)
        if self.words.take_any(("trend",)):
            self.wants_trend = True
        measure, column = self._measure()
        self._clauses()
        if self.wants_trend and self.period is None:
            raise self.words.stuck('a trend needs its period; write "by month"')
        return self._made(measure, column)

    def _top(self) -> tuple[int | None, bool]:
        if word := self.words.take_any(("top", "bottom")):
            number = self.words.take_number()
            if number is None or number < 1:
                raise self.words.stuck(f'write how many: "{word} 5"')
            return number, word == "bottom"
        return None, False

    def _ranked(self, most: int, *, ascending: bool) -> Question:
        """`top 5 countries by number of users`, `top 10 orders by amount`."""
        if self.words.take_table():
            self.words.expect(("by",))
            column = self._column()
            self._clauses()
            self._needs(column, "integer", "number", "datetime")
            return self._made("highest", column, most=most, ascending=ascending, rows=True)
        self.by.append(self._column())
        self.words.expect(("by",))
        measure, column = self._measure()
        if ascending and measure in ("count", "different"):
            raise self.words.stuck(f"what has no row in {self.table.name} would be the lowest, and is not there")
        self._clauses()
        return self._made(measure, column, most=most, ascending=ascending)

    def _measure(self) -> tuple[Measure, str]:
        if word := self.words.take_any([word for word in _PERIODS if word.endswith("ly") or word == "annual"]):
            self.period = _PERIODS[word]
        if self.words.take_one_of(_COUNTED):
            if self.words.take_any(("different", "distinct", "unique")):
                return "different", self._column()
            if not self.words.take_table():
                raise self.words.stuck(f"rows that can be counted here are those of {self.table.name}")
            self.words.take_one_of(_CLOSING)
            return "count", ""
        at = self.words.at
        word = self.words.take_any(_MEASURES)
        if word is None:
            raise self.words.stuck(_NOTHING_NAMED)
        # In "average order amount" the first word is the table, in "lowest order date" it begins a column.
        if not self.words.column_comes():
            self.words.take_table()
        column = self._column()
        if other := self.words.column_spelled(at):
            raise self.words.stuck(f'"{word} {column}" can also be the column {other}')
        self._needs(column, *(("integer", "number", "datetime") if word in _EXTREMES else ("integer", "number")))
        return _MEASURES[word], column

    def _clauses(self) -> None:
        while not self.words.at_end:
            if self.words.take_any(("trend",)):
                self.wants_trend = True
            elif self.words.take_one_of(_GROUPED):
                self._group()
                while self.words.take_any(("and", ",")):
                    self._group()
            elif self.period is None and self.words.take_one_of([("over", "time")]):
                self.period = "moment"
            elif year := self.words.take_year():
                self.year = year
            else:
                self.words.take_any(("in", "from", "across"))
                if not self.words.take_table():
                    raise self.words.stuck()

    def _group(self) -> None:
        column = self.words.take_column()
        if column:
            self.by.append(column)
            return
        word = self.words.take_any(_PERIODS)
        if word is None or self.period is not None:
            raise self.words.stuck(f"{self.table.name} has {quoted_list(list(self.table.columns))}")
        self.period = _PERIODS[word]
        self.moment = self.words.take_column() or ""

    def _column(self) -> str:
        column = self.words.take_column()
        if not column:
            raise self.words.stuck(f"{self.table.name} has {quoted_list(list(self.table.columns))}")
        return column

    def _needs(self, column: str, *kinds: str) -> None:
        kind = self.table.kind(column)
        if kind not in kinds:
            raise self.words.stuck(f"{self.table.name}.{column} holds values of the kind {kind}")

    def _made(self, measure: Measure, column: str, **more: object) -> Question:
        if self.period is not None or self.year is not None:
            self._settle_moment()
        content = {
            "table": self.table.name,
            "measure": measure,
            "column": column,
            "by": tuple(dict.fromkeys(self.by)),
            "period": self.period,
            "moment": self.moment,
            "year": self.year,
            "condition": condition_behind_where(self.condition, self.words, self.table, self.tables),
            "said": self.condition,
            **more,
        }
        return Question.model_validate(content)

    def _settle_moment(self) -> None:
        moments = [name for name in self.table.columns if self.table.kind(name) == "datetime"]
        if self.moment and self.moment not in moments:
            raise self.words.stuck(f"{self.table.name}.{self.moment} holds no dates")
        if not self.moment and len(moments) != 1:
            which = f"several columns of dates: {quoted_list(moments)}" if moments else "no column of dates"
            remedy = f'; write "by month of {moments[0]}", or "where {moments[0]} is in 2024"' if moments else ""
            raise self.words.stuck(f"{self.table.name} has {which}{remedy}")
        self.moment = self.moment or moments[0]

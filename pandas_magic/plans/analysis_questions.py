"""Analyses understood without a model: correlations, distributions with outliers, comparisons and t-tests.

As with other questions every word has to be explained, and only one reading may be left.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from pandas_magic.catalog.table import Table
from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.errors import quoted_list
from pandas_magic.plans.compared_groups import Compared, read_compared
from pandas_magic.plans.request_words import RequestWords
from pandas_magic.plans.row_conditions import condition_behind_where
from pandas_magic.record import Record

AnalysisKind = Literal["correlations", "distribution", "outliers", "comparison", "t-test"]

_POLITE_TEXT = (
    "show give list tell find compute calculate plot chart draw display what which is are there do does how perform "
    "run identify detect flag visualize can could you any"
)
_POLITE = frozenset(_POLITE_TEXT.split())
_STRENGTH = frozenset(("strongest", "highest", "most", "strongly", "closely", "important"))
_RELATED = ("correlated", "correlate", "correlation", "related")
_OWN = (("dataset",), ("data",), ("table",), ("file",), ("data", "set"))
_COLUMNS = ("variable", "column", "feature", "field", "attribute")
_TESTS = (("t", "-", "test"), ("t", "test"), ("ttest",))
_DIFFERENT = ("difference", "different", "differ", "differs")
_FINDING = ("identify", "find", "show", "flag", "list", "mark", "detect")
_MEANS = ("average", "mean")
_BETWEEN = ("between", "across", "among", "for", "in", "by", "per", "from")


class Analysis(Record):
    """One analysis, typed."""

    kind: AnalysisKind
    table: str
    columns: tuple[str, ...]  # what is analysed
    against: str = ""  # correlations with this column only
    ranks: bool = False  # Spearman's correlation in place of Pearson's
    most: int | None = None  # only so many correlations; None: all
    by: str = ""  # the column whose groups are compared; "": none
    values: tuple[str, ...] = ()  # only these groups; empty: all
    tables: tuple[str, ...] = ()  # the tables that are compared; empty: one only
    condition: Condition | None = None  # only rows in which it is true
    said: str = ""  # the condition's words


def read_analysis(table: Table, plain: str, condition: str, tables: Mapping[str, Table]) -> Analysis:
    """The request as an analysis that is about `table`, or names it first. Raises: Stuck where it is none."""
    return _AnalysisReader(table, plain, condition, tables).analysis()


class _AnalysisReader:
    """A request read as an analysis of one table."""

    def __init__(self, table: Table, plain: str, condition: str, tables: Mapping[str, Table]) -> None:
        self.table, self.tables, self.condition = table, tables, condition
        self.words = RequestWords(plain, table)

    def analysis(self) -> Analysis:
        for read in (self._correlations, self._pair, self._distribution, self._spread, self._test, self._comparison):
            self.words.at = 0
            while self.words.take_any(_POLITE):
                pass
            if found := read():
                self._own_table()
                if not self.words.at_end:
                    raise self.words.stuck()
                return found
        raise self.words.stuck("no analysis is named: correlations, distribution, outliers, comparison or t-test")

    def _correlations(self) -> Analysis | None:
        """`top 5 correlations between variables`, `correlation of age and amount`, `columns correlated with age`."""
        most = self.words.take_number() if self.words.take_any(("top",)) else None
        self._skip(_STRENGTH)
        ranks = self._ranks()
        listed = bool(self.words.take_any(_COLUMNS))
        self._skip((*_STRENGTH, "is", "are", "significantly"))
        if not self.words.take_any(_RELATED[: 4 if listed else 3]):
            return None
        self._skip(("matrix", "coefficient", "strongest", "most"))
        if self.words.take_any(("with", "to")):
            return self._correlated(self._numbers(), against=self._number(), ranks=ranks, most=most)
        if not self.words.take_any((*_BETWEEN, "of")) and not self.words.column_comes():
            return self._correlated(self._numbers(), ranks=ranks, most=most)
        self._skip(("numeric", "numerical", "different"))
        if self.words.take_any(_COLUMNS):
            return self._correlated(self._numbers(), ranks=ranks, most=most)
        if self._own_comes():
            return self._correlated(self._numbers(), ranks=ranks, most=most)
        columns = [self._number()]
        while self.words.take_any(("and", "with", ",", "versus", "vs")):
            self.words.take_any(("and",))
            columns.append(self._number())
        if len(columns) == 1:
            return self._correlated(self._numbers(), against=columns[0], ranks=ranks, most=most)
        return self._correlated(tuple(columns), ranks=ranks, most=most)

    def _pair(self) -> Analysis | None:
        """`how strongly is age correlated with amount`, `does age correlate with amount`."""
        self._skip((*_STRENGTH, *_POLITE))
        column = self.words.take_column()
        self._skip(("is", "are", *_STRENGTH))
        if column and self.words.take_any(("and",)):
            other = self.words.take_column()
            found = bool(other and self.words.take_any(_RELATED))
        else:
            found = bool(column and self.words.take_any(_RELATED) and self.words.take_any(("with", "to")))
            other = self._number() if found else None
        if not found or not column or not other:
            return None
        self._needs_numbers(column)
        self._needs_numbers(other)
        return self._correlated((column, other))

    def _distribution(self) -> Analysis | None:
        """`distribution of ages and identify outliers`, `how are ages distributed`, `histogram of amount by status`."""
        kind: AnalysisKind = "distribution"
        if self.words.take_any(("outlier",)):
            kind = "outliers"
        elif not self.words.take_one_of([("distribution",), ("histogram",), ("describe",), ("summary", "statistics")]):
            return None
        self.words.take_any(("in", "for", "from", "among"))
        # In "outliers in order amount" the first word is the table.
        if not self.words.column_comes():
            self.words.take_table()
        column = self._column()
        return self._distributed(kind, column)

    def _spread(self) -> Analysis | None:
        column = self.words.take_column()
        if not column or not self.words.take_any(("distributed",)):
            return None
        return self._distributed("distribution", column)

    def _distributed(self, kind: AnalysisKind, column: str) -> Analysis:
        if self.table.kind(column) not in ("integer", "number", "text", "boolean"):
            raise self.words.stuck(f'{self.table.name}.{column} holds dates; count its rows "by month of {column}"')
        self._own_table()
        by = self._column() if self.words.take_any(("by", "per", "across")) else ""
        self._own_table()
        if self.words.take_any(("and", "with", ",")):
            self._skip(("and", *_FINDING, "any", "its", "their", "potential", "possible"))
            self.words.expect(("outliers",))
            kind = "outliers"
        if kind == "outliers":
            self._needs_numbers(column)
        if kind == "outliers" and by:
            raise self.words.stuck("outliers are those of one group of rows; name it with where")
        if by and self.table.kind(column) not in ("integer", "number"):
            raise self.words.stuck(f'{self.table.name}.{column} is no number; write "count by {by} and {column}"')
        return self._made(kind, (column,), by=by)

    def _test(self) -> Analysis | None:
        """`t-test of amount between paid and sent`, `is there a significant difference in age between groups of …`."""
        self.words.take_any(("welch",))
        self.words.take_one_of([("'", "s"), ("’", "s"), ("two", "-", "sample"), ("two", "sample"), ("independent",)])
        named = self.words.take_one_of(_TESTS)
        asked = named or bool(self.words.take_any(("test",)))
        self._skip(("to", "comparing", "compare", "whether", "if", "on", "for", "is", "that", "check", "there"))
        certain = self._significant()
        self._skip((*_MEANS, "there", "is", "does"))
        differs = (asked or certain) and bool(self.words.take_any(_DIFFERENT))
        self._skip((*_MEANS, "in", "of"))
        column = self.words.take_column()
        if not column:
            if named or differs:
                self._column()
            return None
        certain = self._significant() or certain
        differs = bool(self.words.take_any(_DIFFERENT)) or differs
        certain = self._significant() or certain
        if not (named or (differs and (asked or certain))):
            return None
        self._needs_numbers(column)
        self._skip(_BETWEEN)
        return self._of_compared("t-test", column, read_compared(self.words, self.table, self.tables))

    def _significant(self) -> bool:
        self._skip(("statistically",))
        return bool(self.words.take_any(("significant", "significantly")))

    def _comparison(self) -> Analysis | None:
        """`compare amount between trial_1 and trial_2`, `difference in age between paid and sent`."""
        if not self.words.take_any(("compare", "comparison", "difference", "differences")):
            return None
        self._skip(("in", *_MEANS, "median"))
        at = self.words.at
        column = self.words.take_column()
        if column:
            self._needs_numbers(column)
            self._skip(_BETWEEN)
        else:
            self.words.at = at
            self._skip(("between",))
        return self._of_compared("comparison", column or "", read_compared(self.words, self.table, self.tables))

    def _of_compared(self, kind: AnalysisKind, column: str, compared: Compared) -> Analysis:
        if not compared.tables:
            if not column:
                raise self.words.stuck('name what is compared: "compare amount between …"')
            if column == compared.by:
                raise self.words.stuck(f"{column} cannot be compared between groups of itself")
            known = compared.values or self.table.values.get(compared.by, ())
            if kind == "t-test" and known and len(known) != 2:
                names = quoted_list(list(known)[:6])
                raise self.words.stuck(
                    f'a t-test compares two groups, and these are {names}; name two: "between A and B"'
                )
            return self._made(kind, (column,), by=compared.by, values=compared.values)
        having = [name for name in compared.tables if not column or column in self.tables[name].columns]
        if column and len(having) < len(compared.tables):
            lacking = next(name for name in compared.tables if name not in having)
            raise self.words.stuck(f"{lacking} has no column {column}")
        columns = (column,) if column else self._shared(having)
        if any(self.tables[name].kind(each) not in ("integer", "number") for name in having for each in columns):
            raise self.words.stuck(f"{column} does not hold numbers in each of {quoted_list(having)}")
        if having[0] != self.table.name or self.condition:
            raise self.words.stuck("several tables are compared whole, the one that is named first before the others")
        if kind == "t-test" and len(having) != 2:
            raise self.words.stuck(f"a t-test compares two tables, and these are {quoted_list(having)}")
        return self._made(kind, columns, tables=tuple(having))

    def _shared(self, names: Sequence[str]) -> tuple[str, ...]:
        tables = [self.tables[name] for name in names]
        shared = tuple(
            column
            for column in tables[0].columns
            if all(column in one.columns and one.kind(column) in ("integer", "number") for one in tables)
        )
        if not shared:
            raise self.words.stuck(f"{quoted_list(list(names))} share no column of numbers")
        return shared

    def _correlated(self, columns: tuple[str, ...], **more: object) -> Analysis:
        against = more.get("against", "")
        columns = tuple(dict.fromkeys(column for column in columns if column != against))
        if len(columns) + bool(against) < 2:
            raise self.words.stuck(f"{self.table.name} has no two columns of numbers to correlate")
        self._own_table()
        return self._made("correlations", columns, **{**more, "ranks": more.get("ranks") or self._ranks()})

    def _ranks(self) -> bool:
        self._skip(("using", "with"))
        word = self.words.take_any(("spearman", "pearson"))
        self._skip(("rank",) if word else ())
        return word == "spearman"

    def _made(self, kind: AnalysisKind, columns: tuple[str, ...], **more: object) -> Analysis:
        condition = condition_behind_where(self.condition, self.words, self.table, self.tables)
        content = {"kind": kind, "table": self.table.name, "columns": columns, "condition": condition}
        return Analysis.model_validate({**content, "said": self.condition, **more})

    def _own_table(self) -> None:
        at = self.words.at
        self.words.take_any(("in", "from", "across", "for", "within"))
        if not self._own_comes():
            self.words.at = at

    def _own_comes(self) -> bool:
        return self.words.take_table() or self.words.take_one_of(_OWN)

    def _numbers(self) -> tuple[str, ...]:
        return tuple(name for name in self.table.columns if self.table.kind(name) in ("integer", "number"))

    def _number(self) -> str:
        column = self._column()
        self._needs_numbers(column)
        return column

    def _column(self) -> str:
        column = self.words.take_column()
        if not column:
            raise self.words.stuck(f"{self.table.name} has {quoted_list(list(self.table.columns))}")
        return column

    def _needs_numbers(self, column: str) -> None:
        kind = self.table.kind(column)
        if kind not in ("integer", "number"):
            raise self.words.stuck(f"{self.table.name}.{column} holds values of the kind {kind}")

    def _skip(self, words: Collection[str]) -> None:
        while self.words.take_any(words):
            pass

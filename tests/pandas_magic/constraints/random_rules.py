"""Random tables and random well-typed rules about them, for tests that hold several accounts of a rule together."""

import math
import random
from typing import Any

import pandas as pd

from pandas_magic.catalog.table import Table
from pandas_magic.constraints.algebra import conditions as c
from pandas_magic.constraints.algebra import expressions as e
from pandas_magic.constraints.algebra.rules import RowRule, Tolerance

ZONE = "Europe/Berlin"
NOW = pd.Timestamp("2026-03-29 12:00")
UTC_NOW = pd.Timestamp("2026-03-29 10:00", tz="UTC")

# The night in which Berlin's clocks jump from 02:00 to 03:00 lies among the moments.
_MOMENTS = (
    "2026-03-28 23:30",
    "2026-03-29 00:00",
    "2026-03-29 01:30",
    "2026-03-29 12:00",
    "2026-03-31 00:00",
    "2024-02-29 10:00",
)
_TEXTS = (
    "",
    "a",
    "A",
    "ab",
    "a b",
    "12",
    "-7",
    "2.5e0",
    "2026-03-29",
    "2026-02-30",
    "2026-03-29 12:00:00.5",
    "é",
    "ab\n",
    "12345678901",
    "8:30",
    "08:30:15",
    "23:59:59.5",
)
_NUMBERS = (0.0, 0.1, 0.2, 0.3, 1.0, -1.0, 2.5, 1e12, math.inf)
_WHOLE = (0, 1, 2, 3, -1, 100)
_KEYS = (1, 2, 3, 2**53, 2**53 + 1, 2**63 - 1)
_POOLS: dict[str, tuple[Any, ...]] = {"number": _NUMBERS, "whole": _WHOLE, "text": _TEXTS, "truth": (True, False)}
_SORTS = {
    "n": "number",
    "m": "number",
    "i": "whole",
    "k": "whole",
    "s": "text",
    "r": "text",
    "d": "moment",
    "f": "moment",
    "b": "truth",
    "c": "truth",
}

# A name for each way in which the same values can stand in a frame.
DTYPES: dict[str, dict[str, str]] = {
    "numpy": {"number": "float64", "whole": "int64", "text": "str", "moment": "datetime64[us]", "truth": "bool"},
    "old": {"number": "float64", "whole": "int64", "text": "object", "moment": "datetime64[ns]", "truth": "bool"},
    "nullable": {
        "number": "Float64",
        "whole": "Int64",
        "text": "string",
        "moment": "datetime64[ns]",
        "truth": "boolean",
    },
    "arrow": {
        "number": "double[pyarrow]",
        "whole": "int64[pyarrow]",
        "text": "string[pyarrow]",
        "moment": "timestamp[us][pyarrow]",
        "truth": "bool[pyarrow]",
    },
    # What a frame or a file with gaps among its truth values is made of.
    "gaps": {"number": "float64", "whole": "int64", "text": "str", "moment": "datetime64[us]", "truth": "boolean"},
    "small": {"number": "float64", "whole": "int8", "text": "category", "moment": "datetime64[s]", "truth": "bool"},
}
_RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
_STATISTICS = ("count", "sum", "mean", "median", "min", "max", "distinct", "std")


# Values that engines could take for others: case, spaces, order, calendars, signs of zero, and infinities.
_ODD_TEXTS = (
    " a ", "a\u00a0", "\x0ba", "B", "b", "Z", "_", "ÄÖ", "äö", "İ", "ſ", "\u212a", "２", ".5", "1e400", "a.b@c.de",
    "2026-03-29T24:00", "0000-01-01", "2024-02-29 23:59:59.5", "a\x00b", "24:00", "7:5", "07:60", " 08:30", "٠٨:٣٠",
)  # fmt: skip
ODD_POOLS: dict[str, tuple[Any, ...]] = {
    **_POOLS,
    "number": (*_NUMBERS, -0.0, -math.inf, 1e-9, 2.0**53, -1e12),
    "text": (*_TEXTS, *_ODD_TEXTS),
}


def tables(dtypes: dict[str, str]) -> dict[str, Table]:
    columns = {name: dtypes[sort] for name, sort in _SORTS.items()}
    return {
        "t": Table(name="t", columns={**columns, "z": f"datetime64[us, {ZONE}]"}),
        "o": Table(name="o", columns=columns),
    }


class RandomRules:
    """Draws tables and rules; every rule fits the types of the tables, or nearly so."""

    pools = _POOLS

    def __init__(self, seed: int, dtypes: dict[str, str]) -> None:
        self.chance = random.Random(seed)
        self.dtypes = dtypes

    def pick(self, *options: Any) -> Any:
        return self.chance.choice(options)

    def frames(self, max_rows: int = 7) -> dict[str, pd.DataFrame]:
        return {name: self._frame(table, max_rows) for name, table in tables(self.dtypes).items()}

    def _frame(self, table: Table, max_rows: int) -> pd.DataFrame:
        size = self.chance.randint(0, max_rows)
        return pd.DataFrame({name: self._column(name, dtype, size) for name, dtype in table.columns.items()})

    def _column(self, name: str, dtype: str, size: int) -> "pd.Series[Any]":
        if name in ("d", "f", "z"):
            texts = [self.pick(*_MOMENTS, None) for _ in range(size)]
            moments = pd.Series(pd.to_datetime(pd.Series(texts, dtype=object), format="%Y-%m-%d %H:%M"))
            if name == "z":
                return moments.astype("datetime64[us]").dt.tz_localize("UTC").dt.tz_convert(ZONE)
            return moments.astype("datetime64[ns]").astype(dtype)
        pool = _KEYS if name == "k" and dtype != "int8" else self.pools[_SORTS[name]]
        missing = () if dtype in ("int64", "int8", "bool") else (None,)
        values = [self.pick(*pool[: self.chance.randint(2, len(pool))], *missing) for _ in range(size)]
        if dtype == "category":
            return pd.Series(values, dtype=object).astype(pd.CategoricalDtype(list(self.pools["text"])))
        return pd.Series(values, dtype=dtype)

    def rule(self) -> RowRule:
        tolerance = None
        if self.chance.random() < 0.15:
            tolerance = Tolerance(max_rows=self.pick(None, 0, 2), max_share=self.pick(0.1, 0.5))
        where = self.condition(1) if self.chance.random() < 0.4 else None
        return RowRule(table="t", where=where, must=self.condition(2), tolerance=tolerance)

    def condition(self, depth: int, *, other: bool = False) -> c.Condition:
        if depth < 1 or self.chance.random() < 0.55:
            return self.leaf(depth > 0 or self.chance.random() < 0.3, other=other)
        form = self.pick("all", "any", "not")
        if form == "not":
            return c.Not(condition=self.condition(depth - 1, other=other))
        parts = tuple(self.condition(depth - 1, other=other) for _ in range(self.chance.randint(2, 3)))
        return c.All(conditions=parts) if form == "all" else c.Any_(conditions=parts)

    def leaf(self, deep: bool, *, other: bool) -> c.Condition:
        forms = [
            self.present,
            self.one_of,
            self.text_form,
            lambda: self.compare(deep=False),
            lambda: self.compare(deep=False),
        ]
        if deep and not other:
            forms += [self.exists, self.unique, self.compare, self.compare, self.compare, self.zoned]
        return self.pick(*forms)()

    def column(self, *names: str) -> e.Column:
        return e.Column(name=self.pick(*names))

    def present(self) -> c.Condition:
        return c.Present(of=self.column(*_SORTS))

    def one_of(self) -> c.Condition:
        if self.pick(True, False):
            return c.OneOf(of=self.text(), values=self.pick(("a",), ("a", "ab"), ("12", "x")))
        return c.OneOf(of=self.column("i", "n"), values=self.pick((1,), (0, 1), (1, 2.5)))

    def text_form(self) -> c.Condition:
        of = self.text()
        match self.pick("matches", "has", "parses"):
            case "matches":
                return c.Matches(
                    of=of, pattern=self.pick(r"\d+", "a|b", "^[a-z]*$", "^a|b$", "(?i)a.?", r"\w+", r"[^\s]*")
                )
            case "has":
                where, text = self.pick("start", "end", "anywhere"), self.pick("a", "B", ".", "")
                return c.HasText(of=of, where=where, text=text, ignore_case=self.pick(True, False))
        return c.Parses(of=self.column("s", "r"), type=self.pick("integer", "number", "date", "boolean"))

    def compare(self, *, deep: bool = True) -> c.Condition:
        relation = self.pick(*_RELATIONS)
        match self.pick(
            "number", "number", "whole", "text", *(("moment", "time") if deep else ("number",)), "truth", "truth"
        ):
            case "number":
                left, right = self.pick((self.number(deep), self.plain_number()), (self.column("n"), self.number(deep)))
                within = self.pick(0.0, 0.1, 1.0) if relation in ("==", "!=") and self.chance.random() < 0.3 else None
                return c.Compare(relation=relation, left=left, right=right, within=within)
            case "whole":
                return c.Compare(
                    relation=relation, left=self.whole(deep), right=self.pick(self.column("i"), e.Value(value=1))
                )
            case "text":
                right = self.pick(self.column("r"), e.Value(value=self.pick("a", "ab", "")))
                return c.Compare(relation=relation, left=self.text(), right=right)
            case "moment":
                return c.Compare(relation=relation, left=self.column("d", "f"), right=self.moment())
            case "time":
                return self.timely(relation)
        right = self.pick(e.Value(value=True), e.Value(value=False), self.column("b", "c"))
        return c.Compare(relation=self.pick("==", "!="), left=self.truth(deep), right=right)

    def timely(self, relation: Any) -> c.Condition:
        clock, other = e.Span(amount=self.pick(0, 510, 1410), unit="minutes"), self.time()
        apart = e.Arithmetic(sign="-", left=other, right=self.time())
        minutes = e.Arithmetic(sign="/", left=apart, right=e.Span(amount=1, unit="minutes"))
        left, right = self.pick((self.time(), other), (self.time(), clock), (apart, clock), (minutes, e.Value(value=0)))
        return c.Compare(relation=relation, left=left, right=right)

    def time(self) -> e.Expression:
        read = e.ReadAs(of=self.column("s", "r"), type="time")
        match self.pick("read", "read", "part", "lookup", "group"):
            case "part":
                return e.DatePart(part="time", of=self.column("d", "f", "z"))
            case "lookup":
                return e.Lookup(join=self.join(), of=read)
            case "group":
                return e.Group(statistic=self.pick("min", "max"), of=read, by=self.by())
        return read

    def zoned(self) -> c.Condition:
        right = self.pick(
            e.Now(),
            e.Now(midnight=True),
            e.Moment(iso="2026-03-29"),
            e.Moment(iso="2026-03-29T00:30:00+00:00"),
            e.Arithmetic(sign="-", left=e.Now(midnight=True), right=e.Span(amount=1, unit="days")),
            e.Arithmetic(sign="-", left=e.Now(), right=e.Span(amount=1, unit="months")),
        )
        return c.Compare(relation=self.pick(*_RELATIONS), left=e.Column(name="z"), right=right)

    def exists(self) -> c.Condition:
        names = self.pick(("k",), ("s",), ("i", "r"), ("b", "k"))
        where = self.condition(0, other=True) if self.chance.random() < 0.4 else None
        found = c.Exists(of=tuple(e.Column(name=name) for name in names), table="o", keys=names, where=where)
        if len(names) == 1 and self.pick(True, False):
            return c.All(conditions=(c.Present(of=found.of[0]), found))
        return found

    def unique(self) -> c.Condition:
        return c.Unique(by=self.pick(self.by(), (self.text(),)), missing_equal=self.chance.random() < 0.3)

    def by(self) -> tuple[e.Expression, ...]:
        day = e.DatePart(part="date", of=e.Column(name="d"))
        return self.pick(
            (e.Column(name="s"),),
            (e.Column(name="i"), e.Column(name="b")),
            (e.Column(name="k"),),
            (e.Column(name="r"), day),
            (day,),
        )

    def join(self) -> e.Join:
        names = self.pick(("k",), ("s",), ("i", "s"), ("i",))
        return e.Join(columns=names, table="o", keys=names)

    def some_where(self, *, other: bool = False) -> c.Condition | None:
        return self.condition(0, other=other) if self.chance.random() < 0.4 else None

    def plain_number(self) -> e.Expression:
        return self.pick(self.column("n", "m"), e.Value(value=self.pick(0, 0.1, 0.3, 1, 2.5)))

    def number(self, deep: bool) -> e.Expression:
        forms = ["column", "arithmetic", "absolute", "read", "lookup", "rollup", "group", "whole table", "quantile"]
        match self.pick(*forms) if deep else "column":
            case "arithmetic":
                sign, left = self.pick("+", "-", "*", "/"), self.plain_number()
                return e.Arithmetic(
                    sign=sign, left=left, right=self.pick(self.column("n", "m", "i"), e.Value(value=0.1))
                )
            case "absolute":
                return e.Absolute(of=self.column("n", "m"))
            case "read":
                return e.ReadAs(of=self.text(), type="number")
            case "lookup":
                return e.Lookup(join=self.join(), of=self.column("n"))
            case "rollup":
                statistic, of = self.statistic()
                return e.Rollup(statistic=statistic, join=self.join(), of=of, where=self.some_where(other=True))
            case "group":
                statistic, of = self.statistic()
                return e.Group(statistic=statistic, of=of, by=self.by(), where=self.some_where())
            case "whole table":
                return e.Group(statistic=self.pick(*_STATISTICS), of=self.column("n", "i"))
            case "quantile":
                return e.Group(statistic="quantile", of=self.column("m"), by=self.by(), quantile=self.pick(0.25, 0.9))
        return self.column("n", "m")

    def statistic(self) -> tuple[Any, e.Expression]:
        """A statistic and what it is taken of; of truth values SQL knows the counts and the sum."""
        statistic = self.pick(*_STATISTICS)
        truths = ("b", "c") if statistic in ("count", "sum", "distinct") else ()
        return statistic, self.column("n", "i", *truths)

    def whole(self, deep: bool) -> e.Expression:
        forms = ["length", "part", "arithmetic", "how many", "rollup", "group", "previous", "lookup"]
        match self.pick(*forms) if deep else "column":
            case "length":
                return e.TextLength(of=self.text())
            case "part":
                part = self.pick("year", "month", "day", "weekday", "hour", "minute", "week", "quarter")
                return e.DatePart(part=part, of=self.column("d", "z"))
            case "arithmetic":
                return e.Arithmetic(sign=self.pick("+", "-", "*"), left=self.column("i"), right=self.column("i"))
            case "how many":
                return e.HowMany(conditions=tuple(self.condition(0) for _ in range(self.chance.randint(1, 3))))
            case "rollup":
                return e.Rollup(statistic="count", join=self.join(), where=self.some_where(other=True))
            case "group":
                return e.Group(statistic="count", by=self.by(), where=self.some_where())
            case "previous":
                order = self.pick(None, self.column("d", "i", "n"))
                return e.Previous(of=self.column("i", "k"), order=order, by=self.pick((), self.by()))
            case "lookup":
                return e.Lookup(join=self.join(), of=self.column("i", "k"))
        return self.column("i")

    def truth(self, deep: bool) -> e.Expression:
        of = self.column("b", "c")
        match self.pick("column", "lookup", "previous") if deep else "column":
            case "lookup":
                return e.Lookup(join=self.join(), of=of)
            case "previous":
                order = self.pick(None, self.column("d", "i", "n"))
                return e.Previous(of=of, order=order, by=self.pick((), self.by()))
        return of

    def text(self) -> e.Expression:
        of = self.column("s", "r")
        return self.pick(of, of, e.Folded(of=of, fold=self.pick("case", "space")))

    def moment(self) -> e.Expression:
        of = self.column("d", "f")
        forms = ["column", "named", "now", "arithmetic", "date", "read", "lookup", "previous", "rollup"]
        match self.pick(*forms):
            case "named":
                return e.Moment(iso=self.pick(*_MOMENTS).replace(" ", "T"))
            case "now":
                return e.Now(midnight=self.pick(True, False))
            case "arithmetic":
                span = e.Span(amount=self.pick(1, 2), unit=self.pick("hours", "days", "weeks", "months", "years"))
                return e.Arithmetic(sign=self.pick("+", "-"), left=self.pick(of, e.Now()), right=span)
            case "date":
                return e.DatePart(part="date", of=of)
            case "read":
                return e.ReadAs(of=self.column("s", "r"), type="date")
            case "lookup":
                return e.Lookup(join=self.join(), of=of)
            case "previous":
                return e.Previous(of=of, order=self.pick(None, self.column("n")), by=self.pick((), self.by()))
            case "rollup":
                return e.Rollup(statistic=self.pick("min", "max"), join=self.join(), of=of)
        return of

"""Where engines could read a rule otherwise: one small table and one rule for each suspicion."""

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from pandas_magic.constraints import (
    Aggregate,
    All,
    Arithmetic,
    Column,
    Compare,
    Condition,
    Constraint,
    DatePart,
    Exists,
    Expression,
    Folded,
    Group,
    HasText,
    Join,
    Lookup,
    Matches,
    Moment,
    Not,
    Now,
    OneOf,
    Parses,
    Present,
    Previous,
    ReadAs,
    Rollup,
    RowRule,
    Share,
    Span,
    TableRule,
    TextLength,
    Tolerance,
    Unique,
    Value,
)

NOW, UTC_NOW = pd.Timestamp("2026-03-29 12:00"), pd.Timestamp("2026-03-29 10:00", tz="UTC")
Frames = dict[str, pd.DataFrame]


def column(name: str) -> Column:
    return Column(name=name)


def compare(left: Expression, relation: Any, right: Any) -> Compare:
    return Compare(relation=relation, left=left, right=right if hasattr(right, "node") else Value(value=right))


def rows(must: Condition, where: Condition | None = None) -> RowRule:
    return RowRule(table="t", must=must, where=where)


def whole(must: Condition) -> TableRule:
    return TableRule(table="t", must=must)


def matches(pattern: str) -> RowRule:
    return rows(Matches(of=S, pattern=pattern))


def of_table(statistic: Any, **said: Any) -> Aggregate:
    return Aggregate(statistic=statistic, table="t", of=N, **said)


def computed(left: Expression, sign: Any, right: Any) -> Arithmetic:
    return Arithmetic(sign=sign, left=left, right=right if hasattr(right, "node") else Value(value=right))


def texts(*values: str | None) -> Frames:
    return {"t": pd.DataFrame({"s": pd.Series(list(values), dtype="str")})}


def numbers(*values: float) -> Frames:
    return {"t": pd.DataFrame({"n": list(values)})}


def moments(zone: str | None = None, **columns: list[str | None]) -> Frames:
    found = {name: pd.Series(pd.to_datetime(values, format="ISO8601")) for name, values in columns.items()}
    if zone:
        found = {name: values.dt.tz_localize("UTC").dt.tz_convert(zone) for name, values in found.items()}
    return {"t": pd.DataFrame(found)}


S, N, D, F, Z = (column(name) for name in "sndfz")
SINCE_F, MIDNIGHT = computed(D, "-", F), "2026-01-02 00:00:00"
LATER = ["2026-01-02 01:30:00", MIDNIGHT, "2026-01-01 23:00:00", "2026-01-02 01:00:00", MIDNIGHT, None]
JOIN = Join(columns=("k",), table="o", keys=("k",))
SPACED = texts("a b", "a\u00a0b", "a\x0bb", "a\x1cb", "a\x85b", "a\u3000b", "a\nb", "ab", "")
CASED = texts("İ", "i", "ΑΣ", "ας", "ß", "ẞ", "SS", "ǅ", "\u212a", "É", "é", "e\u0301", "ﬀ")
MONTH, DAY = Span(amount=1, unit="months"), Span(amount=1, unit="days")
IN_BERLIN = moments(
    "Europe/Berlin",
    z=["2026-03-28 22:30", "2026-03-28 23:00", "2026-02-28 23:30", "2026-01-31 10:00", None, "2025-10-26 00:30"],
)
FINE = moments(
    d=["2026-03-29 00:00:00.000000001", "2026-03-29 00:00:00", "2026-03-28 23:59:59.999999999"], f=["2026-03-29"] * 3
)
EXACT = pd.ArrowDtype(pa.decimal128(10, 2))
DATES = texts(
    *("2026-02-30", "2026-02-28", "2026-02-28T24:00", "2026-02-28 10:00", "2026-02-28T10:00Z", "2024-02-29", "x", None),
    *("2026-02-28T10:00:00.5+0200", "2026-02-28T10:00:60", "0000-01-01", "9999-12-31", "1900-02-29", "2000-02-29"),
    *("0001-01-01", "2026-13-01", "2026-04-31", "2026-02-28T10:60", "2026-02-28T10:00+24:00", "2026-02-28T10:00-23:59"),
)

TEXT_PROBES: dict[str, tuple[Constraint, Frames]] = {
    r"\s within brackets": (matches(r"[^\s]+"), SPACED),
    r"\s alone": (matches(r"a\sb"), SPACED),
    r"\S": (matches(r"a\Sb|ab"), SPACED),
    "a dot and ends of lines": (matches("a.b"), texts("a\rb", "a\x85b", "a\u2028b", "a\nb", "a b")),
    "brackets that exclude, and the end of a line": (matches("a[^x]b"), SPACED),
    "$ before a last end of line": (matches("^ab$"), texts("ab", "ab\n", "xab")),
    "case in a pattern": (matches("(?i)[a-zäé]+"), texts("ABC", "ÄÉ", "ſ", "\u212a", "İ")),
    "case in a pattern, ASCII": (matches("(?i)[a-z]+"), texts("ABC", "abc", "1", "", None)),
    "case beyond ASCII in a text": (matches("(?i)[a-z]+"), texts("ABC", "ſ", "\u212a")),
    "alternatives": (matches("a|ab"), texts("a", "ab", "abc")),
    "{,n}": (matches("a{,2}"), texts("a", "aaa", "a{,2}")),
    "{n,m}": (matches("a{1,2}"), texts("a", "aa", "aaa", "")),
    "digits of other scripts": (matches(r"\d+"), texts("12", "١٢", "१")),
    "words of other scripts": (matches(r"\w+"), texts("ab_1", "äb", "a-b")),
    "a lower-cased key": (rows(Unique(by=(Folded(of=S, fold="case"),))), CASED),
    "a lower-cased key of plain letters": (
        rows(Unique(by=(Folded(of=S, fold="case"),))),
        texts("É", "é", "Ж", "ж", "a"),
    ),
    "a part, whatever its case": (rows(HasText(of=S, where="anywhere", text="i", ignore_case=True)), CASED),
    "outer spaces": (
        rows(compare(Folded(of=S, fold="space"), "==", "a")),
        texts(" a", "a\u00a0", "\ta\x0b", "a\x1c", "\u3000a", "a\u200b"),
    ),
    "a NUL": (rows(compare(S, "==", "a")), texts("a", "a\x00", "\x00a")),
    "length of emoji and marks": (
        rows(compare(TextLength(of=S), "==", 1)),
        texts("é", "e\u0301", "🇩🇪", "👍", "a", "", "a\x00b"),
    ),
    "order of texts": (rows(compare(S, "<", "a")), texts("B", "b", "_", "Z", "ä", "a", "", "𝒳", "\uffff")),
    "the least text": (rows(compare(Group(statistic="min", of=S, by=()), "==", "B")), texts("a", "B", "ä", "z", "_")),
    "a space at the end": (rows(compare(S, "==", "a")), texts("a", "a ", "A")),
    "a key and a space at the end": (rows(Unique(by=(S,))), texts("a", "a ", "A", "a\u0301", "á")),
    "a listed text of another case": (rows(OneOf(of=S, values=("a", "é"))), texts("a", "A", "e\u0301", "é", None)),
    "an empty text is there": (rows(Present(of=S)), texts("", None, "a")),
    "the start and a percent sign": (rows(HasText(of=S, where="start", text="a%")), texts("a%b", "ab", "a_", None)),
    "the end and a backslash": (rows(HasText(of=S, where="end", text="\\")), texts("a\\", "a", "\\", "", "'")),
    "a quote and a backslash": (rows(OneOf(of=S, values=("it's", "a\\'b"))), texts("it's", "a\\'b", "a'b", None)),
    "readable dates": (rows(Parses(of=S, type="date")), DATES),
    "texts read as dates": (rows(compare(ReadAs(of=S, type="date"), "<", Moment(iso="2026-02-28T10:00"))), DATES),
    "texts read as times": (
        rows(compare(ReadAs(of=S, type="time"), "<", Span(amount=510, unit="minutes"))),
        texts("8:29", "08:30", "08:29:59.999999", "8:5", "24:00", "07:60", " 08:00", "07:00 ", "٠٧:٠٠", "x", "", None),
    ),
    "how far apart times are": (
        rows(
            compare(
                computed(ReadAs(of=S, type="time"), "-", ReadAs(of=Folded(of=S, fold="space"), type="time")),
                ">=",
                Span(amount=0, unit="minutes"),
            )
        ),
        texts("08:30", " 08:30", "23:59:59.000001", None),
    ),
    "readable numbers": (
        rows(Parses(of=S, type="number")),
        texts("1.", ".5", "1e5", "NaN", "inf", " 1", "1\n", "+1", "١", "", None),
    ),
    "texts read as numbers": (
        rows(compare(ReadAs(of=S, type="number"), "<=", 2)),
        texts("1.", ".5", "1e5", "NaN", " 1", "+3", "-7", "2.0000000000000001", "9007199254740993", None),
    ),
    "a text read as more than a number can be": (
        rows(compare(ReadAs(of=S, type="number"), "<=", 2)),
        texts("1e999", "-1e999"),
    ),
    "readable truths": (rows(Parses(of=S, type="boolean")), texts("TRUE", "yes", "0", "10", "", "ſ", None)),
    "whatever is a text": (rows(Parses(of=S, type="text")), texts("", None, "a\nb")),
}

NUMBER_PROBES: dict[str, tuple[Constraint, Frames]] = {
    "multiples of a fraction": (
        rows(Parses(of=computed(N, "/", 0.05), type="integer")),
        numbers(0.15, 16.15, 4.35, 0.07, 1e8 + 0.05, 1e8 + 0.06, np.inf, -np.inf, np.nan, -0.15),
    ),
    "multiples of a whole number": (
        rows(Parses(of=computed(N, "/", 10), type="integer")),
        {"t": pd.DataFrame({"n": [10**17, 10**17 + 1, -20, -25]})},
    ),
    "a list of computed numbers": (rows(OneOf(of=computed(N, "/", 3), values=(0.1, 0.2))), numbers(0.3, 0.6, 0.31)),
    "NaN in a column": (rows(compare(N, "<", 1)), numbers(0.0, np.nan, 2.0, np.inf, -np.inf)),
    "minus zero as a key": (rows(Unique(by=(N,))), numbers(0.0, -0.0, 1.0)),
    "infinite sums": (whole(compare(of_table("sum"), "<", 5)), numbers(np.inf, -np.inf)),
    "an infinite sum": (whole(compare(of_table("sum"), "<", 5)), numbers(np.inf, 1.0)),
    "sums that lose digits": (whole(compare(of_table("sum"), "==", 0)), numbers(1e12, 0.1, -1e12 - 0.1)),
    "sums that cancel but for a cent": (
        whole(compare(of_table("sum"), "==", 0)),
        numbers(1e8, 0.1, -1e8 - 0.11),
    ),
    "a mean with infinity": (whole(compare(of_table("mean"), "<", 5)), numbers(np.inf, 1.0)),
    "a deviation with infinity": (whole(compare(of_table("std"), "<", 5)), numbers(np.inf, 1.0)),
    "the deviation of one": (whole(compare(of_table("std"), "<", 5)), numbers(1.0)),
    "the sum of nothing": (whole(compare(of_table("sum"), ">", 5)), numbers(np.nan)),
    "the mean of nothing": (whole(compare(of_table("mean"), ">", 5)), numbers(np.nan)),
    "the median of an even count": (whole(compare(of_table("median"), "==", 2)), numbers(1, 2, 3, 4)),
    "the median between infinities": (whole(compare(of_table("median"), ">", 2)), numbers(-np.inf, np.inf)),
    "the median of one infinity": (whole(compare(of_table("median"), ">", 2)), numbers(np.inf, np.inf)),
    "a quantile": (whole(compare(of_table("quantile", quantile=0.95), "<=", 9.55)), numbers(*range(1, 11))),
    "large sums of whole numbers": (whole(compare(of_table("sum"), ">", 2**62)), numbers(2**62, 2**62, 2**62)),
    "a product beyond 64 bits": (rows(compare(computed(N, "*", N), ">", 0)), numbers(2**40, 3)),
    "a whole number beyond 2**53 and a fraction": (rows(compare(N, "==", float(2**53))), numbers(2**53, 2**53 + 1)),
    "whole numbers beyond 2**53 beside fractions": (
        rows(compare(N, "==", column("m"))),
        {"t": pd.DataFrame({"n": [2**53 + 1, 5], "m": [2.0**53, 5.0]})},
    ),
    "whole numbers divided": (rows(compare(computed(N, "/", 2), "==", 1.5)), numbers(3, 4)),
    "divided by zero": (
        rows(compare(computed(N, "/", column("m")), ">", 1)),
        {"t": pd.DataFrame({"n": [1, -1, 0], "m": [0, 0, 0]})},
    ),
    "divided by minus zero": (
        rows(compare(computed(N, "/", column("m")), ">", 1)),
        {"t": pd.DataFrame({"n": [1.0, -1.0, 0.0, 3.0], "m": [-0.0, -0.0, -0.0, 2.0]})},
    ),
    "a length of time divided by another, by none and by a missing one": (
        rows(compare(computed(SINCE_F, "/", computed(Z, "-", F)), ">", 1.5)),
        moments(f=[MIDNIGHT] * 6, d=LATER, z=LATER[::-1]),
    ),
    "a length of time in hours": (
        rows(compare(computed(SINCE_F, "/", Span(amount=1, unit="hours")), "<=", 1.5)),
        moments(f=[MIDNIGHT] * 6, d=LATER),
    ),
    "0.1 + 0.2": (rows(compare(computed(N, "+", 0.2), "==", 0.3)), numbers(0.1, 0.1000001)),
    "beyond what a double holds": (rows(compare(computed(N, "*", N), ">", 1)), numbers(1e200, 0.5)),
    "32-bit fractions": (rows(compare(N, "==", 0.1)), {"t": pd.DataFrame({"n": np.array([0.1, 0.2], "float32")})}),
    "decimals": (
        rows(compare(N, "==", 0.1)),
        {"t": pd.DataFrame({"n": pd.Series([Decimal("0.10"), Decimal("0.20"), None], dtype=EXACT)})},
    ),
    "sums of decimals": (
        whole(compare(of_table("sum"), "==", 0.3)),
        {"t": pd.DataFrame({"n": pd.Series([Decimal("0.10"), Decimal("0.20")], dtype=EXACT)})},
    ),
    "gaps as fractions beside whole numbers": (
        rows(compare(N, "==", column("m"))),
        {"t": pd.DataFrame({"n": [1.0, np.nan, 3.0], "m": [1, 2, 4]})},
    ),
    "whole numbers among fractions": (
        rows(Parses(of=N, type="integer")),
        numbers(1.0, 1.5, np.inf, np.nan, -0.0, 1e300),
    ),
    "a share": (
        whole(compare(Share(table="t", condition=compare(N, ">", 1)), ">=", 0.5)),
        numbers(1.0, 2.0, np.nan),
    ),
    "within a tolerance": (
        RowRule(table="t", must=compare(N, "<", 2), tolerance=Tolerance(max_share=0.5)),
        numbers(1.0, 3.0, np.nan),
    ),
    "beyond a tolerance": (
        RowRule(table="t", must=compare(N, "<", 2), tolerance=Tolerance(max_rows=0)),
        numbers(1.0, 3.0, np.nan),
    ),
    "negated, and missing": (
        rows(Not(condition=compare(N, "<", 2)), where=compare(N, "<", 9)),
        numbers(1, 3, np.nan, 9),
    ),
}

MOMENT_PROBES: dict[str, tuple[Constraint, Frames]] = {
    "nanoseconds": (rows(compare(D, ">=", F)), FINE),
    "nanoseconds apart": (rows(compare(computed(D, "-", F), "<=", Span(amount=0, unit="seconds"))), FINE),
    "the day in a zone": (rows(compare(DatePart(part="date", of=Z), "==", Moment(iso="2026-03-29"))), IN_BERLIN),
    "the time of day in a zone": (
        rows(compare(DatePart(part="time", of=Z), "<", Span(amount=180, unit="minutes"))),
        IN_BERLIN,
    ),
    "the hour in a zone": (rows(compare(DatePart(part="hour", of=Z), "<", 1)), IN_BERLIN),
    "a month before, over a change of clocks": (
        rows(compare(Z, ">=", computed(Now(midnight=True), "-", MONTH))),
        IN_BERLIN,
    ),
    "a month later": (rows(compare(computed(Z, "+", MONTH), "<=", Moment(iso="2026-02-28"))), IN_BERLIN),
    "a day later, over a change of clocks": (
        rows(compare(computed(Z, "+", DAY), "<", Moment(iso="2026-03-29T23:45"))),
        IN_BERLIN,
    ),
    **{
        f"the {part} in {zone}": (
            rows(compare(DatePart(part=part, of=Z), "==", wanted)),
            moments(zone, z=["2026-03-28 18:00", "2026-03-28 22:00", "2026-03-28 21:40", "2026-03-29 03:00", None]),
        )
        for zone in ("UTC+05:30", "UTC-05:30", "Etc/GMT-5")
        for part, wanted in (
            ("hour", 3),
            ("date", Moment(iso="2026-03-29")),
            ("time", Span(amount=210, unit="minutes")),
        )
    },
    "a month later in a zone of one offset": (
        rows(compare(computed(Z, "+", MONTH), "<", Moment(iso="2026-04-28"))),
        moments("UTC+05:30", z=["2026-03-27 18:00", "2026-03-27 19:00", "2026-03-28 05:00"]),
    ),
    "per day in a zone": (
        rows(compare(Group(statistic="count", by=(DatePart(part="date", of=Z),)), "<=", 1)),
        IN_BERLIN,
    ),
    "week and weekday": (
        rows(
            All(
                conditions=(
                    compare(DatePart(part="week", of=D), "<", 53),
                    compare(DatePart(part="weekday", of=D), "!=", 7),
                )
            )
        ),
        moments(d=["2020-12-31", "2021-01-03", "2021-01-04", None]),
    ),
    "a listed date": (
        rows(OneOf(of=D, values=("2026-03-29",))),
        moments(d=["2026-03-29", "2026-03-29 00:00:01", None]),
    ),
    "ends of months": (
        rows(compare(computed(D, "+", MONTH), "==", Moment(iso="2026-02-28"))),
        moments(d=["2026-01-31", "2026-01-28", "2026-01-27"]),
    ),
    "fractions of a day": (
        rows(compare(computed(D, "-", F), "<=", Span(amount=1.5, unit="days"))),
        moments(d=["2026-03-29 12:00", "2026-03-29 12:00:01"], f=["2026-03-28"] * 2),
    ),
    "years far off": (rows(compare(D, "<", Now())), moments(d=["0001-01-01", "9999-12-31", None])),
}

OTHER_ROW_PROBES: dict[str, tuple[Constraint, Frames]] = {
    "the first of several parents": (
        rows(compare(Lookup(join=JOIN, of=column("v")), "==", 1)),
        {"t": pd.DataFrame({"k": [1, 2, 3]}), "o": pd.DataFrame({"k": [1, 1, 2, 2], "v": [1, 2, 2, 1]})},
    ),
    "a gap in the first parent": (
        rows(compare(Lookup(join=JOIN, of=column("v")), "==", 1)),
        {"t": pd.DataFrame({"k": [1, 2]}), "o": pd.DataFrame({"k": [1, 1, 2], "v": [None, 2.0, 2.0]})},
    ),
    "keys with fractions and whole ones": (
        rows(Exists(of=(column("k"),), table="o", keys=("k",))),
        {"t": pd.DataFrame({"k": [1.0, np.nan, 2.5]}), "o": pd.DataFrame({"k": [1, 2]})},
    ),
    "a key beyond 2**53 beside fractions": (
        rows(Exists(of=(column("k"),), table="o", keys=("k",))),
        {"t": pd.DataFrame({"k": [2**53 + 1]}), "o": pd.DataFrame({"k": [2.0**53]})},
    ),
    "a key of texts beside one of numbers": (
        rows(Exists(of=(column("k"),), table="o", keys=("k",))),
        {"t": pd.DataFrame({"k": ["1", "x"]}, dtype="str"), "o": pd.DataFrame({"k": [1, 2]})},
    ),
    "a count within a look-up": (
        rows(
            compare(
                Lookup(join=JOIN, of=Rollup(statistic="count", join=Join(columns=("k",), table="t", keys=("k",)))),
                "<=",
                1,
            )
        ),
        {"t": pd.DataFrame({"k": [1, 1, 2]}), "o": pd.DataFrame({"k": [1, 2]})},
    ),
    "a group of groups": (
        rows(compare(Group(statistic="max", of=Group(statistic="count", by=(N,)), by=()), "<=", 1)),
        numbers(1, 1, 2),
    ),
    "the row before: ties and gaps": (
        rows(compare(column("v"), ">", Previous(of=column("v"), order=N))),
        {"t": pd.DataFrame({"n": [2.0, 1.0, 1.0, np.nan, 3.0], "v": [1, 5, 4, 0, 9]})},
    ),
    "wide equal rows with gaps": (
        rows(Unique(by=tuple(column(name) for name in "abcd"), missing_equal=True)),
        {
            "t": pd.DataFrame(
                {
                    "a": [1.0, 1.0, np.nan, np.nan],
                    "b": ["x", "x", None, None],
                    "c": [1, 1, 2, 2],
                    "d": pd.to_datetime(["2026-01-01", "2026-01-01", None, None]),
                }
            )
        },
    ),
    "names that differ in case": (
        rows(compare(column("A"), "<", column("a"))),
        {"t": pd.DataFrame({"A": [1, 5], "a": [2, 3]})},
    ),
    "names with quotes": (rows(Present(of=column('a "b" {0}'))), {"t": pd.DataFrame({'a "b" {0}': [1.0, np.nan]})}),
    "empty tables": (
        rows(Unique(by=(column("k"),)), where=Exists(of=(column("k"),), table="o", keys=("k",))),
        {
            "t": pd.DataFrame({"k": pd.Series([], dtype="int64")}),
            "o": pd.DataFrame({"k": pd.Series([], dtype="int64")}),
        },
    ),
}

PROBES = {**TEXT_PROBES, **NUMBER_PROBES, **MOMENT_PROBES, **OTHER_ROW_PROBES}

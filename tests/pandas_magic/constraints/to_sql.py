"""Rules as SQL for DuckDB: a third, independent account of which rows break a rule. Tables carry a column `pos`."""

import datetime
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import duckdb
import pandas as pd
import pyarrow as pa

from pandas_magic.constraints.algebra import conditions as c
from pandas_magic.constraints.algebra import expressions as e
from pandas_magic.constraints.algebra.rules import RowRule, TableRule

ROUNDED = ("sum", "mean", "median", "std", "quantile")


@dataclass(frozen=True)
class Sql:
    """Renders one rule. `zones` are the time zones of zoned columns, `now` the time of the run."""

    zones: dict[str, str]
    now: datetime.datetime
    utc_now: datetime.datetime
    scope: str = "TRUE"
    depth: int = 0

    @property
    def row(self) -> str:
        return f"t{self.depth}"

    def inner(self, scope: str = "TRUE") -> "Sql":
        return Sql(self.zones, self.now, self.utc_now, scope, self.depth + 1)

    def condition(self, node: c.Condition, table: str) -> str:  # noqa: C901 - one case for each node
        match node:
            case c.All(conditions=parts):
                return "(" + " AND ".join(self.condition(part, table) for part in parts) + ")"
            case c.Any_(conditions=parts):
                return "(" + " OR ".join(self.condition(part, table) for part in parts) + ")"
            case c.Not(condition=part):
                return f"(NOT {self.condition(part, table)})"
            case c.Present(of=of):
                return f"({self.value(of, table)} IS NOT NULL)"
            case c.Compare():
                return self.compare(node, table)
            case c.Unique():
                return self.unique(node, table)
            case c.Exists():
                return self.exists(node, table)
        x = self.value(node.of, table)
        match node:
            case c.OneOf(values=values):
                return f"({x} IN ({', '.join(map(literal, values))}))"
            case c.Matches(pattern=pattern):
                return f"regexp_full_match({x}, {literal(pattern)})"
            case c.HasText(where=where, text=text, ignore_case=ignore_case):
                x, text = (f"lower({x})", text.lower()) if ignore_case else (x, text)
                function = {"start": "starts_with", "end": "ends_with", "anywhere": "contains"}[where]
                return f"{function}({x}, {literal(text)})"
            case c.Parses(type="integer"):
                return f"regexp_full_match({x}, '[+-]?[0-9]+')"
            case c.Parses(type="number"):
                return f"regexp_full_match({x}, '[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?')"
            case c.Parses(type="boolean"):
                return f"(lower({x}) IN ('true', 'false', 'yes', 'no', '0', '1'))"
            case c.Parses(type="date"):
                form = "[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2})?)?"
                long = f"CASE WHEN length({x}) = 16 THEN {x} || ':00' ELSE {x} END"
                exists = f"({x} IS NULL OR TRY_CAST({long} AS TIMESTAMP) IS NOT NULL)"
                return f"(regexp_full_match({x}, '{form}') AND {exists})"
        raise TypeError(node)

    def compare(self, node: c.Compare, table: str) -> str:
        left, right = self.value(node.left, table, node.right), self.value(node.right, table, node.left)
        relation = {"==": "=", "!=": "<>"}.get(node.relation, node.relation)
        if node.within is None and not rounded(node):
            return f"({left} {relation} {right})"
        slack = f"{(node.within or 0)!r} + 1e-9 + 1e-12 * abs({right})"
        finite = f"isfinite(({left})::DOUBLE) AND isfinite(({right})::DOUBLE)"
        near = f"(({left}) = ({right}) OR ({finite} AND abs(({left}) - ({right})) <= {slack}))"
        known = f"({left}) IS NULL OR ({right}) IS NULL"
        outcome = {"=": near, "<>": f"NOT {near}"}.get(relation)
        if outcome is None:
            outcome = (
                f"({near} OR ({left}) {relation} ({right}))"
                if "=" in relation
                else f"(NOT {near} AND ({left}) {relation} ({right}))"
            )
        return f"(CASE WHEN {known} THEN NULL ELSE {outcome} END)"

    def unique(self, node: c.Unique, table: str) -> str:
        there = self.inner()
        pairs = [(self.value(part, table), there.value(part, table)) for part in node.by]
        same = " AND ".join(f"{mine} IS NOT DISTINCT FROM {theirs}" for mine, theirs in pairs)
        scope = self.scope.replace("@", there.row)
        count = f'(SELECT count(*) FROM "{table}" {there.row} WHERE {scope} AND {same}) = 1'
        missing = " OR ".join(f"{mine} IS NULL" for mine, _ in pairs)
        return f"({count})" if node.missing_equal else f"(CASE WHEN {missing} THEN NULL ELSE {count} END)"

    def exists(self, node: c.Exists, table: str) -> str:
        there = self.inner()
        mine = [self.value(part, table) for part in node.of]
        same = " AND ".join(f'{there.row}."{key}" = {one}' for key, one in zip(node.keys, mine, strict=True))
        where = f" AND {there.condition(node.where, node.table)}" if node.where is not None else ""
        found = f'EXISTS (SELECT 1 FROM "{node.table}" {there.row} WHERE {same}{where})'
        return f"(CASE WHEN {' OR '.join(f'{one} IS NULL' for one in mine)} THEN NULL ELSE {found} END)"

    def value(  # noqa: C901 - one case for each node
        self, node: e.Expression, table: str, beside: e.Expression | None = None
    ) -> str:
        match node:
            case e.Column(name=name):
                return f'{self.row}."{name}"'
            case e.Value(value=value):
                return literal(value)
            case e.Moment(iso=iso):
                return self.moment(datetime.datetime.fromisoformat(iso), beside)
            case e.Now(midnight=midnight):
                return self.run_time(midnight, beside)
            case e.Span(amount=amount, unit=unit):
                return f"to_{unit}({amount:g})"
            case e.Arithmetic(sign=sign, left=left, right=right):
                a, b = self.value(left, table, beside), self.value(right, table, beside)
                if sign == "/":
                    # DuckDB makes a division by zero missing; we make it infinite, as IEEE arithmetic and pandas do.
                    zero = f"CASE WHEN {a} = 0 THEN NULL WHEN {a} > 0 THEN 'inf'::DOUBLE ELSE '-inf'::DOUBLE END"
                    return f"(CASE WHEN {b} = 0 THEN {zero} ELSE {a} / {b} END)"
                return f"({a} {sign} {b})"
            case e.Absolute(of=of):
                return f"abs({self.value(of, table)})"
            case e.TextLength(of=of):
                return f"length({self.value(of, table)})"
            case e.Folded(of=of, fold=fold):
                x = self.value(of, table)
                # Without the characters, DuckDB trims spaces only; outer white space is meant.
                return f"lower({x})" if fold == "case" else f"trim({x}, ' ' || chr(9) || chr(10) || chr(13))"
            case e.ReadAs(of=of, type="number"):
                x = self.value(of, table)
                number = "[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?"
                return f"(CASE WHEN regexp_full_match({x}, '{number}') THEN TRY_CAST({x} AS DOUBLE) END)"
            case e.ReadAs(of=of):
                x = self.value(of, table)
                date = "[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?"
                long = f"CASE WHEN length({x}) = 16 THEN {x} || ':00' ELSE {x} END"
                return f"(CASE WHEN regexp_full_match({x}, '{date}') THEN TRY_CAST({long} AS TIMESTAMP) END)"
            case e.DatePart(part=part, of=of):
                x = self.value(of, table)
                part = {"weekday": "isodow"}.get(part, part)
                return f"date_trunc('day', {x})" if part == "date" else f"date_part('{part}', {x})"
            case e.HowMany(conditions=parts):
                return "(" + " + ".join(f"({self.condition(part, table)} IS TRUE)::INT" for part in parts) + ")"
            case e.Lookup():
                return self.lookup(node)
            case e.Rollup(join=join, where=where):
                return self.statistic(node, join.table, self.matched(join), where, self.inner())
            case e.Aggregate(table=other, where=where):
                return self.statistic(node, other, "TRUE", where, self.inner())
            case e.Group():
                return self.group(node, table)
            case e.Previous():
                return self.previous(node, table)
            case e.Share(table=other, condition=condition, where=where):
                there = self.inner()
                rows = there.condition(where, other) if where is not None else "TRUE"
                true = f"avg(({there.condition(condition, other)} IS TRUE)::INT)"
                return f'(SELECT {true} FROM "{other}" {there.row} WHERE {rows})'
        raise TypeError(node)

    def moment(self, moment: datetime.datetime, beside: e.Expression | None) -> str:
        zone = self.zones.get(getattr(beside, "name", ""))
        if zone is None and moment.tzinfo is None:
            return f"TIMESTAMP '{moment.isoformat(sep=' ')}'"
        aware = moment.replace(tzinfo=ZoneInfo(zone)) if moment.tzinfo is None and zone else moment
        return f"TIMESTAMPTZ '{aware.astimezone(datetime.UTC).isoformat(sep=' ')}'"

    def run_time(self, midnight: bool, beside: e.Expression | None) -> str:
        zone = self.zones.get(getattr(beside, "name", ""))
        run = self.now if zone is None else self.utc_now.astimezone(ZoneInfo(zone))
        if midnight:
            run = run.replace(hour=0, minute=0, second=0, microsecond=0)
        return self.moment(run, None)

    def matched(self, join: e.Join) -> str:
        there = self.inner().row
        pairs = zip(join.columns, join.keys, strict=True)
        return " AND ".join(f'{self.row}."{mine}" = {there}."{key}"' for mine, key in pairs)

    def lookup(self, node: e.Lookup) -> str:
        there = self.inner()
        found = f"list({there.value(node.of, node.join.table)} ORDER BY {there.row}.pos)[1]"
        return f'(SELECT {found} FROM "{node.join.table}" {there.row} WHERE {self.matched(node.join)})'

    def statistic(
        self, node: e.Rollup | e.Group | e.Aggregate, table: str, same: str, where: c.Condition | None, there: "Sql"
    ) -> str:
        chosen = f" AND {there.condition(where, table)}" if where is not None else ""
        x = there.value(node.of, table) if node.of is not None else "*"
        functions = {
            "count": f"count({x})",
            "sum": f"coalesce(sum({x}), 0)",
            "mean": f"avg({x})",
            "median": f"median({x})",
            "min": f"min({x})",
            "max": f"max({x})",
            "std": f"stddev_samp({x})",
            "quantile": f"quantile_cont({x}, {node.quantile})",
            "distinct": f"count(DISTINCT {x})",
        }
        return f'(SELECT {functions[node.statistic]} FROM "{table}" {there.row} WHERE {same}{chosen})'

    def group(self, node: e.Group, table: str) -> str:
        there = self.inner()
        pairs = [(self.value(part, table), there.value(part, table)) for part in node.by]
        same = " AND ".join([self.scope.replace("@", there.row), *(f"{mine} = {theirs}" for mine, theirs in pairs)])
        found = self.statistic(node, table, same, node.where, there)
        missing = " OR ".join([*(f"{mine} IS NULL" for mine, _ in pairs), "FALSE"])
        return f"(CASE WHEN {missing} THEN NULL ELSE {found} END)"

    def previous(self, node: e.Previous, table: str) -> str:
        there = self.inner()
        order = f"{there.row}.pos" if node.order is None else there.value(node.order, table)
        mine = f"{self.row}.pos" if node.order is None else self.value(node.order, table)
        same = [f"{self.value(part, table)} = {there.value(part, table)}" for part in node.by]
        before = f"({order} < {mine} OR ({order} = {mine} AND {there.row}.pos < {self.row}.pos))"
        rows = " AND ".join([self.scope.replace("@", there.row), *same, before])
        found = f"list({there.value(node.of, table)} ORDER BY {order} DESC, {there.row}.pos DESC)[1]"
        return f'(SELECT {found} FROM "{table}" {there.row} WHERE {rows})'


def literal(value: bool | int | float | str) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, float):
        return f"{value!r}::DOUBLE"
    return repr(value).upper() if isinstance(value, bool) else repr(value)


def rounded(node: c.Compare) -> bool:
    """A computed number with fractions; integers are exact in DuckDB as well, where the slack changes nothing."""

    def parts(expression: e.Expression | None) -> list[e.Expression]:
        if expression is None:
            return []
        if isinstance(expression, e.Arithmetic):
            return [expression, *parts(expression.left), *parts(expression.right)]
        inner = getattr(expression, "of", None)
        return [expression, *parts(inner)]

    found = [*parts(node.left), *parts(node.right)]
    if any(isinstance(part, (e.Span, e.Moment, e.Now)) for part in found):
        return False
    return any(
        isinstance(part, (e.Arithmetic, e.Share)) or getattr(part, "statistic", None) in ROUNDED for part in found
    )


def violating_rows_by_sql(
    rule: RowRule | TableRule,
    frames: dict[str, pd.DataFrame],
    zones: dict[str, str],
    now: datetime.datetime,
    utc_now: datetime.datetime,
) -> list[int]:
    """The positions of the rows that DuckDB finds to break the rule."""
    with duckdb.connect(":memory:") as connection:
        connection.execute("SET TimeZone = 'UTC'")
        for name, frame in frames.items():
            numbered = frame.reset_index(drop=True).assign(pos=range(len(frame)))
            connection.register(f"{name}_arrow", pa.Table.from_pandas(numbered, preserve_index=False))
            connection.execute(f'CREATE TABLE "{name}" AS SELECT * FROM "{name}_arrow"')
        sql = Sql(zones, now, utc_now)
        if isinstance(rule, TableRule):
            (broken,) = connection.execute(f"SELECT {sql.condition(rule.must, rule.table)} IS FALSE").fetchone() or (0,)
            return [0] if broken else []
        where = sql.condition(rule.where, rule.table) if rule.where is not None else "TRUE"
        inside = where.replace("t0.", "@.") if rule.where is not None else "TRUE"
        scoped = Sql(zones, now, utc_now, scope=f"({inside}) IS TRUE")
        must = scoped.condition(rule.must, rule.table)
        rows = connection.execute(
            f'SELECT pos FROM "{rule.table}" t0 WHERE ({where}) IS TRUE AND ({must}) IS FALSE ORDER BY pos'
        ).fetchall()
        (scope,) = connection.execute(f'SELECT count(*) FROM "{rule.table}" t0 WHERE ({where}) IS TRUE').fetchone() or (
            0,
        )
    broken_rows = [pos for (pos,) in rows]
    limit = rule.tolerance
    if limit is not None:
        few = limit.max_rows is None or len(rows) <= limit.max_rows
        if few and (limit.max_share is None or not scope or len(rows) / scope <= limit.max_share):
            return []
    return broken_rows

"""One rule as checks of SodaCL: a metric with a threshold where there is one, else rows that must not be found."""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pandas_magic.constraints import (
    Aggregate,
    All,
    Column,
    ColumnsRule,
    Compare,
    Condition,
    Constraint,
    Exists,
    Matches,
    Not,
    OneOf,
    Present,
    RowRule,
    TableRule,
    TextLength,
    Unique,
    Value,
)
from pandas_magic.constraints.algebra.patterns import explicit
from pandas_magic.constraints.algebra.shapes import is_rounded
from pandas_magic.constraints.algebra.tree import conjuncts, nodes
from pandas_magic.peers.demands import Demand, bounds, column_of, demands, widened
from pandas_magic.peers.marks import Mark
from pandas_magic.peers.schemas import Schemas, Types
from pandas_magic.peers.sql_text import number, sql_condition, sql_name, violation_sql
from pandas_magic.peers.transfers import CannotSay

_RELATIONS = {"==": "=", "<=": "<=", ">=": ">=", "<": "<", ">": ">"}
_STATISTICS = {"mean": "avg", "sum": "sum", "min": "min", "max": "max"}


@dataclass(frozen=True)
class SodaCheck:
    """A check of a dataset: its own line, and what stands below it (filter, valid values, fail condition)."""

    dataset: str
    line: str
    below: dict[str, Any] = field(default_factory=dict)

    @property
    def shape(self) -> str:
        """What must be the same for two checks to be the same."""
        return json.dumps([self.dataset, " ".join(self.line.split()), self.below], sort_keys=True, default=str)


def soda_checks(constraint: Constraint, mark: Mark) -> list[SodaCheck]:
    """The checks that say the rule. Raises: CannotSay when none says it faithfully."""
    if isinstance(constraint, RowRule):
        return [_row_check(demand, mark.types) for demand in demands(constraint)]
    if isinstance(constraint, TableRule):
        return list(_statistics(constraint, mark.types))
    return [_schema(constraint)]


def _row_check(demand: Demand, schemas: Schemas) -> SodaCheck:
    allowed = _threshold(demand)
    metric = _metric(demand.must, Types(demand.table, schemas))
    if metric is not None:
        line, below, present = metric
        return SodaCheck(demand.table, f"{line} {allowed}", {**below, **_filter(demand, present, schemas)})
    match demand:
        case Demand(where=None, tolerance=None, must=Exists(where=None) as must) if _is_plain_reference(must):
            mine = ", ".join(str(column_of(part)) for part in must.of)
            line = f"values in ({mine}) must exist in {must.table} ({', '.join(must.keys)})"
            return SodaCheck(demand.table, line)
    if isinstance(demand.must, Unique) or (isinstance(demand.must, Not) and isinstance(demand.must.condition, Unique)):
        raise CannotSay("no check is about the uniqueness of computed values, or of names that need quotes")
    if demand.tolerance is not None:
        raise CannotSay("a check of failed rows tolerates none of them")
    _refuse_own_names(demand)
    condition = violation_sql(demand.must, demand.where, demand.table, schemas)
    return SodaCheck(demand.table, "failed rows", {"fail condition": condition})


def _refuse_own_names(demand: Demand) -> None:
    """A column inside a subquery is the other table's own when both have it, which is what is meant here."""
    if any(isinstance(part, Exists) and part.table == demand.table for part in nodes(demand.must)):
        raise CannotSay("a reference of a table to itself has two meanings in a condition")


def _threshold(demand: Demand) -> str:
    if demand.tolerance is None:
        return "= 0"
    if demand.tolerance.max_share is not None or demand.tolerance.max_rows is None:
        raise CannotSay("shares are rounded to hundredths of a percent there")
    if isinstance(demand.must, Unique):
        raise CannotSay("duplicate_count counts values, not rows")
    return f"<= {demand.tolerance.max_rows}"


def _metric(must: Condition, types: Types) -> tuple[str, dict[str, Any], tuple[str, ...]] | None:
    """The metric that counts the violations, what is said below it, and the columns that must be present for it."""
    match must:
        case Present(of=Column(name=name)) if _is_plain(name):
            return f"missing_count({name})", {}, ()
        case Unique(by=by, missing_equal=missing_equal):
            names = [column_of(part) for part in by]
            if any(name is None or not _is_plain(name) for name in names):
                return None
            present = () if missing_equal or len(names) == 1 else tuple(map(str, names))
            return (
                None
                if missing_equal and len(names) == 1
                else (f"duplicate_count({', '.join(map(str, names))})", {}, present)
            )
        case OneOf(of=Column(name=name), values=values) if _lists(name, must, types):
            return f"invalid_count({name})", {"valid values": list(values)}, ()
        case Not(condition=OneOf(of=Column(name=name), values=values) as part) if _lists(name, part, types):
            return f"invalid_count({name})", {"invalid values": list(values)}, ()
        case Matches(of=Column(name=name) as of, pattern=pattern) if _is_plain(name):
            types.need("text", of)
            return f"invalid_count({name})", {"valid regex": f"^({_portable(pattern)})$"}, ()
    return _range(must, types)


def _portable(pattern: str) -> str:
    """The pattern when every database's engine reads it alike. Raises: CannotSay when it may not."""
    found = explicit(pattern)
    if (
        not re.fullmatch(r"(?:[A-Za-z0-9 _@-]|[(|)]|\[[A-Za-z0-9_-]+\]|\{\d+(?:,\d*)?\}|[+*?])+", found)
        or "(?" in found
    ):
        raise CannotSay("databases read all but the plainest patterns in ways of their own")
    return found


def _lists(name: str, part: OneOf, types: Types) -> bool:
    kinds = {type(value) for value in part.values}
    texts = [value for value in part.values if isinstance(value, str)]
    clean = all("'" not in text and "\\" not in text for text in texts)
    return _is_plain(name) and bool not in kinds and clean and types.of(part.of).kind != "datetime"


def _range(must: Condition, types: Types) -> tuple[str, dict[str, Any], tuple[str, ...]] | None:
    found = bounds(must)
    if found is None or found.low_open or found.high_open:
        return None
    inner = found.of.of if isinstance(found.of, TextLength) else found.of
    name, length = column_of(inner), "length" if isinstance(found.of, TextLength) else ""
    limits = {"min": found.low, "max": found.high}
    if name is None or not _is_plain(name) or not all(_is_number(limit) for limit in limits.values()):
        return None
    if length:
        types.need("text", inner)
    valid = {f"valid {end} {length}".strip(): limit.value for end, limit in limits.items() if isinstance(limit, Value)}
    return f"invalid_count({name})", valid, ()


def _is_number(limit: object) -> bool:
    if limit is None:
        return True
    return isinstance(limit, Value) and not isinstance(limit.value, (bool, str)) and math.isfinite(limit.value)


def _is_plain(name: str) -> bool:
    return sql_name(name) == name


def _is_plain_reference(must: Exists) -> bool:
    names = [column_of(part) for part in must.of]
    return len(names) == 1 and all(name is not None and _is_plain(name) for name in (*names, *must.keys, must.table))


def _filter(demand: Demand, present: tuple[str, ...], schemas: Schemas) -> dict[str, str]:
    parts = [] if demand.where is None else [demand.where]
    parts += [Present(of=Column(name=name)) for name in present]
    if not parts:
        return {}
    scope = parts[0] if len(parts) == 1 else All(conditions=tuple(parts))
    return {"filter": sql_condition(scope, demand.table, schemas)}


def _statistics(rule: TableRule, schemas: Schemas) -> Iterator[SodaCheck]:
    parts = conjuncts(rule.must)
    for part in parts:
        found = part.left if isinstance(part, Compare) and part.within is None else None
        if not isinstance(part, Compare) or not isinstance(found, Aggregate) or found.table != rule.table:
            raise CannotSay("no check compares statistics with each other, with shares or with a tolerance")
        if part.relation not in _RELATIONS or not isinstance(part.right, Value):
            raise CannotSay("no check compares a statistic with that")
        limit = number(part.right.value)
        if is_rounded(part):
            if part.relation == "==":
                raise CannotSay("a computed statistic is compared to the last digit there")
            limit = widened(limit, upper="<" in part.relation, open_="=" not in part.relation)
        chosen = {} if found.where is None else {"filter": sql_condition(found.where, rule.table, schemas)}
        yield SodaCheck(rule.table, f"{_metric_of(found)} {_RELATIONS[part.relation]} {limit!r}", chosen)


def _metric_of(found: Aggregate) -> str:
    if found.of is None:
        return "row_count"
    name = column_of(found.of)
    if found.statistic not in _STATISTICS or name is None or not _is_plain(name):
        raise CannotSay(f"no check computes the {found.statistic} of that as it is computed here")
    return f"{_STATISTICS[found.statistic]}({name})"


def _schema(rule: ColumnsRule) -> SodaCheck:
    if rule.only or rule.ordered or rule.types:
        raise CannotSay("a schema check names types of the database and places of columns; ours are neither")
    failing = {"when required column missing": list(rule.required)} if rule.required else {}
    failing |= {"when forbidden column present": list(rule.forbidden)} if rule.forbidden else {}
    return SodaCheck(rule.table, "schema", {"fail": failing})

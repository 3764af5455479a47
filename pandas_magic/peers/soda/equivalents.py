"""What checks of SodaCL mean as rules of ours."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from pandas_magic.constraints import (
    Aggregate,
    All,
    Any_,
    Column,
    ColumnsRule,
    Compare,
    Condition,
    Constraint,
    Exists,
    Not,
    OneOf,
    Present,
    RowRule,
    Share,
    TableRule,
    TextLength,
    Tolerance,
    Unique,
    Value,
)
from pandas_magic.constraints.algebra.conditions import Relation
from pandas_magic.peers.ranges import compared, one_of, within_limits
from pandas_magic.peers.regexes import whole_text
from pandas_magic.peers.rule_parts import column, refuse_unknown, row_rule, scalars
from pandas_magic.peers.sql_filters import read_sql
from pandas_magic.peers.transfers import CannotRead

Settings = Mapping[str, Any]
_STATISTICS = {
    "avg": "mean",
    "sum": "sum",
    "min": "min",
    "max": "max",
    "stddev": "std",
    "stddev_samp": "std",
}
_RELATIONS = {"=": "==", "!=": "!=", "<>": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_METRIC = re.compile(r"\s*([a-z_]+)\s*(?:\(([^)]*)\))?\s*(.*?)\s*")
_COMPARED = re.compile(r"(<=|>=|!=|<>|=|<|>)\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*%?")
_BETWEEN = re.compile(r"between\s+([\[(]?)\s*(-?\d+(?:\.\d+)?)\s+and\s+(-?\d+(?:\.\d+)?)\s*([\])]?)")
_REFERENCE = re.compile(r"\s*values in\s*\(([^)]*)\)\s*must( not)? exist in\s+(\S+)\s*\(([^)]*)\)\s*")
_VALIDITY = frozenset(
    {"valid values", "invalid values", "valid min", "valid max", "valid length", "valid min length", "valid max length"}
    | {"valid regex", "invalid regex"}
)
_ABSENCE = frozenset({"missing values"})


@dataclass(frozen=True)
class _Metric:
    """The line of a check taken apart: `missing_count(a, b) = 0`."""

    name: str
    columns: tuple[Column, ...]
    threshold: str


def meaning(dataset: str, line: str, settings: Settings) -> Constraint:
    """The rule that the check is. Raises: CannotRead when no rule of ours says it."""
    reference = _REFERENCE.fullmatch(line)
    if reference is not None:
        return _reference(dataset, reference, settings)
    if line.strip() == "failed rows":
        return _failed_rows(dataset, settings)
    if line.strip() == "schema":
        return _schema(dataset, settings)
    metric = _METRIC.fullmatch(line)
    if metric is None:
        raise CannotRead("its line is not understood")
    name = metric[1]
    columns = tuple(column(part.strip().strip('"')) for part in metric[2].split(",")) if metric[2] else ()
    asked = _Metric(name, columns, threshold=metric[3])
    if name.endswith(("_count", "_percent")) and name.split("_")[0] in ("missing", "invalid", "duplicate"):
        return _counted(dataset, asked, settings)
    if name in _STATISTICS or name == "row_count":
        return _statistic(dataset, asked, settings)
    raise CannotRead(f"the metric {name} is not understood")


def _scope(dataset: str, settings: Settings) -> Condition | None:
    found = settings.get("filter")
    return None if found is None else read_sql(str(found), table=dataset)


def _counted(dataset: str, asked: _Metric, settings: Settings) -> Constraint:
    """A count or a share of rows at fault, which must be 0, at most some number, or compare with a share."""
    name, columns, threshold = asked.name, asked.columns, asked.threshold
    sort = name.split("_")[0]
    known = {"missing": _ABSENCE, "invalid": _VALIDITY | _ABSENCE, "duplicate": frozenset()}[sort]
    refuse_unknown(settings, ("filter", *known), "it")
    if not columns or (len(columns) > 1 and sort != "duplicate"):
        raise CannotRead("it does not name one column")
    must = _must(sort, columns, settings)
    scope, (relation, limit) = _scope(dataset, settings), _limit(threshold)
    if (relation, limit) in (("==", 0.0), ("<=", 0.0), ("<", 1.0)) and not (relation == "<" and "percent" in name):
        return row_rule(dataset, must, scope)
    if sort == "duplicate":
        raise CannotRead("it counts values that occur more than once, and a rule counts rows; only = 0 is both")
    if name.endswith("_percent"):
        broken = Share(table=dataset, condition=Not(condition=must), where=scope)
        return TableRule(table=dataset, must=Compare(relation=relation, left=broken, right=Value(value=limit / 100)))
    if relation in ("<=", "<") and limit == int(limit):
        return row_rule(dataset, must, scope, Tolerance(max_rows=int(limit) - (relation == "<")))
    raise CannotRead(f"a number of rows at fault that must be {threshold} is not understood")


def _must(sort: str, columns: tuple[Column, ...], settings: Settings) -> Condition:
    of = columns[0]
    absent = settings.get("missing values")
    stands_for_none = None if absent is None else OneOf(of=of, values=scalars(absent))
    if sort == "duplicate":
        if len(columns) > 1:
            return Unique(by=columns, missing_equal=True)
        return Unique(by=columns)
    if sort == "missing":
        if stands_for_none is None:
            return Present(of=of)
        return All(conditions=(Present(of=of), Not(condition=stands_for_none)))
    valid = _valid(of, settings)
    return valid if stands_for_none is None else Any_(conditions=(stands_for_none, valid))


def _valid(of: Column, settings: Settings) -> Condition:
    parts: list[Condition] = []
    if "valid values" in settings:
        parts.append(one_of(of, settings["valid values"]))
    if "invalid values" in settings:
        parts.append(Not(condition=OneOf(of=of, values=scalars(settings["invalid values"]))))
    if "valid min" in settings or "valid max" in settings:
        parts.append(within_limits(of, settings.get("valid min"), settings.get("valid max")))
    if "valid min length" in settings or "valid max length" in settings:
        low, high = settings.get("valid min length"), settings.get("valid max length")
        parts.append(within_limits(TextLength(of=of), low, high))
    if "valid length" in settings:
        parts.append(compared(TextLength(of=of), "==", settings["valid length"]))
    if "valid regex" in settings:
        parts.append(whole_text(of, str(settings["valid regex"]), "search"))
    if "invalid regex" in settings:
        parts.append(Not(condition=whole_text(of, str(settings["invalid regex"]), "search")))
    if not parts:
        raise CannotRead("it does not say what is valid, or says it by a format of its own")
    return parts[0] if len(parts) == 1 else All(conditions=tuple(parts))


def _limit(threshold: str) -> tuple[Relation, float]:
    found = _COMPARED.fullmatch(threshold)
    if found is None:
        raise CannotRead(f"its threshold {threshold!r} is not understood")
    return cast(Relation, _RELATIONS[found[1]]), _number(found[2])


def _number(text: str) -> float:
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)


def _statistic(dataset: str, asked: _Metric, settings: Settings) -> Constraint:
    name, columns, threshold = asked.name, asked.columns, asked.threshold
    refuse_unknown(settings, ("filter",), "it")
    of = None if name == "row_count" else columns[0] if len(columns) == 1 else None
    if (of is None) is not (name == "row_count") or (name == "row_count" and columns):
        raise CannotRead("it does not name one column")
    statistic = cast(Any, "count" if of is None else _STATISTICS[name])
    found = Aggregate(statistic=statistic, table=dataset, of=of, where=_scope(dataset, settings))
    between = _BETWEEN.fullmatch(threshold)
    if between is not None:
        ends = {"low_open": between[1] == "(", "high_open": between[4] == ")"}
        must = within_limits(found, _number(between[2]), _number(between[3]), **ends)
        return TableRule(table=dataset, must=must)
    relation, limit = _limit(threshold)
    return TableRule(table=dataset, must=Compare(relation=relation, left=found, right=Value(value=limit)))


def _reference(dataset: str, found: re.Match[str], settings: Settings) -> RowRule:
    refuse_unknown(settings, (), "it")
    mine = tuple(column(part.strip().strip('"')) for part in found[1].split(","))
    keys = tuple(part.strip().strip('"') for part in found[4].split(","))
    if len(mine) != len(keys):
        raise CannotRead(f"{len(mine)} columns are looked up in {len(keys)}")
    if len(mine) > 1:
        raise CannotRead("a row with some of its values missing is at fault there, and not judged by a rule")
    exists = Exists(of=mine, table=found[3].strip('"'), keys=keys)
    return row_rule(dataset, Not(condition=exists) if found[2] else exists)


def _failed_rows(dataset: str, settings: Settings) -> RowRule:
    refuse_unknown(settings, ("fail condition",), "it")
    if "fail condition" not in settings:
        raise CannotRead("it does not say which rows fail")
    broken = read_sql(str(settings["fail condition"]), table=dataset)
    match broken:
        case Not(condition=must):
            return row_rule(dataset, must)
        case All(conditions=(scope, Not(condition=must))):
            return row_rule(dataset, must, scope)
    # Rows fail in which it is true, and those in which it is unknown do not.
    return row_rule(dataset, Not(condition=broken))


def _schema(dataset: str, settings: Settings) -> ColumnsRule:
    refuse_unknown(settings, ("fail", "warn"), "it")
    asked = settings.get("fail") or settings.get("warn")
    if not isinstance(asked, dict) or ("fail" in settings and "warn" in settings):
        raise CannotRead("a schema check is understood when it says once what fails")
    refuse_unknown(asked, ("when required column missing", "when forbidden column present"), "it")
    required = tuple(column(name).name for name in asked.get("when required column missing") or ())
    forbidden = tuple(column(name).name for name in asked.get("when forbidden column present") or ())
    if any("*" in name or "%" in name for name in forbidden):
        raise CannotRead("a forbidden column is named by a pattern")
    return ColumnsRule(table=dataset, required=required, forbidden=forbidden)

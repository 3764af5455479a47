"""What was found, as rules that a check can hold: each in the canonical words that the rule compiler reads back."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pandas_magic.constraints import (
    Aggregate,
    All,
    Arithmetic,
    Column,
    Compare,
    Exists,
    Expression,
    Now,
    OneOf,
    Present,
    RowRule,
    Span,
    TableRule,
    Unique,
    Value,
)
from pandas_magic.explore.derived import relations_as_rules
from pandas_magic.explore.objections import objections
from pandas_magic.explore.proposal import Proposal

if TYPE_CHECKING:
    from pandas_magic.catalog import Table
    from pandas_magic.explore.report_content import ReportContent
    from pandas_magic.explore.report_document import ColumnProfile

FEWEST_ROWS = 10  # what holds in fewer rows holds by accident
_MOST_VALUES = 20  # a longer list of allowed values is a table
_FEW_REPEATED = 0.05  # of the rows; a key that repeats more often is not meant to be unique
_FRESH_DAYS = 60  # data older than this is history, and nobody waits for more of it
_BAND_STDS = 0.25  # a mean that leaves this band has shifted by a quarter of a standard deviation


def proposals(report: ReportContent, tables: Mapping[str, Table]) -> tuple[Proposal, ...]:
    """Rules for every column that one can be made for; none for a table that is not among `tables`.

    Allowed values and foreign keys come from the tables themselves, since the report judges texts without the spaces
    around them. A rule is a proposal until it is compiled, proved and run.
    """
    table = tables.get(report.table)
    if table is None or report.document.dataset.n_rows < FEWEST_ROWS or report.details.is_estimated:
        return ()
    found = [*objections(report, table), *relations_as_rules(report, table)]
    for name, profile in report.document.columns_profile.items():
        if name in table.columns:
            found += [*_presence(table.name, name, profile), *_uniqueness(table, name, profile)]
            found += [*_range(table, name, profile), *_values(table, name), *_reference(tables, table.name, name)]
            found += [*_freshness(table, name, profile, datetime.now()), *_band(table, name, profile)]
    return tuple(found)


def _presence(table: str, name: str, profile: ColumnProfile) -> Iterator[Proposal]:
    if not profile.n_missing:
        yield Proposal.of(
            "not null", name, RowRule(table=table, must=Present(of=Column(name=name))), "nothing is missing"
        )


def _uniqueness(table: Table, name: str, profile: ColumnProfile) -> Iterator[Proposal]:
    if profile.summary.kind != "id-like" or profile.n_missing or not table.row_count:
        return
    rule = RowRule(table=table.name, must=Unique(by=(Column(name=name),)))
    repeated = table.row_count - profile.unique
    if not repeated:
        yield Proposal.of("unique", name, rule, f"{profile.unique:,} values, none twice")
    elif table.kind(name) == "integer" and repeated <= _FEW_REPEATED * table.row_count:
        because = f"{profile.unique:,} different values in {table.row_count:,} rows"
        yield Proposal.of("unique", name, rule, because, holds=False)


def _range(table: Table, name: str, profile: ColumnProfile) -> Iterator[Proposal]:
    known: dict[str, Any] = profile.summary.model_extra or {}
    if table.kind(name) in ("integer", "number") and profile.summary.kind == "numeric":
        low, high = known["min"], known["max"]
        rule = RowRule(table=table.name, must=_between(Column(name=name), low, high))
        yield Proposal.of("range", name, rule, f"all values lie from {low} to {high}")


def _between(of: Expression, low: float, high: float) -> All:
    bounds: tuple[tuple[Any, float], ...] = ((">=", low), ("<=", high))
    return All(conditions=tuple(Compare(relation=sign, left=of, right=Value(value=bound)) for sign, bound in bounds))


def _values(table: Table, name: str) -> Iterator[Proposal]:
    values = table.values.get(name, ())
    if 1 < len(values) <= _MOST_VALUES and all(value == value.strip() and value for value in values):
        rule = RowRule(table=table.name, must=OneOf(of=Column(name=name), values=values))
        yield Proposal.of("allowed values", name, rule, f"{len(values)} different values")


def _reference(tables: Mapping[str, Table], table: str, name: str) -> Iterator[Proposal]:
    for other in tables.values():
        for key in other.keys if other.name != table else ():
            if _refers(name, other.name, key) and tables[table].kind(name) == other.kind(key):
                exists = Exists(of=(Column(name=name),), table=other.name, keys=(key,))
                yield Proposal.of(
                    "foreign key", name, RowRule(table=table, must=exists), f"named like {other.name}.{key}"
                )


def _refers(name: str, table: str, key: str) -> bool:
    """Whether a column is named like the key of another table: the same name, or customer_id for customers.id."""
    lowered, singular = name.lower(), table.lower().removesuffix("s")
    return (lowered == key.lower() and lowered != "id") or lowered in (
        f"{singular}_{key.lower()}",
        f"{singular}{key.lower()}",
    )


def _freshness(table: Table, name: str, profile: ColumnProfile, now: datetime) -> Iterator[Proposal]:
    known: dict[str, Any] = profile.summary.model_extra or {}
    if table.kind(name) != "datetime" or "range_days" not in known or known.get("time_zone"):
        return
    age_days = (now - datetime.fromisoformat(known["max"])).total_seconds() / 86_400
    if -1 <= age_days <= _FRESH_DAYS:
        days = max(1, math.ceil(2 * age_days))
        latest = Aggregate(statistic="max", table=table.name, of=Column(name=name))
        since = Arithmetic(sign="-", left=Now(), right=Span(amount=days, unit="days"))
        rule = TableRule(table=table.name, must=Compare(relation=">=", left=latest, right=since))
        yield Proposal.of("freshness", name, rule, f"the latest is {max(age_days, 0):.1f} days old")


def _band(table: Table, name: str, profile: ColumnProfile) -> Iterator[Proposal]:
    known: dict[str, Any] = profile.summary.model_extra or {}
    if table.kind(name) in ("integer", "number") and profile.summary.kind == "numeric" and known.get("std"):
        reach = _BAND_STDS * known["std"]
        mean = Aggregate(statistic="mean", table=table.name, of=Column(name=name))
        # Outwards, with two digits of the reach: a band of rounded ends must hold the mean of today.
        places = 1 - math.floor(math.log10(reach))
        low, high = (round(known["mean"] + side * reach, places) for side in (-1, 1))
        rule = TableRule(table=table.name, must=_between(mean, low, high))
        yield Proposal.of("drift band", name, rule, f"the mean is {round(known['mean'], places + 1)} today")

"""What was found wrong or doubtful, as rules: most are broken today, and each check shows the rows that break it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pandas_magic.constraints import (
    Aggregate,
    Column,
    Compare,
    Expression,
    Folded,
    Not,
    OneOf,
    Parses,
    Present,
    RowRule,
    TableRule,
    Tolerance,
    Unique,
    Value,
)
from pandas_magic.explore.proposal import Proposal

if TYPE_CHECKING:
    from pandas_magic.catalog import Table
    from pandas_magic.explore.report_content import ReportContent
    from pandas_magic.explore.report_document import ColumnProfile

_FEW_PERCENT = 50  # of values missing; a rule that lets more than half of them be says nothing of few


def objections(report: ReportContent, table: Table) -> Iterator[Proposal]:
    """Rules about gaps, placeholders, spaces, too many values, wrong types and repeated rows, as far as they occur."""
    if report.details.duplicate_rows:
        columns = tuple(Column(name=name) for name in table.columns)
        rule = RowRule(table=table.name, must=Unique(by=columns, missing_equal=True))
        because = f"{report.details.duplicate_rows:,} rows repeat another"
        yield Proposal.of("no repeated row", "", rule, because, holds=False)
    for name, profile in report.document.columns_profile.items():
        if name in table.columns:
            yield from _gaps(table, name, profile, report.details.columns[name].placeholders)
            yield from _texts(table, name, profile)
    yield from _many_values(table, report.document.flags.high_cardinality, report)


def _gaps(table: Table, name: str, profile: ColumnProfile, placeholders: dict[str, int]) -> Iterator[Proposal]:
    # A placeholder counts as missing in the report; in the table it is a text like any other.
    empty = profile.n_missing - sum(placeholders.values())
    must = Present(of=Column(name=name))
    if empty:
        because = f"{empty:,} of its values are missing"
        yield Proposal.of("not null", name, RowRule(table=table.name, must=must), because, holds=False)
        share = min(100, math.ceil(100 * empty / table.row_count)) if table.row_count else 100
        if share <= _FEW_PERCENT:
            few = RowRule(table=table.name, must=must, tolerance=Tolerance(max_share=share / 100))
            yield Proposal.of("few gaps", name, few, f"{100 * empty / (table.row_count or 1):.2f} % are missing")
    if placeholders and table.kind(name) == "text":
        listed = ", ".join(f'{count:,} × "{text}"' for text, count in sorted(placeholders.items()))
        of: Expression = Folded(of=Column(name=name), fold="space")
        none = Not(condition=OneOf(of=of, values=tuple(sorted(placeholders))))
        yield Proposal.of("no placeholder", name, RowRule(table=table.name, must=none), listed, holds=False)


def _texts(table: Table, name: str, profile: ColumnProfile) -> Iterator[Proposal]:
    if table.kind(name) != "text":
        return
    if profile.summary.kind in ("numeric", "datetime"):
        as_type = "number" if profile.summary.kind == "numeric" else "date"
        rule = RowRule(table=table.name, must=Parses(of=Column(name=name), type=as_type))
        yield Proposal.of("type", name, rule, f"its texts are {as_type}s")
    values = table.values.get(name, ())
    spaced = [value for value in values if value != value.strip()]
    if spaced:
        bare = Folded(of=Column(name=name), fold="space")
        same = RowRule(table=table.name, must=Compare(relation="==", left=Column(name=name), right=bare))
        because = f"{len(spaced):,} different texts have spaces around"
        yield Proposal.of("no outer spaces", name, same, because, holds=False)


def _many_values(table: Table, flagged: Sequence[str], report: ReportContent) -> Iterator[Proposal]:
    for name in flagged:
        profile = report.document.columns_profile[name]
        if name in table.columns and profile.summary.kind == "categorical":
            distinct = Aggregate(statistic="distinct", table=table.name, of=Column(name=name))
            must = Compare(relation="<=", left=distinct, right=Value(value=profile.unique))
            because = f"{profile.unique:,} different ones today"
            yield Proposal.of("no more values", name, TableRule(table=table.name, must=must), because)

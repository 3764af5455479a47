"""Ideas from tables: what the explorer found in them, few and ranked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

from pandas_magic.catalog import Table
from pandas_magic.constraints import Column, Compare, RowRule, Unique, Value
from pandas_magic.explore.exploration_request import ExplorationRequest
from pandas_magic.explore.profiling import exploration_of
from pandas_magic.explore.proposal import Proposal
from pandas_magic.explore.proposals import FEWEST_ROWS, proposals
from pandas_magic.explore.report_content import ReportContent
from pandas_magic.explore.report_document import ColumnProfile
from pandas_magic.explore.subject import subject_in
from pandas_magic.history.keys import looks_like_id
from pandas_magic.suggestions.suggestion import Idea, Withheld
from pandas_magic.suggestions.trying import Progress
from pandas_magic.workspace import Workspace

# What is offered first: what joins tables or is found broken tells more than what holds in any table. Of a range, which
# is only that of today's values, is left that none is below 0.
_KINDS = (
    "no repeated row",
    "foreign key",
    "unique",
    "no placeholder",
    "no outer spaces",
    "allowed values",
    "order",
    "formula",
    "equal columns",
    "not null",
    "not negative",
)
OFFERED = 5  # checks a table: more are a list that nobody reads
MOST_BROKEN = 0.5  # of the rows: a rule that more of them break is not theirs
_NEARLY_ALL = 0.95  # of the values of a key are different, though some are there twice
_OF_EACH = 5  # rows for each of the values that are allowed; of fewer they are only those that came by
_MARKS = 2  # 0 and 1 are a mark
_PARTS_OF_DATES = frozenset({"year", "quarter", "month", "week", "weekday", "day", "hour", "minute", "second"})
_MOST_MISSING = 1 / 3  # of the values: a column with more gaps is one that may be empty


def ideas_of_table(workspace: Workspace, name: str, on_progress: Progress) -> tuple[list[Idea], list[Withheld]]:
    """What fits the table, the best first; or why nothing can be told of it."""
    table = workspace.catalog.schema(name)
    if (table.row_count or 0) < FEWEST_ROWS:
        rows = f"{table.row_count or 0} row{'s' * (table.row_count != 1)}"
        return [], [Withheld(name, "", f"what holds in {rows} may hold by accident; it takes {FEWEST_ROWS}")]
    found = ranked(proposed(workspace, name, on_progress))
    why = [] if found else [Withheld(name, "", "nothing was found in it that a check could hold")]
    return [Idea(one.sentence, one.because, name) for one in found], why


def proposed(workspace: Workspace, name: str, on_progress: Progress) -> Sequence[Proposal]:
    """What the explorer proposes for a table, as far as it is worth a check."""
    subject = subject_in(workspace.catalog, name)
    request = ExplorationRequest.of(name, None)
    with closing(exploration_of(subject, request, around=workspace, on_progress=on_progress)) as exploration:
        report = exploration.run()
    table = workspace.catalog.schema(name)
    found = [*_repeated_keys(report, table), *proposals(report, workspace.catalog.schemas())]
    missing = {name: profile.n_missing for name, profile in report.document.columns_profile.items()}
    keys = {one.column for one in found if one.kind == "foreign key"}
    found = [one for one in found if one.kind != "allowed values" or one.column not in keys]
    # What is nearly always there is the likeliest to be meant so.
    found = sorted(found, key=lambda one: missing.get(one.column, 0) if one.kind == "not null" else 0)
    return [better for one in found for better in _worth_offering(one, report, table)]


def _repeated_keys(report: ReportContent, table: Table) -> Iterator[Proposal]:
    """Columns that are named as keys are and hold a few values twice."""
    for name, profile in report.document.columns_profile.items():
        there = report.document.dataset.n_rows - profile.n_missing
        if name in table.columns and looks_like_id(name) and _NEARLY_ALL <= profile.unique / max(there, 1) < 1:
            because = f"{profile.unique:,} different values in {there:,} rows"
            rule = RowRule(table=table.name, must=Unique(by=(Column(name=name),)))
            yield Proposal.of("unique", name, rule, because, holds=False)


def _worth_offering(one: Proposal, report: ReportContent, table: Table) -> Iterator[Proposal]:
    """The proposal, unless it only repeats what today's rows happen to hold."""
    rows, profile = report.document.dataset.n_rows, report.document.columns_profile.get(one.column)
    is_idle = {
        "not null": profile is not None and profile.n_missing > _MOST_MISSING * rows,
        "no repeated row": report.details.duplicate_rows > rows / 2,
        "allowed values": profile is not None and _OF_EACH * profile.unique > rows - profile.n_missing,
    }
    if is_idle.get(one.kind):
        return
    if one.kind != "range":
        yield one
    elif profile and _measures(one.column, profile):
        never = Compare(relation=">=", left=Column(name=one.column), right=Value(value=0))
        yield Proposal.of("not negative", one.column, RowRule(table=table.name, must=never), "no value is below 0")


def _measures(name: str, profile: ColumnProfile) -> bool:
    """Whether the column is of amounts that could be negative and are not: no keys, parts of dates or marks."""
    known: dict[str, Any] = profile.summary.model_extra or {}
    is_amount = profile.unique > _MARKS and not looks_like_id(name) and name.lower() not in _PARTS_OF_DATES
    return is_amount and 0 <= known["min"] <= (known.get("std") or 0)


def ranked(found: Sequence[Proposal]) -> list[Proposal]:
    """The proposals in the order of their worth: one of each kind first, of these what is broken today."""
    by_kind = sorted(
        (proposal for proposal in found if proposal.kind in _KINDS),
        key=lambda proposal: (_KINDS.index(proposal.kind), proposal.holds),
    )
    return [proposal for _, proposal in sorted(_in_turns(by_kind), key=lambda each: each[0])]


def _in_turns(by_kind: Sequence[Proposal]) -> Iterator[tuple[int, Proposal]]:
    turns: dict[str, int] = {}
    for proposal in by_kind:
        yield turns.get(proposal.kind, 0), proposal
        turns[proposal.kind] = turns.get(proposal.kind, 0) + 1

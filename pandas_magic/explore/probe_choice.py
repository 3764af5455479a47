"""Which probe comes next: the rules of the exploration brief."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pandas_magic.record import Record

if TYPE_CHECKING:
    from pandas_magic.explore.report_content import ReportContent

PROBES = ("drill_missing", "leakage_check", "type_disambiguation", "pair", "drift")


class ProbeChoice(Record):
    """A model's choice of the next probe."""

    because: str
    probe: str


def follow_ups(report: ReportContent, missing_threshold_pct: float) -> list[str]:
    """The probes that the findings ask for and that have not run: leaks first, then gaps, then doubt about the task."""
    done = {probe.probe for probe in report.details.probes}
    wanted = []
    if report.document.flags.possible_leakage:
        wanted.append("leakage_check")
    if any(profile.pct_missing > missing_threshold_pct for profile in report.document.columns_profile.values()):
        wanted.append("drill_missing")
    if _is_ambiguous(report):
        wanted.append("type_disambiguation")
    return [name for name in wanted if name not in done]


def offered(report: ReportContent) -> list[str]:
    """The probes that make sense for this table and have not run, whether or not the rules ask for them."""
    done = {probe.probe for probe in report.details.probes}
    return [name for name in applicable(report) if name not in done]


def applicable(report: ReportContent) -> list[str]:
    """The probes that make sense for what was found in this table."""
    possible = []
    if report.document.flags.possible_leakage:
        possible.append("leakage_check")
    if any(profile.n_missing for profile in report.document.columns_profile.values()):
        possible.append("drill_missing")
    if any(column.readings for column in report.details.columns.values()) or _is_ambiguous(report):
        possible.append("type_disambiguation")
    return possible


def _is_ambiguous(report: ReportContent) -> bool:
    """Whether the target could be meant in another way; one without two values is in doubt without another meaning."""
    target, details = report.document.target, report.details.target
    if target is None or details is None or not details.doubt:
        return False
    return target.task_type == "regression" or target.n_classes > 1

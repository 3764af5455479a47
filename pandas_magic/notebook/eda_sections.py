"""The parts of the panel of `%eda`: what each shows, and which findings stand below it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pandas_magic.explore import column_sections, picture_sections, relation_sections, sections
from pandas_magic.explore.proposal import ABOUT_RELATIONS, Proposal

if TYPE_CHECKING:
    from pandas_magic.explore.report_content import ReportContent
    from pandas_magic.explore.report_document import ReportDocument

SECTIONS: tuple[tuple[str, Callable[[ReportContent], str]], ...] = (
    ("Overview", sections.overview),
    ("Columns", column_sections.columns),
    ("Target", sections.target),
    ("Correlations", relation_sections.relations),
    ("Missing", relation_sections.missing),
    ("Flags", sections.flags),
    ("Plots", picture_sections.live_pictures),
    ("Probes", picture_sections.probes),
    ("Notes", sections.quality),
    ("JSON", sections.raw),
    ("Log", sections.log),
)
AT_ONCE = ("Overview", "Columns", "Target", "JSON")  # shown of a report of which only the columns are known
WITH_FINDINGS = ("Columns", "Target", "Correlations", "Missing", "Flags", "Plots", "Notes")
CHECKS = "Make checks"
_ABOUT_GAPS = ("not null", "few gaps", "no placeholder")
# A kind of picture -> the kinds of rules about its columns that it lets somebody see.
_SEEN_IN = {
    "histogram": ("range", "drift band"),
    "bars": ("allowed values", "no more values"),
    "target": ("range", "allowed values", "drift band", *ABOUT_RELATIONS.values()),
    "time": ("freshness",),
    "missing": ("few gaps", "not null"),
    "correlations": tuple(ABOUT_RELATIONS.values()),
}


def of_section(title: str, report: ReportContent, found: Sequence[Proposal]) -> list[Proposal]:
    """Those that belong below the part of the panel with this title; none below parts that hold no findings."""
    document = report.document
    flags = document.flags
    flagged = {*flags.possible_leakage, *flags.high_missing, *flags.high_cardinality}
    target = document.target.name if document.target is not None else None
    seen = {(kind, name) for each in report.pictures for name in each.columns for kind in _SEEN_IN.get(each.kind, ())}
    belongs: dict[str, Callable[[Proposal], bool]] = {
        "Columns": lambda each: each.holds,
        "Target": lambda each: each.column == target,
        "Correlations": lambda each: each.kind in ABOUT_RELATIONS.values(),
        "Plots": lambda each: (each.kind, each.column) in seen,
        "Missing": lambda each: each.kind in _ABOUT_GAPS and _has_gaps(document, each.column),
        "Flags": lambda each: each.column in flagged,
        "Notes": lambda each: not each.holds or each.kind == "type",
    }
    return [each for each in found if title in belongs and belongs[title](each)]


def _has_gaps(document: ReportDocument, column: str) -> bool:
    return column in document.columns_profile and document.columns_profile[column].n_missing > 0

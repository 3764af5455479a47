"""Relations and gaps of a report as HTML, each from facts alone, every text escaped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pandas_magic.explore.derived import in_words
from pandas_magic.explore.sections import LISTED, bullets, measure_name, number, part, table
from pandas_magic.reporters.value_text import value_text

if TYPE_CHECKING:
    from pandas_magic.explore.details import Derivation, GapAndTarget, Pair, Pattern, ToTarget
    from pandas_magic.explore.report_content import ReportContent


def relations(report: ReportContent) -> str:
    """What goes with the target, and which features go together."""
    known, target = report.details.associations, report.document.target
    parts = [_derived(report.details.derivations), _with_target(known.to_target), _between(known.pairs)]
    if known.sampled_rows is not None:
        parts.append(
            f"<p>Pearson's coefficients and all strengths with the target are of all rows, the others of a sample of "
            f"{known.sampled_rows:,}.</p>"
        )
    if target is not None and target.task_type == "multilabel":
        parts.append("<p>Relations with a target of several labels are not judged.</p>")
    return "".join(parts) or "<p>No relation of at least 0.3 was found.</p>"


def _derived(found: Sequence[Derivation]) -> str:
    return f"<h3>Columns that say what others say</h3>{bullets(map(in_words, found))}" if found else ""


def _with_target(ties: Sequence[ToTarget]) -> str:
    rows = [
        (value_text(tie.feature), measure_name(tie.measure), f"{tie.value:.3f}", number(tie.mutual_information))
        for tie in ties[:LISTED]
    ]
    header = ("feature", "measure", "strength", "mutual information")
    return "<h3>With the target</h3>" + table(header, rows, set(header[2:])) if rows else ""


def _between(pairs: Sequence[Pair]) -> str:
    rows = [
        (
            value_text(pair.f1),
            value_text(pair.f2),
            measure_name(pair.measure),
            f"{pair.value:.3f}",
            "" if pair.spearman is None else f"{pair.spearman:.3f}",
        )
        for pair in pairs[:LISTED]
    ]
    header = ("feature", "and", "measure", "strength", "Spearman")
    return "<h3>Between features, from 0.3</h3>" + table(header, rows, set(header[3:])) if rows else ""


def missing(report: ReportContent) -> str:
    """Gaps per pattern, together, and against the target."""
    known = report.details.missing
    if not known.columns:
        return "<p>✓ Nothing is missing.</p>"
    patterns = "".join(
        f"<tr><td>{part(['only', *p.missing], _pattern(p), ', '.join(map(value_text, p.missing)) or '(complete rows)')}"
        f'</td><td class="pm-number">{p.rows:,}</td><td class="pm-number">{p.pct:.2f} %</td></tr>'
        for p in known.patterns
    )
    parts = [
        f"<p>{known.rows_with_gaps:,} rows have at least one gap.</p><h3>Missing in the same row</h3>",
        f'<div class="pm-rows"><table><thead><tr><th>columns</th><th>rows</th><th>share</th></tr></thead>'
        f"<tbody>{patterns}</tbody></table></div>",
    ]
    together = [(value_text(pair.f1), value_text(pair.f2), f"{pair.phi:.3f}") for pair in known.together[:LISTED]]
    if together:
        parts.append("<h3>Missing together</h3>" + table(("column", "and", "phi"), together, {"phi"}))
    ties = [
        (value_text(tie.column), measure_name(tie.measure), f"{tie.value:.3f}", _shares(tie)) for tie in known.to_target
    ]
    if ties:
        parts.append(
            "<h3>Gaps and the target</h3>"
            + table(("column", "measure", "strength", "positive if missing / present"), ties, {"strength"})
        )
    return "".join(parts)


def _pattern(pattern: Pattern) -> str:
    named = ", ".join(map(value_text, pattern.missing))
    told = f"{named} and nothing else is missing" if named else "nothing is missing"
    return f"{told} ({pattern.rows:,} rows)"


def _shares(tie: GapAndTarget) -> str:
    if tie.pct_positive_if_missing is None or tie.pct_positive_if_present is None:
        return ""
    return f"{tie.pct_positive_if_missing:.1f} % / {tie.pct_positive_if_present:.1f} %"

"""`pandas-magic profile FILE`: the report in a terminal, as JSON, or as a page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas_magic.explore.report import Report
    from pandas_magic.reporters.terminal import Terminal

_NOTES = 10
_WIDTH = 100  # characters of a line

Command = Callable[[argparse.Namespace, "Terminal"], int]


def add_profile(command: Callable[[str, Command, str], argparse.ArgumentParser]) -> None:
    """Add the command to the parser that `command` belongs to."""
    parser = command("profile", _profile, "explore one table: types, target, relations, gaps, leaks, pictures")
    parser.add_argument("file", help="CSV, TSV, Parquet, Feather, Excel or JSON; or a table of the workspace")
    parser.add_argument("--target", metavar="COLUMN", help="the column that is to be predicted")
    parser.add_argument("--html", metavar="FILE", help="write the report as a page of its own")
    parser.add_argument(
        "--save", metavar="DIR", help="write JSON, page and pictures below DIR/artifacts, and a log line"
    )
    parser.add_argument("--png", metavar="DIR", help="write the pictures into DIR as PNG files (needs Matplotlib)")
    parser.add_argument("--against", metavar="FILE", help="also say what changed since this table")
    parser.add_argument("--yes", action="store_true", help="agree to explore more than 200 columns")


def _profile(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.state import write_whole

    terminal.error_in_meta = True
    report = _explored(options, terminal)
    if options.html:
        write_whole(Path(options.html), report.to_html())
    if options.png:
        report.save_png(Path(options.png))
    terminal.progress("")
    sys.stdout.write(report.to_json() if options.json else in_words(report))
    return 0


def _explored(options: argparse.Namespace, terminal: Terminal) -> Report:
    from pandas_magic.catalog import Catalog
    from pandas_magic.explore.exploration_request import ExplorationRequest
    from pandas_magic.explore.oversize import constraints_of, subject_within
    from pandas_magic.explore.profiling import exploration_of
    from pandas_magic.workspace import Workspace

    workspace = Workspace.open(options.workspace)
    limits = constraints_of(workspace.settings)
    exploration = exploration_of(
        subject_within(workspace.catalog, options.file, limits),
        ExplorationRequest.of(options.file, options.target, constraints=limits.model_dump(exclude_unset=True)),
        around=workspace,
        folder=Path(options.save) if options.save else None,
        confirmed=options.yes,
        on_progress=terminal.progress,
    )
    with closing(exploration):
        report = exploration.run()
        if options.against:
            before = Catalog(given={"before": Path(options.against)}).frame("before")
            report = exploration.probe("drift", other=before)
        return report


def in_words(report: Report) -> str:
    """The report for a terminal: summary, flags, one line per column, probes."""
    from pandas_magic.explore.column_sections import typical
    from pandas_magic.explore.sections import number
    from pandas_magic.reporters.plain import columns_of_text
    from pandas_magic.reporters.value_text import one_line, value_text

    header = ("column", "kind", "missing", "different", "values")
    rows = [
        (
            value_text(name, at_most=30),
            profile.summary.kind,
            f"{profile.pct_missing:.1f} %" if profile.n_missing else "0",
            "~" * report.details.columns[name].is_unique_estimated + number(profile.unique),
            one_line(typical(profile), at_most=70),
        )
        for name, profile in report.document.columns_profile.items()
    ]
    lines = [*wrap(one_line(report.summary.text), _WIDTH), ""]
    lines.append(columns_of_text([header, *rows], to_the_right=(False, False, True, True, False)))
    flags = report.document.flags.model_dump()
    lines += [
        f"{name.replace('_', ' ')}: {', '.join(map(value_text, columns))}" for name, columns in flags.items() if columns
    ]
    lines += [one_line(f"{probe.probe}: {probe.verdict}. {probe.summary}") for probe in report.probes]
    of_probes = tuple(f"{probe.probe}:" for probe in report.probes)
    said = [note for note in report.document.noted() if not note.startswith(of_probes)]
    lines += [f"note: {one_line(note)}" for note in said[:_NOTES]]
    lines += [f"… and {len(said) - _NOTES} more notes (--json)"] if len(said) > _NOTES else []
    return "\n".join(lines) + "\n"

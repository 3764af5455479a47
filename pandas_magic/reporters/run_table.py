"""A whole run as one Markdown table, for pull requests, the summary of a job, or a wiki."""

from collections.abc import Sequence

from pandas_magic.checking.result import Result
from pandas_magic.reporters.card import badge_of
from pandas_magic.reporters.markdown import escaped, table_of_markdown
from pandas_magic.reporters.value_text import one_line
from pandas_magic.reporters.verdict_counts import verdict_counts

_HEADER = ("check", "verdict", "name", "severity", "found", "changed")


def run_table(results: Sequence[Result], not_run: Sequence[str] = ()) -> str:
    """How many passed, then one row per check. It holds counts and no values of any row."""
    counts = verdict_counts([result.run for result in results])
    lines = [f"**pandas_magic: {counts or 'nothing ran'}**\n"]
    if results:
        rows = [_HEADER, *(_row(result) for result in results)]
        lines.append(table_of_markdown(rows, to_the_right=[False] * len(_HEADER)) + "\n")
    if not_run:
        lines.append(f"Not run: {escaped(', '.join(not_run))}\n")
    return "\n".join(lines)


def _row(result: Result) -> tuple[str, ...]:
    run, check = result.run, result.compiled.check if result.compiled else None
    return (
        run.check_id,
        badge_of(run),
        one_line(check.name or check.rule) if check else "",
        check.severity if check else "",
        one_line(run.headline),
        one_line(run.changes.in_words()) if run.changes and run.changes.has_any else "",
    )

"""Runs for GitHub Actions: annotations on standard output, and a table in the summary of the job."""

from collections.abc import Sequence

from pandas_magic.checking.result import Result
from pandas_magic.history.run import Verdict
from pandas_magic.reporters.value_text import one_line

SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY"  # the file that GitHub names for a job's summary


def annotations(results: Sequence[Result], not_run: Sequence[str] = ()) -> str:
    """One workflow command for each check that did not pass or run: an error, a warning where its severity is low."""
    lines = []
    for result in results:
        run, severity = result.run, result.compiled.check.severity if result.compiled else "medium"
        if run.verdict not in (Verdict.FAIL, Verdict.ERROR):
            continue
        level = "warning" if run.verdict is Verdict.FAIL and severity == "low" else "error"
        title = _property(f"{run.check_id} {run.verdict}")
        lines.append(f"::{level} title={title}::{_message(one_line(run.summary))}\n")
    lines += [f"::error title={_property(name)} ERROR::{_message(one_line(name))} did not run\n" for name in not_run]
    return "".join(lines)


def _message(text: str) -> str:
    # Source: GitHub's toolkit, packages/core/src/command.ts, escapeData.
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")

"""Runs as a JUnit XML file: what CI systems show as test results."""

from collections.abc import Sequence
from xml.etree import ElementTree

from pandas_magic.history.run import Run, Verdict
from pandas_magic.reporters.value_text import clean_lines, one_line


def junit(runs: Sequence[Run], *, suite: str = "pandas_magic") -> str:
    """One test case per run: FAIL is a failure, ERROR an error, SKIPPED a skip."""
    verdicts = [run.verdict for run in runs]
    root = ElementTree.Element(
        "testsuite",
        name=suite,
        tests=str(len(runs)),
        failures=str(verdicts.count(Verdict.FAIL)),
        errors=str(verdicts.count(Verdict.ERROR)),
        skipped=str(verdicts.count(Verdict.SKIPPED)),
        time=f"{sum(run.seconds for run in runs):.3f}",
    )
    for run in runs:
        case = ElementTree.SubElement(root, "testcase", classname=suite, name=run.check_id, time=f"{run.seconds:.3f}")
        _outcome(case, run)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _outcome(case: ElementTree.Element, run: Run) -> None:
    kinds = {Verdict.FAIL: "failure", Verdict.ERROR: "error", Verdict.SKIPPED: "skipped"}
    kind = kinds.get(run.verdict)
    if kind:
        ElementTree.SubElement(case, kind, message=one_line(run.summary)).text = clean_lines(run.error)
    # A warning is no result that JUnit knows; what was tolerated must not be lost with that.
    is_plain = not (run.warned or run.excepted or run.not_judged or run.nothing_judged)
    told = [] if is_plain else [one_line(line) for line in (run.summary, *run.notes)]
    if told or run.stdout:
        ElementTree.SubElement(case, "system-out").text = "\n".join([*told, clean_lines(run.stdout)]).strip("\n")

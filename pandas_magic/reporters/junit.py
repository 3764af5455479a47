"""Runs as a JUnit XML file: what CI systems show as test results.

Source: the schema of Jenkins' xUnit plugin, junit-10.xsd, which pytest writes by too.
"""

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from pandas_magic.checking.result import Result
from pandas_magic.constraints.algebra.kinds import kind
from pandas_magic.history.run import Run, Verdict
from pandas_magic.reporters.value_text import clean_lines, one_line


def junit(results: Sequence[Result], not_run: Sequence[str] = (), *, suite: str = "pandas_magic") -> str:
    """One test case per run: FAIL is a failure, ERROR and what did not run an error, SKIPPED a skip.

    The type of a failure is the kind of its rule; its body says the rule and how to see the rows, and holds none.
    """
    runs = [result.run for result in results]
    verdicts = [run.verdict for run in runs]
    root = ElementTree.Element(
        "testsuite",
        name=suite,
        tests=str(len(runs) + len(not_run)),
        failures=str(verdicts.count(Verdict.FAIL)),
        errors=str(verdicts.count(Verdict.ERROR) + len(not_run)),
        skipped=str(verdicts.count(Verdict.SKIPPED)),
        time=f"{sum(run.seconds for run in runs):.3f}",
    )
    if runs:
        root.set("timestamp", min(run.started_at for run in runs).removesuffix("Z"))
    for result in results:
        run = result.run
        name = one_line(run.check_id)
        case = ElementTree.SubElement(root, "testcase", classname=suite, name=name, time=f"{run.seconds:.3f}")
        _outcome(case, result)
    for check_id in not_run:
        name = one_line(check_id)
        case = ElementTree.SubElement(root, "testcase", classname=suite, name=name, time="0.000")
        ElementTree.SubElement(case, "error", type=str(Verdict.ERROR), message=f"{name} did not run")
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _outcome(case: ElementTree.Element, result: Result) -> None:
    run = result.run
    tags = {Verdict.FAIL: "failure", Verdict.ERROR: "error", Verdict.SKIPPED: "skipped"}
    if tag := tags.get(run.verdict):
        said = ElementTree.SubElement(case, tag, type=_kind(result), message=one_line(run.summary))
        said.text = "\n".join(_body(result))
    # JUnit knows no warning and no verdict on a part or other data; what was tolerated or left out must not be lost.
    is_plain = not (run.is_aside or run.warned or run.excepted or run.not_judged or run.nothing_judged)
    told = [] if is_plain else [one_line(line) for line in (run.summary, *run.notes)]
    if told or run.stdout:
        ElementTree.SubElement(case, "system-out").text = "\n".join([*told, clean_lines(run.stdout)]).strip("\n")


def _kind(result: Result) -> str:
    if result.run.verdict is not Verdict.FAIL:
        return str(result.run.verdict)
    constraint = result.compiled.constraint if result.compiled else None
    return kind(constraint) if constraint is not None else "custom"


def _body(result: Result) -> Iterator[str]:
    run, check = result.run, result.compiled.check if result.compiled else None
    if run.error:
        yield clean_lines(run.error)
    if check is not None:
        yield f"rule: {one_line(check.rule)}"
        yield from (f"{name}: {one_line(said)}" for name, said in _about(result) if said)
    if run.verdict is Verdict.FAIL:
        yield from _rows(run)


def _about(result: Result) -> Iterator[tuple[str, str]]:
    assert result.compiled is not None
    check = result.compiled.check
    yield "understood", result.echo
    yield "severity", check.severity
    yield "owner", check.owner


def _rows(run: Run) -> Iterator[str]:
    if run.changes is not None and run.changes.has_any:
        yield f"changed: {one_line(run.changes.in_words())}"
    if run.artifact:
        yield f"failing rows: {one_line(run.artifact)}"

"""Runs for CI systems."""

import json
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from pandas_magic.checking.result import Result
from pandas_magic.history.run import Verdict
from pandas_magic.reporters.github import annotations
from pandas_magic.reporters.junit import junit
from pandas_magic.reporters.verdict_counts import verdicts_json

MakeResult = Callable[..., Result]


def test_every_verdict_has_its_junit_outcome(make_result: MakeResult) -> None:
    results = [make_result(verdict) for verdict in Verdict]

    suite = ElementTree.fromstring(junit(results))

    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "4",
        "failures": "1",
        "errors": "1",
        "skipped": "1",
    }
    outcomes = [[child.tag for child in case] for case in suite]
    assert outcomes == [[], ["failure"], ["error"], ["skipped"]]


def test_control_characters_do_not_break_the_file(make_result: MakeResult) -> None:
    result = make_result(Verdict.ERROR, summary="ERROR: \x00\x1b<&>", error="\x0b", stdout="\x08")

    (case,) = ElementTree.fromstring(junit([result]))

    assert case[0].get("message") == "ERROR: \\x00\\x1b<&>"


def test_json_is_versioned_and_without_code(make_result: MakeResult) -> None:
    content = json.loads(verdicts_json([make_result().run], ["CHK-009"]))

    assert content["version"] == 1
    assert content["checks"][0]["verdict"] == "FAIL"
    assert "code" not in content["checks"][0]
    assert content["not_run"] == ["CHK-009"]


def test_junit_has_what_its_schema_allows(make_result: MakeResult, make_compiled: Callable[..., Any]) -> None:
    failed = make_result(compiled=make_compiled(owner="anna"), artifact=".pandas_magic/artifacts/r1/rows.parquet")
    results = [failed, *map(make_result, (Verdict.PASS, Verdict.SKIPPED)), make_result(Verdict.ERROR, error="no table")]
    suite = ElementTree.fromstring(junit(results))
    # Source: junit-10.xsd of Jenkins' xUnit plugin.
    assert set(suite.attrib) <= {"name", "tests", "failures", "errors", "skipped", "time", "timestamp"}
    assert suite.get("timestamp") == "2026-11-21T08:00:00"
    assert re.fullmatch(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?", suite.get("time", "?"))
    for case in suite:
        assert (case.tag, set(case.attrib)) == ("testcase", {"classname", "name", "time"})
        assert {child.tag for child in case} <= {"failure", "error", "skipped", "system-out"}
        assert all(set(child.attrib) == {"type", "message"} for child in case if child.tag != "system-out")
    told = [(child.tag, child.get("type"), (child.text or "").splitlines()) for case in suite for child in case]
    assert told[0] == (
        "failure",
        "custom",
        [
            "rule: Flag events rows whose user_id is missing from users.",
            "understood: events.user_id exists in users.user_id",
            "severity: medium",
            "owner: anna",
            "failing rows: .pandas_magic/artifacts/r1/rows.parquet",
        ],
    )
    assert [each[:2] for each in told[1:]] == [("skipped", "SKIPPED"), ("error", "ERROR")]
    assert told[2][2][0] == "no table"


def test_what_did_not_run_is_an_error(make_result: MakeResult) -> None:
    suite = ElementTree.fromstring(junit([make_result(Verdict.PASS)], ["CHK-007"]))
    assert (suite.get("tests"), suite.get("errors")) == ("2", "1")
    assert [(case.get("name"), child.get("message")) for case in suite for child in case] == [
        ("CHK-007", "CHK-007 did not run")
    ]


def test_github_names_the_checks_that_did_not_run() -> None:
    assert annotations((), ("late: one",)) == "::error title=late%3A one ERROR::late: one did not run\n"

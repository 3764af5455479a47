"""Runs for CI systems."""

import json
from collections.abc import Callable
from xml.etree import ElementTree

from pandas_magic.checking.result import Result
from pandas_magic.history.run import Verdict
from pandas_magic.reporters.junit import junit
from pandas_magic.reporters.verdict_counts import verdicts_json

MakeResult = Callable[..., Result]


def test_every_verdict_has_its_junit_outcome(make_result: MakeResult) -> None:
    runs = [make_result(verdict).run for verdict in Verdict]

    suite = ElementTree.fromstring(junit(runs))

    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "4",
        "failures": "1",
        "errors": "1",
        "skipped": "1",
    }
    outcomes = [[child.tag for child in case] for case in suite]
    assert outcomes == [[], ["failure"], ["error"], ["skipped"]]


def test_control_characters_do_not_break_the_file(make_result: MakeResult) -> None:
    run = make_result(Verdict.ERROR, summary="ERROR: \x00\x1b<&>", error="\x0b", stdout="\x08").run

    (case,) = ElementTree.fromstring(junit([run]))

    assert case[0].get("message") == "ERROR: \\x00\\x1b<&>"


def test_json_is_versioned_and_without_code(make_result: MakeResult) -> None:
    content = json.loads(verdicts_json([make_result().run]))

    assert content["version"] == 1
    assert content["checks"][0]["verdict"] == "FAIL"
    assert "code" not in content["checks"][0]

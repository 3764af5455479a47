"""Runs in the forms of other systems: exact shapes, no values of rows, no secret ever printed."""

import json
from collections.abc import Callable
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from pandas_magic.checking.result import Result
from pandas_magic.errors import UsageMistake
from pandas_magic.history.run import Changes
from pandas_magic.reporters import webhook
from pandas_magic.reporters.github import annotations
from pandas_magic.reporters.openlineage import openlineage
from pandas_magic.reporters.reports import Outcome, RequestedReport, give_reports, parse_report
from pandas_magic.reporters.run_table import run_table
from tests.pandas_magic.reporters.conftest import SECRET, Chat

MakeResult = Callable[..., Result]
BEGAN = "2026-11-21T02:00:00Z"


@pytest.fixture
def outcome(make_result: MakeResult, make_compiled: Callable[..., Any]) -> Outcome:
    changes = Changes(against="r0", since="2026-11-20T02:00:00Z", new=1, still=1, fixed=4)
    broken = make_result(
        "ERROR",
        compiled=make_compiled("CHK-003"),
        error="could not convert 'secret@value.com'",
        summary="ERROR: 'secret@value.com'",
    )
    return Outcome(
        (make_result(changes=changes), make_result("PASS", compiled=make_compiled("CHK-001")), broken),
        ("CHK-004",),
        "shop",
        BEGAN,
    )


def test_a_chat_is_told_counts_and_names_and_no_value_of_a_row(chat: Chat, outcome: Outcome) -> None:
    assert give_reports([RequestedReport("webhook")], replace(outcome, webhook=chat.address)) == []
    (told,) = chat.told
    assert told["path"] == f"/{SECRET}"
    content = told["content"]
    assert content["text"] == "shop: 1 PASS, 1 FAIL, 1 ERROR; 1 check not run"
    lines = [block["text"]["text"] for block in content["blocks"]]
    assert lines[1].startswith("✗ FAIL CHK-002 Unknown users in events: 2 failing rows (1 new, 1 still, 4 fixed)")
    assert lines[2] == "! ERROR CHK-003 Unknown users in events: could not be judged [medium]"
    assert "secret@value.com" not in json.dumps(content)
    assert {block["type"] for block in content["blocks"]} == {"section"}


@pytest.mark.parametrize("answer", [302, 404, 500])
def test_a_chat_that_refuses_is_said_without_its_address(chat: Chat, outcome: Outcome, answer: int) -> None:
    chat.answer = answer
    problems = give_reports([RequestedReport("webhook")], replace(outcome, webhook=chat.address))
    assert problems == [f"report webhook: the webhook at 127.0.0.1 was not told: it answered {answer}"]
    assert len(chat.told) == 1  # a redirection was not followed


def test_a_chat_that_is_not_there_is_said_without_its_address(outcome: Outcome) -> None:
    for address in (f"http://127.0.0.1:9/{SECRET}", f"ftp://127.0.0.1/{SECRET}", SECRET, f"http://[{SECRET}", ""):
        (problem,) = give_reports([RequestedReport("webhook")], replace(outcome, webhook=address))
        assert problem.startswith("report webhook: ")
        assert "verysecret" not in problem


def test_a_chat_that_never_answers_is_left_in_time(outcome: Outcome) -> None:
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as silent:
        address = f"http://127.0.0.1:{silent.server_port}/{SECRET}"
        with pytest.raises(
            webhook.NotPosted, match=r"the webhook at 127\.0\.0\.1 was not told: it did not answer in time"
        ):
            webhook.post(address, webhook.message(outcome.results), timeout_seconds=0.2)


def test_openlineage_has_the_facet_of_the_specification(outcome: Outcome) -> None:
    start, end = map(json.loads, openlineage(outcome.results, job="shop", began=BEGAN, origins={}).splitlines())
    assert (start["eventType"], start["eventTime"], end["eventType"]) == ("START", BEGAN, "FAIL")
    assert start["run"] == end["run"]
    assert {"run", "job", "eventTime", "producer", "schemaURL"} <= set(end)
    table, other = end["inputs"]
    assert (table["namespace"], table["name"]) == ("pandas_magic", "events")
    assert (other["name"], other["inputFacets"]) == ("users", {})
    facet = table["inputFacets"]["dataQualityAssertions"]
    assert facet["_schemaURL"].endswith(
        "/facets/1-1-0/DataQualityAssertionsDatasetFacet.json#/$defs/DataQualityAssertionsDatasetFacet"
    )
    assert [(each["name"], each["success"], each["column"]) for each in facet["assertions"]] == [
        ("CHK-002", False, "user_id"),
        ("CHK-001", True, "user_id"),
    ]
    assert {name for each in facet["assertions"] for name in each} <= {
        "assertion", "success", "column", "severity", "name", "description", "expected", "actual", "params",
    }  # fmt: skip


def test_github_is_told_on_standard_output_and_in_the_summary(
    outcome: Outcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    assert give_reports([RequestedReport("github")], outcome) == []
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "::error title=CHK-002 FAIL::FAIL: 2 of 1,000 rows of events break the rule"
    assert lines[2:] == ["::error title=CHK-004 ERROR::CHK-004 did not run"]
    assert "| CHK\\-002 | ✗ FAIL |" in (tmp_path / "summary.md").read_text()


def test_a_github_command_cannot_be_forged_by_a_rule(make_result: MakeResult) -> None:
    forged = make_result(summary="FAIL: 50%\n::set-output name=x::y", check_id="A,b::c")
    text = annotations([forged])
    assert text.count("\n") == 1
    assert text.startswith("::error title=A%2Cb%3A%3Ac FAIL::")
    assert "50%25" in text


def test_the_table_says_what_changed_and_what_did_not_run(outcome: Outcome) -> None:
    text = run_table(outcome.results, outcome.not_run)
    assert text.startswith("**pandas_magic: 1 PASS, 1 FAIL, 1 ERROR**")
    assert "1 new, 1 still failing, 4 fixed since" in text
    assert text.endswith("Not run: CHK\\-004\n")


def test_files_are_written_and_one_that_cannot_be_stops_no_other(outcome: Outcome, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    asked = [parse_report(f"junit={tmp_path}/file/no.xml"), parse_report(f"json={tmp_path}/out/v.json")]
    (problem,) = give_reports(asked, outcome)
    assert problem.startswith("report junit: ")
    assert json.loads((tmp_path / "out" / "v.json").read_text())["not_run"] == ["CHK-004"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("junitt=x", 'no report "junitt"; there are .* Did you mean "junit"?'),
        ("junit", "needs a file: --report junit=PATH"),
        ("github=x", "takes no file"),
    ],
)
def test_a_report_that_cannot_be_meant_says_what_can(text: str, reason: str) -> None:
    with pytest.raises(UsageMistake, match=reason):
        parse_report(text)

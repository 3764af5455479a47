"""Findings for other programs: datasets by the names others give them, SARIF at the line of the rule."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pandas_magic.checking.result import Result
from pandas_magic.history.run import Verdict
from pandas_magic.registry import Registry
from pandas_magic.registry.rule_places import rule_places
from pandas_magic.reporters.dataset_names import dataset_name
from pandas_magic.reporters.openlineage import openlineage
from pandas_magic.reporters.reports import Outcome, give_reports, parse_report
from pandas_magic.reporters.sarif import sarif

MakeCompiled = Callable[..., Any]
MakeResult = Callable[..., Result]


# The examples of openlineage.io/docs/spec/naming, with the values that its tests of names use.
@pytest.mark.parametrize(
    ("origin", "namespace", "name"),
    [
        ("/srv/my shop/orders.csv", "file", "/srv/my shop/orders.csv"),
        ("s3://lake/night/a b.parquet", "s3://lake", "night/a b.parquet"),
        ("gs://lake/night.csv", "gs://lake", "night.csv"),
        ("postgresql+psycopg://me:***@db.org/shop sales.orders", "postgres://db.org:5432", "shop.sales.orders"),
        ("postgresql+psycopg://db.org:6543/shop my table", "postgres://db.org:6543", "shop.public.my table"),
        ("postgresql+psycopg:///shop?host=%2Ftmp%2Fpg&port=5433 t", "postgres://localhost:5433", "shop.public.t"),
        ("mysql+pymysql://me@db/shop orders", "mysql://db:3306", "shop.orders"),
        # What has no name there: files of databases, web pages, queries, frames, other sources.
        ("sqlite:////srv/shop.sqlite orders", "file", "/srv/shop.sqlite"),
        ("https://me:pw@example.com/a/b.csv?token=secret", "https://example.com", "a/b.csv"),
        ("postgresql+psycopg://db.example.com/shop", "pandas_magic", "T"),
        ("", "pandas_magic", "T"),
        ("snowflake://account/db t", "pandas_magic", "T"),
    ],
)  # fmt: skip
def test_a_dataset_has_the_name_that_others_give_it(origin: str, namespace: str, name: str) -> None:
    assert dataset_name("T", origin) == (namespace, name)


def test_tables_of_one_dataset_are_one_input(make_result: MakeResult) -> None:
    origins = {"events": "/srv/shop.duckdb", "users": "/srv/shop.duckdb"}
    event = json.loads(openlineage([make_result()], job="shop", began="", origins=origins).splitlines()[1])
    (only,) = event["inputs"]
    (assertion,) = only["inputFacets"]["dataQualityAssertions"]["assertions"]
    assert (only["namespace"], only["name"], assertion["params"]) == ("file", "/srv/shop.duckdb", {"table": "events"})


@pytest.fixture
def workspace(tmp_path: Path, make_compiled: MakeCompiled) -> Path:
    """A workspace in a folder of a repository: one check in the list, two only in the registry, one of them odd."""
    (tmp_path / ".git").mkdir()
    base = tmp_path / "my shop"
    (base / "checks").mkdir(parents=True)
    listed = '[\n  {"id": "CHK-000", "rule": "x"},\n  {"id": "CHK-002",\n   "rule": "y"}\n]\n'
    (base / "checks" / "checks.json").write_text(listed)
    registry = Registry(base / "checks" / "registry", lock_folder=base)
    for check_id in ("CHK-002", "CHK-003", "odd/id"):
        registry.save(make_compiled(check_id, severity="low", owner="anna", tags="money"))
    return base


def test_each_check_that_did_not_pass_is_a_result_at_the_line_of_its_rule(
    workspace: Path, make_result: MakeResult, make_compiled: MakeCompiled
) -> None:
    results = (
        make_result(),
        make_result(Verdict.PASS, compiled=make_compiled("CHK-001")),
        make_result(Verdict.ERROR, compiled=make_compiled("CHK-003"), error="'secret@value.com'"),
        make_result(compiled=make_compiled("odd/id", severity="low")),
        make_result(Verdict.SKIPPED, compiled=make_compiled("CHK-005")),
        make_result(compiled=make_compiled("nowhere")),
    )
    outcome = Outcome(results, ("CHK-006",), "shop", "2026-11-21T02:00:00Z", workspace)
    report = workspace / "out.sarif"
    assert give_reports([parse_report(f"sarif={report}")], outcome) == []

    text = report.read_text()
    assert "secret@value.com" not in text
    log = json.loads(text)
    assert_sarif(log)
    (run,) = log["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [each.run.check_id for each in results]
    found = {
        result["ruleId"]: (
            result["level"],
            [(place["physicalLocation"]["artifactLocation"]["uri"], place["physicalLocation"]["region"]["startLine"])
             for place in result.get("locations", ())],
        )
        for result in run["results"]
    }  # fmt: skip
    assert found == {
        "CHK-002": ("error", [("my%20shop/checks/checks.json", 3)]),
        "CHK-003": ("error", [("my%20shop/checks/registry/CHK-003.json", 5)]),
        "odd/id": ("warning", [("my%20shop/checks/registry/odd%252Fid.json", 5)]),
        "nowhere": ("error", []),
    }
    own = (workspace / "checks" / "registry" / "CHK-003.json").read_text().splitlines()
    assert own[4].strip().startswith('"rule":')
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert [each["message"]["text"] for each in invocation["toolExecutionNotifications"]] == ["CHK-006 did not run"]


def test_an_alert_of_a_code_host_outlives_a_rule_that_moves(workspace: Path, make_result: MakeResult) -> None:
    def log() -> Any:
        places = rule_places(workspace / "checks", ["CHK-002"])
        return json.loads(sarif([make_result()], places=places, base_dir=workspace))["runs"][0]

    before = log()
    listed = workspace / "checks" / "checks.json"
    listed.write_text(listed.read_text().replace("[\n", "[\n\n\n", 1))
    after = log()
    assert before["results"][0]["locations"] != after["results"][0]["locations"]
    assert before["results"][0]["partialFingerprints"] == after["results"][0]["partialFingerprints"]
    assert after["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


# What sarif-schema-2.1.0.json allows of what is written: names, and those that must be there. Its texts are not ours to
# keep; the whole schema was applied by hand, see DECISIONS.
_SARIF = {
    "": ({"version", "runs"}, {"$schema"}),
    "runs": ({"tool"}, {"invocations", "results"}),
    "runs.tool.driver": ({"name"}, {"version", "rules"}),
    "runs.tool.driver.rules": ({"id"}, {"shortDescription", "fullDescription", "defaultConfiguration", "properties"}),
    "runs.invocations": ({"executionSuccessful"}, {"toolExecutionNotifications"}),
    "runs.invocations.toolExecutionNotifications": ({"message"}, {"level"}),
    "runs.results": ({"message"}, {"ruleId", "level", "locations", "partialFingerprints"}),
    "runs.results.locations.physicalLocation": (set(), {"artifactLocation", "region"}),
}


def assert_sarif(content: Any, at: str = "") -> None:
    """Every object has the names that it must have, and none that the schema lacks."""
    for each in content if isinstance(content, list) else [content]:
        if not isinstance(each, dict):
            continue
        if at in _SARIF:
            needed, allowed = _SARIF[at]
            assert needed <= set(each) <= needed | allowed, at
        assert each.get("level", "none") in ("none", "note", "warning", "error")
        for name, value in each.items():
            assert_sarif(value, f"{at}.{name}".lstrip("."))

"""`pytest --pandas-magic`: checks as test items, run by pytest itself.

It runs what docs/tests.md shows.
"""

import json
import os
import shutil
from pathlib import Path

import pytest

from pandas_magic.cli.main import main

EXAMPLES = Path(__file__).parents[3] / "examples"


class Reports:
    """A plugin that keeps what pytest says of each item."""

    def __init__(self) -> None:
        self.calls: dict[str, tuple[str, str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.calls[report.nodeid.rpartition("::")[2]] = report.outcome, report.longreprtext


def test_each_check_is_an_item_with_its_failing_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "orders.csv").write_text("order_id,amount\n1,5\n2,-3\n")
    rules = {
        "PASSES": {"rule": "order_id must be present"},
        "FAILS": {"rule": "amount must be positive"},
        "RESTS": {"rule": "order_id must be unique", "enabled": False},
        "WAITS": {"rule": "amount must be less than 9"},
    }
    (tmp_path / "checks").mkdir()
    listed = [{"id": name, **said} for name, said in rules.items()]
    (tmp_path / "checks" / "checks.json").write_text(json.dumps(listed))
    assert main(["compile", "-C", str(tmp_path)]) == 0
    assert main(["approve", "-C", str(tmp_path), "PASSES", "FAILS"]) == 0

    reports = Reports()
    asked = ["-c", os.devnull, "--rootdir", str(tmp_path), "-p", "no:cacheprovider", "--pandas-magic", str(tmp_path)]
    code = pytest.main([*asked, str(tmp_path)], plugins=[reports])

    assert code == pytest.ExitCode.TESTS_FAILED
    outcomes = {name: outcome for name, (outcome, _) in reports.calls.items()}
    assert outcomes == {"PASSES": "passed", "FAILS": "failed", "RESTS": "skipped", "WAITS": "failed"}
    assert "-3" in reports.calls["FAILS"][1].partition("Failing rows")[2]
    assert "pandas-magic approve WAITS" in " ".join(reports.calls["WAITS"][1].split())


ODD = """
import pandas as pd
import pytest

def test_broken(pandas_magic):
    pandas_magic.holds("amount must be positive", orders=pd.DataFrame({"amount": [5, -31]}))

def test_empty(pandas_magic):
    with pytest.warns(UserWarning, match="amount must be positive: PASS, but no row of orders was judged"):
        run = pandas_magic.holds("amount must be positive", orders=pd.DataFrame({"amount": [1]}).iloc[:0])
    assert run.verdict == "PASS"

def test_question(pandas_magic):
    pandas_magic.holds("revenue must be positive", orders=pd.DataFrame({"amount": [5]}))

def test_unknown(pandas_magic):
    pandas_magic.passes("CHK-0001")
"""


def test_tests_of_ones_own_ask_for_rules_and_checks(tmp_path: Path) -> None:
    for part in ("checks", "data", "tests"):
        shutil.copytree(EXAMPLES / part, tmp_path / part)
    (tmp_path / "tests" / "test_odd.py").write_text(ODD)

    reports = Reports()
    asked = ["-c", os.devnull, "--rootdir", str(tmp_path), "-p", "no:cacheprovider", str(tmp_path / "tests")]
    assert pytest.main(asked, plugins=[reports]) == pytest.ExitCode.TESTS_FAILED

    outcomes = {name: outcome for name, (outcome, _) in reports.calls.items()}
    assert [name for name, outcome in outcomes.items() if outcome == "passed"] == ["test_empty", "test_orders"]
    assert len(outcomes) == 6
    said = {name: text for name, (_, text) in reports.calls.items()}
    assert "-31" in said["test_broken"].partition("Failing rows")[2]
    assert "7 of 2,000 rows of users break the rule" in said["test_totals"]
    assert "revenue" in said["test_question"]
    assert 'Did you mean "CHK-001"?' in said["test_unknown"]

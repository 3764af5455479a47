"""`pytest --pandas-magic`: checks as test items, run by pytest itself.

It runs what docs/tests.md shows.
"""

import json
import os
from pathlib import Path

import pytest

from pandas_magic.cli.main import main


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

"""The commands of docs/findings.md, with the receiver of the examples in place of chats and collectors."""

import json
import re
import runpy
import threading
from collections.abc import Iterator
from http.server import HTTPServer
from pathlib import Path

import pytest

from pandas_magic.cli.main import main

ROOT = Path(__file__).parents[3]
FILES, SENT = re.findall(r"^pandas-magic (run .*)$", (ROOT / "docs" / "findings.md").read_text(), re.MULTILINE)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One approved check that fails, one that errs, one that passes; Anna has an address, nobody else."""
    for part in ("data", "checks"):
        (tmp_path / part).mkdir()
    (tmp_path / "data" / "orders.csv").write_text("order_id,amount\n1,5\n2,-3\n")
    (tmp_path / "data" / "users.csv").write_text("user_id\n1\n")
    rules = {
        "FAILS": "orders.amount must be positive",
        "ERRS": "users.user_id must be unique",
        "FINE": "orders.order_id must be unique",
    }
    owners = {"FAILS": "anna", "ERRS": "ben"}
    listed = [{"id": name, "rule": rule, "owner": owners.get(name, "")} for name, rule in rules.items()]
    (tmp_path / "checks" / "checks.json").write_text(json.dumps(listed, indent=1))
    (tmp_path / "pyproject.toml").write_text('[tool.pandas_magic.alerts]\nanna = "${ANNAS_WEBHOOK}"\n')
    monkeypatch.chdir(tmp_path)
    assert main(["compile"]) == 0
    assert main(["approve", "--all"]) == 0
    (tmp_path / "data" / "users.csv").unlink()
    return tmp_path


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    handler = runpy.run_path(str(ROOT / "examples" / "findings" / "receiver.py"))["Receiver"]
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_findings_are_written_and_sent_as_the_page_says(
    shop: Path, receiver: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(FILES.split()) == 3  # a check could not run
    events = [json.loads(line) for line in (shop / "out" / "events.jsonl").read_text().splitlines()]
    (orders,) = events[1]["inputs"]
    assert (events[1]["eventType"], orders["namespace"]) == ("FAIL", "file")
    assert orders["name"] == str(shop / "data" / "orders.csv")
    (log,) = json.loads((shop / "out" / "checks.sarif").read_text())["runs"]
    places = [
        (each["ruleId"], each["locations"][0]["physicalLocation"]["region"]["startLine"]) for each in log["results"]
    ]
    assert places == [("FAILS", 2), ("ERRS", 7)]

    # Nobody is reached, and nothing is lost: what anna is not told now, she is told once.
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver)
    capsys.readouterr()
    assert main(SENT.split()) == 3
    told = capsys.readouterr()
    assert 'the address of "anna" needs the environment variable ANNAS_WEBHOOK' in told.err
    assert 'no address for owner "ben"' in told.err
    assert '"pandas_magic.check.id": "ERRS"' in told.out
    assert "/v1/metrics pandas_magic.check.staleness" in told.out
    monkeypatch.setenv("ANNAS_WEBHOOK", f"{receiver}/anna")
    monkeypatch.setenv("PANDAS_MAGIC_WEBHOOK", f"{receiver}/all")
    assert main(["run", "--report", "alerts"]) == 3
    alerts = [line for line in capsys.readouterr().out.splitlines() if line.startswith(("/anna", "/all"))]
    assert [re.sub(r"\(20.*\)", "", line) for line in alerts] == [
        f"/anna *{shop.name}: 1 verdict changed*",
        "/anna ✗ FAIL FAILS orders.amount must be positive: 1 failing row (0 new, 1 still, 0 fixed) [medium · anna] ",
        f"/all *{shop.name}: 1 verdict changed*",
        "/all ! ERROR ERRS users.user_id must be unique: could not be judged [medium · ben] ",
    ]
    assert main(["run", "--report", "alerts"]) == 3
    assert "verdict changed" not in capsys.readouterr().out

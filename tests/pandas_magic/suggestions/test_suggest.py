"""`pandas-magic suggest`, the function and the magic: what is offered, why, what it finds, what is kept.

It runs what docs/suggest.md shows.
"""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

import pandas_magic
from pandas_magic.cli.main import main
from pandas_magic.errors import UsageMistake
from pandas_magic.history.log import RunLog
from pandas_magic.history.past import line_of_run
from pandas_magic.history.run import Verdict
from pandas_magic.notebook import magics
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rows = range(60)
    frames = {
        "orders": {
            "order_id": [n if n != 50 else 49 for n in rows],
            "user_id": [1 + n % 20 for n in rows],
            "amount": [n % 30 + 0.5 for n in rows],
            "status": ["open", "paid", "sent"] * 20,
            "note": [None] * 40 + ["x"] * 20,
        },
        "users": {"user_id": list(range(1, 20)), "joined": ["2026-11-01T10:00:00"] * 19},
        "no_rows": {"a": []},
        "one_row": {"a": [1]},
        "nothing": {"a": [None] * 30, "b": [None] * 30},
    }
    for name, columns in frames.items():
        pd.DataFrame(columns).to_csv(tmp_path / f"{name}.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(capsys: Capture, *words: str) -> dict[str, Any]:
    assert main(["suggest", "--json", *words]) == 0
    return dict(json.loads(capsys.readouterr().out))


def rules_of(found: dict[str, Any]) -> list[str]:
    return [one["rule"] for one in found["suggestions"]]


def test_tables_give_few_ranked_rules_that_compile_with_what_they_find(folder: Path, capsys: Capture) -> None:
    found = told(capsys)
    orders = [one for one in found["suggestions"] if one["place"] == "orders"]
    assert [(one["rule"], one["failing_rows"], one["because"]) for one in orders] == [
        ("orders: user_id must be among users.user_id", 3, "named like users.user_id"),
        ("orders: order_id must be unique", 2, "59 different values in 60 rows"),
        ("orders: status must be one of 'open', 'paid', 'sent'", 0, "3 different values"),
        ("orders: order_id must be present", 0, "nothing is missing"),
        ("orders: amount must be at least 0", 0, "no value is below 0"),
    ]
    assert all(read_canonical(rule) for rule in rules_of(found))
    assert {one["place"]: one["reason"] for one in found["withheld"]} == {
        "no_rows": "what holds in 0 rows may hold by accident; it takes 10",
        "one_row": "what holds in 1 row may hold by accident; it takes 10",
        "nothing": "nothing was found in it that a check could hold",
    }
    assert not (folder / "checks").exists()


NOTEBOOK = [
    ["%load_ext pandas_magic\n", "import pandas as pd"],
    ["%%check\n", "amount must be positive"],
    ["%%time\n", "files = !ls\n", "df = pd.read_csv('orders.csv')\n", "df.head?\n"],
    ["def broken(:\n"],
    ["m = df.merge(pd.read_csv('users.csv'), on='user_id')\n", "why = 'is it?'\n", "df.note.astype(int)"],
    ["if True:\n", "    %timeit 1\n", "df['amount'].map(lambda a: a / df.amount)"],
]


def test_a_notebook_of_magics_is_read_by_cell_and_line_and_what_is_kept_is_a_check(
    folder: Path, capsys: Capture
) -> None:
    cells = [{"cell_type": "code", "source": source} for source in NOTEBOOK]
    notebook = {"cells": [{"cell_type": "markdown", "source": ["# Report"]}, *cells], "nbformat": 4}
    (folder / "report.ipynb").write_text(json.dumps(notebook))
    found = told(capsys, "report.ipynb", "--keep", "1,2")
    assert [(one["rule"], one["verdict"], one["place"]) for one in found["suggestions"]] == [
        ("orders: user_id must be among users.user_id", "FAIL", "cell 5, line 1"),
        ("users: user_id must be unique", "PASS", "cell 5, line 1"),
        ("orders: note must be present and note must be readable as an integer", "FAIL", "cell 5, line 3"),
    ]
    assert [(one["place"], one["reason"]) for one in found["withheld"]] == [
        ("cell 4", "it is no Python: invalid syntax in line 1")
    ]
    assert found["kept"] == ["CHK-001", "CHK-002"]
    assert main(["run", "--allow-proposed"]) == 1
    capsys.readouterr()
    again = told(capsys, "report.ipynb")
    assert [one["kept_as"] for one in again["suggestions"]] == ["CHK-001", "CHK-002", ""]


def test_where_nothing_is_found_it_says_why(folder: Path, tmp_path_factory: Any, capsys: Capture) -> None:
    (folder / "report.py").write_text("df.age.astype(int)")
    assert "frames of another name are those of --table NAME" in told(capsys, "report.py")["withheld"][0]["reason"]
    assert main(["suggest", "-C", str(tmp_path_factory.mktemp("bare"))]) == 2
    assert "no table can be read in" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "text", "said"),
    [
        (["report.py"], "df = (", "report.py is no Python: '(' was never closed in line 1"),
        (["report.ipynb"], "", "is no notebook of format 4"),
        (["report.ipynb"], '{"worksheets": []}', "is no notebook of format 4"),
        (["report.ipynb"], '{"cells": [], "metadata": {"kernelspec": {"language": "R"}}}', "a notebook in R"),
        (["none.py"], "", "none.py cannot be read"),
        (["report.py", "--table", "oders"], "df.a", 'no table "oders"'),
        (["oders"], "", 'no table, script, notebook or check "oders"'),
        (["report.py", "--keep", "3"], "x = 1", "3 is none of the checks offered"),
    ],
)
def test_a_mistake_is_one_line(folder: Path, capsys: Capture, words: list[str], text: str, said: str) -> None:
    (folder / ("report.ipynb" if "report.ipynb" in words else "report.py")).write_text(text)
    assert main(["suggest", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


RULES = {
    "CHK-001": "the number of rows in orders must be at most 50",
    "CHK-002": "the mean of amount in orders must be at most 1",
    "CHK-003": "amount must be at least 2",
    "CHK-004": "order_id must be unique",
    "CHK-005": "users as a whole: the maximum of joined in users must be no earlier than now - 1 hours",
}


@pytest.fixture
def with_history(folder: Path) -> Path:
    """Thirteen runs of each check on other data each time; the first two saw the same."""
    workspace = Workspace.open(folder)
    runs = [workspace.check(CheckRequest(rule)).run for rule in RULES.values()]
    workspace.close()
    log = RunLog(folder / ".pandas_magic")
    log.path.unlink()
    for night in range(13):
        rows = 1000 + 7 * (night * 5 % 11)
        latest = datetime(2026, 11, night + 1, 2, tzinfo=UTC) - timedelta(hours=5 + night % 4)
        local = latest.astimezone().replace(tzinfo=None).isoformat()
        for run, statistic in zip(runs, (rows, 15 + rows % 10 / 10, None, None, local), strict=True):
            seen = {name: statistic for name in run.statistics}
            said = {"run_id": f"{run.run_id}-{night}", "rows": rows, "statistics": seen}
            said |= {
                "fingerprints": dict.fromkeys(run.fingerprints, str(max(night, 1))),
                "started_at": f"2026-11-{night + 1:02}T02:00:00Z",
            }
            if run.check_id == "CHK-003":
                said |= {"violation_count": 20 + night % 4}
            if run.check_id == "CHK-004" and night < 12:
                said |= {"violation_count": 0, "verdict": Verdict.PASS}
            log.append(line_of_run(run.model_copy(update=said)))
    return folder


def test_bands_fit_what_runs_on_different_data_saw_and_are_said_in_words(with_history: Path, capsys: Capture) -> None:
    found = told(capsys, "history")
    assert [(one["rule"], one["because"]) for one in found["suggestions"]] == [
        ("orders as a whole: the number of rows in orders must be between 940 and 1130",
         "between 940 and 1,130: the last 12 runs had 1,000 to 1,070"),
        ("orders as a whole: the mean of amount in orders must be at least 14.1 (up to rounding) and "
         "the mean of amount in orders must be at most 16.8 (up to rounding)",
         "between 14.1 and 16.8: the last 12 runs had 15 to 15.9"),
        ("orders: amount must be at least 2; at most 2.6 % of rows may break this",
         "up to 2.6 %: in the last 12 runs 1.88 % to 2.3 % of the rows broke it"),
        ("users as a whole: the maximum of joined in users must be no earlier than now - 12 hours",
         "up to 12 hours old: in the last 12 runs it was 5.0 to 8.0 hours old"),
        ("users as a whole: the number of rows in users must be between 940 and 1130",
         "between 940 and 1,130 rows: the last 12 runs had 1,000 to 1,070"),
    ]  # fmt: skip
    assert [(one["place"], one["reason"]) for one in found["withheld"]] == [
        ("CHK-004", "in most runs no row broke it, so that no share is usual")
    ]
    (only,) = told(capsys, "CHK-002")["suggestions"]
    assert only["place"] == "CHK-002"


def test_a_band_is_not_learned_from_failing_runs_alone(with_history: Path, capsys: Capture) -> None:
    log = with_history / ".pandas_magic" / "runs_log.jsonl"
    runs = [json.loads(line) for line in log.read_text().splitlines()]
    for run in runs[1::2]:
        run |= {"engine": "DuckDB 1.4.0", "verdict": "PASS", "statistics": {}}
    log.write_text("".join(json.dumps(run) + "\n" for run in runs))
    found = told(capsys, "CHK-002")
    assert found["suggestions"] == []
    assert found["withheld"][0]["reason"] == "DuckDB 1.4.0 keeps no number of runs that pass"


def test_what_a_check_says_already_in_other_words_is_kept_once(with_history: Path, capsys: Capture) -> None:
    again = told(capsys, "orders")["suggestions"]
    number = next(at for at, one in enumerate(again, 1) if one["kept_as"] == "CHK-004")
    assert told(capsys, "orders", "--keep", str(number))["kept"] == ["CHK-004"]


def test_the_rows_of_a_table_that_no_check_counts_have_a_band_and_few_runs_have_none(
    with_history: Path, capsys: Capture
) -> None:
    log = with_history / ".pandas_magic" / "runs_log.jsonl"
    lines = [line for line in log.read_text().splitlines() if '"CHK-003"' in line]
    log.write_text("\n".join(lines) + "\n")
    last = told(capsys, "history")["suggestions"][-1]
    assert (last["place"], last["verdict"]) == ("orders", "FAIL")  # there are 60 rows today
    assert last["because"] == "between 940 and 1,130 rows: the last 12 runs had 1,000 to 1,070"
    log.write_text("\n".join(lines[:5]) + "\n")
    found = told(capsys, "history")
    assert found["suggestions"] == []
    refusal = "a band is learned from 10 runs on different data and more, and there are 4"
    assert {one["reason"] for one in found["withheld"]} == {refusal}
    log.unlink()
    assert "no check has run here" in told(capsys, "history")["withheld"][0]["reason"]


def test_in_python_and_in_a_notebook_it_is_one_call(folder: Path, shell: InteractiveShell, capsys: Capture) -> None:
    first, *_ = pandas_magic.suggest("orders", workspace=folder)
    assert (first.sentence, first.run.violation_count) == ("orders: user_id must be among users.user_id", 3)
    (folder / "report.py").write_text("df.merge(users, on='user_id')")
    magics.load(shell)
    try:
        with pytest.raises(UsageMistake, match="nothing was offered yet"):
            shell.run_line_magic("checks", "suggest --keep 1")
        listing = shell.run_line_magic("checks", "suggest report.py --table orders")
        assert [row[1] for row in listing.rows] == [first.sentence, "users: user_id must be unique"]
        shell.run_line_magic("checks", "suggest --keep 2")
        with pytest.raises(UsageMistake, match="takes one table"):
            shell.run_line_magic("checks", "suggest orders users")
    finally:
        magics.unload(shell)
    listed = json.loads((folder / "checks" / "checks.json").read_text())
    assert [entry["rule"] for entry in listed] == ["users: user_id must be unique"]

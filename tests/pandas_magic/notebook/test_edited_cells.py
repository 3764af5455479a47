"""A saved cell whose code a person changed: another thing than the check, wherever a verdict is shown or counted."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from pandas_magic.checking.bench import Bench
from pandas_magic.cli.main import main
from pandas_magic.errors import CheckFailed, CodeRefused, NotProved, UsageMistake
from pandas_magic.notebook import magics
from pandas_magic.notebook.saved_cell import cell_text
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.reporters.bundle import bundle
from pandas_magic.workspace import Workspace

RULE = "amount must be positive"
EMPTY = "%%check --run CHK-010\nviolations = orders.head(0)"
# Right on every sample, wrong on the real table.
SLY = 'violations = orders[~(orders["amount"] > 0)] if len(orders) < 1500 else orders.iloc[:0]'


@pytest.fixture
def workspace(tmp_path: Path, bench: Bench) -> Workspace:
    (tmp_path / "data").mkdir()
    amounts = [-1, 0, *range(1, 1999)]
    pd.DataFrame({"order_id": range(2000), "amount": amounts}).to_csv(tmp_path / "data" / "orders.csv", index=False)
    opened = Workspace.open(tmp_path)
    opened.bench = opened.runner.bench = bench
    opened.check(CheckRequest(RULE, id="CHK-010"))
    return opened


@pytest.fixture
def run_cell(shell: InteractiveShell, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable]:
    """Runs a cell of a notebook in the workspace's folder and gives its value."""
    monkeypatch.chdir(workspace.base_dir)
    magics.load(shell, open_workspace=lambda _: workspace)

    def run(cell: str) -> object:
        done = shell.run_cell(cell, store_history=False)
        if error := done.error_before_exec or done.error_in_exec:
            raise error
        return done.result

    yield run
    magics.unload(shell)


def shown(result: object) -> str:
    return str(bundle([result])[0]["text/plain"])  # type: ignore[list-item] # a result of one check


def test_an_error_at_run_time_counts_lines_as_the_cell_does(run_cell: Callable) -> None:
    card = shown(run_cell("%%check --run CHK-010\n# mine\n\nfound = orders\nviolations = found['no such column']"))
    assert "KeyError in line 5: 'no such column'" in card
    with pytest.raises(NotProved, match="KeyError in line 5: 'no such column'"):
        run_cell("%%check --run CHK-010 --accept\n# mine\n\nfound = orders\nviolations = found['no such column']")


def test_in_a_page_an_edit_that_is_not_proved_is_a_card_and_the_gate_refuses(
    run_cell: Callable, shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shell, "get_parent", lambda: {"metadata": {"cellId": "c1"}}, raising=False)
    assert run_cell("%%check --run CHK-010 --accept\nviolations = orders.head(0)") is None
    assert "NotProved" not in capsys.readouterr().err
    run_cell("%check --run CHK-010")
    with pytest.raises(CheckFailed, match="1 question without a verdict"):
        run_cell("%checks gate")


def test_its_card_says_edited_and_shows_neither_understanding_nor_proof(run_cell: Callable) -> None:
    card = shown(run_cell(EMPTY))
    assert "✎ EDITED" in card
    assert "edited, not proved: this code finds 0 rows of orders and is not the check" in card
    assert "PASS" not in card and "Proof" not in card and "Understood" not in card


def test_no_list_history_trend_or_report_counts_it_as_the_check(
    run_cell: Callable, workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    before = workspace.journal.history.runs("CHK-010")
    run_cell(EMPTY)
    assert workspace.journal.history.runs("CHK-010") == before
    assert [entry.last_run and str(entry.last_run.verdict) for entry in workspace.entries()] == ["FAIL"]
    assert main(["list", "-C", str(workspace.base_dir)]) == 0
    assert "FAIL" in capsys.readouterr().out


def test_the_gate_and_its_reports_have_it_as_an_error(run_cell: Callable, workspace: Workspace) -> None:
    run_cell(EMPTY)
    with pytest.raises(CheckFailed, match="CHK-010 ERROR"):
        run_cell("%checks gate")
    told = json.loads((workspace.base_dir / "checks_result.json").read_text())
    assert "edited, not proved" in json.dumps(told)
    assert "edited, not proved" in (workspace.base_dir / "checks_junit.xml").read_text()


def test_a_check_run_beside_it_does_not_make_the_gate_forget_it(run_cell: Callable, workspace: Workspace) -> None:
    table = workspace.base_dir / "data" / "orders.csv"
    table.write_text("order_id,amount\n1,5\n")
    run_cell(EMPTY)
    assert str(run_cell("%checks run CHK-010").run.verdict) == "PASS"
    with pytest.raises(CheckFailed, match="CHK-010 ERROR"):
        run_cell("%checks gate")
    run_cell(cell_text(workspace.registry.get("CHK-010")))
    assert run_cell("%checks gate") is not None


def test_allowed_by_name_its_verdict_says_so_everywhere(run_cell: Callable, workspace: Workspace) -> None:
    card = shown(run_cell(EMPTY.replace("CHK-010\n", "CHK-010 --allow-edited\n")))
    assert "✎ EDITED, PASS" in card
    assert "edited code, allowed by name and not proved" in card
    run_cell("%checks gate")
    assert "edited code, allowed by name" in (workspace.base_dir / "checks_result.json").read_text()


def test_a_scheduled_notebook_ends_with_three_unless_it_is_allowed(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    cells = [nbformat.v4.new_code_cell(text) for text in ("%load_ext pandas_magic", EMPTY)]
    path = workspace.base_dir / "night.ipynb"
    path.write_text(nbformat.writes(nbformat.v4.new_notebook(cells=cells)))
    folder = str(workspace.base_dir)
    assert main(["run", "-C", folder, str(path)]) == 3
    assert "edited, not proved" in capsys.readouterr().out
    assert main(["run", "-C", folder, str(path), "--allow-edited", "CHK-010"]) == 0
    assert "edited code, allowed by name" in capsys.readouterr().out


def test_accepted_code_that_finds_other_rows_than_the_rule_is_an_error_with_the_rows(workspace: Workspace) -> None:
    workspace.accept("CHK-010", SLY)
    result = workspace.run_saved("CHK-010")
    assert (result.run.verdict, result.run.violation_count) == ("ERROR", None)
    assert "misses 2 rows that the rule's own code finds" in result.run.error
    assert result.violations["order_id"].tolist() == [0, 1]


def test_accepted_code_that_finds_the_same_rows_is_the_check(workspace: Workspace) -> None:
    known = 'good = orders["amount"] > 0\nviolations = orders[~good]'
    workspace.accept("CHK-010", known)
    run = workspace.run_saved("CHK-010", code=known).run
    assert (run.verdict, run.violation_count, run.edited) == ("FAIL", 2, False)


@pytest.mark.parametrize(
    "code",
    [
        "violations = orders.merge(orders, how='cross').head(6000)",
        "violations = pd.concat([orders] * 3)",
        "violations = orders[orders['amount'] > 5].reset_index(drop=True)",
        "violations = orders.assign(amount=1)",
    ],
)
def test_rows_that_are_not_the_tables_are_never_counted(workspace: Workspace, code: str) -> None:
    run = workspace.run_saved("CHK-010", code=code, allow_edited=True).run
    assert (run.verdict, run.violation_count) == ("ERROR", None)
    assert "no rows of orders" in run.error


def test_failing_rows_are_never_saved_over_a_table(run_cell: Callable, workspace: Workspace) -> None:
    table = workspace.base_dir / "data" / "orders.csv"
    before = table.read_bytes()
    with pytest.raises(UsageMistake, match=r"orders\.csv is there already and no output of ours"):
        run_cell("%checks rows CHK-010 --save data/orders.csv")
    assert table.read_bytes() == before
    for _ in range(2):
        run_cell("%checks rows CHK-010 --save data/failing.csv")
    assert workspace.table_names() == ["orders"]


@pytest.mark.parametrize("how", ["", " --accept"])
def test_a_line_that_is_refused_is_counted_as_the_cell_counts_it(run_cell: Callable, how: str) -> None:
    with pytest.raises(CodeRefused, match="line 5, column 20: this is no Python"):
        run_cell(f"%%check --run CHK-010{how}\n\n# mine\n\nviolations = orders[orders")

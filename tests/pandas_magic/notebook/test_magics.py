"""What a person types, and what comes of it, in an IPython shell."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import nbformat
import pandas as pd
import pytest
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

from kernel_sandbox import Display, Execution
from pandas_magic.errors import CheckFailed, NoSuchName, PandasMagicError, RuleNotUnderstood, UsageMistake
from pandas_magic.history.run import Verdict
from pandas_magic.notebook import magics
from pandas_magic.notebook.notebook_session import Interrupted, RulesNotChecked
from pandas_magic.notebook.saved_cell import cell_text
from pandas_magic.reporters.code_output import SandboxCodeFailed

Make = Callable[..., Any]
RULE = "orders.user_id must exist in users.user_id"


@pytest.mark.feature("A05")
def test_rule_and_options_become_a_request(notebook: Any) -> None:
    notebook.run(
        "%%check CHK-007 --tables events,users --target events --severity high --owner data@example.com "
        f'--tags "integrity, join" --name "Unknown users" --unproven\n{RULE}'
    )

    (request,) = notebook.workspace.requests
    assert request.rule == RULE
    assert (request.id, request.name, request.target, request.severity) == (
        "CHK-007",
        "Unknown users",
        "events",
        "high",
    )
    assert (request.tables, request.owner, request.tags) == (
        ("events", "users"),
        "data@example.com",
        ("integrity", "join"),
    )
    assert request.unproved_allowed


def test_what_is_not_said_is_left_to_the_workspace(notebook: Any) -> None:
    notebook.run(f"%%check\n{RULE}")

    (request,) = notebook.workspace.requests
    assert (request.id, request.name, request.tables, request.severity, request.tags) == (None, None, (), None, None)


def test_result_comes_back_as_the_cells_value(notebook: Any) -> None:
    result = notebook.run(f"%%check CHK-007\n{RULE}")

    assert result.run.check_id == "CHK-007"
    assert notebook.run(f"%%check CHK-007 -o found\n{RULE}") is notebook.shell.user_ns["found"]


def test_frames_of_the_notebook_are_handed_to_the_workspace(notebook: Any) -> None:
    notebook.shell.user_ns["mine"] = pd.DataFrame()

    notebook.run(f"%%check\n{RULE}")

    assert "mine" in notebook.opened_with[0]


def test_bullets_are_checks_of_their_own(notebook: Any) -> None:
    results = notebook.run("%%check CHK-007\n- a.x must not be null\n- a.y must be unique")

    assert [request.id for request in notebook.workspace.requests] == ["CHK-007-1", "CHK-007-2"]
    assert [result.compiled.check.rule for result in results] == ["a.x must not be null", "a.y must be unique"]


def test_bullets_without_an_id_get_the_next_free_ones(notebook: Any) -> None:
    notebook.run("%%check\n- a.x must not be null\n- a.y must be unique")

    assert [request.id for request in notebook.workspace.requests] == [None, None]


@pytest.mark.parametrize("cell", ["%%check CHK-007", "%%check CHK-007\n", "%%check CHK-007\n  \n\n"])
def test_empty_rule_is_one_clear_line(notebook: Any, cell: str) -> None:
    with pytest.raises(UsageMistake, match="the cell holds no rule; write one as a sentence"):
        notebook.run(cell)


def test_a_table_behind_the_magic_is_no_id_unless_a_check_has_it(notebook: Any, make_result: Make) -> None:
    with pytest.raises(UsageMistake, match="%%check --target events, or another id"):
        notebook.run(f"%%check events\n{RULE}")
    assert notebook.workspace.requests == []

    notebook.workspace.saved["events"] = make_result()
    notebook.run(f"%%check events\n{RULE}")
    assert [request.id for request in notebook.workspace.requests] == ["events"]


def test_one_rule_that_is_not_understood_keeps_no_other_from_running(notebook: Any, capsys: Any) -> None:
    answer = notebook.workspace.answer

    def second_is_odd(request: Any) -> Any:
        if "odd" in request.rule:
            raise RuleNotUnderstood(request.rule, 'I don\'t understand "odd".')
        return answer(request)

    notebook.workspace.answer = second_is_odd

    with pytest.raises(RulesNotChecked, match=r'^rule 2 of 3, "a\.y is odd": I don.t understand "odd"\.$'):
        notebook.run("%%check CHK-007\n- a.x must not be null\n- a.y is odd\n- a.z must be unique")
    assert len(notebook.workspace.requests) == 3
    assert "CHK-007-1" in capsys.readouterr().out


def test_errors_of_several_rules_are_all_told(notebook: Any) -> None:
    def odd(request: Any) -> Any:
        raise RuleNotUnderstood(request.rule, f"not understood: {request.rule}.")

    notebook.workspace.answer = odd

    with pytest.raises(RulesNotChecked) as raised:
        notebook.run("%%check\n- a is odd\n- b is odd")
    assert str(raised.value).split("\n") == [
        'rule 1 of 2, "a is odd": not understood: a is odd.',
        'rule 2 of 2, "b is odd": not understood: b is odd.',
    ]


@pytest.mark.parametrize(
    "cell", ["%%check --help", "%%check --help\nx", "%check -h", "%checks --help", "%tables --help"]
)
def test_help_lists_the_options_and_does_nothing(notebook: Any, capsys: Any, cell: str) -> None:
    assert notebook.run(cell) is None

    assert "--help" in capsys.readouterr().out
    assert notebook.workspace.requests == []


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        (f"%%check --severty high\n{RULE}", "Did you mean --severity"),
        (f"%%check --severity dire\n{RULE}", "choose from"),
        (f'%%check --name "half\n{RULE}', 'a quotation mark in `--name "half` has no partner'),
        ("%checks rum", 'no action "rum".*Did you mean "run"'),
        ("%checks diff", "takes one id"),
        ("%checks diff CHK-002", "CHK-002 has not run in this notebook"),
        ("%checks save", "takes one notebook"),
        ("%checks save checks.txt", "takes one notebook"),
        ("%checks gate", "no check ran in this notebook"),
        ("%check --run CHK-001,CHK-002\n", "CHK-001"),
    ],
)
def test_wrong_call_is_answered_in_one_line(notebook: Any, cell: str, told: str) -> None:
    with pytest.raises(PandasMagicError, match=told) as raised:
        notebook.run(cell)

    assert "\n" not in str(raised.value)
    assert len(raised.value._render_traceback_()) == 1


@pytest.mark.feature("A17")
def test_saved_cell_runs_its_code_and_plans_nothing(notebook: Any, make_compiled: Make) -> None:
    compiled = make_compiled()

    result = notebook.run(cell_text(compiled))

    assert notebook.workspace.ran == [("CHK-002", compiled.code)]
    assert notebook.workspace.requests == []
    assert result.run.verdict is Verdict.FAIL


def test_saved_cell_without_code_runs_the_registrys(notebook: Any) -> None:
    notebook.run("%%check --run CHK-002")
    notebook.run("%check --run CHK-002")

    assert notebook.workspace.ran == [("CHK-002", None), ("CHK-002", None)]


def test_edited_cell_runs_as_edited_and_is_accepted_on_request(notebook: Any, capsys: Any) -> None:
    notebook.run("%%check --run CHK-002 --accept\nviolations = events.head(0)")
    shown = capsys.readouterr().out

    assert '-violations = events[~events["user_id"].isin(users["user_id"])]\n+violations = events.head(0)' in shown
    assert "proved: flags 4 of 4" in shown

    assert notebook.workspace.accepted == [("CHK-002", "violations = events.head(0)")]
    assert notebook.workspace.ran == [("CHK-002", "violations = events.head(0)")]


def test_code_below_several_ids_is_refused(notebook: Any) -> None:
    with pytest.raises(UsageMistake, match="code belongs to one check"):
        notebook.run("%%check --run CHK-001,CHK-002\nviolations = t")


def test_unknown_check_is_told_with_the_nearest(notebook: Any) -> None:
    with pytest.raises(NoSuchName, match='Did you mean "CHK-002"'):
        notebook.run("%%check --run CHK-02")


@pytest.mark.parametrize("verdict", [Verdict.FAIL, Verdict.ERROR])
def test_failure_is_shown_and_not_raised(notebook: Any, make_result: Make, verdict: Verdict) -> None:
    notebook.workspace.saved["CHK-002"] = make_result(verdict)

    assert notebook.run("%check --run CHK-002").run.verdict is verdict


@pytest.mark.parametrize("verdict", [Verdict.FAIL, Verdict.ERROR])
def test_failure_is_raised_on_request_after_it_was_shown(
    notebook: Any, make_result: Make, capsys: Any, verdict: Verdict
) -> None:
    notebook.workspace.saved["CHK-002"] = make_result(verdict)
    notebook.workspace.settings.on_fail = "raise"

    with pytest.raises(CheckFailed, match=f"CHK-002: {verdict}: ") as raised:
        notebook.run("%check --run CHK-002")
    assert len(raised.value._render_traceback_()) == 1
    assert f"{verdict}  CHK-002" in capsys.readouterr().out


def test_result_is_shown_as_its_bundle(notebook: Any) -> None:
    result = notebook.run("%check --run CHK-002")

    data, metadata = notebook.shell.display_formatter.format(result)

    assert data["text/plain"].startswith("✗ FAIL  CHK-002")
    assert "application/vnd.pandas-magic.check+json" in data
    assert metadata["pandas_magic"]["verdict"] == "FAIL"


def test_several_results_are_shown_as_one_bundle(notebook: Any) -> None:
    results = notebook.run("%%check CHK-007\n- a.x must not be null\n- a.y must be unique")

    data, metadata = notebook.shell.display_formatter.format(results)

    assert [line[:16] for line in data["text/plain"].split("\n") if "FAIL" in line] == ["✗ FAIL  CHK-007-"] * 2
    assert metadata["pandas_magic"]["verdict"] == "FAIL"


def test_interrupt_is_one_line_and_ends_the_confined_kernel(notebook: Any) -> None:
    def interrupted(request: Any) -> Any:
        raise KeyboardInterrupt

    notebook.workspace.answer = interrupted

    with pytest.raises(Interrupted, match=r"^stopped\.") as raised:
        notebook.run(f"%%check\n{RULE}")
    assert isinstance(raised.value, KeyboardInterrupt)
    assert len(raised.value._render_traceback_()) == 1
    assert notebook.workspace.closed == 1


def test_explanation_is_shown_on_request(notebook: Any, make_result: Make, capsys: Any) -> None:
    notebook.workspace.answer = lambda _: make_result(explanation=(("must exist in", "is one of the values of"),))

    notebook.run(f"%%check --explain\n{RULE}")

    assert "must exist in  is one of the values of" in capsys.readouterr().out


def test_sandbox_runs_the_cell_and_brings_a_frame_back(notebook: Any, capsys: Any) -> None:
    notebook.workspace.execution = _execution(stdout="4 rows\n")
    notebook.workspace.frame = pd.DataFrame({"a": [1]})

    notebook.run("%%sandbox --tables orders,users -o out\nout = orders.head()\nprint(4)")

    assert notebook.workspace.in_sandbox == [
        ("# %%sandbox\nout = orders.head()\nprint(4)\n", ("orders", "users"), "out")
    ]
    assert notebook.shell.user_ns["out"] is notebook.workspace.frame
    assert capsys.readouterr().out == "4 rows\n"


def test_sandbox_shows_the_confined_kernels_traceback(notebook: Any) -> None:
    traceback = "Cell In[1], line 1\nZeroDivisionError: division by zero"
    notebook.workspace.execution = _execution(
        status="error", error_name="ZeroDivisionError", error_text="division by zero", traceback=traceback
    )

    with pytest.raises(SandboxCodeFailed, match="ZeroDivisionError: division by zero") as raised:
        notebook.run("%%sandbox\n1/0")
    assert raised.value._render_traceback_() == [traceback]


@pytest.mark.feature("E06")
def test_sandbox_shows_pictures_texts_and_figures_and_names_what_it_held_back(
    notebook: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    publisher = CapturingDisplayPublisher()
    monkeypatch.setattr(notebook.shell, "display_pub", publisher)
    shown = (
        Display("image/png", text="a picture", image=b"\x89PNG"),
        Display("text/plain", text="\x1b[2J4", image=b""),
        Display("application/vnd.plotly.v1+json", figure={"data": [{"y": [1]}]}),
        Display("text/plain", text="a frame", html="<table></table>"),
    )
    notebook.workspace.execution = _execution(displays=shown, dropped=("text/html of 12 bytes",))

    notebook.run("%%sandbox\nplot()")

    assert [output["data"] for output in publisher.outputs] == [
        {"image/png": "iVBORw==", "text/plain": "a picture"},
        {"text/plain": "\\x1b[2J4"},
        {"application/vnd.plotly.v1+json": {"data": [{"y": [1]}]}, "text/plain": "a figure"},
        {"text/plain": "a frame", "text/html": "<table></table>"},
    ]
    assert capsys.readouterr().out == "not shown: text/html of 12 bytes\n"


def test_sandbox_that_was_stopped_says_why(notebook: Any) -> None:
    notebook.workspace.execution = _execution(status="timeout", reason="stopped after 60 s; raise wall_seconds")

    with pytest.raises(SandboxCodeFailed, match="stopped after 60 s"):
        notebook.run("%%sandbox\nwhile True: pass")


@pytest.mark.feature("A07")
def test_checks_are_listed_with_their_last_verdict(notebook: Any) -> None:
    listing = notebook.run("%checks")

    assert listing.summary == "1 check: 1 FAIL"
    (row,) = listing.rows
    assert row == ("CHK-002", "Unknown users in events", "events, users", "medium", "✗ FAIL", "2", "proposed")
    assert notebook.run("%checks list --tags other").rows == ()


def test_no_checks_is_said_with_what_to_do(notebook: Any) -> None:
    notebook.workspace.saved = {}

    assert notebook.run("%checks").summary == "no checks yet; write one with %%check"


def test_checks_run_shows_all_in_one_output(notebook: Any, make_result: Make, make_compiled: Make) -> None:
    notebook.workspace.saved["CHK-003"] = make_result(Verdict.PASS, compiled=make_compiled("CHK-003"))

    results = notebook.run("%checks run CHK-002,CHK-003")

    assert [result.run.check_id for result in results] == ["CHK-002", "CHK-003"]


def test_checks_save_writes_a_notebook(notebook: Any, make_compiled: Make, tmp_path: Path, capsys: Any) -> None:
    notebook.run("%checks save checks.ipynb --gate")

    sources = [cell.source for cell in nbformat.read(tmp_path / "checks.ipynb", as_version=4).cells]
    assert sources == ["%load_ext pandas_magic", cell_text(make_compiled()), "%checks gate"]
    assert capsys.readouterr().out == "checks.ipynb: 1 added\n"


def test_the_open_notebook_is_not_overwritten(notebook: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "mine.ipynb"))

    with pytest.raises(UsageMistake, match="is open here"):
        notebook.run("%checks save mine.ipynb")
    assert not (tmp_path / "mine.ipynb").exists()


def test_diff_shows_what_was_edited(notebook: Any, make_result: Make, capsys: Any) -> None:
    notebook.run("%check --run CHK-002")
    notebook.run("%checks diff CHK-002")
    notebook.workspace.saved["CHK-002"] = make_result(code="violations = events.head(0)")
    notebook.run("%check --run CHK-002")
    compiled = notebook.workspace.saved["CHK-002"].compiled
    notebook.run("%checks diff CHK-002")

    printed = capsys.readouterr().out
    assert "the code that ran here is the compiled code" in printed
    assert f"-{compiled.code}\n+violations = events.head(0)" in printed


def test_rows_gives_all_failing_rows(notebook: Any) -> None:
    result = notebook.run("%check --run CHK-002")

    rows = notebook.run("%checks rows CHK-002 -o failing")

    pd.testing.assert_frame_equal(rows, result.violations)
    assert notebook.shell.user_ns["failing"] is rows


@pytest.mark.parametrize("verdict", ["ERROR", "SKIPPED"])
def test_rows_of_a_run_that_judged_none_are_not_none(notebook: Any, make_result: Make, verdict: str) -> None:
    notebook.workspace.saved["CHK-002"] = make_result(verdict=verdict, rows=pd.DataFrame())
    notebook.run("%check --run CHK-002")
    with pytest.raises(UsageMistake, match="the last run of CHK-002 judged no rows"):
        notebook.run("%checks rows CHK-002")


def test_rows_of_an_earlier_session_come_from_its_file(notebook: Any, make_result: Make, tmp_path: Path) -> None:
    kept = make_result(artifact="kept.parquet")
    kept.violations.to_parquet(tmp_path / "kept.parquet")
    notebook.workspace.saved["CHK-002"] = kept

    pd.testing.assert_frame_equal(notebook.run("%checks rows CHK-002"), kept.violations)


def test_rows_whose_file_is_gone_are_told_of(notebook: Any, make_result: Make) -> None:
    notebook.workspace.saved["CHK-002"] = make_result(artifact="gone.parquet")

    with pytest.raises(UsageMistake, match=r"gone from .*gone\.parquet; %checks run CHK-002"):
        notebook.run("%checks rows CHK-002")


def test_gate_fails_a_run_in_which_a_check_failed(notebook: Any, tmp_path: Path) -> None:
    notebook.run("%check --run CHK-002")

    with pytest.raises(CheckFailed, match="1 of 1 check did not pass: CHK-002 FAIL"):
        notebook.run("%checks gate")

    (check,) = json.loads((tmp_path / "checks_result.json").read_text())["checks"]
    assert check["verdict"] == "FAIL"
    assert ElementTree.fromstring((tmp_path / "checks_junit.xml").read_text()).get("failures") == "1"


def test_gate_lets_a_run_pass_whose_checks_passed(notebook: Any, make_result: Make) -> None:
    notebook.workspace.saved["CHK-002"] = make_result(Verdict.PASS)
    notebook.run("%check --run CHK-002")

    assert notebook.run("%checks gate").summary == "1 check, none failed"


def test_tables_are_listed_and_described(notebook: Any) -> None:
    assert notebook.run("%tables").rows == (("users", "3", "2", "user_id, country"),)
    assert notebook.run("%tables --info users").rows == (
        ("user_id", "int64", "yes", ""),
        ("country", "str", "", "de, fr"),
    )


def test_unknown_table_is_told_with_the_nearest(notebook: Any) -> None:
    with pytest.raises(NoSuchName, match='Did you mean "users"'):
        notebook.run("%tables --info user")


def test_unloading_leaves_the_shell_as_it_was(shell: InteractiveShell, tmp_path: Path) -> None:
    def state() -> list[Any]:
        return [
            {kind: set(names) for kind, names in shell.magics_manager.magics.items()},
            list(shell.Completer.custom_matchers),
            list(shell.input_transformers_cleanup),
            set(shell.display_formatter.mimebundle_formatter.type_printers),
        ]

    before = state()

    magics.load(shell)
    loaded = state()
    magics.unload(shell)

    assert state() == before
    assert loaded[0] != before[0]


def test_loading_twice_registers_once(shell: InteractiveShell) -> None:
    magics.load(shell)
    magics.load(shell)

    assert len(shell.Completer.custom_matchers) == 1
    magics.unload(shell)
    assert shell.Completer.custom_matchers == []


def _execution(**said: Any) -> Execution:
    facts: dict[str, Any] = {field.name: "" for field in fields(Execution)}
    return Execution(
        **{**facts, "status": "ok", "error_line": None, "displays": (), "dropped": (), "seconds": 0.1, **said}
    )


def test_bands_are_said_in_the_magics_line(notebook: Any) -> None:
    notebook.run("%%check --warn 1 --fail 1%\nids must be unique")

    (request,) = notebook.workspace.requests
    assert (request.bands.warn, request.bands.fail) == ("1", "1%")
    with pytest.raises(UsageMistake, match="warn needs fail"):
        notebook.run("%%check --warn 1\nids must be unique")


@pytest.mark.parametrize("line", ["%check --help", "%checks --help"])
def test_help_says_what_the_review_options_are(notebook: Any, capsys: Any, line: str) -> None:
    notebook.run(line)

    assert capsys.readouterr().out.startswith(f"usage: {line.split()[0]} [-h]")
    notebook.run(line)
    assert ("1% of the rows" if line == "%check --help" else "snooze, except") in " ".join(
        capsys.readouterr().out.split()
    )


def test_the_page_of_the_language_is_shown(notebook: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    publisher = CapturingDisplayPublisher()
    monkeypatch.setattr(notebook.shell, "display_pub", publisher)
    # Its 200 examples are read, and the page compared, by the tests of the language.
    monkeypatch.setattr("pandas_magic.planner.language.page.language_page", lambda: "# The rule language")

    notebook.run("%check --language")

    assert publisher.outputs[0]["data"]["text/markdown"] == "# The rule language"
    assert not notebook.workspace.requests


def test_loading_brings_the_planner_so_that_no_cell_is_interrupted_while_it_imports() -> None:
    code = (
        "import sys; from IPython.core.interactiveshell import InteractiveShell as Shell\n"
        "Shell.instance().run_line_magic('load_ext', 'pandas_magic')\n"
        "print('pandas_magic.planner.language' in sys.modules, 'nbformat' in sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == ["True", "False"]

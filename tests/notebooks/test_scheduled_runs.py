"""Notebooks on a schedule: by `pandas-magic run`, papermill and nbconvert; saved whatever happens, judged exactly.

It runs what docs/schedules.md shows.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.commands import run_command

PATIENCE_SECONDS = 300
CHECKS = ["%load_ext pandas_magic", "%%check CHK-001\nusers.email must not be null.", "%checks gate"]
GOOD, BAD = "user_id,email\n1,a@x.com\n2,b@x.com\n", "user_id,email\n1,a@x.com\n2,\n"


def write_notebook(path: Path, cells: Sequence[str], *, parameters: str = "") -> Path:
    book = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})
    if parameters:
        book.cells.append(nbformat.v4.new_code_cell(parameters, metadata={"tags": ["parameters"]}))
    book.cells += [nbformat.v4.new_code_cell(source) for source in cells]
    for number, cell in enumerate(book.cells):
        cell.id = f"cell-{number}"
    nbformat.write(book, path)
    return path


def run(folder: Path, *command: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def outputs(path: Path) -> list[dict[str, Any]]:
    cells = nbformat.read(path, as_version=4).cells
    return [output for cell in cells for output in cell.get("outputs", ())]


def _begin(folder: Path) -> Path:
    (folder / "users.csv").write_text(BAD)
    write_notebook(folder / "night.ipynb", CHECKS)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return _begin(tmp_path)


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A folder after its first night, and how that ended; never written to."""
    folder = _begin(tmp_path_factory.mktemp("night"))
    return folder, run(folder, "pandas_magic", "run", "night.ipynb", "--report", "junit=junit.xml")


@pytest.fixture
def morning(night: tuple[Path, subprocess.CompletedProcess[str]], tmp_path: Path) -> Path:
    """The folder after its first night, to go on in."""
    return Path(shutil.copytree(night[0], tmp_path / "morning"))


def test_a_notebook_is_run_saved_and_judged(
    night: tuple[Path, subprocess.CompletedProcess[str]], morning: Path
) -> None:
    failed, folder = night[1], morning
    assert failed.returncode == 1, failed.stderr
    assert "CHK-001  ✗ FAIL" in failed.stdout
    assert "1 of 2 rows of users breaks the rule" in failed.stdout
    executed = outputs(folder / "night.executed.ipynb")
    assert [output.get("ename") for output in executed if output["output_type"] == "error"] == ["CheckFailed"]
    assert 'failures="1"' in (folder / "junit.xml").read_text()
    (folder / "users.csv").write_text(GOOD)
    passed = run_command("run", "night.ipynb", "--json", "--output-dir", "out", folder=folder)
    assert passed.returncode == 0, passed.stderr
    (told,) = json.loads(passed.stdout)["runs"]
    assert (told["check_id"], told["verdict"], told["changes"]["fixed"]) == ("CHK-001", "PASS", 1)
    assert "1 check, none failed" in (folder / "out" / "night.executed.ipynb").read_text()


def test_a_notebook_that_crashes_is_saved_and_is_an_error(folder: Path) -> None:
    (folder / "users.csv").write_text(GOOD)
    write_notebook(folder / "crash.ipynb", [*CHECKS[:2], "1 / 0", "print('never')"])
    done = run_command("run", "crash.ipynb", folder=folder)
    assert done.returncode == 3
    assert "CHK-001  ✓ PASS" in done.stdout
    assert "crash.ipynb: a cell raised ZeroDivisionError: division by zero" in done.stderr
    errors = [output for output in outputs(folder / "crash.executed.ipynb") if output["output_type"] == "error"]
    assert errors[0]["ename"] == "ZeroDivisionError"
    write_notebook(folder / "killed.ipynb", [*CHECKS[:2], "import os; os.kill(os.getpid(), 9)"])
    killed = run_command("run", "killed.ipynb", folder=folder)
    assert killed.returncode == 3
    assert "CHK-001  ✓ PASS" in killed.stdout
    assert "DeadKernelError" in killed.stderr
    assert (folder / "killed.executed.ipynb").exists()


def test_a_rule_that_a_cell_gave_up_in_silence_is_an_error(folder: Path) -> None:
    (folder / "users.csv").write_text(GOOD)
    asked = "get_ipython().run_cell_magic('check', '', 'users should be nice')"
    cells = [*CHECKS[:2], f"try:\n    {asked}\nexcept Exception:\n    pass", CHECKS[2]]
    write_notebook(folder / "caught.ipynb", cells)
    done = run_command("run", "caught.ipynb", folder=folder)
    assert done.returncode == 3
    assert "1 question without a verdict" in done.stderr and "users should be nice" in done.stderr


def test_a_notebook_takes_parameters_below_its_own(folder: Path) -> None:
    cells = ["print(f'{limit!r} {name!r} {day!r}')", "%load_ext pandas_magic", "%%check\nusers.user_id must be unique."]
    write_notebook(folder / "asked.ipynb", cells, parameters="limit, name, day = 1, 'a', None")
    said = ("-p", "limit=25", "-p", "name=b c", "-p", "day=2026-01-01")
    done = run_command("run", "asked.ipynb", *said, folder=folder)
    assert done.returncode == 0, done.stderr
    assert outputs(folder / "asked.executed.ipynb")[0]["text"] == "25 'b c' '2026-01-01'\n"
    wrong = run_command("run", "asked.ipynb", "-p", "no-name=1", folder=folder)
    assert (wrong.returncode, "is no name of Python" in wrong.stderr) == (2, True)


def test_what_is_no_notebook_is_refused_before_anything_runs(folder: Path) -> None:
    (folder / "broken.ipynb").write_text("{")
    assert run_command("run", "night.ipynb", "broken.ipynb", folder=folder).returncode == 3
    assert run_command("run", "none.ipynb", folder=folder).returncode == 2
    assert run_command("run", "night.ipynb", "CHK-001", folder=folder).returncode == 2
    assert not (folder / "night.executed.ipynb").exists()


@pytest.mark.parametrize(
    ("table", "verdict"),
    [(BAD, "FAIL"), pytest.param(GOOD, "PASS", marks=pytest.mark.thorough)],
    ids=["stopped", "passed"],
)
@pytest.mark.parametrize(
    "command",
    [
        ("papermill", "night.ipynb", "out.ipynb"),
        # It runs a notebook by nbclient, as papermill does.
        pytest.param(
            ("jupyter", "nbconvert", "--execute", "--to", "notebook", "--output", "out.ipynb", "night.ipynb"),
            marks=pytest.mark.thorough,
        ),
    ],
    ids=["papermill", "nbconvert"],
)
def test_the_gate_stops_a_scheduled_notebook_after_all_checks_ran(
    folder: Path, command: tuple[str, ...], table: str, verdict: str
) -> None:
    """A scheduler tells only the cell that raised; that the gate lets good tables pass is shown above by our own."""
    (folder / "users.csv").write_text(table)
    done = run(folder, *command)
    assert json.loads((folder / "checks_result.json").read_text())["checks"][0]["verdict"] == verdict
    if verdict == "FAIL":
        assert done.returncode == 1
        assert "CheckFailed: 1 of 1 check did not pass: CHK-001 FAIL" in done.stderr
    else:
        assert done.returncode == 0, done.stderr
        assert "1 check, none failed" in (folder / "out.ipynb").read_text()


@pytest.mark.feature("E03")
def test_a_notebook_looks_back_at_runs_sessions_and_what_changed(morning: Path) -> None:
    folder = morning
    (folder / "users.csv").write_text("user_id,email\n1,\n2,b@x.com\n3,\n")
    cells = [
        "%load_ext pandas_magic",
        "%check --run CHK-001",
        "%checks rows CHK-001 --new",
        "%checks rows CHK-001 --fixed",
        "%checks rows CHK-001 --why",
        "%checks history CHK-001",
        "listing = %checks session\nlisting",
        "get_ipython().run_line_magic('checks', f'session {listing.rows[-1][0]}')",
        "%checks quarantine apart",
    ]
    write_notebook(folder / "back.ipynb", cells)
    done = run_command("run", "back.ipynb", folder=folder)
    assert done.returncode == 1, done.stderr
    texts = [output["data"]["text/plain"] for output in outputs(folder / "back.executed.ipynb") if "data" in output]
    check, new, fixed, why, history, sessions, again = texts
    assert "Changed           2 new, 0 still failing, 1 fixed since" in check
    assert [line.split()[1] for line in new.splitlines()[1:]] == ["1", "3"]
    assert [line.split()[1] for line in fixed.splitlines()[1:]] == ["2"]
    assert "position" in why.splitlines()[0]
    assert history.startswith("CHK-001: FAIL in the last of 2 runs; failing since")
    assert sessions.count("1 FAIL") == 2
    assert "1 of 2 rows of users breaks the rule" in again
    assert (folder / "apart" / "users.bad.csv").read_text() == "user_id,email\n1,\n3,\n"

"""The example notebooks, executed as users and schedulers execute them."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert import HTMLExporter

from pandas_magic.cli.demo_shop import PLANTED
from tests.commands import run_command
from tests.grids import also_thorough

EXAMPLES = Path(__file__).parents[2] / "examples"
PATIENCE_SECONDS = 600
FOUND = {
    # What the generator of the tables planted.
    "CHK-101": ("FAIL", 12),
    "CHK-102-1": ("FAIL", 8),
    "CHK-102-2": ("FAIL", 6),
    "CHK-102-3": ("FAIL", 13),
    "CHK-103": ("FAIL", 1),
}
CHECK = "application/vnd.pandas-magic.check+json"
PLAN = "application/vnd.pandas-magic.plan+json"


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """The examples as a user has them after a clone."""
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder, ignore=shutil.ignore_patterns(".pandas_magic", ".ipynb_checkpoints", "flights"))
    return folder


def _run(folder: Path, *command: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def _execute(folder: Path, name: str, **environ: str) -> None:
    """The notebook as a front end executes it, without the start of a command; kept as executed.ipynb."""
    book = nbformat.read(folder / name, as_version=4)
    with pytest.MonkeyPatch.context() as patch:
        for variable, value in environ.items():
            patch.setenv(variable, value)
        NotebookClient(book, timeout=PATIENCE_SECONDS, resources={"metadata": {"path": str(folder)}}).execute()
    nbformat.write(book, folder / "executed.ipynb")


def _verdicts(path: Path) -> dict[str, tuple[str, int | None]]:
    outputs = [
        output
        for cell in nbformat.read(path, as_version=4).cells
        for output in cell.get("outputs", ())
        if CHECK in output.get("data", {})
    ]
    checks = [check for output in outputs for check in output["data"][CHECK]["checks"]]
    return {check["check"]: (check["verdict"], check["violation_count"]) for check in checks}


def _shown(path: Path) -> list[dict[str, list[Any]]]:
    """What each cell of code shows in each form, but for the style sheet: how a card looks is tested in a browser."""
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    shown: list[dict[str, list[Any]]] = [{} for _ in cells]
    for cell, forms in zip(cells, shown, strict=True):
        for output in cell.outputs:
            said = {name: output[name] for name in ("text", "ename", "evalue") if name in output}
            for form, value in {**said, **output.get("data", {})}.items():
                plain = re.sub("<style>[^<]*</style>", "", value) if isinstance(value, str) else value
                forms.setdefault(form, []).append(plain)
    return shown


def _texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


@pytest.mark.feature("A02", "A04", "A25", "B21")
def test_the_demonstration_finds_what_was_planted_and_executes_the_quickstart(tmp_path: Path) -> None:
    done = _run(tmp_path, "pandas_magic", "demo", "shop", NO_COLOR="1")

    assert done.returncode == 0, done.stderr
    listed = json.loads(run_command("list", "-C", "shop", "--json", folder=tmp_path).stdout)["checks"]
    found = {entry["check"]["id"]: entry["last_run"] for entry in listed}
    assert {check_id: found[check_id]["violation_count"] for check_id in PLANTED} == PLANTED
    assert {run["verdict"] for run in found.values()} == {"PASS", "FAIL"}
    executed = tmp_path / "shop" / "quickstart.executed.ipynb"
    assert _verdicts(executed) == FOUND
    before, after = (nbformat.read(path, as_version=4) for path in (EXAMPLES / "quickstart.ipynb", executed))
    # Without a page nothing can be inserted, and no state of widgets is left behind.
    assert [cell.source for cell in after.cells] == [cell.source for cell in before.cells]
    assert "widgets" not in after.metadata
    assert _shown(executed) == _shown(EXAMPLES / "quickstart.ipynb")
    assert (tmp_path / "shop" / "quickstart.html").exists()


def test_plans_are_answered_without_a_model_as_they_were_saved(examples: Path) -> None:
    _execute(examples, "plans.ipynb", PANDAS_MAGIC_MODEL="")

    saved, executed = _plans(EXAMPLES / "plans.ipynb"), _plans(examples / "executed.ipynb")
    assert executed == saved
    headlines = [text.splitlines()[0] for text in saved]
    assert headlines[0] == "# Total amount of orders by month of order_date: 11 rows"
    refused = _errors(examples / "executed.ipynb")
    assert ["revenue" in refused[0], "several columns of dates" in refused[1], len(refused)] == [True, True, 2]


@pytest.mark.feature("B09", "D22", "E07")
def test_plans_and_checks_with_a_model_run_again_without_one(examples: Path) -> None:
    name = "plans_with_a_model.ipynb"
    _execute(examples, name, OPENAI_BASE_URL="http://127.0.0.1:9/v1")

    saved, executed = _plans(EXAMPLES / name), _plans(examples / "executed.ipynb")
    assert executed == saved
    assert [text.splitlines()[0] for text in saved][:2] == [
        "# Monthly revenue in 2026: 8 rows",
        "# Monthly revenue in 2026 for each currency: 24 rows",
    ]
    assert "~~0.85~~" in saved[5]
    assert 'Tried: 1. table "orders" has no column "shipped_date"' in saved[3]
    assert _verdicts(examples / "executed.ipynb") == _verdicts(EXAMPLES / name)
    assert _verdicts(EXAMPLES / name) == {"CHK-201": ("FAIL", 8), "CHK-202": ("FAIL", 13), "CHK-203": ("FAIL", 10)}
    (refused,) = _errors(examples / "executed.ipynb")
    assert 'the rule does not say "25"' in refused
    sources = [cell.source for cell in nbformat.read(EXAMPLES / name, as_version=4).cells]
    assert len([source for source in sources if source.startswith(("%%plan", "%%check"))]) >= 12


def _errors(path: Path) -> list[str]:
    """What the cells of a notebook raised."""
    return [
        output.evalue
        for cell in nbformat.read(path, as_version=4).cells
        for output in cell.get("outputs", ())
        if output.output_type == "error"
    ]


def _plans(path: Path) -> list[str]:
    """The answers of a notebook's plans, as text."""
    return [
        output["data"]["text/plain"]
        for cell in nbformat.read(path, as_version=4).cells
        for output in cell.get("outputs", ())
        if PLAN in output.get("data", {})
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["quickstart.ipynb", "scheduled.ipynb"])
def test_saved_outputs_are_what_a_run_gives(examples: Path, name: str) -> None:
    """As nbval tells it; what the tests above execute, they compare by themselves."""
    sanitized = f"--nbval-sanitize-with={Path(__file__).with_name('nbval.cfg')}"
    done = _run(examples, "pytest", "--nbval", sanitized, "-q", "-p", "no:cacheprovider", name)

    assert done.returncode == 0, done.stdout[-6000:]


@pytest.mark.feature("A17", "A25")
@pytest.mark.parametrize("by_papermill", [False, *also_thorough(True)])  # one runs in test_scheduled_runs.py
def test_schedule_gives_the_same_verdicts_by_every_way_and_plans_nothing(examples: Path, by_papermill: bool) -> None:
    registry = _texts(examples / "checks" / "registry")

    command = ("jupyter", "nbconvert", "--execute", "--to", "notebook", "--output", "executed.ipynb", "scheduled.ipynb")
    assert _run(examples, *command).returncode == 0
    by_nbconvert = _verdicts(examples / "executed.ipynb")
    assert _shown(examples / "executed.ipynb") == _shown(EXAMPLES / "scheduled.ipynb")
    if by_papermill:
        done = _run(examples, "papermill", "scheduled.ipynb", "papermill.ipynb")
        assert done.returncode == 0, done.stderr
        assert by_nbconvert == _verdicts(examples / "papermill.ipynb")
    listed = json.loads(run_command("run", "--json", folder=examples).stdout)["runs"]

    assert by_nbconvert == {run["check_id"]: (run["verdict"], run["violation_count"]) for run in listed}
    assert _texts(examples / "checks" / "registry") == registry


def test_failing_check_ends_the_run_when_asked_to(examples: Path) -> None:
    with pytest.raises(CellExecutionError, match="CheckFailed: CHK-001: FAIL: "):
        _execute(examples, "scheduled.ipynb", PANDAS_MAGIC_ON_FAIL="raise")


@pytest.mark.parametrize("sanitize", [False, True])
def test_web_page_of_a_notebook_tells_the_verdicts(sanitize: bool) -> None:
    page, _ = HTMLExporter(sanitize_html=sanitize).from_filename(str(EXAMPLES / "scheduled.ipynb"))

    assert page.count("✗ FAIL") >= 5
    assert "12 of 12,000 rows of events break the rule" in page
    # nbconvert's sanitiser shows as text even the tags of tables and of details.
    assert ("<details" in page) is not sanitize

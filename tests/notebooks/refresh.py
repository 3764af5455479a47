"""Compiles and executes the example notebooks anew: `python -m tests.notebooks.refresh`.

To be run after a change of what is shown, of the code that is written, or of how rules are proved; the difference is
then read like that of any golden file.
"""

import dataclasses
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from pandas_magic.notebook.notebook_file import upsert
from pandas_magic.notebook.saved_cell import cell_metadata, cell_text, saved_id
from pandas_magic.registry.approval import approve
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.registry.checks_list import read_checks
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.workspace import Workspace
from tests.notebooks.recorded_plans import keep_log, play_by_hand
from tests.pandas_magic.planner.model.scripted import ScriptedEndpoint

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
APPROVER = "the maintainers"
_SAID = {field.name for field in dataclasses.fields(CheckRequest)}


def refresh() -> None:
    """Bring the saved cells, the outputs and the registry of the examples up to date."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "examples"
        shutil.copytree(EXAMPLES / "data", work / "data")
        for name in ("quickstart.ipynb", "scheduled.ipynb", "plans.ipynb"):
            shutil.copy(EXAMPLES / name, work / name)
        _refresh_quickstart(work)
        _start_over(work)
        _refresh_scheduled(work)
        _execute(work / "plans.ipynb")
        shutil.copy(work / "plans.ipynb", EXAMPLES)
        _refresh_recorded(Path(folder) / "with-a-model")
        shutil.copy(work / "quickstart.ipynb", EXAMPLES)
        shutil.copy(work / "scheduled.ipynb", EXAMPLES)
        shutil.copytree(work / "checks", EXAMPLES / "checks", dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*"))


def _refresh_quickstart(work: Path) -> None:
    # The first run compiles the rules; its check is then put into the cell that shows what a saved cell is.
    notebook = _execute(work / "quickstart.ipynb")
    workspace = Workspace.open(work)
    compiled = {entry.compiled.id: entry.compiled for entry in workspace.entries()}
    workspace.close()
    for cell in notebook.cells:
        if check := compiled.get(saved_id(cell.source)):
            cell.source = cell_text(check)
            cell.metadata.update(cell_metadata(check))
    nbformat.write(notebook, work / "quickstart.ipynb")
    _start_over(work)
    _execute(work / "quickstart.ipynb")


def _start_over(work: Path) -> None:
    """Forget checks and history, as in a fresh clone."""
    shutil.rmtree(work / "checks")
    shutil.rmtree(work / ".pandas_magic")


def _refresh_scheduled(work: Path) -> None:
    notebook = nbformat.read(work / "scheduled.ipynb", as_version=4)
    notebook.cells = [cell for cell in notebook.cells if not saved_id(cell.source)]
    listing = notebook.cells.pop()
    upsert(notebook, _compiled(work))
    notebook.cells.append(listing)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:02d}"
    nbformat.write(notebook, work / "scheduled.ipynb")
    _execute(work / "scheduled.ipynb")


def _compiled(work: Path) -> list[CompiledCheck]:
    workspace = Workspace.open(work)
    try:
        for check in read_checks(ROOT / "pandas_magic" / "cli" / "demo_checks.json"):
            asked = {name: value for name, value in check.model_dump().items() if name in _SAID}
            workspace.check(CheckRequest(**asked))
        return [approve(workspace.registry, check_id, APPROVER) for check_id in workspace.check_ids()]
    finally:
        workspace.close()


def _refresh_recorded(work: Path) -> None:
    """Record the answers that were written by hand, and execute the notebook as its readers do."""
    shutil.copytree(EXAMPLES / "data", work / "data")
    name, recorded = "plans_with_a_model.ipynb", work / "recorded" / "plans.jsonl"
    shutil.copy(EXAMPLES / name, work / name)
    recorded.parent.mkdir()
    recorded.touch()
    with ScriptedEndpoint(always=play_by_hand()) as endpoint:
        _execute(work / name, PANDAS_MAGIC_REPLAY="auto", OPENAI_BASE_URL=endpoint.url)
    keep_log(work, recorded)
    _start_over(work)
    _execute(work / name)
    shutil.copy(work / name, EXAMPLES)
    shutil.copytree(recorded.parent, EXAMPLES / "recorded", dirs_exist_ok=True)


def _execute(path: Path, **environ: str) -> NotebookNode:
    command = [sys.executable, "-m", "jupyter", "nbconvert", "--execute", "--to", "notebook", "--inplace", str(path)]
    subprocess.run(command, check=True, cwd=path.parent, env={**os.environ, **environ})
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        # When each cell began and ended would change in every commit.
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", ()):
            told = output.get("metadata", {}).get("pandas_magic", {})
            for name in ("runs", "stage_seconds"):
                told.pop(name, None)
    nbformat.write(notebook, path)
    return notebook


if __name__ == "__main__":
    refresh()

"""The demonstration: an example workspace, made, compiled, run, and shown as an executed notebook."""

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from pandas_magic.cli.demo_shop import write_tables
from pandas_magic.errors import PandasMagicError
from pandas_magic.registry.approval import approve
from pandas_magic.registry.checks_list import read_checks, write_checks
from pandas_magic.reporters.terminal import Terminal
from pandas_magic.workspace import Workspace

_HERE = Path(__file__).parent
_NOTEBOOK = "quickstart.ipynb"
_NOTEBOOK_SECONDS = 600
_APPROVER = "the demonstration"


def demonstrate(folder: Path, terminal: Terminal) -> None:
    """Write tables and rules below `folder`, compile and run them, and execute the quickstart notebook there.

    Raises: PandasMagicError when the notebook does not run to its end.
    """
    write_tables(folder / "data")
    write_checks(folder / "checks" / "checks.json", read_checks(_HERE / "demo_checks.json"))
    workspace = Workspace.open(folder)
    try:
        compiled = workspace.compile(on_progress=terminal.progress)
        terminal.compiled(compiled)
        approved = [approve(workspace.registry, check_id, _APPROVER).id for check_id in workspace.check_ids()]
        terminal.say(
            f"\n{len(approved)} checks approved by {_APPROVER}; people read the code first: pandas-magic approve"
        )
        results = workspace.run(approved_only=True, on_progress=terminal.progress)
    finally:
        workspace.close()
    terminal.results(results, details=False)
    terminal.say(f"\ntables, checks and history: {folder.resolve()}")
    _execute_notebook(folder, terminal)


def _execute_notebook(folder: Path, terminal: Terminal) -> None:
    original = next(path for path in (_HERE / _NOTEBOOK, _HERE.parent.parent / "examples" / _NOTEBOOK) if path.exists())
    notebook = Path(shutil.copy(original, folder / _NOTEBOOK))
    if find_spec("nbconvert") is None:
        terminal.say(f"notebook: {notebook.resolve()} (not executed: pip install nbconvert)")
        return
    terminal.progress("executing the notebook")
    for form, target in (("notebook", "quickstart.executed.ipynb"), ("html", "quickstart.html")):
        source = notebook if form == "notebook" else folder / "quickstart.executed.ipynb"
        _convert(source, form, target, execute=form == "notebook")
        terminal.say(f"{form}: {(folder / target).resolve()}")


def _convert(source: Path, form: str, target: str, *, execute: bool) -> None:
    command = [sys.executable, "-m", "jupyter", "nbconvert", "--to", form, "--output", target, str(source)]
    done = subprocess.run(
        [*command, "--execute"] if execute else command,
        capture_output=True,
        text=True,
        timeout=_NOTEBOOK_SECONDS,
        check=False,
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no message"]
        raise PandasMagicError(f"{source.name} did not run to its end: {last[0]}")

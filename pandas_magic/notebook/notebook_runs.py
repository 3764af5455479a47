"""Notebooks executed from the outside: parameters put in, always saved, their verdicts gathered from the journal."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from nbformat import NotebookNode

from pandas_magic.checking.result import Result, results_of
from pandas_magic.clock import run_id
from pandas_magic.errors import StateUnreadable, UsageMistake
from pandas_magic.history.run import Verdict
from pandas_magic.state import write_whole
from pandas_magic.workspace import Workspace

if TYPE_CHECKING:
    from nbclient import NotebookClient

_SESSION = "PANDAS_MAGIC_SESSION"
_ALLOWED = "PANDAS_MAGIC_ALLOW_EDITED"
_PARAMETERS, _INJECTED = "parameters", "injected-parameters"  # papermill's tags
_FAILED_CHECK = "CheckFailed"
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Executed:
    """One notebook that was executed: where it was saved, the last result of each check, and what stopped it."""

    source: Path
    saved: Path
    results: tuple[Result, ...]
    problem: str = ""  # one line; "": every cell ran, or one raised for a check that its results tell of


def execute_notebooks(
    paths: Sequence[Path],
    parameters: Mapping[str, str],
    *,
    allow_edited: Sequence[str] = (),
    output_dir: Path | None = None,
    max_seconds: float | None = None,
    on_progress: Progress = lambda _: None,
) -> list[Executed]:
    """Execute the notebooks in turn, each in its own folder, and save each as `NAME.executed.ipynb`, failed or not.

    `parameters` go into a cell below the one tagged "parameters" (above all cells without one), numbers and truth
    values as such, as papermill has it. Edited code in the cells of checks in `allow_edited` may give a verdict. Those
    whose time has not come when `max_seconds` are over are left out. Ctrl-C saves the one that runs and leaves the
    others out.

    Raises: UsageMistake when a file is missing or nbclient is not installed; StateUnreadable when one is no notebook.
    """
    notebooks = [(path, _read(path)) for path in paths]
    until = None if max_seconds is None else time.monotonic() + max_seconds
    done: list[Executed] = []
    for path, notebook in notebooks:
        left = None if until is None else until - time.monotonic()
        if left is not None and left <= 0:
            break
        on_progress(f"executing {path}")
        _put_in(notebook, parameters)
        with _environment(_ALLOWED, ",".join((os.environ.get(_ALLOWED, ""), *allow_edited)).strip(",")):
            executed, interrupted = _execute(path, notebook, output_dir or path.parent, left)
        done.append(executed)
        if interrupted:
            break
    return done


def _execute(path: Path, notebook: NotebookNode, folder: Path, seconds: float | None) -> tuple[Executed, bool]:
    target = folder / f"{path.stem}.executed.ipynb"
    session = f"{run_id()}-notebook"
    interrupted, problem, by_check = False, "", False
    client = _client(notebook, path, seconds)
    try:
        with _environment(_SESSION, session):
            client.execute()
    except KeyboardInterrupt:
        interrupted, problem = True, "interrupted; the checks that had finished are kept"
    except Exception as error:  # whatever a cell or a kernel does is told, and the notebook is saved
        problem, by_check = _problem(error), getattr(error, "ename", "") == _FAILED_CHECK
    finally:
        write_whole(target, nbformat.writes(notebook) + "\n")
    results = _results(path.resolve().parent, session)
    # A gate also raises for what was asked and not judged, which no result tells.
    if by_check and any(result.run.verdict in (Verdict.FAIL, Verdict.ERROR) for result in results):
        problem = ""
    if not results and not problem:
        problem = "no check ran in it"
    return Executed(path, target, results, problem), interrupted


def _client(notebook: NotebookNode, path: Path, seconds: float | None) -> "NotebookClient":
    try:
        from nbclient import NotebookClient
    except ImportError as error:
        raise UsageMistake("executing notebooks needs a package that is missing: pip install nbclient") from error
    timeout = None if seconds is None else max(1, int(seconds))
    resources = {"metadata": {"path": str(path.resolve().parent)}}
    return NotebookClient(notebook, timeout=timeout, resources=resources, record_timing=False)


def _problem(error: Exception) -> str:
    from nbclient.exceptions import CellExecutionError, CellTimeoutError

    if isinstance(error, CellExecutionError):
        return f"a cell raised {error.ename}: {error.evalue.splitlines()[0] if error.evalue else ''}".rstrip(": ")
    if isinstance(error, CellTimeoutError):
        return "a cell was stopped: the seconds of the whole run were over"
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0] if text else 'no message'}"


def _results(folder: Path, session: str) -> tuple[Result, ...]:
    """The last result of each check that ran in the session, in the order of their first runs."""
    workspace = Workspace.open(folder)
    found = next((each for each in workspace.journal.history.sessions() if each.id == session), None)
    return results_of(workspace.registry, workspace.journal, found) if found is not None else ()


def _read(path: Path) -> NotebookNode:
    try:
        notebook: NotebookNode = nbformat.read(path, as_version=4)
    except FileNotFoundError:
        raise UsageMistake(f"no notebook {path}; name one that is there") from None
    except Exception as error:  # nbformat meets what is no notebook with errors of every kind
        raise StateUnreadable(f"{path} is no notebook that can be read: {str(error).splitlines()[0]}") from error
    return notebook


def _put_in(notebook: NotebookNode, parameters: Mapping[str, str]) -> None:
    """Set the parameters in a cell of their own, in place of one that an earlier execution put in."""
    if not parameters:
        return
    source = "\n".join(["# Parameters", *(f"{_named(name)} = {_value(text)!r}" for name, text in parameters.items())])
    cell: NotebookNode = nbformat.v4.new_code_cell(source, metadata={"tags": [_INJECTED]})
    notebook.cells = [cell for cell in notebook.cells if _INJECTED not in cell.metadata.get("tags", [])]
    tagged = [at for at, each in enumerate(notebook.cells) if _PARAMETERS in each.metadata.get("tags", [])]
    notebook.cells.insert(tagged[0] + 1 if tagged else 0, cell)


def _named(name: str) -> str:
    if not name.isidentifier():
        raise UsageMistake(f'parameter "{name}" is no name of Python; a notebook cannot have it')
    return name


def _value(text: str) -> Any:  # noqa: ANN401 - whatever the text says
    """The value as papermill reads it from its command line: a truth value, None, a number, else the text."""
    words = {"True": True, "False": False, "None": None, "true": True, "false": False}
    if text in words:
        return words[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before

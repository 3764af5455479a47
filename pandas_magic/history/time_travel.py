"""A check run with code of another day, on tables of another day: to see which of the two a verdict is from."""

import subprocess
from pathlib import Path

from pandas_magic.catalog import Catalog
from pandas_magic.checking.result import Result
from pandas_magic.checking.runner import Runner
from pandas_magic.errors import StateUnreadable, UsageMistake
from pandas_magic.history.remembering import remembered_check, remembered_table
from pandas_magic.history.run import Run
from pandas_magic.registry.approval import standing
from pandas_magic.registry.check_file import file_name, read_check
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.workspace import Workspace

_GIT_SECONDS = 30


def travel(workspace: Workspace, check_id: str, *, code_from: str = "", data_from: str = "") -> Result:
    """What the check says with the code of a run or of a commit, on the tables of a run; today's where none is named.

    "now" is the moment of the run that the data is from. The result says what it is made of, and is in no journal:
    it tells nothing about the tables as they are.

    Raises: NoSuchName; UsageMistake when the run, the commit, the code or a table is not there any more.
    """
    compiled = _check_from(workspace, check_id, code_from) if code_from else workspace.registry.get(check_id)
    catalog, settings = workspace.catalog, workspace.settings
    if data_from:
        past = _run(workspace, check_id, data_from)
        names = tuple(compiled.plan.reads)
        frames = {name: remembered_table(name, past, catalog, workspace.journal.folder) for name in names}
        catalog = Catalog(given=frames)
        settings = settings.model_copy(update={"now": past.started_at})
    code, data = code_from or "today", f"run {data_from}" if data_from else "today"
    note = f"with the code of {code} on the tables of {data}; not in the history"
    resting = {"snooze": None, "check": compiled.check.model_copy(update={"enabled": True})}
    run = Runner(catalog, settings, workspace.bench).run(compiled.model_copy(update=resting), notes=(note,))
    held = run.model_copy(update={"review": standing(compiled)})
    return Result(held, compiled, echo=compiled.plan.goal)


def _run(workspace: Workspace, check_id: str, run_id: str) -> Run:
    run = workspace.journal.history.whole(run_id)
    if run is None or run.check_id != check_id:
        raise UsageMistake(f'{check_id} has no run "{run_id}"; pandas-magic history {check_id} shows them')
    return run


def _check_from(workspace: Workspace, check_id: str, source: str) -> CompiledCheck:
    run = workspace.journal.history.whole(source)
    if run is not None and run.check_id == check_id:
        return remembered_check(run, workspace.journal.folder)
    path = workspace.registry.folder / file_name(check_id)
    try:
        return read_check(path, _text_at(path, source))
    except StateUnreadable as error:
        raise UsageMistake(f"{check_id} of commit {source} cannot be read: {error}") from error


def _text_at(path: Path, commit: str) -> str:
    if commit.startswith("-"):
        raise UsageMistake(f'"{commit}" names neither a run nor a commit')
    folder = path.parent if path.parent.exists() else Path.cwd()
    command = ["git", "show", f"{commit}:./{path.name}"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=_GIT_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageMistake(f"git cannot be asked for {commit}: {error}") from error
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise UsageMistake(f'"{commit}" is no run, and git has no such file there: {said[0] if said else "no reason"}')
    return done.stdout

"""A check run with code of another day, on tables of another day: to see which of the two a verdict is from."""

import subprocess
from pathlib import Path

from pandas_magic.catalog import Catalog
from pandas_magic.checking.result import Result
from pandas_magic.checking.runner import Runner
from pandas_magic.errors import StateUnreadable, UsageMistake
from pandas_magic.history.journal import Journal
from pandas_magic.history.remembering import remembered_check, remembered_table
from pandas_magic.registry.approval import standing
from pandas_magic.registry.check_file import file_name, read_check
from pandas_magic.registry.checks_folder import Registry
from pandas_magic.registry.compiled_check import CompiledCheck

_GIT_SECONDS = 30


def travel(
    check_id: str, runner: Runner, journal: Journal, registry: Registry, *, code_from: str = "", data_from: str = ""
) -> Result:
    """What the check says with the code of a run or of a commit, on the tables of a run; today's where none is named.

    "now" is the moment of the run that the data is from. The result says what it is made of, and is in no journal:
    it tells nothing about the tables as they are.

    Raises: NoSuchName; UsageMistake when the run, the commit, the code or a table is not there any more.
    """
    compiled = _check_from(code_from, check_id, journal, registry) if code_from else registry.get(check_id)
    if data_from:
        runner = _runner_at(data_from, compiled, runner, journal)
    code, data = code_from or "today", f"run {data_from}" if data_from else "today"
    note = f"with the code of {code} on the tables of {data}; not in the history"
    resting = {"snooze": None, "check": compiled.check.model_copy(update={"enabled": True})}
    run = runner.run(compiled.model_copy(update=resting), alone=bool(code_from), notes=(note,))
    held = run.model_copy(update={"review": standing(compiled)})
    return Result(held, compiled, echo=compiled.plan.goal)


def _runner_at(run_id: str, compiled: CompiledCheck, runner: Runner, journal: Journal) -> Runner:
    """A runner on the tables as that run read them, at its moment."""
    past = journal.history.whole(run_id)
    if past is None or past.check_id != compiled.id:
        raise UsageMistake(f'{compiled.id} has no run "{run_id}"; pandas-magic history {compiled.id} shows them')
    if past.since:
        raise UsageMistake(f"run {run_id} judged a part of its table, since {past.since}; name one that judged all")
    frames = {name: remembered_table(name, past, runner.catalog, journal.folder) for name in tuple(compiled.plan.reads)}
    settings = runner.settings.model_copy(update={"now": past.as_of or past.started_at})
    return Runner(Catalog(given=frames), settings, runner.bench)


def _check_from(source: str, check_id: str, journal: Journal, registry: Registry) -> CompiledCheck:
    run = journal.history.whole(source)
    if run is not None and run.check_id == check_id:
        return remembered_check(run, journal.folder)
    path = registry.folder / file_name(check_id)
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

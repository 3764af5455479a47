"""Every limit of the earlier systems is a setting, by its own name, through every door, and bites."""

import asyncio
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from traitlets import TraitError

from pandas_magic.compat import agents
from pandas_magic.errors import CodeRefused, TableUnreadable, UsageMistake
from pandas_magic.notebook.magic_settings import PandasMagic
from pandas_magic.settings import Settings
from pandas_magic.workspace import Workspace

MIB = 1024**2
# The name, its variable in the environment, a value as people write it there, and what comes of it under our name.
CODE_EXEC = {
    "max_files_to_select": ("CODE_EXEC_MAX_FILES_TO_SELECT", "3", "max_files", 3),
    "execution_timeout": ("CODE_EXEC_EXECUTION_TIMEOUT", "120", "request_wall_seconds", 120.0),
    "max_file_size_mb": ("CODE_EXEC_MAX_FILE_SIZE_MB", "5000", "max_file_bytes", 5000 * MIB),
    "allowed_imports": ("CODE_EXEC_ALLOWED_IMPORTS", "pandas, sympy", "allowed_imports", ("pandas", "sympy")),
    "disallowed_code_patterns": (
        "CODE_EXEC_DISALLOWED_CODE_PATTERNS",
        "eval(, os.system",
        "disallowed_code_patterns",
        ("eval(", "os.system"),
    ),
}
PYTHON_CODE = {
    "python_code_enabled": ("PYTHON_CODE_ENABLED", "false", "code_enabled", False),
    "python_code_timeout": ("PYTHON_CODE_TIMEOUT", "30", "request_wall_seconds", 30.0),
    "python_code_max_memory": ("PYTHON_CODE_MAX_MEMORY", "512", "memory_bytes", 512 * MIB),
    "python_code_execution_dir": ("PYTHON_CODE_EXECUTION_DIR", "./scratch", "work_dir", "./scratch"),
    "python_code_max_iterations": ("PYTHON_CODE_MAX_ITERATIONS", "5", "max_repairs", 5),
    "python_code_allow_partial_execution": ("PYTHON_CODE_ALLOW_PARTIAL_EXECUTION", "True", "allow_partial", True),
    "python_code_max_file_size": ("PYTHON_CODE_MAX_FILE_SIZE", "0.5", "max_file_bytes", MIB // 2),
}


def through_every_door(folder: Path, name: str, said: tuple[str, str, str, Any]) -> list[object]:
    """The setting as the environment, a `.env` file, pyproject.toml and `%config` give it."""
    variable, text, ours, value = said
    found = [getattr(Settings.load(folder, environ={variable: text}), ours)]
    (folder / ".env").write_text(f"{variable}={text}\n")
    found.append(getattr(Settings.load(folder, environ={}), ours))
    (folder / ".env").unlink()
    listed = str(list(value)) if isinstance(value, tuple) else f'"{text}"'
    (folder / "pyproject.toml").write_text(f"[tool.pandas_magic]\n{name} = {listed}\n")
    found.append(getattr(Settings.load(folder, environ={}), ours))
    (folder / "pyproject.toml").unlink()
    notebook = PandasMagic(base_dir=str(folder))
    setattr(notebook, name, text)
    workspace = notebook.open({})
    found.append(getattr(workspace.settings, ours))
    workspace.close()
    return found


@pytest.mark.feature("B08", "B11", "B15")
@pytest.mark.parametrize("name", CODE_EXEC)
def test_a_setting_of_the_code_execution_agent_comes_through_every_door(tmp_path: Path, name: str) -> None:
    assert through_every_door(tmp_path, name, CODE_EXEC[name]) == [CODE_EXEC[name][3]] * 4


@pytest.mark.feature("D02")
@pytest.mark.parametrize("name", PYTHON_CODE)
def test_a_setting_of_the_code_generator_comes_through_every_door(tmp_path: Path, name: str) -> None:
    assert through_every_door(tmp_path, name, PYTHON_CODE[name]) == [PYTHON_CODE[name][3]] * 4


def test_our_name_stands_before_an_earlier_one_and_the_nearer_source_before_both(tmp_path: Path) -> None:
    both = {"PYTHON_CODE_TIMEOUT": "30", "PANDAS_MAGIC_REQUEST_WALL_SECONDS": "40"}
    assert Settings.load(tmp_path, environ=both).request_wall_seconds == 40
    assert Settings.load(tmp_path, environ=both, given={"execution_timeout": 50}).request_wall_seconds == 50


def test_a_value_that_cannot_be_meant_is_named_as_it_was_said(tmp_path: Path) -> None:
    with pytest.raises(UsageMistake, match="setting \"max_file_size_mb\" cannot be 'large': it is a number of MB"):
        Settings.load(tmp_path, environ={"CODE_EXEC_MAX_FILE_SIZE_MB": "large"})
    with pytest.raises(TraitError, match='setting "max_files" cannot be 0'):
        PandasMagic().max_files = 0


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"age": range(1000)}).to_csv(tmp_path / "people.csv", index=False)
    return tmp_path / "people.csv"


# What bites at code, with the message that names the limit.
BITES = {
    "the time of code": ("CODE_EXEC_EXECUTION_TIMEOUT", "0.5", "while True:\n    pass", "0.5 s"),
    "memory": ("PYTHON_CODE_MAX_MEMORY", "400", "result = len(b'x' * 10**9)", "MemoryError|memory"),
    "imports": ("CODE_EXEC_ALLOWED_IMPORTS", "pandas", "import math", "allowed_imports"),
    "texts": ("CODE_EXEC_DISALLOWED_CODE_PATTERNS", ".drop(", "result = people.drop (columns=[])", r"\.drop\("),
    "whether code runs": ("PYTHON_CODE_ENABLED", "false", "result = 1", "switched off"),
    "the size of a file": ("CODE_EXEC_MAX_FILE_SIZE_MB", "0.001", "result = len(people)", "over the limit of 1,048"),
}


@pytest.mark.feature("B11", "B15", "D02")
@pytest.mark.parametrize("limit", BITES)
def test_a_limit_bites(people: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    variable, text, code, told = BITES[limit]
    monkeypatch.setenv(variable, text)
    answer = agents.process_query_with_custom_code(code, {"people": people})
    assert not answer["success"]
    assert pd.Series([answer["error"]]).str.contains(told).all(), answer["error"]


@pytest.mark.feature("B24", "D09")
def test_an_import_can_be_allowed_but_none_that_reaches_beyond_the_data(
    people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "import colorsys\nresult = colorsys.rgb_to_hsv(0, 0, 1)[2]"
    refused = agents.process_query_with_custom_code(code, {})
    assert "allowed_imports" in refused["error"]
    monkeypatch.setenv("CODE_EXEC_ALLOWED_IMPORTS", "pandas,colorsys,os")
    allowed = agents.process_query_with_custom_code(code, {})
    assert (allowed["error"], allowed["result"]) == (None, 1)
    beyond = agents.process_query_with_custom_code("import os", {})
    assert "no list of allowed packages changes that" in beyond["error"]


@pytest.mark.feature("D02")
def test_code_works_in_a_folder_of_its_own_below_the_one_named(people: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_CODE_EXECUTION_DIR", "scratch")
    with_workspace = Workspace.open()
    try:
        code = "import os, pathlib\nhere = os.getcwd()\nleft = os.listdir()\npathlib.Path('x').write_text('x')"
        first, _ = with_workspace.sandbox(code, [])
        place = with_workspace.bench.sandbox().fetch_record("here")
        assert first.status == "ok"
        assert isinstance(place, str)
        assert Path(place).is_relative_to(people.parent / "scratch")
        with_workspace.sandbox(code, [])
        assert with_workspace.bench.sandbox().fetch_record("left") == []
    finally:
        with_workspace.close()
    assert list((people.parent / "scratch").iterdir()) == []


@pytest.mark.feature("B15")
def test_code_may_compute_on_its_processors_for_as_long_as_it_may_run(tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path)
    try:
        limits = workspace.bench.sandbox().policy.limits
        assert limits.cpu_seconds >= limits.compute_threads * workspace.settings.request_wall_seconds
    finally:
        workspace.close()


def test_a_file_over_the_limit_is_no_table_however_it_is_asked_for(people: Path) -> None:
    workspace = Workspace.open(settings={"max_file_bytes": 100})
    with pytest.raises(TableUnreadable, match=r'"people" is a file of 3,\d+ bytes.*raise max_file_bytes'):
        workspace.catalog.frame("people")
    assert workspace.tables() == []


def test_a_check_that_somebody_edited_is_held_to_the_list_too(people: Path) -> None:
    workspace = Workspace.open(settings={"disallowed_code_patterns": ("isna",)})
    try:
        from pandas_magic.registry.check_request import CheckRequest

        made = workspace.check(CheckRequest(rule="age must be at least 0", id="CHK-001", tables=("people",)))
        assert made.run.verdict == "PASS"
        with pytest.raises(CodeRefused, match="disallowed_code_patterns"):
            workspace.run_saved("CHK-001", code="violations = people[people['age'].isna()]")
    finally:
        workspace.close()


@pytest.mark.feature("D02")
def test_a_task_is_refused_where_code_is_switched_off(people: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_CODE_ENABLED", "false")
    task = asyncio.run(agents.execute_code_task("how many people", file_paths=[people]))
    assert (task["success"], "switched off" in task["error"]) == (False, True)

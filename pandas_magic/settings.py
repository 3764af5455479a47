"""Settings: given > environment > pyproject.toml > default."""

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, field_validator

from pandas_magic.clock import Instant
from pandas_magic.errors import UsageMistake
from pandas_magic.record import Record

# What agents are told of the tables (`pandas-magic mcp`); each level tells what those before it tell.
AgentLevel = Literal["schema", "stats", "samples", "rows"]

_PREFIX = "PANDAS_MAGIC_"
SECRETS = ("alerts", "webhook")  # never printed
_MIB = 1024**2
_LINE = re.compile(r"\s*(?:export\s+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)\s*=\s*(?P<value>.*?)\s*$")
# What two earlier systems call a setting -> ours, and how many of ours one of theirs is (1: the same value).
# In the environment the first have "CODE_EXEC_" before them.
_CODE_EXEC = {
    "max_files_to_select": ("max_files", 1),
    "execution_timeout": ("request_wall_seconds", 1),
    "max_file_size_mb": ("max_file_bytes", _MIB),
    "allowed_imports": ("allowed_imports", 1),
    "disallowed_code_patterns": ("disallowed_code_patterns", 1),
}
_PYTHON_CODE = {
    "python_code_enabled": ("code_enabled", 1),
    "python_code_timeout": ("request_wall_seconds", 1),
    "python_code_max_memory": ("memory_bytes", _MIB),
    "python_code_execution_dir": ("work_dir", 1),
    "python_code_max_iterations": ("max_repairs", 1),
    "python_code_allow_partial_execution": ("allow_partial", 1),
    "python_code_max_file_size": ("max_file_bytes", _MIB),
}


class Settings(Record):
    """How a workspace behaves. Every field can be set as `PANDAS_MAGIC_<NAME>` or in `[tool.pandas_magic]`."""

    data_dir: str = ""  # the folder of table files, relative to the workspace; "": "data" if there is one, else itself
    # "auto": a model is asked about rules that the rule compiler refuses, where PANDAS_MAGIC_MODEL names one.
    # Other names are those of planners that packages bring.
    planner: str = "auto"
    executor: str = "confined"  # what runs code: our confined kernel, or the name of what a package brings
    on_fail: Literal["show", "raise"] = "show"  # what a failing check does in a notebook
    wall_seconds: float = Field(60.0, gt=0, allow_inf_nan=False)  # per check
    request_wall_seconds: float = Field(300.0, gt=0, allow_inf_nan=False)  # for the code of a request in words
    memory_bytes: int = Field(2 * 1024**3, gt=0)  # of the confined kernel; and what we keep, or read at once, of files
    max_files: int = Field(10, ge=1)  # tables that one request may use
    max_file_bytes: int = Field(0, ge=0)  # a larger file is no table; 0: any size
    warn_bytes: int = Field(1000**3, ge=0)  # tables estimated to take more are said to be large before they are read
    max_repairs: int = Field(3, ge=0)  # of the code of a request, and of a step of an exploration that raised
    code_enabled: bool = True  # whether code is written and run for a request, or written anew for such a step
    allow_partial: bool = False  # whether code that only the reviewer faults is run all the same
    # What code that a model or a person wrote may import, of what can be allowed at all; (): kernel_sandbox's own list.
    allowed_imports: tuple[str, ...] = ()
    disallowed_code_patterns: tuple[str, ...] = ()  # texts that such code must not hold
    work_dir: str = ""  # below which code gets its private folder; "": the system's folder for temporary files
    isolation: Literal["auto", "none"] = "auto"  # "none": code runs without locks, which every run says
    # What finds the rows of checks of the compiler's own: "duckdb" is DuckDB, where it is installed and was proved for
    # the check, "pandas" is never that; "auto" is DuckDB for large tables of Parquet files, which it reads itself, and
    # pandas for all others.
    engine: Literal["auto", "pandas", "duckdb"] = "auto"
    # Whether tables of a database are looked at there: "auto" is those of more than a million rows.
    in_database: Literal["auto", "always", "never"] = "auto"
    # Whether a check looks only at Parquet files that it did not look at yet or that changed, where its rule allows.
    only_new: bool = False
    allow_proposed: bool = False  # whether code that nobody approved gives verdicts (in notebooks: a model's own)
    agents_see: AgentLevel = "schema"  # what agents that are served over MCP are told of the data
    allow_edited: tuple[str, ...] = ()  # ids of checks whose edited cells may give a verdict, which says so
    keys: dict[str, tuple[str, ...]] = Field(default_factory=dict)  # table -> the columns that identify a row
    webhook: str = ""  # where "--report webhook" posts; best from the environment, since it is a secret
    # Owner -> where "--report alerts" posts what changed of their checks; ${NAME} in it stands for that variable.
    alerts: dict[str, str] = Field(default_factory=dict)
    keep_runs: int = Field(100, ge=0)  # of each check, runs whose failing rows are kept; 0: all
    keep_tables: int = Field(0, ge=0)  # of each table read, whole copies kept for runs on older data
    keep_days: float = Field(0.0, ge=0, allow_inf_nan=False)  # for how many days failing rows are kept; 0: without end
    now: str = ""  # ISO 8601: the time that "today" and "now" mean in rules; "": the clock

    @field_validator("allow_edited", "allowed_imports", "disallowed_code_patterns", mode="before")
    @classmethod
    def _may_be_one_text_with_commas(cls, said: object) -> object:
        if not isinstance(said, str):
            return said
        return tuple(part.strip() for part in said.split(",") if part.strip())

    @field_validator("alerts", mode="before")
    @classmethod
    def _may_be_json(cls, said: object) -> object:
        return json.loads(said) if isinstance(said, str) else said

    @field_validator("now")
    @classmethod
    def _is_a_moment(cls, said: str) -> str:
        if said:
            Instant.at(said)
        return said

    @classmethod
    def load(
        cls, base_dir: Path, *, given: Mapping[str, Any] | None = None, environ: Mapping[str, str] | None = None
    ) -> Self:
        """The settings in force below `base_dir`.

        Raises: UsageMistake naming the setting and the value that does not fit.
        """
        environment = os.environ if environ is None else environ
        sources = (
            _from_pyproject(base_dir / "pyproject.toml"),
            _from_environment(read_env_file(base_dir / ".env")),
            _from_environment(environment),
            given or {},
        )
        merged = {name: value for source in sources for name, value in _under_our_names(source).items()}
        try:
            return cls.model_validate(merged)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(map(str, first["loc"]))
            said = "what was given" if name.partition(".")[0] in SECRETS else repr(first["input"])
            raise UsageMistake(f'setting "{name}" cannot be {said}: {first["msg"]}') from error


def setting_names() -> tuple[str, ...]:
    """The names of all settings: ours, and those of earlier systems that stand for one of ours."""
    return tuple(dict.fromkeys((*Settings.model_fields, *_CODE_EXEC, *_PYTHON_CODE)))


def read_env_file(path: Path) -> dict[str, str]:
    """The variables of a `.env` file: NAME=value lines, `#` comments, quotes around values."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise UsageMistake(f"{path} cannot be read: {error}") from error
    found = {}
    for line in lines:
        match = _LINE.match(line)
        if match and not line.lstrip().startswith("#"):
            found[match["name"]] = _unquoted(match["value"])
    return found


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value.split(" #", 1)[0].rstrip()


def said_by_environment() -> dict[str, str]:
    """The variables of the environment, as they are now, that settings or models are read from."""
    theirs = tuple(name.upper() for name in _PYTHON_CODE)
    return {name: value for name, value in os.environ.items() if name.startswith((_PREFIX, "CODE_EXEC_", *theirs))}


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    variables = {
        **{name: name.upper() for name in _PYTHON_CODE},
        **{name: f"CODE_EXEC_{name.upper()}" for name in _CODE_EXEC},
    }
    said: dict[str, Any] = {name: environ[variable] for name, variable in variables.items() if variable in environ}
    ours = {name: _PREFIX + name.upper() for name in Settings.model_fields}
    said |= {name: environ[variable] for name, variable in ours.items() if variable in environ}
    return said


def _under_our_names(source: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of one source; where it has one under several names, ours counts.

    Raises: UsageMistake when a size is no number.
    """
    theirs = {**_CODE_EXEC, **_PYTHON_CODE}
    found: dict[str, Any] = {}
    for name, (ours, factor) in theirs.items():
        if name in source:
            found[ours] = source[name] if factor == 1 else _times(name, source[name], factor)
    known = Settings.model_fields
    return found | {name: value for name, value in source.items() if name in known or name not in theirs}


def _times(name: str, value: Any, factor: int) -> int:  # noqa: ANN401 - whatever a file or a person says
    try:
        return int(float(value) * factor)
    except (TypeError, ValueError, OverflowError) as error:
        raise UsageMistake(f'setting "{name}" cannot be {value!r}: it is a number of MB') from error


def _from_pyproject(path: Path) -> dict[str, Any]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (ValueError, OSError) as error:
        raise UsageMistake(f"{path} cannot be read: {error}") from error
    table = content.get("tool", {}).get("pandas_magic", {})
    return dict(table)

"""Settings: given > environment > pyproject.toml > default."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, field_validator

from pandas_magic.clock import Instant
from pandas_magic.errors import UsageMistake
from pandas_magic.record import Record

_PREFIX = "PANDAS_MAGIC_"


class Settings(Record):
    """How a workspace behaves. Every field can be set as `PANDAS_MAGIC_<NAME>` or in `[tool.pandas_magic]`."""

    data_dir: str = ""  # the folder of table files, relative to the workspace; "": "data" if there is one, else itself
    # "auto": a model is asked about rules that the rule compiler refuses, where PANDAS_MAGIC_MODEL names one.
    # Other names are those of planners that packages bring.
    planner: str = "auto"
    on_fail: Literal["show", "raise"] = "show"
    wall_seconds: float = Field(60.0, gt=0, allow_inf_nan=False)  # per check
    memory_bytes: int = Field(2 * 1024**3, gt=0)  # of the confined kernel
    isolation: Literal["auto", "none"] = "auto"
    allow_proposed: bool = False  # whether `pandas-magic run` runs code that nobody approved
    allow_edited: tuple[str, ...] = ()  # ids of checks whose edited cells may give a verdict, which says so
    keys: dict[str, tuple[str, ...]] = Field(default_factory=dict)  # table -> the columns that identify a row
    webhook: str = ""  # where "--report webhook" posts; best from the environment, since it is a secret
    keep_runs: int = Field(100, ge=0)  # of each check, runs whose failing rows are kept; 0: all
    keep_tables: int = Field(0, ge=0)  # of each table read, whole copies kept for runs on older data
    keep_days: float = Field(0.0, ge=0, allow_inf_nan=False)  # for how many days failing rows are kept; 0: without end
    now: str = ""  # ISO 8601: the time that "today" and "now" mean in rules; "": the clock

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
        from_environment: dict[str, Any] = {
            name: environment[_PREFIX + name.upper()]
            for name in cls.model_fields
            if _PREFIX + name.upper() in environment
        }
        if isinstance(listed := from_environment.get("allow_edited"), str):
            from_environment["allow_edited"] = tuple(part.strip() for part in listed.split(",") if part.strip())
        merged = {**_from_pyproject(base_dir / "pyproject.toml"), **from_environment, **(given or {})}
        try:
            return cls.model_validate(merged)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(map(str, first["loc"]))
            raise UsageMistake(f'setting "{name}" cannot be {first["input"]!r}: {first["msg"]}') from error


def _from_pyproject(path: Path) -> dict[str, Any]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (ValueError, OSError) as error:
        raise UsageMistake(f"{path} cannot be read: {error}") from error
    table = content.get("tool", {}).get("pandas_magic", {})
    return dict(table)

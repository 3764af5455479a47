"""What an exploration is asked for: the request and its limits, as JSON."""

from typing import Literal

from pydantic import Field

from pandas_magic.record import Record


class Inputs(Record):
    """The table, the target, and how deep to go."""

    data_path: str  # a file, or the name of a table
    target: str | None = None  # None: nothing is to be predicted
    max_columns_to_explore: int = Field(default=100, gt=0)  # in pairs; every column is counted by itself
    plot_limit: int = Field(default=10, ge=0)
    missing_threshold_pct: float = Field(default=30, ge=0, le=100)


class Constraints(Record):
    """What one run in the sandbox may use."""

    cpu: int = Field(default=1, gt=0)
    memory_mb: int = Field(default=2048, gt=0)
    timeout_seconds: float = Field(default=120, gt=0)


class Request(Record):
    """One exploration."""

    action: Literal["explore"] = "explore"
    inputs: Inputs
    constraints: Constraints = Field(default_factory=Constraints)

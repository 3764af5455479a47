"""What an exploration is asked for: the request and its limits, as JSON."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, Self

from pydantic import Field

from pandas_magic.errors import UsageMistake
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


class ExplorationRequest(Record):
    """One exploration."""

    action: Literal["explore"] = "explore"
    inputs: Inputs
    constraints: Constraints = Field(default_factory=Constraints)

    @classmethod
    def of(
        cls,
        data_path: str,
        target: str | None,
        inputs: Mapping[str, object] = MappingProxyType({}),
        constraints: Mapping[str, object] = MappingProxyType({}),
    ) -> Self:
        """The request with the other fields of `Inputs` and those of `Constraints` as a person said them.

        Raises: UsageMistake when `inputs` names the table or the target once more; pydantic.ValidationError for a
        field that is unknown or of a wrong value, by its name.
        """
        if twice := [name for name in ("data_path", "target") if name in inputs]:
            raise UsageMistake(f"inputs holds {' and '.join(twice)}: the table and target= are given by themselves")
        asked = Inputs.model_validate({**inputs, "data_path": data_path, "target": target})
        return cls(inputs=asked, constraints=Constraints.model_validate(dict(constraints)))

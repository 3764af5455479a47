"""What an engine is asked, and what it answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kernel_sandbox import Execution


@dataclass(frozen=True)
class EngineQuestion:
    """A SELECT, and the columns that it reads of each table."""

    select: str
    columns: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class EngineAnswer:
    """The positions that a SELECT found, ascending, and how many rows it left open."""

    positions: tuple[int, ...]
    left_open: int
    execution: Execution | None = None  # of the kernel in which it was found; None: in a database

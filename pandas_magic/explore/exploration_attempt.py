"""One try at exploring a table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ExplorationAttempt:
    """One run of the explorer: on what, how it ended ("ok", or why not), and for how long."""

    on: str
    status: str
    problem: str = ""
    trace: str = ""
    seconds: float = 0.0

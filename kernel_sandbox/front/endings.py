"""How a turn ended, in one status and one line of reason."""

from dataclasses import dataclass
from typing import Any, Literal

from kernel_sandbox.front.turns import Turn
from kernel_sandbox.policy import Limits

Status = Literal["ok", "error", "timeout", "memory", "cpu", "output", "died", "interrupted"]

REMAIN = "its variables remain"
GONE = "its variables and staged tables are gone, and the next execution starts in a fresh process"
_STATUS_OF_CAUSE: dict[str, Status] = {
    "wall": "timeout",
    "memory": "memory",
    "cpu": "cpu",
    "output": "output",
    "interrupted": "interrupted",
}


@dataclass(frozen=True)
class Ending:
    """`reason` is empty for "ok" and "error". `is_death` is true when the process ended with the turn."""

    status: Status
    reason: str = ""
    is_death: bool = False


def ending_of(turn: Turn, ended: dict[str, Any] | None, limits: Limits) -> Ending:
    """How the turn ended; `ended` is what the keeper says of the end of its process, None while that lives."""
    if ended is not None:
        status = _STATUS_OF_CAUSE.get(ended["cause"], "died")
        seen = str(ended["seen"])
        return Ending(status, f"{_reason(status, turn, seen) or seen}; {GONE}", is_death=True)
    if turn.past_deadline:
        return Ending("timeout", f"{overtime(turn.wall_seconds)} and was interrupted; {REMAIN}")
    if turn.stop_cause:
        status = _STATUS_OF_CAUSE[turn.stop_cause]
        return Ending(status, f"{_reason(status, turn, '')}; {REMAIN}")
    return Ending("error" if turn.raised or turn.fault else "ok")


def overtime(wall_seconds: float | None) -> str:
    """The beginning of the reason for an interrupt or an end at the deadline."""
    return f"the code ran longer than its {wall_seconds or 0:g} s"


def _reason(status: Status, turn: Turn, seen: str) -> str:
    match status:
        case "timeout":
            return f"{overtime(turn.wall_seconds)} and went on when it was interrupted"
        case "output":
            return f"the code said more than it may: {turn.excess or 'too much'}"
        case "interrupted":
            return "the code was interrupted"
        case "memory" | "cpu":
            return f"the code used {seen or 'too much'}"
        case _:
            return ""

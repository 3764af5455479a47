"""A process in the care of its keeper: what is told of a deadline, and what is done when nobody answers."""

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernel_sandbox import Limits, Policy
from kernel_sandbox.keeper.keeping import Charge
from kernel_sandbox.locks import Places

NOW = {"op": "run", "run": 7, "wall_seconds": 0, "cpu_seconds": None}
LATE = {"event": "deadline", "run": 7}


@pytest.fixture
def sleeper() -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(["sleep", "60"]) as process:
        yield process
        process.kill()


def charge_of(sleeper: "subprocess.Popen[bytes]", folder: Path, *, grace_seconds: float) -> Charge:
    """The sleeper in the care of a keeper, past its deadline."""
    policy = Policy(limits=Limits(grace_seconds=grace_seconds))
    charge = Charge(1, sleeper.pid, policy, Places(str(folder), str(folder)))
    charge.obey(NOW)
    return charge


def test_a_deadline_is_told_before_the_code_is_interrupted(sleeper: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    charge = charge_of(sleeper, tmp_path, grace_seconds=60)

    assert charge.enforce() == [LATE]
    assert charge.enforce() == []
    with pytest.raises(subprocess.TimeoutExpired):
        sleeper.wait(0.1)

    charge.obey({"op": "stop", "cause": "wall"})
    assert sleeper.wait(10) == -signal.SIGINT


def test_a_process_past_its_deadline_is_killed_when_nobody_asks_for_its_interrupt(
    sleeper: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    charge = charge_of(sleeper, tmp_path, grace_seconds=1e-9)

    assert charge.enforce() == [LATE]
    charge.enforce()

    assert (sleeper.wait(10), charge.cause) == (-signal.SIGKILL, "wall")

"""Every attempt to get out fails, as root and as an ordinary user; without its lock it succeeds."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.escapes.attempts import ATTEMPTS, BY_DESIGN
from tests.kernel_sandbox.users import NOBODY, readable_python, site_folders

BATTERY = Path(__file__).parent / "battery.py"
# What Landlock alone would stop is stopped without seccomp, and the other way round; both figures are in SECURITY.md.
LEAST_WITHOUT_LANDLOCK, LEAST_WITHOUT_SECCOMP = 85, 55


def traces(configuration: str, *, as_nobody: bool = False) -> dict[str, list[str]]:
    python = readable_python() if as_nobody else sys.executable
    program = f"import sys; sys.path += {site_folders()!r}; sys.argv = sys.argv[1:]; exec(open(sys.argv[0]).read())"
    command = [python, "-W", "ignore", "-c", f"__file__ = {str(BATTERY)!r}; {program}", str(BATTERY), configuration]
    rights = {"user": NOBODY, "group": NOBODY, "extra_groups": ()} if as_nobody else {}
    finished = subprocess.run(
        command,
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LANG": "C.UTF-8"},
        cwd="/",
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        **rights,  # type: ignore[call-overload]
    )
    assert finished.returncode == 0, finished.stderr[-3000:]
    found: dict[str, list[str]] = json.loads(finished.stdout)
    return found


@pytest.mark.feature("D10")
def test_no_attempt_succeeds_confined() -> None:
    assert len(ATTEMPTS) >= 120

    assert set(traces("confined")) <= BY_DESIGN


@pytest.mark.skipif(os.geteuid() != 0, reason="run as root, this is repeated as an ordinary user; you are one already")
def test_no_attempt_succeeds_confined_as_an_ordinary_user() -> None:
    assert set(traces("confined", as_nobody=True)) <= BY_DESIGN


def test_every_attempt_succeeds_with_no_lock_at_all() -> None:
    """An attempt that never succeeds proves nothing when it fails."""
    possible = {attempt.name for attempt in ATTEMPTS if os.geteuid() == 0 or not attempt.needs_root}

    assert possible - set(traces("unconfined")) == set()


def test_many_attempts_succeed_without_landlock() -> None:
    assert len(traces("without-landlock")) >= LEAST_WITHOUT_LANDLOCK


def test_many_attempts_succeed_without_seccomp() -> None:
    assert len(traces("without-seccomp")) >= LEAST_WITHOUT_SECCOMP

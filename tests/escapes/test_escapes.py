"""Every attempt to get out fails, as root and as an ordinary user; without its lock it succeeds."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kernel_sandbox.locks import bubblewrap
from tests.escapes.attempts import ATTEMPTS, BY_DESIGN
from tests.kernel_sandbox.users import NOBODY, readable_python, site_folders

REASON, _ = bubblewrap.obstacle()
BATTERY = Path(__file__).parent / "battery.py"
SECURITY = Path(__file__).parent.parent.parent / "SECURITY.md"
LINUX = tuple(int(part) for part in os.uname().release.split(".")[:2])


def figure(configuration: str) -> int:
    """The number that SECURITY.md gives for a configuration."""
    row = re.search(rf"^\| {re.escape(configuration)} \| (\d+)", SECURITY.read_text(), re.MULTILINE)
    assert row, f"SECURITY.md has no row for {configuration!r}"
    return int(row[1])


def possible(*, as_root: bool) -> set[str]:
    """The names of the attempts that this system does not refuse by itself."""
    return {one.name for one in ATTEMPTS if (as_root or not one.needs_root) and one.since <= LINUX}


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
        **rights,
    )
    assert finished.returncode == 0, finished.stderr[-3000:]
    found: dict[str, list[str]] = json.loads(finished.stdout)
    return found


@pytest.mark.feature("D10")
def test_no_attempt_succeeds_confined() -> None:
    assert len(ATTEMPTS) == figure("no lock at all")

    found = set(traces("confined"))

    assert found <= BY_DESIGN
    assert len(found) == figure("everything, as root")


@pytest.mark.skipif(os.geteuid() != 0, reason="run as root, this is repeated as an ordinary user; you are one already")
def test_no_attempt_succeeds_confined_as_an_ordinary_user() -> None:
    found = set(traces("confined", as_nobody=True))

    assert found <= BY_DESIGN
    assert len(found) == figure("everything, as an ordinary user")


@pytest.mark.skipif(bool(REASON), reason=f"{REASON}; tests/kernel_sandbox/test_bubblewrap.py tests the refusal")
def test_with_bubblewrap_around_the_locks_not_even_metadata_comes_out() -> None:
    assert traces("bwrap") == {}
    assert figure("everything, with bubblewrap") == 0


def test_no_attempt_succeeds_behind_the_locks_of_the_front() -> None:
    found = set(traces("as-front"))

    assert found <= BY_DESIGN
    assert len(found) == figure("the locks of the front")


def test_every_attempt_succeeds_with_no_lock_at_all() -> None:
    """An attempt that never succeeds proves nothing when it fails."""
    assert possible(as_root=os.geteuid() == 0) - set(traces("unconfined")) == set()


@pytest.mark.thorough
@pytest.mark.skipif(os.geteuid() != 0, reason="run as root, this is repeated as an ordinary user; you are one already")
def test_every_attempt_that_needs_no_root_succeeds_as_an_ordinary_user_with_no_lock() -> None:
    found = set(traces("unconfined", as_nobody=True))

    assert possible(as_root=False) - found == set()
    assert len(found) == pytest.approx(figure("no lock at all, as an ordinary user"), abs=4)


@pytest.mark.parametrize(
    ("configuration", "row"),
    [
        ("without-landlock", "all but Landlock"),
        ("without-seccomp", "all but seccomp"),
        pytest.param("without-rlimits", "all but resource limits", marks=pytest.mark.thorough),
        pytest.param("without-environment", "all but the environment's allow-list", marks=pytest.mark.thorough),
        pytest.param(
            "without-files", "all but closing open files, and nobody looks at them", marks=pytest.mark.thorough
        ),
        pytest.param("without-capabilities", "all but dropping capabilities", marks=pytest.mark.thorough),
    ],
)
def test_each_lock_stops_what_the_other_one_does_not(configuration: str, row: str) -> None:
    """The figures of SECURITY.md, for the machine that it names; a race or two may go either way."""
    assert len(traces(configuration)) == pytest.approx(figure(row), abs=4)

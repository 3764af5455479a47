"""Every attempt to get out fails, as root and as an ordinary user; without its lock it succeeds.

By default all are made behind all the locks as root, and every eighth in other configurations, every sixteenth with one
lock taken away. `--thorough` makes all in all, with each lock taken away alone, and holds SECURITY.md to the numbers.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from kernel_sandbox.locks import bubblewrap
from tests.escapes.attempts import ATTEMPTS, BY_DESIGN
from tests.kernel_sandbox.users import NOBODY, readable_python, site_folders

REASON, _ = bubblewrap.obstacle()
BATTERY = Path(__file__).parent / "battery.py"
SECURITY = Path(__file__).parent.parent.parent / "SECURITY.md"
ALL = [attempt.name for attempt in ATTEMPTS]
SOME = ALL[::8]  # some of each group
LINUX = tuple(int(part) for part in os.uname().release.split(".")[:2])


def figure(configuration: str) -> int:
    """The number that SECURITY.md gives for a configuration."""
    row = re.search(rf"^\| {re.escape(configuration)} \| (\d+)", SECURITY.read_text(), re.MULTILINE)
    assert row, f"SECURITY.md has no row for {configuration!r}"
    return int(row[1])


def possible(names: Sequence[str], *, as_root: bool) -> set[str]:
    """Those of the attempts that this system does not refuse by itself."""
    fit = (one for one in ATTEMPTS if one.name in names)
    return {one.name for one in fit if (as_root or not one.needs_root) and one.since <= LINUX}


def traces(configuration: str, names: Sequence[str] = (), *, as_nobody: bool = False) -> dict[str, list[str]]:
    """What the attempts of these names left, by default all."""
    python = readable_python() if as_nobody else sys.executable
    program = f"import sys; sys.path += {site_folders()!r}; sys.argv = sys.argv[1:]; exec(open(sys.argv[0]).read())"
    command = [
        python,
        "-W",
        "ignore",
        "-c",
        f"__file__ = {str(BATTERY)!r}; {program}",
        str(BATTERY),
        configuration,
        *names,
    ]
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
    assert set(traces("confined", SOME, as_nobody=True)) <= BY_DESIGN


@pytest.mark.skipif(bool(REASON), reason=f"{REASON}; tests/kernel_sandbox/test_bubblewrap.py tests the refusal")
def test_with_bubblewrap_around_the_locks_not_even_metadata_comes_out() -> None:
    assert traces("bwrap", [*SOME, *BY_DESIGN]) == {}


def test_no_attempt_succeeds_behind_the_locks_of_the_front() -> None:
    assert set(traces("as-front", SOME)) <= BY_DESIGN


@pytest.mark.parametrize("names", [SOME, pytest.param(ALL, marks=pytest.mark.thorough)], ids=["some", "all"])
def test_every_attempt_succeeds_with_no_lock_at_all(names: list[str]) -> None:
    """An attempt that never succeeds proves nothing when it fails."""
    assert possible(names, as_root=os.geteuid() == 0) - set(traces("unconfined", names)) == set()


@pytest.mark.thorough
@pytest.mark.skipif(os.geteuid() != 0, reason="run as root, this is repeated as an ordinary user; you are one already")
def test_every_attempt_that_needs_no_root_succeeds_as_an_ordinary_user_with_no_lock() -> None:
    found = set(traces("unconfined", as_nobody=True))

    assert possible(ALL, as_root=False) - found == set()
    assert len(found) == pytest.approx(figure("no lock at all, as an ordinary user"), abs=4)


def test_landlock_and_seccomp_each_stop_what_the_other_one_does_not() -> None:
    by_landlock, by_seccomp = (set(traces(f"without-{lock}", SOME[::2])) for lock in ("landlock", "seccomp"))

    assert by_landlock - by_seccomp - BY_DESIGN
    assert by_seccomp - by_landlock - BY_DESIGN


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("configuration", "row"),
    [
        ("without-landlock", "all but Landlock"),
        ("without-seccomp", "all but seccomp"),
        ("without-rlimits", "all but resource limits"),
        ("without-environment", "all but the environment's allow-list"),
        ("without-files", "all but closing open files, and nobody looks at them"),
        ("without-capabilities", "all but dropping capabilities"),
    ],
)
def test_without_a_lock_as_many_attempts_succeed_as_is_said(configuration: str, row: str) -> None:
    """The figures of SECURITY.md, for the machine that it names; a race or two may go either way."""
    assert len(traces(configuration)) == pytest.approx(figure(row), abs=4)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("configuration", "row"),
    [
        pytest.param("confined", "everything, as an ordinary user", id="as nobody"),
        pytest.param(
            "bwrap", "everything, with bubblewrap", marks=pytest.mark.skipif(bool(REASON), reason=f"{REASON}")
        ),
        ("as-front", "the locks of the front"),
    ],
)
def test_of_all_attempts_as_few_succeed_as_is_said(configuration: str, row: str) -> None:
    found = set(traces(configuration, as_nobody=configuration == "confined" and os.geteuid() == 0))

    assert found <= BY_DESIGN
    assert len(found) == figure(row)

"""What the doctor says; it runs what README.md shows."""

import json
import subprocess
import sys
from functools import cache

import pytest

from kernel_sandbox import doctor, probe
from kernel_sandbox.locks import bubblewrap

_attempts = cache(probe._attempt)


@pytest.fixture(autouse=True)
def attempts_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test reads a report of its own; what the machine refuses does not change from one to the next."""
    monkeypatch.setattr(probe, "_attempt", _attempts)


def test_this_machine_enforces_every_lock_and_each_refusal_is_the_work_of_one() -> None:
    report = doctor()

    assert report.works, str(report)
    assert {finding.confined for finding in report.findings} == {"refused"}
    # Without locks the same attempts go through, but for the environment, which is clean in every isolation.
    assert {finding.stops for finding in report.findings if finding.unconfined == "refused"} == {"keys and tokens"}


@pytest.mark.parametrize("reason", ["bubblewrap is not installed", ""])
def test_the_report_says_whether_the_outer_layer_can_be_had(monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    if not reason and bubblewrap.obstacle()[0]:
        pytest.skip(f"{bubblewrap.obstacle()[0]}; the other case of this test says what is then reported")
    if reason:
        monkeypatch.setattr(bubblewrap, "obstacle", lambda: (reason, "Install it"))

    lines = str(doctor()).splitlines()

    expected = "No outer layer: bubblewrap is not installed. Install it" if reason else "can be had as the outer layer"
    assert expected in lines[-1]
    assert "This machine can confine kernels." in lines


def test_the_report_is_json_and_the_status_tells_the_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    status = probe.main(["doctor", "--json"])

    assert json.loads(capsys.readouterr().out)["works"] is True
    assert status == 0


def test_a_wrong_call_is_answered_by_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert probe.main(["doctr"]) == 2
    assert "usage: python -m kernel_sandbox doctor [--json]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("system", "machine", "reason", "remedy"),
    [
        ("darwin", "arm64", "confinement needs Linux, and this is darwin", "on macOS a Linux container"),
        ("win32", "AMD64", "confinement needs Linux, and this is win32", "On Windows use WSL2"),
        ("linux", "riscv64", "no system call table for riscv64", "Use an x86_64 or aarch64 machine"),
    ],
)
def test_a_machine_that_cannot_is_told_why_and_what_to_do(
    system: str, machine: str, reason: str, remedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probe.sys, "platform", system)
    monkeypatch.setattr(probe.platform, "machine", lambda: machine)

    report = doctor()

    assert not report.works
    assert reason in report.reason
    assert remedy in report.remedy


@pytest.mark.parametrize(
    ("system", "remedy"), [("win32", "On Windows use WSL2"), ("darwin", "on macOS a Linux container")]
)
def test_another_system_is_refused_in_one_line_though_it_lacks_modules_of_linux(system: str, remedy: str) -> None:
    program = (
        "import os, sys, pathlib, platform, subprocess\n"
        f"sys.platform = {system!r}\n"
        "for module in ('fcntl', 'resource', 'termios', 'pwd', 'grp'): sys.modules[module] = None\n"
        "for name in ('pipe2', 'sysconf', 'O_DIRECTORY', 'memfd_create', 'pidfd_open', 'prlimit', 'geteuid'):\n"
        "    if hasattr(os, name): delattr(os, name)\n"
        "from kernel_sandbox import Policy, SandboxUnavailable\n"
        "try:\n    from kernel_sandbox import Sandbox; Sandbox(Policy())\n"
        "except SandboxUnavailable as error: print(error)\n"
        "from kernel_sandbox.probe import main; print(main(['doctor']))"
    )

    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    first, *report = finished.stdout.splitlines() or [finished.stderr]
    assert first.startswith(f"confinement needs Linux, and this is {system}. On Windows use WSL2")
    assert remedy in first
    assert report[-1] == "1"
    assert f"Not confined: confinement needs Linux, and this is {system}" in report[-2]


def test_a_kernel_without_landlock_is_told_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "landlock_abi", lambda: 0)

    report = doctor()

    assert (report.works, "no Landlock" in report.reason, "Linux 5.13" in report.remedy) == (False, True, True)

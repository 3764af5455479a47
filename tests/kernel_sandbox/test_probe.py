import json

import pytest

from kernel_sandbox import doctor, probe


def test_this_machine_enforces_every_lock_and_each_refusal_is_the_work_of_one() -> None:
    report = doctor()

    assert report.works, str(report)
    assert {finding.confined for finding in report.findings} == {"refused"}
    # Without locks the same attempts go through, but for the environment, which is clean in every isolation.
    assert {finding.stops for finding in report.findings if finding.unconfined == "refused"} == {"keys and tokens"}


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


def test_a_kernel_without_landlock_is_told_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "landlock_abi", lambda: 0)

    report = doctor()

    assert (report.works, "no Landlock" in report.reason, "Linux 5.13" in report.remedy) == (False, True, True)

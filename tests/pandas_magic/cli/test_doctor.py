"""What a report of a fault is asked to hold; it runs what docs/tutorial.md shows."""

import json
from pathlib import Path

import pytest

import kernel_sandbox
from kernel_sandbox.probe import DoctorReport
from pandas_magic import __version__
from pandas_magic.cli import doctor
from pandas_magic.cli.main import main

ROOT = Path(__file__).parents[3]
MACHINE = DoctorReport(True, "Linux 6.18 x86_64, Python 3.11.7", 7, (), ())


@pytest.fixture(autouse=True)
def _a_machine_that_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    # What it finds out is shown in tests/kernel_sandbox/test_probe.py.
    monkeypatch.setattr(kernel_sandbox, "doctor", lambda: MACHINE, raising=False)


def test_it_tells_versions_settings_and_the_machine_and_no_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PANDAS_MAGIC_WEBHOOK", "https://chat.example.com/secret")
    monkeypatch.setenv("PANDAS_MAGIC_MAX_FILES", "3")
    assert main(["doctor", "-C", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"pandas-magic {__version__}\n")
    assert "max_files=3, webhook=set" in told and "This machine can confine kernels." in told
    assert "secret" not in told and str(tmp_path) not in told


def test_an_extra_that_is_missing_is_told_with_the_line_that_brings_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "_installed", lambda package: "" if package == "xlrd" else "1.0")
    assert main(["doctor", "-C", str(tmp_path)]) == 0
    assert "excel       openpyxl 1.0, xlrd missing  (pip install 'pandas-magic[excel]')" in capsys.readouterr().out
    assert main(["doctor", "--json", "-C", str(tmp_path)]) == 0
    packages = json.loads(capsys.readouterr().out)["packages"]
    assert packages["excel"]["xlrd"] == "" and set(packages[""]) >= {"pandas", "pyarrow", "ipykernel"}
    assert not {"all", "docs", "test"} & set(packages)


def test_a_machine_that_cannot_confine_ends_with_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    report = DoctorReport(False, MACHINE.system, 0, (), (), "no Landlock", "Use Linux 5.13 or later.")
    monkeypatch.setattr(kernel_sandbox, "doctor", lambda: report, raising=False)
    assert main(["doctor", "-C", str(tmp_path)]) == 3
    assert "Not confined: no Landlock. Use Linux 5.13 or later." in capsys.readouterr().out


def test_the_forms_for_reports_ask_for_it() -> None:
    forms = list((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    asking = [form.stem for form in forms if "pandas-magic doctor" in form.read_text(encoding="utf-8")]
    assert sorted(asking) == ["fault", "misread"]

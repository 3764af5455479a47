"""The recipes of docs/schedules.md, as they stand there: their commands run, their units and workflow are read."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.commands import run_command

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "schedules.md").read_text()
PATIENCE_SECONDS = 120


def block(language: str, holding: str) -> str:
    """The fenced block of that language with that text in it."""
    found = [content for kind, content in re.findall(r"```(\w*)\n(.*?)```", TEXT, re.DOTALL) if kind == language]
    (only,) = [content for content in found if holding in content]
    return str(only)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace at the place of /srv/shop, with an approved check that fails."""
    folder = tmp_path_factory.mktemp("srv") / "shop"
    for part in ("data", "checks", "out", ".venv/bin"):
        (folder / part).mkdir(parents=True)
    (folder / "data" / "orders.csv").write_text("order_id,total\n1,5\n2,-5\n")
    rule = {"check_id": "CHK-001", "calculation_hint": "orders.total must not be negative"}
    (folder / "checks" / "checks.json").write_text(json.dumps([rule]))
    script = folder / ".venv" / "bin" / "pandas-magic"
    script.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m pandas_magic "$@"\n')
    script.chmod(0o755)
    for command in (["compile"], ["approve", "--all", "--by", "me@example.com"]):
        assert run_command(*command, folder=folder).returncode == 0
    return folder


def run_bare(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run it as a scheduler does: by sh, with almost no environment."""
    path = f"{folder}/.venv/bin:/usr/bin:/bin"
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={"HOME": os.environ["HOME"], "PATH": path},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def test_the_cron_line_runs_the_checks_and_tells_by_its_exit_code(shop: Path) -> None:
    line = block("cron", "pandas-magic").strip()
    assert line in (ROOT / "docs" / "tutorial.md").read_text()
    line = line.replace("/srv/shop", str(shop))
    schedule, command = line.split(" cd ", 1)
    assert len(schedule.split()) == 5
    assert run_bare(f"cd {command}", shop).returncode == 1
    assert "CHK-001  ✗ FAIL" in (shop / "out" / "night.log").read_text()
    assert 'failures="1"' in (shop / "out" / "junit.xml").read_text()


def test_the_service_runs_the_checks(shop: Path) -> None:
    unit = block("ini", "ExecStart").replace("/srv/shop", str(shop))
    command = re.search(r"ExecStart=(.*)", unit)
    assert command is not None
    assert run_bare(command[1], shop).returncode == 1


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_reads_the_units(shop: Path, tmp_path: Path) -> None:
    for name, holding in (("shop-checks.service", "ExecStart"), ("shop-checks.timer", "OnCalendar")):
        (tmp_path / name).write_text(block("ini", holding).replace("/srv/shop", str(shop)))
    read = subprocess.run(
        ["systemd-analyze", "verify", tmp_path / "shop-checks.timer", tmp_path / "shop-checks.service"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    said = [line for line in read.stderr.splitlines() if "shop-checks" in line]
    assert said == [], read.stderr


def test_the_workflow_runs_the_checks_and_annotates(shop: Path) -> None:
    workflow = yaml.safe_load(block("yaml", "actions/checkout"))
    commands = [step["run"] for step in workflow["jobs"]["checks"]["steps"] if "run" in step]
    assert commands[0] == "pip install pandas-magic"
    done = run_bare(commands[1], shop)
    assert done.returncode == 1
    assert "::error title=CHK-001 FAIL::FAIL: 1 of 2 rows of orders breaks the rule" in done.stdout


def test_the_operators_of_airflow_are_python_and_run_the_command(shop: Path) -> None:
    source = block("python", "BashOperator")
    compile(source, "schedules.md", "exec")
    command = re.search(r'bash_command="(.*)"', source)
    assert command is not None
    assert run_bare(command[1], shop).returncode == 1
    assert (shop / "out" / "events.jsonl").read_text().count("\n") == 2

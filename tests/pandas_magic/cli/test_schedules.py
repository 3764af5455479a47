"""The recipes of docs/schedules.md, as they stand there: their commands run, their units and workflow are read.

So are the examples for schedulers, in the schedulers themselves where the environment names a Python that has one.
"""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Sequence
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


def run_bare(
    command: str, folder: Path, shell: Sequence[str] = ("sh", "-c"), **environ: str
) -> subprocess.CompletedProcess[str]:
    """Run it as a scheduler does: by sh, with almost no environment."""
    path = f"{folder}/.venv/bin:/usr/bin:/bin"
    return subprocess.run(
        [*shell, command],
        cwd=folder,
        env={"HOME": os.environ["HOME"], "PATH": path, **environ},
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
    workflow = yaml.safe_load(block("yaml", "pip install"))
    commands = [step["run"] for step in workflow["jobs"]["checks"]["steps"] if "run" in step]
    assert commands[0] == "pip install pandas-magic"
    done = run_bare(commands[1], shop)
    assert done.returncode == 1
    assert "::error title=CHK-001 FAIL::FAIL: 1 of 2 rows of orders breaks the rule" in done.stdout


def test_the_action_runs_the_checks_and_takes_no_input_for_a_command(shop: Path) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    used = next(
        step for step in yaml.safe_load(block("yaml", "OWNER"))["jobs"]["checks"]["steps"] if "OWNER" in str(step)
    )
    assert set(used["with"]) <= set(action["inputs"])
    install, run = action["runs"]["steps"]
    assert (action["runs"]["using"], {install["shell"], run["shell"]}) == ("composite", {"bash"})
    assert "${{" not in install["run"] + run["run"]
    (shop / "my shop").symlink_to(shop)
    given = {
        "workspace": "my shop",
        "arguments": "--select id:CHK-001 --fail-on $(touch${IFS}hacked)",
        "reports": "out/a b",
    }
    environ = {name: given[value.split("inputs.")[1].rstrip(" }")] for name, value in run["env"].items()}

    # As a runner of GitHub's starts a step of bash.
    bash = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
    assert run_bare(run["run"], shop, bash, **environ).returncode == 2
    assert not (shop / "hacked").exists()
    environ["ARGUMENTS"] = "--select id:CHK-001"
    done = run_bare(run["run"], shop, bash, **environ)
    assert done.returncode == 1, done.stderr
    assert "::error title=CHK-001 FAIL::" in done.stdout
    assert sorted(path.name for path in (shop / "out" / "a b").iterdir()) == ["checks.sarif", "junit.xml"]


def test_the_hook_of_pre_commit_runs_its_command(shop: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert {"id", "name", "entry", "language", "files"} <= set(hook)
    registry = "checks/registry/CHK-001.json"
    assert re.search(hook["files"], registry)
    assert not re.search(hook["files"], "data/orders.csv")
    assert run_command(*hook["entry"].split()[1:], registry, folder=shop).returncode == 0
    kept = (shop / registry).read_text()
    (shop / registry).write_text(kept.replace('"approval": {', '"approval": {"x": 1,'))
    try:
        assert run_command(*hook["entry"].split()[1:], registry, folder=shop).returncode == 1
    finally:
        (shop / registry).write_text(kept)


def test_the_operators_of_airflow_are_python_and_run_the_command(shop: Path) -> None:
    source = block("python", "BashOperator")
    compile(source, "schedules.md", "exec")
    command = re.search(r'bash_command="(.*)"', source)
    assert command is not None
    assert run_bare(command[1], shop).returncode == 1
    assert (shop / "out" / "events.jsonl").read_text().count("\n") == 2


RECIPES = ROOT / "examples" / "schedulers"
SCHEDULERS = {"airflow_dag.py": "AIRFLOW", "prefect_flow.py": "PREFECT", "dagster_checks.py": "DAGSTER"}


def test_a_scheduler_is_told_broken_data_apart_from_a_broken_machine(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = runpy.run_path(str(RECIPES / "checks_run.py"))
    monkeypatch.setenv("PANDAS_MAGIC", str(shop / ".venv" / "bin" / "pandas-magic"))
    with pytest.raises(recipe["ChecksFailed"], match="CHK-001 FAIL: 1 of 2 rows of orders breaks the rule"):
        recipe["run_checks"](str(shop))
    with pytest.raises(recipe["ChecksBroken"], match="no check is selected by table:nowhere"):
        recipe["run_checks"](str(shop), "--select", "table:nowhere")
    (run,) = recipe["run_checks"](str(shop), "-p", f"orders={good_orders(shop)}")
    assert (run["check_id"], run["verdict"]) == ("CHK-001", "PASS")


def good_orders(shop: Path) -> Path:
    path = shop / "good.csv"
    path.write_text("order_id,total\n1,5\n")
    return path


def test_the_recipes_of_schedulers_are_python() -> None:
    assert {path.name for path in RECIPES.glob("*.py")} == {*SCHEDULERS, "checks_run.py"}
    for name in SCHEDULERS:
        compile((RECIPES / name).read_text(), name, "exec")


@pytest.mark.parametrize(("name", "scheduler"), SCHEDULERS.items())
def test_a_scheduler_runs_its_recipe(name: str, scheduler: str, shop: Path, tmp_path: Path) -> None:
    python = os.environ.get(f"PANDAS_MAGIC_{scheduler}_PYTHON")
    if not python:
        pytest.skip(f"set PANDAS_MAGIC_{scheduler}_PYTHON to a Python that has {scheduler.title()}")
    folder = shutil.copytree(RECIPES, tmp_path / "dags")
    environ = {**os.environ, "PANDAS_MAGIC": f"{shop}/.venv/bin/pandas-magic", "SHOP": str(shop)}
    environ |= {"AIRFLOW_HOME": str(tmp_path), "PREFECT_HOME": str(tmp_path), "AIRFLOW__CORE__LOAD_EXAMPLES": "False"}
    if scheduler == "AIRFLOW":
        subprocess.run([python, "-m", "airflow", "db", "migrate"], env=environ, check=True, capture_output=True)
    done = subprocess.run(
        [python, name, shop],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 1
    assert "CHK-001 FAIL: 1 of 2 rows of orders breaks the rule" in done.stdout + done.stderr

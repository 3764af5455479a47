"""Commands killed at random moments, many writers at once, state cut and flipped anywhere: nothing lost or doubled, and
never a wrong verdict; what was damaged is said in one line."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.commands import run_command

RULES = {
    "BAD": "amount must be positive",  # 2 rows break it
    "GOOD": "order_id must be present",
    "FEW": "amount must be at most 100",
}
FAILING = {"BAD": 2, "GOOD": 0, "FEW": 0}
ORDERS = "order_id,amount\n1,5\n2,-3\n3,0\n4,7\n"
CODE = 'kept = orders["amount"] > 0\nviolations = orders[~kept]'
ACCEPTED = f"""
from pandas_magic.workspace import Workspace
workspace = Workspace.open(".")
workspace.accept("BAD", {CODE!r})
workspace.close()
"""
COMMANDS = (
    ("-m", "pandas_magic", "compile", "BAD", "GOOD", "FEW"),
    ("-m", "pandas_magic", "run", "--allow-proposed"),
    ("-m", "pandas_magic", "approve", "--all", "--by", "t"),
    ("-c", ACCEPTED),
)
LONGEST_SECONDS = 3.0  # a command takes less, so that some are killed in every part of it


def begin(folder: Path, words: Sequence[str]) -> subprocess.Popen[str]:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.Popen([sys.executable, "-W", "ignore", *words], cwd=folder, text=True, **pipes)  # type: ignore[call-overload]


def run(folder: Path, *words: str) -> tuple[int, str]:
    done = run_command(*words, folder=folder)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace whose checks are compiled and ran once; each test works on a copy."""
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "data").mkdir()
    (folder / "data" / "orders.csv").write_text(ORDERS)
    (folder / "checks").mkdir()
    listed = [{"id": check_id, "rule": rule} for check_id, rule in RULES.items()]
    (folder / "checks" / "checks.json").write_text(json.dumps(listed))
    assert run(folder, "compile")[0] == 0
    assert run(folder, "run", "--allow-proposed")[0] == 1
    return folder


@pytest.fixture
def folder(compiled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(compiled, tmp_path / "workspace"))


def verdicts(folder: Path) -> dict[str, tuple[str, int | None]]:
    """What a run finds of each check, all of them judged."""
    code, said = run(folder, "run", "--allow-proposed", "--json")
    assert "Traceback" not in said
    document = json.loads(said[said.index("{") : said.rindex("}") + 1])
    assert code in (0, 1, 3)
    return {each["check_id"]: (each["verdict"], each["violation_count"]) for each in document["runs"]}


RIGHT = {check_id: ("FAIL" if count else "PASS", count) for check_id, count in FAILING.items()}


@pytest.mark.parametrize("kills", [3, pytest.param(200, marks=pytest.mark.thorough)])
def test_commands_killed_at_random_moments_lose_and_double_nothing(folder: Path, kills: int) -> None:
    moments = random.Random(3)
    for number in range(kills):
        started = begin(folder, COMMANDS[number % len(COMMANDS)])
        time.sleep(moments.uniform(0, LONGEST_SECONDS))
        started.send_signal(moments.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT)))
        started.communicate(timeout=60)
        runs = [
            json.loads(line) for line in (folder / ".pandas_magic" / "runs_log.jsonl").read_bytes().splitlines()[:-1]
        ]
        ids = [each["run_id"] for each in runs if "run_id" in each]
        assert len(ids) == len(set(ids))
    assert sorted(path.stem for path in (folder / "checks" / "registry").glob("*.json")) == sorted(RULES)
    assert verdicts(folder) == RIGHT


def test_five_writers_at_once_lose_and_double_nothing(folder: Path) -> None:
    writers = [begin(folder, COMMANDS[number % len(COMMANDS)]) for number in range(5)]
    said = [writer.communicate(timeout=120)[0] for writer in writers]
    assert not [text for text in said if "Traceback" in text]
    lines = (folder / ".pandas_magic" / "runs_log.jsonl").read_text().splitlines()
    ids = [each["run_id"] for line in lines if "run_id" in (each := json.loads(line))]
    assert len(ids) == len(set(ids)) >= 6
    assert verdicts(folder) == RIGHT


def state_files(folder: Path) -> list[Path]:
    found = [*(folder / "checks").rglob("*"), *(folder / ".pandas_magic").rglob("*")]
    return sorted(path for path in found if path.is_file() and path.stat().st_size and not path.name.startswith("."))


@pytest.mark.parametrize("tries", [4, pytest.param(150, marks=pytest.mark.thorough)])
def test_state_cut_or_flipped_anywhere_gives_no_wrong_verdict(compiled: Path, tmp_path: Path, tries: int) -> None:
    chance = random.Random(5)
    for number in range(tries):
        folder = Path(shutil.copytree(compiled, tmp_path / f"w{number}"))
        files = state_files(folder)
        damaged = files[number % len(files)]
        content = bytearray(damaged.read_bytes())
        at = chance.randrange(len(content))
        if number % 2:
            content[at] ^= 1 << chance.randrange(8)
        else:
            del content[at:]
        damaged.write_bytes(content)
        code, said = run(folder, "run", "--allow-proposed", "--json")
        assert "Traceback" not in said, (damaged, at)
        if code == 3 and '"runs"' not in said:
            assert damaged.name in said, (damaged, at, said)  # one line names the file
            continue
        document = json.loads(said[said.index("{") : said.rindex("}") + 1])
        for each in document["runs"]:
            judged = each["verdict"] in ("PASS", "FAIL")
            assert not judged or (each["verdict"], each["violation_count"]) == RIGHT[each["check_id"]], (damaged, at)
            assert judged or each["error"], (damaged, at)
        assert {each["check_id"] for each in document["runs"]} >= set(RULES) - {damaged.stem}, (damaged, at)
        os.sync()

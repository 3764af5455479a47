"""Every row of docs/exit-codes.md, tried as a scheduler would meet it: a process, its output and its exit code."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

import pandas as pd
import pytest

from pandas_magic.cli.main import main
from pandas_magic.record import digest
from pandas_magic.registry import Registry
from pandas_magic.registry.approval import approve
from tests.commands import run_command

ROOT = Path(__file__).parents[3]
LISTED = [
    {"id": "GOOD", "rule": "order_id must be unique", "target": "orders"},
    {"id": "TOTAL", "rule": "orders.total must not be negative"},
]
_MAX_WAIT_SECONDS = 120


class Shop:
    """A folder with approved checks, of which a test may spoil anything, and the command line in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.registry, self.state = folder / "checks" / "registry", folder / ".pandas_magic"
        self.orders, self.listed = folder / "data" / "orders.csv", folder / "checks" / "checks.json"

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "pandas_magic", words[0], "-C", str(self.folder), *words[1:]]

    def call(self, *words: str, out: Path | None = None) -> tuple[int, str]:
        """The exit code, and all that was printed."""
        done = run_command(words[0], "-C", self.folder, *words[1:], out=out)
        return done.returncode, done.stdout + done.stderr

    def call_afresh(self, *words: str, out: IO[Any] | int = subprocess.PIPE, **environment: str) -> tuple[int, str]:
        """The same in a process of its own."""
        done = subprocess.run(
            self.command(*words), stdout=out, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment}
        )
        return done.returncode, (done.stdout or "") + done.stderr

    def through_shell(self, *words: str, redirected: str) -> tuple[int, str]:
        command = f"exec {' '.join(map(str, self.command(*words)))} {redirected}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def stopped_by(
        self, number: signal.Signals, *words: str, once: Callable[[], bool], **environment: str
    ) -> tuple[int, str]:
        """What a process that gets the signal as soon as `once` holds comes to."""
        process = subprocess.Popen(
            self.command(*words),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, **environment},
            # Under nohup it is ignored, and what is ignored stays so in a child.
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
        )
        deadline = time.monotonic() + _MAX_WAIT_SECONDS
        while not once() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(number)
        out, err = process.communicate(timeout=_MAX_WAIT_SECONDS)
        return process.returncode, out + err

    def write_orders(self, *totals: object) -> None:
        pd.DataFrame({"order_id": range(len(totals)), "total": totals}).to_csv(self.orders, index=False)

    def damage(self) -> None:
        path = self.registry / "GOOD.json"
        path.write_text(path.read_text()[:200])

    def make_unending(self) -> None:
        """The last check loops until it is stopped."""
        path = self.registry / "TOTAL.json"
        content = json.loads(path.read_text())
        content["code"] = ["while True:", "    pass"]
        content["code_digest"] = content["proof"]["of_code"] = digest("\n".join(content["code"]))
        path.write_text(json.dumps(content))
        approve(Registry(self.registry), "TOTAL", "ada@example.com")

    def has_finished_one(self) -> bool:
        log = self.state / "runs_log.jsonl"
        return log.exists() and '"check_id": "GOOD"' in log.read_text()

    def package(self, text: str) -> str:
        """A folder in which pandas is another package, to be put before the real one."""
        folder = self.folder / "other"
        folder.mkdir()
        (folder / "pandas.py").write_text(text)
        return str(folder)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shop = Shop(tmp_path_factory.mktemp("shop"))
    for folder in ("data", "checks"):
        (shop.folder / folder).mkdir()
    shop.listed.write_text(json.dumps(LISTED))
    shop.write_orders(5, 7, 9)
    assert main(["compile", "-C", str(shop.folder)]) == 0
    assert main(["approve", "--all", "--by", "ada@example.com", "-C", str(shop.folder)]) == 0
    shutil.rmtree(shop.state)
    return shop.folder


@pytest.fixture
def shop(prepared: Path, tmp_path: Path) -> Shop:
    return Shop(Path(shutil.copytree(prepared, tmp_path / "shop")))


Situation = Callable[[Shop], tuple[int, str]]
SITUATIONS: dict[str, Situation] = {}


def situation(name: str) -> Callable[[Situation], Situation]:
    """The function under it makes the situation that the documentation calls so."""

    def noted(made: Situation) -> Situation:
        SITUATIONS[name] = made
        return made

    return noted


def called(name: str, *words: str, before: Callable[[Shop], object] = lambda _: None) -> None:
    """A situation in which something is done to the folder, and then a command is called."""

    @situation(name)
    def _(shop: Shop) -> tuple[int, str]:
        before(shop)
        return shop.call(*words)


def write_list(shop: Shop, *rules: tuple[str, str]) -> None:
    shop.listed.write_text(json.dumps([{"id": check_id, "rule": rule} for check_id, rule in rules]))


def put_folder_at(path: Path) -> None:
    path.mkdir(parents=True)


def spoil_artifacts(shop: Shop) -> None:
    shop.write_orders(-5)
    shop.state.mkdir()
    (shop.state / "artifacts").touch()


called("run: every check passed", "run")
called("run: a check failed", "run", before=lambda shop: shop.write_orders(-5, 7))
called(
    "run: a failure milder than `--fail-on`", "run", "--fail-on", "high", before=lambda shop: shop.write_orders(-5, 7)
)
called("run: a table has a header and no row", "run", before=lambda shop: shop.write_orders())
called("run: the same with `--fail-on empty`", "run", "--fail-on", "empty", before=lambda shop: shop.write_orders())
called("run: every value that is judged is missing", "run", before=lambda shop: shop.write_orders(None, None, None))
called("run: a few rows could not be judged", "run", before=lambda shop: shop.write_orders(5, None, 7))
called("run: an option that there is not", "run", "--fly")
for seconds in ("nan", "-1", "0"):
    called(f"run: `--max-seconds {seconds}`", "run", f"--max-seconds={seconds}")
called("run: `--jobs 0`", "run", "--jobs", "0")
called("run: `-p now=20x`", "run", "-p", "now=20x")
called("run: a check that there is not", "run", "GUD")
called("run: no check at all", "run", before=lambda shop: shutil.rmtree(shop.folder / "checks"))
called("run: a folder that there is not", "run", before=lambda shop: shutil.rmtree(shop.folder))
called("run: a report that there is not", "run", "--report", "junid=x.xml")
called("run: `--since` for a rule that needs all rows", "run", "--since", "2026-01-31")
called("run: `--since` with `--quarantine`", "run", "--since", "2026-01-31", "--quarantine", "apart")
called("run: a column that is read is gone", "run", before=lambda shop: shop.orders.write_text("total\n5\n"))
called("run: a table is gone", "run", before=lambda shop: shop.orders.unlink())
called("run: a table cannot be read", "run", before=lambda shop: shop.orders.write_bytes(b"\x00\xff\x00" * 50))
called(
    "run: a check is listed and was never compiled", "run", before=lambda shop: (shop.registry / "GOOD.json").unlink()
)
called(
    "run: a check's sentence changed in the list",
    "run",
    before=lambda shop: write_list(shop, ("GOOD", "orders.total must be unique"), ("TOTAL", LISTED[1]["rule"])),
)
called("run: a check's file is damaged", "run", before=Shop.damage)
called(
    "run: a check's file is there twice",
    "run",
    before=lambda shop: shutil.copy(shop.registry / "GOOD.json", shop.registry / "GOOD (copy).json"),
)
called("run: the time of the whole run is over", "run", "--max-seconds", "1e-9")
called("run: a report cannot be written", "run", "--report", "junit=/dev/null/junit.xml")
called("run: failing rows cannot be kept", "run", "TOTAL", before=spoil_artifacts)
called("run: the history cannot be read", "run", before=lambda shop: put_folder_at(shop.state / "runs_log.jsonl"))
called(
    "compile: a rule that is not understood",
    "compile",
    before=lambda shop: write_list(shop, ("GOOD", "orders must sparkle")),
)
called("stale: no check is stale", "stale")
called("stale: a check is stale", "stale", before=lambda shop: shop.orders.write_text("total\n5\n"))
called("verify: all agrees", "verify")
called("verify: a check's file is damaged", "verify", before=Shop.damage)
called("list: a check's file is damaged", "list", before=Shop.damage)
called("list: the history cannot be read", "list", before=lambda shop: put_folder_at(shop.state / "runs_log.jsonl"))
called("history: no run yet", "history")


@situation("run: a byte of a cached table changed on the disk: it is read anew")
def _(shop: Shop) -> tuple[int, str]:
    shop.write_orders(-5, 7)
    shop.call("run")
    (cached,) = (shop.state / "staged").glob("*.arrow")
    content = cached.read_bytes()
    broken = (-5).to_bytes(8, "little", signed=True)
    assert content.count(broken) == 1
    cached.write_bytes(content.replace(broken, (5).to_bytes(8, "little")))
    return shop.call("run")


@situation("run: a check's code is not approved")
def _(shop: Shop) -> tuple[int, str]:
    path = shop.registry / "GOOD.json"
    content = json.loads(path.read_text())
    del content["approval"]
    path.write_text(json.dumps(content))
    return shop.call("run")


@situation("run: standard output is full")
def _(shop: Shop) -> tuple[int, str]:
    return shop.call("run", out=Path("/dev/full"))


@situation("run: standard output is closed")
def _(shop: Shop) -> tuple[int, str]:
    return shop.through_shell("run", redirected=">&-")


@situation("run: whoever read standard output went away")
def _(shop: Shop) -> tuple[int, str]:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return shop.call_afresh("run", out=writing)
    finally:
        os.close(writing)


@situation("run: standard output is ASCII only")
def _(shop: Shop) -> tuple[int, str]:
    return shop.call_afresh("run", PYTHONIOENCODING="ascii")


def stopped_run(shop: Shop, number: signal.Signals) -> tuple[int, str]:
    """What had finished is kept, and no kernel is left."""
    shop.make_unending()
    come_to = shop.stopped_by(number, "run", once=shop.has_finished_one, PANDAS_MAGIC_WALL_SECONDS="300")
    log = (shop.state / "runs_log.jsonl").read_text()
    assert '"check_id": "GOOD"' in log
    assert '"check_id": "TOTAL"' not in log
    assert left_in(shop.folder) == []
    return come_to


situation("run: Ctrl-C")(lambda shop: stopped_run(shop, signal.SIGINT))
situation("run: SIGTERM")(lambda shop: stopped_run(shop, signal.SIGTERM))
situation("run: SIGHUP")(lambda shop: stopped_run(shop, signal.SIGHUP))


@situation("run: SIGTERM while Python packages are imported")
def _(shop: Shop) -> tuple[int, str]:
    begun = shop.folder / "begun"
    slow = shop.package(f"import pathlib, time\npathlib.Path({str(begun)!r}).touch()\ntime.sleep(300)\n")
    return shop.stopped_by(signal.SIGTERM, "run", once=begun.exists, PYTHONPATH=slow)


@situation("run: something that nobody foresaw")
def _(shop: Shop) -> tuple[int, str]:
    return shop.call_afresh("run", PYTHONPATH=shop.package("raise RuntimeError('a broken package')\n"))


@situation("compile: a rule that cannot be proved, among others that can")
def _(shop: Shop) -> tuple[int, str]:
    lists = pd.DataFrame({"id": [1, 2, 3], "tags": [["a", "b"], ["c"], None]})
    lists.to_parquet(shop.folder / "data" / "notes.parquet")
    write_list(
        shop,
        ("UNIQUE", "notes.tags must be unique"),
        ("LENGTH", "notes: the length of tags must be greater than 2"),
        ("ID", "notes.id must be unique"),
    )
    code, said = shop.call("compile")
    assert re.search(r"^UNIQUE  notes: tags must be unique", said, re.MULTILINE)
    assert re.search(r"^ID  notes: id must be unique", said, re.MULTILINE)
    return code, said


def documented() -> dict[str, tuple[int, str]]:
    """The rows of the table: "command: situation" -> exit code and what it says."""
    rows = re.findall(
        r"^\| (\w+) \| (.+?) \| (\d) \| (.*?) ?\|$", (ROOT / "docs" / "exit-codes.md").read_text(), re.MULTILINE
    )
    return {f"{command}: {name}": (int(code), said) for command, name, code, said in rows}


def test_every_situation_in_the_table_is_tried_and_every_one_tried_is_in_it() -> None:
    assert sorted(documented()) == sorted(SITUATIONS)


@pytest.mark.parametrize("name", documented())
def test_the_exit_code_and_the_words_are_those_of_the_table(shop: Shop, name: str) -> None:
    wanted, said = documented()[name]
    code, printed = SITUATIONS[name](shop)
    assert (code, said) == (wanted, said if said in printed else printed)
    assert "Traceback" not in printed
    assert "Exception ignored" not in printed


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_code_is_made_from_text_gives_our_code(shop: Shop, number: signal.Signals) -> None:
    begun = shop.folder / "begun"
    # As dataclasses and named tuples do; the import comes when the command has begun.
    text = f"import pathlib, time; pathlib.Path({str(begun)!r}).touch(); time.sleep(300)"
    folder = shop.folder / "other"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        "import sys\n"
        "class Late:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'pandas_magic.quarantine.table_files':\n"
        f"            exec({text!r})\n"
        "sys.meta_path.insert(0, Late())\n"
    )
    code, said = shop.stopped_by(number, "run", once=begun.exists, PYTHONPATH=str(folder))
    assert (code, said) == (3, "interrupted; checks that had finished are kept\n")


def left_in(folder: Path) -> list[str]:
    """The command lines of processes that mention the folder, or run in it."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            where, line = str((process / "cwd").readlink()), (process / "cmdline").read_bytes()
        except OSError:
            continue
        if where.startswith(str(folder)) or str(folder).encode() in line:
            found.append(line.decode(errors="replace"))
    return found


def test_reports_are_there_though_nobody_reads_what_is_printed(shop: Shop) -> None:
    report = shop.folder / "junit.xml"
    assert shop.call("run", "--report", f"junit={report}", out=Path("/dev/full"))[0] == 3
    assert 'tests="2" failures="0" errors="0"' in report.read_text()


def test_a_verdict_is_shown_though_its_rows_cannot_be_kept(shop: Shop) -> None:
    spoil_artifacts(shop)
    assert "1 of 1 rows of orders breaks the rule" in shop.call("run", "TOTAL")[1]


@pytest.mark.parametrize("words", [("list",), ("history",), ("history", "TOTAL"), ("stale",)])
def test_looking_needs_no_right_to_write(
    prepared: Path, as_ordinary_user: Path, capsys: pytest.CaptureFixture[str], words: Sequence[str]
) -> None:
    folder = as_ordinary_user / "shop"
    os.seteuid(os.getuid())
    shutil.copytree(prepared, folder)
    assert main(["run", "-C", str(folder)]) == 0
    before = contents(folder)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    os.seteuid(65534 if os.getuid() == 0 else os.getuid())
    capsys.readouterr()
    assert main([words[0], "-C", str(folder), *words[1:]]) == 0
    assert "TOTAL" in capsys.readouterr().out or words == ("stale",)
    os.seteuid(os.getuid())
    assert contents(folder) == before
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

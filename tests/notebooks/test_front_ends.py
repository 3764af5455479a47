"""The magics over the real workspace, without a page: a bare kernel, plain IPython, jupyter console."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 120
# One keeper goes from one notebook to the next, as tests/keepers.py has it; `CLOSED` ends it.
KEPT = """
from kernel_sandbox import sandbox
from tests.keepers import Keepers
keepers = Keepers()
sandbox.Connection = keepers.connect
"""
CLOSED = "from kernel_sandbox import sandbox\nsandbox.Connection.__self__.close()"
RULE = "%%check CHK-001\nusers.email must not be null."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "users.csv").write_text("user_id,email\n1,a@example.com\n2,\n3,c@example.com\n")
    return tmp_path


class Kernel:
    """A real ipykernel with the extension loaded, asked as a front end asks it."""

    def __init__(self, manager: KernelManager, client: BlockingKernelClient) -> None:
        self.manager, self.client = manager, client

    def run(self, code: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The reply to a cell, and the messages that it published."""
        published: list[dict[str, Any]] = []
        reply = self.client.execute_interactive(
            code, timeout=PATIENCE_SECONDS, output_hook=published.append, allow_stdin=False
        )
        return reply["content"], [{"type": message["msg_type"], **message["content"]} for message in published]

    def shown(self, code: str) -> dict[str, Any]:
        """The one output of a cell that gives a result."""
        reply, published = self.run(code)
        assert reply["status"] == "ok", reply
        (result,) = [message for message in published if message["type"] == "execute_result"]
        return result


@pytest.fixture(scope="module")
def started() -> Iterator[Kernel]:
    manager, client = start_new_kernel(kernel_name="python3", env={**os.environ, "PYTHONPATH": str(ROOT)})
    kernel = Kernel(manager, client)
    assert kernel.run(KEPT)[0]["status"] == "ok"
    yield kernel
    kernel.run(CLOSED)
    client.stop_channels()
    manager.shutdown_kernel()


@pytest.fixture
def kernel(started: Kernel, folder: Path) -> Kernel:
    """The kernel as it is in a notebook of its own in the folder: nothing of the test before is left."""
    for code in ("%reset -f", f"%cd -q {folder}", "%reload_ext pandas_magic"):
        assert started.run(code)[0]["status"] == "ok"
    return started


@pytest.mark.feature("A04")
def test_kernel_gives_every_form_and_the_verdict_in_the_metadata(kernel: Kernel) -> None:
    shown = kernel.shown(RULE)

    assert set(shown["data"]) == {
        "application/vnd.pandas-magic.check+json",
        "text/html",
        "text/markdown",
        "text/plain",
    }
    assert shown["data"]["text/plain"].startswith("✗ FAIL  CHK-001")
    assert "1 of 3 rows of users breaks the rule" in shown["data"]["text/plain"]
    assert shown["metadata"]["pandas_magic"]["verdict"] == "FAIL"


def test_saved_cell_holds_still_from_run_to_run(kernel: Kernel) -> None:
    kernel.shown(RULE)

    first, second = (kernel.shown("%%check --run CHK-001")["data"] for _ in range(2))

    assert first == second


def test_edited_code_is_run_and_named(kernel: Kernel) -> None:
    kernel.shown(RULE)

    shown = kernel.shown("%%check --run CHK-001\nviolations = users.head(2)")

    assert "✎ EDITED  CHK-001" in shown["data"]["text/plain"]
    assert "this code finds 2 rows of users and is not the check" in shown["data"]["text/plain"]


def test_edited_code_that_is_not_proved_is_not_accepted(kernel: Kernel) -> None:
    kernel.shown(RULE)

    reply, _ = kernel.run("%%check --run CHK-001 --accept\nviolations = users.head(0)")

    assert reply["ename"] == "NotProved"
    assert len(reply["traceback"]) == 1
    assert "1 of 3 rows" in kernel.shown("%check --run CHK-001")["data"]["text/plain"]


@pytest.mark.feature("A16")
def test_saved_cell_whose_column_is_gone_says_so(kernel: Kernel, folder: Path) -> None:
    kernel.shown(RULE)
    (folder / "users.csv").write_text("user_id,mail\n1,a@example.com\n")

    shown = kernel.shown("%check --run CHK-001")

    assert shown["metadata"]["pandas_magic"]["verdict"] == "ERROR"
    assert 'column "email" of table "users" is gone' in shown["data"]["text/plain"]


def test_rules_of_several_bullets_are_checks_of_their_own(kernel: Kernel) -> None:
    shown = kernel.shown("%%check CHK-009\n- users.email must not be null.\n- users.user_id must be unique.")

    checks = shown["data"]["application/vnd.pandas-magic.check+json"]["checks"]
    assert [(check["check"], check["verdict"]) for check in checks] == [("CHK-009-1", "FAIL"), ("CHK-009-2", "PASS")]
    assert shown["metadata"]["pandas_magic"]["verdict"] == "FAIL"


@pytest.mark.feature("A08")
def test_frame_of_the_notebook_is_a_table(kernel: Kernel) -> None:
    kernel.run("import pandas as pd\nrefunds = pd.DataFrame({'amount': [5.0, -2.5]})")

    shown = kernel.shown("%%check CHK-003\nrefunds.amount must be greater than 0.")

    assert "1 of 2 rows of refunds" in shown["data"]["text/plain"]


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("%%check CHK-009\nusers must be fabulous.", "RuleNotUnderstood"),
        ("%%check CHK-009 --tables user\nusers.email must not be null.", "NoSuchName"),
        ("%%check\n", "UsageMistake"),
        ("%check --run CHK-404", "NoSuchName"),
    ],
)
def test_mistake_is_one_line(kernel: Kernel, code: str, error: str) -> None:
    reply, _ = kernel.run(code)

    assert (reply["status"], reply["ename"]) == ("error", error)
    assert len(reply["traceback"]) == 1
    assert "\n" not in reply["traceback"][0]


@pytest.mark.feature("B18", "E02")
def test_sandbox_brings_a_frame_back_and_keeps_files_out(kernel: Kernel) -> None:
    kernel.run("%%sandbox --tables users -o known\nknown = users.dropna()\nprint(len(known))")
    reply, _ = kernel.run("%%sandbox\nopen('/etc/passwd')")
    assert "line 2" in "\n".join(reply["traceback"])  # as the cell counts, its magic being the first

    assert kernel.shown("len(known)")["data"]["text/plain"] == "2"
    assert reply["ename"] == "SandboxCodeFailed"


def test_kernel_completes_options_tables_and_ids(kernel: Kernel) -> None:
    kernel.shown(RULE)

    def offered(code: str) -> list[str]:
        reply: dict[str, Any] = kernel.client.complete(code, reply=True, timeout=PATIENCE_SECONDS)["content"]
        return list(reply["matches"])

    assert offered("%%check --sev") == ["--severity"]
    assert offered("%%check CHK-002 --tables us") == ["users"]
    assert offered("%%check --run CH") == ["CHK-001"]


@pytest.mark.parametrize("after_seconds", [0.3, 3.0])
def test_interrupt_stops_confined_code_and_the_next_check_works(kernel: Kernel, after_seconds: float) -> None:
    # The first moment falls into the start of the confined kernel, the second into the code.
    assert kernel.run(CLOSED)[0]["status"] == "ok"
    interrupt = threading.Timer(after_seconds, kernel.manager.interrupt_kernel)
    interrupt.start()

    reply, _ = kernel.run("%%sandbox\nwhile True: pass")

    assert reply["ename"] == "Interrupted"
    assert len(reply["traceback"]) == 1
    assert "✗ FAIL" in kernel.shown(RULE)["data"]["text/plain"]


def test_plain_ipython_and_jupyter_console_show_the_text(folder: Path) -> None:
    done = _ipython(folder, RULE)
    assert "✗ FAIL  CHK-001" in done.stdout
    assert "1 of 3 rows of users breaks the rule" in done.stdout
    assert "\x1b" not in done.stdout
    console = pexpect.spawn(
        sys.executable,
        ["-m", "jupyter", "console", "--kernel", "python3", "--simple-prompt"],
        cwd=str(folder),
        encoding="utf-8",
        timeout=PATIENCE_SECONDS,
        dimensions=(50, 160),
    )
    try:
        console.expect(r"In \[1\]: ")
        console.sendline("%load_ext pandas_magic")
        console.expect(r"In \[2\]: ")
        # Its simple prompt takes one line at a time.
        console.sendline("%check --run CHK-001")
        console.expect("✗ FAIL  CHK-001")
        console.expect("1 of 3 rows of users breaks the rule")
        console.expect(r"In \[3\]: ")
        console.sendline("exit")
        console.expect(pexpect.EOF)
    finally:
        console.close(force=True)


def _ipython(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "IPython", "--simple-prompt", "--colors=NoColor", "--ext=pandas_magic", "-c", code]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)

"""Each refusal ends in one line: what was refused, by what, and what to do; and what need not be refused works."""

import errno
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernel_sandbox import Policy, Sandbox
from kernel_sandbox.confined.refusals import NO_NETWORK, NO_PROCESSES, NO_QUESTIONS, PLAIN_KERNEL, explain


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "data.csv").write_text("a\n1\n")
    return folder


@pytest.fixture(scope="module")
def reader(notebook: Path) -> Iterator[Sandbox]:
    """A process that may read the folder of its notebook, as the confined kernel does."""
    with Sandbox(Policy(read=(str(notebook),)), warm=False) as sandbox:
        yield sandbox


def last_line(sandbox: Sandbox, code: str) -> str:
    return sandbox.execute(code).traceback.strip().splitlines()[-1]


@pytest.mark.parametrize(
    "code",
    [
        "pd.DataFrame({'a': [1]}).to_csv('FOLDER/new.csv')",
        "open('FOLDER/data.csv', 'a')",
        "pd.DataFrame({'a': [1]}).to_parquet('FOLDER/new.parquet')",
        "np.save('FOLDER/new.npy', np.arange(3))",
        "import os; os.remove('FOLDER/data.csv')",
        "%%writefile FOLDER/new.txt\ntext",
    ],
)
def test_a_refused_write_names_the_file_the_lock_and_where_to_write(code: str, reader: Sandbox, notebook: Path) -> None:
    line = last_line(reader, code.replace("FOLDER", str(notebook)))

    assert line.startswith(f"(confined kernel: {notebook}/")
    assert "was not written: Landlock lets a confined kernel write only below /" in line
    assert 'name a folder as "work" of the policy file (KERNEL_SANDBOX_POLICY), or say "writes": "copy"' in line


@pytest.mark.parametrize("code", ["open('/etc/passwd')", "pd.read_csv('/etc/passwd')", "import os; os.listdir('/etc')"])
def test_a_refused_read_names_the_file_the_lock_and_the_policy(code: str, reader: Sandbox) -> None:
    line = last_line(reader, code)

    assert line.startswith("(confined kernel: /etc")
    assert "was not opened: Landlock refuses what the policy does not grant" in line
    assert 'name its folder under "read" of the policy file' in line


@pytest.mark.parametrize(
    "code",
    [
        "import urllib.request; urllib.request.urlopen('http://example.org')",
        "pd.read_csv('https://example.org/data.csv')",
        "import socket; socket.socket()",
        "import socket; socket.create_connection(('example.org', 80))",
        "import requests; requests.get('http://example.org')",
        "import socket\ntry: socket.socket()\nexcept OSError as error: raise ValueError('no') from error",
    ],
)
def test_a_refused_connection_is_explained(code: str, reader: Sandbox) -> None:
    assert last_line(reader, code) == f"(confined kernel: {NO_NETWORK})"


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("import subprocess; subprocess.run(['ls'])", NO_PROCESSES),
        ("import multiprocessing; multiprocessing.Pool(2)", NO_PROCESSES),
        ("import getpass; getpass.fallback_getpass()", NO_QUESTIONS),
        ("import os; os.kill(1, 9)", "a confined kernel changes nothing of other processes"),
        ("open('big', 'wb').truncate(10**12)", 'the limit "file_bytes" of the policy was reached'),
        ("bytearray(10**11)", 'the limit "memory_bytes" of the policy was reached'),
        ("import pandas_magic", PLAIN_KERNEL),
    ],
)
def test_other_refusals_are_explained(code: str, line: str, reader: Sandbox) -> None:
    assert last_line(reader, code).startswith(f"(confined kernel: {line}")


@pytest.mark.parametrize("code", ["1/0", "open('missing.csv')", "raise EOFError", "{}['a']", "import no_such_module"])
def test_an_error_of_the_code_itself_is_not_explained(code: str, reader: Sandbox) -> None:
    assert "confined kernel:" not in reader.execute(code).traceback


@pytest.mark.parametrize("code", ["%load_ext pandas_magic", "%%check X\nIds are unique.", "%%plan\nx", "%eda orders"])
def test_pandas_magic_inside_is_refused_in_one_line(code: str, reader: Sandbox) -> None:
    execution = reader.execute(code)

    assert execution.status == "error"
    assert (execution.stdout + execution.stderr).strip() == f"UsageError: {PLAIN_KERNEL}"


def test_a_question_is_refused_in_one_line(reader: Sandbox) -> None:
    assert last_line(reader, "input('name?')").startswith("EOFError: input() has nobody to ask in a confined kernel")


def test_a_file_is_said_to_be_written_once_it_is(reader: Sandbox, notebook: Path) -> None:
    refused = reader.execute(f"%%writefile {notebook}/new.txt\ntext")
    written = reader.execute("%%writefile new.txt\none")
    more = reader.execute("%%writefile -a new.txt\ntwo\n%time")
    again = reader.execute("%%writefile 'new.txt'\nthree")

    assert refused.stdout == ""
    assert written.stdout == "Writing new.txt\n"
    assert more.stdout == "Appending to new.txt\n"
    assert again.stdout == "Overwriting new.txt\n"
    assert reader.execute("print(open('new.txt').read())").stdout == "three\n\n"


@pytest.mark.parametrize("backend", ["widget", "notebook", "qt", "tk", "ipympl", "inline", ""])
def test_plots_are_drawn_after_any_backend_was_asked_for(backend: str, reader: Sandbox) -> None:
    asked = reader.execute(f"%matplotlib {backend}")
    shown = reader.execute("import matplotlib.pyplot as plt; plt.plot([1, 2]); plt.show()")

    assert asked.status == "ok"
    assert [display.mimetype for display in shown.displays if display.mimetype == "image/png"] == ["image/png"]
    assert ("plots are drawn inline" in asked.stderr) == (backend not in ("inline", ""))


@pytest.mark.parametrize("module", ["tqdm", "tqdm.auto", "tqdm.notebook", "tqdm.autonotebook"])
def test_bars_of_progress_are_text_and_reach_their_end(module: str, reader: Sandbox) -> None:
    execution = reader.execute(
        f"import warnings; warnings.simplefilter('ignore')\nfrom {module} import tqdm, trange\n"
        "for _ in tqdm(range(3)): pass\nlist(trange(2));"
    )

    assert execution.status == "ok"
    assert "100%|" in execution.stderr
    assert "3/3" in execution.stderr
    assert "2/2" in execution.stderr


def test_an_error_that_is_a_trap_is_shown_all_the_same(reader: Sandbox) -> None:
    execution = reader.execute(
        "class Trap(PermissionError):\n"
        "    @property\n    def filename(self): raise SystemError\n"
        "    @property\n    def errno(self): raise ValueError\n"
        "raise Trap(13, 'no')"
    )

    assert execution.error_name == "Trap"
    assert "confined kernel:" not in execution.traceback


def test_errors_that_lead_to_each_other_come_to_an_end() -> None:
    first, second = ValueError("a"), ValueError("b")
    first.__cause__, second.__context__, first.args = second, first, (second, first)

    assert explain(first, work="/work") == ""
    second.__context__ = socket.gaierror(-3, "no")
    assert explain(first, work="/work") == NO_NETWORK
    assert "below /work;" in explain(PermissionError(errno.EACCES, "no", "/srv/x"), work="/work")

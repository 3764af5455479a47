"""The kernel `confined-python`, started by Jupyter's own tools from a kernelspec installed for the test.

It runs what README.md and examples/untrusted/README.md shows.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

import kernel_sandbox
from kernel_sandbox import Policy, SandboxUnavailable
from kernel_sandbox.provisioner import NOTEBOOK_LIMITS, policy_for

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*TCP.*:UserWarning")
SPEC = Path(kernel_sandbox.__file__).parent / "kernelspec"


@pytest.fixture(scope="module")
def jupyter_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("jupyter")
    shutil.copytree(SPEC, path / "kernels" / "confined-python")
    return path


@pytest.fixture(scope="module")
def notebook_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "orders.csv").write_text("id\n1\n2\n")
    return folder


class Client:
    def __init__(self, manager: KernelManager, client: BlockingKernelClient) -> None:
        self.manager, self.client = manager, client

    def run(self, code: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        messages: list[dict[str, Any]] = []
        reply = self.client.execute_interactive(code, timeout=30, output_hook=messages.append)
        return reply["content"], messages


@pytest.fixture(scope="module")
def kernel(jupyter_path: Path, notebook_folder: Path) -> Iterator[Client]:
    before = os.environ.get("JUPYTER_PATH")
    os.environ["JUPYTER_PATH"] = str(jupyter_path)
    os.environ["CANARY_API_KEY"] = "sk-canary"
    manager = KernelManager(kernel_name="confined-python")
    manager.start_kernel(cwd=str(notebook_folder))
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    yield Client(manager, client)
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    manager.cleanup_resources()
    del os.environ["CANARY_API_KEY"]
    os.environ.pop("JUPYTER_PATH")
    if before is not None:
        os.environ["JUPYTER_PATH"] = before


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        ("open('/etc/passwd')", "PermissionError", "[Errno 13]"),  # Landlock answers EACCES
        ("open('orders.csv', 'a')", "PermissionError", "[Errno 13]"),
        ("import os; os.listdir('/')", "PermissionError", "[Errno 13]"),
        ("import socket; socket.socket()", "PermissionError", "[Errno 1]"),  # seccomp answers EPERM
        ("import socket; socket.socket(socket.AF_UNIX)", "PermissionError", "[Errno 1]"),
        ("import os; os.fork()", "PermissionError", "[Errno 1]"),
        ("import subprocess; subprocess.run(['/bin/true'])", "PermissionError", "[Errno 1]"),
        ("import os; os.environ['CANARY_API_KEY']", "KeyError", "CANARY_API_KEY"),  # the environment is allow-listed
        ("!ls", "PermissionError", "starts no other programs"),  # a message, not a wall
        ("%%bash\nls", "PermissionError", "starts no other programs"),
        ("%pip install x", "PermissionError", "starts no other programs"),
    ],
)
def test_the_kernel_refuses_and_the_answer_names_the_layer(kernel: Client, code: str, error: str, text: str) -> None:
    reply, _ = kernel.run(code)

    assert (reply["ename"], text in reply["evalue"]) == (error, True)


def test_the_kernel_reads_the_folder_of_its_notebook(kernel: Client) -> None:
    reply, messages = kernel.run("import pandas as pd\nlen(pd.read_csv('orders.csv'))")

    assert reply["status"] == "ok"
    assert [message["content"]["data"]["text/plain"] for message in messages if "data" in message["content"]] == ["2"]


def test_every_thread_of_the_kernel_has_the_final_filter(kernel: Client) -> None:
    _, messages = kernel.run("import os; print(os.getpid())")
    pid = next(message["content"]["text"] for message in messages if message["msg_type"] == "stream").strip()

    statuses = [(task / "status").read_text() for task in Path(f"/proc/{pid}/task").iterdir()]

    assert statuses
    assert all("Seccomp:\t2\nSeccomp_filters:\t1" in status for status in statuses)


def test_the_kernel_listens_on_no_tcp_port(kernel: Client) -> None:
    _, messages = kernel.run("import os; print(os.getpid())")
    pid = next(message["content"]["text"] for message in messages if message["msg_type"] == "stream").strip()
    links = [os.path.realpath(link) for link in Path(f"/proc/{pid}/fd").iterdir()]
    sockets = {Path(link).name for link in links if Path(link).name.startswith("socket:")}

    internet = {f"socket:[{line.split()[9]}]" for line in Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]}

    assert sockets
    assert not sockets & internet


def test_an_interrupt_reaches_the_code(kernel: Client) -> None:
    message = kernel.client.execute("import time\nwhile True: time.sleep(0.01)")
    time.sleep(0.7)

    kernel.manager.interrupt_kernel()

    while (reply := kernel.client.get_shell_msg(timeout=10))["parent_header"]["msg_id"] != message:
        pass
    assert reply["content"]["ename"] == "KeyboardInterrupt"


@pytest.mark.parametrize(
    "code",
    ["from IPython.display import Javascript, display; display(Javascript('1'))"],
)
def test_active_content_is_refused_in_one_line(kernel: Client, code: str) -> None:
    _, messages = kernel.run(code)

    bundles = [message["content"]["data"] for message in messages if message["msg_type"] == "display_data"]
    told = [message["content"]["text"] for message in messages if message["msg_type"] == "stream"]
    assert [sorted(bundle) for bundle in bundles] == [["text/plain"]]
    assert told == ["(confined kernel: application/javascript was not shown)\n"]


def test_completion_inspection_and_plots_work(kernel: Client) -> None:
    kernel.run("import pandas as pd")
    kernel.client.complete("pd.DataF", reply=True, timeout=20)
    matches = kernel.client.complete("pd.DataFra", reply=True, timeout=20)["content"]["matches"]
    found = kernel.client.inspect("pd.DataFrame", reply=True, timeout=20)["content"]["found"]

    _, messages = kernel.run("%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2]);")

    assert any("DataFrame" in match for match in matches)
    assert found
    assert any("image/png" in message["content"].get("data", {}) for message in messages)


def test_memory_over_the_limit_ends_the_kernel(
    jupyter_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = tmp_path / "policy.json"
    policy.write_text(json.dumps({"limits": {"memory_bytes": 300 * 2**20}}))
    monkeypatch.setenv("KERNEL_SANDBOX_POLICY", str(policy))
    monkeypatch.setenv("JUPYTER_PATH", str(jupyter_path))
    manager = KernelManager(kernel_name="confined-python")
    manager.start_kernel(cwd=str(tmp_path), stderr=subprocess.DEVNULL)
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=60)

    client.execute("hoard = []\nwhile True: hoard.append(bytearray(5_000_000))")

    end = time.monotonic() + 15
    told = ""
    while "was ended" not in told and time.monotonic() < end:
        told += client.get_iopub_msg(timeout=15)["content"].get("text", "")
    assert "the kernel was ended: the code used" in told
    assert "over the limit of 300" in told
    while manager.is_alive() and time.monotonic() < end:
        time.sleep(0.05)
    assert not manager.is_alive()
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    manager.cleanup_resources()


def convert(notebook: Path, jupyter_path: Path, *, tool: str = "nbconvert") -> "subprocess.CompletedProcess[str]":
    command = {
        "nbconvert": [
            *("jupyter", "nbconvert", "--to", "notebook", "--execute", "--output", "done.ipynb"),
            "--ExecutePreprocessor.kernel_name=confined-python",
            str(notebook),
        ],
        "papermill": ["papermill", "-k", "confined-python", str(notebook), str(notebook.parent / "done.ipynb")],
    }[tool]
    environment = os.environ | {"JUPYTER_PATH": str(jupyter_path), "CANARY_API_KEY": "sk-canary"}
    return subprocess.run(
        [sys.executable, "-m", *command[:1], *command[1:]],
        env=environment,
        cwd=notebook.parent,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("tool", ["nbconvert", "papermill"])
def test_a_notebook_runs_headless_in_the_confined_kernel(tool: str, jupyter_path: Path, tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("a\n1\n2\n")
    cells = [
        "import pandas as pd\nprint(pd.read_csv('data.csv')['a'].sum())",
        "try:\n    open('/etc/passwd')\nexcept PermissionError as error:\n    print(error.errno)",
        "import os\nprint(os.environ.get('CANARY_API_KEY'))",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    notebook.metadata["kernelspec"] = {
        "name": "confined-python",
        "display_name": "Python (confined)",
        "language": "python",
    }
    nbformat.write(notebook, tmp_path / "untrusted.ipynb")

    finished = convert(tmp_path / "untrusted.ipynb", jupyter_path, tool=tool)

    assert finished.returncode == 0, finished.stderr
    done = nbformat.read(tmp_path / "done.ipynb", as_version=4)
    assert ["".join(output.text for output in cell.outputs) for cell in done.cells] == ["3\n", "13\n", "None\n"]


def test_the_kernel_and_its_folders_end_with_an_owner_that_was_killed(jupyter_path: Path, tmp_path: Path) -> None:
    program = (
        "import sys, time\nfrom jupyter_client.manager import KernelManager\n"
        "manager = KernelManager(kernel_name='confined-python'); manager.start_kernel()\n"
        "client = manager.client(); client.start_channels(); client.wait_for_ready(timeout=60)\n"
        "print(manager.provisioner.pid, manager.provisioner.root, flush=True); time.sleep(60)"
    )
    owner = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=tmp_path,
        env=os.environ | {"JUPYTER_PATH": str(jupyter_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert owner.stdout is not None
    pid, root = owner.stdout.readline().split()
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()

    owner.send_signal(signal.SIGKILL)
    owner.wait()
    owner.stdout.close()

    end = time.monotonic() + 10
    while time.monotonic() < end and (
        Path(root).exists() or any(Path(f"/proc/{one}").exists() for one in [pid, *children])
    ):
        time.sleep(0.05)
    assert children
    assert not Path(root).exists()
    assert not any(Path(f"/proc/{one}").exists() for one in [pid, *children])


def test_without_its_provisioner_the_kernel_refuses_to_start(tmp_path: Path) -> None:
    finished = subprocess.run(
        [sys.executable, "-m", "kernel_sandbox.keeper.launch", "-f", str(tmp_path / "x.json")],
        capture_output=True,
        text=True,
        check=False,
    )

    assert finished.returncode == 1
    assert "must be started by its provisioner" in finished.stderr


def test_the_home_folder_is_never_granted_by_accident(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/srv/someone")

    for folder in ("/srv/someone", "/srv", "/"):
        policy, notice = policy_for(folder, {})
        assert policy == Policy(limits=NOTEBOOK_LIMITS)
        assert "holds your whole home folder" in notice
    assert policy_for("/srv/someone/project", {}) == (
        Policy(read=("/srv/someone/project",), limits=NOTEBOOK_LIMITS),
        "",
    )


def test_a_policy_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "policy.json").write_text('{"reed": []}')

    with pytest.raises(SandboxUnavailable, match=r'policy\.json named by KERNEL_SANDBOX_POLICY .* no field "reed"'):
        policy_for("/srv", {"KERNEL_SANDBOX_POLICY": str(tmp_path / "policy.json")})


def test_a_policy_that_its_code_could_rewrite_starts_no_kernel(tmp_path: Path) -> None:
    (tmp_path / "policy.json").write_text(f'{{"work": "{tmp_path}"}}')

    with pytest.raises(SandboxUnavailable, match=r'lies in its own "work"'):
        policy_for("/srv", {"KERNEL_SANDBOX_POLICY": str(tmp_path / "policy.json")})


def test_a_folder_that_holds_the_keys_of_kernels_is_not_granted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))

    policy, notice = policy_for(str(tmp_path), {})

    assert policy == Policy(limits=NOTEBOOK_LIMITS)
    assert "the keys of running kernels" in notice


def test_the_example_of_an_untrusted_notebook_gets_nothing(jupyter_path: Path, tmp_path: Path) -> None:
    example = Path(kernel_sandbox.__file__).parent.parent / "examples" / "untrusted"
    shutil.copytree(example, tmp_path / "untrusted")
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh" / "id_ed25519").write_text("a key\n")

    finished = convert(tmp_path / "untrusted" / "untrusted.ipynb", jupyter_path)

    assert finished.returncode == 0, finished.stderr
    done = nbformat.read(tmp_path / "untrusted" / "done.ipynb", as_version=4)
    answers = "".join(output.text for output in done.cells[-1].outputs).splitlines()
    assert answers == (example / "README.md").read_text(encoding="utf-8").split("```")[-2].strip().splitlines()
    assert not [answer for answer in answers if "it worked" in answer]
    assert any("image/png" in output.data for output in done.cells[2].outputs)
    assert not (tmp_path / "untrusted" / "left_behind.txt").exists()
    assert not (tmp_path / ".bashrc").exists()

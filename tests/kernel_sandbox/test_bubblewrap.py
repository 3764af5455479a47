"""The outer layer: namespaces of bubblewrap around the locks, or a line that says why there are none."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import psutil
import pytest

from kernel_sandbox import Limits, Policy, Sandbox, SandboxUnavailable
from kernel_sandbox.locks import bubblewrap
from tests.kernel_sandbox.changed import change_keepers
from tests.kernel_sandbox.jupyter import ConfinedKernel, confined_kernel

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*TCP.*:UserWarning")

REASON, _ = bubblewrap.obstacle()
needs_bubblewrap = pytest.mark.skipif(bool(REASON), reason=f"{REASON}; the refusal is tested in its place")
WRAPPED = Policy(outer="bwrap", limits=Limits(wall_seconds=20, grace_seconds=0.5, memory_bytes=400 * 2**20))


@pytest.fixture(scope="module")
def wrapped() -> object:
    with Sandbox(WRAPPED, warm=False) as sandbox:
        yield sandbox


@needs_bubblewrap
def test_the_namespaces_are_seen_from_outside_and_named_first(wrapped: Sandbox) -> None:
    confinement = wrapped.confinement

    assert confinement.layers[:2] == ("namespaces", "descriptors")
    assert bubblewrap.spaces_shared(confinement.pid) == ()
    assert bubblewrap.spaces_shared(os.getpid()) == bubblewrap.SPACES
    assert "CapEff:\t0000000000000000" in Path(f"/proc/{confinement.pid}/status").read_text()


@needs_bubblewrap
def test_files_that_are_not_granted_do_not_exist(wrapped: Sandbox) -> None:
    execution = wrapped.execute("import os; os.stat('/etc/passwd')")

    assert (execution.error_name, execution.outer) == ("FileNotFoundError", "bwrap")


@needs_bubblewrap
def test_no_process_of_the_host_exists(wrapped: Sandbox) -> None:
    answers = [wrapped.execute(f"import os; os.stat('/proc/{pid}')").error_name for pid in (os.getpid(), os.getppid())]

    assert set(answers) == {"FileNotFoundError"}


@needs_bubblewrap
def test_tables_cross_and_limits_hold_within_the_namespaces(wrapped: Sandbox) -> None:
    wrapped.stage("orders", pd.DataFrame({"amount": [1, 5]}))
    wrapped.execute("large = orders[orders.amount > 2]; open('note.txt', 'w').write('x')")

    assert wrapped.fetch_frame("large").amount.tolist() == [5]
    assert wrapped.execute("while True: pass", wall_seconds=0.3).status == "timeout"
    assert wrapped.execute("x = [bytearray(10**6) for _ in range(10**5)]").status == "memory"
    assert wrapped.execute("1").status == "ok"


@needs_bubblewrap
def test_granted_files_are_read_and_the_named_work_folder_is_written(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "data.csv").write_text("a\n1\n")
    (tmp_path / "out").mkdir()
    policy = Policy(read=(str(tmp_path / "in"),), work=str(tmp_path / "out"), outer="bwrap")

    with Sandbox(policy, warm=False) as sandbox:
        execution = sandbox.execute(
            f"print(len(pd.read_csv('{tmp_path}/in/data.csv'))); open('result', 'w').write('x')"
        )

    assert (execution.stdout, (tmp_path / "out" / "result").read_text()) == ("1\n", "x")


@needs_bubblewrap
def test_nothing_is_left_when_the_wrapper_is_killed() -> None:
    with Sandbox(WRAPPED, warm=False) as sandbox:
        pid = sandbox.confinement.pid
        os.kill(sandbox._open()._process.pid, signal.SIGKILL)
        end = time.monotonic() + 10
        while Path(f"/proc/{pid}").exists() and time.monotonic() < end:
            time.sleep(0.02)

        assert not Path(f"/proc/{pid}").exists()
        assert sandbox.execute("1").status == "died"
        assert sandbox.execute("1").status == "ok"


def test_without_bubblewrap_the_policy_is_refused_with_the_package_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: None)

    with pytest.raises(SandboxUnavailable, match=r"bubblewrap is not installed .*apt-get install bubblewrap"):
        Sandbox(WRAPPED)
    assert not bubblewrap.is_wanted(Policy(outer="auto"))


def test_where_namespaces_are_refused_the_policy_is_refused_with_what_bubblewrap_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2; exit 1\n")
    (tmp_path / "bwrap").chmod(0o700)
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: str(tmp_path / "bwrap"))

    with pytest.raises(
        SandboxUnavailable, match=r"No permissions to create a new namespace.* leave the policy's outer"
    ):
        Sandbox(WRAPPED)
    with Sandbox(Policy(outer="auto"), warm=False) as sandbox:
        assert "namespaces" not in sandbox.confinement.layers
        assert sandbox.execute("1").outer == ""


def test_a_process_that_shares_our_namespaces_is_not_taken_for_a_wrapped_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "obstacle", lambda: ("", ""))
    change_keepers(
        monkeypatch,
        "from kernel_sandbox.locks import bubblewrap\nbubblewrap.command = lambda policy, **options: ['/usr/bin/env']",
    )

    with pytest.raises(SandboxUnavailable, match="lacks namespaces: it shares ours of kind ipc, mnt, net"):
        Sandbox(WRAPPED).__enter__()


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConfinedKernel]:
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "orders.csv").write_text("id\n1\n2\n")
    limits = {"memory_bytes": 500 * 2**20}
    with confined_kernel(folder, {"read": [str(folder)], "outer": "bwrap", "limits": limits}) as started:
        yield started


@needs_bubblewrap
def test_a_notebook_kernel_runs_alone_in_its_namespaces(notebook: ConfinedKernel) -> None:
    reply, _ = notebook.run("import os; os.stat('/etc/passwd')")
    assert reply["ename"] == "FileNotFoundError"
    kernel = bubblewrap.outer_pid(notebook.keeper, notebook.pid)
    assert bubblewrap.spaces_shared(kernel) == ()
    assert bubblewrap.spaces_shared(notebook.keeper) == bubblewrap.SPACES
    assert (
        "by: namespaces, descriptors, environment"
        in notebook.client.kernel_info(reply=True, timeout=20)["content"]["banner"]
    )


@needs_bubblewrap
def test_a_wrapped_notebook_reads_plots_and_completes(notebook: ConfinedKernel) -> None:
    assert notebook.told("import pandas as pd; print(len(pd.read_csv('orders.csv')))") == "2\n"
    _, messages = notebook.run("%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2]);")
    assert any("image/png" in message["content"].get("data", {}) for message in messages)
    assert "prune" not in notebook.client.complete("prin", reply=True, timeout=20)["content"]["matches"]


@needs_bubblewrap
def test_a_wrapped_notebook_is_interrupted_and_goes_on(notebook: ConfinedKernel) -> None:
    notebook.run("before = 5")
    message_id = notebook.client.execute("import time\nprint('on')\nwhile True: time.sleep(0.01)")
    while notebook.client.get_iopub_msg(timeout=20)["content"].get("text") != "on\n":
        pass

    notebook.manager.interrupt_kernel()

    while (reply := notebook.client.get_shell_msg(timeout=10))["parent_header"]["msg_id"] != message_id:
        pass
    assert reply["content"]["ename"] == "KeyboardInterrupt"
    assert notebook.told("print(before)") == "5\n"


@needs_bubblewrap
def test_a_wrapped_notebook_restarts_and_ends_at_its_memory_limit(notebook: ConfinedKernel) -> None:
    notebook.manager.restart_kernel(now=True)
    notebook.client.wait_for_ready(timeout=60)

    notebook.client.execute("hoard = []\nwhile True: hoard.append(bytearray(5_000_000))")

    assert notebook.wait_for_end()
    notebook.manager.restart_kernel(now=True)
    notebook.client.wait_for_ready(timeout=60)
    assert notebook.told("print(1)") == "1\n"


@needs_bubblewrap
def test_a_wrapped_kernel_and_its_front_end_with_its_keeper(notebook: ConfinedKernel) -> None:
    front = next(child.pid for child in psutil.Process(notebook.keeper).children() if child.name() != "bwrap")
    pids = [front, bubblewrap.outer_pid(notebook.keeper, notebook.pid)]

    os.kill(notebook.keeper, signal.SIGKILL)

    end = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < end:
        time.sleep(0.02)
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_a_notebook_is_refused_with_the_reason_where_its_outer_layer_cannot_be_had(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: None)
    (tmp_path / "notebook").mkdir()

    with (
        pytest.raises(SandboxUnavailable, match="bubblewrap is not installed"),
        confined_kernel(tmp_path / "notebook", {"outer": "bwrap"}),
    ):
        pass

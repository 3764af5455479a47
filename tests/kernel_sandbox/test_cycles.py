"""Starting, renewing and killing in turn, with crashes at random points: no process, folder, socket or file is left."""

import gc
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pandas as pd
import psutil
import pytest

from kernel_sandbox import Limits, Policy, Sandbox, SandboxError, provisioner

POLICY = Policy(limits=Limits(wall_seconds=5, grace_seconds=0.3))


def keeper_of(sandbox: Sandbox) -> psutil.Process:
    return psutil.Process(sandbox._open()._process.pid)


def kill(process: psutil.Process) -> None:
    with suppress(psutil.NoSuchProcess):
        process.kill()


def kill_one_child(sandbox: Sandbox) -> None:
    with suppress(psutil.NoSuchProcess):
        # The front, the process, or its spare; none, when the keeper itself was killed before.
        for child in random.sample(children := keeper_of(sandbox).children(), k=min(1, len(children))):
            kill(child)


def kill_keeper(sandbox: Sandbox) -> None:
    with suppress(psutil.NoSuchProcess):
        kill(keeper_of(sandbox))


def interrupt_soon(sandbox: Sandbox) -> None:
    timer = threading.Timer(random.uniform(0, 0.05), sandbox.interrupt)
    timer.start()
    sandbox.execute("import time; time.sleep(0.05)")
    timer.join()


def kill_while_running(sandbox: Sandbox) -> None:
    timer = threading.Timer(random.uniform(0, 0.05), kill_one_child, [sandbox])
    timer.start()
    try:
        sandbox.execute("import time; time.sleep(0.05)")
    finally:
        timer.join()


def pass_tables(sandbox: Sandbox) -> None:
    sandbox.stage("t", pd.DataFrame({"a": [1, 2]}))
    sandbox.execute("u = t[t.a > 1]")
    assert sandbox.fetch_frame("u").a.tolist() == [2]


ACTS: list[Callable[[Sandbox], object]] = [
    pass_tables,
    Sandbox.renew,
    interrupt_soon,
    kill_while_running,
    kill_one_child,
    kill_keeper,
    lambda sandbox: sandbox.execute("import os; os._exit(3)"),
    lambda sandbox: sandbox.execute("import os; os.closerange(0, 60)"),
    lambda sandbox: sandbox.execute("import os; os.makedirs('a/b'); open('a/b/c', 'w').write('x')"),
    lambda sandbox: sandbox.stage("left", pd.DataFrame({"a": [1]})),
]


def held() -> tuple[int, int]:
    """Open files and threads of this process."""
    gc.collect()
    return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()


@pytest.mark.parametrize("cycles", [15, pytest.param(500, marks=pytest.mark.thorough)])
def test_crashes_at_random_points_leave_nothing(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch, cycles: int
) -> None:
    monkeypatch.setattr(provisioner, "private_base", lambda: str(short_folder))
    random.seed(11)
    others = set(psutil.Process().children(recursive=True))  # keepers that other tests of this worker left ready
    with Sandbox(POLICY) as first:
        pass_tables(first)
    before = held()
    sandbox = Sandbox(POLICY)
    for _ in range(cycles):
        # Whoever is killed in the middle of a request is told so; the next request works.
        with suppress(SandboxError, AssertionError):
            random.choice(ACTS)(sandbox)
        if random.random() < 0.2:
            sandbox.close()
            sandbox = Sandbox(POLICY, warm=random.random() < 0.5)
    with suppress(SandboxError):
        sandbox.execute("1")
    assert sandbox.execute("x = 5").status == "ok"
    assert sandbox.fetch_record("x") == 5
    sandbox.close()

    wait_for(lambda: set(psutil.Process().children(recursive=True)) <= others)
    assert held() == before
    assert list(short_folder.iterdir()) == []
    assert str(short_folder) not in Path("/proc/net/unix").read_text()


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    assert condition()


def test_a_kernel_whose_front_was_killed_ends_and_says_why(short_folder: Path) -> None:
    with Sandbox(POLICY, warm=False) as sandbox:
        pid = sandbox.confinement.pid
        front = next(child for child in keeper_of(sandbox).children() if child.pid != pid)
        os.kill(front.pid, signal.SIGKILL)
        wait_for(lambda: not Path(f"/proc/{pid}").exists())

        assert sandbox.execute("1").status == "died"
        assert sandbox.execute("1").status == "ok"

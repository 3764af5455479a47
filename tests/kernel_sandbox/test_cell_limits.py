"""Time limits of a cell in a notebook: the same reasons as a `Sandbox` gives, and the next cell works."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernel_sandbox.provisioner import NOTEBOOK_LIMITS, policy_for
from tests.kernel_sandbox.jupyter import ConfinedKernel, confined_kernel, told

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*TCP.*:UserWarning")
# The grace is long enough for a busy machine to deliver an interrupt, and ends before the CPU limit is used up.
LIMITS = {"wall_seconds": 1.2, "grace_seconds": 2.5, "cpu_seconds": 4.5}
STUBBORN = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConfinedKernel]:
    with confined_kernel(tmp_path_factory.mktemp("notebook"), {"limits": LIMITS}) as started:
        yield started


@pytest.fixture
def restarted(kernel: ConfinedKernel) -> Iterator[ConfinedKernel]:
    yield kernel
    kernel.manager.restart_kernel(now=True)
    kernel.client.wait_for_ready(timeout=60)


def test_a_cell_over_its_time_is_interrupted_and_its_variables_remain(kernel: ConfinedKernel) -> None:
    kernel.run("before = 5")

    reply, messages = kernel.run("import time\nwhile True: time.sleep(0.01)")

    assert reply["ename"] == "KeyboardInterrupt"
    assert "the code ran longer than its 1.2 s and was interrupted; its variables remain" in told(messages)
    assert kernel.told("print(before)") == "5\n"


def test_each_cell_has_its_own_time(kernel: ConfinedKernel) -> None:
    messages = [kernel.client.execute("import time; time.sleep(0.5)") for _ in range(3)]

    replies = []
    while len(replies) < len(messages):
        reply = kernel.client.get_shell_msg(timeout=20)
        if reply["parent_header"]["msg_id"] in messages:
            replies.append(reply["content"]["status"])

    assert replies == ["ok", "ok", "ok"]


def test_a_kernel_at_rest_is_not_interrupted(kernel: ConfinedKernel) -> None:
    kernel.run("x = 1")
    time.sleep(1.5)

    assert kernel.told("print(x)") == "1\n"


def test_a_cell_that_goes_on_ends_its_kernel_and_says_why(restarted: ConfinedKernel) -> None:
    message_id = restarted.client.execute(STUBBORN)

    said, end = "", time.monotonic() + 20
    while "was ended" not in said and time.monotonic() < end:
        message = restarted.client.get_iopub_msg(timeout=20)
        if message["parent_header"].get("msg_id") == message_id:
            said += message["content"].get("text", "")

    assert "the kernel was ended: the code ran longer than its 1.2 s and went on when it was interrupted" in said
    assert restarted.wait_for_end()


def test_a_cell_that_forges_its_end_is_stopped_by_its_use_of_the_processor(restarted: ConfinedKernel) -> None:
    """Its wall clock stands still once it was answered; what it goes on to compute is counted all the same."""
    message_id = restarted.client.execute(
        "import gc, struct\nworker = next(one for one in gc.get_objects() if type(one).__name__ == 'Worker')\n"
        "worker._line.sendall(struct.pack('!BII', 8, worker._origins.own(), 2) + b'{}')\n" + STUBBORN
    )

    while (reply := restarted.client.get_shell_msg(timeout=10))["parent_header"]["msg_id"] != message_id:
        pass
    assert reply["content"]["status"] == "ok"
    # A busy machine gives it the seconds of its processor time slowly.
    assert restarted.wait_for_end(90)


def test_a_policy_file_that_names_no_limits_keeps_those_of_a_notebook(tmp_path: Path) -> None:
    (tmp_path / "policy.json").write_text('{"read": ["/srv"], "limits": {"memory_bytes": 5}}')

    policy, _ = policy_for("/srv", {"KERNEL_SANDBOX_POLICY": str(tmp_path / "policy.json")})

    assert (policy.limits.wall_seconds, policy.limits.memory_bytes) == (NOTEBOOK_LIMITS.wall_seconds, 5)

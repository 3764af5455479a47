"""Code that owns its process, against us: whatever it writes to its line, we keep memory, verdict and wits."""

import resource
import time
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from kernel_sandbox import FetchError, Limits, Policy, Sandbox, SandboxDied

# What any code in the process can get hold of: the line to us, by its descriptor.
LINE = """
import gc, os, socket, struct, sys, threading, time
worker = next(o for o in gc.get_objects() if type(o).__name__ == 'Worker')
line, number = worker._line, worker._origins.own()
def forge(kind, request, content=b'', length=None):
    line.sendall(struct.pack('!BII', kind, request, len(content) if length is None else length) + content)
"""
STDOUT, STDERR, DISPLAY, CLEAR, NOTE, ERROR, FAULT, DONE = range(1, 9)


@pytest.fixture(scope="module")
def hostile_sandbox() -> object:
    limits = Limits(wall_seconds=10, grace_seconds=0.4, output_bytes=100_000, message_bytes=2**20)
    with Sandbox(Policy(limits=limits), warm=False) as sandbox:
        yield sandbox


@pytest.fixture
def sandbox(hostile_sandbox: Sandbox) -> Sandbox:
    hostile_sandbox.renew()
    return hostile_sandbox


def recovers(sandbox: Sandbox) -> bool:
    sandbox.renew()
    return sandbox.execute("x = 5").status == "ok" and sandbox.fetch_record("x") == 5


def test_a_message_of_200_megabytes_is_refused_by_its_header_and_costs_no_memory(sandbox: Sandbox) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    execution = sandbox.execute(LINE + f"big = bytes(200_000_000)\nforge({DISPLAY}, number, big)")

    assert (execution.status, "200,000,000 bytes, over the limit" in execution.reason) == ("output", True)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 3 * 1024  # kibibytes: three times the cap
    assert recovers(sandbox)


def test_a_million_small_messages_cost_little_memory_and_leave_a_count(sandbox: Sandbox) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    execution = sandbox.execute(
        LINE
        + 'shown = b\'["display_data", {"text/plain": "x"}, {}, null]\'\n'
        + f"batch = struct.pack('!BII', {DISPLAY}, number, len(shown)) + shown\n"
        + "for _ in range(1000): line.sendall(batch * 1000)"
    )

    assert (execution.status, "more than 50,000 messages" in execution.reason) == ("output", True)
    assert len(execution.displays) == 64
    assert execution.dropped[0].startswith("a display beyond the first 64 was dropped (")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 3 * 1024
    assert recovers(sandbox)


def test_noise_on_the_line_ends_the_process_and_nothing_else(sandbox: Sandbox) -> None:
    execution = sandbox.execute(LINE + "line.sendall(b'\\xff' * 5000); time.sleep(5)")

    assert (execution.status, "over the limit" in execution.reason) == ("output", True)
    assert recovers(sandbox)


def test_half_a_message_and_silence_ends_at_the_deadline(sandbox: Sandbox) -> None:
    began = time.monotonic()

    execution = sandbox.execute(
        LINE + f"forge({DISPLAY}, number, b'abc', length=1000)\nworker._lock.acquire()\ntime.sleep(60)",
        wall_seconds=0.5,
    )

    assert execution.status == "timeout"
    assert time.monotonic() - began < 4
    assert recovers(sandbox)


def test_a_hang_up_is_a_death(sandbox: Sandbox) -> None:
    execution = sandbox.execute(LINE + "line.shutdown(socket.SHUT_RDWR); time.sleep(30)")

    assert execution.status == "died"
    assert recovers(sandbox)


def test_an_answer_to_another_request_is_no_answer_to_this_one(sandbox: Sandbox) -> None:
    execution = sandbox.execute(
        LINE + f"forge({DONE}, number + 1, b'{{}}')\nforge({DONE}, number - 1, b'{{}}')\nprint('still here')"
    )

    assert execution.stdout == "still here\n"
    assert execution.dropped == ("an answer to another request was dropped (2 times)",)


def test_an_early_end_only_cuts_the_code_short_and_stops_it(sandbox: Sandbox) -> None:
    """Whoever says early that it is done is stopped at that moment: nothing of it runs on unwatched."""
    sandbox.execute(LINE + f"count = 0\nforge({DONE}, number, b'{{}}')\nwhile True: count += 1")
    used = [cpu_seconds(sandbox) for _ in range(2) if time.sleep(0.3) is None]

    assert used[1] - used[0] < 0.05
    assert recovers(sandbox)


def test_a_forged_status_is_worth_nothing_without_the_frame(sandbox: Sandbox) -> None:
    execution = sandbox.execute(LINE + f"forge({DONE}, number, b'{{}}'); os._exit(0)")

    assert execution.status in ("ok", "died")
    with pytest.raises((FetchError, SandboxDied)):
        sandbox.fetch_frame("violations")
    assert recovers(sandbox)


def test_an_unasked_record_is_not_taken_for_an_answer(sandbox: Sandbox) -> None:
    sandbox.execute(LINE + f"forge({DONE}, number + 1, b'{{\"verdict\": \"PASS\"}}')\nverdict = 'mine'")

    assert sandbox.fetch_record("verdict") == "mine"


@pytest.mark.parametrize(
    "content",
    ["b'[' * 900_000", "b'NaN'", 'b\'{"a": 1e999, "b": Infinity}\'', "b'\\xff\\xfe'", "b''", "b'9' * 6000"],
)
def test_a_malformed_record_is_refused(sandbox: Sandbox, content: str) -> None:
    sandbox.execute(
        LINE + f"def lie(request, file): os.write(file, {content}); return {{}}\n" + "worker._do_record = lie\nx = 1"
    )

    with pytest.raises(FetchError):
        sandbox.fetch_record("x")


def test_a_frame_that_grows_while_it_is_read_is_refused(sandbox: Sandbox) -> None:
    sandbox.execute(
        LINE + "import mmap\nheld = []\nplain = worker._do_frame\n"
        "def lie(request, file):\n"
        "    rows = plain(request, file); held.append(mmap.mmap(file, 0)); return rows\n"
        "worker._do_frame = lie\nx = pd.DataFrame({'a': [1]})"
    )

    with pytest.raises(FetchError, match="still holds its file open for writing"):
        sandbox.fetch_frame("x")


@pytest.mark.parametrize("by_path", [False, True])
def test_a_staged_table_cannot_be_opened_again_and_written(sandbox: Sandbox, tmp_path: Path, by_path: bool) -> None:
    """Landlock does not see files without a name; their memory is sealed."""
    frame = pd.DataFrame({"a": [1, 2, 3]})
    sandbox.execute(
        LINE + "plain, answers = worker._do_stage, []\n"
        "def lie(request, file):\n"
        "    try: os.pwrite(os.open(f'/proc/self/fd/{file}', os.O_RDWR), b'XXXX', 0); answers.append('written')\n"
        "    except OSError as error: answers.append(error.errno)\n"
        "    return plain(request, file)\n"
        "worker._do_stage = lie"
    )
    if by_path:
        table = pa.Table.from_pandas(frame)
        with pa.ipc.new_file(str(tmp_path / "t.arrow"), table.schema) as writer:
            writer.write_table(table)

    sandbox.stage("t", tmp_path / "t.arrow" if by_path else frame)
    sandbox.execute("1")

    assert sandbox.fetch_record("answers") in ([1], [13])


def test_a_frame_that_is_swapped_for_noise_is_refused(sandbox: Sandbox) -> None:
    sandbox.execute(
        LINE + "def lie(request, file): os.write(file, os.urandom(5000)); return {}\nworker._do_frame = lie\nx = 1"
    )

    with pytest.raises(FetchError, match="ends within its description"):
        sandbox.fetch_frame("x")


def test_descriptors_sent_up_the_line_do_not_arrive(sandbox: Sandbox) -> None:
    sandbox.execute("1")
    before = len(list(Path("/proc/self/fd").iterdir()))

    sandbox.execute(LINE + f"socket.send_fds(line, [struct.pack('!BII', {NOTE}, number, 0)], [0, 1, 2])")

    assert len(list(Path("/proc/self/fd").iterdir())) == before


@pytest.mark.parametrize(
    "code",
    [
        "get_ipython().set_next_input('import os; os.system(\"rm -rf ~\")', replace=True)",
        "get_ipython().payload_manager.write_payload({'source': 'ask_exit'})",
        "from comm import create_comm; create_comm(target_name='jupyter.widget', data={})",
        "import ipywidgets; ipywidgets.IntSlider()",
    ],
)
def test_payloads_and_comms_reach_nobody(sandbox: Sandbox, code: str) -> None:
    execution = sandbox.execute(code)

    assert execution.status in ("ok", "error")
    assert all(display.mimetype in ("text/plain", "image/png") for display in execution.displays)


def test_terminal_escapes_do_not_reach_us(sandbox: Sandbox) -> None:
    execution = sandbox.execute("print('\\x1b]0;title\\x07\\x1b[2Jshown')\nraise ValueError('\\x1b[31mred')")

    assert execution.stdout == "shown\n"
    assert execution.error_text == "red"
    assert "\x1b" not in execution.traceback


def test_an_exception_whose_text_is_a_trap_is_an_answer(sandbox: Sandbox) -> None:
    execution = sandbox.execute("class E(Exception):\n    def __str__(self): raise SystemExit\nraise E")

    assert (execution.status, execution.error_name) == ("error", "SystemExit")
    assert recovers(sandbox)


def test_closing_every_stream_and_descriptor_is_survived(sandbox: Sandbox) -> None:
    for code in (
        "import sys; sys.stdout.close()",
        "import os; os.close(1); os.close(2)",
        "import os; os.closerange(0, 50)",
    ):
        sandbox.execute(code, wall_seconds=2)
        assert recovers(sandbox)


def cpu_seconds(sandbox: Sandbox) -> float:
    from kernel_sandbox.keeper.watch import usage

    return usage(sandbox.confinement.pid).cpu_seconds

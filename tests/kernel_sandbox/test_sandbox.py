import datetime
import mmap
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from kernel_sandbox import FetchError, Limits, Policy, Sandbox, SandboxError, SandboxUnavailable, StageError

SMALL = Limits(
    wall_seconds=1, grace_seconds=1.5, cpu_seconds=30, memory_bytes=400 * 2**20, output_bytes=50_000, threads=40
)


@pytest.fixture(scope="module")
def strict() -> object:
    with Sandbox(Policy(limits=SMALL), warm=False) as sandbox:
        yield sandbox


def works(sandbox: Sandbox) -> bool:
    execution = sandbox.execute("answer = 6 * 7")
    return execution.status == "ok" and sandbox.fetch_record("answer") == 42


def test_the_locks_are_seen_from_outside_before_any_code(sandbox: Sandbox) -> None:
    confinement = sandbox.confinement

    kept_out = ("descriptors", "environment", "rlimits", "capabilities", "no_new_privs", "landlock", "seccomp")
    assert confinement.layers == kept_out
    status = Path(f"/proc/{confinement.pid}/status").read_text()
    assert "NoNewPrivs:\t1" in status
    assert "Seccomp:\t2" in status
    assert "CapEff:\t0000000000000000" in status


@pytest.mark.feature("B18")
def test_an_execution_tells_output_value_and_error(sandbox: Sandbox) -> None:
    execution = sandbox.execute("import sys\nprint('out')\nprint('err', file=sys.stderr)\n6 * 7")

    assert (execution.status, execution.stdout, execution.stderr) == ("ok", "out\n", "err\n")
    assert [display.text for display in execution.displays] == ["42"]


def test_pandas_and_numpy_are_there_by_their_usual_names(sandbox: Sandbox) -> None:
    assert sandbox.execute("pd.DataFrame({'a': np.arange(2)}).a.sum()").displays[0].text in ("1", "np.int64(1)")


def test_an_error_is_an_answer_with_its_line(sandbox: Sandbox) -> None:
    execution = sandbox.execute("x = 1\ndef f():\n    return x / 0\n\nf()")

    assert (execution.status, execution.error_name) == ("error", "ZeroDivisionError")
    assert execution.error_text == "division by zero"
    assert execution.error_line == 3
    assert "\x1b" not in execution.traceback


def test_a_syntax_error_is_an_answer_with_its_line(sandbox: Sandbox) -> None:
    execution = sandbox.execute("x = 1\nif x\n")

    assert (execution.status, execution.error_name, execution.error_line) == ("error", "SyntaxError", 2)


def test_an_error_too_large_to_be_told_is_an_error_all_the_same(sandbox: Sandbox) -> None:
    execution = sandbox.execute("raise ValueError('x' * 20_000_000)")

    assert (execution.status, "too large to be told" in execution.error_text) == ("error", True)
    assert works(sandbox)


def test_an_exit_is_an_answer(sandbox: Sandbox) -> None:
    execution = sandbox.execute("raise SystemExit(3)")

    assert (execution.status, execution.error_name) == ("error", "SystemExit")
    assert works(sandbox)


def test_output_of_libraries_below_python_is_captured(sandbox: Sandbox) -> None:
    assert sandbox.execute("import os\nos.write(1, b'from below')").stdout == "from below"


def test_output_arrives_while_the_code_runs(sandbox: Sandbox) -> None:
    arrivals: list[tuple[str, float]] = []

    sandbox.execute(
        "import time\nprint('early')\ntime.sleep(0.6)\nprint('late')",
        on_output=lambda stream, text: arrivals.append((text, time.monotonic())),
    )

    (early, at), (late, later) = arrivals
    assert (early, late) == ("early\n", "late\n")
    assert later - at > 0.3  # it did not wait for what came behind it


def test_a_staged_frame_is_there_with_its_dtypes_and_a_range_index(sandbox: Sandbox) -> None:
    orders = pd.DataFrame({"id": [1, 2], "name": ["a", None]}, index=pd.Index([10, 20], name="key"))

    staged = sandbox.stage("orders", orders)

    assert (staged.rows, staged.columns) == (2, ("id", "name"))
    assert sandbox.execute("index = str(orders.index)\ndtypes = orders.dtypes.astype(str).to_dict()").status == "ok"
    assert sandbox.fetch_record("index") == "RangeIndex(start=0, stop=2, step=1)"
    assert sandbox.fetch_record("dtypes") == {"id": "int64", "name": "str"}


def test_a_column_in_a_file_is_lent_and_what_is_written_to_it_stays_inside(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "numbers"
    numbers = np.arange(1_000_000)
    path.write_bytes(numbers.tobytes())
    with path.open("rb") as file:
        content = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ)
    frame = pd.DataFrame({"number": np.frombuffer(content, numbers.dtype)}, copy=False)

    staged = sandbox.stage("numbers", frame, lend=True)
    sandbox.stage("beside", pd.DataFrame({"a": [1]}))
    execution = sandbox.execute("total = int(numbers.number.sum())\nnumbers.iloc[0, 0] = 7")

    assert execution.status == "ok", execution.error_text
    assert sandbox.fetch_record("total") == numbers.sum()
    assert sandbox.fetch_frame("beside")["a"].to_list() == [1]
    assert path.read_bytes() == numbers.tobytes()
    assert staged.file_bytes < 10_000


def test_a_staged_frame_may_be_written_and_the_file_stays_as_it_was(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "orders.arrow"
    table = pa.table({"id": [1, 2, 3], "amount": [1.0, 2.0, 3.0]})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    before = path.read_bytes()

    sandbox.stage("orders", path)
    execution = sandbox.execute("orders.loc[orders.id > 1, 'amount'] = 0.0\norders.iloc[0, 0] = 9")

    assert execution.status == "ok", execution.error_text
    assert sandbox.fetch_frame("orders").to_dict("list") == {"id": [9, 2, 3], "amount": [1.0, 0.0, 0.0]}
    assert path.read_bytes() == before


def test_a_staged_file_cannot_be_opened_for_writing_by_its_descriptor(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "orders.arrow"
    table = pa.table({"id": [1]})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    sandbox.stage("orders", path)

    execution = sandbox.execute(
        "import os, gc, mmap\n"
        "maps = [m for m in gc.get_objects() if isinstance(m, mmap.mmap)]\n"
        "names = os.listdir('/proc/self/fd')\n"
        "written = []\n"
        "for name in names:\n"
        "    try:\n"
        "        os.open(f'/proc/self/fd/{name}', os.O_RDWR); written.append(os.readlink(f'/proc/self/fd/{name}'))\n"
        "    except OSError: pass\n"
    )

    assert execution.status == "ok", execution.error_text
    assert not [name for name in sandbox.fetch_record("written") if "arrow" in name or "table" in name]


def test_a_column_that_cannot_cross_is_named(sandbox: Sandbox) -> None:
    with pytest.raises(StageError, match=r'"orders" was not staged: column "p" has dtype period\[M\]'):
        sandbox.stage("orders", pd.DataFrame({"p": pd.period_range("2024-01", periods=2, freq="M")}))


def test_a_path_that_is_no_arrow_file_is_named(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a\n1\n")

    with pytest.raises(StageError, match=r"x\.csv is no Arrow IPC file"):
        sandbox.stage("orders", tmp_path / "x.csv")


@pytest.mark.parametrize("name", ["two words", "class", "", "a.b"])
def test_a_name_that_is_no_identifier_is_refused(sandbox: Sandbox, name: str) -> None:
    with pytest.raises(StageError, match="identifier"):
        sandbox.stage(name, pd.DataFrame({"a": [1]}))


def test_a_point_in_time_arrives_as_a_timestamp(sandbox: Sandbox) -> None:
    sandbox.stage_value("utc_now", datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC))
    sandbox.stage_value("limits", {"low": 1, "high": [2, None]})

    sandbox.execute("text = repr(utc_now)")

    assert sandbox.fetch_record("text") == "Timestamp('2026-01-02 00:00:00+0000', tz='UTC')"
    assert sandbox.fetch_record("limits") == {"low": 1, "high": [2, None]}


def test_a_value_that_is_no_json_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(StageError, match="object is neither a JSON value nor a datetime"):
        sandbox.stage_value("thing", object())


def test_a_series_comes_back_as_a_frame_with_its_index(sandbox: Sandbox) -> None:
    sandbox.execute("found = pd.Series([1.5, None], index=['a', 'b'], name='x')")

    expected = pd.DataFrame({"x": [1.5, None]}, index=["a", "b"])
    pd.testing.assert_frame_equal(sandbox.fetch_frame("found"), expected)


def test_only_the_first_rows_come_back_when_asked(sandbox: Sandbox) -> None:
    sandbox.execute("found = pd.DataFrame({'x': range(100)})")

    assert sandbox.fetch_frame("found", max_rows=3)["x"].to_list() == [0, 1, 2]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("x = 3", "it is a int, not a DataFrame or Series"),
        ("pass", "there is no variable x"),
        ("x = pd.DataFrame({'a': [1, 'b', object()]})", 'column "a" has dtype object'),
        ("x = pd.DataFrame({'a': pd.arrays.SparseArray([0, 1])})", 'column "a" has dtype Sparse'),
        ("x = pd.DataFrame({'a': [1 + 2j]})", 'column "a" has dtype complex128'),
    ],
)
def test_a_variable_that_is_no_plain_frame_is_refused_with_the_reason(sandbox: Sandbox, code: str, reason: str) -> None:
    sandbox.execute(code)

    with pytest.raises(FetchError, match="was not fetched") as caught:
        sandbox.fetch_frame("x")

    assert reason in str(caught.value)
    assert works(sandbox)


@pytest.mark.parametrize("code", ["x = object()", "x = float('nan')", "x = []; x.append(x)", "x = 'a' * 2_000_000"])
def test_a_record_that_is_no_small_json_is_refused(sandbox: Sandbox, code: str) -> None:
    sandbox.execute(code)

    with pytest.raises(FetchError):
        sandbox.fetch_record("x")


def test_renewing_leaves_nothing_behind(sandbox: Sandbox) -> None:
    sandbox.stage("orders", pd.DataFrame({"a": [1]}))
    sandbox.execute("secret = 1\nopen('left.txt', 'w').write('x')\nimport math; math.pi = 3\npd.NA2 = 1")
    pid = sandbox.confinement.pid

    sandbox.renew()

    execution = sandbox.execute(
        "import os, math\n"
        "left = ['secret' in globals(), 'orders' in globals(), os.listdir('.'), math.pi > 3.1, hasattr(pd, 'NA2')]"
    )
    assert execution.status == "ok"
    assert sandbox.fetch_record("left") == [False, False, [], True, False]
    assert sandbox.confinement.pid != pid


def test_two_kernels_do_not_draw_the_same_random_numbers(sandbox: Sandbox) -> None:
    draws = []
    for _ in range(2):
        sandbox.renew()
        sandbox.execute("import random\ndrawn = [float(np.random.rand()), random.random()]")
        draws.append(sandbox.fetch_record("drawn"))

    assert draws[0] != draws[1]


@pytest.mark.feature("B15")
@pytest.mark.parametrize(
    "code",
    ["while True: pass", "import time; time.sleep(60)", "x = 10 ** (10 ** 9)"],
)
def test_code_over_its_time_is_interrupted_or_ended_and_the_next_works(strict: Sandbox, code: str) -> None:
    began = time.monotonic()

    execution = strict.execute(code)

    assert execution.status == "timeout"
    assert execution.reason.startswith("the code ran longer than its 1 s")
    assert time.monotonic() - began < 8
    assert works(strict)


def test_code_that_ignores_the_interrupt_is_killed_after_its_grace(strict: Sandbox) -> None:
    began = time.monotonic()

    execution = strict.execute("import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\ntime.sleep(60)")

    assert execution.status == "timeout"
    assert "its variables and staged tables are gone" in execution.reason
    assert 2.4 < time.monotonic() - began < 8
    assert works(strict)


@pytest.mark.feature("D12")
def test_memory_over_the_limit_ends_the_code_and_the_next_works(strict: Sandbox) -> None:
    execution = strict.execute("hoard = []\nwhile True: hoard.append(bytearray(5_000_000))", wall_seconds=10)

    assert execution.status == "memory"
    used = int(execution.reason.split(" MiB")[0].rsplit(" ", 1)[1].replace(",", ""))
    assert 400 <= used <= 420  # five per cent
    assert works(strict)


def test_a_limit_below_what_an_idle_process_takes_is_told_as_that() -> None:
    limits = Limits(memory_bytes=20_000_000)
    with pytest.raises(SandboxUnavailable, match=r"used \d+ MiB of memory, over the limit of 19 before any code ran"):
        Sandbox(Policy(limits=limits), warm=False).__enter__()


def test_an_allocation_beyond_all_bounds_is_an_ordinary_error(strict: Sandbox) -> None:
    assert strict.execute("x = bytearray(10 ** 11)").error_name == "MemoryError"
    assert works(strict)


@pytest.mark.feature("C33")
def test_processor_time_over_the_limit_ends_the_code() -> None:
    limits = Limits(wall_seconds=20, cpu_seconds=0.5)
    with Sandbox(Policy(limits=limits), warm=False) as sandbox:
        execution = sandbox.execute("while True: pass")

        assert execution.status == "cpu"
        assert "over the limit of 0.5" in execution.reason
        assert works(sandbox)


@pytest.mark.feature("D11")
def test_output_over_the_limit_stops_the_code_and_says_so(strict: Sandbox) -> None:
    execution = strict.execute("while True: print('x' * 1000)", wall_seconds=10)

    assert execution.status == "output"
    assert len(execution.stdout) == 50_000
    assert "more than 50,000 bytes of text" in execution.reason
    assert works(strict)


def test_a_large_file_is_refused_by_its_limit() -> None:
    with Sandbox(Policy(limits=Limits(file_bytes=1_000_000)), warm=False) as sandbox:
        execution = sandbox.execute("open('big', 'wb').write(b'x' * 2_000_000)")

        assert (execution.error_name, "File too large" in execution.error_text) == ("OSError", True)


def test_many_files_and_many_bytes_end_the_code() -> None:
    limits = Limits(file_bytes=4 * 2**20, work_bytes=20 * 2**20, work_files=50)
    with Sandbox(Policy(limits=limits), warm=False) as sandbox:
        many_bytes = sandbox.execute(
            "import time\nfor n in range(40):\n    open(str(n), 'wb').write(b'x' * 4_000_000); time.sleep(0.05)"
        )
        many_files = sandbox.execute("import time\nfor n in range(200):\n    open(str(n), 'w'); time.sleep(0.01)")
        nameless = sandbox.execute(
            "import os, time\nheld = []\nfor n in range(40):\n"
            "    held.append(open('x', 'wb')); held[-1].write(b'x' * 4_000_000); held[-1].flush(); os.unlink('x')\n"
            "    time.sleep(0.05)"
        )

        assert (many_bytes.status, "in the work folder" in many_bytes.reason) == ("died", True)
        assert (many_files.status, "more than 50 files" in many_files.reason) == ("died", True)
        assert (nameless.status, "in the work folder" in nameless.reason) == ("died", True)
        assert works(sandbox)


def test_a_table_that_is_handed_over_does_not_count_as_files_that_the_code_made() -> None:
    """While a large one is taken in its file is open and has no name, as files have that code hides."""
    limits = Limits(work_bytes=4 * 2**20)
    table = pd.DataFrame({"text": pd.Series([f"text {n}" for n in range(1_000_000)], dtype=object)})
    with Sandbox(Policy(limits=limits), warm=False) as sandbox:
        sandbox.stage("table", table)
        assert sandbox.execute("print(len(table))").stdout == "1000000\n"
        nameless = sandbox.execute(
            "import os, time\nheld = open('x', 'wb'); held.write(b'x' * 5_000_000); held.flush(); os.unlink('x')\n"
            "time.sleep(1)"
        )
        assert (nameless.status, "in the work folder" in nameless.reason) == ("died", True)


def test_files_that_live_on_in_a_mapping_alone_are_counted(tmp_path: Path) -> None:
    """Closed and without a name, they show in no folder and in no list of open files."""
    limits = Limits(file_bytes=4 * 2**20, work_bytes=20 * 2**20)
    with Sandbox(Policy(limits=limits), warm=False) as sandbox:
        execution = sandbox.execute(
            "import ctypes, os, time\nlibc = ctypes.CDLL(None); held = []\nfor n in range(40):\n"
            "    file = open('x', 'w+b'); file.write(b'x' * 4_000_000); file.flush()\n"
            "    held.append(libc.mmap(None, ctypes.c_size_t(4096), 1, 1, file.fileno(), ctypes.c_long(0)))\n"
            "    file.close(); os.unlink('x'); time.sleep(0.05)"
        )

        assert (execution.status, "in the work folder" in execution.reason) == ("died", True)


def test_a_mapped_file_with_a_name_is_counted_once() -> None:
    limits = Limits(file_bytes=12 * 2**20, work_bytes=20 * 2**20)
    with Sandbox(Policy(limits=limits), warm=False) as sandbox:
        execution = sandbox.execute(
            "import time\nm = np.memmap('x', mode='w+', shape=10_000_000)\n"
            "m[:] = 1; n = np.memmap('x'); time.sleep(0.8)"
        )

        assert execution.status == "ok"


def test_too_many_threads_end_the_code(strict: Sandbox) -> None:
    execution = strict.execute(
        "import threading, time\nfor _ in range(100): threading.Thread(target=time.sleep, args=(30,)).start()\n"
        "time.sleep(5)",
        wall_seconds=10,
    )

    assert (execution.status, "threads, over the limit of 40" in execution.reason) == ("died", True)
    assert works(strict)


def test_open_files_are_bounded(strict: Sandbox) -> None:
    execution = strict.execute("held = [open('/dev/null') for _ in range(1000)]")

    assert (execution.error_name, "Too many open files" in execution.error_text) == ("OSError", True)


def test_a_death_is_told_and_the_next_call_works(strict: Sandbox) -> None:
    execution = strict.execute("import os; os._exit(7)")

    assert execution.status == "died"
    assert execution.reason.startswith("its process ended with status 7; its variables and staged tables are gone")
    assert works(strict)


def test_a_crash_in_native_code_is_told(strict: Sandbox) -> None:
    execution = strict.execute("import ctypes; ctypes.string_at(0)")

    assert (execution.status, "SIGSEGV" in execution.reason) == ("died", True)
    assert works(strict)


def test_an_interrupt_of_the_caller_reaches_the_code_and_is_raised(strict: Sandbox) -> None:
    strict.execute("kept = 1")
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()

    with pytest.raises(KeyboardInterrupt):
        strict.execute("while True: pass", wall_seconds=20)

    timer.join()
    assert strict.fetch_record("kept") == 1
    assert works(strict)


def test_a_fetch_that_was_interrupted_holds_up_nothing(strict: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    strict.execute(
        "import time\nclass Slow(list):\n    def __iter__(self): time.sleep(2); return iter(())\nx, y = Slow(), 7"
    )

    for after in (lambda: None, strict.renew):
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            strict.fetch_record("x")
        timer.join()
        after()
        if after != strict.renew:
            assert strict.fetch_record("y") == 7
    assert works(strict)


def test_another_thread_can_interrupt(strict: Sandbox) -> None:
    timer = threading.Timer(0.3, strict.interrupt)
    timer.start()

    execution = strict.execute("while True: pass", wall_seconds=20)

    timer.join()
    assert (execution.status, execution.reason) == (
        "interrupted",
        "the code was interrupted; its variables remain",
    )


def test_an_interrupt_of_an_idle_sandbox_does_nothing_to_the_next_execution(strict: Sandbox) -> None:
    works(strict)

    strict.interrupt()

    assert works(strict)


def test_nothing_runs_between_two_executions(strict: Sandbox) -> None:
    strict.execute(
        "import threading, time\ncount = 0\n"
        "def run():\n    global count\n    while True:\n        count += 1; time.sleep(0.01)\n"
        "threading.Thread(target=run, daemon=True).start()"
    )
    first = strict.fetch_record("count")
    time.sleep(0.5)

    second = strict.fetch_record("count")

    assert isinstance(first, int)
    assert isinstance(second, int)
    assert second - first < 10


def test_the_sandbox_answers_after_its_keeper_was_killed() -> None:
    with Sandbox(warm=False) as sandbox:
        kernel = sandbox.confinement.pid
        os.kill(int(status_of(kernel)[1]), signal.SIGKILL)
        wait_until_ended(kernel)

        statuses = [sandbox.execute("1").status for _ in range(2)]

        # The kernel died with its keeper. The first cell may be told so; a new kernel answers the next.
        assert statuses in (["died", "ok"], ["ok", "ok"])


def test_a_sandbox_that_nobody_closed_ends_when_it_is_collected() -> None:
    code = (
        "import gc, kernel_sandbox\n"
        "kept = kernel_sandbox.Sandbox(warm=False)\n"
        "assert kept.execute('1').status == 'ok'\n"
        "kept.itself = kept\n"
        "del kept\n"
        "gc.collect()\n"
        "print('collected')"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert (ended.stdout, ended.stderr) == ("collected\n", "")


def status_of(pid: int) -> list[str]:
    """State, parent and what follows them in /proc; gone is the same as dead."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return ["X"]


def wait_until_ended(pid: int) -> None:
    deadline = time.monotonic() + 60
    while status_of(pid)[0] not in ("Z", "X"):
        assert time.monotonic() < deadline, f"process {pid} still runs"
        time.sleep(0.01)


def test_a_closed_sandbox_says_so_and_leaves_no_process_and_no_folder() -> None:
    sandbox = Sandbox()
    sandbox.execute("import os\nos.makedirs('a/b')\nopen('a/b/c', 'w').write('x')\nwork = os.getcwd()")
    work, pid = sandbox.fetch_record("work"), sandbox.confinement.pid

    sandbox.close()
    sandbox.close()

    assert isinstance(work, str)
    assert not Path(work).parent.exists()
    assert not Path(f"/proc/{pid}").exists()
    with pytest.raises(SandboxError, match="closed"):
        sandbox.execute("1")


def test_closing_from_another_thread_stops_what_is_about_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox, looked = Sandbox(warm=False), threading.Event()
    closer = threading.Thread(target=sandbox.close)
    deliver, interrupt = sandbox._deliver, sandbox.interrupt

    def close_behind_delivery() -> None:
        deliver()
        closer.start()
        assert looked.wait(30), "the sandbox was closed without a look at what runs"

    monkeypatch.setattr(sandbox, "_deliver", close_behind_delivery)
    monkeypatch.setattr(sandbox, "interrupt", lambda: (interrupt(), looked.set()))
    with pytest.raises(SandboxError, match="closed"):
        sandbox.execute("while True: pass", wall_seconds=10)
    closer.join()


def test_code_is_interrupted_that_the_front_has_not_heard_of(monkeypatch: pytest.MonkeyPatch) -> None:
    with Sandbox(warm=False) as sandbox:
        sandbox.execute("1")
        session = sandbox._open().session
        send = session.send

        def interrupt_before(*message: Any) -> None:
            sandbox.interrupt()
            time.sleep(0.1)
            send(*message)

        monkeypatch.setattr(session, "send", interrupt_before)
        assert sandbox.execute("while True: pass", wall_seconds=10).status == "interrupted"


@pytest.mark.feature("D10")
def test_a_hostile_folder_is_removed_all_the_same() -> None:
    sandbox = Sandbox(warm=False)
    sandbox.execute(
        "import os\nwork = os.getcwd()\n"
        "for n in range(50):\n    os.mkdir('deep'); os.chdir('deep')\n"
        "os.chdir(work)\nos.mkdir('closed', 0o300)\nopen('closed/x', 'w')\nos.mkdir(b'\\xff\\xfe')\nos.mkdir('none', 0)"
    )
    work = sandbox.fetch_record("work")

    sandbox.close()

    assert isinstance(work, str)
    assert not Path(work).parent.exists()


@pytest.mark.feature("B16")
def test_a_named_work_folder_is_kept(tmp_path: Path) -> None:
    with Sandbox(Policy(work=str(tmp_path)), warm=False) as sandbox:
        sandbox.execute("open('kept.txt', 'w').write('x')")

    assert (tmp_path / "kept.txt").read_text() == "x"


@pytest.mark.feature("B16")
def test_a_granted_path_may_be_read_and_not_written(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a\n1\n")
    with Sandbox(Policy(read=(str(tmp_path),)), warm=False) as sandbox:
        read = sandbox.execute(f"rows = len(pd.read_csv('{tmp_path}/x.csv'))")
        written = sandbox.execute(f"open('{tmp_path}/y', 'w')")

        assert (read.status, sandbox.fetch_record("rows")) == ("ok", 1)
        assert written.error_name == "PermissionError"


def test_what_was_in_a_named_work_folder_before_does_not_count(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / str(number)).write_bytes(b"x" * 100_000)
    limits = Limits(work_files=50, work_bytes=2 * 2**20, file_bytes=2**20)

    with Sandbox(Policy(work=str(tmp_path), limits=limits), warm=False) as sandbox:
        assert sandbox.execute("import time; time.sleep(0.6)").status == "ok"


def test_a_fork_of_the_owner_that_ends_leaves_the_sandbox_alone(sandbox: Sandbox) -> None:
    sandbox.execute("kept = 1")
    program = multiprocessing.get_context("fork").Process(target=sys.exit)
    program.start()
    program.join()

    assert sandbox.fetch_record("kept") == 1


def test_a_granted_path_that_is_not_there_is_named() -> None:
    with pytest.raises(SandboxUnavailable, match="/nowhere/at/all"), Sandbox(Policy(read=("/nowhere/at/all",))):
        pass


def test_an_unconfined_sandbox_says_so_on_every_result() -> None:
    with Sandbox(Policy(isolation="none"), warm=False) as sandbox:
        execution = sandbox.execute("open('/etc/passwd').close()")

        assert (execution.status, execution.isolation) == ("ok", "none")
        assert sandbox.confinement.layers == ()


def test_five_hundred_thousand_rows_cross_both_ways_unchanged(sandbox: Sandbox) -> None:
    rows = 500_000
    numbers = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"i": numbers.integers(0, 2**40, rows), "f": numbers.random(rows), "s": ["abc", "d"] * (rows // 2)}
    )

    sandbox.stage("t", frame)
    sandbox.execute("back = t")

    pd.testing.assert_frame_equal(sandbox.fetch_frame("back"), frame)


@pytest.mark.parametrize(
    "code", ["!ls", "%pip install x", "%%bash\nls", "files = !ls", "%system ls", "%%script sh\nls"]
)
def test_asking_for_another_program_gets_one_clear_line(sandbox: Sandbox, code: str) -> None:
    execution = sandbox.execute(code)

    assert (execution.status, execution.error_name) == ("error", "PermissionError")
    assert "a confined kernel starts no other programs" in execution.error_text


def test_a_question_to_the_user_gets_one_clear_line(sandbox: Sandbox) -> None:
    execution = sandbox.execute("input('password? ')")

    assert (execution.error_name, "nobody to ask" in execution.error_text) == ("EOFError", True)


def test_nobody_waits_while_a_keeper_imports_what_figures_need() -> None:
    with Sandbox() as sandbox:
        assert works(sandbox)
        keeper = _parent_of(sandbox.confinement.pid)
        assert "matplotlib" not in Path(f"/proc/{keeper}/maps").read_text()

        end = time.monotonic() + 60
        while not (ready := _has_spare_with_figures(keeper)) and time.monotonic() < end:
            time.sleep(0.1)
        assert ready
        sandbox.renew()
        assert sandbox.execute("import sys; 'matplotlib.pyplot' in sys.modules").displays[0].text == "True"


def _has_spare_with_figures(keeper: int) -> bool:
    """Whether it has forked a process since it imported them."""
    *_, youngest = Path(f"/proc/{keeper}/task/{keeper}/children").read_text().split()
    try:
        return "matplotlib" in Path(f"/proc/{youngest}/maps").read_text()
    except FileNotFoundError:  # the spare that had been there before
        return False


def _parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_a_plot_arrives_as_png(sandbox: Sandbox) -> None:
    execution = sandbox.execute("import matplotlib.pyplot as plt\nplt.plot([1, 2]);")

    assert execution.status == "ok", execution.error_text
    assert [display.mimetype for display in execution.displays] == ["image/png"]
    assert execution.displays[0].image.startswith(b"\x89PNG")
    assert "prefers-color-scheme: dark" in execution.displays[0].drawing


@pytest.mark.parametrize(
    "code",
    [
        "plt.plot([1, 2], color='k')",
        "plt.figure(facecolor='lightgrey'); plt.plot([1, 2])",
        "plt.axes(facecolor='w').plot([1, 2])",
        "plt.plot([1, 2]); plt.title('sales', color='black')",
        "plt.imshow([[1, 2], [3, 4]]); plt.text(0, 0, 'here')",
        "plt.pcolormesh([[1, 2], [3, 4]]); plt.text(0, 0, 'here')",
        "plt.plot(range(6_000))",
        "with plt.style.context('dark_background'): plt.plot([1, 2])",
    ],
    ids=lambda code: code[:30],
)
def test_a_plot_whose_colours_were_chosen_or_stand_on_others_stays_as_it_is(sandbox: Sandbox, code: str) -> None:
    (shown,) = sandbox.execute(f"import matplotlib.pyplot as plt\n{code};").displays
    assert shown.image.startswith(b"\x89PNG")
    assert shown.drawing == ""


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("from IPython.display import HTML; HTML('<img src=x onerror=alert(1)>')", "text/html"),
        ("from IPython.display import Javascript; Javascript('alert(1)')", "application/javascript"),
        ("from IPython.display import SVG; SVG('<svg xmlns=\"http://www.w3.org/2000/svg\"/>')", "image/svg+xml"),
        ("from IPython.display import Markdown; Markdown('[x](javascript:1)')", "text/markdown"),
        ("from IPython.display import display\ndisplay({'application/x-evil': 1}, raw=True)", "application/x-evil"),
    ],
)
def test_active_content_is_dropped_and_said(sandbox: Sandbox, code: str, what: str) -> None:
    execution = sandbox.execute(code)

    assert execution.displays == ()
    assert execution.dropped == (
        f"{what} was not shown: only plain text, PNG and figures that are data leave the sandbox",
    )


def test_a_frame_is_a_table_made_anew_beside_its_text(sandbox: Sandbox) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    shown = sandbox.execute(f"pd.DataFrame({{'a': [{hostile!r}, '$x$'], 'b': [1, None]}})").displays[0]
    assert shown.mimetype == "text/plain" and hostile in shown.text
    assert "<td>&lt;img src=x onerror=alert(1)&gt;</td>" in shown.html and "<style" not in shown.html
    evil = f"""class Evil:
    def _repr_html_(self): return "<table><tr><td>{hostile}</td></tr></table><script>alert(1)</script>"
    def __repr__(self): return "words"
Evil()"""
    shown = sandbox.execute(evil).displays[0]
    assert (shown.text, shown.html) == ("words", "")


def test_a_traceback_shows_the_cells_own_frames(sandbox: Sandbox) -> None:
    execution = sandbox.execute("def read(frame):\n    return frame['b']\n\nread(pd.DataFrame({'a': [1]}))")

    assert (execution.error_name, execution.error_line) == ("KeyError", 2)
    assert "read(pd.DataFrame({'a': [1]}))" in execution.traceback
    assert "----> 2     return frame['b']" in execution.traceback
    assert "The above exception was the direct cause of the following exception" in execution.traceback
    assert re.search(r"^\(\d+ frames outside the cells not shown\)$", execution.traceback, re.MULTILINE)
    assert "site-packages" not in execution.traceback


def test_an_error_without_frames_of_packages_hides_none(sandbox: Sandbox) -> None:
    assert "not shown" not in sandbox.execute("1 / 0").traceback


def test_temporary_files_find_a_place_after_every_library_was_imported(sandbox: Sandbox) -> None:
    execution = sandbox.execute("import matplotlib.pyplot, tempfile\ntempfile.TemporaryFile().write(b'x')")

    assert (execution.status, execution.error_text) == ("ok", "")


def test_more_rows_than_were_asked_for_are_refused_whoever_sends_them(sandbox: Sandbox) -> None:
    sandbox.execute(
        "from kernel_sandbox.tables import transfer\n"
        "plain = transfer.write_frame\n"
        "transfer.write_frame = lambda value, file, *, max_rows: plain(value, file, max_rows=None)\n"
        "frame = pd.DataFrame({'a': range(100)})"
    )

    with pytest.raises(FetchError, match="it has 100 rows, and at most 5 were asked for"):
        sandbox.fetch_frame("frame", max_rows=5)


def test_what_is_staged_after_a_death_and_a_renewal_arrives() -> None:
    with Sandbox() as sandbox:
        for number in range(10):
            assert sandbox.execute("import os, signal; os.kill(os.getpid(), signal.SIGKILL)").status == "died"
            sandbox.renew()
            sandbox.stage_value("number", number)
            assert sandbox.execute("print(number)").stdout == f"{number}\n"

"""The log of runs: many writers, parts, lines that a crash cut, and what it costs."""

import json
import multiprocessing
import os
import random
import signal
import time
from pathlib import Path

import pytest

from pandas_magic.errors import StateUnreadable
from pandas_magic.history.log import LOG_NAME, RunLog


def write_lines(folder: str, writer: int, count: int) -> None:
    log = RunLog(Path(folder), part_bytes=4096)
    for number in range(count):
        log.append(json.dumps({"writer": writer, "number": number, "text": "x" * (number % 97)}))


def test_lines_of_many_processes_all_arrive_whole_over_many_parts(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_lines, args=(str(tmp_path), writer, 300)) for writer in range(4)]
    for process in writers:
        process.start()
    reader, seen = RunLog(tmp_path), list[bytes]()
    while any(process.is_alive() for process in writers):
        seen += reader.added()[1]  # read while they write and parts come and go
    for process in writers:
        process.join()
        assert process.exitcode == 0
    seen += reader.added()[1]
    found = [json.loads(line) for line in seen]
    assert len(RunLog(tmp_path).parts()) > 5
    for writer in range(4):
        assert [line["number"] for line in found if line["writer"] == writer] == list(range(300))


def test_every_part_is_read_in_order(tmp_path: Path) -> None:
    log = RunLog(tmp_path, part_bytes=100)
    for number in range(50):
        log.append(f"line {number:03d} ................")
    assert len(log.parts()) >= 10
    assert [line[:8] for line in RunLog(tmp_path).added()[1]] == [f"line {n:03d}".encode() for n in range(50)]


def test_only_what_was_added_is_read_again(tmp_path: Path) -> None:
    log = RunLog(tmp_path)
    log.append("one")
    assert log.added() == (False, [b"one"])
    assert log.added() == (False, [])
    RunLog(tmp_path).append("two")
    assert log.added() == (False, [b"two"])


@pytest.mark.parametrize("seed", range(20))
def test_a_crash_at_any_byte_costs_at_most_the_lines_it_hit(tmp_path: Path, seed: int) -> None:
    log, chance = RunLog(tmp_path), random.Random(seed)
    for number in range(20):
        log.append(f"before {number}")
    path = tmp_path / LOG_NAME
    cut = chance.randrange(path.stat().st_size)
    whole = path.read_bytes()[:cut].count(b"\n")
    with path.open("r+b") as file:
        file.truncate(cut)
        file.seek(cut)
        file.write(chance.randbytes(chance.randrange(60)).replace(b"\n", b"?"))
    log.append("after")
    lines = RunLog(tmp_path).added()[1]
    assert lines[:whole] == [f"before {number}".encode() for number in range(whole)]
    assert lines[-1] == b"after"


def test_a_file_that_shrank_is_read_from_its_beginning(tmp_path: Path) -> None:
    log = RunLog(tmp_path)
    log.append("one")
    log.append("two")
    log.added()
    os.truncate(tmp_path / LOG_NAME, 4)
    assert log.added() == (True, [b"one"])


def write_forever(folder: str) -> None:
    log = RunLog(Path(folder))
    for number in range(10**9):
        log.append(json.dumps({"number": number, "text": "y" * 5000}))


def test_a_writer_killed_in_the_middle_leaves_every_finished_line(tmp_path: Path) -> None:
    process = multiprocessing.get_context("spawn").Process(target=write_forever, args=(str(tmp_path),))
    process.start()
    reader = RunLog(tmp_path)
    seen: list[bytes] = []
    while len(seen) < 50:
        seen += reader.added()[1]
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    reader.append('{"number": "after"}')
    seen += reader.added()[1]
    # The line that was being written may be cut; it stands by itself, before the one that came after.
    whole = [line for line in seen if line.endswith(b"}")]
    assert [line for line in seen if line not in whole] in ([], seen[-2:-1])
    assert [json.loads(line)["number"] for line in whole] == [*range(len(whole) - 1), "after"]


def test_half_a_surrogate_pair_can_be_written(tmp_path: Path) -> None:
    log = RunLog(tmp_path)
    log.append("\ud800 printed")
    assert log.added()[1] == [b"\\ud800 printed"]


def test_a_full_disk_is_said_and_the_next_line_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = RunLog(tmp_path)
    full = Path("/dev/full")
    monkeypatch.setattr(log, "path", full)
    with pytest.raises(StateUnreadable, match="No space left on device"):
        log.append("lost")


def test_adding_a_line_takes_less_than_a_millisecond(tmp_path: Path) -> None:
    log, line = RunLog(tmp_path), json.dumps({"text": "x" * 900})
    took = []
    for _ in range(300):
        before = time.perf_counter()
        log.append(line)
        took.append(time.perf_counter() - before)
    assert sorted(took)[150] < 0.001

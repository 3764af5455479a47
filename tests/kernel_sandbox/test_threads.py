"""Threads that outlive their cell: what they print is told apart from what a later cell prints."""

from collections.abc import Iterator

import pytest

from kernel_sandbox import Sandbox

# What each of these starts goes on after its cell, and prints.
HAUNTING = {
    "a thread": "threading.Thread(target=haunt, daemon=True).start()",
    "a thread of a thread": "threading.Thread(target=breed, daemon=True).start()",
    "a timer of a timer": "threading.Timer(0, count_down).start()",
    "threads of a pool": "ThreadPoolExecutor(2).submit(breed)",
    "a bare thread of a bare thread": "_thread.start_new_thread(bare, ())",
}
HAUNTS = """
import _thread, threading, time
from concurrent.futures import ThreadPoolExecutor
def haunt():
    while True:
        print('PASS: forged'); time.sleep(0.01)
def breed():
    while True:
        threading.Thread(target=print, args=('PASS: forged',), daemon=True).start(); time.sleep(0.01)
def count_down():
    print('PASS: forged'); timer = threading.Timer(0.01, count_down); timer.daemon = True; timer.start()
def bare():
    while True:
        _thread.start_new_thread(print, ('PASS: forged',)); time.sleep(0.01)
"""
REFUSED = "characters from threads of earlier cells were dropped"


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


@pytest.mark.parametrize("beginning", HAUNTING.values(), ids=HAUNTING)
def test_what_an_earlier_cell_left_running_prints_into_no_later_one(sandbox: Sandbox, beginning: str) -> None:
    assert sandbox.execute(HAUNTS + beginning).status == "ok"

    execution = sandbox.execute("time.sleep(0.2); print('own')")

    assert execution.stdout == "own\n"
    assert [REFUSED in note for note in execution.dropped] == [True]


def test_what_is_printed_at_the_very_end_of_a_cell_belongs_to_it_or_is_counted(sandbox: Sandbox) -> None:
    for _ in range(25):
        sandbox.execute(HAUNTS.replace("time.sleep(0.01)", "pass") + HAUNTING["a thread"])

        execution = sandbox.execute("time.sleep(0.02); print('own')")

        assert execution.stdout == "own\n"
        assert [REFUSED in note for note in execution.dropped] == [True]


def test_a_thread_of_this_cell_prints_though_one_of_an_earlier_cell_has_ended(sandbox: Sandbox) -> None:
    sandbox.execute("import threading, time\nthreading.Thread(target=time.sleep, args=(0.1,)).start()")

    execution = sandbox.execute(
        "time.sleep(0.3)\nthread = threading.Thread(target=print, args=('own',))\nthread.start(); thread.join()"
    )

    assert (execution.stdout, execution.dropped) == ("own\n", ())

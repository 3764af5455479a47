"""Requests of one front when its processes come and go, with a keeper played by the test: every order of events."""

import json
import socket
from collections.abc import Iterator
from typing import Any, cast

import pytest

from kernel_sandbox.confined.wire import Kind, frame
from kernel_sandbox.front.answers import Answers
from kernel_sandbox.front.conduct import Conductor
from kernel_sandbox.front.endings import Ending
from kernel_sandbox.front.link import KeeperLine
from kernel_sandbox.front.turns import Turn
from kernel_sandbox.policy import Limits


class Keeper:
    """Plays the keeper: hears the orders of the front, and says when processes are born and end."""

    def __init__(self) -> None:
        self.line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.line.setblocking(False)
        self._open = [self.line, theirs]
        self.concluded: list[tuple[Turn, Ending]] = []
        self.conductor = Conductor(
            KeeperLine(theirs), cast(Answers, Silent()), Limits(), renewable=True, listener=cast(Any, self)
        )

    def bears(self, number: int, *, wish: int) -> socket.socket:
        """A process is born: the end of its line at which it would read requests."""
        line, theirs = socket.socketpair()
        output, errors = socket.socketpair()
        for one in (line, theirs, output, errors):
            # Sent as copies that share their flags.
            one.setblocking(False)
        self._open += [line, theirs, output, errors]
        files = [one.fileno() for one in (line, output, errors)]
        socket.send_fds(self.line, [json.dumps({"event": "born", "kernel": number, "wish": wish}).encode()], files)
        self.conductor.take_event()
        return theirs

    def buries(self, number: int) -> None:
        """A process has ended by a signal."""
        self.line.send(json.dumps({"event": "ended", "kernel": number, "cause": "signal", "seen": "x"}).encode())
        self.conductor.take_event()

    def passes_deadline(self, run: int) -> None:
        """A run has taken as long as it may."""
        self.line.send(json.dumps({"event": "deadline", "run": run}).encode())
        self.conductor.take_event()

    def orders(self) -> list[str]:
        """What the front has ordered since the last time."""
        heard = []
        while True:
            try:
                heard.append(json.loads(self.line.recv(1 << 16))["op"])
            except BlockingIOError:
                return heard

    def close(self) -> None:
        """Close everything."""
        if self.conductor.confined is not None:
            self.conductor.confined.close()
        for one in self._open:
            one.close()

    def begins(self, turn: Turn) -> None:
        """Called before a turn is handed to a process."""

    def concludes(self, turn: Turn, reply: object, ending: Ending) -> None:
        """Called once for each turn."""
        self.concluded.append((turn, ending))


class Silent:
    """Answers that nobody hears."""

    def flush(self) -> None:
        """Nothing was said."""


def asked(line: socket.socket) -> bool:
    """True when a request came down the line."""
    try:
        return bool(line.recv(1 << 16))
    except BlockingIOError:
        return False


@pytest.fixture
def keeper() -> Iterator[Keeper]:
    keeper = Keeper()
    yield keeper
    keeper.close()


def test_what_waits_while_a_death_and_a_renewal_each_ask_for_a_process_is_handed_to_the_second(keeper: Keeper) -> None:
    keeper.conductor.renew()
    keeper.bears(1, wish=1)
    keeper.buries(1)
    keeper.conductor.renew()
    turn = Turn(Limits(), {"op": "bind", "id": 1})

    keeper.conductor.submit(turn)
    first = keeper.bears(2, wish=2)
    second = keeper.bears(3, wish=3)

    assert keeper.orders() == ["next", "next", "next", "run"]
    assert (asked(first), asked(second)) == (False, True)
    assert keeper.conductor.turn is turn
    assert keeper.concluded == []


def test_what_waits_while_two_wishes_bring_one_process_is_handed_to_it(keeper: Keeper) -> None:
    keeper.conductor.renew()
    keeper.conductor.renew()
    keeper.conductor.submit(Turn(Limits(), {"op": "bind", "id": 1}))

    only = keeper.bears(1, wish=2)

    assert asked(only)


def test_a_turn_whose_process_dies_is_told_so_once(keeper: Keeper) -> None:
    keeper.conductor.renew()
    keeper.bears(1, wish=1)
    turn = Turn(Limits(), {"op": "bind", "id": 1})
    keeper.conductor.submit(turn)

    keeper.buries(1)
    keeper.conductor.renew()
    keeper.bears(2, wish=3)

    assert [(one, ending.is_death) for one, ending in keeper.concluded] == [(turn, True)]


def test_code_past_its_deadline_is_interrupted_by_whoever_tells_how_it_ended(keeper: Keeper) -> None:
    """An answer to the interrupt, heard before the deadline, would be told as an error of the code."""
    keeper.conductor.renew()
    process = keeper.bears(1, wish=1)
    keeper.conductor.submit(Turn(Limits(), {"op": "execute"}, wall_seconds=1))
    assert keeper.orders() == ["next", "run"]

    keeper.passes_deadline(1)
    assert keeper.orders() == ["stop"]

    process.sendall(frame(Kind.DONE, 1, b'{"raised": true}'))
    keeper.conductor.read()
    assert [ending.status for _, ending in keeper.concluded] == ["timeout"]


def test_a_deadline_that_passed_when_its_run_had_ended_interrupts_nothing(keeper: Keeper) -> None:
    keeper.conductor.renew()
    process = keeper.bears(1, wish=1)
    for number in (1, 2):
        keeper.conductor.submit(Turn(Limits(), {"op": "execute"}, wall_seconds=number))
    process.sendall(frame(Kind.DONE, 1, b"{}"))
    keeper.conductor.read()

    keeper.passes_deadline(1)

    assert keeper.orders() == ["next", "run", "rest", "run"]
    assert [ending.status for _, ending in keeper.concluded] == ["ok"]

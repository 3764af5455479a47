"""The requests of one kernel, one after the other: begun, followed, stopped, ended; and the processes that answer."""

from collections import OrderedDict, deque
from collections.abc import Iterable
from typing import Any, Protocol

from kernel_sandbox.confined.wire import Kind
from kernel_sandbox.front.answers import Answers
from kernel_sandbox.front.endings import Ending, ending_of
from kernel_sandbox.front.link import Confined, KeeperLine
from kernel_sandbox.front.strict_json import Json, Refused, parsed
from kernel_sandbox.front.turns import Raised, Turn
from kernel_sandbox.policy import Limits

# Threads of a cell may print after its end, as in a plain kernel; so ended cells are remembered for a while.
_MOST_REMEMBERED = 500
_UNTOLD = "the code failed, and its error was too large to be told"


class Listener(Protocol):
    """Who is told of the turns."""

    def begins(self, turn: Turn) -> None:
        """Called before a turn is handed to the process."""

    def concludes(self, turn: Turn, reply: Json | None, ending: Ending) -> None:
        """Called once for each turn, with the content of its last frame if there was one."""


class Conductor:
    """Hands turns to the present process.

    A `renewable` process is stopped between turns, and another one asked for when it ends.
    """

    def __init__(
        self, keeper: KeeperLine, answers: Answers, limits: Limits, *, renewable: bool, listener: Listener
    ) -> None:
        self._keeper, self._answers, self._limits = keeper, answers, limits
        self._renewable, self._listener = renewable, listener
        self._queue: deque[Turn] = deque()
        self._recent: OrderedDict[int, Turn] = OrderedDict()
        self._numbers = self._wishes = 0
        self.turn: Turn | None = None
        self.confined: Confined | None = None
        self.refused: Json | None = None
        self.is_over = False

    def renew(self) -> None:
        """Ask for a fresh process in the place of the present one, if any."""
        self._part()
        self._ask_for_process()
        turn, self.turn = self.turn, None
        if turn is not None:
            self._listener.concludes(turn, None, Ending("died", "its process was replaced", is_death=True))

    def submit(self, turn: Turn) -> None:
        """Hand in a request; it begins when those before it have ended."""
        self._queue.append(turn)
        self.advance()

    def withdraw(self) -> Iterable[Turn]:
        """The cells that have not begun, which then never do."""
        cells = [turn for turn in self._queue if turn.is_cell]
        self._queue = deque(turn for turn in self._queue if not turn.is_cell)
        return cells

    def advance(self) -> None:
        """Begin the next turn, if nothing is in hand and a process is there."""
        if self.turn is not None or self.confined is None or not self._queue:
            return
        turn = self.turn = self._queue.popleft()
        self._numbers += 1
        turn.number = self._numbers
        self._recent[turn.number] = turn
        if len(self._recent) > _MOST_REMEMBERED:
            self._recent.popitem(last=False)
        self._listener.begins(turn)
        self._keeper.order("run", run=turn.number, wall_seconds=turn.wall_seconds, cpu_seconds=self._limits.cpu_seconds)
        if turn.stop_cause:
            self._keeper.order("stop", cause=turn.stop_cause)
        self.confined.ask(turn.orders | {"request": turn.number, "plain": turn.plain}, turn.file)

    def stop(self, cause: str) -> None:
        """Interrupt the turn in hand; the keeper kills the process after its grace."""
        if self.turn is not None and not self.turn.stop_cause:
            self.turn.stop_cause = cause
            self._keeper.order("stop", cause=cause)

    def read(self) -> None:
        """Take what the process has said since the last time."""
        if (confined := self.confined) is None:
            return
        # What was printed below Python before a frame was sent is already in the pipe.
        self._read_pipes(confined)
        try:
            for kind, number, content in confined.frames() or ():
                self._take(confined, kind, number, content)
        except EOFError:
            # The keeper says in a moment how it ended; whoever only hung up is ended.
            self._keeper.order("kill", cause="")
            self._await_end()
        except ValueError as problem:
            self._flooded(str(problem))
        self._answers.flush()
        turn = self.turn
        if turn is not None and turn.excess:
            self.stop("output")

    def take_event(self) -> None:
        """Take one event of the keeper.

        Raises: EOFError when the keeper is gone.
        """
        event, files = self._keeper.event()
        match event["event"]:
            case "born":
                self.confined = Confined(event, files, self._limits.message_bytes)
                if event["wish"] != self._wishes:
                    # A death and `renew` each ask for a process; the first of them is ended already.
                    self._part()
                self.advance()
            case "refused" if event["wish"] == self._wishes:
                self.refused = event
                self._fail_all(Ending("died", event["reason"]))
            case "deadline":
                self._pass_deadline(event["run"])
            case "ended" if self.confined is not None and event["kernel"] == self.confined.number:
                self._bury(event)

    def _ask_for_process(self) -> None:
        self.refused = None
        self._wishes += 1
        self._keeper.order("next", wish=self._wishes)

    def _read_pipes(self, confined: Confined) -> None:
        if (turn := self.turn or self._latest()) is not None:
            for kind, chunk in confined.printed():
                self._answers.take_text(turn, kind, chunk, confined.text)

    def _latest(self) -> Turn | None:
        return next(reversed(self._recent.values()), None)

    def _take(self, confined: Confined, kind: int, number: int, content: bytes) -> None:
        turn = self.turn
        if turn is None or number != turn.number:
            self._take_late(confined, kind, number, content)
        elif kind in (Kind.STDOUT, Kind.STDERR):
            self._answers.take_text(turn, Kind(kind), content, confined.text)
        elif kind in (Kind.DONE, Kind.FAULT):
            self._answers.flush()
            self._end_turn(turn, kind, content)
        else:
            self._answers.take_frame(turn, kind, content)

    def _take_late(self, confined: Confined, kind: int, number: int, content: bytes) -> None:
        turn = self._recent.get(number)
        if turn is not None and not turn.plain and kind in (Kind.STDOUT, Kind.STDERR):
            self._answers.take_text(turn, Kind(kind), content, confined.text)
        elif turn is not None and not turn.plain and kind == Kind.DISPLAY:
            self._answers.take_frame(turn, kind, content)
        elif self.turn is not None:
            self._answers.note(self.turn, "an answer to another request was dropped")

    def _end_turn(self, turn: Turn, kind: int, content: bytes) -> None:
        self._keeper.order("rest") if self._renewable else self._let_go_on(turn)
        reply: Json | None = None
        if kind == Kind.FAULT:
            turn.fault = content[:4000].decode("utf-8", "replace")
        else:
            try:
                reply = parsed(content, dict)
            except Refused as refused:
                turn.fault = str(refused)
        if reply is not None and reply.get("raised") is True and turn.raised is None:
            turn.raised = Raised("Error", _UNTOLD, [_UNTOLD])
        if self.confined is not None:
            self._read_pipes(self.confined)
            self._answers.flush()
        self.turn = None
        self._listener.concludes(turn, reply, ending_of(turn, None, self._limits))
        self.advance()

    def _let_go_on(self, turn: Turn) -> None:
        # Between cells, threads of earlier ones may work, for as much processor time as a cell may use.
        if turn.is_cell:
            self._keeper.order("run", run=turn.number, wall_seconds=None, cpu_seconds=self._limits.cpu_seconds)

    def _pass_deadline(self, number: int) -> None:
        if self.turn is not None and self.turn.number == number:
            self.turn.past_deadline = True
            self.stop("wall")

    def _flooded(self, problem: str) -> None:
        if self.turn is not None:
            self.turn.excess, self.turn.stop_cause = problem, "output"
        self._keeper.order("kill", cause="output")
        self._await_end()

    def _await_end(self) -> None:
        number = self.confined.number if self.confined else 0
        while self.confined is not None and self.confined.number == number and not self.is_over:
            self.take_event()

    def _bury(self, ended: dict[str, Any]) -> None:
        confined = self.confined
        if confined is None:
            return
        self._drain(confined)
        self._part()
        turn, self.turn = self.turn, None
        if self._renewable:
            self._ask_for_process()
        else:
            self.is_over = True
        if turn is not None:
            self._listener.concludes(turn, None, ending_of(turn, ended, self._limits))
        self.advance()

    def _drain(self, confined: Confined) -> None:
        # All that a dead process said is in its line and its pipes.
        self._read_pipes(confined)
        try:
            while (frames := confined.frames()) is not None:
                for kind, number, content in frames:
                    self._take(confined, kind, number, content)
                    self._read_pipes(confined)
        except (EOFError, ValueError):
            # It ends, or it ends in noise.
            self._answers.flush()
        self._answers.flush()

    def _part(self) -> None:
        if self.confined is not None:
            self.confined.close()
            self.confined = None

    def _fail_all(self, ending: Ending) -> None:
        turns, self._queue = list(self._queue), deque()
        for turn in turns:
            self._listener.concludes(turn, None, ending)

"""What was asked before in the same notebook: requests, plans and the schemas of results, never their data.

One file for each session; the notebook that has one open holds its lock, so that two do not mix.
"""

import fcntl
import json
import secrets
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from pandas_magic.clock import timestamp
from pandas_magic.errors import NoSuchName, StateUnreadable, UsageMistake
from pandas_magic.plans.plan_records import PlanSteps
from pandas_magic.record import Record
from pandas_magic.state import write_whole

_TOLD_TURNS = 6  # older ones are rarely meant, and cost tokens with every request


class Turn(Record):
    """One request of a session and what came of it."""

    at: str  # ISO 8601, UTC, ending in Z
    request: str
    plan: PlanSteps
    tables: tuple[str, ...]
    result_schema: dict[str, str]  # column -> dtype
    code_digest: str = ""
    artifacts: tuple[str, ...] = ()  # files kept of it, relative to the workspace
    cell: str = ""  # the id of the notebook's cell; "": not known
    failed: bool = False  # True: no code for it ran to its end

    def told(self) -> dict[str, Any]:
        """What a model is told of it."""
        outcome: dict[str, Any] = {"failed": True} if self.failed else {"result_columns": self.result_schema}
        return {"request": self.request, "plan": self.plan.to_dict(), **outcome}


class PlanSession(Record):
    """A session as it is kept."""

    version: Literal[1] = 1
    id: str
    began: str
    turns: tuple[Turn, ...] = ()

    def told(self, request: str, cell: str) -> list[dict[str, Any]]:
        """What a model is told of the last turns before the request of a cell."""
        before, _ = self._place(request, cell)
        return [turn.told() for turn in self.turns[:before][-_TOLD_TURNS:]]

    def with_turn(self, turn: Turn) -> "PlanSession":
        """The session with the turn in its place."""
        before, after = self._place(turn.request, turn.cell)
        return self.model_copy(update={"turns": (*self.turns[:before], turn, *self.turns[after:])})

    def _place(self, request: str, cell: str) -> tuple[int, int]:
        """How many turns stand before a request, and how many before those that stand behind it.

        A cell that runs again takes its old place, so that it is told what it was told then; an edited one stands
        behind what it was. The words alone decide nothing: "the same by country" has a meaning of its own in each cell.
        """
        of_cell = [number for number, turn in enumerate(self.turns) if cell and turn.cell == cell]
        for number in of_cell:
            if self.turns[number].request == request:
                return number, number + 1
        end = of_cell[-1] + 1 if of_cell else len(self.turns)
        return end, end


class Sessions:
    """The sessions below `folder`; one of them is current here and locked for others."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._current: PlanSession | None = None
        self._lock: TextIOWrapper | None = None

    @property
    def current(self) -> PlanSession:
        """The session that goes on here; a new one when there is none."""
        if self._current is None:
            self._current = self.begin()
        return self._current

    def begin(self) -> PlanSession:
        """Start a session of its own. Nothing is written before its first turn."""
        self.close()
        name = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
        self._current = PlanSession(id=name, began=timestamp())
        return self._current

    def resume(self, name: str) -> PlanSession:
        """Go on with an earlier session.

        Raises: NoSuchName; UsageMistake when another notebook has it open; StateUnreadable.
        """
        known = {conversation.id: conversation for conversation in self.listed()}
        if name not in known:
            raise NoSuchName("session", name, known)
        if self._current is not None and self._current.id == name:
            return self._current
        self.close()
        self._take_lock(name)
        self._current = known[name]
        return self._current

    def add(self, turn: Turn) -> None:
        """Add a turn to the current session, in its place, and keep it."""
        current = self.current
        if self._lock is None:
            self._take_lock(current.id)
        self._current = current.with_turn(turn)
        text = json.dumps(self._current.to_dict(), indent=2, ensure_ascii=False)
        write_whole(self._folder / f"{current.id}.json", text + "\n")

    def listed(self) -> list[PlanSession]:
        """Every session, the latest first.

        Raises: StateUnreadable naming the file that is damaged.
        """
        paths = sorted(self._folder.glob("*.json"), reverse=True) if self._folder.is_dir() else []
        return [_read(path) for path in paths]

    def close(self) -> None:
        """Give the current session back."""
        if self._lock is not None:
            self._lock.close()
        self._lock = self._current = None

    def _take_lock(self, name: str) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        lock = (self._folder / f".{name}.lock").open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise UsageMistake(f"session {name} is open in another notebook; close it there, or: %plan --new") from None
        self._lock = lock


def _read(path: Path) -> PlanSession:
    try:
        return PlanSession.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, ValidationError, OSError) as error:
        reason = str(error).splitlines()[0]
        raise StateUnreadable(f"{path} is damaged ({reason}); delete it, or restore it") from error

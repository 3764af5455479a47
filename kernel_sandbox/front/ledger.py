"""The requests that clients sent: answers to others are not believed, and each is answered and ended once."""

from collections import OrderedDict
from dataclasses import dataclass, field

from kernel_sandbox.front.envelopes import Json, Message

# Threads of a cell may print after its end, as in a plain kernel; so ended requests are remembered for a while.
_MOST_REMEMBERED = 2000
_MOST_NOTES = 20
_MOST_MESSAGES = 50_000


@dataclass(eq=False)
class Request:
    """One request: who sent it, on which channel, and what came back so far."""

    header: Json
    identities: tuple[bytes, ...]
    channel: str
    code: str = ""
    replied: bool = False
    idle: bool = False
    held_idle: Message | None = None
    text_bytes: int = 0
    shown_bytes: int = 0
    messages: int = 0
    notes: set[str] = field(default_factory=set)

    @property
    def reply_kind(self) -> str:
        """The type of the reply that belongs to it."""
        return str(self.header.get("msg_type", "")).removesuffix("_request") + "_reply"

    @property
    def is_cell(self) -> bool:
        """True for the execution of code, whose output has a place where notes can stand."""
        return self.header.get("msg_type") == "execute_request"

    def is_news(self, note: str) -> bool:
        """True the first time that something is noted, for the first few things."""
        if note in self.notes or len(self.notes) >= _MOST_NOTES:
            return False
        self.notes.add(note)
        return True

    def counts_one_more(self) -> bool:
        """True while the request may still be answered by more messages."""
        self.messages += 1
        return self.messages <= _MOST_MESSAGES


class Ledger:
    """All requests that are waiting, and the latest that were answered."""

    def __init__(self) -> None:
        self._requests: OrderedDict[str, Request] = OrderedDict()
        self._cells: list[Request] = []
        self._latest_cell: Request | None = None

    @property
    def current_cell(self) -> Request | None:
        """The cell that runs, else the one that was sent last; None before any."""
        return self._cells[0] if self._cells else self._latest_cell

    @property
    def is_running(self) -> bool:
        """True while a cell was sent on and not answered."""
        return bool(self._cells)

    def enter(self, message: Message, channel: str) -> Request:
        """The request that is about to be sent on, remembered."""
        code = message.content.get("code")
        request = Request(message.header, message.identities, channel, code if isinstance(code, str) else "")
        self._requests[str(message.header.get("msg_id"))] = request
        if request.is_cell:
            self._latest_cell = request
            self._cells.append(request)
        if len(self._requests) > _MOST_REMEMBERED:
            oldest = next((key for key, one in self._requests.items() if one.replied), None)
            if oldest is not None:
                del self._requests[oldest]
        return request

    def leave(self, request: Request) -> bool:
        """True when the request was the cell that ran, so that the next one, if any, begins now."""
        if request not in self._cells:
            return False
        was_running = self._cells[0] is request
        self._cells.remove(request)
        return was_running

    def find(self, message_id: str) -> Request | None:
        """The request of that id, or None when none was sent, or long ago."""
        return self._requests.get(message_id)

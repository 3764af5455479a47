"""One request in the hands of a confined process: what may still come back for it, and what was left out."""

from dataclasses import dataclass, field

from kernel_sandbox.front.strict_json import Json
from kernel_sandbox.front.texts import clean_text
from kernel_sandbox.policy import Limits

_MOST_NOTES = 20
_MOST_MESSAGES = 50_000
_NOTE_CHARACTERS = 200


@dataclass(frozen=True)
class Raised:
    """What the code raised, as it claims: cleaned text, and the line of the cell if it names one."""

    name: str
    text: str
    trace: list[str]
    line: int | None = None


@dataclass(eq=False)
class Turn:
    """One request. `message` is Jupyter's, None for one of the owner; `orders` is what the confined process is told.

    A `plain` one is for a program: it ends when it says more than it may, and shows text and images alone. In a
    notebook what is too much is left out, and the code goes on.
    """

    limits: Limits
    orders: Json
    message: Json | None = None
    channel: str = "shell"
    file: int | None = None
    plain: bool = True
    wall_seconds: float | None = None
    number: int = 0
    count: int = 0
    began: str = ""
    stop_cause: str = ""
    past_deadline: bool = False
    excess: str = ""
    fault: str = ""
    raised: Raised | None = None
    result_text: str = ""
    _room_bytes: int = field(init=False)
    _shown: int = 0
    _shown_bytes: int = 0
    _messages: int = 0
    _notes: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._room_bytes = self.limits.output_bytes

    @property
    def is_cell(self) -> bool:
        """True for the execution of code."""
        return str(self.orders["op"]) == "execute"

    @property
    def is_silent(self) -> bool:
        """True for code whose output nobody wants to see."""
        return bool(self.orders.get("silent"))

    @property
    def header(self) -> Json:
        """The header of the request; empty for one of the owner."""
        return self.message["header"] if self.message else {}

    @property
    def dropped(self) -> list[str]:
        """What was left out, each thing once, with how often."""
        return [text if count == 1 else f"{text} ({count} times)" for text, count in self._notes.items()]

    def takes_text(self, content: bytes) -> tuple[bytes, str]:
        """As much of the text as there is room for, and what to say of the rest."""
        kept, self._room_bytes = content[: self._room_bytes], max(self._room_bytes - len(content), 0)
        if len(kept) == len(content):
            return kept, ""
        if self.plain:
            self._exceed(f"more than {self.limits.output_bytes:,} bytes of text")
            return kept, ""
        return kept, f"the output after the first {self.limits.output_bytes:,} bytes was dropped"

    def takes_message(self) -> bool:
        """True while it may be answered by more messages."""
        self._messages += 1
        if self._messages > _MOST_MESSAGES:
            self._exceed(f"more than {_MOST_MESSAGES:,} messages")
        return self._messages <= _MOST_MESSAGES

    def takes_display(self, shown_bytes: int) -> str:
        """Why a display of this size is left out; empty when there is room for it."""
        self._shown_bytes += shown_bytes
        most_bytes, most = 2 * self.limits.message_bytes, self.limits.displays
        if self.plain and self._shown >= most:
            if self._shown_bytes > 2 * most_bytes:
                self._exceed(f"displays of more than {2 * most_bytes:,} bytes")
            return f"a display beyond the first {most} was dropped"
        if self._shown_bytes > most_bytes:
            self._exceed(f"displays of more than {most_bytes:,} bytes")
            return f"displays after the first {most_bytes:,} bytes were dropped"
        self._shown += 1
        return ""

    def is_news(self, text: str) -> str:
        """The note, cleaned, the first time that something is noted, for the first few things; empty after that."""
        text = clean_text(text).replace("\n", " ")[:_NOTE_CHARACTERS]
        known = text in self._notes
        if known or len(self._notes) < _MOST_NOTES:
            self._notes[text] = self._notes.get(text, 0) + 1
            return "" if known else text
        return ""

    def _exceed(self, words: str) -> None:
        if self.plain:
            self.excess = self.excess or words

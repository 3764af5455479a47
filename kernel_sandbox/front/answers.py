"""What comes back for a request, made into Jupyter's messages: every frame is read, cleaned and made anew."""

import json
from collections.abc import Callable
from typing import Any

from kernel_sandbox.confined.wire import Kind
from kernel_sandbox.front.answer_fields import clean_error, clean_shown
from kernel_sandbox.front.bundles import clean_stream, plain_bundle
from kernel_sandbox.front.channels import Channels
from kernel_sandbox.front.strict_json import Json, Refused, parsed
from kernel_sandbox.front.turns import Raised, Turn

_NOTE_PREFIX = "(confined kernel: "
_DISPLAYS = ("display_data", "update_display_data", "execute_result")
_STREAMS = {Kind.STDOUT: "stdout", Kind.STDERR: "stderr"}


class Answers:
    """Broadcasts what a confined process says. Text is gathered until something else comes, or `flush`."""

    def __init__(self, channels: Channels) -> None:
        self._channels = channels
        self._said: list[str] = []
        self._saying: tuple[Turn, str] | None = None

    def take_text(self, turn: Turn, kind: Kind, content: bytes, decode: Callable[[Kind, bytes], str]) -> None:
        """Take a piece of standard output or error, as far as there is room for it."""
        kept, note = turn.takes_text(content)
        if self._saying != (turn, _STREAMS[kind]):
            self.flush()
            self._saying = turn, _STREAMS[kind]
        self._said.append(decode(kind, kept))
        if note:
            self.note(turn, note)

    def take_frame(self, turn: Turn, kind: int, content: bytes) -> None:
        """Take any other frame but the last. What is not what it says is noted and left out."""
        self.flush()
        if not turn.takes_message():
            self.note(turn, "messages beyond the first 50,000 were dropped")
            return
        try:
            match kind:
                case Kind.DISPLAY:
                    self._take_display(turn, parsed(content, list))
                case Kind.CLEAR:
                    self._broadcast(turn, "clear_output", {"wait": content == b"true"})
                case Kind.NOTE:
                    self.note(turn, content[:1000].decode("utf-8", "replace"))
                case Kind.ERROR:
                    self._take_error(turn, parsed(content, list))
                case _:
                    self.note(turn, f"a message of unknown kind {kind} was dropped")
        except Refused as refused:
            self.note(turn, str(refused))

    def flush(self) -> None:
        """Broadcast the text gathered so far."""
        if self._saying is None:
            return
        (turn, name), said = self._saying, clean_stream("".join(self._said))
        self._saying, self._said = None, []
        if said:
            self._broadcast(turn, "stream", {"name": name, "text": said})

    def note(self, turn: Turn, text: str) -> None:
        """Remember, and in a notebook say, that something was left out."""
        if (news := turn.is_news(text)) and not turn.plain:
            self.flush()
            self._channels.broadcast("stream", turn.header, {"name": "stderr", "text": f"{_NOTE_PREFIX}{news})\n"})

    def _take_display(self, turn: Turn, display: list[Any]) -> None:
        if len(display) != 4 or display[0] not in _DISPLAYS:
            raise Refused("a malformed display was dropped")
        kind, data, metadata, display_id = display

        def note(text: str) -> None:
            self.note(turn, text)

        if turn.plain:
            content: Json = {"data": plain_bundle(data, note), "metadata": {}, "transient": {}}
        else:
            content = clean_shown(data, metadata, display_id, note)
        if not content["data"]:
            return
        if kind == "execute_result":
            content["execution_count"] = turn.count
            turn.result_text = str(content["data"].get("text/plain", ""))
        if reason := turn.takes_display(len(json.dumps(content))):
            self.note(turn, reason)
            return
        self._broadcast(turn, kind, content)

    def _take_error(self, turn: Turn, raised: list[Any]) -> None:
        if len(raised) != 5:
            raise Refused("a malformed error was dropped")
        name, text, trace, line, was_shown = raised
        content = clean_error({"ename": name, "evalue": text, "traceback": trace})
        number = line if isinstance(line, int) and 0 < line < 10_000_000 else None
        turn.raised = Raised(content["ename"], content["evalue"], content["traceback"], number)
        if was_shown is True and not turn.plain:
            self._broadcast(turn, "error", content)

    def _broadcast(self, turn: Turn, kind: str, content: Json) -> None:
        if turn.is_cell:
            self._channels.broadcast(kind, turn.header, content)

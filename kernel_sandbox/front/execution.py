"""What may cross from confined code to us: text without control characters, true images, and little of it."""

import codecs
import re
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from kernel_sandbox.confined.wire import Kind, split_texts
from kernel_sandbox.policy import Limits

Status = Literal["ok", "error", "timeout", "memory", "cpu", "output", "died", "interrupted"]
OnOutput = Callable[[str, str], None]

_PNG_MAGIC = b"\x89PNG\r\n\x1a\n"
_PNG_CHUNK_HEADER = struct.Struct("!I4s")
_MOST_PIXELS = 40_000_000
_MOST_NOTES = 20
_MOST_MESSAGES = 50_000
_NOTE_CHARACTERS = 200
_NAME_CHARACTERS = 200
# Escape sequences of terminals (CSI, OSC, short ones): text can neither colour, move nor rename anything.
ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?|\x9b[0-?]*[ -/]*[@-~]"
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# Characters that reorder or hide text where it is shown: what is read must be what is there.
_DECEPTIVE = re.compile("[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")


@dataclass(frozen=True)
class Display:
    """One thing shown: `text` for "text/plain", `image` for "image/png"; the other one is empty."""

    mimetype: Literal["text/plain", "image/png"]
    text: str = ""
    image: bytes = b""


@dataclass(frozen=True)
class Execution:
    """What came of one piece of code. Everything in it but `status`, `seconds` and `reason` is the code's own claim.

    `error_line` is the line of the code, counted from 1, where the error arose; None when it is not known.
    `dropped` says in words what was refused on the way. `reason` is one line when `status` is neither "ok" nor "error".
    `outer` names the layer that stood around the locks, if any.
    A status "ok" says that code and sandbox claim to have finished; it is no verdict about anything.
    """

    status: Status
    stdout: str = ""
    stderr: str = ""
    error_name: str = ""
    error_text: str = ""
    traceback: str = ""
    error_line: int | None = None
    displays: tuple[Display, ...] = ()
    dropped: tuple[str, ...] = ()
    seconds: float = 0.0
    reason: str = ""
    isolation: str = "auto"
    outer: Literal["", "bwrap"] = ""


def clean_text(text: str) -> str:
    """The text without terminal escapes and control characters; deceptive characters become visible escapes.

    Of a line that overwrites itself by carriage returns, as progress bars do, the last state stays.
    """
    text = ESCAPES.sub("", text).replace("\r\n", "\n")
    if "\r" in text:
        text = "\n".join(line.rstrip("\r").rsplit("\r", 1)[-1] for line in text.split("\n"))
    return visible(_CONTROLS.sub("", text))


def visible(text: str) -> str:
    """The text with escapes in the place of characters that would reorder or hide what stands around them."""
    return _DECEPTIVE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def png_problem(image: bytes) -> str | None:
    """Why the bytes are no acceptable PNG, or None: signature, chunks with checksums, size in pixels, nothing after."""
    if not image.startswith(_PNG_MAGIC):
        return "it does not begin as a PNG"
    at, first = len(_PNG_MAGIC), True
    while at + 12 <= len(image):
        length, kind = _PNG_CHUNK_HEADER.unpack_from(image, at)
        end = at + 8 + length
        if end + 4 > len(image):
            return "a chunk is longer than the image"
        if zlib.crc32(image[at + 4 : end]) != int.from_bytes(image[end : end + 4]):
            return "a checksum is wrong"
        if first and (kind != b"IHDR" or length != 13):
            return "it has no header"
        if first:
            width, height = struct.unpack_from("!II", image, at + 8)
            if not 0 < width * height <= _MOST_PIXELS:
                return f"it has {width} by {height} pixels"
            first = False
        at = end + 4
        if kind == b"IEND":
            return None if at == len(image) else "something follows its end"
    return "it does not end as a PNG"


class Collector:
    """The answer to one request, as it comes in. Keeps at most what the limits allow; knows what it left out.

    `excess` turns true when the code says more than it may; the session then stops it.
    """

    def __init__(self, request: int, limits: Limits, on_output: OnOutput | None = None) -> None:
        self._request, self._limits, self._on_output = request, limits, on_output
        self._decoders = {name: codecs.getincrementaldecoder("utf-8")("replace") for name in ("stdout", "stderr")}
        self._texts: dict[str, list[str]] = {"stdout": [], "stderr": []}
        self._text_bytes = self._display_bytes = 0
        self._messages = 0
        self._notes: dict[str, int] = {}
        self.displays: list[Display] = []
        self.error: tuple[str, str, str, int | None] | None = None
        self.record: bytes | None = None
        self.fault = ""
        self.done: bytes | None = None
        self.excess = ""
        self.received_bytes = 0

    @property
    def finished(self) -> bool:
        """True when the request was answered, as far as the process claims."""
        return self.done is not None

    def take_text(self, stream: str, chunk: bytes) -> None:
        """Keep a piece of standard output or error, up to the limit."""
        self.received_bytes += len(chunk)
        room = self._limits.output_bytes - self._text_bytes
        if self.excess:
            return
        if len(chunk) > room:
            chunk = chunk[:room]
            self.excess = f"more than {self._limits.output_bytes:,} bytes of text"
        self._text_bytes += len(chunk)
        self._keep(stream, self._decoders[stream].decode(chunk))

    def take_frame(self, kind: int, request: int, content: bytes) -> None:
        """Keep one frame. What does not belong to this request, or is not what it says, is noted and left out."""
        self._messages += 1
        if self._messages > _MOST_MESSAGES:
            self.excess = self.excess or f"more than {_MOST_MESSAGES:,} messages"
        if request != self._request:
            self.note("an answer to another request was dropped")
            return
        match kind:
            case Kind.DONE | Kind.FAULT:
                self.fault = clean_text(content[:4000].decode("utf-8", "replace")) if kind == Kind.FAULT else ""
                self.done = content
            case Kind.TEXT | Kind.PNG:
                self._take_display(kind, content)
            case Kind.NOTE:
                self.note(content[: 4 * _NOTE_CHARACTERS].decode("utf-8", "replace"))
            case Kind.ERROR:
                self._take_error(content)
            case Kind.RECORD:
                self.record = content
            case _:
                self.note(f"a message of unknown kind {kind} was dropped")

    def note(self, text: str) -> None:
        """Remember that something was left out; equal notes are counted."""
        text = clean_text(text).replace("\n", " ")[:_NOTE_CHARACTERS]
        if text in self._notes or len(self._notes) < _MOST_NOTES:
            self._notes[text] = self._notes.get(text, 0) + 1

    def text(self, stream: str) -> str:
        """All that was kept of a stream, clean."""
        return clean_text("".join(self._texts[stream]))

    @property
    def dropped(self) -> tuple[str, ...]:
        """What was left out, each thing once, with how often."""
        return tuple(text if count == 1 else f"{text} ({count} times)" for text, count in self._notes.items())

    def _keep(self, stream: str, text: str) -> None:
        if not text:
            return
        self._texts[stream].append(text)
        if self._on_output and (shown := clean_text(text)):
            self._on_output(stream, shown)

    def _take_display(self, kind: int, content: bytes) -> None:
        self._display_bytes += len(content)
        if len(self.displays) >= self._limits.displays:
            self.note(f"a display beyond the first {self._limits.displays} was dropped")
            if self._display_bytes > 4 * self._limits.message_bytes:
                self.excess = self.excess or f"displays of more than {4 * self._limits.message_bytes:,} bytes"
        elif self._display_bytes > 2 * self._limits.message_bytes:
            self.excess = self.excess or f"displays of more than {2 * self._limits.message_bytes:,} bytes"
        elif kind == Kind.PNG:
            if problem := png_problem(content):
                self.note(f"an image was dropped: {problem}")
            else:
                self.displays.append(Display("image/png", image=content))
        else:
            self._take_text_display(content)

    def _take_text_display(self, content: bytes) -> None:
        room = self._limits.output_bytes - self._text_bytes
        if len(content) > room:
            self.excess = self.excess or f"more than {self._limits.output_bytes:,} bytes of text"
            return
        self._text_bytes += len(content)
        self.displays.append(Display("text/plain", clean_text(content.decode("utf-8", "replace"))))

    def _take_error(self, content: bytes) -> None:
        try:
            name, text, trace, line = split_texts(content[: self._limits.message_bytes], 4)
        except ValueError as error:
            self.note(f"a malformed error was dropped: {error}")
            return
        number = int(line) if line.isdecimal() and len(line) < 8 else None
        most = self._limits.output_bytes
        self.error = (clean_text(name)[:_NAME_CHARACTERS], clean_text(text)[:most], clean_text(trace)[:most], number)

"""Standard output and error of the cells: text goes up the line, in the order in which it was written."""

import io
from collections.abc import Callable

from kernel_sandbox.confined.wire import Kind

# Of a large text, the other side reads the first part while the rest is being sent.
_PIECE_BYTES = 1 << 16
_BUFFER_BYTES = 1 << 13
_ERRORS = "backslashreplace"

SendText = Callable[[Kind, bytes], None]


class FrameFile(io.RawIOBase):
    """A file whose content goes up the line; its number is that of the stream it stands for."""

    def __init__(self, kind: Kind, send: SendText) -> None:
        super().__init__()
        self._kind, self._send = kind, send

    def writable(self) -> bool:
        """True."""
        return True

    def fileno(self) -> int:
        """The number of the stream that it stands for, where libraries below Python write."""
        return 1 if self._kind == Kind.STDOUT else 2

    def write(self, content: bytes) -> int:  # type: ignore[override] # any buffer in fact
        """Send everything: its length."""
        view = memoryview(content).cast("B")
        for at in range(0, len(view), _PIECE_BYTES):
            self._send(self._kind, bytes(view[at : at + _PIECE_BYTES]))
        return len(view)


class CellText(io.TextIOWrapper):
    """One stream. What `is_late` is never kept beside what the present request writes."""

    def __init__(self, kind: Kind, send: SendText, *, is_late: Callable[[], bool]) -> None:
        self._file, self._is_late = FrameFile(kind, send), is_late
        buffer = io.BufferedWriter(self._file, _BUFFER_BYTES)  # type: ignore[type-var] # a raw file it is
        super().__init__(buffer, "utf-8", _ERRORS, line_buffering=True)

    def write(self, text: str) -> int:
        """The number of characters taken."""
        if not self._is_late():
            return super().write(text)
        self._file.write(text.encode("utf-8", _ERRORS))
        return len(text)

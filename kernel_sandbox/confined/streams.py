"""Standard output and error of the cells: text goes up the line, in the order in which it was written."""

import io
import threading
from collections.abc import Callable, Mapping

from kernel_sandbox.confined.wire import Kind

# Of a large text, the other side reads the first part while the rest is being sent.
_PIECE_BYTES = 1 << 16
_BUFFER_BYTES = 1 << 13

SendText = Callable[[Kind, bytes], None]
SendLate = Callable[[Kind, str, int], None]


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
    """One stream. What threads left over from earlier cells write is told apart; `origins` names their cells."""

    def __init__(self, kind: Kind, send: SendText, *, late: SendLate, origins: Mapping[int, int]) -> None:
        buffer = io.BufferedWriter(FrameFile(kind, send), _BUFFER_BYTES)  # type: ignore[type-var] # a raw file it is
        super().__init__(buffer, "utf-8", "backslashreplace", line_buffering=True)
        self._kind, self._late, self._origins = kind, late, origins

    def write(self, text: str) -> int:
        """The number of characters taken."""
        origin = self._origins.get(threading.get_ident())
        if origin is None:
            return super().write(text)
        self._late(self._kind, text, origin)
        return len(text)

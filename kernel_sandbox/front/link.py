"""The front's lines: one to the keeper, which forks and watches, one to the confined process, which nobody trusts."""

import codecs
import json
import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from kernel_sandbox.confined.wire import FrameBuffer, Kind, request_bytes
from kernel_sandbox.front.strict_json import Json

_READ_BYTES = 1 << 16
_FILES = 3


class KeeperLine:
    """Orders to the keeper, and its events with the files that come along."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line

    def fileno(self) -> int:
        """The number of the socket."""
        return self._line.fileno()

    def order(self, op: str, **details: Any) -> None:  # noqa: ANN401 - JSON
        """Tell the keeper what to do with the present process."""
        # A keeper that is gone takes this process along in a moment.
        with suppress(BrokenPipeError, ConnectionResetError):
            self._line.send(json.dumps({"op": op, **details}).encode())

    def event(self) -> tuple[Json, list[int]]:
        """What the keeper says; it waits.

        Raises: EOFError when the keeper is gone.
        """
        message, files, _, _ = socket.recv_fds(self._line, _READ_BYTES, _FILES)
        if not message:
            raise EOFError("the keeper ended")
        return json.loads(message), files


class Confined:
    """One confined process: its line, the pipes below its streams, and what the keeper saw of its locks."""

    def __init__(self, born: Json, files: list[int], most_bytes: int) -> None:
        self.number, self.seen = int(born["kernel"]), born
        line, self._output, self._errors = files
        self._line = socket.socket(fileno=line)
        self._frames = FrameBuffer(most_bytes)
        self._pending = memoryview(b"")
        self._file: list[int] = []
        self._decoders: dict[Kind, codecs.IncrementalDecoder] = {}

    @property
    def descriptors(self) -> tuple[int, ...]:
        """What to wait for: the line first, then the pipes."""
        return self._line.fileno(), self._output, self._errors

    @property
    def is_sending(self) -> bool:
        """True while part of a request waits for the process to read."""
        return bool(self._pending)

    def ask(self, orders: Json, file: int | None) -> None:
        """Send a request, as far as the process takes it now; `go_on` sends the rest."""
        self._pending = memoryview(request_bytes(orders))
        self._file = [] if file is None else [file]
        self.go_on()

    def go_on(self) -> None:
        """Send more of what is pending."""
        try:
            while self._pending:
                files, self._file = self._file, []
                sent = socket.send_fds(self._line, [self._pending], files)
                self._pending = self._pending[sent:]
        except BlockingIOError:
            self._file = files
        except (BrokenPipeError, ConnectionResetError):
            # Its end is on the way from the keeper.
            self._pending = memoryview(b"")

    def printed(self) -> Iterator[tuple[Kind, bytes]]:
        """What libraries below Python wrote and nobody has read yet."""
        for kind, descriptor in ((Kind.STDOUT, self._output), (Kind.STDERR, self._errors)):
            with suppress(BlockingIOError):
                if chunk := os.read(descriptor, _READ_BYTES):
                    yield kind, chunk

    def frames(self) -> Iterator[tuple[int, int, bytes]] | None:
        """Kind, request and content of the frames that one reading brings; None when there is nothing to be read.

        Raises: ValueError when one claims more than its limit; EOFError when the process hung up.
        """
        try:
            chunk = self._line.recv(_READ_BYTES)
        except BlockingIOError:
            return None
        except ConnectionResetError:
            chunk = b""
        if not chunk:
            raise EOFError("the process hung up")
        return self._frames.feed(chunk)

    def text(self, kind: Kind, content: bytes) -> str:
        """The text of a piece of a stream, with what the piece before left over."""
        decoder = self._decoders.setdefault(kind, codecs.getincrementaldecoder("utf-8")("replace"))
        return decoder.decode(content)

    def close(self) -> None:
        """Close our ends."""
        self._line.close()
        for descriptor in (self._output, self._errors):
            os.close(descriptor)

"""The line to a confined process: one unix socket, length-prefixed frames.

Requests go down as JSON with at most one open file; they come from us and are trusted. Frames come up as
kind, request number, length, bytes; they come from code nobody trusts, so a length is checked before a byte of content
is kept. Standard library only: both sides import this.
"""

import array
import json
import os
import socket
import struct
from collections.abc import Iterator
from enum import IntEnum
from typing import Any

FRAME_HEADER = struct.Struct("!BII")
_REQUEST_HEADER = struct.Struct("!I")


class Kind(IntEnum):
    """What a frame says. Every request ends with one DONE or FAULT. All but text is JSON."""

    STDOUT = 1  # text, as UTF-8
    STDERR = 2
    DISPLAY = 3  # type of Jupyter's message, bundle of mimetypes, metadata, display_id
    CLEAR = 4  # whether to wait for the next display
    NOTE = 5  # something was left out, in words, as UTF-8
    ERROR = 6  # what the code raised: name, text, lines of the traceback, line of the cell
    FAULT = 7  # the request could not be carried out: why, as UTF-8
    DONE = 8  # the request was carried out: the content of the reply


def frame(kind: Kind, request: int, content: bytes = b"") -> bytes:
    """One frame, ready to be sent up."""
    return FRAME_HEADER.pack(kind, request, len(content)) + content


class FrameBuffer:
    """Bytes as they arrive, cut into frames. Never holds more than one frame of `cap_bytes` and one read."""

    def __init__(self, cap_bytes: int) -> None:
        self._cap_bytes = cap_bytes
        self._buffer = bytearray()

    def feed(self, chunk: bytes) -> Iterator[tuple[int, int, bytes]]:
        """Kind, request and content of each frame that is now complete.

        Raises: ValueError when a frame claims more than the cap; nothing after it can be understood.
        """
        self._buffer += chunk
        while len(self._buffer) >= FRAME_HEADER.size:
            kind, request, length = FRAME_HEADER.unpack_from(self._buffer)
            if length > self._cap_bytes:
                raise ValueError(f"a message of {length:,} bytes, over the limit of {self._cap_bytes:,}")
            end = FRAME_HEADER.size + length
            if len(self._buffer) < end:
                return
            content = bytes(memoryview(self._buffer)[FRAME_HEADER.size : end])
            del self._buffer[:end]
            yield kind, request, content


def request_bytes(request: dict[str, Any]) -> bytes:
    """One request, ready to be sent down."""
    content = json.dumps(request).encode()
    return _REQUEST_HEADER.pack(len(content)) + content


def receive_request(line: socket.socket) -> tuple[dict[str, Any], int | None]:
    """The next request and the file that came with it, or None for no file. Blocks.

    Raises: EOFError when the other side has hung up.
    """
    files = array.array("i")
    head, ancillary, _, _ = line.recvmsg(_REQUEST_HEADER.size, socket.CMSG_SPACE(files.itemsize))
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            files.frombytes(content[: len(content) - len(content) % files.itemsize])
    head += _receive_exactly(line, _REQUEST_HEADER.size - len(head))
    (length,) = _REQUEST_HEADER.unpack(head)
    request = json.loads(_receive_exactly(line, length))
    for surplus in files[1:]:
        os.close(surplus)
    return request, files[0] if files else None


def _receive_exactly(line: socket.socket, count: int) -> bytes:
    content = bytearray()
    while len(content) < count:
        chunk = line.recv(min(count - len(content), 1 << 20))
        if not chunk:
            raise EOFError("the sandbox's owner hung up")
        content += chunk
    return bytes(content)

"""The bytes of a file of text, some or all of them."""

import re
from pathlib import Path

from pandas_magic.catalog.text.encodings import Encoding

_SEARCH_BYTES = 4 * 1024**2
_EMPTY_LINE = re.compile(rb"\n\r?\n|\r\r")


def bytes_of(path: Path, count: int, start: int = 0) -> bytes:
    """So many bytes of the file, fewer at its end."""
    # Read, not mapped: to touch a map of a file that another program cuts short ends the process.
    with path.open("rb", buffering=0) as file:
        file.seek(start)
        return file.read(count)


def whole_text(path: Path, encoding: Encoding) -> str:
    """All of the file, without a byte order mark."""
    return path.read_bytes().decode(encoding.name).removeprefix("\ufeff")


def occurs(sign: bytes, path: Path) -> bool:
    """Whether the sign stands anywhere in the file. One of several bytes is assumed to: a block may end within it."""
    buffer = bytearray(_SEARCH_BYTES)
    with path.open("rb", buffering=0) as file:
        while count := file.readinto(buffer):
            if len(sign) > 1 or buffer.find(sign, 0, count) >= 0:
                return True
    return False


def may_have_empty_lines(path: Path, encoding: Encoding) -> bool:
    """Whether a line without a letter stands somewhere; in encodings with wider signs it is assumed to."""
    if encoding.name.startswith(("utf-16", "utf-32")):
        return True
    above = b""
    with path.open("rb", buffering=0) as file:
        while block := file.read(_SEARCH_BYTES):
            if _EMPTY_LINE.search(above + block):
                return True
            above = block[-2:]
    return False

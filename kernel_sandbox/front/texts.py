"""What may cross from confined code to us: text without control characters, true images."""

import re
import struct
import zlib

_PNG_MAGIC = b"\x89PNG\r\n\x1a\n"
# The beginning of a frame with its height and width. Nowhere else does a decoder meet these bytes.
_JPEG_FRAME = re.compile(rb"(?=\xff[\xc0-\xc3\xc5-\xc7\xc9-\xcb\xcd-\xcf]..[\x08\x0c\x10](..)(..))", re.DOTALL)
_PNG_CHUNK_HEADER = struct.Struct("!I4s")
_MOST_PIXELS = 40_000_000
# Escape sequences of terminals (CSI, OSC, short ones): text can neither colour, move nor rename anything.
ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?|\x9b[0-?]*[ -/]*[@-~]"
)
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# Characters that reorder or hide text where it is shown: what is read must be what is there.
_DECEPTIVE = re.compile("[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")


def clean_text(text: str) -> str:
    """The text without terminal escapes and control characters; deceptive characters become visible escapes.

    Of a line that overwrites itself by carriage returns, as progress bars do, the last state stays.
    """
    text = ESCAPES.sub("", text).replace("\r\n", "\n")
    if "\r" in text:
        text = "\n".join(line.rstrip("\r").rsplit("\r", 1)[-1] for line in text.split("\n"))
    return visible(CONTROLS.sub("", text))


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
            if problem := _size_problem(*struct.unpack_from("!II", image, at + 8)):
                return problem
            first = False
        at = end + 4
        if kind == b"IEND":
            return None if at == len(image) else "something follows its end"
    return "it does not end as a PNG"


def jpeg_problem(image: bytes) -> str | None:
    """Why the bytes are no acceptable JPEG image, or None: beginning, end, size in pixels."""
    sizes = [tuple(int.from_bytes(side) for side in sides) for sides in _JPEG_FRAME.findall(image)]
    if not (image[:3] == b"\xff\xd8\xff" and image[-2:] == b"\xff\xd9" and sizes):
        return "it is no JPEG image"
    return next((problem for height, width in sizes if (problem := _size_problem(width, height))), None)


def _size_problem(width: int, height: int) -> str | None:
    return None if 0 < width * height <= _MOST_PIXELS else f"it has {width} by {height} pixels"

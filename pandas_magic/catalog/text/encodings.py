"""Which encoding a text file has: certain, or asked; never guessed."""

import codecs
import re
from dataclasses import dataclass

from pandas_magic.errors import TableUnreadable

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Letters that stand at the same bytes in Windows-1252, ISO 8859-1, ISO 8859-15 and Windows-1250.
_SAME_EVERYWHERE = frozenset("äöüßÄÖÜéáíóúÉÁÍÓÚçÇëîôâÔÂ")
# Marks of Windows-1252 that also stand where they do in Windows-1250.
_MARKS_OF_TEXT = frozenset("–—‘’“”„…•€«»°§©® ")
# Between two letters no word has one, and DOS has ä ö À ® ¯ where they are.
_WITHIN_WORD = re.compile(r"[^\W\d_][„”“«»][^\W\d_]")
_NEXT = "save it as UTF-8 or say its encoding, as in encoding ="
_LONGEST_WORD = 40  # bytes to either side
_EXAMPLES = 3


@dataclass(frozen=True)
class Encoding:
    """A codec's name, and why it was chosen; `note` is empty for plain UTF-8."""

    name: str
    note: str = ""


def detect_encoding(content: bytes, name: str, *, whole: bool) -> Encoding:
    """The encoding of a file that begins with `content` (`whole`: and that ends there).

    UTF-8, and whatever carries a byte order mark or the zero bytes of UTF-16, is certain. Western European text is
    read as Windows-1252 when every letter in question is the same in the encodings that are likely.

    Raises: TableUnreadable with the byte, its line and the readings to choose from.
    """
    for mark, codec in _MARKS:
        if content.startswith(mark):
            return Encoding(codec, f"{codec.removesuffix('-sig').upper()}, by its byte order mark")
    even, odd = content[0:2000:2], content[1:2000:2]
    if content and 2 * odd.count(0) > len(odd) > 4 * even.count(0):
        return Encoding("utf-16-le", "UTF-16 without a byte order mark, by its zero bytes")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(content, final=whole)
        return Encoding("utf-8")
    except UnicodeDecodeError as error:
        return _single_byte(content, name, error.start)


def _single_byte(content: bytes, name: str, start: int) -> Encoding:
    byte, line = content[start], content.count(b"\n", 0, start) + 1
    problem = f"{name} is not UTF-8: byte {byte:#04x} in line {line}"
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError as error:
        word = (
            re.findall(rb"[^\s,;]*$", content[: error.start])[0] + re.findall(rb"^[^\s,;]*", content[error.start :])[0]
        )
        raise TableUnreadable(f"{problem}; {_NEXT}: {_readings(word)}") from None
    words = re.findall(r"\S*[^\x00-\x7f]\S*", text)
    letters = {letter for word in words for letter in word if letter > "\x7f"}
    if letters <= _SAME_EVERYWHERE | _MARKS_OF_TEXT and all(_is_written(word) for word in words):
        shown = ", ".join(f'"{word}"' for word in list(dict.fromkeys(words))[:_EXAMPLES])
        return Encoding("cp1252", f"Windows-1252, by its letters ({shown})")
    sample = next(word for word in words if set(word) & letters - _SAME_EVERYWHERE - _MARKS_OF_TEXT or letters)
    readings = _readings(sample.encode("cp1252"))
    raise TableUnreadable(f'{problem}; {_NEXT} "cp1252": {readings}')


def _is_written(word: str) -> bool:
    """Whether letters beyond ASCII stand beside ASCII letters, as they do in western languages."""
    beyond = [letter for letter in word if letter > "\x7f" and letter.isalpha()]
    plain = [letter for letter in word if letter.isascii() and letter.isalpha()]
    return len(beyond) <= 2 * len(plain) and not _WITHIN_WORD.search(word)


def _readings(sample: bytes) -> str:
    found = []
    for codec in ("cp1252", "cp1250", "cp1251", "cp850"):
        try:
            found.append(f'{codec} reads "{sample.decode(codec)}"')
        except UnicodeDecodeError:
            continue
    return ", ".join(found)

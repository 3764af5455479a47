import json
import os
import socket
import struct
import zlib
from typing import Any, cast

import pytest

from kernel_sandbox.confined.wire import FrameBuffer, Kind, frame
from kernel_sandbox.front.answers import Answers
from kernel_sandbox.front.channels import Channels
from kernel_sandbox.front.link import Confined
from kernel_sandbox.front.texts import clean_text, png_problem
from kernel_sandbox.front.turns import Turn
from kernel_sandbox.policy import Limits


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack("!I", len(content)) + kind + content + struct.pack("!I", zlib.crc32(kind + content))


def png(width: int = 1, height: int = 1) -> bytes:
    header = struct.pack("!IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;new title\x07shown", "shown"),
        ("\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bP+q544e\x1b\\x", "x"),
        ("\x9b31mred", "red"),
        ("bell\x07 backspace\x08", "bell backspace"),
        ("10%\r50%\r100%\n", "100%\n"),
        ("windows\r\nline", "windows\nline"),
        ("done\r", "done"),
        ("PASS\u202eSSAP", "PASS\\u202eSSAP"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("café 数 🎉", "café 数 🎉"),
    ],
)
def test_text_comes_through_without_control(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


def test_a_true_image_is_accepted() -> None:
    assert png_problem(png()) is None


@pytest.mark.parametrize(
    ("image", "problem"),
    [
        (b"<svg onload=alert(1)>", "does not begin"),
        (png() + b"<script>", "something follows"),
        (png()[:-5], "does not end"),
        (png()[:-17], "longer than the image"),
        (png()[:-12], "does not end"),
        (png().replace(b"IDAT", b"JDAT"), "checksum"),
        (png(100_000, 100_000), "100000 by 100000"),
        (png(0, 5), "0 by 5"),
        (b"\x89PNG\r\n\x1a\n" + chunk(b"IEND", b""), "no header"),
        (b"\x89PNG\r\n\x1a\n", "does not end"),
    ],
)
def test_what_is_no_sound_image_is_refused_with_the_reason(image: bytes, problem: str) -> None:
    assert problem in (png_problem(image) or "")


class Heard:
    """Stands in for the channels of a front: what was broadcast."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, dict[str, Any]]] = []

    def broadcast(self, kind: str, parent: dict[str, Any], content: dict[str, Any]) -> None:
        self.messages.append((kind, content))


def decoded(kind: Kind, content: bytes) -> str:
    return content.decode("utf-8", "replace")


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def answers(heard: Heard) -> Answers:
    return Answers(cast(Channels, heard))


def turn(*, plain: bool = True, **limits: int) -> Turn:
    return Turn(Limits(**limits), {"op": "execute"}, plain=plain)


def display(kind: str = "display_data", **bundle: str) -> bytes:
    return json.dumps([kind, {name.replace("_", "/"): value for name, value in bundle.items()}, {}, None]).encode()


def test_an_unknown_kind_of_message_is_dropped_and_said(answers: Answers) -> None:
    asked = turn()

    answers.take_frame(asked, 99, b"set_next_input")

    assert asked.dropped == ["a message of unknown kind 99 was dropped"]


def test_a_forged_image_is_dropped_and_said(answers: Answers, heard: Heard) -> None:
    asked = turn()

    answers.take_frame(asked, Kind.DISPLAY, display(image_png="PHN2Zy8+"))

    assert heard.messages == []
    assert asked.dropped == ["an image was not shown: it does not begin as a PNG"]


def test_text_over_the_limit_is_cut_and_counts_as_excess(answers: Answers, heard: Heard) -> None:
    asked = turn(output_bytes=5)

    answers.take_text(asked, Kind.STDOUT, b"123456789", decoded)
    answers.flush()

    assert heard.messages == [("stream", {"name": "stdout", "text": "12345"})]
    assert "5 bytes" in asked.excess


def test_in_a_notebook_text_over_the_limit_is_cut_and_said(answers: Answers, heard: Heard) -> None:
    asked = turn(plain=False, output_bytes=5)

    for _ in range(3):
        answers.take_text(asked, Kind.STDOUT, b"123456789", decoded)
    answers.flush()

    note = "(confined kernel: the output after the first 5 bytes was dropped)\n"
    assert [content["text"] for _, content in heard.messages] == ["12345", note]
    assert asked.excess == ""


def test_text_keeps_its_place_between_displays_and_the_other_stream(answers: Answers, heard: Heard) -> None:
    asked = turn(plain=False)
    for kind in (Kind.STDOUT, Kind.STDOUT, Kind.STDERR):
        answers.take_text(asked, kind, b"a", decoded)
    answers.take_frame(asked, Kind.DISPLAY, display(text_plain="x"))
    answers.take_text(asked, Kind.STDOUT, b"b", decoded)
    answers.flush()

    told = [content.get("text") or content["data"]["text/plain"] for _, content in heard.messages]
    assert told == ["aa", "a", "x", "b"]


def test_displays_beyond_the_limit_are_counted_not_kept(answers: Answers, heard: Heard) -> None:
    asked = turn(displays=2)

    for _ in range(5):
        answers.take_frame(asked, Kind.DISPLAY, display(text_plain="x"))

    assert len(heard.messages) == 2
    assert asked.dropped == ["a display beyond the first 2 was dropped (3 times)"]


def test_a_million_notes_keep_little(answers: Answers) -> None:
    asked = turn()

    for number in range(10_000):
        answers.take_frame(asked, Kind.NOTE, b"%d" % number + b"x" * 5000)

    assert len(asked.dropped) == 20
    assert all(len(note) <= 200 for note in asked.dropped)


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        (Kind.ERROR, b""),
        (Kind.ERROR, b"[1]"),
        (Kind.ERROR, b"[" * 100_000),
        (Kind.DISPLAY, b'{"data": 1}'),
        (Kind.DISPLAY, b'["stream", {}, {}, null]'),
        (Kind.DISPLAY, b'["display_data", NaN, {}, null]'),
        (Kind.DISPLAY, b"\xff"),
    ],
)
def test_a_malformed_message_is_dropped_and_said(answers: Answers, heard: Heard, kind: Kind, content: bytes) -> None:
    asked = turn()

    answers.take_frame(asked, kind, content)

    assert asked.raised is None
    assert heard.messages == []
    assert "was dropped" in asked.dropped[0]


def test_a_character_split_between_two_reads_is_whole() -> None:
    ours, theirs = socket.socketpair()
    confined = Confined({"kernel": 1}, [ours.detach(), *os.pipe()], 100)

    pieces = [confined.text(Kind.STDOUT, piece) for piece in ("é".encode()[:1], "é".encode()[1:])]

    assert "".join(pieces) == "é"
    confined.close()
    theirs.close()


def test_frames_are_cut_at_their_borders_whatever_the_reads() -> None:
    buffer, sent = FrameBuffer(100), frame(Kind.NOTE, 1, b"ab") + frame(Kind.DONE, 2)

    got = [found for at in range(len(sent)) for found in buffer.feed(sent[at : at + 1])]

    assert got == [(Kind.NOTE, 1, b"ab"), (Kind.DONE, 2, b"")]


def test_a_frame_over_the_cap_is_refused_by_its_header_alone() -> None:
    with pytest.raises(ValueError, match="200,000,000 bytes, over the limit of 100"):
        list(FrameBuffer(100).feed(frame(Kind.NOTE, 1)[:5] + struct.pack("!I", 200_000_000)))

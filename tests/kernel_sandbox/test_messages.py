import struct
import zlib

import pytest

from kernel_sandbox.confined.wire import FrameBuffer, Kind, frame, join_texts, split_texts
from kernel_sandbox.front.execution import Collector, clean_text, png_problem
from kernel_sandbox.policy import Limits

REQUEST = 7


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


def collector(**limits: int) -> Collector:
    return Collector(REQUEST, Limits(**limits))


def test_an_answer_to_another_request_is_dropped_and_said() -> None:
    collected = collector()

    collected.take_frame(Kind.DONE, REQUEST - 1, b"0")

    assert not collected.finished
    assert collected.dropped == ("an answer to another request was dropped",)


def test_an_unknown_kind_of_message_is_dropped_and_said() -> None:
    collected = collector()

    collected.take_frame(99, REQUEST, b"set_next_input")

    assert collected.dropped == ("a message of unknown kind 99 was dropped",)


def test_a_forged_image_is_dropped_and_said() -> None:
    collected = collector()

    collected.take_frame(Kind.PNG, REQUEST, b"<svg/>")

    assert collected.displays == []
    assert collected.dropped == ("an image was dropped: it does not begin as a PNG",)


def test_text_over_the_limit_is_cut_and_counts_as_excess() -> None:
    collected = collector(output_bytes=5)

    collected.take_text("stdout", b"123456789")

    assert collected.text("stdout") == "12345"
    assert "5 bytes" in collected.excess


def test_displays_beyond_the_limit_are_counted_not_kept() -> None:
    collected = collector(displays=2)

    for _ in range(5):
        collected.take_frame(Kind.TEXT, REQUEST, b"x")

    assert len(collected.displays) == 2
    assert collected.dropped == ("a display beyond the first 2 was dropped (3 times)",)


def test_a_million_notes_keep_little() -> None:
    collected = collector()

    for number in range(10_000):
        collected.take_frame(Kind.NOTE, REQUEST, b"%d" % number + b"x" * 5000)

    assert len(collected.dropped) == 20
    assert all(len(note) <= 200 for note in collected.dropped)


@pytest.mark.parametrize("content", [b"", b"\0\0\0\5abc", b"\xff\xff\xff\xff", join_texts("a", "b", "c", "d") + b"x"])
def test_a_malformed_error_is_dropped_and_said(content: bytes) -> None:
    collected = collector()

    collected.take_frame(Kind.ERROR, REQUEST, content)

    assert collected.error is None
    assert "malformed error" in collected.dropped[0]


def test_a_character_split_between_two_reads_is_whole() -> None:
    collected = collector()

    for piece in ("é".encode()[:1], "é".encode()[1:]):
        collected.take_text("stdout", piece)

    assert collected.text("stdout") == "é"


def test_texts_come_apart_as_they_were_joined() -> None:
    assert split_texts(join_texts("a", "", "é\n"), 3) == ("a", "", "é\n")


def test_frames_are_cut_at_their_borders_whatever_the_reads() -> None:
    buffer, sent = FrameBuffer(100), frame(Kind.TEXT, 1, b"ab") + frame(Kind.DONE, 2)

    got = [found for at in range(len(sent)) for found in buffer.feed(sent[at : at + 1])]

    assert got == [(Kind.TEXT, 1, b"ab"), (Kind.DONE, 2, b"")]


def test_a_frame_over_the_cap_is_refused_by_its_header_alone() -> None:
    with pytest.raises(ValueError, match="200,000,000 bytes, over the limit of 100"):
        list(FrameBuffer(100).feed(frame(Kind.TEXT, 1)[:5] + struct.pack("!I", 200_000_000)))

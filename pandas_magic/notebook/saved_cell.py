"""The saved cell: a check as text that people read, edit and diff, and that runs without planning.

%%check --run CHK-002
# Unknown users in events · medium · compiled 2026-11-21 by rules · 3f9a1c2e
# Flag events rows whose user_id is missing from users.
violations = events[~events["user_id"].isin(users["user_id"])]
"""

import re
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from pandas_magic.record import digest
from pandas_magic.registry.compiled_check import CompiledCheck

TAG = "pandas-magic"
_WIDTH = 116  # characters of a rule's line, so that the comment fits the 120 of the house

_FIRST_LINE = re.compile(r"\s*%%check\s+(?:--run|-r)[ =](?P<id>\S+)\s*(?P<options>.*)")
_HEADER = re.compile(r"# .*· compiled \d{4}-\d{2}-\d{2} by .* · (?P<digest>[0-9a-f]{8})$")


@dataclass(frozen=True)
class SavedCell:
    """The body of a saved cell, taken apart.

    `code` is what runs; its first line is that of number `line` in the whole cell, whose magic is line 1. `digest8`
    begins the digest of the code as it was compiled; "" when the header is gone.
    """

    code: str
    digest8: str
    line: int

    @property
    def edited(self) -> bool:
        """Whether the code is no longer what was compiled, or cannot be seen to be."""
        return not self.digest8 or not code_digest(self.code).startswith(self.digest8)


def code_digest(code: str) -> str:
    """Changes with the code, not with the line breaks around it."""
    return digest(code.strip("\n"))


def cell_text(compiled: CompiledCheck) -> str:
    """The saved cell of a compiled check: magic line, what it is, its rule, its code."""
    code = compiled.code.strip("\n")
    return f"%%check --run {compiled.id}\n{_header(compiled)}\n{code}"


def parse_body(body: str) -> SavedCell:
    """The body of a saved cell, without its header; total: any text is some cell.

    The header says how long the rule's comment is only through the digest of the code. When that fits no split, the
    code was edited, and all leading comments count as header, which changes nothing that runs.
    """
    first = 2 + len(body) - len(body.lstrip("\n"))
    lines = body.strip("\n").split("\n")
    header = _HEADER.match(lines[0])
    if not header:
        return SavedCell("\n".join(lines), "", first)
    comments = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
    unchanged = (n for n in range(1, comments + 1) if code_digest("\n".join(lines[n:])).startswith(header["digest"]))
    length = next(unchanged, comments)
    blank = next((n for n, line in enumerate(lines[length:]) if line), 0)
    return SavedCell("\n".join(lines[length:]).strip("\n"), header["digest"], first + length + blank)


def saved_id(source: str) -> str:
    """The id of the check whose saved cell this source is, or "" when it is none."""
    match = _FIRST_LINE.match(source.split("\n", 1)[0])
    return match["id"] if match else ""


def cell_metadata(compiled: CompiledCheck) -> dict[str, Any]:
    """What a cell of ours carries unseen: its tag, its check, and the marks by which an edit is seen."""
    mark = {"check": compiled.id, **marks_of(compiled), "text": text_mark(cell_text(compiled))}
    return {"tags": [TAG], "pandas_magic": mark}


def marks_of(compiled: CompiledCheck) -> dict[str, str]:
    """The digests that tell for which rule, code and columns a cell was written."""
    return {
        "code_digest": compiled.code_digest,
        "rule_digest": compiled.rule_digest,
        "schema_digest": digest(compiled.schemas),
    }


def text_mark(text: str) -> str:
    """Eight hex digits of a cell's text, by which the page sees whether a person has touched it.

    Source: FNV-1a, 32 bits, over UTF-8; `insertion.js` computes the same without waiting, which the browser's
    digests cannot.
    """
    value = 0x811C9DC5
    for byte in text.encode("utf-8", errors="surrogatepass"):
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return f"{value:08x}"


def _header(compiled: CompiledCheck) -> str:
    check = compiled.check
    about = " · ".join(
        part
        for part in (
            _comment(check.name),
            check.severity,
            f"compiled {compiled.compiled_at[:10]} by {_comment(compiled.planner)}",
            code_digest(compiled.code)[:8],
        )
        if part
    )
    rule = wrap(_comment(check.rule), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(f"# {line}" for line in (about, *rule))


def _comment(text: str) -> str:
    # A line break or a control character inside a comment would end it, or make the cell unreadable to Python.
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())

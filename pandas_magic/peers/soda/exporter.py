"""Checks as SodaCL. Soda has no place for remarks, so the marks stand in comments and the names lead to them."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from pandas_magic.peers.exporting import express
from pandas_magic.peers.marks import KEY, Mark, marked
from pandas_magic.peers.soda.soda_checks import SodaCheck, soda_checks
from pandas_magic.peers.transfers import Exported, Remark
from pandas_magic.peers.yaml_text import dump
from pandas_magic.registry.compiled_check import CompiledCheck

MARK = f"# {KEY}: "
_EMPTY = "where no row has a value the metric cannot be evaluated there; here the check passes"

_LINE_BREAK = "some databases overlook a line break at the end of a text; here it breaks the rule"


def write(checks: Sequence[CompiledCheck]) -> Exported:
    """The checks, a section for each dataset, each check under its id as its name."""
    told, missing = express(checks, soda_checks)
    sections: dict[str, list[Any]] = {}
    for _, mark, found in told:
        for one in found:
            sections.setdefault(f"checks for {one.dataset}", []).append(_entry(one, mark))
    marks = "".join(f"{MARK}{json.dumps(marked(mark)[KEY], ensure_ascii=False)}\n" for _, mark, _ in told)
    return Exported(
        text=marks + (dump(sections) if sections else ""),
        expressed=tuple(mark.id for _, mark, _ in told),
        not_expressed=missing,
        remarks=tuple(Remark(check_id=mark.id, text=text) for _, mark, found in told for text in _remarks(found)),
    )


def _remarks(found: Sequence[SodaCheck]) -> Iterator[str]:
    if any(one.line.startswith(("avg(", "min(", "max(", "sum(")) for one in found):
        yield _EMPTY
    if any("valid regex" in one.below for one in found):
        yield _LINE_BREAK


def _entry(one: SodaCheck, mark: Mark) -> dict[str, Any]:
    return {one.line: {"name": mark.id, **one.below}}

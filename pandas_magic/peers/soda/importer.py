"""SodaCL read: the checks of each dataset, metrics with thresholds, references, failed rows and schemas."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pandas_magic.constraints import Constraint
from pandas_magic.errors import UsageMistake
from pandas_magic.peers.importing import Piece, gather
from pandas_magic.peers.marks import KEY, Mark, read_mark
from pandas_magic.peers.regexes import pattern_remark
from pandas_magic.peers.soda.equivalents import meaning
from pandas_magic.peers.soda.exporter import MARK
from pandas_magic.peers.soda.soda_checks import SodaCheck, soda_checks
from pandas_magic.peers.transfers import CannotRead, Imported, NotUnderstood
from pandas_magic.peers.yaml_text import YamlText, load

_SECTION = re.compile(r"checks for\s+(.+?)\s*")
# What is said beside a check without changing what it asks for.
_BESIDE = ("name", "attributes", "identity", "samples limit", "samples columns", "collect failed rows")
_LONGEST = 80


def read(text: str, *, table: str = "") -> Imported:
    """The checks of every dataset in the file, or of `table` alone.

    Raises: UsageMistake when the text is no such file.
    """
    document = load(text)
    if not isinstance(document.content, dict):
        raise UsageMistake('the file holds no checks of Soda: it has no section "checks for …"')
    marks = {mark.id: mark for mark in _marks(text)}
    lost: list[NotUnderstood] = []
    found = list(_pieces(document, table, marks, lost))
    datasets = {piece.what.split(":", 1)[0] for piece in found}
    chosen = [mark for mark in marks.values() if not table or mark.constraint.table in datasets]
    return gather(found, lost, prefix="SODA", shapes_of=_shapes_of, marks=chosen)


def _shapes_of(constraint: Constraint, mark: Mark) -> list[str]:
    return [one.shape for one in soda_checks(constraint, mark)]


def _marks(text: str) -> Iterator[Mark]:
    for line in text.splitlines():
        if line.startswith(MARK):
            try:
                content = json.loads(line.removeprefix(MARK))
            except (ValueError, RecursionError):
                continue
            mark = read_mark({KEY: content})
            if mark is not None:
                yield mark


def _pieces(document: YamlText, table: str, marks: Mapping[str, Mark], lost: list[NotUnderstood]) -> Iterator[Piece]:
    for title, entries in document.content.items():
        section = _SECTION.fullmatch(str(title))
        where = document.where(title)
        if section is None or not isinstance(entries, list):
            lost.append(NotUnderstood(where=where, what=str(title)[:_LONGEST], reason=_reason(str(title))))
            continue
        dataset = section[1].strip('"')
        if table not in ("", dataset):
            continue
        for number, entry in enumerate(entries):
            yield from _checks(document.where(title, number), dataset, entry, marks)


def _reason(title: str) -> str:
    if title.startswith("filter "):
        return "it narrows a dataset to a part that checks name; write the filter into each check"
    return 'only sections "checks for DATASET" are understood'


def _checks(where: str, dataset: str, entry: object, marks: Mapping[str, Mark]) -> Iterator[Piece]:
    """A check, or two of them where it warns and fails at different thresholds."""
    line, below = (str(entry), {}) if not isinstance(entry, dict) else _only(entry)
    settings = {key: value for key, value in below.items() if key not in _BESIDE}
    name = str(below.get("name") or "")
    attributes = below.get("attributes") if isinstance(below.get("attributes"), dict) else {}
    levels: list[str | None] = [level for level in ("fail", "warn") if level in settings and line.strip() != "schema"]
    for level in levels or [None]:
        given = {key: value for key, value in settings.items() if key not in levels}
        asked = f"{line} {_threshold(settings[level])}" if level else line
        yield Piece(
            where=where,
            what=f"{dataset}: {line}"[:_LONGEST],
            read=lambda asked=asked, given=given: _rule(dataset, asked, given),  # type: ignore[misc] # mypy: a lambda with defaults
            shape=SodaCheck(dataset, line, settings).shape,
            mark=marks.get(name),
            name=name,
            severity="low" if level == "warn" or _only_warns(line, settings) else "medium",
            owner=str((attributes or {}).get("owner", "") or ""),
            remarks=() if name in marks else (pattern_remark(str(settings.get("valid regex", ""))),),
        )


def _only(entry: Mapping[Any, Any]) -> tuple[str, dict[str, Any]]:
    line, below = next(iter(entry.items()))
    if len(entry) > 1 or not isinstance(below, dict):
        return str(line), {"more": {key: value for key, value in entry.items() if key != line} or below}
    return str(line), dict(below)


def _threshold(condition: object) -> str:
    """`when > 5` of a fail or warn, as what has to hold instead."""
    found = re.fullmatch(r"\s*when\s+(<=|>=|!=|=|<|>)\s*(\S+)\s*%?\s*", str(condition))
    if found is None:
        return f"when {condition}"
    opposite = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}[found[1]]
    return f"{opposite} {found[2]}"


def _only_warns(line: str, settings: Mapping[str, Any]) -> bool:
    return line.strip() == "schema" and "warn" in settings and "fail" not in settings


def _rule(dataset: str, line: str, settings: Mapping[str, Any]) -> Constraint:
    if "${" in line or any("${" in str(value) for value in settings.values()):
        raise CannotRead("it holds a variable, which is only known when it runs")
    if re.search(r"\[[^\]]*\]\s*$", dataset):
        raise CannotRead("it is about a named part of a dataset; write the filter into the check")
    return meaning(dataset, line, settings)

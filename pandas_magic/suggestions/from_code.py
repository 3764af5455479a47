"""Ideas from a script or a notebook: what its lines take for granted of the tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import check_types, describe
from pandas_magic.errors import NoSuchName
from pandas_magic.reporters.value_text import one_line
from pandas_magic.suggestions.code.assumed import Assumption
from pandas_magic.suggestions.code.reading import assumptions
from pandas_magic.suggestions.code.source import CodeFile, source_of
from pandas_magic.suggestions.suggestion import Idea, Withheld
from pandas_magic.workspace import Workspace


def ideas_of_code(workspace: Workspace, path: Path, target: str | None) -> tuple[list[Idea], list[Withheld]]:
    """What the code takes for granted, what weighs most first; and what it asserts that cannot be told.

    Raises: UsageMistake when the file cannot be read; NoSuchName for a target that is no table.
    """
    tables = workspace.catalog.schemas()
    if target and target not in tables:
        raise NoSuchName("table", target, tables)
    source = source_of(path)
    found = assumptions(source.text, tables, target=target)
    withheld = [Withheld(place, "", f"it is no Python: {why}") for place, why in source.unread.items()]
    if not found:
        why = (
            f"nothing in it takes anything for granted of {', '.join(tables) or 'a table'}; frames of another name are "
        )
        withheld.append(Withheld(path.name, "", f"{why}those of --table NAME"))
    told, untold = list[Assumption](), list[Withheld]()
    for one in found:
        problem = _problem(one, tables)
        if problem:
            untold.append(Withheld(source.place(one.line), one_line(one.code), problem))
        else:
            told.append(one)
    return _by_weight(told, source), [*withheld, *untold]


def _problem(one: Assumption, tables: dict[str, Table]) -> str:
    if one.rule is None:
        return one.because
    return "; ".join(check_types(one.rule, tables))


def _by_weight(told: Sequence[Assumption], source: CodeFile) -> list[Idea]:
    """An idea for each rule, with every line that takes it for granted."""
    by_rule: dict[str, list[Assumption]] = {}
    for one in told:
        assert one.rule is not None
        by_rule.setdefault(describe(one.rule), []).append(one)
    ordered = sorted(by_rule.items(), key=lambda each: -max(one.weight for one in each[1]))
    return [Idea(sentence, _because(lines), _places(lines, source)) for sentence, lines in ordered]


def _because(lines: Sequence[Assumption]) -> str:
    heaviest = max(lines, key=lambda one: one.weight)
    return f"{one_line(heaviest.code)}: {heaviest.because}"


def _places(lines: Sequence[Assumption], source: CodeFile) -> str:
    heaviest = max(lines, key=lambda one: one.weight)
    first, *more = dict.fromkeys(source.place(one.line) for one in [heaviest, *lines])
    return f"{first} (also {'; '.join(more)})" if more else first

"""What people ask of the corrections, in a notebook and in a terminal: list, set, try, take back, write as pandas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pandas_magic.checking.known_exceptions import rows_of_key
from pandas_magic.corrections.applying import pandas_lines, row_count, standings
from pandas_magic.corrections.correction import said
from pandas_magic.errors import UsageMistake
from pandas_magic.registry.row_keys import key_of
from pandas_magic.reporters.listing import Listing
from pandas_magic.reporters.value_text import counted
from pandas_magic.workspace.trying import correct, patch_of, try_corrections

if TYPE_CHECKING:
    from pandas_magic.workspace.workspace import Workspace

_NONE = "nothing is corrected; in a grid of failing rows, a double click on a value corrects it"
_KIND_ROWS = 100  # of a table, by which the kind of a column is known where the value itself is missing


@dataclass(frozen=True)
class ChosenRow:
    """Which row is corrected: by its place in the table, from 0, or by texts of columns that only it has."""

    position: int | None = None
    key: tuple[str, ...] = ()


def act_on_patch(workspace: Workspace, words: Sequence[str], row: ChosenRow) -> Listing | str:
    """What the words ask for: nothing lists, `try`, `undo NUMBER`, `code`, `set TABLE COLUMN VALUE` of a `row`.

    Raises: UsageMistake when they ask for something else, or in one line when a value cannot be set.
    """
    match words:
        case []:
            return _listed(workspace)
        case ["try"]:
            return _tried(workspace)
        case ["undo", number] if number.isdigit():
            return f"taken back: {patch_of(workspace).take_back(int(number)).in_words()}"
        case ["code"]:
            return pandas_lines(patch_of(workspace).read()).rstrip("\n")
        case ["set", table, column, text]:
            return _set(workspace, table, row, {column: text})
        case _:
            raise UsageMistake(
                "patch lists the corrections; behind it may stand try, code, undo NUMBER, or set TABLE COLUMN VALUE "
                'with --key COLUMN=VALUE or --row POSITION; the value "" is a missing one'
            )


def _set(workspace: Workspace, table: str, row: ChosenRow, said_of: Mapping[str, str]) -> str:
    position, ((column, text),) = _position(workspace, table, row), said_of.items()
    others = range(min(_KIND_ROWS, row_count(workspace.catalog, table)))
    rows = workspace.catalog.rows(table, [position, *(other for other in others if other != position)])
    made = correct(workspace, table, rows, at=0, position=position, column=column, text=text)
    return f"{table}, row {position}, {column}: as it was" if made is None else f"corrected: {made.in_words()}"


def _position(workspace: Workspace, table: str, row: ChosenRow) -> int:
    if (row.position is None) == (not row.key):
        raise UsageMistake("patch set takes the row by --key COLUMN=VALUE or by --row POSITION, from 0")
    if row.position is not None:
        count = row_count(workspace.catalog, table)
        if not 0 <= row.position < count:
            raise UsageMistake(f"{table} has {counted(count, 'row')}, and no row {row.position}; the first is 0")
        return row.position
    key = key_of(row.key)
    for column in key:
        workspace.catalog.schema(table).kind(column)
    found = np.flatnonzero(rows_of_key(workspace.catalog.frame(table, list(key)), key))
    if len(found) != 1:
        told = ", ".join(f"{column} {text}" for column, text in key.items())
        raise UsageMistake(f"{counted(len(found), 'row')} of {table} have {told}; name one")
    return int(found[0])


def _listed(workspace: Workspace) -> Listing:
    patch = patch_of(workspace)
    made = patch.read()
    if not made:
        return Listing(_NONE, (), ())
    why_not = standings(made, workspace.catalog)
    rows = tuple(
        (
            str(number),
            one.table,
            ", ".join(f"{column} {said(value)}" for column, value in one.row.items()),
            str(one.position),
            one.column,
            said(one.old),
            said(one.new),
            one.by,
            why_not[one.cell] or "fits",
        )
        for number, one in enumerate(made, 1)
    )
    header = ("", "table", "row of", "position", "column", "old", "new", "by", "today")
    path = patch.path.relative_to(workspace.base_dir)
    does = "patch try runs the checks on a corrected copy, patch code shows the pandas that corrects the data"
    return Listing(f"{counted(len(made), 'correction')} in {path}: {does}", header, rows, frozenset({"", "position"}))


def _tried(workspace: Workspace) -> Listing:
    made = patch_of(workspace).read()
    if not made:
        return Listing(_NONE, (), ())
    trial = try_corrections(workspace, made)
    summary = ". ".join((trial.in_words(), *(f"Not made: {text}" for text in trial.left_out)))
    header = ("check", "rule", "before", "after", "rows")
    return Listing(summary, header, tuple(one.row for one in trial.tried), verdicts="after")

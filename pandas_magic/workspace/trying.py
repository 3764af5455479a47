"""Corrections made and tried: what the checks that read the corrected columns say before and after, on copies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pandas as pd

from pandas_magic.checking.batch import Onlooker
from pandas_magic.clock import timestamp
from pandas_magic.corrections.applying import CorrectedTables, standings
from pandas_magic.corrections.correction import Correction, plain
from pandas_magic.corrections.patch_file import PatchFile
from pandas_magic.corrections.typed_values import kind_in, own_column, typed
from pandas_magic.errors import UsageMistake
from pandas_magic.history.journal import Journal
from pandas_magic.history.keys import key_of
from pandas_magic.history.run import Run, Verdict
from pandas_magic.registry.approval import who
from pandas_magic.reporters.card import badge_of
from pandas_magic.reporters.value_text import counted

if TYPE_CHECKING:
    from pandas_magic.registry.roster import Listed
    from pandas_magic.workspace.workspace import Workspace


@dataclass(frozen=True)
class Tried:
    """One check on the tables as they are, and on copies with the corrections."""

    listed: Listed
    before: Run
    after: Run

    @property
    def row(self) -> tuple[str, str, str, str, str]:
        """Id, rule, verdict before, verdict after, and how many rows fail, as texts."""
        before, after = map(badge_of, (self.before, self.after))
        counts = self.before.violation_count, self.after.violation_count
        said = self.after.headline if None in counts else f"{counts[0]:,} → {counts[1]:,} failing rows"
        return self.listed.id, self.listed.rule, before, after, said


@dataclass(frozen=True)
class Trial:
    """What came of it. `left_out` says of each correction that does not fit the table any more why, in a line."""

    tried: tuple[Tried, ...]
    left_out: tuple[str, ...]
    made: int  # corrections that were made in the copies

    def in_words(self) -> str:
        """One line: "1 correction tried on a copy: 1 of 2 checks would pass that does not"."""
        if not self.made:
            return "no correction fits its table as it is now"
        made = f"{counted(self.made, 'correction')} tried on a copy"
        if not self.tried:
            return f"{made}: no check reads what is corrected"
        passes = [(one.before.verdict is Verdict.PASS, one.after.verdict is Verdict.PASS) for one in self.tried]
        of = counted(len(self.tried), "check")
        mended, broken = passes.count((False, True)), passes.count((True, False))
        worse = f", and {broken:,} would no longer pass" if broken else ""
        return f"{made}: {mended:,} of {of} would pass that did not{worse}"


def patch_of(workspace: Workspace) -> PatchFile:
    """The file of corrections of a workspace."""
    return PatchFile(workspace.checks_folder, lock_folder=workspace.journal.folder)


def correct(
    workspace: Workspace, table: str, rows: pd.DataFrame, *, at: int, position: int, column: str, text: str
) -> Correction | None:
    """Keep what a person typed for a value: `rows` are rows of the table, of which that at `at` stands at `position`.

    None when the value is again what it was.

    Raises: UsageMistake in one line when it is no value of the column, or the row of the table is another by now.
    """
    values = own_column(table, rows, column)
    named = rows.set_axis(rows.columns.map(str), axis=1)
    old = values.iloc[at]
    kind = kind_in(values, old)
    key = key_of(workspace.catalog.schema(table), workspace.settings.keys) or tuple(named.columns)
    others = [name for name in key if name != column]
    made = Correction(
        table=table,
        position=position,
        # Column by column: a whole row would be of one type, and a long key beside fractions another number.
        row={name: plain(named[name].iloc[at]) for name in others if list(named.columns).count(name) == 1},
        column=column,
        kind=kind,
        old=plain(old),
        new=typed(text, kind, values),
        by=who(workspace.base_dir),
        at=timestamp(),
    )
    # As far as the table goes: a value that is typed as it is fits everywhere.
    moved = standings([made.model_copy(update={"new": "\0"})], workspace.catalog)[made.cell]
    if moved:
        raise UsageMistake(f"the table changed since this check ran: {moved}. Run the check again")
    return patch_of(workspace).put(made)


def try_corrections(workspace: Workspace, corrections: Sequence[Correction], *, watch: Onlooker | None = None) -> Trial:
    """Run the checks that read a corrected column on the tables as they are and on corrected copies.

    No run of it is in the journal: none is about the data alone.
    """
    why_not = standings(corrections, workspace.catalog)
    made = [one for one in corrections if not why_not[one.cell]]
    left_out = tuple(f"{one.in_words()}: {why_not[one.cell]}" for one in corrections if why_not[one.cell])
    checks = readers_of(workspace, made)
    if not checks:
        return Trial((), left_out, len(made))
    tables = CorrectedTables(workspace.catalog, made, most_bytes=workspace.settings.memory_bytes)
    with TemporaryDirectory(prefix="trial-") as folder:
        # What a run leaves behind must not be mistaken for history.
        settings = workspace.settings.model_copy(update={"keep_tables": 0})
        apart = replace(workspace, settings=settings, journal=Journal(Path(folder)))
        before = apart.run_batch(checks, watch=watch)
        after = replace(apart, catalog=tables).run_batch(checks, watch=watch)
    if before.interrupted or after.interrupted:
        raise KeyboardInterrupt
    runs = zip(checks, before.results, after.results, strict=False)
    return Trial(tuple(Tried(check, one.run, other.run) for check, one, other in runs), left_out, len(made))


def readers_of(workspace: Workspace, corrections: Sequence[Correction]) -> list[Listed]:
    """The compiled checks that read a corrected column."""
    cells = {(one.table, one.column) for one in corrections}
    return [
        listed
        for listed in workspace.chosen()
        if listed.compiled is not None
        and any((table, column) in cells for table, read in listed.compiled.plan.reads.items() for column in read)
    ]

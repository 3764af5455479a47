"""Each checked table as two files: the rows that no check flagged, and those that one did."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.outputs import note_outputs
from pandas_magic.checking.result import Result
from pandas_magic.errors import PandasMagicError, TableUnreadable
from pandas_magic.history.run import Verdict
from pandas_magic.quarantine.table_files import Form, writer_of
from pandas_magic.reporters.value_text import counted
from pandas_magic.state import make_folder, write_whole

MANIFEST = "quarantine.json"


@dataclass(frozen=True)
class Split:
    """One table in two files. `flagged` has, for each bad position, the checks that it breaks."""

    table: str
    good: Path
    bad: Path
    flagged_file: Path
    rows: int
    flagged: dict[int, tuple[str, ...]]
    notes: tuple[str, ...] = ()  # checks whose failing rows are no rows of the table, or that gave no verdict

    def in_words(self) -> str:
        """One line: "orders: 990 good rows in q/orders.good.csv, 10 bad rows in q/orders.bad.csv"."""
        good, bad = self.rows - len(self.flagged), len(self.flagged)
        said = f"{self.table}: {counted(good, 'good row')} in {self.good}, {counted(bad, 'bad row')} in {self.bad}"
        return "; ".join((said, *self.notes))


@dataclass
class _Bad:
    flagged: dict[int, list[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    fingerprints: set[str] = field(default_factory=set)
    counts: set[int] = field(default_factory=set)  # of rows in the table when it was checked
    seen: list[tuple[tuple[int, ...], pd.DataFrame]] = field(default_factory=list)  # positions, and the rows there


def quarantine(
    catalog: Catalog, results: Sequence[Result], folder: Path, *, form: Form | None = None
) -> tuple[list[Split], list[str]]:
    """Split every table that the results judge, into `folder`; and what could not be split, one line each.

    Beside the two files of a table, `TABLE.flagged.csv` has the position of each bad row in the table (from 0) and the
    checks that it breaks, and `quarantine.json` sums all up.
    """
    make_folder(folder)
    splits, problems = list[Split](), list[str]()
    for table, bad in _by_table(results).items():
        try:
            splits.append(_split(catalog, table, bad, folder, form=form))
        except PandasMagicError as error:
            problems.append(f"{table} is not split: {error}")
    manifest = {"version": 1, "tables": {split.table: _told(split) for split in splits}, "not_split": problems}
    write_whole(folder / MANIFEST, json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")
    files = [path for split in splits for path in (split.good, split.bad, split.flagged_file)]
    note_outputs([*files, folder / MANIFEST])
    return splits, problems


def _by_table(results: Sequence[Result]) -> dict[str, _Bad]:
    found: dict[str, _Bad] = {}
    for result in results:
        if result.compiled is None or result.run.verdict is Verdict.SKIPPED:
            continue
        run, table = result.run, result.compiled.target
        bad = found.setdefault(table, _Bad())
        if run.verdict is Verdict.ERROR:
            bad.notes.append(f"{run.check_id} gave no verdict, so rows that break it may be among the good")
            continue
        bad.fingerprints.add(run.fingerprints.get(table, ""))
        if run.verdict is Verdict.FAIL and run.positions is None:
            bad.notes.append(f"{run.check_id} failed as a whole: what it shows are no rows of {table}")
        bad.counts |= set() if run.rows is None else {run.rows}
        if run.positions and run.violations is not None:
            bad.seen.append((run.positions, run.violations))
        for position in run.positions or ():
            bad.flagged.setdefault(position, []).append(run.check_id)
    return found


def _split(catalog: Catalog, table: str, bad: _Bad, folder: Path, *, form: Form | None) -> Split:
    if not bad.fingerprints:
        raise TableUnreadable("none of its checks gave a verdict")
    rows = catalog.schema(table).row_count
    count = len(catalog.frame(table)) if rows is None else rows
    _refuse_changed(catalog, table, bad, count)
    suffix, write = writer_of(catalog, table, count, form)
    name = table.replace("/", "_")
    good_file, bad_file = folder / f"{name}.good{suffix}", folder / f"{name}.bad{suffix}"
    try:
        write(good_file, [position for position in range(count) if position not in bad.flagged])
        write(bad_file, sorted(bad.flagged))
    except PandasMagicError:
        # One of the two alone would look like the whole table.
        good_file.unlink(missing_ok=True)
        raise
    flagged = {position: tuple(bad.flagged[position]) for position in sorted(bad.flagged)}
    flagged_file = folder / f"{name}.flagged.csv"
    lines = [f"{position},{' '.join(ids)}\n" for position, ids in flagged.items()]
    write_whole(flagged_file, "position,checks\n" + "".join(lines))
    return Split(table, good_file, bad_file, flagged_file, count, flagged, tuple(bad.notes))


def _refuse_changed(catalog: Catalog, table: str, bad: _Bad, count: int) -> None:
    """A file is known by its identity; a DataFrame has none, so its bad rows must still be what they were."""
    same = bad.fingerprints == {catalog.identity(table)} and bad.counts <= {count}
    if not same or any(not catalog.rows(table, positions).equals(rows) for positions, rows in bad.seen):
        raise TableUnreadable("it changed since it was checked; run the checks again")


def _told(split: Split) -> dict[str, Any]:
    return {
        "rows": split.rows,
        "good": {"file": split.good.name, "rows": split.rows - len(split.flagged)},
        "bad": {"file": split.bad.name, "rows": len(split.flagged)},
        "flagged": split.flagged_file.name,
        "notes": list(split.notes),
    }

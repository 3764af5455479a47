"""The journal: what happened. Every run as a line, every failing row in a file, and what is kept of both how long."""

from contextlib import suppress
from pathlib import Path

import pandas as pd

from pandas_magic.errors import StateUnreadable
from pandas_magic.history.comparison import Comparison, NotComparable, compare
from pandas_magic.history.failing_rows import (
    VIOLATIONS,
    artifact_folder,
    content_digest,
    keep_keys,
    keep_rows,
    remove_artifact,
    storable,
)
from pandas_magic.history.history import History
from pandas_magic.history.log import RunLog
from pandas_magic.history.past import PastRun, SessionStart, line_of_run, line_of_session, sources_of
from pandas_magic.history.pruning import Keeping, to_remove
from pandas_magic.history.rollup import write_rollup
from pandas_magic.history.run import Changes, Run
from pandas_magic.state import unversioned_folder

_OWN = "the workspace's own"


class Journal:
    """The history below `folder`, which is made on the first write and ignored by git. Many may write at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.history = History(folder)
        self._log = RunLog(folder)
        self._recorded = False

    def record(self, run: Run) -> None:
        """Add the run to `runs_log.jsonl`, without its code, which the registry or the notebook holds."""
        self._prepare()
        self._log.append(line_of_run(run))
        self._recorded = True

    def begin_session(self, start: SessionStart) -> None:
        """Say what is going to be run, so that what a crash kept from running can be told."""
        with suppress(StateUnreadable):  # every run will say so
            self._prepare()
            self._log.append(line_of_session(start))

    def keep(self, run: Run) -> Run:
        """Record a run with its failing rows, and give it back with what changed since the run before.

        A run that cannot be kept, or not wholly, is given back with the reason in `lost`.
        """
        try:
            run = self._kept(run)
            problem = ""
        except StateUnreadable as error:
            problem = str(error)
        try:
            self.record(run)
        except StateUnreadable as error:
            problem = problem or str(error)
        return run.model_copy(update={"lost": problem}) if problem else run

    def _kept(self, run: Run) -> Run:
        """The run with its failing rows in files, and with what changed since the run before."""
        rows = run.violations
        if rows is not None and len(rows):
            path = self.keep_rows(run.run_id, rows)
            kept = {"artifact": str(path.relative_to(self.folder.parent)), "rows_digest": content_digest(path)}
            run = run.model_copy(update=kept)
            keep_keys(self.folder, run, rows)
        if rows is not None and not (run.edited or run.since):
            run = run.model_copy(update={"changes": self._changes(run, rows)})
        return run

    def keep_rows(self, run_id: str, rows: pd.DataFrame) -> Path:
        """Write all violating rows, with their index, to a Parquet file and give its path."""
        self._prepare()
        return keep_rows(self.folder, run_id, rows)

    def kept_rows(self, run_id: str) -> pd.DataFrame | None:
        """The failing rows that were kept of a run, whole and with their index; None when there are none, or no more.

        A file that is damaged counts as gone.
        """
        path = artifact_folder(self.folder, run_id) / VIOLATIONS
        try:
            return pd.read_parquet(path)
        except (OSError, ValueError):
            return None

    def last_runs(self) -> dict[str, Run]:
        """The latest run of each check. Lines that cannot be read are passed over: a crash may cut the last one."""
        return self.history.last_runs()

    def compared(self, run: Run) -> Comparison:
        """The failing rows of a run against those of the judged run before it, from the files of both.

        Raises: NotComparable with the reason.
        """
        if run.changes is None:
            raise NotComparable("no earlier run was judged")
        if run.changes.incomparable:
            raise NotComparable(run.changes.incomparable)
        against = run.changes.against
        earlier = (past for past in self.history.runs(run.check_id, trial=run.trial) if past.run_id == against)
        before = next((past.violation_count for past in earlier), None)
        rows = self._rows_of(run.run_id, run.violation_count)
        return compare(self._rows_of(against, before), rows, run.changes.by)

    def roll_up(self) -> Path:
        """Write `checks_rollup.csv` from the log."""
        return write_rollup(self.folder, self.history)

    def prune(self, keeping: Keeping) -> list[str]:
        """Delete the failing rows of runs that are too old, and give the ids of these runs. The log keeps their lines.

        Those of each check's last failing run and of its last run stay, whatever their age; so do those of runs aside.
        """
        removed = [
            run_id
            for runs in (*self.history.runs_by_check().values(), *self.history.runs_aside().values())
            for run_id in to_remove(runs, keeping)
            if artifact_folder(self.folder, run_id).is_dir()
        ]
        for run_id in removed:
            remove_artifact(self.folder, run_id)
        return removed

    def tidy(self, keeping: Keeping) -> None:
        """Roll up and prune, when anything was recorded since the last time."""
        if self._recorded:
            self._recorded = False
            self.prune(keeping)
            self.roll_up()

    def _changes(self, run: Run, rows: pd.DataFrame) -> Changes | None:
        before = self.history.last_judged(run.check_id, trial=run.trial)
        if before is None or run.positions is None:
            return None
        said = Changes(against=before.run_id, since=before.started_at)
        try:
            _refuse_other_rule(before, run)
            if rows.empty or before.violation_count == 0:
                # Counts say it all, even where the rows themselves are gone.
                return said.model_copy(update={"new": len(rows), "still": 0, "fixed": before.violation_count or 0})
            if run.rows_digest and run.rows_digest == before.rows_digest:
                return said.model_copy(update={"new": 0, "still": len(rows), "fixed": 0, "by": run.key})
            found = compare(self._rows_of(before.run_id, before.violation_count), storable(rows), run.key)
        except NotComparable as reason:
            return said.model_copy(update={"incomparable": str(reason)})
        counts = {"new": len(found.new), "still": len(found.still), "fixed": len(found.fixed), "by": found.by}
        return said.model_copy(update=counts)

    def _rows_of(self, run_id: str, count: int | None) -> pd.DataFrame:
        if count == 0:
            return pd.DataFrame()
        kept = self.kept_rows(run_id)
        if kept is None:
            raise NotComparable("the failing rows of that run are gone")
        return kept

    def _prepare(self) -> None:
        unversioned_folder(self.folder)


def _refuse_other_rule(before: PastRun, run: Run) -> None:
    if before.rule_digest != run.rule_digest:
        raise NotComparable("the rule changed")
    if before.code_digest != run.code_digest:
        raise NotComparable("the code changed")
    sources = sources_of(run.fingerprints, run.given)
    for name, before_it in (before.sources or {}).items():
        if (source := sources.get(name, before_it)) != before_it:
            raise NotComparable(f"{name} was {before_it or _OWN} and is {source or _OWN}")
    if before.exceptions != run.exceptions:
        raise NotComparable("other known exceptions were left out")

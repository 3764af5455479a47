"""What panel and magic do, without any widget: one table of a workspace explored, probed, turned into checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa

from kernel_sandbox import SandboxError
from pandas_magic.catalog.sources.converted_table import ConvertedTable
from pandas_magic.catalog.sources.dataset_table import DatasetTable
from pandas_magic.catalog.sources.file_pieces import first_rows
from pandas_magic.catalog.sources.file_sizes import file_bytes_of
from pandas_magic.catalog.sources.file_table import FileTable
from pandas_magic.catalog.sources.memory import FrameTable
from pandas_magic.catalog.sources.unpacked_table import UnpackedTable, unpackable
from pandas_magic.checking.kept_sandboxes import begin_sandbox
from pandas_magic.checking.result import Result
from pandas_magic.errors import TableUnreadable, UsageMistake
from pandas_magic.explore.delivery import policy_of
from pandas_magic.explore.exploration_request import ExplorationRequest
from pandas_magic.explore.oversize import constraints_of, file_without_room, has_small_pieces, subject_within
from pandas_magic.explore.profiling import exploration_of
from pandas_magic.explore.proposal import Proposal
from pandas_magic.explore.proposals import proposals
from pandas_magic.explore.pushed_selection import Filter, filter_where
from pandas_magic.explore.row_selection import Mask, names_in_report, rows_where
from pandas_magic.explore.subject import Subject
from pandas_magic.explore.unfinished import NothingExplored
from pandas_magic.explore.uploads import take_upload
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.reporters.html import html_table
from pandas_magic.reporters.value_text import value_text

if TYPE_CHECKING:
    from pandas_magic.explore.delivery import Progress
    from pandas_magic.explore.exploration import Exploration
    from pandas_magic.explore.report import Report
    from pandas_magic.settings import Settings
    from pandas_magic.workspace import Workspace

METRICS = (
    "automatic", "ROC AUC", "average precision", "accuracy", "macro F1", "log loss", "mean absolute error",
    "root mean squared error", "R²",
)  # fmt: skip
_LENT_BYTES = 2**20  # smaller Parquet files are copied sooner than they are unpacked and found again
_PREVIEW_ROWS = 5
_PREVIEW_COLUMNS = 30


def begin_explorer(settings: Settings) -> None:
    """Have the confined process of the next exploration on its way; where there can be none, that one says so."""
    with suppress(SandboxError):
        begin_sandbox(policy_of(constraints_of(settings), isolation=settings.isolation), warm=False)


class Study:
    """One table at a time: explored, probed, turned into checks. Its confined process lives until the next table."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._constraints = constraints_of(workspace.settings)
        self._exploration: Exploration | None = None
        self.report: Report | None = None
        self._held: tuple[str, str, pd.DataFrame] | None = None  # a table's name and identity, and its rows

    def tables(self) -> list[str]:
        """The names of all tables."""
        return self._workspace.table_names()

    def take_upload(self, file_name: str, content: bytes) -> tuple[str, str]:
        """The table that a file is from now on, and in words where it lies. Raises as `uploads.take_upload`."""
        name, path = take_upload(self._workspace, file_name, content)
        return name, str(path.relative_to(self._workspace.base_dir))

    def columns(self, table: str) -> list[str]:
        """The columns of a table of the catalog as a report names them. Raises: NoSuchName, TableUnreadable."""
        # To describe a frame reads it; and two columns of one name stop a check, but no look.
        source = self._workspace.catalog.source(table)
        if isinstance(source, FrameTable):
            return names_in_report(self.frame(table))
        if isinstance(source, DatasetTable | FileTable):
            return list(source.outline().columns)
        return list(self._workspace.catalog.schema(table).columns)

    def frame(self, table: str) -> pd.DataFrame:
        """The table itself, read once for all that shows it. Raises: NoSuchName, TableUnreadable."""
        catalog = self._workspace.catalog
        known = table, catalog.identity(table)
        if self._held is None or self._held[:2] != known or not known[1]:
            self._held = None  # there may be no room for both
            self._held = *known, self._read(table)
        return self._held[2]

    def _read(self, table: str) -> pd.DataFrame:
        """The table; of Parquet from its unpacked columns, which the explorer's process maps too instead of a copy."""
        source = self._workspace.catalog.source(table)
        unpacked = None
        if isinstance(source, DatasetTable) and (file_bytes_of(source) or 0) >= _LENT_BYTES:
            unpacked = unpackable(source, as_frames=True)
        if unpacked is not None:
            with suppress(TableUnreadable):  # the disk is full by now, or the file is another
                return unpacked.frame()
        return self._workspace.catalog.frame(table)

    def has_room(self, table: str) -> bool:
        """Whether the table is held here; else it is explored where it lies."""
        return file_without_room(self._workspace.catalog, table, self._constraints) is None

    def rows_where(self, table: str, frame: pd.DataFrame, said: str) -> Mask:
        """The rows of a table, as `frame` has it, that a part of its report is about.

        Raises: UsageMistake when the report is about another table; as `row_selection.rows_where`.
        """
        return rows_where(frame, self._report_about(table), said)

    def filter_where(self, table: str, schema: pa.Schema, said: str) -> Filter:
        """The same of a table that has no room, as a filter for the reader of its files. Raises as `rows_where`."""
        return filter_where(schema, self._report_about(table), said)

    def _report_about(self, table: str) -> Report:
        if self.report is None:
            raise NothingExplored()
        if self.report.table != table:
            raise UsageMistake(f'the report is about "{self.report.table}"; explore "{table}" to choose rows of it')
        return self.report

    def files_of(self, table: str) -> DatasetTable | ConvertedTable | UnpackedTable | None:
        """What has the rows of a table that has no room, to be looked through piece by piece.

        Large row groups are to be unpacked first, where the disk has room for that.
        """
        source = self._workspace.catalog.source(table)
        if isinstance(source, FileTable):
            return ConvertedTable(source) if source.converted(source.identity()) is not None else None
        if not isinstance(source, DatasetTable):
            return None
        if not has_small_pieces(source, self._constraints, at_once=True) and (unpacked := unpackable(source)):
            return unpacked
        return source if has_small_pieces(source, self._constraints) else None

    def _why_no_rows(self, table: str) -> str:
        """Why no more than the first rows are shown of a table that has no room, and what can be done; "" of others."""
        if self.has_room(table) or self.files_of(table) is not None:
            return ""
        if isinstance(self._workspace.catalog.source(table), DatasetTable):
            return (
                f"a row group of its files takes too much of {self._constraints.memory_mb:,} MiB. Write it with "
                "smaller ones, as to_parquet(path, row_group_size=100_000) does, raise the setting memory_bytes, or "
                "make room on the disk"
            )
        return "a column of it holds values of different kinds. Write it as Parquet, or raise the setting memory_bytes"

    def preview(self, table: str) -> str:
        """The first rows as HTML; at most thirty columns of them, and it says so."""
        head, rows_of_all, columns_of_all = self._head(table)
        header = ["", *(value_text(name, at_most=30) for name in head.columns)]
        rows = [
            [str(at), *(value_text(value, at_most=30) for value in row)]
            for at, row in enumerate(head.itertuples(index=False))
        ]
        hidden = columns_of_all - head.shape[1]
        more = f"<p>… and {hidden} more columns</p>" if hidden else ""
        size = f"<p>{rows_of_all:,} rows, {columns_of_all} columns</p>"
        why = self._why_no_rows(table)
        only = f"<p>Only its first rows are shown: {escape(why)}.</p>" if why else ""
        return size + html_table([header, *rows], to_the_right=[True] + [False] * head.shape[1]) + more + only

    def _head(self, table: str) -> tuple[pd.DataFrame, int, int]:
        """The first rows of the first columns, and how many rows and columns there are."""
        if self.has_room(table):
            frame = self.frame(table)
            return frame.head(_PREVIEW_ROWS).iloc[:, :_PREVIEW_COLUMNS], *frame.shape
        source = self._workspace.catalog.source(table)
        if isinstance(source, DatasetTable):
            with source.opened() as files:
                first, rows = first_rows(files.dataset, _PREVIEW_ROWS), int(files.dataset.count_rows())
            return first.select(range(min(first.num_columns, _PREVIEW_COLUMNS))).to_pandas(), rows, first.num_columns
        known = self._workspace.catalog.schema(table)
        shown = list(known.columns)[:_PREVIEW_COLUMNS]
        first = next(iter(self._workspace.catalog.batches(table, shown, rows=_PREVIEW_ROWS)))
        return first.slice(0, _PREVIEW_ROWS).to_pandas(), known.row_count or 0, len(known.columns)

    def explore(
        self,
        table: str,
        target: str | None,
        *,
        metric: str = "automatic",
        confirmed: bool = False,
        inputs: dict[str, Any] | None = None,
        on_progress: Progress = lambda _: None,
        on_report: Callable[[Report], None] | None = None,
    ) -> Report:
        """The report of a table, which `on_report` gets part by part before; NeedsConfirmation asks about wide ones.

        Raises as `Exploration.run`.
        """
        self.close()
        self.report = None
        on_progress("reading")
        self._exploration = exploration_of(
            self._subject(table),
            ExplorationRequest.of(table, target, inputs or {}, self._constraints.model_dump(exclude_unset=True)),
            around=self._workspace,
            folder=self._workspace.journal.folder,
            confirmed=confirmed,
            metric=metric,
            on_progress=on_progress,
            on_report=partial(self._read_along, on_report) if on_report else None,
        )
        self.report = self._exploration.run()
        return self.report

    def _subject(self, table: str) -> Subject:
        catalog = self._workspace.catalog
        if table in catalog.names() and self.has_room(table):
            return Subject(table, frame=self.frame(table))
        return subject_within(catalog, table, self._constraints)

    def _read_along(self, on_report: Callable[[Report], None], report: Report) -> None:
        self.report = report
        on_report(report)

    def probe(self, name: str, *, columns: Sequence[str] = (), other: str | None = None) -> Report:
        """The report with one more probe; `other` is a table to compare with. Raises as `Exploration.probe`."""
        exploration = self._running()
        options = {"columns": list(columns)} if columns else {}
        frame = None if other is None else self.frame(other)
        self.report = exploration.probe(name, other=frame, **options)
        return self.report

    def settle(self, column: str, reading: str) -> Report:
        """The report anew with the meaning that a person gave a column."""
        self.report = self._running().settle(column, reading)
        return self.report

    def proposals(self) -> tuple[Proposal, ...]:
        """The checks that can be made of what was found."""
        if self.report is None:
            return ()
        return proposals(self.report, self._workspace.catalog.schemas())

    def make_check(self, sentence: str, on_progress: Progress = lambda _: None) -> Result:
        """A rule compiled, proved, run and kept. Raises as `Workspace.check`."""
        return self._workspace.check(CheckRequest(rule=sentence), on_progress=on_progress)

    def droppable(self) -> dict[str, str]:
        """The columns that the report proposes to drop, or to look at before use, each with its proposal."""
        if self.report is None:
            return {}
        flagged = set(self.report.document.flags.possible_leakage)
        return {
            name: "; ".join(self.report.details.columns[name].steps)
            for name, profile in self.report.document.columns_profile.items()
            if profile.suggested_action == "drop" or name in flagged
        }

    def without(self, columns: Sequence[str]) -> pd.DataFrame:
        """The explored table without these columns; the table itself is left as it is."""
        if self.report is None:
            raise NothingExplored()
        return self.frame(self.report.table).drop(columns=list(columns))

    def stop(self) -> None:
        """End what is running, from another thread."""
        if self._exploration is not None:
            self._exploration.stop()

    def close(self) -> None:
        """End the confined process; the report stays."""
        if self._exploration is not None:
            self._exploration.close()
            self._exploration = None

    def _running(self) -> Exploration:
        if self._exploration is None:
            raise NothingExplored()
        return self._exploration

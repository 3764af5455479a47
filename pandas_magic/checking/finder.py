"""What code finds in the tables: staged, executed in a confined kernel, fetched; nothing is judged here."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from kernel_sandbox import Execution, SandboxError, SandboxUnavailable
from pandas_magic.catalog import Catalog, Table
from pandas_magic.catalog.described_dtypes import with_dtypes
from pandas_magic.catalog.progress import pace, watched_by
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.engines.deputy import Deputy
from pandas_magic.checking.engines.in_database import InDatabase
from pandas_magic.checking.engines.in_files import InFiles
from pandas_magic.checking.found import Found, Looked, failure, unless_different, with_counts
from pandas_magic.checking.looking import InFull
from pandas_magic.checking.overflows import overflow_of
from pandas_magic.checking.own_code import OwnCode, told_code
from pandas_magic.checking.own_rows import are_rows_of
from pandas_magic.checking.partitions import (
    IN_PARTS,
    PART_SHARE,
    part_count,
    parts,
    said_before_reading,
    said_of_size,
)
from pandas_magic.checking.whole_statistics import taken_out
from pandas_magic.clock import Instant
from pandas_magic.constraints import identifier, judges_columns, render_code
from pandas_magic.constraints.algebra.rules import RowRule
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.settings import Settings

_RESULT = "violations"
_SAY_SO = "one of them is wrong; set engine to pandas, and report it"
Progress = Callable[[str], None]


@dataclass(frozen=True)
class EditedCode:
    """Code to run in place of a check's own, what it reads, and whether its verdict may count."""

    code: str
    reads: Mapping[str, Sequence[str]]  # table -> columns
    allowed: bool = False
    line: int = 1  # of its first line in the cell that a person sees, by which errors count


class Finder:
    """Runs code on the tables of a catalog, in a kernel in which nothing has run before."""

    def __init__(self, catalog: Catalog, settings: Settings, bench: Bench) -> None:
        self.catalog, self.settings, self.bench = catalog, settings, bench

    def on_our_kernel(self) -> Finder:
        """What finds rows in our own confined kernel, whatever executor is set."""
        ours = self.bench.ours()
        return self if ours is self.bench else Finder(self.catalog, self.settings, ours)

    def find_rows(
        self, code: str, frames: Mapping[str, pd.DataFrame], *, fresh: bool = True, instant: Instant | None = None
    ) -> Found:
        """Run `code` on `frames` and fetch what it bound to `violations`.

        Without `fresh` the kernel still holds what the code before left. `instant` is what `now` means there; the
        present or the one in the settings when it is not given.

        Raises: kernel_sandbox.SandboxUnavailable when the code could not be confined.
        """
        sandbox = self.bench.fresh_sandbox() if fresh else self.bench.sandbox()
        try:
            moment = instant or self.instant()
            for name, frame in frames.items():
                sandbox.stage(identifier(name), frame)
            sandbox.stage_value("now", moment.local)
            sandbox.stage_value("utc_now", moment.utc)
            execution = sandbox.execute(code, wall_seconds=self.settings.wall_seconds)
            if execution.status != "ok":
                return Found(execution, None, failure(execution))
            return Found(execution, sandbox.fetch_frame(_RESULT))
        except SandboxUnavailable:
            raise
        except SandboxError as error:
            return Found(None, None, str(error))

    def find_own_rows(self, compiled: CompiledCheck, code: str, frames: Mapping[str, pd.DataFrame]) -> Found:
        """What `code`, which the compiler wrote for the check's rule, finds; by an engine where one may stand in."""
        assert compiled.constraint is not None
        deputy = self.deputy()
        answer = deputy.answer(compiled, frames, self.instant(), self._own_code().with_expected)
        if isinstance(answer, str):
            found = self._find_by_pandas(compiled, code, frames)
            return replace(found, said=answer) if answer else found
        if isinstance(answer, Execution):
            return Found(answer, None, failure(answer), engine=deputy.engine)
        if isinstance(compiled.constraint, RowRule):
            rows = self.catalog.rows(compiled.target, answer.positions)
            found = Found(answer.execution, rows, positions=answer.positions)
        elif not answer.positions:
            found = Found(answer.execution, pd.DataFrame())
        else:
            found = self._find_by_pandas(compiled, code, frames)  # which shows the statistics that break the rule
            if found.rows is not None and not len(found.rows):
                return Found(None, None, f"{deputy.engine} finds the rule broken and its code does not; {_SAY_SO}")
        return replace(found, engine=deputy.engine, left_open=answer.left_open)

    def deputy(self) -> Deputy:
        """What may stand in for the pandas of checks."""
        return Deputy(self.catalog, self.settings, self.bench)

    def _find_by_pandas(self, compiled: CompiledCheck, code: str, frames: Mapping[str, pd.DataFrame]) -> Found:
        told, wanted = told_code(compiled, code)
        own = self._own_code().find(compiled, told, frames, self.instant(), wanted=wanted)
        if own is None:
            return self.find_rows(code, frames)
        if own.positions is not None:
            rows = self.catalog.rows(compiled.target, own.positions)
            found = Found(own.execution, rows, positions=own.positions, ran_ahead=own.ran_ahead)
            return with_counts(found, own.counts, own.beside, compiled, rows=len(frames[compiled.target]))
        if own.rows is None and own.execution is not None:
            return Found(own.execution, None, failure(own.execution), ran_ahead=own.ran_ahead)
        found = Found(own.execution, own.rows, ran_ahead=own.ran_ahead)
        return taken_out(found) if told != code and own.rows is not None else found

    def count_own_rows(self, compiled: CompiledCheck, code: str, frames: Mapping[str, pd.DataFrame]) -> int | None:
        """How many rows `code`, which the compiler wrote, finds; None when it did not get to its end."""
        own = self._own_code().find(compiled, code, frames, self.instant(), wanted="count")
        if own is None:
            rows = self.find_rows(code, frames).rows
            return None if rows is None else len(rows)
        return own.count

    def _own_code(self) -> OwnCode:
        settings = self.settings
        return OwnCode(self.catalog, self.bench, wall_seconds=settings.wall_seconds, memory_bytes=settings.memory_bytes)

    def instant(self) -> Instant:
        """The moment that "now" means in a rule."""
        return Instant.at(self.settings.now) if self.settings.now else Instant.current()

    def look(
        self, compiled: CompiledCheck, edited: EditedCode | None, on_progress: Progress, *, alone: bool = False
    ) -> Looked:
        """What the code finds in the tables as they are now; `alone`, without the rule's own code beside it.

        Raises: TableUnreadable, NoSuchName.
        """
        by_columns = compiled.constraint is not None and judges_columns(compiled.constraint)
        reads = compiled.plan.reads if edited is None else edited.reads
        tables = self.catalog.schemas(tuple(reads)) if edited is None else {}
        own = "" if edited is not None or alone else _todays_code(compiled, tables)
        fingerprints = {name: self.catalog.identity(name) for name in reads}
        placed, part = self._placed(compiled, own) if edited is None else ("", "")
        if isinstance(placed, Found):
            return Looked(placed, {}, fingerprints, "", in_parts=False, edited=False, part=part)
        large = "" if edited is not None or by_columns else self._said_of_size(compiled, tables)
        in_parts = large.endswith(IN_PARTS)
        columns = dict.fromkeys(reads) if by_columns else reads
        large = large or said_before_reading(tables, columns, over_bytes=self.settings.warn_bytes)
        if large:
            on_progress(large)
        frames = {} if in_parts else self._frames(compiled, edited, on_progress)
        on_progress("running")
        if in_parts:
            found = self._find_in_parts(compiled, own, on_progress)
        else:
            found = self._found_in(frames, compiled, edited, own=own, fingerprints=fingerprints)
        if placed and not found.engine and not found.said:
            found = replace(found, said=placed)
        return Looked(found, frames, fingerprints, large, in_parts=in_parts, edited=edited is not None, part=part)

    def _placed(self, compiled: CompiledCheck, own: str) -> tuple[Found | str, str]:
        """What is found without the whole tables at hand, or why an engine gives no answer; and of which part."""
        is_own = own != "" and own == compiled.code
        in_database = self.in_database().find(compiled, self.instant()) if is_own else ""
        if isinstance(in_database, Found):
            return in_database, ""
        new, part = self._only_new(compiled, own)
        if new is not None or in_database or not is_own:
            return new or in_database, part
        return InFiles(self.catalog, self.settings, self.bench).find(compiled, self.instant()), part

    def _found_in(
        self,
        frames: Mapping[str, pd.DataFrame],
        compiled: CompiledCheck,
        edited: EditedCode | None,
        *,
        own: str,
        fingerprints: Mapping[str, str],
    ) -> Found:
        """What the code finds in whole tables; `own` is the rule's own code, "" when nothing is to be compared."""
        if edited is not None:
            # A comment for each line above it in the cell: the shell would take blank lines away.
            return self.find_rows("#\n" * (edited.line - 1) + edited.code, frames)
        if overflow := overflow_of(compiled.constraint, frames, compiled.code):
            return Found(None, None, overflow)
        if own and own == compiled.code:
            if not self.catalog.holds_still:
                self.bench.take_versions(fingerprints)
            return self.find_own_rows(compiled, own, frames)
        return self._with_whole_rows(compiled.target, self._found_alike(compiled, own, frames), frames)

    def in_database(self) -> InDatabase:
        """What may look at tables of databases where they lie."""
        return InDatabase(self.catalog, self.settings, self.bench)

    def _found_alike(
        self, compiled: CompiledCheck, own: str, frames: Mapping[str, pd.DataFrame], instant: Instant | None = None
    ) -> Found:
        """What the check's code finds, where `own`, the rule's own code, finds the same; "": nothing is compared."""
        found = self.find_rows(compiled.code, frames, instant=instant)
        if found.rows is None or own in ("", compiled.code):
            return found
        other = self.find_rows(own, frames, instant=instant)
        if other.rows is None:
            return Found(found.execution, None, f"the rule's own code could not be run beside it: {other.error}")
        return unless_different(compiled, found, other.rows, frames.get(compiled.target))

    def _with_whole_rows(self, target: str, found: Found, frames: Mapping[str, pd.DataFrame]) -> Found:
        """What was found, the rows that only one of two codes finds with every column of their table."""
        differing = found.differing
        if differing is None or target not in frames or not are_rows_of(differing, frames[target]):
            return found
        return replace(found, differing=self.catalog.rows(target, [int(position) for position in differing.index]))

    def _frames(
        self, compiled: CompiledCheck, edited: EditedCode | None, on_progress: Progress
    ) -> dict[str, pd.DataFrame]:
        wanted: Mapping[str, Sequence[str] | None] = compiled.plan.reads if edited is None else edited.reads
        if edited is None and compiled.constraint is not None and judges_columns(compiled.constraint):
            wanted = dict.fromkeys(compiled.plan.reads)
        frames = {}
        for name, columns in wanted.items():
            on_progress(f"reading {name}")
            with watched_by(on_progress):
                frames[name] = with_dtypes(self.catalog.frame(name, columns), compiled.schemas.get(name, {}))
        return frames

    def _said_of_size(self, compiled: CompiledCheck, tables: Mapping[str, Table]) -> str:
        return said_of_size(compiled.constraint, tables, compiled.plan.reads, memory_bytes=self.settings.memory_bytes)

    def _only_new(self, compiled: CompiledCheck, own: str) -> tuple[Found | None, str]:
        """What is found by looking at new files alone, where that is asked for and sure, and what is said of it."""
        if not self.settings.only_new or self.catalog.since:
            return None, ""
        from pandas_magic.checking.only_new import OnlyNew

        def find_in_some(code: str, frames: Mapping[str, pd.DataFrame]) -> Found:
            self.bench.own_sandbox(object())  # in which no table counts as staged, now or afterwards
            return self.find_rows(code, frames, fresh=False)

        try:
            if own != compiled.code:
                raise InFull("its code is not the compiler's")
            return OnlyNew(compiled, self.catalog, self.settings, find_in_some).find()
        except InFull as why:
            return None, f"looked at all rows of {compiled.target}: {why}"

    def _find_in_parts(self, compiled: CompiledCheck, own: str, on_progress: Progress) -> Found:
        """What the check's own code finds part by part, as whole rows of its table."""
        assert compiled.constraint is not None
        target, instant, positions = compiled.constraint.table, self.instant(), list[int]()
        found = Found(None, None, f"{target} has no part to look at")
        part_bytes = self.settings.memory_bytes // PART_SHARE
        count = part_count(self.catalog, compiled.plan.reads, part_bytes=part_bytes)
        rows, began = self.row_count(target) or 0, time.monotonic()
        pieces = parts(compiled.constraint, self.catalog, compiled.plan.reads, part_bytes=part_bytes)
        for number, part in enumerate(pieces):
            what = f"running on part {number + 1} of {count} of {target}"
            seconds = time.monotonic() - began
            on_progress(pace(what, rows * number // count, rows, seconds=seconds, unit="rows"))
            frames = {name: with_dtypes(frame, compiled.schemas.get(name, {})) for name, frame in part.frames.items()}
            overflow = overflow_of(compiled.constraint, frames, compiled.code)
            found = Found(None, None, overflow) if overflow else self._found_alike(compiled, own, frames, instant)
            if found.rows is None:
                return found
            if len(found.rows) and not are_rows_of(found.rows, frames[target]):
                return Found(found.execution, None, f"the code does not give rows of {target}, so it needs the whole")
            positions += [int(part.positions[position]) for position in found.rows.index]
        return Found(found.execution, self.catalog.rows(target, sorted(positions)), positions=tuple(sorted(positions)))

    def row_count(self, target: str) -> int | None:
        """How many rows a table has; None when that is not known, or the table is not there."""
        return self.catalog.schema(target).row_count if target in self.catalog.names() else None


def _todays_code(compiled: CompiledCheck, tables: Mapping[str, Table]) -> str:
    """What the compiler writes for the rule today; "" where no typed rule says what is meant."""
    return "" if compiled.constraint is None else render_code(compiled.constraint, tables)

"""The runner: stage, execute, count, judge. The code finds rows; the verdict is given here."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from kernel_sandbox import Execution, Sandbox, SandboxError, SandboxUnavailable
from pandas_magic.catalog import Catalog
from pandas_magic.catalog.arrow import with_dtypes
from pandas_magic.catalog.progress import pace, watched_by
from pandas_magic.checking.abstentions import abstention_codes, may_abstain
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.judging import judge
from pandas_magic.checking.known_exceptions import Sieved, sieve
from pandas_magic.checking.own_rows import are_rows_of
from pandas_magic.checking.partitions import can_be_parted, estimated_bytes, is_row_local, part_count, parts
from pandas_magic.clock import Instant, run_id, timestamp
from pandas_magic.constraints import identifier, judges_columns
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.errors import NoSuchName, TableUnreadable
from pandas_magic.history.keys import key_of
from pandas_magic.history.run import Run, Verdict
from pandas_magic.record import digest
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.resting import said_of_rest, why_resting
from pandas_magic.settings import Settings

_RESULT = "violations"
_GIGABYTE = 1024**3
_IN_PARTS = "looked at in parts"
# Code makes masks and copies beside its tables, so that these may take only a part of the memory.
_LARGE_SHARE, _PART_SHARE = 2, 8
# Hashing 60 million integers took three times the memory that they take themselves.
_KEYED_SHARE = 6
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Found:
    """What a piece of code did: how it went, and the frame that it bound to `violations` (None when it failed)."""

    execution: Execution | None  # None: the tables never reached the kernel
    rows: pd.DataFrame | None
    error: str = ""  # one line; empty when `rows` is there
    positions: tuple[int, ...] | None = None  # where the rows stand in the table; None: their index says, or nothing


class Runner:
    """Runs checks on the tables of a catalog, each in a kernel in which nothing has run before."""

    def __init__(self, catalog: Catalog, settings: Settings, bench: Bench) -> None:
        self.catalog, self.settings, self.bench = catalog, settings, bench

    def run(
        self,
        compiled: CompiledCheck,
        *,
        code: str | None = None,
        reads: Mapping[str, Sequence[str]] | None = None,
        notes: Sequence[str] = (),
        on_progress: Progress = lambda _: None,
    ) -> Run:
        """Run a check's code, or `code` in its place, on the tables as they are now, and judge what it found.

        `reads` names the tables and columns to stage where they differ from the plan's. A table that cannot be read
        and code that fails give a run with the verdict ERROR; only a sandbox that cannot confine raises.

        Raises: kernel_sandbox.SandboxUnavailable when the code could not be confined.
        """
        started, before = timestamp(), time.monotonic()
        source = compiled.code if code is None else code
        day = self.instant().local.date()
        if resting := why_resting(compiled, day):
            return _run(compiled, source, started, before, verdict=Verdict.SKIPPED, summary=f"SKIPPED: {resting}")
        try:
            by_columns = compiled.constraint is not None and judges_columns(compiled.constraint)
            large = "" if code is not None or by_columns else self._said_of_size(compiled)
            in_parts = large.endswith(_IN_PARTS)
            fingerprints = {name: self.catalog.identity(name) for name in reads or compiled.plan.reads}
            frames = {} if in_parts else self._frames(compiled, reads, on_progress)
            on_progress("running")
            found = self._find_in_parts(compiled, on_progress) if in_parts else self.find_rows(source, frames)
        except (TableUnreadable, NoSuchName) as error:
            return _run(compiled, source, started, before, **_failed(str(error)))
        self.bench.refuse_when_stopped()
        said = (*notes, *([large] if large else []), *said_of_rest(compiled, day))
        facts: dict[str, object] = {"notes": said, "confined": self.bench.confined(), "fingerprints": fingerprints}
        if found.execution is not None:
            facts["stdout"] = found.execution.stdout
        if found.rows is None:
            return _run(compiled, source, started, before, **_failed(found.error), **facts)
        target = compiled.target
        rows, positions = self._whole_rows(target, frames, found.rows)
        positions = found.positions if in_parts else positions
        left = sieve(compiled, rows, positions, day)
        total = len(frames[target]) if target in frames else self._row_count(target)
        facts |= _judged(compiled, left, total, said)
        if not in_parts and code in (None, compiled.code):
            facts["not_judged"] = self._not_judged(compiled.constraint, frames, len(found.rows))
        if len(left.rows):
            facts |= {"reason": compiled.plan.violation_means, "key": self._key(target) if left.positions else ()}
        return _run(compiled, source, started, before, **facts).holding(left.rows, compiled.constraint, left.positions)

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
            self._stage(sandbox, frames, instant or self.instant())
            execution = sandbox.execute(code, wall_seconds=self.settings.wall_seconds)
            if execution.status != "ok":
                return Found(execution, None, failure(execution))
            return Found(execution, sandbox.fetch_frame(_RESULT))
        except SandboxUnavailable:
            raise
        except SandboxError as error:
            return Found(None, None, str(error))

    def instant(self) -> Instant:
        """The moment that "now" means in a rule."""
        return Instant.at(self.settings.now) if self.settings.now else Instant.current()

    def _stage(self, sandbox: Sandbox, frames: Mapping[str, pd.DataFrame], instant: Instant) -> None:
        for name, frame in frames.items():
            sandbox.stage(identifier(name), frame)
        sandbox.stage_value("now", instant.local)
        sandbox.stage_value("utc_now", instant.utc)

    def _frames(
        self, compiled: CompiledCheck, reads: Mapping[str, Sequence[str]] | None, on_progress: Progress
    ) -> dict[str, pd.DataFrame]:
        wanted: Mapping[str, Sequence[str] | None] = reads or compiled.plan.reads
        if reads is None and compiled.constraint is not None and judges_columns(compiled.constraint):
            wanted = dict.fromkeys(compiled.plan.reads)
        frames = {}
        for name, columns in wanted.items():
            on_progress(f"reading {name}")
            with watched_by(on_progress):
                frames[name] = with_dtypes(self.catalog.frame(name, columns), compiled.schemas.get(name, {}))
        return frames

    def _not_judged(
        self, constraint: Constraint | None, frames: Mapping[str, pd.DataFrame], violations: int
    ) -> int | None:
        """How many rows the rule neither accepts nor flags; None when that could not be counted."""
        if not isinstance(constraint, RowRule):
            return None
        if not may_abstain(frames):
            return 0
        decided = violations
        for code in abstention_codes(constraint, self.catalog.schemas(tuple(frames))):
            found = self.find_rows(code, frames, fresh=False)
            if found.rows is None:
                return None
            decided += len(found.rows)
        return len(frames[constraint.table]) - decided

    def _said_of_size(self, compiled: CompiledCheck) -> str:
        """What a reader should know of tables too large for the kernel's memory; "" when they are not."""
        tables = self.catalog.schemas(list(compiled.plan.reads))
        sizes = [estimated_bytes(tables[name], columns) for name, columns in compiled.plan.reads.items()]
        need = sum(size or 0 for size in sizes)
        parted = can_be_parted(compiled.constraint, tables)
        share = _KEYED_SHARE if parted and not is_row_local(compiled.constraint) else _LARGE_SHARE
        if need <= self.settings.memory_bytes // share:
            return ""
        how = _IN_PARTS if parted else "which the rule needs at once"
        return f"large: about {need / _GIGABYTE:,.1f} GB of columns, {how}"

    def _find_in_parts(self, compiled: CompiledCheck, on_progress: Progress) -> Found:
        """What the check's own code finds part by part, as whole rows of its table."""
        assert compiled.constraint is not None
        target, instant, positions = compiled.constraint.table, self.instant(), list[int]()
        found = Found(None, None, f"{target} has no part to look at")
        part_bytes = self.settings.memory_bytes // _PART_SHARE
        count = part_count(self.catalog, compiled.plan.reads, part_bytes=part_bytes)
        rows, began = self._row_count(target) or 0, time.monotonic()
        pieces = parts(compiled.constraint, self.catalog, compiled.plan.reads, part_bytes=part_bytes)
        for number, part in enumerate(pieces):
            what = f"running on part {number + 1} of {count} of {target}"
            seconds = time.monotonic() - began
            on_progress(pace(what, rows * number // count, rows, seconds=seconds, unit="rows"))
            frames = {name: with_dtypes(frame, compiled.schemas.get(name, {})) for name, frame in part.frames.items()}
            found = self.find_rows(compiled.code, frames, instant=instant)
            if found.rows is None:
                return found
            if len(found.rows) and not are_rows_of(found.rows, frames[target]):
                return Found(found.execution, None, f"the code does not give rows of {target}, so it needs the whole")
            positions += [int(part.positions[position]) for position in found.rows.index]
        return Found(found.execution, self.catalog.rows(target, sorted(positions)), positions=tuple(sorted(positions)))

    def _key(self, target: str) -> tuple[str, ...]:
        return key_of(self.catalog.schema(target), self.settings.keys)

    def _row_count(self, target: str) -> int | None:
        return self.catalog.schema(target).row_count if target in self.catalog.names() else None

    def _whole_rows(
        self, target: str, frames: Mapping[str, pd.DataFrame], found: pd.DataFrame
    ) -> tuple[pd.DataFrame, tuple[int, ...] | None]:
        """The rows with every column of their table, and their positions in it; None when they are no rows of it."""
        staged = frames.get(target)
        if staged is not None and len(found) and are_rows_of(found, staged):
            positions = tuple(int(position) for position in found.index)
            return self.catalog.rows(target, positions), positions
        return found, None if len(found) else ()


def errored_run(compiled: CompiledCheck, error: str) -> Run:
    """A run that did not take place, with the reason."""
    return _run(compiled, compiled.code, timestamp(), time.monotonic(), **_failed(error))


def failure(execution: Execution) -> str:
    """Why the code did not get to its end, in one line."""
    if execution.status != "error":
        return execution.reason
    where = f" in line {execution.error_line}" if execution.error_line else ""
    text = execution.error_text.strip().splitlines()
    return f"{execution.error_name}{where}: {text[0] if text else 'no message'}"


def _judged(compiled: CompiledCheck, left: Sieved, rows: int | None, said: Sequence[str]) -> dict[str, object]:
    count = len(left.rows)
    judgement = judge(compiled, count, rows, table=compiled.target, excepted=left.excepted)
    return {
        "verdict": judgement.verdict,
        "violation_count": count,
        "rows": rows,
        "summary": judgement.summary,
        "warned": judgement.warned,
        "excepted": left.excepted,
        "exceptions": left.applied,
        "notes": (*said, *judgement.notes, *left.notes),
    }


def _failed(error: str) -> dict[str, object]:
    return {"verdict": Verdict.ERROR, "error": error, "summary": f"{Verdict.ERROR}: {error}"}


def _run(compiled: CompiledCheck, code: str, started: str, before: float, **outcome: object) -> Run:
    content = {
        "run_id": run_id(),
        "check_id": compiled.id,
        "code": code,
        "rule_digest": compiled.rule_digest,
        "code_digest": digest(code),
        "started_at": started,
        "seconds": round(time.monotonic() - before, 4),
        **outcome,
    }
    return Run.model_validate(content)

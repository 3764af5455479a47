"""The compiler's own code: many checks share a kernel and the tables staged in it, and only positions come back.

What is exactly what the compiler writes for a rule was written by us, so nothing that ran before it in the same kernel
can have meddled with it. All other code runs alone.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import dropwhile, islice
from typing import Literal

import pandas as pd

from kernel_sandbox import Execution, Sandbox, SandboxError, SandboxUnavailable
from pandas_magic.catalog import Catalog
from pandas_magic.catalog.described_dtypes import with_dtypes
from pandas_magic.catalog.sources.file_sizes import file_bytes_of
from pandas_magic.checking.abstentions import NOTHING, Beside, counted_beside, may_abstain
from pandas_magic.checking.ahead import (
    MOST_ROWS,
    FoundAhead,
    Positions,
    counting_code,
    function_code,
    gathering_code,
    taken_apart,
)
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.partitions import LARGE_SHARE, estimated_bytes, is_better_left_in_files
from pandas_magic.checking.whole_statistics import WITH_STATISTICS
from pandas_magic.clock import Instant
from pandas_magic.constraints import identifier, render_code
from pandas_magic.constraints.algebra.rules import RowRule, TableRule
from pandas_magic.errors import NoSuchName, TableUnreadable
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.staleness import staleness

_MOMENTS = "now, utc_now = pd.Timestamp({now!r}), pd.Timestamp({utc_now!r})\n"
_PROGRAM = """{check}_found = {what}
del _check
"""
# What others find is counted where the check itself took little of its time; -1 where it is not.
_BESIDE = """{check}{others}
from time import monotonic as _clock
_began, _counts = _clock(), {none}
_found = _check().index
if {always} or not len(_found):
    try:
        if _clock() - _began < {quick_seconds}:
            _counts = [len(_other()) for _other in ({names},)]
    except Exception:
        pass
_found = pd.DataFrame({{"position": np.append(_counts, _found)}})
del _check, {names}
"""
_QUICK_SHARE = 8
# What is wanted of the rows found, and what the program binds for it.
Wanted = Literal["rows", "positions", "count"]
_BOUND: dict[Wanted, str] = {
    "rows": "_check()",
    "positions": 'pd.DataFrame({"position": _check().index})',
    "count": "len(_check())",
}


@dataclass(frozen=True)
class OwnFound:
    """What own code found, as it was wanted; nothing of it when the time was over."""

    execution: Execution | None = None  # None: it was found together with other checks
    rows: pd.DataFrame | None = None
    positions: Positions | None = None
    count: int | None = None
    beside: Beside = NOTHING
    counts: tuple[int, ...] = ()  # of what the codes of `beside` find; empty: not counted
    ran_ahead: tuple[float, float] | None = None  # from when to when, by `time.monotonic`; None: in its turn

    @property
    def is_whole(self) -> bool:
        """Whether the code got to its end."""
        return self.rows is not None or self.positions is not None or self.count is not None


class OwnCode:
    """Runs code of our own at a bench, on tables of a catalog."""

    def __init__(self, catalog: Catalog, bench: Bench, *, wall_seconds: float, memory_bytes: int) -> None:
        self._catalog, self._bench = catalog, bench
        self._wall_seconds, self._memory_bytes = wall_seconds, memory_bytes

    def find(
        self,
        compiled: CompiledCheck,
        code: str,
        frames: Mapping[str, pd.DataFrame],
        instant: Instant,
        *,
        wanted: Wanted,
    ) -> OwnFound | None:
        """What `code`, our own, finds; None when it died or raised, so that it should be tried once more, alone.

        Beside positions it is counted what else a run has to know.

        Raises: kernel_sandbox.SandboxUnavailable when the code could not be confined.
        """
        try:
            if wanted == "positions" and (ahead := self._found_ahead(compiled, instant)) is not None:
                return ahead
            sandbox = self._bench.own_sandbox(self._catalog)
            self._stage(compiled, frames)
            if self._bench.is_coming_up:
                self._stage_others()
            beside = self._beside(compiled, may_miss=may_abstain(frames)) if wanted == "positions" else NOTHING
            program = self._program(code, frames, wanted, beside)
            begun = self._bench.forerun.take(program) if wanted != "count" else []
            found = begun[0] if begun else self._run(sandbox, program, instant, wanted=wanted, beside=beside)
        except SandboxError as error:
            self._bench.forget()
            if isinstance(error, SandboxUnavailable):
                raise
            return None
        if found is None or not found.is_whole:
            self._bench.forget()
        elif wanted != "count":
            self._begin_next(compiled, instant)
        return found

    def _run(
        self, sandbox: Sandbox, program: str, instant: Instant, *, wanted: Wanted, beside: Beside
    ) -> OwnFound | None:
        """What the program finds, nothing of it when its time was over; None when it died or raised."""
        execution = self._execute(sandbox, program, instant)
        if execution.status == "ok":
            return _fetched(sandbox, execution, wanted, beside)
        return OwnFound(execution) if execution.status == "timeout" else None

    def _begin_next(self, compiled: CompiledCheck, instant: Instant) -> None:
        """Let the kernel run the check behind this one, if all that it reads is there, while this one is judged."""
        in_turn = self._bench.in_turn
        following = next(islice(dropwhile(lambda each: each.id != compiled.id, in_turn), 1, None), None)
        if following is None or self._bench.forerun.is_begun:
            return
        with suppress(NoSuchName, TableUnreadable, SandboxError):  # told when its turn comes
            if self._is_small(following) or not self._is_own(following) or not self._is_staged(following):
                return
            frames = {name: self._catalog.frame(name, columns) for name, columns in following.plan.reads.items()}
            told, wanted = told_code(following, following.code)
            beside = self._beside(following, may_miss=may_abstain(frames)) if wanted == "positions" else NOTHING
            program, sandbox = self._program(told, frames, wanted, beside), self._bench.sandbox()
            self._bench.begin_next(program, lambda: self._run(sandbox, program, instant, wanted=wanted, beside=beside))

    def _program(self, code: str, frames: Mapping[str, pd.DataFrame], wanted: Wanted, beside: Beside) -> str:
        narrowed = ", ".join(self._narrowed(frames))
        check = (counting_code if wanted == "count" else function_code)("_check", code, narrowed)
        if not beside.codes:
            return _PROGRAM.format(check=check, what=_BOUND[wanted])
        names = [f"_other_{number}" for number in range(len(beside.codes))]
        return _BESIDE.format(
            check=check,
            others="".join(
                counting_code(name, other, narrowed) for name, other in zip(names, beside.codes, strict=True)
            ),
            none=[-1] * len(names),
            always=beside.always,
            quick_seconds=self._wall_seconds / _QUICK_SHARE,
            names=", ".join(names),
        )

    def _narrowed(self, frames: Mapping[str, pd.DataFrame]) -> Iterator[str]:
        """The tables without the columns that only other checks read, which would be copied with each row."""
        for name, frame in frames.items():
            columns = list(frame.columns)
            if len(self._bench.staged[name]) > len(columns) and all(type(each) is str for each in columns):
                yield f"{identifier(name)}={identifier(name)}[{columns!r}]"

    def _execute(self, sandbox: Sandbox, program: str, instant: Instant) -> Execution:
        self._bench.is_coming_up = False
        return sandbox.execute(moments_in_code(instant) + program, wall_seconds=self._wall_seconds)

    def _found_ahead(self, compiled: CompiledCheck, instant: Instant) -> OwnFound | None:
        """What was found together with other checks of the batch, now or before; None when it is to run by itself."""
        ahead = self._bench.ahead
        if ahead is None:
            return None
        with ahead.claim(compiled) as together:
            if together:
                ahead.put(self._find_together(together, instant))
        found = ahead.take(compiled.id)
        return None if found is None else OwnFound(positions=found.positions, beside=found.beside, counts=found.counts)

    def _find_together(self, checks: Sequence[CompiledCheck], instant: Instant) -> dict[str, FoundAhead]:
        """What those of the checks find that are ready for it, by id; nothing when one of them ended the process."""
        sandbox = self._bench.own_sandbox(self._catalog)
        ready = [
            (check, self._beside(check, may_miss=self._has_gaps(check))) for check in checks if self._is_ready(check)
        ]
        if len(ready) < 2:
            return {}
        execution = self._execute(sandbox, gathering_code(ready), instant)
        if execution.status != "ok":
            self._bench.forget()
            return {}
        return taken_apart(sandbox.fetch_frame("_found"), ready)

    def _beside(self, check: CompiledCheck, *, may_miss: bool) -> Beside:
        return counted_beside(check.constraint, self._catalog.schemas(tuple(check.plan.reads)), may_miss=may_miss)

    def _has_gaps(self, check: CompiledCheck) -> bool:
        """Whether a value is missing in what the check reads, as far as its tables are described."""
        tables = self._catalog.schemas(tuple(check.plan.reads))
        return any(tables[name].missing.get(column) for name, read in check.plan.reads.items() for column in read)

    def _is_ready(self, check: CompiledCheck) -> bool:
        """Whether the check's code is our own, and its tables are small, as when it was compiled, and staged."""
        try:
            if not self._is_small(check) or not self._is_own(check):
                return False
            for name in check.plan.reads.keys() - self._bench.staged.keys():
                frame = self._catalog.frame(name, check.plan.reads[name])
                self._bench.hand_over(name, self.with_expected(name, check, frame))
        except (NoSuchName, TableUnreadable):
            return False  # told when its turn comes
        return self._is_staged(check)

    def _is_small(self, check: CompiledCheck) -> bool:
        """Whether its tables are so small that it is looked at together with others."""
        tables = self._catalog.schemas(tuple(check.plan.reads)).values()
        return all(table.row_count is not None and table.row_count < MOST_ROWS for table in tables)

    def _is_staged(self, check: CompiledCheck) -> bool:
        """Whether the kernel holds all that it reads, as it was when the check was compiled."""
        reads = ((name, column) for name, read in check.plan.reads.items() for column in read)
        staged = self._bench.staged
        return all(staged.get(name, {}).get(column) == check.schemas[name][column] for name, column in reads)

    def _is_own(self, check: CompiledCheck) -> bool:
        """Whether the check's code is what the compiler writes for its rule on the tables as they are now."""
        tables = self._catalog.schemas(tuple(check.plan.reads))
        if check.constraint is None or staleness(check, None, tables):
            return False
        return check.code == render_code(check.constraint, tables)

    def _stage_others(self) -> None:
        """Hand over what the next checks of the batch read, while the kernel comes up and nothing can be asked yet."""
        for check in self._bench.ahead.checks if self._bench.ahead is not None else ():
            unstaged = check.plan.reads.keys() - self._bench.staged.keys()
            with suppress(NoSuchName, TableUnreadable, SandboxError):  # told when its turn comes
                if unstaged and self._is_own(check) and self._are_in_files(unstaged):
                    self._stage(check, {name: self._catalog.frame(name, check.plan.reads[name]) for name in unstaged})

    def _are_in_files(self, names: Collection[str]) -> bool:
        """Whether all are tables in files that are not left there for their size."""
        read = {name: list(self._bench.expected.get(name, ())) for name in names}
        tables = self._catalog.schemas(tuple(names))
        in_files = all(file_bytes_of(self._catalog.source(name)) is not None for name in names)
        is_counted = all(table.row_count is not None for table in tables.values())
        return in_files and is_counted and not is_better_left_in_files(tables, read, memory_bytes=self._memory_bytes)

    def _stage(self, compiled: CompiledCheck, frames: Mapping[str, pd.DataFrame]) -> None:
        for name, frame in frames.items():
            staged = self._bench.staged.get(name, {})
            if any(staged.get(str(column)) != str(dtype) for column, dtype in frame.dtypes.items()):
                self._bench.hand_over(name, self.with_expected(name, compiled, frame))

    def with_expected(self, name: str, compiled: CompiledCheck, frame: pd.DataFrame) -> pd.DataFrame:
        """The frame, with the columns that other checks of the batch read as well, where these fit into the memory."""
        table = self._catalog.schema(name)
        expected: Collection[str] = self._bench.expected.get(name, ())
        more = [column for column in table.columns if column in expected or column in frame]
        if len(more) == len(frame.columns) or (need := estimated_bytes(table, more)) is None:
            return frame
        if need > self._memory_bytes // LARGE_SHARE // max(len(self._bench.expected), 1):
            return frame
        return with_dtypes(self._catalog.frame(name, more), compiled.schemas.get(name, {}))


def told_code(compiled: CompiledCheck, code: str) -> tuple[str, Wanted]:
    """The check's own code as it is run, and what is wanted of it: of a rule about a whole table what it compares."""
    if isinstance(compiled.constraint, TableRule):
        return code + WITH_STATISTICS, "rows"
    return code, "positions" if isinstance(compiled.constraint, RowRule) else "rows"


def moments_in_code(instant: Instant) -> str:
    """A line of code that binds what rules mean by "now"."""
    return _MOMENTS.format(now=instant.local.isoformat(), utc_now=instant.utc.isoformat())


def _fetched(sandbox: Sandbox, execution: Execution, wanted: Wanted, beside: Beside) -> OwnFound:
    if wanted == "count":
        count = sandbox.fetch_record("_found")
        assert isinstance(count, int)
        return OwnFound(execution, count=count)
    frame = sandbox.fetch_frame("_found")
    if wanted == "rows":
        return OwnFound(execution, rows=frame)
    numbers, others = frame["position"].tolist(), len(beside.codes)
    counts = tuple(numbers[:others]) if -1 not in numbers[:others] else ()
    return OwnFound(execution, positions=tuple(numbers[others:]), beside=beside, counts=counts)

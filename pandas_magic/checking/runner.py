"""The runner: execute, count, judge. The code finds rows; the verdict is given here."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import pandas as pd

from kernel_sandbox import SandboxError
from pandas_magic.checking.abstentions import abstention_codes, kept_code, may_abstain, may_leave_open
from pandas_magic.checking.engines.duckdb_kernel import bench_of_duckdb
from pandas_magic.checking.executors import said_of
from pandas_magic.checking.finder import EditedCode, Finder, Progress
from pandas_magic.checking.found import Found, Looked
from pandas_magic.checking.in_part import said_of_frames, said_of_part, said_of_reading, words_for
from pandas_magic.checking.judging import judge
from pandas_magic.checking.known_exceptions import Sieved, sieve
from pandas_magic.checking.missed_values import missed_value_notes
from pandas_magic.checking.own_rows import are_rows_of
from pandas_magic.checking.row_order import said_of_order
from pandas_magic.checking.text_readings import unread_notes
from pandas_magic.clock import run_id, timestamp
from pandas_magic.constraints.algebra.rules import RowRule
from pandas_magic.errors import NoSuchName, TableUnreadable
from pandas_magic.history.keys import key_of
from pandas_magic.history.run import Confined, Run, Verdict
from pandas_magic.record import digest
from pandas_magic.registry.agreement import is_edited
from pandas_magic.registry.approval import is_unread
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.resting import said_of_rest, why_resting

_FOREIGN = (
    "the code gives rows that are no rows of {table}, so that they cannot be counted; let it keep the index and the "
    "columns of {table}"
)


class Runner(Finder):
    """Runs checks on the tables of a catalog, each in a kernel in which nothing has run before."""

    def run(
        self,
        compiled: CompiledCheck,
        *,
        edited: EditedCode | None = None,
        alone: bool = False,
        notes: Sequence[str] = (),
        on_progress: Progress = lambda _: None,
    ) -> Run:
        """Run a check's code, or `edited` code in its place, on the tables as they are now, and judge what it found.

        A table that cannot be read, code that fails and rows that are no rows of the checked table give a run with the
        verdict ERROR; so does edited code that nobody allowed. Code of a typed rule that is not the compiler's own is
        run beside that, unless it is to run `alone`, and a difference is an ERROR with the rows in which they differ.

        Raises: kernel_sandbox.SandboxUnavailable when the code could not be confined.
        """
        begun = _Begun(compiled, compiled.code if edited is None else edited.code, edited is not None)
        if resting := why_resting(compiled, self.instant().local.date()):
            return begun.run(verdict=Verdict.SKIPPED, summary=f"SKIPPED: {resting}")
        try:
            ordered = said_of_order(self.catalog, compiled.constraint)
            looked = self.look(compiled, edited, on_progress, alone=alone)
            self.bench.refuse_when_stopped()
            said = (*notes, *ordered, *self._said(compiled, looked))
            run = self._concluded(begun, compiled, looked, said=said, edited=edited)
            self._refuse_changed(looked)
        except (TableUnreadable, NoSuchName) as error:
            return begun.failed(str(error))
        return run

    def _said(self, compiled: CompiledCheck, looked: Looked) -> tuple[str, ...]:
        """What a reader must know of how it ran."""
        return (
            *said_of(self.settings.executor),
            *said_of_frames(self.catalog, looked.fingerprints),
            *said_of_reading(self.catalog, compiled.plan.reads),
            *([looked.large] if looked.large else []),
            *([looked.part] if looked.part else []),
            *said_of_part(self.catalog, compiled),
            *said_of_rest(compiled, self.instant().local.date()),
            *([f"ran as pandas and in no engine: {looked.found.said}"] if looked.found.said else []),
        )

    def _refuse_changed(self, looked: Looked) -> None:
        """Refuse tables that are not what they were before the first of them was read. Raises: TableUnreadable."""
        for name, identity in looked.fingerprints.items():
            if self.catalog.identity(name) != identity:
                raise TableUnreadable(f'table "{name}" changed while the check ran; run it again')

    def _concluded(
        self, begun: _Begun, compiled: CompiledCheck, looked: Looked, *, said: Sequence[str], edited: EditedCode | None
    ) -> Run:
        """The run with its verdict, and with its failing rows at hand."""
        found = looked.found
        begun.ran_ahead(found.ran_ahead)
        facts: dict[str, object] = {
            "notes": said,
            "confined": self._confined(found),
            "engine": found.engine,
            "statistics": dict(found.statistics),
            "fingerprints": looked.fingerprints,
            "stdout": found.execution.stdout if found.execution else "",
        }
        if found.rows is None:
            return begun.failed(found.error, shown=found.differing, **facts)
        rows, positions = self._whole_rows(compiled.target, looked)
        if len(rows) and positions is None and _asks_for_rows(compiled):
            return begun.failed(_FOREIGN.format(table=compiled.target), shown=rows, **facts)
        left = sieve(compiled, rows, positions, self.instant().local.date())
        facts |= self._judged(compiled, looked, left, said)
        if edited is not None:
            facts |= _of_edited(facts, compiled, len(left.rows), allowed=edited.allowed)
        elif is_unread(compiled) and not self.settings.allow_proposed:
            facts |= _of_unread(compiled, len(left.rows))
        return begun.run(**facts).holding(left.rows, compiled.constraint, left.positions)

    def _confined(self, found: Found) -> Confined | None:
        if found.row_count is not None:
            return None  # nothing ran here
        try:
            used = bench_of_duckdb(self.bench, self.settings.memory_bytes, found.files) if found.engine else self.bench
            return used.confined()
        except SandboxError:
            if found.rows is not None:
                raise
            return None  # the process has ended, and why is told; that no other comes, the next check says

    def _judged(self, compiled: CompiledCheck, looked: Looked, left: Sieved, said: Sequence[str]) -> dict[str, object]:
        """The verdict on what was found, known exceptions left out, and what goes with it."""
        target, count = compiled.target, len(left.rows)
        rows = self._rows_of(target, looked)
        is_own = not looked.in_parts and not looked.edited
        not_judged = self._not_judged(compiled, looked) if is_own else None
        unseen = self._unseen(compiled, looked) if is_own else ()
        none_kept = is_own and not count and self._keeps_none(compiled, looked)
        named = words_for(self.catalog, target)
        judgement = judge(
            compiled, count, rows, table=named, excepted=left.excepted, not_judged=not_judged, none_kept=none_kept
        )
        facts: dict[str, object] = {
            "not_judged": not_judged,
            "nothing_judged": judgement.nothing_judged,
            "verdict": judgement.verdict,
            "violation_count": count,
            "rows": rows,
            "summary": judgement.summary,
            "warned": judgement.warned,
            "excepted": left.excepted,
            "exceptions": left.applied,
            "notes": (*said, *judgement.notes, *left.notes, *unseen),
        }
        if count:
            facts |= {"reason": compiled.plan.violation_means, "key": self._key(target) if left.positions else ()}
        return facts

    def _unseen(self, compiled: CompiledCheck, looked: Looked) -> tuple[str, ...]:
        """What its rule may have been blind to in these tables, one line each."""
        rule, frames = compiled.constraint, looked.frames
        return (*unread_notes(rule, frames), *missed_value_notes(rule, frames, self.catalog.schema(compiled.target)))

    def _rows_of(self, target: str, looked: Looked) -> int | None:
        if target in looked.frames:
            return len(looked.frames[target])
        return self.row_count(target) if looked.found.row_count is None else looked.found.row_count

    def _not_judged(self, compiled: CompiledCheck, looked: Looked) -> int | None:
        """How many rows the rule neither accepts nor flags; None when that could not be counted."""
        constraint = compiled.constraint
        if not isinstance(constraint, RowRule) or looked.found.rows is None:
            return None
        frames, decided = looked.frames, len(looked.found.rows)
        # Beside our own code it is counted only where a value may be missing, which to look for takes a while.
        if not frames or (looked.found.left_open is not None and not looked.found.engine):
            return looked.found.left_open
        if not (may_abstain(frames) or may_leave_open(constraint)):
            return 0
        if looked.found.left_open is not None:
            return looked.found.left_open
        for code in abstention_codes(constraint, self.catalog.schemas(tuple(frames))):
            count = self.count_own_rows(compiled, code, frames)
            if count is None:
                return None
            decided += count
        return len(frames[constraint.table]) - decided

    def _keeps_none(self, compiled: CompiledCheck, looked: Looked) -> bool:
        """Whether nothing is found that keeps the rule; not asked where the rows are not at hand."""
        frames = looked.frames
        if looked.found.none_kept is not None:
            return looked.found.none_kept
        code = kept_code(compiled.constraint, self.catalog.schemas(tuple(frames))) if frames else ""
        return bool(code) and self.count_own_rows(compiled, code, frames) == 0

    def _key(self, target: str) -> tuple[str, ...]:
        return key_of(self.catalog.schema(target), self.settings.keys)

    def _whole_rows(self, target: str, looked: Looked) -> tuple[pd.DataFrame, tuple[int, ...] | None]:
        """The rows with every column of their table, and their positions in it; None when they are no rows of it."""
        found, positions = looked.found.rows, looked.found.positions
        assert found is not None
        if positions is not None:
            return found, positions
        staged = looked.frames.get(target)
        if staged is not None and len(found) and are_rows_of(found, staged):
            positions = tuple(int(position) for position in found.index)
            return self.catalog.rows(target, positions), positions
        return found, None if len(found) else ()


def errored_run(compiled: CompiledCheck | None, error: str, *, check_id: str = "") -> Run:
    """A run that did not take place, with the reason; `check_id` names a check that was never compiled."""
    if compiled is not None:
        return _Begun(compiled, compiled.code).failed(error)
    return _without_check(check_id, verdict=Verdict.ERROR, error=error, summary=f"{Verdict.ERROR}: {error}")


def skipped_run(check_id: str) -> Run:
    """A run of a check that was never compiled and is disabled."""
    return _without_check(check_id, verdict=Verdict.SKIPPED, summary=f"{Verdict.SKIPPED}: it is disabled")


def _without_check(check_id: str, **outcome: object) -> Run:
    named = {"run_id": run_id(), "check_id": check_id, "started_at": timestamp(), "seconds": 0.0, "code": ""}
    return Run.model_validate({**named, **outcome})


def _of_edited(facts: Mapping[str, object], compiled: CompiledCheck, count: int, *, allowed: bool) -> dict[str, object]:
    """The outcome of code that is not the check's: none that counts, unless a person allowed it by name."""
    if allowed:
        verdict, summary = facts["verdict"], str(facts["summary"])
        said = summary.removeprefix(f"{verdict}: ")
        return {"summary": f"{verdict}: edited code, allowed by name and not proved: {said}"}
    anew = f", and pandas-magic compile {compiled.id} makes it anew from its rule" if is_edited(compiled) else ""
    return _without_verdict(
        f"edited, not proved: this code finds {_counted(count, compiled)} and is not the check; "
        f"%%check --run {compiled.id} --accept proves it and makes it the check{anew}"
    )


def _of_unread(compiled: CompiledCheck, count: int) -> dict[str, object]:
    """The outcome of a model's code that no typed rule describes: two authors may read a vague rule alike."""
    error = (
        "a model wrote this code, and no rule in words says what it does: it finds "
        f"{_counted(count, compiled)}; read it, and if that is meant, "
        f"pandas-magic approve {compiled.id} (in a notebook: %checks approve {compiled.id})"
    )
    return _without_verdict(error)


def _counted(count: int, compiled: CompiledCheck) -> str:
    return f"{count:,} row{'s' * (count != 1)} of {compiled.target}"


def _without_verdict(error: str) -> dict[str, object]:
    return {
        "verdict": Verdict.ERROR,
        "error": error,
        "summary": f"{Verdict.ERROR}: {error}",
        "violation_count": None,
        "warned": False,
        "nothing_judged": False,
    }


def _asks_for_rows(compiled: CompiledCheck) -> bool:
    """Whether what breaks the check are rows of its table, and not findings about the table as a whole."""
    return compiled.constraint is None or isinstance(compiled.constraint, RowRule)


class _Begun:
    """A run from its beginning on: it takes the time and names what runs."""

    def __init__(self, compiled: CompiledCheck, code: str, edited: bool = False) -> None:
        self._began = time.monotonic()
        self._content = {
            "run_id": run_id(),
            "check_id": compiled.id,
            "code": code,
            "edited": edited,
            "rule_digest": compiled.rule_digest,
            "code_digest": digest(code),
            "started_at": timestamp(),
        }

    def ran_ahead(self, span: tuple[float, float] | None) -> None:
        """Count what it did before its turn as if it had been done at the beginning of this."""
        if span is not None:
            self._began -= max(0.0, min(span[1], self._began) - span[0])

    def run(self, **outcome: object) -> Run:
        seconds = round(time.monotonic() - self._began, 4)
        return Run.model_validate({**self._content, "seconds": seconds, **outcome})

    def failed(self, error: str, shown: pd.DataFrame | None = None, **facts: object) -> Run:
        said = {"verdict": Verdict.ERROR, "error": error, "summary": f"{Verdict.ERROR}: {error}"}
        run = self.run(**{**facts, **said})
        return run if shown is None else run.holding(shown, None)

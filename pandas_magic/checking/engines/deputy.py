"""Whether an engine may stand in for the pandas of a check: only for what was proved in that very engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from kernel_sandbox import Execution, Sandbox
from pandas_magic.catalog import Catalog, Table
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.engines.answer import EngineAnswer, EngineQuestion
from pandas_magic.checking.engines.dialect import NotExpressible
from pandas_magic.checking.engines.dialects import DUCKDB
from pandas_magic.checking.engines.duckdb_kernel import DuckDbKernel, bench_of_duckdb, duckdb_version
from pandas_magic.checking.engines.engine_proof import why_unproved
from pandas_magic.checking.engines.rule_sql import select_for
from pandas_magic.checking.executors import CONFINED
from pandas_magic.clock import Instant
from pandas_magic.constraints import reads
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint
from pandas_magic.errors import NoSuchName, TableUnreadable
from pandas_magic.record import digest
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.settings import Settings

if TYPE_CHECKING:
    from pandas_magic.checking.prover import Case

# Of columns in files that take more, a proof on first use sees the first rows: all of them are not to be read here.
_MOST_SAMPLED_BYTES = 64 * 1024**2
NOT_INSTALLED = "DuckDB is not installed: pip install 'pandas-magic[duckdb]'"
WholeFrame = Callable[[str, CompiledCheck, pd.DataFrame], pd.DataFrame]


class Deputy:
    """DuckDB, beside a bench, for checks on tables of a catalog; its kernel may read these files."""

    def __init__(self, catalog: Catalog, settings: Settings, bench: Bench, *, files: tuple[str, ...] = ()) -> None:
        self.catalog, self.settings, self.files = catalog, settings, files
        self._bench = bench
        self.engine = f"DuckDB {duckdb_version()}" if duckdb_version() else ""

    def is_wanted(self, constraint: Constraint | None) -> bool:
        """Whether the settings want it for the rule on frames: for "auto" pandas is faster at every size measured.

        Never where another executor is to run the checks: the kernel of an engine would be ours.
        """
        is_chosen = self.settings.engine == "duckdb" and self.settings.executor == CONFINED
        return is_chosen and constraint is not None and not isinstance(constraint, ColumnsRule)

    def answer(
        self, compiled: CompiledCheck, frames: Mapping[str, pd.DataFrame], instant: Instant, whole: WholeFrame
    ) -> EngineAnswer | Execution | str:
        """What it finds in the frames, or what went on until its time was over.

        Otherwise why it gives no answer; "" when nobody wanted one.

        `whole` gives a frame with what other checks of a batch read of it, too. Raises: SandboxUnavailable.
        """
        constraint = compiled.constraint
        if constraint is None or not self.is_wanted(constraint):
            return ""
        tables = self.catalog.schemas(tuple(frames))
        select = self._select(constraint, tables, instant)
        if isinstance(select, NotExpressible):
            return str(select)
        if unproved := self.why_not_proved(compiled, tables, instant):
            return f"not proved in {self.engine}: {unproved}"
        if not self.catalog.holds_still:
            self._beside().staged.clear()
        question, kernel = EngineQuestion(select, reads(constraint)), self.kernel()
        sandbox = kernel.bring(
            question, self.catalog, lambda: {name: whole(name, compiled, frames[name]) for name in frames}
        )
        if isinstance(sandbox, str):
            return f"{self.engine}: {sandbox}"
        if found := self._found_ahead(compiled, question, sandbox, instant):
            return found
        answer = kernel.ask(sandbox, question)
        return f"{self.engine}: {answer}" if isinstance(answer, str) else answer

    def _found_ahead(
        self, compiled: CompiledCheck, question: EngineQuestion, sandbox: Sandbox, instant: Instant
    ) -> EngineAnswer | None:
        """What was found together with other checks of the batch, now or before; None when it is to be asked alone."""
        ahead = self._bench.ahead_in_engine
        if ahead is None:
            return None
        questions = {compiled.id: question}

        def may_come(check: CompiledCheck) -> bool:
            if other := self._question_of(check, instant):
                questions[check.id] = other
            return other is not None

        with ahead.claim(compiled, may_come) as together:
            if len(together) > 1:
                answers = self.kernel().ask_together(sandbox, [questions[check.id] for check in together])
                found = zip(together, answers, strict=False)
                ahead.put({check.id: answer for check, answer in found if answer is not None})
                # Of a kernel that ended nobody knows which SELECT was to blame.
                ahead.put_back(together[len(answers) :] if answers else ())
        return ahead.take(compiled.id)

    def _question_of(self, check: CompiledCheck, instant: Instant) -> EngineQuestion | None:
        """What would be asked for a check of the batch; None when it is not certain, or its tables are not brought."""
        constraint = check.constraint
        if constraint is None or not self.kernel().holds(columns := reads(constraint)):
            return None
        try:
            tables = self.catalog.schemas(tuple(columns))
        except (NoSuchName, TableUnreadable):
            return None  # told when its turn comes
        if not self.is_wanted(constraint):
            return None
        if not self._is_recorded(check) and self._beside().proofs.get(self._proof_key(check)) != "":
            return None
        select = self._select(constraint, tables, instant)
        return None if isinstance(select, NotExpressible) else EngineQuestion(select, columns)

    def proved(self, constraint: Constraint, cases: Sequence[Case], instant: Instant) -> tuple[str, ...]:
        """The engine, where it is wanted for the rule on its tables and finds what the rule means in these cases."""
        if not self.is_wanted(constraint):
            return ()
        tables = self.catalog.schemas(tuple(reads(constraint)))
        return () if self._why_unproved(constraint, tables, instant, cases) else (self.engine,)

    def _why_unproved(
        self, constraint: Constraint, tables: Mapping[str, Table], instant: Instant, cases: Sequence[Case]
    ) -> str:
        select = self._select(constraint, tables, instant)
        if isinstance(select, NotExpressible):
            return str(select)
        question = EngineQuestion(select, reads(constraint))

        def ask_of_each(judged: Sequence[Case]) -> Sequence[EngineAnswer] | str:
            return self.kernel().ask_of_each(question, self.catalog, [case.frames for case in judged])

        return why_unproved(cases, ask_of_each)

    def why_not_proved(self, compiled: CompiledCheck, tables: Mapping[str, Table], instant: Instant) -> str:
        """Why the engine may not stand in for a check's pandas; "": it may.

        As recorded when it was compiled, else proved on first use, once for a bench.
        """
        if self._is_recorded(compiled):
            return ""
        assert compiled.constraint is not None
        proofs, what = self._beside().proofs, self._proof_key(compiled)
        if what not in proofs:
            from pandas_magic.checking.planted_cases import planted_cases

            most_bytes = _MOST_SAMPLED_BYTES if self.files else None
            cases = planted_cases(compiled.constraint, self, instant, compiled.schemas, most_bytes=most_bytes)
            proofs[what] = self._why_unproved(compiled.constraint, tables, instant, cases)
        return proofs[what]

    def _is_recorded(self, compiled: CompiledCheck) -> bool:
        return compiled.proof is not None and self.engine in compiled.proof.engines

    def _proof_key(self, compiled: CompiledCheck) -> str:
        return digest(f"{self.engine}{compiled.constraint}{compiled.schemas}")

    def _select(self, constraint: Constraint, tables: Mapping[str, Table], instant: Instant) -> str | NotExpressible:
        if not self.engine:
            return NotExpressible(NOT_INSTALLED)
        try:
            # Frames become Arrow without NaN on the way.
            return select_for(constraint, tables, instant, DUCKDB, may_hold_nan=False)
        except NotExpressible as why:
            return why

    def _beside(self) -> Bench:
        return bench_of_duckdb(self._bench, self.settings.memory_bytes, self.files)

    def kernel(self, *, times: int = 1) -> DuckDbKernel:
        """Where DuckDB runs; a question may take so many times the seconds of a check."""
        seconds, memory_bytes = self.settings.wall_seconds * times, self.settings.memory_bytes
        return DuckDbKernel(self._beside(), wall_seconds=seconds, memory_bytes=memory_bytes, files=self.files)

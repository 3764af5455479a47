"""Checks on tables too large for the kernel's memory: DuckDB reads their Parquet files itself, behind the wall.

Its kernel may read these files and no others, and puts what does not fit into its memory into its own folder. What a
file says about its values beside them is not believed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from kernel_sandbox import Execution
from pandas_magic.catalog import Catalog, Table
from pandas_magic.catalog.sources.dataset_table import DatasetTable
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.engines.answer import EngineAnswer, EngineQuestion
from pandas_magic.checking.engines.deputy import NOT_INSTALLED, Deputy
from pandas_magic.checking.engines.dialect import NotExpressible
from pandas_magic.checking.engines.dialects import DUCKDB
from pandas_magic.checking.engines.parquet_rows import rows_in_files
from pandas_magic.checking.engines.rule_sql import select_for
from pandas_magic.checking.executors import CONFINED
from pandas_magic.checking.found import Found, failure
from pandas_magic.checking.partitions import PART_SHARE, is_better_left_in_files, part_count
from pandas_magic.checking.text_readings import reads_texts
from pandas_magic.clock import Instant
from pandas_magic.constraints import reads
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint, TableRule
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.settings import Settings

_NOBODY_WANTS_ONE = ""


class InFiles:
    """DuckDB in place of the pandas of checks whose tables are large and lie in Parquet files."""

    def __init__(self, catalog: Catalog, settings: Settings, bench: Bench) -> None:
        self.catalog, self.settings, self._bench = catalog, settings, bench

    def find(self, compiled: CompiledCheck, instant: Instant) -> Found | str:
        """What DuckDB finds in the files; why it gives no answer; "" when nobody wants one of it.

        Raises: TableUnreadable; kernel_sandbox.SandboxUnavailable.
        """
        constraint = compiled.constraint
        if constraint is None or not (sources := self._wanted(constraint)):
            return _NOBODY_WANTS_ONE
        deputy = Deputy(self.catalog, self.settings, self._bench, files=self._granted(sources))
        if not deputy.engine:
            return NOT_INSTALLED if self.settings.engine == "duckdb" else _NOBODY_WANTS_ONE
        tables = self.catalog.schemas(tuple(sources))
        try:
            stored = _stored(constraint, sources, tables)
            select = select_for(constraint, tables, instant, DUCKDB, sources=stored)
        except NotExpressible as why:
            return str(why)
        if unproved := deputy.why_not_proved(compiled, tables, instant):
            return f"not proved in {deputy.engine}: {unproved}"
        answer = self._answer(deputy, constraint, select, stored)
        if isinstance(answer, str):
            return f"{deputy.engine}: {answer}"
        found = self._found(compiled, constraint, answer)
        return found if isinstance(found, str) else replace(found, engine=deputy.engine, files=deputy.files)

    def _wanted(self, constraint: Constraint) -> Mapping[str, DatasetTable]:
        """The tables, where the settings want DuckDB for such a rule and they are large; else none.

        Never where another executor is to run the checks.
        """
        if (
            self.settings.engine == "pandas"
            or self.settings.executor != CONFINED
            or isinstance(constraint, ColumnsRule)
        ):
            return {}
        read = reads(constraint)
        tables = self.catalog.schemas(tuple(read))
        if not is_better_left_in_files(tables, read, memory_bytes=self.settings.memory_bytes):
            return {}
        sources = {name: self.catalog.source(name) for name in read}
        in_files = {name: source for name, source in sources.items() if isinstance(source, DatasetTable)}
        return in_files if in_files.keys() == sources.keys() else {}

    def _granted(self, sources: Mapping[str, DatasetTable]) -> tuple[str, ...]:
        """The files and folders that the kernel may read: one for all tables of the batch, if these are among them."""
        expected = {name: self.catalog.source(name) for name in self._bench.expected}
        every = {name: source for name, source in expected.items() if isinstance(source, DatasetTable)}
        chosen = every if sources.keys() <= every.keys() else sources
        return tuple(sorted({str(source.path.resolve()) for source in chosen.values()}))

    def _answer(
        self, deputy: Deputy, constraint: Constraint, select: str, stored: Mapping[str, str]
    ) -> EngineAnswer | Execution | str:
        # As much time as the parts would have, that pandas would look at.
        times = part_count(self.catalog, reads(constraint), part_bytes=self.settings.memory_bytes // PART_SHARE)
        kernel, question = deputy.kernel(times=times), EngineQuestion(select, {})
        sandbox = kernel.bring(question, self.catalog, dict)
        if isinstance(sandbox, str):
            return sandbox
        answer = kernel.ask(sandbox, question)
        if not isinstance(answer, EngineAnswer) or not answer.left_open:
            return answer
        # As in pandas: where no value is missing, none is said to leave a row open.
        gaps = kernel.ask(sandbox, EngineQuestion(self._gaps(constraint, stored), {}))
        if not isinstance(gaps, EngineAnswer):
            return gaps
        return answer if gaps.left_open else replace(answer, left_open=0)

    def _gaps(self, constraint: Constraint, stored: Mapping[str, str]) -> str:
        """How many rows of the tables lack a value that the rule reads, as what a rule leaves open."""
        counts = []
        for name, columns in reads(constraint).items():
            table = self.catalog.schema(name)
            is_number = {column: table.kind(column) == "number" for column in columns}
            cells = {column: DUCKDB.quote(column) for column in columns}
            lacks = [
                f"{DUCKDB.say('no_nan', cell) if is_number[column] else cell} IS NULL" for column, cell in cells.items()
            ]
            counts.append(f"(SELECT count(*) FROM {stored[name]} q WHERE {' OR '.join(lacks) or '1 = 0'})")
        return f"SELECT NULL AS position, {' + '.join(counts)} AS left_open"

    def _found(self, compiled: CompiledCheck, constraint: Constraint, answer: EngineAnswer | Execution) -> Found | str:
        if isinstance(answer, Execution):
            return Found(answer, None, failure(answer))
        if isinstance(constraint, TableRule):
            if answer.positions:
                return "broken in DuckDB, and pandas shows what breaks it"
            return Found(answer.execution, pd.DataFrame(), positions=(), left_open=0)
        if not _are_positions(answer.positions, self.catalog.schema(compiled.target).row_count or 0):
            return Found(answer.execution, None, f"DuckDB gives positions that are none of {compiled.target}")
        rows = self.catalog.rows(compiled.target, answer.positions)
        return Found(answer.execution, rows, positions=answer.positions, left_open=answer.left_open)


def _are_positions(numbers: Sequence[int], rows: int) -> bool:
    """Whether the numbers, each once and ascending, are places among so many rows."""
    every = np.asarray(numbers, dtype="int64")
    return not len(every) or bool(every[0] >= 0 and every[-1] < rows and (np.diff(every) > 0).all())


def _stored(constraint: Constraint, sources: Mapping[str, DatasetTable], tables: Mapping[str, Table]) -> dict[str, str]:
    """What stands after FROM for each table. Raises: NotExpressible, TableUnreadable."""
    if reads_texts(constraint):
        raise NotExpressible("a rule that reads texts as other values")
    columns = reads(constraint)
    return {name: rows_in_files(source, columns[name], tables[name], DUCKDB) for name, source in sources.items()}

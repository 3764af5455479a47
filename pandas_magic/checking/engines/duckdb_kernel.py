"""DuckDB inside a confined kernel: SELECTs of ours over staged tables; only positions come back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pandas as pd

from kernel_sandbox import Execution, Sandbox, SandboxError, SandboxUnavailable
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.engines.writing import POSITION
from pandas_magic.constraints import identifier

# Sent as text: DuckDB need not be there, and is nothing that this process imports.
_CONFINED = Path(__file__).with_name("confined_duckdb.py")
# DuckDB ends its process where it may not look how much memory the group of processes has.
MEMORY_OF_THE_GROUP = ("/proc/self/cgroup", "/sys/fs/cgroup")
# The tables, as Arrow and as pandas has them, come on top of what DuckDB itself may take.
_MEMORY_SHARE = 2
_THREADS = 2
_PROGRAM = """import os
if "_in_duckdb" not in globals():
    exec(compile({source!r}, "confined_duckdb.py", "exec"), globals())
    _spill = os.path.join(os.getcwd(), "spill")
    _in_duckdb = TablesInDuckDb({position!r}, memory_bytes={memory_bytes}, threads={threads}, spill=_spill)
_answers = []
for _names in {cases!r}:
    _frames = {{name: globals()[at] for name, at in _names.items()}}
    _rows, _left_open = _in_duckdb.found({select!r}, _frames, {columns!r})
    _answers += [*_rows.tolist(), _left_open, -1]
_found = pd.DataFrame({{"position": np.array(_answers, dtype="int64")}})
"""
_END = -1
# Read, not imported: DuckDB may not be installed, and is loaded in the kernel alone.
_CONFINED = Path(__file__).with_name("confined_duckdb.py")


@dataclass(frozen=True)
class EngineAnswer:
    """The positions that a SELECT found, ascending, and how many rows it left open."""

    positions: tuple[int, ...]
    left_open: int
    execution: Execution


@cache
def duckdb_version() -> str:
    """The version of DuckDB that is installed; "" when none is."""
    try:
        return version("duckdb")
    except PackageNotFoundError:
        return ""


class DuckDbKernel:
    """Asks DuckDB in the kernel of a bench of its own."""

    def __init__(self, bench: Bench, *, wall_seconds: float, memory_bytes: int) -> None:
        self._bench, self._wall_seconds, self._memory_bytes = bench, wall_seconds, memory_bytes

    def ask(
        self,
        select: str,
        columns: Mapping[str, Sequence[str]],
        tables: object,
        frames: Callable[[], Mapping[str, pd.DataFrame]],
    ) -> EngineAnswer | Execution | str:
        """What the SELECT finds in the frames; what went on until the time was over; or why DuckDB gives no answer.

        `tables` is what the frames are of: those of the same one are staged once, so that they are asked for only then.
        Raises: SandboxUnavailable.
        """

        def stage(sandbox: Sandbox) -> Mapping[str, str]:
            staged = self._bench.staged
            if any(not set(read) <= staged.get(name, {}).keys() for name, read in columns.items()):
                for name, frame in frames().items():
                    sandbox.stage(identifier(name), frame)
                    staged[name] = {str(column): str(dtype) for column, dtype in frame.dtypes.items()}
            return {name: identifier(name) for name in columns}

        answers = self._asked(select, columns, tables, lambda sandbox: [stage(sandbox)])
        return answers[0] if isinstance(answers, list) else answers

    def ask_of_each(
        self,
        select: str,
        columns: Mapping[str, Sequence[str]],
        tables: object,
        cases: Sequence[Mapping[str, pd.DataFrame]],
    ) -> list[EngineAnswer] | str:
        """What the SELECT finds in each of the cases, made of `tables`; or why DuckDB gives no answer.

        Raises: SandboxUnavailable.
        """

        def stage(sandbox: Sandbox) -> list[Mapping[str, str]]:
            named: list[Mapping[str, str]] = []
            for number, frames in enumerate(cases):
                names = {name: f"_planted_{number}_{place}" for place, name in enumerate(columns)}
                for name, at in names.items():
                    sandbox.stage(at, frames[name])
                named.append(names)
            return named

        answers = self._asked(select, columns, tables, stage)
        return answers.reason if isinstance(answers, Execution) else answers

    def _asked(
        self,
        select: str,
        columns: Mapping[str, Sequence[str]],
        tables: object,
        stage: Callable[[Sandbox], Sequence[Mapping[str, str]]],
    ) -> list[EngineAnswer] | Execution | str:
        try:
            sandbox = self._bench.own_sandbox(tables)
            program = self._program(select, columns, stage(sandbox))
            execution = sandbox.execute(program, wall_seconds=self._wall_seconds)
            if execution.status == "ok":
                return _taken_apart(sandbox.fetch_frame("_found")["position"].tolist(), execution)
        except SandboxUnavailable:
            raise
        except SandboxError as error:
            self._bench.forget()
            return str(error)
        if execution.status != "error":
            self._bench.forget()
            return execution if execution.status == "timeout" else execution.reason
        lines = execution.error_text.strip().splitlines()
        return lines[0] if lines else execution.error_name

    def _program(self, select: str, columns: Mapping[str, Sequence[str]], cases: Sequence[Mapping[str, str]]) -> str:
        return _PROGRAM.format(
            source=_CONFINED.read_text(encoding="utf-8"),
            position=POSITION,
            memory_bytes=self._memory_bytes // _MEMORY_SHARE,
            threads=_THREADS,
            cases=[dict(names) for names in cases],
            select=select,
            columns={name: list(read) for name, read in columns.items()},
        )


def _taken_apart(numbers: Sequence[int], execution: Execution) -> list[EngineAnswer]:
    """The answers in a row of numbers: the positions of each, how many rows it left open, and the mark of its end."""
    answers, begins = [], 0
    for place, number in enumerate(numbers):
        if number == _END:
            answers.append(EngineAnswer(tuple(numbers[begins : place - 1]), numbers[place - 1], execution))
            begins = place + 1
    return answers
